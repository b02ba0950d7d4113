"""B08: cutting in the wrong place, the prompt's part."""

from __future__ import annotations

from datetime import UTC, datetime

from ethos_memory.entry import MemoryEntry
from ethos_memory.policy import PromptPage, assemble, parse_block
from ethos_memory.policy.budget import tail
from ethos_memory.scope import ScopeId

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"

#: 600 characters, as a profile that grew from a template has them.
PROFILE = "# About my human\n\n" + "- **Likes:** tea — “hot” é日\n" * 21


def page(scope: str, key: str, content: str) -> PromptPage:
    seen = datetime(2026, 9, 1, tzinfo=UTC)
    entry = MemoryEntry(key, content, revision="r", updated_at=seen)
    return PromptPage(ScopeId.parse(scope), entry)


def test_no_cut_falls_into_an_emoji() -> None:
    """Every cut is valid, within its cap, and never holds half of a family."""
    text = "x" * 10 + FAMILY + "é日本"
    for cap in range(40):
        kept = tail(text, cap)
        assert len(kept) <= cap
        assert text.endswith(kept)
        assert FAMILY in kept or not set(FAMILY) & set(kept)


def test_a_huge_memory_in_chinese_leaves_the_profile_whole() -> None:
    """2,000 characters for a profile of 600 and a memory of 30,000 in one line."""
    block = assemble(
        [
            page("user:u1", "USER.md", PROFILE),
            page("personality:ops", "MEMORY.md", "語" * 30_000),
        ],
        budget_chars=2_000,
    )
    about, memory = parse_block(block.text)
    assert about.pages[0].text == PROFILE.strip()
    assert set(memory.pages[0].text) == {"語"}
    # A character of Chinese counts as one token or more, and ASCII as less.
    assert len(block.text) <= 2_000
    assert len(memory.pages[0].text) + memory.pages[0].left_out_chars == 30_000


def test_the_newest_lines_are_kept_and_whole() -> None:
    lines = [f"{number:06} " + "語" * 50 for number in range(4_000)]
    block = assemble([page("personality:ops", "MEMORY.md", "\n".join(lines))])
    (shown,) = parse_block(block.text)[0].pages
    kept = shown.text.split("\n")
    assert kept == lines[-len(kept) :]
    assert len(kept) > 300
