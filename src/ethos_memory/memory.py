"""`Memory`: where the parts meet. Read this file first.

`recall` turns one turn into the block for its prompt; `remember` writes what an agent
learned. Each tells its whole story: who speaks, what the turn may see, what is kept
there, what the guard says of it.
"""

from __future__ import annotations

import logging
import os
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from attrs import evolve

from ethos_memory.config import Config
from ethos_memory.disk import Root
from ethos_memory.entry import Origin
from ethos_memory.errors import (
    NotPermittedError,
    SessionNotFoundError,
    UnsupportedError,
)
from ethos_memory.home import choose_guard, holds_sessions, open_backend, open_sessions
from ethos_memory.policy import BUDGET_CHARS, AudiencePolicy, assemble
from ethos_memory.providers.guarded import GuardedProvider
from ethos_memory.reading import Reading, Recall, marked

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

    from ethos_memory.disk import Durability
    from ethos_memory.entry import SyncReport, Update
    from ethos_memory.identity_map import AccountMap
    from ethos_memory.learning import Learner, SaidMessage
    from ethos_memory.person import ExportReport, ForgetReport, MergeReport, Registry
    from ethos_memory.policy import View
    from ethos_memory.profile import (
        Extractor,
        Observation,
        PrivacyFilter,
        Synthesizer,
    )
    from ethos_memory.provider import MemoryProvider
    from ethos_memory.providers.guarded import Guard
    from ethos_memory.scope import ScopeId
    from ethos_memory.sessions import SessionStore
    from ethos_memory.turn import Turn

__all__ = ["Memory", "Recall"]

#: Surfaces on which a platform says who speaks. Elsewhere the map is never asked.
_SURFACES_WITH_SENDERS: Final = frozenset({"direct", "group"})

_logger = logging.getLogger("ethos_memory")


class Memory:
    """The memory of one home: recall for a prompt, remember what was learned.

    Use `Memory.open`; the constructor takes parts that are already there.

    Attributes:
        provider: Where memory is kept, behind the guard.
        identity_map: Which user an account belongs to.
        audience: What a turn may see.
        config: The home's ``config.yaml``.
    """

    def __init__(
        self,
        provider: GuardedProvider,
        identity_map: AccountMap,
        *,
        audience: AudiencePolicy,
        config: Config,
        budget_chars: int = BUDGET_CHARS,
        root: Root | None = None,
        sessions: SessionStore | None = None,
        teams: GuardedProvider | None = None,
        privacy: PrivacyFilter | None = None,
    ) -> None:
        self.provider = provider
        self.identity_map = identity_map
        self.audience = audience
        self.config = config
        self._budget_chars = budget_chars
        self._root = root
        self._sessions = sessions
        self._teams = teams
        self._privacy = privacy
        self._is_own_store = sessions is None
        self._opening = threading.Lock()

    @classmethod
    def open(
        cls,
        root: str | os.PathLike[str] = "~/.ethos",
        *,
        provider: MemoryProvider | None = None,
        identity_map: AccountMap | None = None,
        sessions: SessionStore | None = None,
        guard: Guard | None = None,
        audience: AudiencePolicy | None = None,
        budget_chars: int = BUDGET_CHARS,
        durability: Durability = "full",
        trusted_links: Iterable[str | os.PathLike[str]] = (),
        privacy: PrivacyFilter | None = None,
        unsafe_without_guard: bool = False,
    ) -> Self:
        """Open a home as it stands; nothing is created before the first write.

        Args:
            root: The home; a leading ``~`` is expanded.
            provider: Instead of the config's; the five methods are enough.
            identity_map: Instead of ``users/identity-map.json`` or the config's.
            sessions: Instead of ``memory-sessions.db`` in the home, or the config's.
            guard: Instead of an `InjectionGuard` with the config's ``memoryGuard``.
            audience: Instead of the config's owners and private chats.
            budget_chars: Characters of a prompt that the block takes at most.
            durability: ``"fast"`` skips the syncs, never the atomic rename.
            trusted_links: Folders that links below the root may lead into.
            privacy: What is never learned, instead of the whole list.
            unsafe_without_guard: Screen nothing. Logged as a warning.

        Raises:
            CorruptFileError: When ``config.yaml`` cannot be read, or lacks a setting.
            MissingExtraError: When the config's provider needs one.
            NotWrittenError: When the config's server cannot be reached.
            UnsupportedError: When the config or platform wants what is not there.
            ValueError: When a guard or a durability is given that cannot be used.
        """
        links = tuple(trusted_links)
        path = os.path.expanduser(root)  # noqa: PTH111 - a leading ~ only
        folder = Root(path, trusted_links=links)
        config = Config.load(folder)
        guard = choose_guard(guard, config, unsafe_without_guard=unsafe_without_guard)
        backend = open_backend(
            config,
            folder,
            durability=durability,
            trusted_links=links,
            provider=provider,
        )
        return cls(
            GuardedProvider(backend.provider, guard),
            identity_map or backend.identity_map,
            audience=audience or AudiencePolicy(config.owners, config.private_chats),
            config=config,
            budget_chars=budget_chars,
            root=folder,
            sessions=sessions or backend.sessions,
            teams=GuardedProvider(backend.teams, guard),
            privacy=privacy,
        )

    @property
    def teams(self) -> GuardedProvider:
        """Where teams keep their memory; it knows ``team:`` scopes only.

        Raises:
            UnsupportedError: When there is no home.
        """
        if self._teams is None:
            raise UnsupportedError("this memory has no home for teams")
        return self._teams

    @property
    def learner(self) -> Learner:
        """What learns about a person, over the same provider."""
        from ethos_memory.learning import Learner  # noqa: PLC0415, at first use

        return Learner(self.provider, privacy=self._privacy)

    @property
    def sessions(self) -> SessionStore:
        """Where conversations are kept; a home's own file is made at the first write.

        Raises:
            UnsupportedError: When there is neither a store nor a home.
            ValueError: When the home was closed.
        """
        with self._opening:
            self._sessions = self._sessions or open_sessions(self._root)
            return self._sessions

    def recall(self, turn: Turn, query: str = "") -> Recall:
        """Assemble the block for a turn's prompt. Nothing else is read.

        Args:
            turn: Who speaks, where, and to which personality.
            query: What was said, for a search when a scope has no rolling page yet.

        Returns:
            The block with its sources, findings and errors. An account's first
            message mints its user id.
        """
        reading = Reading(self.provider)
        turn = marked(turn, self._ran_shared, reading.errors)
        view = reading.attempt(self._view, turn) or self.audience.view(turn)
        pages = (*reading.profile(view), *reading.memory(view, query))
        block = assemble(pages, budget_chars=self._budget_chars)
        return Recall(
            block.text,
            block.sources,
            findings=tuple(f for page in pages for f in page.entry.findings),
            errors=tuple(reading.errors),
            view=view,
        )

    def view(self, turn: Turn) -> View:
        """Say what a turn may see at this moment; its account is known from then on.

        Raises:
            EthosMemoryError: When the identity map cannot be read or written.
        """
        return self._view(marked(turn, self._ran_shared, []))

    def remember(
        self, turn: Turn, update: Update, *, source: str = "tool"
    ) -> SyncReport:
        """Write what was learned on a turn: screened, journaled, durable.

        ``USER.md`` goes to the person's profile, ``MEMORY.md`` to the personality; write
        other pages by `provider.sync`.

        Args:
            turn: Whose memory it is. A model never names it.
            update: One of the four updates.
            source: Who writes; see `Origin.source`.

        Returns:
            What changed, and what the guard found.

        Raises:
            NotPermittedError: When the turn may not write that page.
            GuardRefusedError: When the guard refuses the text; nothing was stored.
            EthosMemoryError: When the map or the page cannot be read or written.
        """
        scope = _writable_scope(self.view(turn), update.key)
        return self.provider.sync(scope, [update], origin=_origin(turn, source))

    def observe(
        self,
        turn: Turn,
        message: str | SaidMessage,
        *,
        extractor: Extractor | None = None,
    ) -> tuple[Observation, ...]:
        """Learn from what the user of a turn said; see `Learner.observe`.

        Returns:
            What was stored; never anything on a turn that must not be learned from.
        """
        if (scope := self._learning_scope(turn)) is None:
            return ()
        origin = _origin(turn, "observation")
        return self.learner.observe(scope, message, extractor=extractor, origin=origin)

    def note(self, turn: Turn, observation: Observation | str) -> bool:
        """Keep a finished observation of a host's own agent; see `Learner.note`.

        Returns:
            Whether a synthesis is due.

        Raises:
            NotPermittedError: When the turn must not be learned from.
        """
        if (scope := self._learning_scope(turn)) is None:
            raise NotPermittedError("nothing is learned on this turn")
        origin = _origin(turn, "observation")
        return self.learner.note(scope, observation, origin=origin)

    def synthesize(
        self, scope: ScopeId | str, synthesizer: Synthesizer | None = None
    ) -> str | None:
        """Merge what was observed into ``IDENTITY.md``; see `Learner.synthesize`.

        Returns:
            The new document; `None` when it was not due, or another run was faster.
        """
        return self.learner.synthesize(scope, synthesizer)

    def export(
        self,
        user_id: str,
        destination: str | os.PathLike[str],
        *,
        dry_run: bool = False,
    ) -> ExportReport:
        """Write everything held about a person into a new folder; see `Registry.export`.

        Args:
            user_id: The person; every id that was merged into it counts as well.
            destination: Must not be there, or be an empty folder; not in the home.
            dry_run: Only tell what is held.

        Raises:
            EthosMemoryError: When it cannot be read or written; there is no folder then.
        """
        return self._people().export(user_id, destination, dry_run=dry_run)

    def forget(self, user_id: str, *, dry_run: bool = False) -> ForgetReport:
        """Erase one person for good, and nobody else; see `Registry.forget`.

        Args:
            user_id: The person; every id that was merged into it goes as well.
            dry_run: Only tell what is held.

        Returns:
            What went; an empty report for somebody who is not known.

        Raises:
            EthosMemoryError: When something cannot be erased. Call it again.
        """
        return self._people().forget(user_id, dry_run=dry_run)

    def merge(self, keep: str, drop: str, *, dry_run: bool = False) -> MergeReport:
        """Say that two ids are one person; no text is moved; see `Registry.merge`.

        Args:
            keep: The id to keep.
            drop: The id to give up.
            dry_run: Only tell what would move.

        Returns:
            Both profiles, and what moved: `identity_map.link` undoes it.

        Raises:
            EthosMemoryError: When the map cannot be read or written.
            ValueError: When the two are the same.
        """
        return self._people().merge(keep, drop, dry_run=dry_run)

    def close(self) -> None:
        """Close all that was opened, whatever one of them raises; twice is fine."""
        with self._opening, ExitStack() as stack:
            for part in (self._root, self._sessions, self.identity_map, self.provider):
                if (close := getattr(part, "close", None)) is not None:
                    stack.callback(close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _learning_scope(self, turn: Turn) -> ScopeId | None:
        view = self.view(turn)
        return view.profile[0] if view.learn and view.profile else None

    def _people(self) -> Registry:
        from ethos_memory.person import Registry  # noqa: PLC0415, at first use

        has_sessions = self._sessions is not None or self._root is not None
        return Registry.of(
            self.provider,
            self.identity_map,
            sessions=self.sessions if has_sessions else None,
            home=None if self._root is None else self._root.path,
        )

    def _ran_shared(self, session_id: str) -> bool:
        # Most hosts keep conversations elsewhere: without a file nobody is asked.
        if self._is_own_store and not holds_sessions(self._root):
            return False
        try:
            return self.sessions.unsafe_everyone().get(session_id).was_shared
        except SessionNotFoundError:
            return False

    def _view(self, turn: Turn) -> View:
        """Say what a turn may see; mint its user id only where one is of use."""
        view = self.audience.view(turn)
        account = turn.account
        if turn.user_id is not None or account is None:
            return view
        if not view.learn or turn.surface not in _SURFACES_WITH_SENDERS:
            return view
        user_id = self.identity_map.resolve(
            account.platform, account.account_id, display_label=account.display_label
        )
        return self.audience.view(evolve(turn, user_id=user_id))


def _origin(turn: Turn, source: str) -> Origin:
    platform = "" if turn.account is None else turn.account.platform
    return Origin(source, turn.session_id, platform=platform)


def _writable_scope(view: View, key: str) -> ScopeId:
    """Return where a turn may write a page."""
    if key == "USER.md" and view.tools != "none" and view.profile:
        return view.profile[0]
    if key == "MEMORY.md" and view.tools == "all" and view.memory is not None:
        return view.memory
    raise NotPermittedError(f"this turn may not write {key}: {view.reason}")
