from __future__ import annotations

from datetime import UTC, datetime

from ethos_memory.entry import Delete, MemoryEntry, Replace
from ethos_memory.guard.marker import marker
from ethos_memory.learning.page import (
    OBSERVATIONS_KEY,
    BufferPage,
    without_markers,
)
from ethos_memory.profile import Buffer, format_buffer
from ethos_memory.verdict import Finding

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)


def finding(start: int, end: int, action: str = "withhold") -> Finding:
    return Finding(
        "r.x", "r", action=action, line=1, start=start, end=end,  # type: ignore[arg-type]
        fingerprint="", reason="r",
    )  # fmt: skip


def page(content: str, *findings: Finding) -> BufferPage:
    entry = MemoryEntry(
        OBSERVATIONS_KEY, content, revision="r1", updated_at=AT, findings=findings
    )
    return BufferPage.of(entry)


def test_no_page_is_an_empty_one() -> None:
    assert BufferPage.of(None) == BufferPage(Buffer(), "")


def test_withheld_lines_are_left_out_and_no_others() -> None:
    text = "- User a\r\n- User b\r\nprose\n- User c\n"
    start = text.index("- User b")
    found = page(text, finding(start + 2, start + 5), finding(0, 3, "redact"))
    assert [one.text for one in found.buffer.observations] == ["User a", "User c"]
    assert "prose" in format_buffer(found.buffer)


def test_a_finding_up_to_the_line_end_takes_one_line() -> None:
    text = "- User a\n- User b\n- User c"
    found = page(text, finding(9, 18))
    assert [one.text for one in found.buffer.observations] == ["User a", "User c"]


def test_a_copied_marker_is_left_out() -> None:
    text = f"- User a\n{marker('r.x')}\n- User b"
    assert without_markers(text) == "- User a\n- User b"
    assert len(page(text).buffer.observations) == 2


def test_a_page_on_which_nothing_is_left_goes() -> None:
    found = page("- User a\n")
    rest = found.buffer.without(found.buffer.observations)
    assert found.update(rest) == Delete(OBSERVATIONS_KEY, if_revision="r1")
    update = found.update(found.buffer)
    assert update == Replace(OBSERVATIONS_KEY, "- User a\n", if_revision="r1")
