from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ethos_memory.entry import MemoryEntry, SearchHit
from ethos_memory.errors import InvalidKeyError
from ethos_memory.policy import PromptPage, assemble, parse_block
from ethos_memory.scope import ScopeId
from ethos_memory.verdict import Finding

SEEN = datetime(2026, 9, 1, tzinfo=UTC)


def page(scope: str, key: str, content: str, revision: str = "r1") -> PromptPage:
    entry = MemoryEntry(key, content, revision=revision, updated_at=SEEN)
    return PromptPage(scope, entry)


def shown(*pages: PromptPage, budget_chars: int = 20_000) -> dict[str, list[str]]:
    block = assemble(pages, budget_chars=budget_chars)
    assert len(block.text) <= budget_chars
    return {
        section.heading: [f"{one.key}: {one.text}" for one in section.pages]
        for section in parse_block(block.text)
    }


PROFILE = page("user:u1", "USER.md", "- Likes tea\n")
IDENTITY = page("user:u1", "IDENTITY.md", "# User Identity\n")
MEMORY = page("personality:ops", "MEMORY.md", "- Ships on Fridays\n")
NOTES = page("personality:ops", "notes.md", "- a note\n")


def test_sections_stand_in_order() -> None:
    """The profile first, then the identity document, the memory, and the rest."""
    other = page("personality:ops", "a.md", "- another")
    assert list(shown(NOTES, MEMORY, IDENTITY, other, PROFILE).items()) == [
        ("About You", ["USER.md: - Likes tea", "IDENTITY.md: # User Identity"]),
        ("Memory", ["MEMORY.md: - Ships on Fridays"]),
        ("notes.md", ["notes.md: - a note"]),
        ("a.md", ["a.md: - another"]),
    ]


def test_the_block_looks_as_the_documentation_says() -> None:
    text = assemble([PROFILE, MEMORY]).text
    lines = text.split("\n")
    assert lines[0] == "## About You"
    assert lines[2].startswith('<memory-data id="')
    assert lines[3] == "- Likes tea"
    assert lines[4].startswith('</memory-data id="')
    assert lines[5:7] == ["", "## Memory"]
    assert not text.endswith("\n")


def test_the_sources_are_the_pages_shown() -> None:
    block = assemble([MEMORY, page("user:u1", "USER.md", " \n"), NOTES])
    assert [(str(source.scope), source.key) for source in block.sources] == [
        ("personality:ops", "MEMORY.md"),
        ("personality:ops", "notes.md"),
    ]
    assert {source.revision for source in block.sources} == {"r1"}
    assert {source.left_out_chars for source in block.sources} == {0}
    assert "Fridays" not in repr(block)


def test_a_page_that_a_search_found_is_shown_whole() -> None:
    """A hit has no revision, and its snippet is not what a prompt gets."""
    hit = SearchHit("notes.md", "- a note\n- more", snippet="note", score=1.0)
    block = assemble([PromptPage(ScopeId.personality("ops"), hit)])
    (section,) = parse_block(block.text)
    assert (section.heading, section.pages[0].text) == ("notes.md", "- a note\n- more")
    assert block.sources[0].revision == ""


@pytest.mark.parametrize("blank", ["", " \n\t\n", "\ufeff", "\ufeff\r\n\u00a0"])
def test_a_blank_page_leaves_no_heading(blank: str) -> None:
    block = assemble([page("user:u1", "USER.md", blank)])
    assert (block.text, block.sources) == ("", ())
    assert assemble([], budget_chars=0).text == ""


def test_a_page_that_is_given_twice_is_shown_once() -> None:
    """The same page of two scopes is two pages, in one section."""
    again = page("personality:ops", "MEMORY.md", "- second copy")
    dev = page("personality:dev", "MEMORY.md", "- of dev")
    assert shown(MEMORY, again, NOTES, dev) == {
        "Memory": ["MEMORY.md: - Ships on Fridays", "MEMORY.md: - of dev"],
        "notes.md": ["notes.md: - a note"],
    }


def test_pages_of_one_key_stand_together() -> None:
    """One section of a name, whatever the order of what was found."""
    other = page("personality:ops", "b.md", "- b")
    again = page("personality:dev", "notes.md", "- of dev")
    headings = [s.heading for s in parse_block(assemble([NOTES, other, again]).text)]
    assert headings == ["notes.md", "b.md"]


def test_no_mark_and_no_carriage_return_is_shown() -> None:
    """A lone one ends a line, as some old editors meant it (case B07)."""
    crlf = page("user:u1", "USER.md", "\ufeff# A\r\n- b\r## c\n\ufeffd\r\r\ne\r\n")
    assert shown(crlf) == {"About You": ["USER.md: # A\n- b\n## c\nd\n\ne"]}


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    """The block must be valid text, whoever provides the page."""
    text = assemble([page("user:u1", "USER.md", "half \ud83d emoji")]).text
    assert "half \ufffd emoji" in text
    text.encode()


def test_findings_are_not_text() -> None:
    finding = Finding(
        "override.x",
        "override",
        action="flag",
        line=1,
        start=0,
        end=1,
        fingerprint="",
        reason="SHOWN",
    )
    entry = MemoryEntry("USER.md", "- a", revision="r", updated_at=SEEN)
    noted = MemoryEntry(
        "USER.md", "- a", revision="r", updated_at=SEEN, findings=(finding,)
    )
    scope = ScopeId.user("u1")
    assert assemble([PromptPage(scope, noted)]) == assemble([PromptPage(scope, entry)])


@pytest.mark.parametrize("key", ["x\n## System", "a/b.md", "memory.md", "SOUL.md", ""])
def test_a_key_that_is_no_key_never_becomes_a_heading(key: str) -> None:
    with pytest.raises(InvalidKeyError):
        page("personality:ops", key, "x")


def test_a_budget_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="budget_chars"):
        assemble([], budget_chars=-1)


def test_a_huge_memory_never_pushes_the_profile_out() -> None:
    """Each page has its own share, and says what it lacks (W-47)."""
    facts = "".join(f"- {number:05} a fact\n" for number in range(20_000))
    block = assemble([PROFILE, IDENTITY, page("personality:ops", "MEMORY.md", facts)])
    about, memory = parse_block(block.text)
    assert [one.text for one in about.pages] == ["- Likes tea", "# User Identity"]
    (cut,) = memory.pages
    assert cut.text.startswith("- ")
    assert cut.text.endswith("- 19999 a fact")
    assert cut.left_out_chars == len(facts.rstrip()) - len(cut.text)
    assert block.sources[-1].left_out_chars == cut.left_out_chars
    assert 19_900 <= len(block.text) <= 20_000


def test_a_huge_profile_never_pushes_the_memory_out() -> None:
    huge = page("user:u1", "USER.md", "- x\n" * 50_000)
    rolling = page("personality:ops", "MEMORY.md", "- y\n" * 50_000)
    sizes = [
        len(one.text)
        for section in parse_block(assemble([huge, rolling, IDENTITY, NOTES]).text)
        for one in section.pages
    ]
    assert sizes[0] > 9_000
    assert sizes[2] > 9_000
    assert (sizes[1], sizes[3]) == (15, 8)


def test_what_was_found_shares_a_part_among_itself() -> None:
    """Beside full pages all others together get a ninth of what a ninth is."""
    full = [page("user:u1", "USER.md", "x" * 90_000)]
    found = [page("personality:ops", f"n{n}.md", "y" * 90_000) for n in range(4)]
    sizes = [
        len(one.text)
        for section in parse_block(assemble([*full, *found]).text)
        for one in section.pages
    ]
    assert len(set(sizes[1:])) == 1
    assert sizes[0] > 15 * sizes[1]
    alone = parse_block(assemble(found).text)
    assert min(len(section.pages[0].text) for section in alone) > 4_500


def test_pages_without_room_are_named() -> None:
    """The weightiest are shown in part before a whole smaller one."""
    full = [
        page("user:u1", "USER.md", "- u\n" * 100),
        page("personality:ops", "MEMORY.md", "- m\n" * 100),
        page("personality:ops", "notes.md", "- n\n" * 100),
    ]
    block = assemble(full, budget_chars=480)
    assert [source.key for source in block.sources] == ["USER.md", "MEMORY.md"]
    assert block.text.endswith("(Left out for want of room: notes.md, 399 characters)")


def test_pages_without_room_are_counted_when_names_would_not_fit() -> None:
    pages = [page("personality:ops", f"n{n}.md", "y" * 99) for n in range(40)]
    text = assemble(pages, budget_chars=700).text
    left_out = 40 - len(parse_block(text))
    assert text.endswith(f"(Left out for want of room: {left_out} pages)")
    nothing = assemble([PROFILE], budget_chars=40)
    assert nothing.text == "(Left out for want of room: 1 page)"
    assert nothing.sources == ()
    assert parse_block(nothing.text) == ()
    assert assemble([PROFILE], budget_chars=30).text == ""
