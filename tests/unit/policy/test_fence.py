from __future__ import annotations

import re
from hashlib import sha256

import pytest

from ethos_memory.policy.fence import ShownPage, fence, parse_block
from ethos_memory.scope import ScopeId

OPS = ScopeId.personality("ops")


def id_of(fenced: str) -> str:
    found = re.match(r'<memory-data id="([0-9a-f]{8})"', fenced)
    assert found
    return found[1]


def first_ids(count: int) -> list[str]:
    return [
        sha256(f"personality:ops|MEMORY.md|{number}".encode()).hexdigest()[:8]
        for number in range(count)
    ]


def test_a_fence_names_its_page_and_closes_with_its_id() -> None:
    id = first_ids(1)[0]
    assert fence(OPS, "MEMORY.md", "- tea") == (
        f'<memory-data id="{id}" page="MEMORY.md">\n- tea\n</memory-data id="{id}">'
    )


def test_a_cut_is_said_in_the_opening_line() -> None:
    opening = fence(OPS, "MEMORY.md", "- tea", left_out_chars=1234).partition("\n")[0]
    assert opening.endswith('page="MEMORY.md" left-out="the oldest 1234 characters">')


def test_every_scope_and_key_has_its_own_ids() -> None:
    """An id that is known from one page says nothing of another's."""
    ids = {
        id_of(fence(ScopeId.parse(scope), key, "x"))
        for scope in ("personality:ops", "personality:dev", "user:ops")
        for key in ("MEMORY.md", "USER.md")
    }
    assert len(ids) == 6


@pytest.mark.parametrize(
    "spell",
    [
        str,
        str.upper,
        " ".join,
        "\u200b".join,
        "-".join,
        "\n".join,
        lambda text: "".join(chr(ord(character) + 0xFEE0) for character in text),
        "あ".join,
    ],
)
def test_an_id_that_occurs_in_the_text_is_not_used(spell: object) -> None:
    """Nor one that an eye, or a model, would read there."""
    assert callable(spell)
    first, second, third = first_ids(3)
    assert id_of(fence(OPS, "MEMORY.md", f"a {spell(first)} b")) == second
    text = f"{spell(second)}, {spell(first)}"
    assert id_of(fence(OPS, "MEMORY.md", text)) == third


def test_a_text_of_many_ids_is_fenced_in_one_pass() -> None:
    """Ten thousand ids of the sequence cost a look each, not a scan each."""
    ids = first_ids(10_001)
    assert id_of(fence(OPS, "MEMORY.md", "\n".join(ids[:-1]))) == ids[-1]


def test_a_block_is_read_back() -> None:
    page = fence(OPS, "MEMORY.md", "- tea\n\n## x\n", left_out_chars=7)
    note = "(Left out for want of room: notes.md, 12 characters)"
    (section,) = parse_block(f"## Memory\n\n{page}\n\n{note}")
    assert section.heading == "Memory"
    assert section.pages == (
        ShownPage("MEMORY.md", "- tea\n\n## x\n", left_out_chars=7),
    )
    assert "tea" not in repr(section)


def test_an_empty_block_has_no_sections() -> None:
    assert parse_block("") == ()


@pytest.mark.parametrize(
    "text",
    [
        "loose text",
        "## Memory\n\nloose text",
        "##Memory",
        fence(OPS, "MEMORY.md", "no heading above it"),
        "## Memory\n\n" + fence(OPS, "MEMORY.md", "x").rpartition("\n")[0],
        "## Memory\n\n" + fence(OPS, "MEMORY.md", "x") + "\n</memory-data>",
        "## Memory\r\n\r\n" + fence(OPS, "MEMORY.md", "x").replace("\n", "\r\n"),
    ],
)
def test_what_is_no_block_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no block|not closed") as caught:
        parse_block(text)
    assert "loose" not in str(caught.value)
