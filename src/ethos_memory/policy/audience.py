"""What a turn may see: DESIGN section 8's table as rows, and the look-up over them.

Every turn has one place and one speaker, and those two name one row. What is not
known counts as the stricter case: an unknown surface is a shared room, an unknown
sender is somebody else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from attrs import Factory, field, frozen

from ethos_memory.errors import InvalidAccountError
from ethos_memory.scope import ScopeId
from ethos_memory.turn import Account

if TYPE_CHECKING:
    from ethos_memory.turn import Turn

__all__ = ["AudiencePolicy", "Tools", "View"]

#: Which memory tools an agent is offered.
Tools: TypeAlias = Literal["all", "profile", "none"]


@frozen
class View:
    """What one turn may see, write and teach.

    Attributes:
        memory: The scope whose ``MEMORY.md`` is shown and written, or `None`.
        profile: The scopes whose ``USER.md`` may be shown, in order: the first that is
            not blank is shown, and writes and learning go to the first. Empty when the
            turn names nobody; then there is nowhere to write or learn.
        tools: ``"all"``, ``"profile"`` (the profile alone) or ``"none"``.
        learn: Whether what is said may be learned.
        reason: One sentence for a log. Holds no id.
    """

    memory: ScopeId | None
    profile: tuple[ScopeId, ...]
    tools: Tools = field(kw_only=True)
    learn: bool = field(kw_only=True)
    reason: str = field(kw_only=True)


class _Place(Enum):
    DIRECT = "direct"
    ROOM = "a private room"
    SHARED = "shared"
    WEB = "web"
    CLI = "cli"
    PHONE = "phone"


class _Speaker(Enum):
    OWNER = "owner"
    OTHER = "other"


class _Profile(Enum):
    USER = "the speaker's own"
    COPY = "the personality's copy"


@frozen
class _Row:
    memory: bool
    profile: tuple[_Profile, ...]
    tools: Tools = field(kw_only=True)
    learn: bool = field(kw_only=True)
    reason: str = field(kw_only=True)


_OWN: Final = (_Profile.USER,)
_OWN_THEN_COPY: Final = (_Profile.USER, _Profile.COPY)
_COPY: Final = (_Profile.COPY,)

_NOTHING: Final = _Row(
    memory=False,
    profile=(),
    tools="none",
    learn=False,
    reason="Others read along, or might: nothing private is shown.",
)
_WEB: Final = _Row(
    memory=True,
    profile=_OWN_THEN_COPY,
    tools="all",
    learn=True,
    reason="The web chat sees the personality's memory.",
)
_CLI: Final = _Row(
    memory=True,
    profile=_COPY,
    tools="all",
    learn=True,
    reason="The command line sees the personality's memory and its copy.",
)
_PHONE: Final = _Row(
    memory=False,
    profile=_COPY,
    tools="none",
    learn=False,
    reason="A phone call sees the personality's copy alone.",
)

#: DESIGN section 8. Every pair stands here, so the look-up cannot miss.
_TABLE: Final[Mapping[tuple[_Place, _Speaker], _Row]] = MappingProxyType(
    {
        (_Place.DIRECT, _Speaker.OWNER): _Row(
            memory=True,
            profile=_OWN_THEN_COPY,
            tools="all",
            learn=True,
            reason="The owner speaks directly, or the platform has no owner.",
        ),
        (_Place.DIRECT, _Speaker.OTHER): _Row(
            memory=False,
            profile=_OWN,
            tools="profile",
            learn=True,
            reason="Somebody else speaks directly: their own profile alone.",
        ),
        (_Place.ROOM, _Speaker.OWNER): _Row(
            memory=True,
            profile=_OWN_THEN_COPY,
            tools="all",
            learn=True,
            reason="The owner speaks in a room that is listed as private.",
        ),
        (_Place.ROOM, _Speaker.OTHER): _Row(
            memory=True,
            profile=_OWN,
            tools="all",
            learn=True,
            reason="Somebody else speaks in a room that is listed as private.",
        ),
        (_Place.SHARED, _Speaker.OWNER): _NOTHING,
        (_Place.SHARED, _Speaker.OTHER): _NOTHING,
        (_Place.WEB, _Speaker.OWNER): _WEB,
        (_Place.WEB, _Speaker.OTHER): _WEB,
        (_Place.CLI, _Speaker.OWNER): _CLI,
        (_Place.CLI, _Speaker.OTHER): _CLI,
        (_Place.PHONE, _Speaker.OWNER): _PHONE,
        (_Place.PHONE, _Speaker.OTHER): _PHONE,
    }
)

#: Where a surface is; a group is decided by its chat id, and any other text is shared.
_PLACES: Final[Mapping[str, _Place]] = MappingProxyType(
    {
        "direct": _Place.DIRECT,
        "web": _Place.WEB,
        "cli": _Place.CLI,
        "phone": _Place.PHONE,
    }
)


def _by_platform(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    """Fold the platform names; two that fold alike would hide one setting."""
    folded: dict[str, object] = {}
    for name, value in pairs:
        # An `Account` is the one place that knows what a platform's name may be.
        platform = Account(name, "any").platform
        if platform in folded:
            raise InvalidAccountError(platform, "the platform is named twice")
        folded[platform] = value
    return folded


def _owners(value: object) -> Mapping[str, str]:
    if not isinstance(value, Mapping):
        msg = f"owners must be a mapping, not {type(value).__name__}"
        raise TypeError(msg)
    return MappingProxyType(
        {
            platform: "" if owner == "" else Account(platform, owner).account_id  # type: ignore[arg-type]  # checked by Account
            for platform, owner in _by_platform(value.items()).items()
        }
    )


def _chat_ids(platform: str, chats: object) -> frozenset[str]:
    # One text is iterable as well, and each of its characters would become a room.
    if isinstance(chats, str | bytes) or not isinstance(chats, Iterable):
        msg = f"private_chats must hold collections, not {type(chats).__name__}"
        raise TypeError(msg)
    return frozenset(Account(platform, chat).account_id for chat in chats)


def _private_chats(value: object) -> Mapping[str, frozenset[str]]:
    if not isinstance(value, Mapping):
        msg = f"private_chats must be a mapping, not {type(value).__name__}"
        raise TypeError(msg)
    return MappingProxyType(
        {
            platform: _chat_ids(platform, chats)
            for platform, chats in _by_platform(value.items()).items()
        }
    )


@frozen
class AudiencePolicy:
    """Who may see what. Pure: asks neither disk, clock nor identity map.

    Attributes:
        owners: The owner's account id on each platform. ``""`` matches nobody, and
            the platform still counts as one with an owner (a public bot).
        private_chats: The rooms on each platform whose members may all read the
            personality's memory.

    Platform names fold to lower case. Ids are texts or whole numbers, kept as text
    and compared exactly.

    Raises:
        InvalidAccountError: When a name or id is empty, padded or holds a control
            character, or two platform names differ in case alone.
        TypeError: When a part is of another type.
    """

    owners: Mapping[str, str] = field(
        default=Factory(dict), converter=_owners, repr=False
    )
    private_chats: Mapping[str, frozenset[str]] = field(
        default=Factory(dict), converter=_private_chats, repr=False
    )

    def view(self, turn: Turn) -> View:
        """Look a turn up in the table of DESIGN section 8.

        Args:
            turn: With the resolved `user_id` in it: an account alone names no scope.

        Returns:
            What the turn may see. Total: every turn has a row.
        """
        row = _TABLE[self._place(turn), self._speaker(turn)]
        personality = ScopeId.personality(turn.personality)
        scopes = {
            _Profile.USER: None if turn.user_id is None else ScopeId.user(turn.user_id),
            _Profile.COPY: personality,
        }
        named = (scopes[profile] for profile in row.profile)
        return View(
            personality if row.memory else None,
            tuple(scope for scope in named if scope is not None),
            tools=row.tools,
            learn=row.learn,
            reason=row.reason,
        )

    def _place(self, turn: Turn) -> _Place:
        if turn.was_shared:
            return _Place.SHARED
        if turn.surface == "group" and self._is_private_room(turn):
            return _Place.ROOM
        return _PLACES.get(turn.surface, _Place.SHARED)

    def _is_private_room(self, turn: Turn) -> bool:
        # Without an account the platform is unknown, and a chat id alone is no room's.
        return turn.account is not None and turn.chat_id in self.private_chats.get(
            turn.account.platform, ()
        )

    def _speaker(self, turn: Turn) -> _Speaker:
        if turn.account is None:
            return _Speaker.OTHER
        owner = self.owners.get(turn.account.platform)
        if owner is None or owner == turn.account.account_id:
            return _Speaker.OWNER
        return _Speaker.OTHER
