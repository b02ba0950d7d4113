"""What a page begins with."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from ethos_memory.page import FrontMatter, front_matter, summary
from ethos_memory.page.opening import MAX_FRONT_MATTER, SUMMARY_CHARS

FILES = Path(__file__).parents[2] / "cases" / "files"


def read(name: str) -> str:
    return (FILES / name).read_bytes().decode()


def test_front_matter_is_read_behind_a_mark_and_with_crlf() -> None:
    """The fields, and where the text behind them begins (case B07)."""
    page = read("04-windows-bom-crlf.md")
    found = front_matter(page)
    assert found is not None
    assert found.fields == {
        "title": "Werkstatt – Notizen",
        "owner": "Jörg",
        "updated": datetime(2026, 5, 4, 8, 15, tzinfo=timezone(timedelta(hours=2))),
    }
    assert found.start == 1
    assert page[found.end :].startswith("# Werkstatt\r\n")


def test_front_matter_of_a_vault_note_is_read() -> None:
    """Lists, empty values and quotes are YAML's."""
    found = front_matter(read("06 Nota de reunión 3.md"))
    assert found is not None
    assert found.fields["aliases"] == ["reunion-3", "Reunión: tercera"]
    assert found.fields["tags"] == ["trabajo/obra", "pendiente"]
    assert found.fields["done"] is False
    assert found.fields["rating"] is None
    assert found.start == 0


def test_empty_front_matter_has_no_fields() -> None:
    """Its lines belong to no text all the same."""
    assert front_matter("---\n---\ntext") == FrontMatter({}, start=0, end=8)
    assert front_matter("---\n...") == FrontMatter({}, start=0, end=7)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        "text\n---\na: 1\n---\n",
        "---",
        "---\na: 1\n",
        "--- \n",
        "----\na: 1\n---\n",
        "---\njust a sentence\n---\n",
        "---\n- a list\n---\n",
        "---\na: [1\n---\n",
        "---\na: 1\n--- b\n",
        "---\n1: one\n---\n",
        "---\na: &x 1\nb: *x\n---\n",
        "---\na: &x 1\n---\n",
        "---\n&x a: 1\n---\n",
        "---\na: !!python/object:os.system ls\n---\n",
        "---\na: !!int no\n---\n",
        "---\na: !!bool perhaps\n---\n",
        "---\na: !!timestamp soon\n---\n",
        "---\na: 2026-13-45\n---\n",
        "---\n? [a]\n: 1\n---\n",
        "---\na: \x00\n---\n",
        f"---\na: {'[' * 16_000}\n---\n",
        f"---\na: {'[' * 20}{']' * 20}\n---\n",
        f"---\n{'? ' * 8_000}\n---\n",
        f"---\na: {'9' * 9_000}\n---\n",
        f"---\na: {'x' * MAX_FRONT_MATTER}\n---\n",
    ],
)
def test_anything_else_is_text(text: str) -> None:
    """Malformed, too long, with an anchor, or no mapping: nothing raises."""
    assert front_matter(text) is None


def test_a_text_of_rules_is_read_in_no_time() -> None:
    """Looking for the end of front matter is linear."""
    assert front_matter("---\n" + "- - -\n" * 100_000) is None


def test_private_fields_are_in_no_repr() -> None:
    """A log never holds what a page says."""
    assert "secret" not in repr(front_matter("---\nsecret: 1\n---\n"))


def test_yaml_is_imported_only_for_a_page_with_front_matter() -> None:
    """It takes longer than all of the rest."""
    code = (
        "import sys; from ethos_memory.page import front_matter, summary\n"
        "summary('text'); front_matter('# no'); assert 'yaml' not in sys.modules\n"
        "front_matter('---\\na: 1\\n---\\n'); assert 'yaml' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" \n\t\r\n", ""),
        ("# Title\n\nText", "# Title"),
        ("\n\none\n  two  \n\nthree", "one\ntwo"),
        ("\ufeffone\r\ntwo\r\n\r\nthree", "one\ntwo"),
        ("one\rtwo\r\rthree", "one\ntwo"),
        ("---\na: 1\n---\n\ntext\n", "text"),
        ("---\na: 1\n---\n", ""),
        ("---\nbroken: [\n---\n\ntext", "---\nbroken: [\n---"),
    ],
)
def test_the_summary_is_the_first_paragraph(text: str, expected: str) -> None:
    """Behind mark and front matter, with plain line ends."""
    assert summary(text) == expected


def test_the_summary_is_short() -> None:
    """A first paragraph of a megabyte is cut like any text."""
    assert summary("语" * 1_000_000) == "语" * SUMMARY_CHARS
    assert summary(f"{'a' * 150}\n{'b' * 150}") == "a" * 150


def test_the_summary_of_a_windows_page_is_its_title() -> None:
    """Not the mark, and not the front matter (case B07)."""
    assert summary(read("04-windows-bom-crlf.md")) == "# Werkstatt"
