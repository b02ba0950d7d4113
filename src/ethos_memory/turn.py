"""One message and its circumstances: who speaks, where, and to which personality."""

from __future__ import annotations

import unicodedata
from typing import Final

from attrs import field, frozen
from attrs.converters import optional

from ethos_memory.errors import InvalidAccountError
from ethos_memory.scope import ScopeId, plain_text

__all__ = ["SURFACES", "Account", "Turn"]

#: Where a message can come from. Any other text means "group", the strictest.
SURFACES: Final = ("direct", "group", "web", "cli", "phone")

#: Longest account id in characters. The longest in use are Matrix ids (255).
MAX_ACCOUNT_LENGTH: Final = 512

#: Control characters, surrogates and unassigned code points: never part of an id.
_UNPRINTABLE: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})


def _id_text(value: object, *, what: str) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        msg = f"{what} must be text or a whole number, not {type(value).__name__}"
        raise TypeError(msg)
    return (
        int.__repr__(value) if isinstance(value, int) else plain_text(value, what=what)
    )


def _checked(text: str, *, what: str) -> str:
    if not text or text != text.strip():
        raise InvalidAccountError(text, f"the {what} is empty or padded")
    if len(text) > MAX_ACCOUNT_LENGTH:
        raise InvalidAccountError(
            text, f"the {what} is longer than {MAX_ACCOUNT_LENGTH} characters"
        )
    if any(unicodedata.category(character) in _UNPRINTABLE for character in text):
        raise InvalidAccountError(text, f"the {what} holds a control character")
    return text


def _platform(value: str) -> str:
    return _checked(plain_text(value, what="platform"), what="platform").lower()


def _account_id(value: str | int) -> str:
    return _checked(_id_text(value, what="account id"), what="account id")


def _chat_id(value: str | int) -> str:
    return _id_text(value, what="chat id")


def _session_id(value: str) -> str:
    return plain_text(value, what="session id")


def _personality(value: str) -> str:
    return ScopeId("personality", plain_text(value, what="personality")).id


def _user_id(value: str) -> str:
    return ScopeId("user", plain_text(value, what="user id")).id


def _surface(value: str | None) -> str:
    # Our own text is taken, never the caller's: a subclass may change its mind.
    return next((known for known in SURFACES if known == value), "group")


def _label(value: str) -> str:
    return plain_text(value, what="display label")


@frozen
class Account:
    """One login on one platform.

    Attributes:
        platform: Folded to lower case; padding is refused.
        account_id: The platform's own id, a number or text, kept as text and compared
            exactly. Private: in no `repr`.
        display_label: What the platform shows for the account, if anything.

    Raises:
        InvalidAccountError: When a part is empty, padded, too long or holds a control
            character.
        TypeError: When a part is neither text nor a whole number.
    """

    platform: str = field(converter=_platform)
    account_id: str = field(converter=_account_id, repr=False)
    display_label: str | None = field(
        default=None, converter=optional(_label), kw_only=True, eq=False, repr=False
    )


@frozen
class Turn:
    """One message and its circumstances. All ids come from the host, never a model.

    Attributes:
        personality: The role that is spoken to.
        surface: One of `SURFACES`; anything else becomes ``"group"``.
        account: Who speaks, as the platform knows them.
        user_id: Who speaks, when the host knows. It names the scope; the account alone
            decides ownership.
        chat_id: The room, a number or text; a thread passes its parent's.
        session_id: The conversation, if the host keeps one.
        was_shared: Whether the session ever ran where others could read it.

    Raises:
        InvalidScopeError: When the personality or user id is outside the grammar.
        TypeError: When an id is of another type.
    """

    personality: str = field(converter=_personality)
    surface: str = field(converter=_surface)
    account: Account | None = field(default=None, kw_only=True)
    user_id: str | None = field(
        default=None, converter=optional(_user_id), kw_only=True
    )
    chat_id: str = field(default="", converter=_chat_id, kw_only=True, repr=False)
    session_id: str = field(default="", converter=_session_id, kw_only=True)
    was_shared: bool = field(default=False, converter=bool, kw_only=True)
