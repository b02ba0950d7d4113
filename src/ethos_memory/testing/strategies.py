"""Hypothesis strategies for names and text, for tests of anything that takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypothesis import strategies as st

from ethos_memory.entry import Add, Delete, Remove, Replace
from ethos_memory.testing.hostile import HOSTILE_IDS, HOSTILE_KEYS, HOSTILE_TEXTS

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from ethos_memory.entry import Update

__all__ = ["hostile_ids", "hostile_keys", "hostile_text", "page_text", "updates"]

#: Pieces that hostile names are made of.
_PIECES: Final = (
    *(
        "a",
        "B",
        "MEMORY",
        ".md",
        ".",
        "..",
        "/",
        "\\",
        "\0",
        "\n",
        " ",
        "%2e",
        "~",
        ":",
    ),
    *("-", "_", "CON", "nul", "COM¹", "．", "／", "ſ", "а", "\u202e", "\udcff", "é"),
    *("e\u0301", "x" * 64, "😀", "C:", "users", "personality"),
)

#: Words of several scripts, by which pages can be found and lines removed.
_WORDS: Final = (
    *("bees", "tea", "roof", "Monday", "zebra", "42", "C++", "a_b", "don't", "café"),
    *("naïve", "項目", "会議", "회의", "שלום", "🎉", "👩🏽\u200d💻", "x%y", "path/to"),
)

#: What stands between the words of a page.
_JOINTS: Final = (" ", " ", "\n", "\n- ", "\n\n", "\r\n", "\t", " \n", "\u2028", ", ")

#: Characters that a page may hold, and programs stumble over.
_ODD: Final = ("\0", "\ufeff", "\u00a0", "\x1c", "\x85", "\ud800", "\r", "e\u0301", "§")


def _names(known: tuple[str, ...]) -> SearchStrategy[str]:
    pieces = st.lists(st.sampled_from(_PIECES), max_size=5).map("".join)
    return st.sampled_from(known) | pieces | st.text(max_size=8)


def hostile_ids() -> SearchStrategy[str]:
    """Return a strategy of texts for the id of a scope.

    Most are outside the grammar. Some are inside it, so that a test also sees that
    nothing is altered into acceptance.
    """
    return _names(HOSTILE_IDS)


def hostile_keys() -> SearchStrategy[str]:
    """Return a strategy of texts for the name of a page; most are none."""
    return _names(HOSTILE_KEYS) | st.from_regex(
        r"[A-Za-z0-9_]{1,5}\.md", fullmatch=True
    )


def hostile_text() -> SearchStrategy[str]:
    """Return a strategy of any text at all, lone surrogates included."""
    anything = st.text(st.characters(exclude_categories=()), max_size=40)
    return st.sampled_from(HOSTILE_TEXTS) | page_text() | anything


def page_text(*, max_words: int = 8) -> SearchStrategy[str]:
    """Return a strategy of text as pages hold it: words, lines, and odd characters.

    It holds neither front matter nor anything that looks like an attack or a secret.

    Args:
        max_words: The most words and joints in one text.
    """
    pieces = st.one_of(
        st.sampled_from(_WORDS),
        st.sampled_from(_WORDS),
        st.sampled_from(_JOINTS),
        st.sampled_from(_JOINTS),
        st.sampled_from(_ODD),
    )
    return st.lists(pieces, max_size=2 * max_words).map("".join)


def updates(
    keys: SearchStrategy[str], texts: SearchStrategy[str] | None = None
) -> SearchStrategy[Update]:
    """Return a strategy of the four updates, without `if_revision`.

    Args:
        keys: Names of pages.
        texts: What is written; `page_text` when it is `None`.
    """
    content = page_text() if texts is None else texts
    return st.one_of(
        st.builds(Add, keys, content),
        st.builds(Replace, keys, content),
        st.builds(Remove, keys, st.sampled_from(_WORDS) | st.just("")),
        st.builds(Delete, keys),
    )
