"""Which conversations come first in a list (pure).

A store says which sessions there are and which of their messages hold each word. What
that is worth is the same whatever keeps them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from attrs import evolve, frozen

from ethos_memory.words.bm25 import K1, norm_of, weight_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ethos_memory.sessions.cursor import Place
    from ethos_memory.sessions.wanted import Wanted

__all__ = ["TITLE_WEIGHT", "Candidate", "Holders", "listed"]

#: A word in a title weighs as much as in this many messages.
TITLE_WEIGHT: Final = 3

#: How much the best single message weighs beside the session as a whole: an answer
#: often stands in one message of a long talk about other things. Tuned on LoCoMo and
#: on generated sets (`tests/bench/bench_sessions.py`), where 0.5 to 2 are alike.
_MESSAGE_WEIGHT: Final = 1.0

#: Word by word, the session and number of each message that holds it. A title counts
#: as `TITLE_WEIGHT` messages, all of the number 0.
Holders: TypeAlias = "Mapping[tuple[str, ...], Sequence[tuple[str, int]]]"


@frozen
class Candidate:
    """One session on its way into a list; the largest of these stands first.

    Attributes:
        group: The coarse order: pinned or not, all words or any.
        rank: The order within a group.
        seq: The session's number, which settles ties.
        id: The session.
    """

    group: int
    rank: float
    seq: int
    id: str

    def order(self) -> tuple[int, float, int]:
        """Return what candidates are compared by."""
        return (self.group, self.rank, self.seq)

    def place(self, state: Place) -> Place:
        """Return where a list is left behind this one, which shows some state."""
        return evolve(state, group=self.group, rank=self.rank, seq=self.seq)


def listed(
    rows: Sequence[tuple[Any, ...]],
    wanted: Wanted,
    find: Callable[[Wanted], Holders],
    *,
    state: Place,
    after: Place | None,
) -> list[Candidate]:
    """Return what is left of a list, in its order, the first one first.

    Args:
        rows: Every session that may be in it: number, id, whether it is pinned, last
            message, length.
        wanted: What was asked for; when nothing was, all are listed.
        find: Returns what holds each of the words in `Wanted.sought`, in this order.
        state: Of the store, as the list shows it.
        after: Where the list was left; `None` for all of it.
    """
    found = []
    if not wanted:
        found = [Candidate(pinned, last, seq, id) for seq, id, pinned, last, *_ in rows]
    for asked in wanted.readings() if wanted else ():
        found = _ranked(rows, asked, find(asked), state.newest_message)
        if found:
            break
    if after is not None:
        passed = (after.group, after.rank, after.seq)
        found = [candidate for candidate in found if candidate.order() < passed]
    return sorted(found, key=Candidate.order, reverse=True)


def _ranked(
    rows: Sequence[tuple[Any, ...]],
    wanted: Wanted,
    holders: Holders,
    newest_message: int,
) -> list[Candidate]:
    """Score sessions that hold every phrase, and any word, over those rows alone.

    Each by BM25 as one text, and by the words that its best message holds together.
    """
    seqs = {id: seq for seq, id, *_ in rows}
    mean = sum(row[4] for row in rows) / max(1, len(rows)) or 1.0
    norms = {row[1]: norm_of(row[4], mean) for row in rows}
    scores: defaultdict[str, float] = defaultdict(float)
    held: Counter[str] = Counter()
    must = set(seqs)
    for word, found in holders.items():
        counts = Counter(id for id, _ in found if id in seqs)
        weight = weight_of(len(counts), len(rows))
        for id, count in counts.items():
            scores[id] += weight * count * (K1 + 1) / (count + norms[id])
            held[id] += word in wanted.units
        if word in wanted.phrases:
            must &= set(counts)
    best = _best_messages(holders, newest_message)
    return [
        Candidate(
            held[id] == len(wanted.units),
            score + _MESSAGE_WEIGHT * best[id],
            seqs[id],
            id,
        )
        for id, score in scores.items()
        if id in must
    ]


def _best_messages(holders: Holders, newest_message: int) -> dict[str, float]:
    """Return, for each session, what the words of its best message weigh together."""
    together: defaultdict[tuple[str, int], float] = defaultdict(float)
    for found in holders.values():
        weight = weight_of(len(found), newest_message)
        for holder in set(found):
            together[holder] += weight
    best: dict[str, float] = {}
    for (id, _), weight in together.items():
        best[id] = max(weight, best.get(id, 0.0))
    return best
