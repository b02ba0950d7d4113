"""The parts that a home and its config name: provider, guard, conversations."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import frozen

from ethos_memory.config import CONFIG_NAME
from ethos_memory.errors import CorruptFileError, UnsupportedError
from ethos_memory.guard import GuardPolicy, InjectionGuard
from ethos_memory.identity_map import IdentityMap
from ethos_memory.providers.guarded import UnsafeNoGuard
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.teams import markdown_teams

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from ethos_memory.config import Config
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

    Args:
        config: Of the home.
        root: The home.
        durability: Whether to wait for the disk.
        trusted_links: Folders that links below the root may lead into.
        provider: Instead of what ``memory:`` names; the rest is in the home then.

    Raises:
        CorruptFileError: When a setting is missing.
        EthosMemoryError: When a server cannot be reached; see `pg.Database`.
        UnsupportedError: When it is not there; never is another taken in its place.
    """
    if provider is None and config.memory == "postgres":
        return _postgres(config, root, durability=durability)
    if provider is None:
        provider = _files(
            config, root, durability=durability, trusted_links=trusted_links
        )
    return Backend(
        provider,
        markdown_teams(root, durability=durability),
        IdentityMap(root, durability=durability),
    )


def _files(
    config: Config, root: Root, *, durability: Durability, trusted_links: _Links
) -> MemoryProvider:
    if config.memory == "markdown":
        return MarkdownProvider(
            root.path, durability=durability, trusted_links=trusted_links
        )
    if config.memory == "vault":
        return _vault(config, root, durability=durability, trusted_links=trusted_links)
    return _vector(config, root, durability=durability, trusted_links=trusted_links)


def _postgres(config: Config, root: Root, *, durability: Durability) -> Backend:
    # At first use: psycopg is an extra.
    from ethos_memory.identity_map.postgres import PostgresIdentityMap  # noqa: PLC0415
    from ethos_memory.pg import Database  # noqa: PLC0415
    from ethos_memory.providers.postgres import PostgresProvider  # noqa: PLC0415
    from ethos_memory.sessions.postgres import PostgresSessionStore  # noqa: PLC0415

    dsn = config.resolve_postgres_dsn()
    if dsn is None:
        raise CorruptFileError(
            str(root.path / CONFIG_NAME), "memory: postgres needs memoryPostgres.dsn"
        )
    database = Database(dsn, durability=durability)
    return Backend(
        PostgresProvider(database, closes=True),
        PostgresProvider(database, kinds=("team",)),
        PostgresIdentityMap(database),
        PostgresSessionStore(database),
    )


def _vault(
    config: Config, root: Root, *, durability: Durability, trusted_links: _Links
) -> MemoryProvider:
    # At first use: few homes keep their memory in a vault.
    from ethos_memory.providers.vault import VaultProvider  # noqa: PLC0415

    if config.vault_path is None:
        raise CorruptFileError(
            str(root.path / CONFIG_NAME), "memory: vault needs memoryVault.path"
        )
    return VaultProvider(
        Path(config.vault_path).expanduser(),
        agent_dir=config.vault_agent_dir,
        durability=durability,
        trusted_links=trusted_links,
    )


def _vector(
    config: Config, root: Root, *, durability: Durability, trusted_links: _Links
) -> MemoryProvider:
    # At first use: numpy is an extra.
    from ethos_memory.providers.embedders import load_embedder  # noqa: PLC0415
    from ethos_memory.providers.vector import VectorProvider  # noqa: PLC0415

    if config.vector_embedder is None:
        raise CorruptFileError(
            str(root.path / CONFIG_NAME), "memory: vector needs memoryVector.embedder"
        )
    return VectorProvider(
        root.path,
        load_embedder(config.vector_embedder),
        durability=durability,
        trusted_links=trusted_links,
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
