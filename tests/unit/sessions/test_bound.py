from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from ethos_memory.errors import (
    InvalidNameError,
    InvalidScopeError,
    MessageOrderError,
    NotPermittedError,
    SessionNotFoundError,
)
from ethos_memory.sessions import ROLES
from session_store import START, Clock, open_store, say, texts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ethos_memory.sessions import Sessions

EVERYTHING: dict[str, Any] = {
    "title": "T",
    "platform": "telegram",
    "model": "m",
    "provider": "p",
    "working_dir": "/w",
    "personality_id": "ops",
    "metadata": {"a": [1, 2.5, {"b": None, "c": True}], "项目": "🎉"},
    "pinned": True,
    "was_shared": True,
}
MESSAGE: dict[str, Any] = {
    "tool_calls": [{"id": "c1", "name": "read", "input": {"path": "项目"}}],
    "tool_call_id": "c0",
    "tool_name": "read",
    "content_blocks": ({"type": "text", "text": "x"}, 5),
    "usage": {"input_tokens": 12, "cost_usd": 0.25, "model": "m"},
    "trace_id": "t1",
}


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Sessions]:
    """Return one owner's sessions."""
    with open_store(tmp_path) as store:
        yield store.for_owner("user:ana")


def test_a_session_keeps_every_field(sessions: Sessions) -> None:
    """As it was given, in `create`, `get` and `list`."""
    made = sessions.create("telegram:1", **EVERYTHING)
    assert attrs.asdict(made, recurse=False) == {
        **EVERYTHING,
        "id": made.id,
        "key": "telegram:1",
        "owner": "user:ana",
        "parent_session_id": None,
        "usage": {},
        "message_count": 0,
        "turn_count": 0,
        "created_at": made.created_at,
        "updated_at": made.created_at,
    }
    assert sessions.get(made.id) == made
    assert sessions.list().items == (made,)
    assert re.fullmatch("[0-9a-f]{32}", made.id)


def test_a_session_needs_no_more_than_a_key(sessions: Sessions) -> None:
    """Everything else has a plain default."""
    made = sessions.create("k")
    assert made.title is made.personality_id is made.working_dir is None
    assert (made.platform, made.model, made.provider, made.metadata) == ("", "", "", {})
    assert not made.pinned
    assert not made.was_shared


def test_a_message_keeps_every_field(sessions: Sessions) -> None:
    """And is the same value when it is read again."""
    id = sessions.create("k").id
    said = sessions.append(id, "assistant", "hello", **MESSAGE)
    assert attrs.asdict(said, recurse=False) == {
        **MESSAGE,
        "tool_calls": tuple(MESSAGE["tool_calls"]),
        "id": said.id,
        "session_id": id,
        "role": "assistant",
        "content": "hello",
        "at": said.at,
    }
    assert sessions.messages(id).items == (said,)
    bare = sessions.append(id, "user", "")
    assert (bare.tool_calls, bare.content_blocks, bare.usage) == (None, None, None)
    assert (bare.tool_call_id, bare.tool_name, bare.trace_id) == (None, None, None)
    empty = sessions.append(id, "user", "", tool_calls=[], content_blocks=(), usage={})
    assert (empty.tool_calls, empty.content_blocks, empty.usage) == ((), (), {})
    assert sessions.messages(id).items[1:] == (bare, empty)


def test_what_is_stored_is_a_copy(sessions: Sessions) -> None:
    """Changing what was passed, or what came back, changes nothing kept."""
    calls: list[Any] = [{"id": "c"}]
    metadata = {"a": [1]}
    id = sessions.create("k", metadata=metadata).id
    said = sessions.append(id, "assistant", "x", tool_calls=calls)
    calls[0]["id"] = "changed"
    metadata["a"].append(2)
    assert said.tool_calls == ({"id": "c"},)
    assert sessions.get(id).metadata == {"a": [1]}
    assert sessions.messages(id).items[0].tool_calls == ({"id": "c"},)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\0b",
        "\r\n",
        " padded ",
        "é",
        "e\u0301",
        "\ufeffx",
        "🎉" * 5,
        "x" * 100_000,
    ],
)
def test_a_message_is_kept_as_it_was_said(sessions: Sessions, text: str) -> None:
    """Character for character."""
    id = sessions.create("k").id
    assert sessions.append(id, "user", text).content == text
    assert texts(sessions.messages(id).items) == [text]


def test_half_a_character_becomes_a_replacement_character(sessions: Sessions) -> None:
    """Everywhere; two halves that belong together are one character."""
    id = sessions.create(
        "k", title="a\ud800b", metadata={"\udfff": ["\ud83c\udf89"]}
    ).id
    assert sessions.get(id).title == "a\ufffdb"
    assert sessions.get(id).metadata == {"\ufffd": ["🎉"]}
    said = sessions.append(
        id,
        "user",
        "\ud83c\udf89 \ud800",
        tool_call_id="\ud800",
        tool_calls=["\udc00"],
        usage={"\ud800": 1},
    )
    assert said.content == "🎉 \ufffd"
    assert (said.tool_call_id, said.tool_calls) == ("\ufffd", ("\ufffd",))
    assert said.usage == {"\ufffd": 1}
    assert sessions.messages(id).items == (said,)
    assert len(sessions.search("🎉")) == 1
    assert len(sessions.search("\ud800")) == len(sessions.search("\ufffd")) == 1


@pytest.mark.parametrize("value", [{1, 2}, object(), float("nan"), b"x", 1j])
def test_what_json_has_nothing_for_is_refused(sessions: Sessions, value: Any) -> None:
    """Nothing is stored, and the value is in no message."""
    id = sessions.create("k").id
    for call in (
        lambda: sessions.append(id, "user", "x", tool_calls=[value]),
        lambda: sessions.append(id, "user", "x", content_blocks=[value]),
        lambda: sessions.append(id, "user", "x", usage={"a": value}),
        lambda: sessions.create("new", metadata={"a": value}),
        lambda: sessions.update(id, metadata={"a": [value]}),
    ):
        with pytest.raises(ValueError) as caught:
            call()
        assert repr(value) not in str(caught.value)
        assert caught.value.__context__ is None
    assert sessions.messages(id).items == ()
    assert len(sessions.list().items) == 1


def test_a_value_without_an_end_is_refused(sessions: Sessions) -> None:
    """Neither a loop nor bottomless nesting."""
    loop: list[Any] = []
    loop.append(loop)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    id = sessions.create("k").id
    for value in (loop, deep):
        with pytest.raises(ValueError):
            sessions.append(id, "user", "x", tool_calls=value)


def test_arguments_of_another_type_are_refused(sessions: Sessions) -> None:
    """Before anything is stored."""
    id = sessions.create("k").id
    wrong: list[Any] = [
        lambda: sessions.append(id, "user", None),  # type: ignore[arg-type]
        lambda: sessions.append(id, "user", b"x"),  # type: ignore[arg-type]
        lambda: sessions.append(id, "user", "x", tool_calls="abc"),
        lambda: sessions.append(id, "user", "x", tool_calls={"a": 1}),  # type: ignore[arg-type]
        lambda: sessions.append(id, "user", "x", tool_name=5),  # type: ignore[arg-type]
        lambda: sessions.append(id, "user", "x", usage=[1]),  # type: ignore[arg-type]
        lambda: sessions.create("n", metadata=[1]),  # type: ignore[arg-type]
        lambda: sessions.create("n", title=5),  # type: ignore[arg-type]
        lambda: sessions.create("n", platform=None),  # type: ignore[arg-type]
        lambda: sessions.create(5),  # type: ignore[arg-type]
        lambda: sessions.get(None),  # type: ignore[arg-type]
        lambda: sessions.list(None),  # type: ignore[arg-type]
        lambda: sessions.list(cursor=5),  # type: ignore[arg-type]
        lambda: sessions.list(limit=True),
        lambda: sessions.search(5),  # type: ignore[arg-type]
        lambda: sessions.update(id, model=None),  # type: ignore[arg-type]
    ]
    for call in wrong:
        with pytest.raises(TypeError):
            call()
    assert sessions.messages(id).items == ()
    assert len(sessions.list().items) == 1


@pytest.mark.parametrize("role", ["", "User", "tool", "developer", None, 5])
def test_an_unknown_role_is_refused(sessions: Sessions, role: Any) -> None:
    """The five are all there are."""
    id = sessions.create("k").id
    with pytest.raises(ValueError, match="user_steer"):
        sessions.append(id, role, "x")
    assert len(ROLES) == 5


@pytest.mark.parametrize("before", [None, "user", "system", "user_steer"])
def test_an_orphan_tool_result_is_refused(
    sessions: Sessions, before: str | None
) -> None:
    """It would follow neither an assistant nor another result; nothing is stored."""
    id = sessions.create("k").id
    if before:
        sessions.append(id, before, "x")
    session, said = sessions.get(id), sessions.messages(id)
    with pytest.raises(MessageOrderError):
        sessions.append(id, "tool_result", "the words")
    assert sessions.get(id) == session
    assert sessions.messages(id) == said
    assert sessions.search("words") == ()


def test_everything_else_that_happens_is_stored(sessions: Sessions) -> None:
    """People write twice, runs crash, bots speak first; results come in rows."""
    id = sessions.create("k").id
    roles = [*ROLES[1:], *ROLES[:2], "user", "user", "assistant", "assistant"]
    roles += ["tool_result", "tool_result", "user", "system", "system", "user_steer"]
    for number, role in enumerate(roles):
        sessions.append(id, role, str(number))
    found = sessions.messages(id, turns=99).items
    assert [message.role for message in found] == roles


def test_an_undone_call_leaves_no_place_for_its_result(sessions: Sessions) -> None:
    """The last message that is still there decides."""
    id = sessions.create("k").id
    say(sessions, id, "user: a", "user: b", "assistant: c")
    sessions.undo(id)
    with pytest.raises(MessageOrderError):
        sessions.append(id, "tool_result", "x")


def test_undo_takes_whole_turns_with_their_tools(sessions: Sessions) -> None:
    """However many rows a turn has; what stands before the first turn stays."""
    id = sessions.create("k").id
    say(sessions, id, "assistant: welcome", "user: u1", "assistant: call")
    say(sessions, id, "tool_result: r", "assistant: done", "user: u2", "user_steer: s")
    assert sessions.undo(id) == 1
    assert texts(sessions.messages(id).items)[-1] == "done"
    assert sessions.undo(id, 5) == 1
    assert texts(sessions.messages(id).items) == ["welcome"]
    assert sessions.undo(id) == 0
    assert texts(sessions.messages(id).items) == ["welcome"]


def test_counts_and_usage_are_those_of_the_messages(sessions: Sessions) -> None:
    """After appends, undo and fork; only numbers are added up."""
    id = sessions.create("k").id
    sessions.append(id, "user", "a", usage={"tokens": 1, "model": "m", "cached": True})
    sessions.append(id, "assistant", "b", usage={"tokens": 10, "cost": 0.25})
    sessions.append(id, "user", "c", usage={"tokens": 100, "cost": 0.5})
    session = sessions.get(id)
    assert session.usage == {"tokens": 111, "cost": 0.75}
    assert (session.message_count, session.turn_count) == (3, 2)
    sessions.undo(id)
    session = sessions.get(id)
    assert session.usage == {"tokens": 11, "cost": 0.25}
    assert (session.message_count, session.turn_count) == (2, 1)
    assert sessions.fork(id).usage == session.usage


def test_a_usage_beyond_all_numbers_does_not_stop_a_conversation(
    sessions: Sessions,
) -> None:
    """It is kept with its message, and added to nothing."""
    id = sessions.create("k").id
    for _ in range(2):
        usage = {"cost": 1.7e308, "cents": 10**400, "tokens": 1}
        assert sessions.append(id, "user", "x", usage=usage).usage == usage
    assert sessions.get(id).usage == {"tokens": 2}
    sessions.undo(id)
    assert sessions.get(id).usage == {"tokens": 1}


def test_update_changes_what_is_named_and_nothing_else(sessions: Sessions) -> None:
    """`None` clears what may be empty."""
    made = sessions.create("k", **EVERYTHING)
    said = sessions.append(made.id, "user", "hello")
    changed = sessions.update(
        made.id,
        title="  Two\n lines ",
        pinned=False,
        metadata={"new": 1},
        model="m2",
        provider="p2",
        working_dir="/x",
    )
    assert changed == sessions.get(made.id)
    assert changed.title == "Two lines"
    assert (changed.pinned, changed.metadata) == (False, {"new": 1})
    assert (changed.model, changed.provider, changed.working_dir) == ("m2", "p2", "/x")
    assert (changed.platform, changed.was_shared) == ("telegram", True)
    assert changed.updated_at > made.updated_at
    cleared = sessions.update(made.id, title=None, metadata=None, working_dir=None)
    assert (cleared.title, cleared.metadata, cleared.working_dir) == (None, {}, None)
    assert sessions.update(made.id, title=" \n ").title is None
    assert sessions.messages(made.id).items == (said,)


def test_an_update_of_nothing_only_shows_the_session(sessions: Sessions) -> None:
    """Not even its time changes."""
    id = sessions.create("k").id
    before = sessions.get(id)
    assert sessions.update(id) == before
    with pytest.raises(SessionNotFoundError):
        sessions.update("nobody")


def test_an_unknown_field_is_refused(sessions: Sessions) -> None:
    """So is what must never change: whose it is, its key, its messages."""
    id = sessions.create("k").id
    for name in ("owner", "key", "id", "messages", "platform", "created_at", "x; --"):
        with pytest.raises(TypeError):
            sessions.update(id, **{name: "x", "title": "new"})  # type: ignore[arg-type]
    assert sessions.get(id).title is None


def test_what_was_shared_stays_shared(sessions: Sessions) -> None:
    """No update, no second create and no fork takes the mark off."""
    id = sessions.create("k").id
    assert not sessions.update(id, was_shared=False).was_shared
    assert sessions.update(id, was_shared=True).was_shared
    assert sessions.update(id, was_shared=False).was_shared
    assert sessions.create("k", was_shared=False).was_shared
    assert sessions.update(sessions.fork(id).id, was_shared=False).was_shared
    sessions.undo(id)
    assert sessions.get(id).was_shared


def test_a_second_create_can_only_add_the_mark(sessions: Sessions) -> None:
    """Everything else of the session stays as it was."""
    first = sessions.create("k", title="first")
    again = sessions.create("k", title="second", was_shared=True, pinned=True)
    assert again == attrs.evolve(first, was_shared=True)


def test_a_bound_personality_stays(sessions: Sessions) -> None:
    """Binding once and repeating are allowed; pointing elsewhere is not."""
    id = sessions.create("k").id
    assert sessions.update(id, personality_id="ops").personality_id == "ops"
    assert sessions.update(id, personality_id="ops").personality_id == "ops"
    for other in ("dev", None):
        with pytest.raises(NotPermittedError):
            sessions.update(id, personality_id=other, title="x")  # type: ignore[arg-type]
    assert sessions.get(id).personality_id == "ops"
    assert sessions.get(id).title is None
    for wrong in ("../x", "", "a b"):
        with pytest.raises(InvalidScopeError):
            sessions.create("new", personality_id=wrong)


def test_a_title_has_an_end(sessions: Sessions) -> None:
    """Two hundred characters, on one line."""
    assert sessions.create("k", title="x" * 200).title == "x" * 200
    with pytest.raises(ValueError, match="200"):
        sessions.create("other", title="x" * 201)
    assert len(sessions.list().items) == 1


def test_a_key_is_taken_as_it_is_or_refused(sessions: Sessions) -> None:
    """Empty, or half a character."""
    for key in ("", "\ud800"):
        with pytest.raises(InvalidNameError):
            sessions.create(key)
    for key in (" ", "a\0", "x" * 10_000, "é", "e\u0301"):
        assert sessions.create(key).key == key
    assert len(sessions.list().items) == 5


def test_a_parent_can_be_named(sessions: Sessions) -> None:
    """For a conversation that another one began; it must be there."""
    parent = sessions.create("k").id
    child = sessions.create("child", parent_session_id=parent)
    assert child.parent_session_id == parent
    with pytest.raises(SessionNotFoundError):
        sessions.create("other", parent_session_id="nobody")
    sessions.delete(parent)
    assert sessions.get(child.id).parent_session_id is None


def test_lists_show_the_pinned_then_the_last_spoken_in(tmp_path: Path) -> None:
    """By the order of what was said, whatever the clock; a rename moves nothing."""
    with open_store(tmp_path, clock=lambda: START) as store:
        sessions = store.for_owner("user:ana")
        ids = {key: sessions.create(key).id for key in "abcde"}

        def keys() -> str:
            return "".join(session.key for session in sessions.list().items)

        assert keys() == "edcba"
        say(sessions, ids["b"], "user: x")
        assert keys() == "bedca"
        sessions.update(ids["c"], pinned=True)
        assert keys() == "cbeda"
        sessions.update(ids["a"], title="new")
        assert keys() == "cbeda"
        say(sessions, ids["d"], "user: x")
        sessions.create("f")
        assert keys() == "cfdbea"
        sessions.undo(ids["d"])
        assert keys()[0] == "c"


def test_a_list_is_narrowed_by_key_and_time(tmp_path: Path) -> None:
    """The limit counts what is left."""
    clock = Clock()
    with open_store(tmp_path, clock=clock) as store:
        sessions = store.for_owner("user:ana")
        for key in ("bg:1", "bg:2", "telegram:1", "bg:3"):
            sessions.create(key, title="word")
        middle = sessions.list(key_prefix="telegram").items[0].created_at
        for q in ("", "word"):
            found = sessions.list(q, key_prefix="bg:", limit=2)
            assert len(found.items) == 2
            assert found.next_cursor
            rest = sessions.list(q, key_prefix="bg:", limit=2, cursor=found.next_cursor)
            assert len(rest.items) == 1
            assert rest.next_cursor is None
            late = sessions.list(q, since=middle).items
            assert {session.key for session in late} == {"telegram:1", "bg:3"}
        assert sessions.list("word", key_prefix="none").items == ()


def test_a_title_finds_its_session(sessions: Sessions) -> None:
    """With umlauts and signs that a pattern would take for its own."""
    for title in ("Ärger im Büro", "100% sure_thing", "会议纪要"):
        sessions.create(title, title=title)
    for q, key in [
        ("Ärger im Büro", "Ärger im Büro"),
        ("arger", "Ärger im Büro"),
        ("100%", "100% sure_thing"),
        ("sure_thing", "100% sure_thing"),
        ("会议", "会议纪要"),
    ]:
        assert [session.key for session in sessions.list(q).items] == [key]
    for q in ("%", "_", "sur"):
        assert sessions.list(q).items == ()


def test_a_phrase_in_a_title_is_found_as_it_is_only(sessions: Sessions) -> None:
    """As in a message."""
    sessions.create("k", title="The database migration")
    assert len(sessions.list('"database migration"').items) == 1
    assert sessions.list('"databases migration"').items == ()
    assert sessions.list('"migration database"').items == ()


def test_all_words_come_before_any(sessions: Sessions) -> None:
    """In lists and searches, whatever BM25 says of a single rare word."""
    rare = sessions.create("rare").id
    say(sessions, rare, "user: quokka quokka quokka")
    both = sessions.create("both").id
    say(sessions, both, f"user: the {'plain filler words ' * 30} quokka with a bicycle")
    say(sessions, sessions.create("one").id, "user: bicycle")
    say(sessions, sessions.create("none").id, "user: nothing of that")
    hits = sessions.search("bicycle quokka")
    assert hits[0].session_id == both
    assert len(hits) == 3
    assert hits[0].score == 1.0
    assert all(hit.score <= 0.5 for hit in hits[1:])
    assert sessions.list("quokka bicycle").items[0].id == both
    assert len(sessions.list("quokka bicycle").items) == 3


def test_frequent_words_are_looked_for_when_there_are_no_others(
    sessions: Sessions,
) -> None:
    """Otherwise they neither help nor hinder."""
    id = sessions.create("k").id
    say(sessions, id, "user: to be or not to be", "user: the invoice came")
    assert len(sessions.search("to be")) == 1
    assert len(sessions.search("where is the invoice")) == 1
    assert len(sessions.list("to be").items) == 1


def test_forms_of_a_word_find_each_other(sessions: Sessions) -> None:
    """By Porter's stems, as plain full-text search does."""
    id = sessions.create("k").id
    say(sessions, id, "user: we organized the deployments")
    for query in ("organize", "organizing", "deployment", "DEPLOYMENTS"):
        assert len(sessions.search(query)) == 1, query
        assert len(sessions.list(query).items) == 1, query
    (hit,) = sessions.search("organization")
    assert hit.snippet == "we organized the deployments"
