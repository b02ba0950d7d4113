"""Whose turn a session of the host is: what it says of a chat, and what that is worth.

The host keeps what a turn was shown in the transcript. So a chat counts as direct, or a
listed room as one person's session, only where nobody else reads or writes in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ethos_memory.turn import Account, Turn

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["turn_of"]

#: Platforms of the host that are the operator's own machine. No other is trusted for
#: what it does not say.
_LOCAL: Final = frozenset({"acp", "cli", "desktop", "tui"})

#: What the host calls a direct chat on these platforms may be several people's: a group
#: of people on Slack (its id begins with C or G, a direct one with D), whatever Teams
#: gives no kind for (what begins with 19: is a group), and all who reach a topic of ntfy
#: or the bridge of Raft, whose one user stands for everybody.
_ALONE: Final[Mapping[str, re.Pattern[str]]] = {
    "slack": re.compile(r"D."),
    "teams": re.compile(r"(?!19:)."),
    "ntfy": re.compile(r"(?!)"),
    "raft": re.compile(r"(?!)"),
}
_ANYWHERE: Final = re.compile("")

#: The host knows people there by a name that whoever is first may take.
_UNPROVEN: Final = frozenset({"irc"})

#: The host itself speaks, into a chat whose kind it only supposes.
_NOBODY: Final = "system:"


def turn_of(session_id: str, said: Mapping[str, Any], personality: str) -> Turn:
    """Make the turn of what the host says; what it leaves out opens nothing.

    Args:
        session_id: The host's.
        said: What its `initialize` was told.
        personality: Instead of the host's profile; ``""`` for the profile.

    Raises:
        InvalidNameError: When there is no personality, or an id is no id.
        TypeError: When one is neither text nor a whole number.
    """
    platform, who = said.get("platform"), said.get("user_id") or said.get("user_id_alt")
    account = None
    if platform and who:
        account = Account(platform, who, display_label=said.get("user_name"))
    if account is not None and account.platform in _UNPROVEN:
        account = None
    surface = "direct" if _is_direct(said, account) else "group"
    if account is None and not said.get("chat_type") and platform in _LOCAL:
        surface = "cli"
    return Turn(
        personality or said.get("agent_identity") or "",
        surface,
        account=account,
        chat_id=said.get("chat_id") or "",
        session_id=session_id or "",
        was_shared=surface == "group" and not _has_own_session(said),
    )


def _is_direct(said: Mapping[str, Any], account: Account | None) -> bool:
    if said.get("chat_type") != "dm":
        return False
    # Without an account there is nothing to show.
    if account is None:
        return True
    alone = _ALONE.get(account.platform, _ANYWHERE)
    is_somebody = not account.account_id.startswith(_NOBODY)
    return is_somebody and alone.match(str(said.get("chat_id") or "")) is not None


def _has_own_session(said: Mapping[str, Any]) -> bool:
    """Tell whether the host keeps a session in a room for each who speaks there.

    Its name ends with the room, the thread if there is one, and then the speaker.
    """
    name = str(said.get("gateway_session_key") or "")
    who = str(said.get("user_id_alt") or said.get("user_id") or "")
    place = [str(said[part]) for part in ("chat_id", "thread_id") if said.get(part)]
    # On WhatsApp the host leaves the server out.
    people = {who, who.partition("@")[0]} - {""}
    return any(name.endswith(":".join(("", *place, one))) for one in people)
