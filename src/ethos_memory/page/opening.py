"""What a page begins with: a byte-order mark, front matter, a first paragraph."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ethos_memory.page.cut import cut

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FrontMatter", "front_matter", "summary"]

#: Largest front matter that is read, in characters. The largest one among 145 public
#: vault notes has under 1,000.
MAX_FRONT_MATTER: Final = 16_384

#: Deepest nesting that is read; a list in a field is two.
_DEEPEST: Final = 16

#: Longest summary in characters: two lines of a list.
SUMMARY_CHARS: Final = 200

_MARK: Final = "\ufeff"

_LINE_END: Final = re.compile(r"\r\n?|\n")

#: A first line of three dashes, up to the next one or a line of three dots.
_FRONT: Final = re.compile(
    rf"---[ \t]*\r?\n((?:(?!(?:---|\.\.\.)[ \t]*\r?$).*\n){{0,{MAX_FRONT_MATTER}}})"
    r"(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)",
    re.MULTILINE,
)

#: Lines that are not blank, whatever ends them.
_PARAGRAPH: Final = re.compile(r"\S[^\r\n]*(?:(?:\r\n?|\n)[^\S\r\n]*\S[^\r\n]*)*")


@frozen
class FrontMatter:
    """The fields at the head of a page.

    Attributes:
        fields: What they say, as YAML has it. Private: in no `repr`.
        start: First code point of the opening line; 1 behind a byte-order mark.
        end: First code point of the text behind it.
    """

    fields: Mapping[str, object] = field(repr=False)
    start: int = field(kw_only=True)
    end: int = field(kw_only=True)


def _loaded(source: str) -> Any:
    """Read YAML without aliases and deep nesting; `None` when it is none.

    An explicit tag makes PyYAML's constructors raise nearly anything, hence the wide
    net. Its time grows with the square of the nesting: 16,384 brackets take minutes.
    """
    # Front matter is rare, and PyYAML takes longer to import than all of the rest.
    import yaml  # noqa: PLC0415

    depth = 0
    try:
        for event in yaml.parse(source, Loader=yaml.SafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST or getattr(event, "anchor", None) is not None:
                return None
        return yaml.safe_load(source)
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
        yaml.YAMLError,
    ):
        return None


def front_matter(text: str) -> FrontMatter | None:
    """Read the fields at the head of a page.

    A byte-order mark and CRLF are no obstacle (case B07). Anchors and aliases are
    refused: a few lines of them stand for gigabytes.

    Args:
        text: The whole page.

    Returns:
        The fields, `None` when there are none or what stands there is malformed, no
        mapping or over 16,384 characters. Then it is text like any other.
    """
    start = 1 if text.startswith(_MARK) else 0
    if not text.startswith("---", start):
        return None
    match = _FRONT.match(text, start)
    if match is None or len(match[1]) > MAX_FRONT_MATTER:
        return None
    loaded = _loaded(match[1])
    if loaded is None and not match[1].strip():
        loaded = {}
    if not isinstance(loaded, dict) or not all(isinstance(key, str) for key in loaded):
        return None
    return FrontMatter(loaded, start=start, end=match.end())


def summary(text: str) -> str:
    """Return the first paragraph of a page, for a list.

    Args:
        text: The whole page.

    Returns:
        The first lines that are not blank, behind a byte-order mark and front matter,
        with their line ends as LF; at most 200 characters, cut between
        user-perceived characters. Empty when the page is blank.
    """
    found = front_matter(text)
    body = text[found.end :] if found else text.removeprefix(_MARK)
    first = _PARAGRAPH.search(body)
    if first is None:
        return ""
    lines = [line.strip() for line in _LINE_END.split(first[0])]
    return cut("\n".join(lines), SUMMARY_CHARS).rstrip()
