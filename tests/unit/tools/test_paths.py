"""`paths`: a page and a file are one to one, and no path leads out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos_memory.errors import InvalidKeyError
from ethos_memory.scope import parse_key
from ethos_memory.tools.answer import Declined
from ethos_memory.tools.paths import key_of, path_of, relative

PAIRS = {
    "MEMORY.md": "MEMORY.md",
    "notes.txt": "notes.txt.md",
    "deep/nested/file.txt": "deep--nested--file.txt.md",
    "a/b.md": "a--b.md",
    "v1.2.md": "v1.2.md.md",
    "v1.2": "v1.2.md",
    "two-words.md": "two-words.md",
    "a.tar.gz": "a.tar.gz.md",
    "long.name-with-more-than-an-ending.md": "long.name-with-more-than-an-ending.md",
}


@pytest.mark.parametrize(("path", "key"), PAIRS.items())
def test_a_file_is_a_page_and_back(path: str, key: str) -> None:
    """Both ways."""
    assert key_of(path) == key
    assert path_of(key) == path


@pytest.mark.parametrize(
    "path",
    [
        "",
        "notes",
        "a--b.md",
        "a-/b.md",
        "a/-b.md",
        "-a.md",
        ".hidden.md",
        "soul.md",
        "memory.md",
        "ä.md",
        "a b.md",
        "con.md",
        "x" * 200 + ".md",
        "a\0b.md",
        "a\\b.md",
        "a..b.md",
        ".md",
        ".txt",
    ],
)
def test_a_name_that_no_page_can_have_is_refused(path: str) -> None:
    """In one line, as plain characters."""
    with pytest.raises(Declined) as caught:
        key_of(path)
    assert caught.value.text.isascii()
    assert "\n" not in caught.value.text


@pytest.mark.parametrize("key", ["a---b.md", "--a.md", "a--.md", "-a.md"])
def test_a_page_that_is_no_file_has_no_path(key: str) -> None:
    """It is left out of a listing."""
    assert path_of(key) is None


@settings(max_examples=300)
@given(st.from_regex(r"[A-Za-z0-9_.-]{1,12}(\.md)?", fullmatch=True))
def test_every_page_that_has_a_path_is_found_by_it(name: str) -> None:
    """And two pages never share one."""
    key = f"{name.removesuffix('.md')}.md"
    try:
        parse_key(key)
    except InvalidKeyError:
        return
    path = path_of(key)
    if path is not None:
        assert key_of(path) == key


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("/memories", ""),
        ("/memories/", ""),
        ("/memories/a.md", "a.md"),
        ("/memories//a/./b.md", "a/b.md"),
    ],
)
def test_a_path_is_read_below_the_root(path: str, inside: str) -> None:
    """Empty parts and dots mean nothing."""
    assert relative(path) == inside


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("", "must start with /memories"),
        ("/etc/passwd", "must start with /memories"),
        ("/memoriesX/a.md", "must start with /memories"),
        ("memories/a.md", "must start with /memories"),
        ("/memories/../a.md", "would escape /memories directory"),
        ("/memories/a/../../b.md", "would escape /memories directory"),
    ],
)
def test_a_path_elsewhere_is_refused(path: str, said: str) -> None:
    """In the host's own words."""
    with pytest.raises(Declined) as caught:
        relative(path)
    assert said in caught.value.text
