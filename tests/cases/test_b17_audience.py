"""B17: private memory read out in a group."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ethos_memory.entry import MemoryEntry
from ethos_memory.policy import AudiencePolicy, PromptPage, assemble
from ethos_memory.scope import ScopeId
from ethos_memory.turn import Account, Turn

PAGES = {
    ("user:u1", "USER.md"): "OWNER-SECRET",
    ("user:u2", "USER.md"): "GUEST-FACT",
    ("personality:ops", "USER.md"): "PERS-USER",
    ("personality:ops", "MEMORY.md"): "PERS-MEM",
}
POLICY = AudiencePolicy(owners={"telegram": "1"}, private_chats={"telegram": ["-7"]})
OWNER: dict[str, Any] = {"account": Account("telegram", "1"), "user_id": "u1"}
GUEST: dict[str, Any] = {"account": Account("telegram", "2"), "user_id": "u2"}
NEW: dict[str, Any] = {"account": Account("telegram", "3"), "user_id": "u3"}


def prompt(turn: Turn, pages: dict[tuple[str, str], str]) -> str:
    """Assemble what the turn's view grants, as `Memory.recall` reads it."""
    view = POLICY.view(turn)
    seen = datetime(2026, 9, 1, tzinfo=UTC)

    def read(scope: ScopeId, key: str) -> PromptPage:
        text = pages.get((str(scope), key), "")
        return PromptPage(scope, MemoryEntry(key, text, revision="r", updated_at=seen))

    profiles = [read(scope, "USER.md") for scope in view.profile]
    shown = [page for page in profiles if page.entry.content.strip()][:1]
    if view.memory is not None:
        shown.append(read(view.memory, "MEMORY.md"))
    return assemble(shown).text


def secrets(text: str) -> set[str]:
    return {secret for secret in PAGES.values() if secret in text}


@pytest.mark.parametrize(
    ("surface", "known", "chat", "may"),
    [
        ("direct", OWNER, "1", {"OWNER-SECRET", "PERS-MEM"}),
        ("direct", GUEST, "2", {"GUEST-FACT"}),
        ("direct", NEW, "3", set()),
        ("direct", {}, "", set()),
        ("group", OWNER, "-8", set()),
        ("group", GUEST, "-8", set()),
        ("group", {}, "-7", set()),
        ("group", OWNER, "-7", {"OWNER-SECRET", "PERS-MEM"}),
        ("group", GUEST, "-7", {"GUEST-FACT", "PERS-MEM"}),
        ("group", NEW, "-7", {"PERS-MEM"}),
    ],
)
def test_a_prompt_holds_what_its_turn_may_see(
    surface: str, known: dict[str, Any], chat: str, may: set[str]
) -> None:
    text = prompt(Turn("ops", surface, chat_id=chat, **known), PAGES)
    assert secrets(text) == may
    assert bool(text) == bool(may)


@pytest.mark.parametrize("blank", ["", " \n\t"])
def test_the_owner_without_a_profile_sees_the_personalitys_copy(blank: str) -> None:
    pages = {**PAGES, ("user:u1", "USER.md"): blank}
    direct = prompt(Turn("ops", "direct", **OWNER), pages)
    assert secrets(direct) == {"PERS-USER", "PERS-MEM"}


@pytest.mark.parametrize(
    "kind", [None, "", "supergroup", "channel", "thread", "Direct", "direct ", 1]
)
@pytest.mark.parametrize("known", [OWNER, GUEST, {}])
def test_an_unknown_kind_of_chat_is_a_group(kind: Any, known: dict[str, Any]) -> None:
    turn = Turn("ops", kind, chat_id="-8", **known)
    assert prompt(turn, PAGES) == ""
    view = POLICY.view(turn)
    assert (view.memory, view.profile, view.tools) == (None, (), "none")


@pytest.mark.parametrize("surface", ["direct", "group", "web", "cli", "phone"])
def test_a_session_that_was_shared_shows_nothing(surface: str) -> None:
    turn = Turn("ops", surface, chat_id="-7", was_shared=True, **OWNER)
    assert prompt(turn, PAGES) == ""


def test_another_person_is_never_named() -> None:
    """No view of a turn of `u2` leads to `u1`."""
    for surface in ("direct", "group", "web", "cli", "phone", "other"):
        view = POLICY.view(Turn("ops", surface, chat_id="-7", **GUEST))
        assert ScopeId.user("u1") not in view.profile
