"""B03: "add one fact" wipes the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethos_memory.entry import Delete, Replace
from ethos_memory.page import find_placeholder
from ethos_memory.providers.transient import TransientProvider

PAGE = (Path(__file__).parent / "files" / "02-user-template.md").read_bytes().decode()
SCOPE = "user:u1"
FACT = "- Timezone: Europe/Madrid"


@pytest.mark.parametrize(
    "promise",
    [
        "[... rest of the file unchanged ...]",
        "# ... existing content ...",
        "<!-- rest unchanged -->",
        "(previous entries omitted)",
    ],
)
@pytest.mark.parametrize("gap", ["\n\n", "\n", "\r\n"])
def test_a_promise_in_place_of_the_rest_is_seen(promise: str, gap: str) -> None:
    """So that the tool can refuse it, and name the place."""
    content = f"{FACT}{gap}{promise}"
    found = find_placeholder(content)
    assert found is not None
    assert content[found[0] : found[1]] == promise


def test_the_page_itself_and_the_fact_hold_none() -> None:
    """Template hints in brackets are ordinary text."""
    assert find_placeholder(PAGE) is None
    assert find_placeholder(FACT) is None


def test_what_was_replaced_or_deleted_can_be_brought_back() -> None:
    """Byte for byte, and the report names both sizes."""
    memory = TransientProvider()
    memory.sync(SCOPE, [Replace("USER.md", PAGE)])
    whole = memory.read(SCOPE, "USER.md")
    assert whole is not None
    for update in (
        Replace("USER.md", FACT),
        Replace("USER.md", "  \n"),
        Delete("USER.md"),
    ):
        (change,) = memory.sync(SCOPE, [update]).changes
        assert change.size_before == len(whole.content.encode())
        assert change.is_large_shrink
        memory.restore(SCOPE, "USER.md", whole.revision)
        restored = memory.read(SCOPE, "USER.md")
        assert restored is not None
        assert restored.content == whole.content
