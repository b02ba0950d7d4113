"""The parts that a home and its config name: provider, guard, conversations."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import evolve, frozen

from ethos_memory.config import AGENT_DIR, BUILT_IN, load_personality
from ethos_memory.errors import InvalidNameError, UnsupportedError
from ethos_memory.guard import GuardPolicy, InjectionGuard
from ethos_memory.identity_map import IdentityMap
from ethos_memory.providers.guarded import UnsafeNoGuard
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.routed import Route, RoutedProvider
from ethos_memory.providers.teams import markdown_teams

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from ethos_memory.config import Config, ProviderChoice
    from ethos_memory.disk import Durability, Root
    from ethos_memory.identity_map import AccountMap
    from ethos_memory.provider import MemoryProvider
    from ethos_memory.providers.guarded import Guard
    from ethos_memory.sessions import SessionStore

__all__ = ["Backend", "choose_guard", "holds_sessions", "open_backend", "open_sessions"]

#: The file in a home that keeps its conversations; Ethos's ``sessions.db`` is Ethos's.
SESSIONS_FILE: Final = "memory-sessions.db"

_Links: TypeAlias = "Iterable[str | os.PathLike[str]]"

_logger = logging.getLogger("ethos_memory")


@frozen
class Backend:
    """Where a home keeps things.

    Attributes:
        provider: What is remembered of personalities and people.
        teams: What is remembered of teams.
        identity_map: Which user an account belongs to.
        sessions: Conversations; `None` for the home's own file, opened at first use.
    """

    provider: MemoryProvider
    teams: MemoryProvider
    identity_map: AccountMap
    sessions: SessionStore | None = None


def open_backend(
    config: Config,
    root: Root,
    *,
    durability: Durability,
    trusted_links: _Links,
    provider: MemoryProvider | None = None,
) -> Backend:
    """Open what ``memory:`` names, and what goes with it.

    A personality's own provider is opened at the first call for the personality.

    Args:
        config: Of the home.
        root: The home.
        durability: Whether to wait for the disk.
        trusted_links: Folders that links below the root may lead into.
        provider: Instead of what ``memory:`` and the personalities' configs name; the
            rest is in the home then.

    Raises:
        CorruptFileError: When a setting is missing, or names what nobody installed.
        EthosMemoryError: When a server cannot be reached; see `pg.Database`.
        UnsupportedError: When it is not there; never is another taken in its place.
    """
    opener = _Opener(root, durability, tuple(trusted_links))
    if provider is not None:
        return opener.with_files(provider)
    choice = config.choice
    if choice.name == "postgres":
        backend = opener.database(choice)
    else:
        backend = opener.with_files(opener.open(choice))
    routed = RoutedProvider(
        backend.provider,
        choose=partial(_route, root),
        open=opener.open,
        choice=choice,
    )
    return evolve(backend, provider=routed)


def _route(root: Root, id: str) -> Route[ProviderChoice]:
    choice = load_personality(root, id)
    return Route(None, is_settled=False) if choice == "absent" else Route(choice)


def _whole_path(text: str) -> Path | None:
    try:
        path = Path(text).expanduser()
    # There is no such user.
    except RuntimeError:
        return None
    return path if path.is_absolute() else None


@frozen
class _Opener:
    """Opens providers of one home."""

    root: Root
    durability: Durability
    trusted_links: tuple[str | os.PathLike[str], ...]

    def with_files(self, provider: MemoryProvider) -> Backend:
        """Return a provider with what the home keeps in files beside it."""
        return Backend(
            provider,
            markdown_teams(self.root, durability=self.durability),
            IdentityMap(self.root, durability=self.durability),
        )

    def open(self, choice: ProviderChoice) -> MemoryProvider:
        """Open the provider that a config names."""
        if choice.name == "markdown":
            return MarkdownProvider(
                self.root.path,
                durability=self.durability,
                trusted_links=self.trusted_links,
            )
        if choice.name == "vault":
            return self._vault(choice)
        if choice.name == "vector":
            return self._vector(choice)
        if choice.name == "postgres":
            return self.database(choice).provider
        return self._of_a_package(choice)

    def _of_a_package(self, choice: ProviderChoice) -> MemoryProvider:
        # At first use: the installed packages are looked through for it.
        from ethos_memory.providers.named import (  # noqa: PLC0415
            ProviderSetup,
            load_provider,
        )

        setup = ProviderSetup(
            choice.resolved(),
            home=self.root.path,
            durability=self.durability,
            trusted_links=self.trusted_links,
            refuse=choice.refused,
        )
        return load_provider(choice.name, setup, built_in=tuple(BUILT_IN))

    def database(self, choice: ProviderChoice) -> Backend:
        """Open a database, and everything that can be kept there."""
        # At first use: psycopg is an extra.
        from ethos_memory.identity_map.postgres import (  # noqa: PLC0415
            PostgresIdentityMap,
        )
        from ethos_memory.pg import Database  # noqa: PLC0415
        from ethos_memory.pg.address import parse_dsn  # noqa: PLC0415
        from ethos_memory.providers.postgres import PostgresProvider  # noqa: PLC0415
        from ethos_memory.sessions.postgres import PostgresSessionStore  # noqa: PLC0415

        dsn, is_sound = choice.resolve("dsn", may_be_bare=True), True
        try:
            parse_dsn(dsn)
        except ValueError:
            is_sound = False
        if not is_sound:
            raise choice.refused("dsn", "no connection string of PostgreSQL")
        database = Database(dsn, durability=self.durability)
        return Backend(
            PostgresProvider(database, closes=True),
            PostgresProvider(database, kinds=("team",)),
            PostgresIdentityMap(database),
            PostgresSessionStore(database),
        )

    def _vault(self, choice: ProviderChoice) -> MemoryProvider:
        # At first use: few homes keep their memory in a vault.
        from ethos_memory.providers.vault import VaultProvider  # noqa: PLC0415

        path = _whole_path(choice.required("path"))
        if path is None:
            # It would be another folder for each program that opens the home.
            raise choice.refused("path", "give the whole path, from / or ~")
        reason = ""
        try:
            return VaultProvider(
                path,
                agent_dir=choice.optional("agentDir", AGENT_DIR),
                durability=self.durability,
                trusted_links=self.trusted_links,
            )
        except InvalidNameError as error:
            reason = error.reason
        raise choice.refused("agentDir", reason)

    def _vector(self, choice: ProviderChoice) -> MemoryProvider:
        # At first use: numpy is an extra.
        from ethos_memory.providers.embedders import load_embedder  # noqa: PLC0415
        from ethos_memory.providers.vector import VectorProvider  # noqa: PLC0415

        setting = choice.required("embedder")
        place = f"{choice.file}: {choice.place('embedder')}"
        return VectorProvider(
            self.root.path,
            load_embedder(setting, place=place),
            durability=self.durability,
            trusted_links=self.trusted_links,
        )


def open_sessions(root: Root | None) -> SessionStore:
    """Open the conversations of a home; their file is made at the first write.

    Raises:
        UnsupportedError: When there is no home.
        ValueError: When the home was closed.
    """
    if root is None:
        msg = "this memory has neither a session store nor a home"
        raise UnsupportedError(msg)
    # At first use: who keeps no conversations needs no SQLite.
    from ethos_memory.sessions import SQLiteSessionStore  # noqa: PLC0415

    with root.folder():  # Raises when the home was closed.
        return SQLiteSessionStore(root.path / SESSIONS_FILE, lazily=True)


def holds_sessions(root: Root | None) -> bool:
    """Tell whether a home has conversations of its own, without opening them.

    Raises:
        OSError: When nobody can tell.
        ValueError: When the home was closed.
    """
    if root is None:
        return False
    with root.folder() as home:
        return home is not None and home.status(SESSIONS_FILE) is not None


def choose_guard(
    guard: Guard | None, config: Config, *, unsafe_without_guard: bool = False
) -> Guard:
    """Return the guard that is given, or one with the config's ``memoryGuard``.

    Raises:
        ValueError: When a guard is given that is not to be used.
    """
    if not unsafe_without_guard:
        return guard or InjectionGuard(GuardPolicy(**config.guard))
    if guard is not None:
        msg = "a guard was given together with unsafe_without_guard"
        raise ValueError(msg)
    _logger.warning("memory is read and written without a guard")
    return UnsafeNoGuard()
