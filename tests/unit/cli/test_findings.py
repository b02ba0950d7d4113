"""Where a finding is, in the words of a linter."""

from __future__ import annotations

import pytest

from ethos_memory.cli.findings import located
from ethos_memory.verdict import Finding


def finding(start: int, *, line: int = 1) -> Finding:
    return Finding(
        "override.x",
        "override",
        action="withhold",
        line=line,
        start=start,
        end=start + 1,
        fingerprint="f" * 64,
        reason="because",
    )


def plain(parts: tuple[object, ...]) -> str:
    return "".join(part if isinstance(part, str) else part.text for part in parts)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "start", "column"),
    [("abc", 0, 1), ("abc", 2, 3), ("a\nbc", 3, 2), ("a\r\nbc", 3, 1), ("a\rbc", 2, 1)],
)
def test_a_column_counts_from_the_line_end_before(
    text: str, start: int, column: int
) -> None:
    """Whatever kind of line end it is; in code points, from 1."""
    (one,) = located("f.md", [finding(start)], text=text)
    assert one.column == column


def test_a_finding_reads_like_a_linters() -> None:
    """File, line, column, rule, reason, and what is done about it."""
    (one,) = located("f.md", [finding(2, line=7)], text="abc")
    assert plain(one.parts()) == "f.md:7:3: override.x: because (withhold)"


def test_a_page_that_is_shown_has_lines_only() -> None:
    """What was screened is not what is shown, so a column would lie."""
    (one,) = located("MEMORY.md", [finding(2, line=7)])
    assert plain(one.parts()) == "MEMORY.md:7: override.x: because (withhold)"
    assert one.json()["column"] is None


def test_json_has_what_accepts_the_line() -> None:
    """The fingerprint is what an operator writes into the config."""
    (one,) = located("f.md", [finding(2)], text="abc")
    assert one.json() == {
        "file": "f.md",
        "column": 3,
        "rule": "override.x",
        "category": "override",
        "action": "withhold",
        "line": 1,
        "start": 2,
        "end": 3,
        "fingerprint": "f" * 64,
        "reason": "because",
    }
