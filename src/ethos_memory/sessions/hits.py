"""A message that a search found, as its caller is shown it (pure)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ethos_memory.sessions.encoding import moment
from ethos_memory.sessions.record import MessageHit
from ethos_memory.sessions.wanted import locate
from ethos_memory.words import snippet

if TYPE_CHECKING:
    from ethos_memory.sessions.wanted import Wanted

__all__ = ["HALF", "message_hit"]

#: What holds every word scores above this, everything else at most this.
HALF: Final = 0.5

#: A score is a share of the best hit's, to this many digits. BM25's own figure would
#: tell how frequent a word is in conversations that the caller may not see.
_SCORE_DIGITS: Final = 3


def message_hit(
    ids: tuple[str, str], content: str, *, at: int, wanted: Wanted, score: float
) -> MessageHit:
    """Return a message as a hit.

    Args:
        ids: Its session's and its own.
        content: What was said.
        at: When, in microseconds.
        wanted: What was asked for.
        score: From 0 to 1; see `HALF`.
    """
    session_id, message_id = ids
    start, end = locate(content, wanted)
    return MessageHit(
        session_id,
        message_id,
        snippet=snippet(content, start, end),
        score=round(score, _SCORE_DIGITS),
        at=moment(at),
    )
