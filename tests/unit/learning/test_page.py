from __future__ import annotations

from datetime import UTC, datetime

from ethos_memory.entry import Delete, MemoryEntry, Replace
from ethos_memory.guard.marker import fingerprint_of, marker
from ethos_memory.learning.page import (
    OBSERVATIONS_KEY,
    BufferPage,
    named_lines,
    without_lines,
    without_markers,
)
from ethos_memory.profile import Buffer, format_buffer
from ethos_memory.verdict import Action, Finding

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)


def finding(line: str, action: Action = "withhold") -> Finding:
    return Finding(
        "r.x",
        "r",
        action=action,
        line=1,
        start=0,
        end=1,
        fingerprint=fingerprint_of(line),
        reason="r",
    )


def page(content: str) -> BufferPage:
    entry = MemoryEntry(OBSERVATIONS_KEY, content, revision="r1", updated_at=AT)
    return BufferPage.of(entry)


def test_no_page_is_an_empty_one() -> None:
    assert BufferPage.of(None) == BufferPage(Buffer(), "")


def test_a_page_keeps_its_lines_and_line_ends() -> None:
    text = "- User a\r\nprose\n- User c\n"
    found = page(text)
    assert [one.text for one in found.buffer.observations] == ["User a", "User c"]
    assert "prose" in format_buffer(found.buffer)


def test_lines_are_dropped_by_their_fingerprints() -> None:
    one = finding("b  ")
    assert named_lines([one, finding("a", "redact")]) == {one.fingerprint}
    assert without_lines("a\n b\nc", named_lines([one])) == "a\nc"
    found = page("- User a\n  b\n- User c").without(named_lines([one]))
    assert [row.raw for row in found.buffer.rows] == ["- User a", "- User c"]


def test_a_refusal_is_for_old_lines_or_for_new_ones() -> None:
    before, after = page("a\nb"), page("a\nb\nc").buffer
    for lines, is_old in (("a", True), ("ab", True), ("ac", False), ("x", False)):
        named = named_lines([finding(line) for line in lines])
        assert before.is_refused_for_old(after, named) is is_old


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
