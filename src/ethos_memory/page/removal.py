"""Removing one entry, carefully: not too much, not too little, never nothing unsaid.

The update `Remove` drops every line that holds a substring. This is what a model or a
person is given instead (case B04): one whole entry goes, or nothing does and the answer
says why.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, Literal

from attrs import field, frozen

from ethos_memory.page.cut import cut
from ethos_memory.page.entries import entries
from ethos_memory.page.excision import Span, cut_out, without

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ethos_memory.page.entries import Entry

__all__ = ["Refusal", "Removal", "remove_entry"]

#: Most entries that a refusal lists; more help nobody to choose.
MAX_CANDIDATES: Final = 10

#: Most characters of each of them.
CANDIDATE_CHARS: Final = 200

_NEIGHBOURS: Final = "without it the lines around it would mean something else"

_MARKER: Final = re.compile(r"(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?")

#: A list marker by itself, a box that may be ticked included.
_ONLY_MARKER: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)])?\s*(?:\[[ xX]?\])?")

#: What people and models write in place of each other.
_ALIKE: Final = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("‘’‚‛`´′", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        "→": "->",
        "⇒": "=>",
        "←": "<-",
        "…": "...",
    }
)


@frozen
class Removal:
    """An entry went.

    Attributes:
        text: The page without it. Private: in no `repr`.
        removed: What went, byte for byte, one for each copy. Private.
        lines_removed: Lines that went, separators and blank ones not counted.
        spans: Where in the page everything stood that went, in order and apart:
            first code point, and one past the last.
    """

    text: str = field(repr=False)
    removed: tuple[str, ...] = field(repr=False)
    lines_removed: int = field(kw_only=True)
    spans: tuple[Span, ...] = field(kw_only=True)


@frozen
class Refusal:
    """Nothing was removed.

    Attributes:
        reason: ``needle`` (nothing to look for), ``nothing`` (no entry matches),
            ``ambiguous`` (several different entries match) or ``protected`` (what
            matches must not go by itself).
        message: One sentence for a model or a person; holds no remembered text.
        candidates: The entries that match, or those that nearly do; shortened, at
            most ten. Private: in no `repr`.
    """

    reason: Literal["needle", "nothing", "ambiguous", "protected"]
    message: str
    candidates: tuple[str, ...] = field(default=(), kw_only=True, repr=False)


def _plain(text: str) -> str:
    """Return the lines of a text, each trimmed, in composed characters."""
    composed = unicodedata.normalize("NFC", text)
    return "\n".join(line.strip() for line in re.split(r"\r\n?|\n", composed)).strip()


def _alike(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text.translate(_ALIKE)).casefold()
    return " ".join(folded.split())


def _unmarked(text: str) -> str:
    return _MARKER.sub("", text, count=1)


def _is_searchable(needle: str) -> bool:
    if _ONLY_MARKER.fullmatch(needle):
        return False
    categories = (unicodedata.category(character) for character in needle)
    return any(
        category[0] in "LN" or category in {"So", "Sc"} for category in categories
    )


@frozen
class _Looked:
    """An entry, prepared for comparing."""

    entry: Entry
    parents: tuple[Entry, ...]
    own: str = field(repr=False)
    whole: str = field(repr=False)

    @property
    def place(self) -> tuple[object, ...]:
        """What two copies of an entry have in common, besides their text."""
        items = [one.first_line for one in self.parents if one.kind == "item"]
        return (self.entry.headings, *items[-1:])

    def stands_under(self, name: str) -> bool:
        """Tell whether a heading or parent is called that."""
        parents = (_unmarked(_plain(parent.text)) for parent in self.parents)
        return name in {*map(_plain, self.entry.headings), *parents}


def _prepared(
    text: str, entries: Iterable[Entry], parents: tuple[Entry, ...] = ()
) -> Iterator[_Looked]:
    for entry in entries:
        whole = _plain(text[entry.start : entry.end])
        yield _Looked(entry, parents, _plain(entry.text), whole)
        yield from _prepared(text, entry.children, (*parents, entry))


def _innermost(found: Sequence[_Looked]) -> list[_Looked]:
    """Drop the entries that hold another one of those found."""
    outer = {id(parent) for one in found for parent in one.parents}
    return [one for one in found if id(one.entry) not in outer]


def _matching(looked: Sequence[_Looked], needle: str) -> list[_Looked]:
    """Return the entries that a needle means.

    The closest kind of match decides: the whole entry, the entry without its list
    marker, a part of it, a part that reaches into nested entries.
    """
    bare = _unmarked(needle)
    kinds: tuple[Callable[[_Looked], bool], ...] = (
        lambda one: needle in (one.own, one.whole),
        lambda one: bare in (_unmarked(one.own), _unmarked(one.whole)),
        lambda one: needle in one.own,
    )
    for matches in kinds:
        if found := [one for one in looked if matches(one)]:
            return found
    return _innermost([one for one in looked if needle in one.whole])


def _nearly(looked: Sequence[_Looked], needle: str) -> list[_Looked]:
    """Return the entries that match but for dashes, quotes, case and spacing."""
    alike = _alike(_unmarked(needle))
    return _innermost([one for one in looked if alike in _alike(one.whole)])


def _shown(found: Iterable[_Looked]) -> tuple[str, ...]:
    texts = dict.fromkeys(one.whole for one in found)
    return tuple(cut(text, CANDIDATE_CHARS) for text in texts)[:MAX_CANDIDATES]


def _refusal(looked: Sequence[_Looked], needle: str) -> Refusal:
    near = _nearly(looked, needle)
    hint = " Some differ only in dashes, quotes, case or spacing." if near else ""
    return Refusal(
        "nothing",
        f"Nothing was removed: no entry matches.{hint}",
        candidates=_shown(near),
    )


def _removal(
    text: str, tops: Sequence[Entry], found: Sequence[Entry]
) -> Removal | None:
    spans = without(text, tops, found)
    if spans is None:
        return None
    return Removal(
        cut_out(text, spans),
        tuple(text[entry.start : entry.end] for entry in found),
        lines_removed=sum(one.last_line - one.first_line + 1 for one in found),
        spans=spans,
    )


def remove_entry(
    text: str, needle: str, *, under: str | None = None
) -> Removal | Refusal:
    """Take one entry out of a page, with everything nested in it.

    A needle that is a whole entry, with or without its list marker, means that entry;
    otherwise the one entry that holds it. Copies of the same entry in the same place
    go together. Case counts; how an accented letter is encoded does not.

    Args:
        text: The whole page.
        needle: What to look for; no pattern.
        under: A heading, or the parent of a nested entry, that the entry must stand
            under: for an entry that occurs in two places.

    Returns:
        A `Removal`, or a `Refusal` when it is not clear what should go. Lines that
        stay keep their bytes.
    """
    sought = _plain(needle)
    if not _is_searchable(sought):
        return Refusal("needle", "The text to remove is empty or only a marker.")
    tops = entries(text)
    looked = list(_prepared(text, tops))
    if under is not None:
        name = _unmarked(_plain(under).lstrip("#").strip())
        looked = [one for one in looked if one.stands_under(name)]
    found = _matching(looked, sought)
    if not found:
        return _refusal(looked, sought)
    free = [one for one in found if not one.entry.protected]
    if not free:
        return Refusal("protected", f"Nothing was removed: {found[0].entry.protected}.")
    if len({(one.whole, one.place) for one in free}) > 1:
        message = "Nothing was removed: several different entries match."
        return Refusal("ambiguous", message, candidates=_shown(free))
    removal = _removal(text, tops, [one.entry for one in free])
    return removal or Refusal("protected", f"Nothing was removed: {_NEIGHBOURS}.")
