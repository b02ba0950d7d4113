from __future__ import annotations

import pytest

from ethos_memory.profile.names import is_public_name, private_looking


@pytest.mark.parametrize(
    "word",
    ["Python", "PostgreSQL", "HNSW", "useEffect", "ef_construction", "BM25", "C++", "C#",
     "I/O", "numpy's", "EXPLAIN", "NumPy-style", "(Docker)", "C", "mmol/L", "Friday"],
)  # fmt: skip
def test_a_tool_a_term_or_a_day_is_public(word: str) -> None:
    assert is_public_name(word)


@pytest.mark.parametrize("word", ["Odalys", "Ghent", "Larkspur", "Bram's"])
def test_any_other_capital_may_be_somebodys_name(word: str) -> None:
    assert not is_public_name(word)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Write Python the way Odalys does", ("Odalys",)),
        ("Bram writes", ()),
        ("One. Two", ()),
        ("what I'd like and I need", ()),
        ("as `Odalys` in code", ()),
        ("near Leith Walk", ("Leith", "Walk")),
    ],
)
def test_names_are_looked_for_inside_a_sentence(
    text: str, found: tuple[str, ...]
) -> None:
    assert private_looking(text) == found
