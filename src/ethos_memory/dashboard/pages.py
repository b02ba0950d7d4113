"""The two pages that a dashboard shows, edits and saves.

The scope is derived from the call, and the audience's table says who may have it: a
page that is somebody else's is refused in the same words as one that is not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from attrs import evolve, field, frozen

from ethos_memory.entry import Origin, Replace
from ethos_memory.errors import NotPermittedError
from ethos_memory.scope import ScopeId
from ethos_memory.turn import Turn

if TYPE_CHECKING:
    from ethos_memory.identity_map import KnownAccount
    from ethos_memory.memory import Memory
    from ethos_memory.policy import AudiencePolicy, View
    from ethos_memory.verdict import Finding

__all__ = ["Asker", "DashboardMemory", "KnownUser", "MemoryPage", "Store"]

#: ``memory`` is the personality's ``MEMORY.md``; ``user`` is a ``USER.md``.
Store: TypeAlias = Literal["memory", "user"]
_KEYS: Final[dict[Store, str]] = {"memory": "MEMORY.md", "user": "USER.md"}

#: A person at an editor: stored and reported, never refused.
_ORIGIN: Final = Origin("web-editor")


@frozen
class MemoryPage:
    """One page as it is. A page that is not there is an empty one.

    Attributes:
        store: ``memory`` or ``user``.
        content: Its markdown. Private: in no `repr`.
        revision: For `DashboardMemory.write`; ``""`` when there is no page.
        modified_at: ISO 8601 in UTC; `None` when there is no page.
        findings: What the guard says of the content. After a write also which
            credentials were replaced, at their places in the text that was given.
    """

    store: Store
    content: str = field(repr=False)
    revision: str = field(kw_only=True)
    modified_at: str | None = field(kw_only=True)
    findings: tuple[Finding, ...] = field(kw_only=True)


@frozen
class KnownUser:
    """One account of a user, without the account's id.

    Attributes:
        user_id: Whose it is; a user with two accounts is listed twice.
        display_label: What the platform showed, redacted. Private.
        platform: Such as ``telegram``.
        first_seen_at: ISO 8601 in UTC; `None` when nobody knows.
    """

    user_id: str
    display_label: str = field(repr=False)
    platform: str = field(kw_only=True)
    first_seen_at: str | None = field(kw_only=True)


@frozen
class Asker:
    """Who is asking, as the audience knows people.

    Attributes:
        surface: Of the turn that stands for the asking: ``web`` or ``group``.
        user_id: The person; `None` for a room.
    """

    surface: str
    user_id: str | None

    def view(self, audience: AudiencePolicy, personality: ScopeId) -> View:
        """Return what the asker may see of a personality and of themselves."""
        return audience.view(Turn(personality.id, self.surface, user_id=self.user_id))


class DashboardMemory:
    """Reads and writes the two pages, for whoever is asking.

    Args:
        memory: An open home.
        asker: Who is asking; without one nothing is out of reach.
    """

    def __init__(self, memory: Memory, *, asker: Asker | None = None) -> None:
        self._memory = memory
        self._asker = asker

    def get(
        self, store: Store, personality_id: str, *, user_id: str | None = None
    ) -> MemoryPage:
        """Return a page as it is, for a person.

        Args:
            store: ``memory`` or ``user``.
            personality_id: Whose pages. Required: every personality has its own.
            user_id: With ``user``: this person's profile instead of the
                personality's copy.

        Raises:
            InvalidScopeError: When an id is outside the grammar.
            NotPermittedError: When the page is not the asker's to see.
            ValueError: When there is no such store.
            EthosMemoryError: When the page cannot be read.
        """
        kind = _known(store)
        return self._read(kind, self._scope(kind, personality_id, user_id))

    def write(
        self,
        store: Store,
        personality_id: str,
        *,
        content: str,
        user_id: str | None = None,
        if_revision: str | None = None,
    ) -> MemoryPage:
        """Put a text in place of a page. The next turn of an agent sees it.

        A person writes, so nothing is refused for what it says; credentials are
        replaced by markers all the same. An earlier state stays in the history.

        Args:
            store: As for `get`.
            personality_id: As for `get`.
            content: The whole new text; trimmed, with one line feed at its end.
            user_id: As for `get`.
            if_revision: `MemoryPage.revision` of the text that was edited. Without
                it whatever was written meanwhile is overwritten.

        Returns:
            The page as it is now.

        Raises:
            RevisionConflictError: When the page is another one by now; it carries the
                current text and revision, and nothing was written.
            NotPermittedError: When the page is not the asker's to change.
            EthosMemoryError: And what else `get` raises.
        """
        kind = _known(store)
        scope = self._scope(kind, personality_id, user_id, is_write=True)
        update = Replace(_KEYS[kind], content, if_revision=if_revision)
        report = self._memory.provider.sync(scope, [update], origin=_ORIGIN)
        replaced = (one for one in report.findings if one.action == "redact")
        page = self._read(kind, scope)
        return evolve(page, findings=(*replaced, *page.findings))

    def list(
        self, personality_id: str, *, user_id: str | None = None
    ) -> tuple[MemoryPage, ...]:
        """Return both pages, ``memory`` first; see `get`."""
        return tuple(
            self.get(store, personality_id, user_id=user_id) for store in _KEYS
        )

    def list_users(self) -> tuple[KnownUser, ...]:
        """Return who is known, in the order they came: the asker, or everybody.

        Raises:
            CorruptFileError: When the identity map cannot be read.
        """
        known = self._memory.identity_map.accounts()
        if self._asker is not None:
            own = self._asker.user_id
            known = tuple(account for account in known if account.user_id == own)
        return tuple(_user(account) for account in known)

    def _scope(
        self,
        store: Store,
        personality_id: str,
        user_id: str | None,
        *,
        is_write: bool = False,
    ) -> ScopeId:
        """Derive the scope from the call, and let the audience decide on it."""
        scope = personality = ScopeId.personality(personality_id)
        if store == "user" and user_id is not None:
            scope = ScopeId.user(user_id)
        if self._asker is None:
            return scope
        view = self._asker.view(self._memory.audience, personality)
        if scope not in ((view.memory,) if store == "memory" else view.profile):
            raise NotPermittedError("that page is not this owner's to see")
        if is_write and view.tools != "all":
            raise NotPermittedError("that page is not this owner's to change")
        return scope

    def _read(self, store: Store, scope: ScopeId) -> MemoryPage:
        entry = self._memory.provider.unsafe_read(scope, _KEYS[store])
        if entry is None:
            return MemoryPage(store, "", revision="", modified_at=None, findings=())
        return MemoryPage(
            store,
            entry.content,
            revision=entry.revision,
            modified_at=entry.updated_at.isoformat(),
            findings=entry.findings,
        )


def _known(store: Store) -> Store:
    # Our own text is taken, never the caller's: a subclass may change its mind.
    for known in _KEYS:
        if known == store:
            return known
    msg = "a store is 'memory' or 'user'"
    raise ValueError(msg)


def _user(known: KnownAccount) -> KnownUser:
    seen = known.first_seen_at
    return KnownUser(
        known.user_id,
        known.account.display_label or "",
        platform=known.account.platform,
        first_seen_at=None if seen is None else seen.isoformat(),
    )
