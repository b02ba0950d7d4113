"""The provider behind the host's own loader and manager, in a home of the host."""

from __future__ import annotations

import importlib
import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("agent.memory_provider")

from agent.memory_manager import MemoryManager, inject_memory_provider_tools
from plugins.memory import discover_memory_providers, load_memory_provider

from adapters.racing import SOURCES, lost, race
from ethos_memory.adapters.hermes import (
    NAME,
    EthosMemoryProvider,
    install,
    main,
    uninstall,
)
from ethos_memory.adapters.hermes_plugin import atomic, turn_of
from ethos_memory.entry import Add, Replace
from ethos_memory.errors import CorruptFileError, MissingExtraError
from ethos_memory.memory import Memory
from tool_turns import ATTACK, ROOM, SECRET

if TYPE_CHECKING:
    from collections.abc import Iterator

OWNER = {"platform": "telegram", "chat_type": "dm", "user_id": "1"}
GUEST = {"platform": "telegram", "chat_type": "dm", "user_id": "2"}
CLI = {"platform": "cli"}
CONFIG = f"""\
channel_filter:
  telegram:
    ownerUserId: 1
gateway:
  private_chats:
    telegram: {ROOM}
"""
ROOM_KEY = f"agent:main:telegram:group:{ROOM}"
IN_ROOM = {"chat_type": "group", "chat_id": int(ROOM)}
SAID = "I prefer short answers."


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the host, with a home of ours in it that has an owner."""
    home = tmp_path / "hermes"
    ours = home / NAME
    ours.mkdir(parents=True)
    (ours / "config.yaml").write_text(CONFIG)
    monkeypatch.setenv("HERMES_HOME", str(home))
    for module in [one for one in sys.modules if one.startswith("_hermes_user_memory")]:
        monkeypatch.delitem(sys.modules, module)
    return home


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    """The same memory, seen by the operator."""
    with Memory.open(home / NAME) as memory:
        yield memory


def host(**said: Any) -> MemoryManager:
    """Load the provider as an agent of the host does, and initialize it."""
    install(said["hermes_home"] if "hermes_home" in said else _home())
    provider = load_memory_provider(NAME)
    assert provider is not None
    return started(provider, **said)


def started(provider: Any, **said: Any) -> MemoryManager:
    """Give a provider to a manager, and initialize it as an agent does."""
    assert provider.is_available()
    manager = MemoryManager()
    manager.add_provider(provider)
    told = {"session_id": "s1", "agent_context": "primary", "agent_identity": "ops"}
    manager.initialize_all(**{**told, **said})
    return manager


def _home() -> Path:
    from hermes_constants import get_hermes_home

    return Path(get_hermes_home())


def names(manager: MemoryManager) -> list[str]:
    """Return the tools that a model is offered."""
    return [schema["name"] for schema in manager.get_all_tool_schemas()]


def call(manager: MemoryManager, name: str, **given: Any) -> dict[str, Any]:
    """Call a tool through the manager; the answer is JSON."""
    answer: dict[str, Any] = json.loads(manager.handle_tool_call(name, given))
    return answer


def add(manager: MemoryManager, store: str, content: str) -> dict[str, Any]:
    """Have the model add a note."""
    return call(manager, "memory_write", store=store, action="add", content=content)


def turn(manager: MemoryManager, said: str = "hello") -> str:
    """Make a turn as the host does, and return what the model got with it."""
    block: str = manager.prefetch_all(said)
    manager.sync_all(said, "fine", session_id="s1", messages=[])
    assert manager.flush_pending(timeout=10)
    return block


def user_of(memory: Memory, account: str) -> str:
    """Return the scope of an account."""
    return f"user:{memory.identity_map.resolve('telegram', account)}"


def page(memory: Memory, scope: str, key: str) -> str:
    """Return a page as it is, ``""`` when there is none."""
    entry = memory.provider.unsafe_read(scope, key)
    return "" if entry is None else entry.content.lstrip()


# The host finds it.


def test_the_host_finds_it_in_its_home(home: Path) -> None:
    """By its own discovery, with a description; without the folder it is not there."""
    assert load_memory_provider(NAME) is None
    install(home)
    found = {
        name: (about, is_there) for name, about, is_there in discover_memory_providers()
    }
    assert found[NAME][1]
    assert "Memory for many people" in found[NAME][0]
    assert load_memory_provider(NAME).name == NAME


def test_none_of_its_tools_is_named_like_one_of_the_host() -> None:
    """What the host routes to it are its own names, and those alone are offered."""
    from toolsets import _HERMES_CORE_TOOLS

    manager = host(**CLI)
    routed = manager.get_all_tool_names()
    assert not routed & set(_HERMES_CORE_TOOLS)
    assert names(manager) == ["memory_read", "memory_write", "memory_search"]
    assert set(names(manager)) <= routed

    agent = SimpleNamespace(_memory_manager=manager, tools=[], enabled_toolsets=None)
    assert inject_memory_provider_tools(agent) == 3
    assert all(tool["function"]["description"] for tool in agent.tools)


def test_a_team_has_its_tools(home: Path) -> None:
    """When the settings name it."""
    (home / f"{NAME}.json").write_text('{"team": "crew"}')
    manager = host(**CLI)
    assert "team_memory_write" in names(manager)
    given = {"key": "plans", "action": "add", "content": "- bees"}
    assert "result" in call(manager, "team_memory_write", **given)
    assert "bees" in call(manager, "team_memory_read", key="plans")["result"]
    refused = call(manager, "team_memory_write", **given, scope="user:u1")
    assert refused["code"] == "input_invalid"


# Who sees what.


def test_each_user_sees_their_own(memory: Memory) -> None:
    """Two people write to one bot; neither is ever shown a word of the other."""
    owner, guest = host(**OWNER), host(**GUEST)
    assert "result" in add(owner, "user", "- OWNERS")
    assert "result" in add(owner, "memory", "- AGENTS")
    assert "result" in add(guest, "user", "- GUESTS")
    seen = turn(owner)
    assert "OWNERS" in seen
    assert "AGENTS" in seen
    assert "GUESTS" not in seen
    seen = turn(guest)
    assert "GUESTS" in seen
    assert "OWNERS" not in seen
    assert "AGENTS" not in seen
    assert names(guest) == ["memory_read", "memory_write"]
    assert call(guest, "memory_read")["result"] == "- GUESTS"
    assert "error" in add(guest, "memory", "- mine")
    assert call(guest, "memory_search", query="AGENTS") == {
        "error": "This is not available here.",
        "code": "not_available",
    }
    assert page(memory, "personality:ops", "MEMORY.md") == "- AGENTS\n"


@pytest.mark.parametrize(
    "said",
    [
        {**OWNER, "chat_type": "group", "chat_id": "-1"},
        {**OWNER, "chat_type": "channel"},
        {**OWNER, "chat_type": "thread"},
        {**OWNER, "chat_type": "DM"},
        {"platform": "telegram", "user_id": "1"},
        {"platform": "telegram"},
        {"platform": "api_server"},
        {"platform": "cron"},
        {"platform": "cli", "user_id": "1"},
        {"platform": "cli", "chat_type": "group"},
        {"platform": "telegram", "chat_type": "dm"},
        {**OWNER, "platform": "slack", "chat_id": "G1"},
        {**OWNER, "platform": "slack", "chat_id": "C1"},
        {**OWNER, "platform": "Slack"},
        {**OWNER, "platform": "teams", "chat_id": "19:x@thread.v2"},
        {**OWNER, "platform": "irc", "chat_id": "1"},
        {**OWNER, "platform": "ntfy", "chat_id": "1"},
        {**OWNER, "platform": "raft", "chat_id": "1"},
        {**OWNER, "user_id": "system:handoff", "chat_id": "1"},
        {**OWNER, **IN_ROOM},
        {**OWNER, **IN_ROOM, "gateway_session_key": ROOM_KEY},
        {**OWNER, **IN_ROOM, "gateway_session_key": f"{ROOM_KEY}:2"},
        {**OWNER, **IN_ROOM, "gateway_session_key": f"{ROOM_KEY}:7", "thread_id": 7},
        {**OWNER, **IN_ROOM, "gateway_session_key": f"{ROOM_KEY}:1", "thread_id": 1},
        {**OWNER, **IN_ROOM, "gateway_session_key": f"{ROOM_KEY}:7:1"},
        {**IN_ROOM, "platform": "telegram", "gateway_session_key": f"{ROOM_KEY}:"},
        {},
    ],
    ids=str,
)
def test_where_others_may_read_along_nothing_is_shown(
    memory: Memory, said: dict[str, Any]
) -> None:
    """Or where the host does not say who speaks: no block, no tools, no learning."""
    scope = user_of(memory, "1")
    memory.provider.sync(scope, [Add("USER.md", "- PRIVATE")])
    memory.provider.sync("personality:ops", [Add("MEMORY.md", "- PRIVATE")])
    manager = host(**said)
    assert turn(manager, SAID) == ""
    assert manager.build_system_prompt() == ""
    assert names(manager) == []
    assert call(manager, "memory_read")["code"] == "not_available"
    assert add(manager, "user", "- no")["code"] == "not_available"
    manager.on_memory_write("add", "user", "- no")
    assert page(memory, scope, "USER.md") == "- PRIVATE\n"
    assert page(memory, scope, "OBSERVATIONS.md") == ""
    assert len(memory.identity_map.accounts()) == 1


@pytest.mark.parametrize("platform", ["cli", "tui", "desktop", "acp"])
def test_the_operators_own_machine_sees_the_personality(
    memory: Memory, platform: str
) -> None:
    """The host names nobody there; the identity map is not asked."""
    memory.provider.sync("personality:ops", [Add("MEMORY.md", "- bees")])
    manager = host(platform=platform)
    assert "bees" in turn(manager)
    assert memory.identity_map.accounts() == ()


def test_a_private_room_is_listed_by_the_operator(memory: Memory) -> None:
    """By the exact chat; its speaker's profile is shown, nobody else's."""
    memory.provider.sync("personality:ops", [Add("MEMORY.md", "- AGENTS")])
    add(host(**OWNER), "user", "- OWNERS")
    guest = {**GUEST, **IN_ROOM, "gateway_session_key": f"{ROOM_KEY}:2"}
    seen = turn(host(**guest))
    assert "AGENTS" in seen
    assert "OWNERS" not in seen


@pytest.mark.parametrize("platform", ["telegram", "whatsapp"])
@pytest.mark.parametrize("is_own", [True, False])
@pytest.mark.parametrize("thread", [None, "7"])
def test_a_session_of_a_room_is_one_speakers_or_shows_nothing(
    memory: Memory, platform: str, thread: str | None, *, is_own: bool
) -> None:
    """The host keeps what was shown in the transcript, for all who speak there."""
    gateway = importlib.import_module("gateway.session")
    assert memory.audience.private_chats["telegram"] == {ROOM}
    is_listed = platform == "telegram"
    who = "2" if is_listed else "2@s.whatsapp.net"
    source = gateway.SessionSource(
        gateway.Platform(platform),
        ROOM,
        chat_type="group",
        user_id=who,
        thread_id=thread,
    )
    key = gateway.build_session_key(source, is_own, is_own)
    guest = turn_of(
        "s1",
        {
            "platform": platform,
            "user_id": who,
            **IN_ROOM,
            "thread_id": thread,
            "gateway_session_key": key,
        },
        "ops",
    )
    assert guest.surface == "group"
    assert guest.was_shared is not is_own
    assert memory.view(guest).tools == ("all" if is_own and is_listed else "none")


@pytest.mark.parametrize(
    ("platform", "chat_id"), [("slack", "D1"), ("teams", "a:1x"), ("matrix", "!r:hs")]
)
def test_a_direct_chat_of_one_person_is_direct(platform: str, chat_id: str) -> None:
    """Although the host calls others so on these platforms."""
    said = {**GUEST, "platform": platform, "chat_id": chat_id}
    alone = turn_of("s1", said, "ops")
    assert (alone.surface, alone.was_shared) == ("direct", False)


def test_the_other_id_of_an_account_counts_when_there_is_no_first(
    memory: Memory,
) -> None:
    """Some platforms hide the first."""
    add(host(platform="signal", chat_type="dm", user_id_alt="uuid-1"), "user", "- bees")
    (known,) = memory.identity_map.accounts()
    assert known.account.account_id == "uuid-1"


def test_profiles_of_the_host_are_personalities(home: Path, memory: Memory) -> None:
    """Unless the settings name one; without either there is no memory at all."""
    add(host(**CLI, agent_identity="coder"), "memory", "- CODERS")
    assert "CODERS" not in turn(host(**CLI, agent_identity="writer"))
    assert "CODERS" in page(memory, "personality:coder", "MEMORY.md")
    nobody = host(**CLI, agent_identity="")
    assert names(nobody) == []
    assert call(nobody, "memory_read")["error"] == "Memory is not available."
    (home / f"{NAME}.json").write_text('{"personality": "coder"}')
    assert "CODERS" in turn(host(**CLI, agent_identity="writer"))


# What the model is given, and when.


def test_the_prompt_holds_nothing_private(memory: Memory) -> None:
    """The host stores it: it tells of the tools, in the same bytes all along."""
    manager = host(**OWNER)
    before = manager.build_system_prompt()
    assert "memory_write" in before
    assert "memory_search" in before
    add(manager, "user", "- PRIVATE")
    turn(manager)
    assert manager.build_system_prompt() == before
    guest = host(**GUEST).build_system_prompt()
    assert "memory_write" in guest
    assert "memory_search" not in guest


def test_a_block_is_given_once(memory: Memory) -> None:
    """The host sends it again with its message; a change of it is given as such."""
    manager = host(**OWNER)
    add(manager, "user", "- bees")
    first = turn(manager)
    assert "- bees" in first
    assert turn(manager) == ""
    add(manager, "user", "- honey")
    second = turn(manager)
    assert second.startswith("Memory changed. This replaces")
    assert "- honey" in second
    assert turn(manager) == ""
    memory.provider.sync(user_of(memory, "1"), [Replace("USER.md", "- bees")])
    assert first in turn(manager)


def test_a_turn_that_did_not_end_gives_it_again() -> None:
    """The host does not tell of an interrupted turn: what it sent may be lost."""
    manager = host(**OWNER)
    add(manager, "user", "- bees")
    block = manager.prefetch_all("hello")
    assert manager.prefetch_all("hello") == block
    turn(manager)
    assert manager.prefetch_all("hello") == ""
    add(manager, "user", "- honey")
    assert "- honey" in manager.prefetch_all("hello")
    assert "- honey" in manager.prefetch_all("hello")


@pytest.mark.parametrize(
    "lose",
    [
        lambda manager: manager.on_session_switch("s2", reset=True, reason="new"),
        lambda manager: manager.on_session_switch("s1", rewound=True),
        lambda manager: manager.on_pre_compress([{"role": "user", "content": "x"}]),
        lambda manager: manager.commit_session_boundary_async([], new_session_id="s2"),
    ],
)
def test_a_transcript_that_lost_it_is_given_it_again(lose: Any) -> None:
    """Whichever way the host changes the transcript; no summary gets a word of it."""
    manager = host(**OWNER)
    add(manager, "user", "- bees")
    turn(manager)
    assert not lose(manager)
    assert manager.flush_pending(timeout=10)
    assert "- bees" in turn(manager)
    assert turn(manager) == ""


def test_each_message_may_have_it(home: Path) -> None:
    """For a host that keeps nothing of what it sent."""
    (home / f"{NAME}.json").write_text('{"every_turn": true}')
    manager = host(**OWNER)
    add(manager, "user", "- bees")
    assert turn(manager) == turn(manager) != ""


def test_who_is_forgotten_is_gone(memory: Memory) -> None:
    """From the next message on, also in a session that is open."""
    manager = host(**OWNER)
    add(manager, "user", "- bees")
    assert "bees" in turn(manager)
    memory.forget(user_of(memory, "1").removeprefix("user:"))
    gone = turn(manager)
    assert "bees" not in gone
    assert gone.startswith("Memory is empty now.")
    assert turn(manager) == ""
    assert "bees" not in call(manager, "memory_read")["result"]


def test_what_cannot_be_read_is_not_called_gone(home: Path, memory: Memory) -> None:
    """It costs no turn, and the model keeps what it was given."""
    manager = host(**OWNER)
    add(manager, "user", "- bees")
    turn(manager)
    scope = user_of(memory, "1").removeprefix("user:")
    (home / NAME / "users" / scope / "USER.md").unlink()
    (home / NAME / "users" / scope / "USER.md").mkdir()
    assert turn(manager) == ""


def test_a_model_replaces_nothing_that_it_has_not_seen(memory: Memory) -> None:
    """What it read counts until its transcript changes."""
    manager = host(**CLI)
    replace = {"store": "memory", "action": "replace", "content": "- new"}
    add(manager, "memory", "- old")
    call(manager, "memory_read")
    memory.provider.sync("personality:ops", [Add("MEMORY.md", "- LATE")])
    assert call(manager, "memory_write", **replace)["code"] == "STALE_WRITE"
    manager.on_session_switch("s2")
    assert "result" in call(manager, "memory_write", **replace)


# What is written and learned.


def test_an_attack_is_refused_and_a_credential_redacted(memory: Memory) -> None:
    """The answer holds neither."""
    manager = host(**OWNER)
    refused = add(manager, "user", f"- {ATTACK}")
    assert refused["code"] == "input_invalid"
    assert ATTACK not in refused["error"]
    assert "marker" in add(manager, "user", f"- The key is {SECRET}")["result"]
    stored = page(memory, user_of(memory, "1"), "USER.md")
    assert ATTACK not in stored
    assert SECRET not in stored
    assert "The key is" in stored


def test_what_the_user_says_is_learned(memory: Memory) -> None:
    """By who said it, with the session in the history."""
    turn(host(**GUEST), SAID)
    assert "short" in page(memory, user_of(memory, "2"), "OBSERVATIONS.md")
    assert page(memory, user_of(memory, "1"), "OBSERVATIONS.md") == ""


@pytest.mark.parametrize("context", ["subagent", "cron", "flush", "", None])
def test_only_a_persons_own_turn_writes_and_learns(
    memory: Memory, context: str | None
) -> None:
    """A helper of the host reads what its turn may read, and no more."""
    add(host(**OWNER), "user", "- bees")
    manager = host(**OWNER, agent_context=context)
    assert "bees" in turn(manager, SAID)
    assert names(manager) == ["memory_read", "memory_search"]
    assert add(manager, "user", "- no")["code"] == "not_available"
    manager.on_memory_write("add", "user", "- no")
    manager.on_session_end([])
    scope = user_of(memory, "1")
    assert page(memory, scope, "USER.md") == "- bees\n"
    assert page(memory, scope, "OBSERVATIONS.md") == ""


@pytest.mark.parametrize("whose", ["", " your previous message"])
def test_what_a_message_answers_to_is_not_the_users(memory: Memory, whose: str) -> None:
    """The host puts it in front, in anybody's words."""
    quoted = f'[Replying to{whose}: "{SAID}\n"]\n\n'
    turn(host(**OWNER), f"{quoted}No.")
    assert page(memory, user_of(memory, "1"), "OBSERVATIONS.md") == ""
    turn(host(**OWNER), f"{quoted}I prefer German answers.")
    learned = page(memory, user_of(memory, "1"), "OBSERVATIONS.md")
    assert "German" in learned
    assert "short" not in learned


@pytest.mark.parametrize(
    "front",
    [
        "[Recent channel messages]\nBo: {}\n\n[New message]\n",
        "[Thread context: x]\nBo: {}\n[End of thread context]\n\n",
        "[Observed]\nBo: {}\n\n[Current addressed message - answer only this]\n",
        "[Recent channel messages]\nBo: [New message]\n{}\n\n[New message]\n",
        '[Replying to: "hm"]\n\n[Recent]\nBo: {}\n\n[New message]\n',
    ],
    ids=["Discord", "Slack", "Telegram", "a line of somebody else's", "an answer"],
)
def test_what_others_said_before_is_not_the_users(memory: Memory, front: str) -> None:
    """The host puts that in front as well."""
    others = front.format(SAID)
    turn(host(**OWNER), f"{others}No.")
    assert page(memory, user_of(memory, "1"), "OBSERVATIONS.md") == ""
    turn(host(**OWNER), f"{others}I prefer German answers.")
    learned = page(memory, user_of(memory, "1"), "OBSERVATIONS.md")
    assert "German" in learned
    assert "short" not in learned


def test_observations_become_the_identity_document(memory: Memory) -> None:
    """When they are due; the end of a session looks once more."""
    manager = host(**OWNER)
    for language in ("Rust", "Go", "Python", "C", "Zig"):
        turn(manager, f"I prefer {language} over Java.")
    manager.on_session_end([])
    assert "# User Identity" in page(memory, user_of(memory, "1"), "IDENTITY.md")


# The host's own memory tool.


def mirrored(manager: MemoryManager, **given: Any) -> None:
    """Tell of a write of the host's own memory tool, as its agent does."""
    done = {"success": True}
    manager.notify_memory_tool_write(json.dumps(done), given, build_metadata=dict)


def test_the_hosts_own_memory_tool_is_followed(memory: Memory) -> None:
    """Into the scopes of the turn: what it takes away is taken away here."""
    manager = host(**OWNER)
    mirrored(manager, action="add", target="user", content="- bees")
    mirrored(manager, action="add", target="memory", content="- AGENTS")
    scope = user_of(memory, "1")
    assert page(memory, scope, "USER.md") == "- bees\n"
    assert page(memory, "personality:ops", "MEMORY.md") == "- AGENTS\n"
    mirrored(
        manager, action="replace", target="user", old_text="bees", content="- honey"
    )
    assert page(memory, scope, "USER.md") == "- honey\n"
    mirrored(manager, action="remove", target="user", old_text="honey")
    assert page(memory, scope, "USER.md") == ""
    mirrored(manager, action="add", target="elsewhere", content="- no")
    mirrored(manager, action="add", target="user", content=f"- {ATTACK}")
    assert page(memory, scope, "USER.md") == ""


def test_a_guest_writes_no_notes_through_the_hosts_tool(memory: Memory) -> None:
    """Their turn does not grant it; the profile it does."""
    manager = host(**GUEST)
    mirrored(manager, action="add", target="memory", content="- no")
    mirrored(manager, action="add", target="user", content="- GUESTS")
    assert page(memory, "personality:ops", "MEMORY.md") == ""
    assert page(memory, user_of(memory, "2"), "USER.md") == "- GUESTS\n"


# When something is wrong.


def test_what_goes_wrong_is_no_error_of_the_host(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It gets a text, and its log a kind: no content."""
    manager = host(**CLI)

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("PRIVATE")

    monkeypatch.setattr("ethos_memory.memory.Memory.recall", fail)
    monkeypatch.setattr("ethos_memory.memory.Memory.remember", fail)
    provider = manager.providers[0]
    assert provider.prefetch("hello") == ""
    provider.on_session_end([])
    answer = add(manager, "memory", "- bees")
    assert answer == {"error": "Memory is not available.", "code": "execution_failed"}
    assert json.loads(provider.handle_tool_call("memory_read", None))["error"]
    assert "RuntimeError" in caplog.text
    assert "PRIVATE" not in caplog.text


def test_a_home_that_cannot_be_read_is_no_memory(home: Path) -> None:
    """The host goes on without; nothing is offered, and nothing is written."""
    (home / NAME / "config.yaml").write_text("channel_filter: [\n")
    manager = host(**OWNER)
    assert names(manager) == []
    assert turn(manager, SAID) == ""
    assert manager.build_system_prompt() == ""
    assert manager.on_pre_compress([]) == ""
    manager.on_session_switch("s2")
    assert add(manager, "user", "- no")["error"] == "Memory is not available."
    assert not (home / NAME / "users").exists()


def test_shutting_down_closes_the_home() -> None:
    """Twice is fine, and so is a call that comes late; it can begin again."""
    manager = host(**CLI)
    add(manager, "memory", "- bees")
    manager.shutdown_all()
    manager.shutdown_all()
    provider = manager.providers[0]
    assert provider.prefetch("hello") == ""
    assert provider.get_tool_schemas() == []
    assert json.loads(provider.handle_tool_call("memory_read", {}))["error"]
    provider.initialize("s2", hermes_home=str(_home()), agent_identity="ops", **CLI)
    assert "bees" in provider.prefetch("hello")


# Settings.


@pytest.mark.parametrize(
    "text",
    [
        *("{", "[]", '{"root": 1}', '{"root": ""}', '{"rooot": "x"}'),
        *('{"every_turn": 1}', "[" * 100_000),
    ],
    ids=lambda text: text[:20],
)
def test_settings_that_cannot_be_read_are_not_none(home: Path, text: str) -> None:
    """Another root would be another memory."""
    (home / f"{NAME}.json").write_text(text)
    provider = EthosMemoryProvider()
    assert not provider.is_available()
    for ask in (
        provider.backup_paths,
        lambda: provider.initialize("s1", agent_identity="ops", **CLI),
        lambda: provider.save_config({"root": "x"}, str(home)),
    ):
        with pytest.raises(CorruptFileError):
            ask()
    assert (home / f"{NAME}.json").read_text() == text


@pytest.mark.parametrize(
    ("root", "place"),
    [
        ("$HERMES_HOME/deep/er", "hermes/deep/er"),
        ("${HERMES_HOME}", "hermes"),
        ("beside", "hermes/beside"),
        ("$HERMES_HOMER", "hermes/$HERMES_HOMER"),
        ("~/kept", "user/kept"),
    ],
)
def test_a_root_is_where_the_settings_say(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str, place: str
) -> None:
    """A relative one lies in the host's home; one outside is told to the backup."""
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    provider = EthosMemoryProvider()
    assert provider.backup_paths() == []
    provider.save_config({"root": root}, str(home))
    add(started(EthosMemoryProvider(), **CLI), "memory", "- bees")
    assert (tmp_path / place / "personalities/ops/MEMORY.md").is_file()
    outside = [] if place.startswith("hermes") else [str(tmp_path / place)]
    assert provider.backup_paths() == outside


def test_a_root_of_a_user_that_there_is_not_is_no_root(home: Path) -> None:
    """Nor is another taken in its place."""
    (home / f"{NAME}.json").write_text('{"root": "~nobody-of-that-name/x"}')
    provider = EthosMemoryProvider()
    for ask in (
        provider.backup_paths,
        lambda: provider.initialize("s1", agent_identity="ops", **CLI),
    ):
        with pytest.raises(CorruptFileError, match="no such user"):
            ask()


def test_a_root_that_is_given_counts_before_the_settings(tmp_path: Path) -> None:
    """And so do a personality and a team."""
    provider = EthosMemoryProvider(tmp_path / "own", personality="mine", team="crew")
    manager = started(provider, **CLI)
    assert "team_memory_read" in names(manager)
    add(manager, "memory", "- bees")
    assert (tmp_path / "own/personalities/mine/MEMORY.md").is_file()
    assert provider.backup_paths() == [str(tmp_path / "own")]


def test_the_hosts_setup_asks_for_the_root_alone(home: Path) -> None:
    """Its answer is stored, a blank one taken out, and the rest is kept."""
    provider = EthosMemoryProvider()
    (asked,) = provider.get_config_schema()
    assert asked["key"] == "root"
    file = home / f"{NAME}.json"
    file.write_text('{"team": "crew"}')
    provider.save_config({"root": asked["default"]}, str(home))
    assert json.loads(file.read_text()) == {"team": "crew", "root": asked["default"]}
    assert file.stat().st_mode & 0o777 == 0o600
    provider.save_config({"root": ""}, str(home))
    assert json.loads(file.read_text()) == {"team": "crew"}
    for wrong in ({"rooot": "x"}, {"every_turn": "yes"}):
        with pytest.raises(ValueError, match="known: root"):
            provider.save_config(wrong, str(home))


# The installer.


def test_installing_again_mends_the_folder(home: Path) -> None:
    """What a crash left in it does not stop that."""
    folder = install(home)
    before = {path.name: path.read_text() for path in folder.iterdir()}
    assert set(before) == {"__init__.py", "plugin.yaml", "README.md"}
    (folder / "plugin.yaml").unlink()
    (folder / ".plugin.yaml-abc_d1e2").write_text("half")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__/__init__.cpython-311.pyc").write_text("")
    assert install(home) == folder
    assert (folder / "plugin.yaml").read_text() == before["plugin.yaml"]
    assert uninstall(home)
    assert not uninstall(home)
    assert list(folder.parent.iterdir()) == []
    assert (home / NAME).is_dir()


def foreign_code(folder: Path) -> None:
    folder.mkdir()
    (folder / "__init__.py").write_text("class MemoryProvider: ...")


def foreign_file(folder: Path) -> None:
    install(folder.parents[1])
    (folder / "notes.txt").write_text("mine")


def foreign_hidden_file(folder: Path) -> None:
    install(folder.parents[1])
    (folder / ".README.md-notes").write_text("mine")


def foreign_file_deeper(folder: Path) -> None:
    (install(folder.parents[1]) / "__pycache__").mkdir()
    (folder / "__pycache__/notes.txt").write_text("mine")


def foreign_link(folder: Path) -> None:
    elsewhere = folder.parent / "elsewhere"
    install(folder.parents[1]).rename(elsewhere)
    folder.symlink_to(elsewhere)


def foreign_entry(folder: Path) -> None:
    entry = install(folder.parents[1]) / "__init__.py"
    entry.rename(folder.parent / "entry.py")
    entry.symlink_to(folder.parent / "entry.py")


def foreign_plain_file(folder: Path) -> None:
    folder.write_text("mine")


@pytest.mark.parametrize(
    "make",
    [
        *(foreign_code, foreign_file, foreign_link, foreign_entry, foreign_plain_file),
        *(foreign_hidden_file, foreign_file_deeper),
    ],
)
def test_another_plugin_of_that_name_is_left_alone(
    home: Path, make: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """By both verbs, with the reason."""
    folder = home / "plugins" / NAME
    folder.parent.mkdir()
    make(folder)
    before = sorted(str(path) for path in home.rglob("*"))
    for verb in ("install", "uninstall"):
        assert main([verb]) == 1
        assert "left as it is" in capsys.readouterr().err
    assert sorted(str(path) for path in home.rglob("*")) == before


def test_an_installation_that_fails_leaves_no_trace(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does a file that cannot be put in place."""

    def fail(*_: Any) -> None:
        raise OSError("no")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", fail)
        with pytest.raises(OSError, match="no"):
            install(home)
    assert list((home / "plugins").iterdir()) == []
    kept = home / "kept.json"
    kept.write_text("old")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        with pytest.raises(OSError, match="no"):
            atomic.put(kept, "new")
    assert kept.read_text() == "old"
    assert not list(home.glob(".kept*"))


def test_the_command_line_installs_and_takes_away(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Into the home of the host, or another; one that is not there is not made."""
    assert main(["install"]) == 0
    assert "hermes memory setup ethos-memory" in capsys.readouterr().out
    assert (home / "plugins" / NAME / "__init__.py").is_file()
    assert main(["uninstall"]) == 0
    assert main(["uninstall"]) == 0
    assert capsys.readouterr().out == "Taken away.\nThere was none.\n"
    assert main(["install", "--hermes-home", str(tmp_path / "absent")]) == 1
    assert not (tmp_path / "absent").exists()
    command = [sys.executable, "-m", "ethos_memory.adapters.hermes", "install"]
    subprocess.run(
        command,
        check=True,
        env={"PYTHONPATH": str(SOURCES), "HOME": "/", "HERMES_HOME": str(home)},
        stdout=subprocess.DEVNULL,
    )
    assert load_memory_provider(NAME) is not None


# Many at once, and no host.


def test_four_writers_lose_nothing(tmp_path: Path) -> None:
    """A hundred notes each, each writer in a process of its own."""
    body = """
import json
from ethos_memory.adapters.hermes import EthosMemoryProvider
provider = EthosMemoryProvider(home)
provider.initialize(
    name, hermes_home=home, platform="cli", agent_identity="ops",
    agent_context="primary",
)
def write(text):
    given = dict(store="memory", action="add", content=text)
    assert "result" in json.loads(provider.handle_tool_call("memory_write", given))
"""
    race(tmp_path / "race", body)
    with Memory.open(tmp_path / "race") as memory:
        text = page(memory, "personality:ops", "MEMORY.md")
    assert lost(text) == []
    assert len(text.split()) == 400


def test_threads_of_the_host_lose_nothing() -> None:
    """It asks, syncs and calls tools on several; a switch may come in between."""
    manager = host(**CLI)
    provider = manager.providers[0]

    def work(name: int) -> None:
        for number in range(20):
            assert "result" in add(manager, "memory", f"- w{name}-{number}-end")
            provider.prefetch("hello")
            provider.sync_turn(SAID, "fine")
            provider.on_session_switch(f"s{name}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    text = call(manager, "memory_read", store="memory")["result"]
    assert [line.count("-end") for line in text.split("\n\n")] == [1] * 80


def test_without_the_host_it_says_where_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """No extra would bring it, so none is named as the way out."""
    for module in [one for one in sys.modules if one.split(".")[0] == "agent"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "agent", None)
    monkeypatch.delitem(sys.modules, "ethos_memory.adapters.hermes")
    with pytest.raises(MissingExtraError, match="where it runs") as caught:
        importlib.import_module("ethos_memory.adapters.hermes")
    assert caught.value.extra == "hermes"
    assert "pip install" not in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
