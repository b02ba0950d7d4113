"""LangGraph's store: the host calls, pages answer, and nobody reads another's."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("langgraph")

from langgraph.config import get_config
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchItem,
    SearchOp,
)
from typing_extensions import TypedDict

from adapters.racing import lost, race
from ethos_memory.adapters.langgraph import MemoryStore
from ethos_memory.errors import (
    GuardRefusedError,
    NotPermittedError,
    PageTooLargeError,
    UnsupportedError,
)
from ethos_memory.turn import Account, Turn
from tool_turns import ATTACK, CLI, DIRECT, OWNER, SECRET, STRANGER, open_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ethos_memory.memory import Memory

    Do = Callable[..., Any]

DOCS = ("users", "u1", "docs")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home that is not there yet."""
    with open_memory(tmp_path / "home") as memory:
        yield memory


@pytest.fixture
def store(memory: Memory) -> MemoryStore:
    """A store for one turn."""
    return MemoryStore(memory, CLI)


@pytest.fixture(params=["sync", "async"])
def do(request: pytest.FixtureRequest, store: MemoryStore) -> Do:
    """Call a method of the store, or its twin."""

    def sync(name: str, *args: Any, **more: Any) -> Any:
        return getattr(store, name)(*args, **more)

    def awaited(name: str, *args: Any, **more: Any) -> Any:
        return asyncio.run(getattr(store, f"a{name}")(*args, **more))

    return sync if request.param == "sync" else awaited


def keys(items: list[SearchItem]) -> list[str]:
    """Return the keys of what was found."""
    return [item.key for item in items]


def test_the_five_verbs(do: Do, store: MemoryStore) -> None:
    """As the host has them."""
    assert isinstance(store, BaseStore)
    assert do("put", DOCS, "a/b\n", {"text": "tea", "n": [1, {"x": None}]}) is None
    item = do("get", DOCS, "a/b\n")
    assert type(item) is Item
    assert item.namespace == DOCS
    assert (item.key, item.value) == ("a/b\n", {"text": "tea", "n": [1, {"x": None}]})
    assert item.created_at == item.updated_at
    assert item.created_at.tzinfo is not None
    (found,) = do("search", ("users",))
    assert type(found) is SearchItem
    assert (found.key, found.score) == ("a/b\n", None)
    assert do("list_namespaces") == [DOCS]
    do("put", DOCS, "a/b\n", {"text": "coffee"})
    again = do("get", DOCS, "a/b\n")
    assert again.value == {"text": "coffee"}
    assert again.created_at == item.created_at
    assert again.updated_at > item.updated_at
    do("delete", DOCS, "a/b\n")
    do("delete", DOCS, "never there")
    assert do("get", DOCS, "a/b\n") is None
    assert do("search", ()) == do("list_namespaces") == []


def test_a_batch_reads_before_it_writes(do: Do) -> None:
    """Results are in the order of the calls; of several writes the last counts."""
    do("put", ("t",), "a", {"n": 0})
    results = do(
        "batch",
        iter(
            [
                PutOp(("t",), "a", {"n": 1}),
                GetOp(("t",), "a"),
                PutOp(("t",), "b", {"n": 2}),
                SearchOp(("t",)),
                PutOp(("t",), "a", {"n": 3}),
                PutOp(("t",), "c", {"n": 4}),
                PutOp(("t",), "c", None),
                PutOp(("t",), "d", None),
                PutOp(("t",), "d", {"n": 5}),
                PutOp(("t",), "e", None),
                ListNamespacesOp(),
                GetOp(("t",), "b"),
            ]
        ),
    )
    assert results[1].value == {"n": 0}
    assert keys(results[3]) == ["a"]
    assert results[10] == [("t",)]
    assert [results[at] for at in (0, 2, 4, 5, 6, 7, 8, 9, 11)] == [None] * 9
    left = {item.key: item.value["n"] for item in do("search", ("t",))}
    assert left == {"a": 3, "b": 2, "d": 5}


def test_a_search_narrows_and_pages(do: Do) -> None:
    """By prefix, filter, words, limit and offset; the newest first."""
    do("put", DOCS, "1", {"text": "green tea", "score": 1})
    do("put", DOCS, "2", {"text": "black tea, strong tea", "score": 2.5})
    do("put", ("users", "u12"), "3", {"text": "tea", "score": 3})
    do("put", ("Users", "u1"), "4", {"text": "coffee"})
    assert keys(do("search", ())) == ["4", "3", "2", "1"]
    assert keys(do("search", ("users", "u1"))) == ["2", "1"]
    assert keys(do("search", ["users"], limit=1, offset=1)) == ["2"]
    assert keys(do("search", (), limit=0)) == []
    assert do("search", ("users", "*")) == []
    assert keys(do("search", (), filter={"score": {"$gt": 1}})) == ["3", "2"]
    assert keys(do("search", (), filter={"text": "coffee", "score": None})) == ["4"]
    hits = do("search", ("users", "u1"), query="strong tea")
    assert keys(hits) == ["2", "1"]
    assert hits[0].score > hits[1].score > 0
    assert keys(do("search", (), query="tea", filter={"score": 1})) == ["1"]
    assert keys(do("search", (), query="tea", limit=1, offset=1)) != keys(hits)
    assert do("search", (), query="whisky") == []
    assert len(do("search", (), query="")) == 4


def test_namespaces_are_listed(do: Do) -> None:
    """By prefix and suffix with wildcards, cut at a depth, in order and in pages."""
    for namespace in (
        ("a", "b", "c"),
        ("a", "b", "d", "e"),
        ("a", "b", "d", "i"),
        ("a", "b", "f"),
        ("a", "c", "f"),
        ("ab", "c"),
    ):
        do("put", namespace, "k", {})
    assert do("list_namespaces", prefix=("a", "b"), max_depth=3) == [
        ("a", "b", "c"),
        ("a", "b", "d"),
        ("a", "b", "f"),
    ]
    assert do("list_namespaces", suffix=("f",)) == [("a", "b", "f"), ("a", "c", "f")]
    assert do("list_namespaces", prefix=("*", "c"), suffix=["c"]) == [("ab", "c")]
    assert do("list_namespaces", prefix=("a", "*", "f"), limit=1, offset=1) == [
        ("a", "c", "f")
    ]
    assert len(do("list_namespaces")) == 6
    assert do("list_namespaces", prefix=("none",)) == []


def test_names_are_free_text(do: Do) -> None:
    """Only what the host refuses is refused."""
    names = [
        (("Ana Müller", "/etc", "a" * 300), "k" * 5000),
        (("a\nb", " "), ""),
        (("a",), "../../etc/passwd"),
        (("a",), "b/c"),
        (("a/b",), "c"),
        (("*",), "\ud83d"),
        (("user:1@x", "日本"), "MEMORY.md"),
    ]
    for number, (namespace, key) in enumerate(names):
        do("put", namespace, key, {"n": number})
        item = do("get", namespace, key)
        assert (item.namespace, item.key) == (namespace, key)
        assert item.value == {"n": number}
    assert len(do("search", ())) == len(names)


@pytest.mark.parametrize(
    "op",
    [
        GetOp(("a.b",), "k"),
        GetOp(("a", ""), "k"),
        PutOp(("a\x00",), "k", {}),
        PutOp(("a.b",), "k", None),
        SearchOp(("a", 1)),  # type: ignore[arg-type,unused-ignore]
        ListNamespacesOp((MatchCondition("prefix", ("a.*",)),)),
    ],
)
def test_labels_are_the_hosts(do: Do, op: Any) -> None:
    """Nothing of the batch is done when one is wrong."""
    with pytest.raises(InvalidNamespaceError):
        do("batch", [PutOp(("t",), "k", {"n": 1}), op])
    assert do("get", ("t",), "k") is None


def test_the_root_label_is_the_hosts(do: Do) -> None:
    """So is a namespace without labels."""
    for namespace in ((), ("langgraph",)):
        with pytest.raises(InvalidNamespaceError):
            do("put", namespace, "k", {})


@pytest.mark.parametrize(
    ("op", "error"),
    [
        (PutOp(("t",), "x", {"a": b"x"}), TypeError),
        (PutOp(("t",), "x", {"a": float("nan")}), ValueError),
        (PutOp(("t",), "x", {"a": ATTACK}), GuardRefusedError),
        (PutOp(("t",), ATTACK, {}), GuardRefusedError),
        (PutOp((SECRET,), "k", {}), GuardRefusedError),
        (PutOp(("t",), "x", {"a": "x" * 2**19}), PageTooLargeError),
        (PutOp(("t",), "x", {}, None, 5.0), UnsupportedError),
        (PutOp(("t",), 5, {}), TypeError),  # type: ignore[arg-type,unused-ignore]
        (SearchOp(("t",), {"a": {"$in": []}}), ValueError),
        (SearchOp(("t",), limit=-1), ValueError),
        (SearchOp(("t",), offset=-1), ValueError),
        (ListNamespacesOp(limit=-1), ValueError),
        (ListNamespacesOp((MatchCondition("infix", ("a",)),)), ValueError),  # type: ignore[arg-type,unused-ignore]
        (("t", "x"), ValueError),
    ],
)
def test_a_batch_is_done_whole_or_not(do: Do, op: Any, error: type[Exception]) -> None:
    """What cannot be done is a typed error, and says nothing of the text."""
    with pytest.raises(error) as caught:
        do("batch", [PutOp(("t",), "k", {"n": 1}), op])
    told = f"{caught.value!r} {caught.value.__cause__!r} {caught.value.__context__!r}"
    assert ATTACK not in told
    assert SECRET not in told
    assert do("search", ()) == []


def test_there_is_no_time_to_live(do: Do, store: MemoryStore) -> None:
    """Asked for, it is refused as the host does; ``index`` is ignored as it does."""
    assert not store.supports_ttl
    assert store.ttl_config is None
    with pytest.raises(NotImplementedError, match="TTL"):
        do("put", ("t",), "k", {}, ttl=5)
    for index in (False, ["text"], None):
        do("put", ("t",), "k", {"text": "tea"}, index, ttl=None)
        assert keys(do("search", ("t",), query="tea")) == ["k"]
    do("get", ("t",), "k", refresh_ttl=True)


def test_a_value_is_the_callers_own(do: Do) -> None:
    """Changing what was given or found changes nothing that is kept."""
    given = {"a": ["one"]}
    do("put", ("t",), "k", given)
    given["a"].append("two")
    for _ in range(2):
        (found,) = do("search", ())
        item = do("get", ("t",), "k")
        assert found.value == item.value == {"a": ["one"]}
        found.value["a"].append("two")
        item.value["b"] = 1


def test_credentials_never_come_out(do: Do, memory: Memory) -> None:
    """Nor can they be searched for; the value is JSON still."""
    do("put", ("t",), "k", {"a": f"key {SECRET}", "password": "hunter2xyz"})
    item = do("get", ("t",), "k")
    assert item.value["password"] == "[redacted: password]"
    assert SECRET not in repr(item)
    assert do("search", (), query="hunter2xyz") == []
    assert do("search", (), filter={"password": "hunter2xyz"}) == []


def test_a_person_can_read_and_correct_a_record(do: Do, tmp_path: Path) -> None:
    """In an editor; the next call sees it."""
    do("put", ("memories",), "k", {"content": "Likes tea"})
    (page,) = (tmp_path / "home" / "personalities" / "ops").glob("record-*.md")
    text = page.read_text()
    assert '# Record "k"' in text
    assert "Likes tea" in text
    page.write_text(text.replace("tea", "coffee"))
    assert do("get", ("memories",), "k").value == {"content": "Likes coffee"}
    assert keys(do("search", (), query="coffee")) == ["k"]


def turn_of(namespace: tuple[str, ...]) -> Turn | None:
    """Say whose memory a namespace is, as a host with many users does."""
    match namespace:
        case ("users", person, *_):
            return Turn("ops", "web", account=Account("app", person), user_id=person)
        case ("app", *_):
            return CLI
        case ("room", *_):
            return Turn("ops", "group", account=OWNER, chat_id="-9")
        case _:
            return None


def test_one_store_serves_many_and_mixes_none(memory: Memory) -> None:
    """Each person's records are in their own scope."""
    store = MemoryStore(memory, turn_of)
    store.batch(
        [
            PutOp(("users", "ana", "notes"), "k", {"text": "tea of ana"}),
            PutOp(("users", "bob"), "k", {"text": "tea of bob"}),
            PutOp(("app", "docs"), "k", {"text": "tea of all"}),
        ]
    )
    for scope in ("user:ana", "user:bob", "personality:ops"):
        assert len(memory.provider.list(scope)) == 1
    found = store.search(("users", "ana"), query="tea")
    assert [item.value["text"] for item in found] == ["tea of ana"]
    assert store.list_namespaces(prefix=("users", "bob")) == [("users", "bob")]
    assert store.list_namespaces(prefix=("app", "*"), suffix=("docs",)) == [
        ("app", "docs")
    ]
    both = store.batch([SearchOp(("users", "ana")), SearchOp(("app",))])
    assert [len(one) for one in both] == [1, 1]
    memory.forget("ana")
    assert store.search(("users", "ana")) == []
    assert len(store.search(("users", "bob"))) == 1


@pytest.mark.parametrize(
    "op",
    [
        SearchOp(()),
        SearchOp(("users",)),
        SearchOp(("users",), query="tea"),
        ListNamespacesOp(),
        ListNamespacesOp((MatchCondition("suffix", ("users", "ana")),)),
        ListNamespacesOp((MatchCondition("prefix", ("*", "ana")),)),
        ListNamespacesOp((MatchCondition("prefix", ("users", "*")),)),
        GetOp(("other", "ana"), "k"),
        PutOp(("other", "ana"), "k", {"n": 1}),
        PutOp(("users",), "k", None),
    ],
)
def test_a_namespace_that_names_nobody_is_refused(memory: Memory, op: Any) -> None:
    """There is no scope to fall back to, and nothing is written beside it."""
    store = MemoryStore(memory, turn_of)
    store.put(("users", "ana"), "k", {"text": "tea"})
    with pytest.raises(NotPermittedError):
        store.batch([PutOp(("users", "bob"), "k", {"n": 1}), op])
    assert store.search(("users", "bob")) == []
    assert len(store.search(("users", "ana"))) == 1


def test_a_wildcard_reaches_nobody_else(memory: Memory) -> None:
    """A listing looks where its literal labels lead, the longest of them."""
    store = MemoryStore(memory, turn_of)
    store.put(("users", "ana", "x"), "k", {})
    store.put(("users", "bob", "x"), "k", {})
    op = ListNamespacesOp(
        (
            MatchCondition("prefix", ("users", "*", "x")),
            MatchCondition("prefix", ("users", "ana")),
        )
    )
    assert store.batch([op]) == [[("users", "ana", "x")]]


def test_a_turn_that_may_see_nothing(memory: Memory) -> None:
    """Finds nothing, and may not write; a marked session is one."""
    store = MemoryStore(memory, turn_of)
    room = ("room", "r1")
    assert store.get(room, "k") is None
    assert store.search(room) == store.list_namespaces(prefix=room) == []
    with pytest.raises(NotPermittedError):
        store.put(room, "k", {"n": 1})
    with pytest.raises(NotPermittedError):
        store.delete(room, "k")
    own = MemoryStore(memory, Turn("ops", "cli", session_id="s1"))
    own.put(("t",), "k", {"n": 1})
    session = memory.sessions.for_owner("cli:1").create("s")
    memory.sessions.for_owner("cli:1").update(session.id, was_shared=True)
    marked = MemoryStore(memory, Turn("ops", "cli", session_id=session.id))
    assert marked.search(()) == []
    assert len(own.search(())) == 1


def test_two_people_at_one_store_each(memory: Memory) -> None:
    """Equal names are two records."""
    ana, bob = MemoryStore(memory, DIRECT), MemoryStore(memory, STRANGER)
    ana.put(("memories",), "k", {"whose": "ana"})
    assert bob.get(("memories",), "k") is None
    bob.put(("memories",), "k", {"whose": "bob"})
    bob.delete(("memories",), "other")
    assert ana.search(())[0].value == {"whose": "ana"}


def test_a_call_does_not_block_the_loop(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is waited for in a thread."""
    store = MemoryStore(memory, CLI)
    store.put(("t",), "k", {"n": 1})
    inner = memory.provider._inner
    go = threading.Event()
    read = inner.read

    def slow(*args: Any) -> Any:
        assert go.wait(5)
        return read(*args)

    monkeypatch.setattr(inner, "read", slow)

    async def both() -> Any:
        waiting = asyncio.create_task(store.aget(("t",), "k"))
        await asyncio.sleep(0)
        go.set()
        return await waiting

    assert asyncio.run(both()).value == {"n": 1}


def test_two_writers_of_one_loop(memory: Memory) -> None:
    """Of many at once none is lost."""
    store = MemoryStore(memory, CLI)

    async def all_at_once() -> None:
        puts = [store.aput(("t",), str(number), {"n": number}) for number in range(40)]
        same = [store.aput(("t",), "same", {"n": number}) for number in range(20)]
        await asyncio.gather(*puts, *same)

    asyncio.run(all_at_once())
    assert len(store.search((), limit=100)) == 41


class State(TypedDict):
    """What the graph below passes on."""

    said: str
    known: list[str]


def test_a_compiled_graph_has_it(memory: Memory) -> None:
    """One graph for all; whose memory it is comes from the run's config."""

    def turn_of_run(_: tuple[str, ...]) -> Turn:
        person = get_config()["configurable"]["user_id"]
        return Turn("ops", "web", user_id=person)

    async def remember(state: State, *, store: BaseStore) -> dict[str, Any]:
        known = [item.value["said"] for item in await store.asearch(("memories",))]
        await store.aput(("memories",), state["said"], {"said": state["said"]})
        return {"known": known}

    def check(state: State, *, store: BaseStore) -> dict[str, Any]:
        assert store.get(("memories",), state["said"]) is not None
        return {}

    graph = StateGraph(State)
    graph.add_node("remember", remember)
    graph.add_node("check", check)
    graph.add_edge(START, "remember")
    graph.add_edge("remember", "check")
    graph.add_edge("check", END)
    app = graph.compile(store=MemoryStore(memory, turn_of_run))

    def say(person: str, said: str) -> list[str]:
        config: Any = {"configurable": {"user_id": person}}
        done = asyncio.run(app.ainvoke({"said": said, "known": []}, config))
        known: list[str] = done["known"]
        return known

    assert say("ana", "one") == []
    assert say("bob", "two") == []
    assert say("ana", "three") == ["one"]
    assert len(memory.provider.list("user:ana")) == 2
    assert len(memory.provider.list("user:bob")) == 1


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_langmems_tools_run_over_it(memory: Memory, do: Do, store: MemoryStore) -> None:
    """A model names an id and a text, never whose memory it is."""
    langmem = pytest.importorskip("langmem")
    namespace = ("memories", "u1")
    manage = langmem.create_manage_memory_tool(namespace, store=store)
    search = langmem.create_search_memory_tool(
        namespace, store=store, response_format="content_and_artifact"
    )
    told = manage.invoke({"content": "Likes green tea", "action": "create"})
    id = told.rsplit(" ", 1)[-1]
    manage.invoke({"content": "Likes black tea", "action": "update", "id": id})
    assert "black tea" in str(search.invoke({"query": "what tea"}))
    assert "green" not in str(search.invoke({"query": "green"}))
    assert do("get", namespace, id).value == {"content": "Likes black tea"}
    asyncio.run(manage.ainvoke({"action": "delete", "id": id}))
    assert do("search", namespace) == []
    with pytest.raises(GuardRefusedError):
        manage.invoke({"content": ATTACK, "action": "create"})


def test_four_writers_lose_nothing(tmp_path: Path) -> None:
    """A hundred records each, and now and then one that all of them write."""
    body = """
from ethos_memory.adapters.langgraph import MemoryStore
from tool_turns import CLI, open_memory
store = MemoryStore(open_memory(home), CLI)
def write(text):
    store.put(("race",), text, {"text": text})
    if text.endswith("0-end"):
        store.put(("race",), "same", {"text": text})
"""
    with open_memory(tmp_path / "home") as memory:
        race(tmp_path / "home", body)
        items = MemoryStore(memory, CLI).search(("race",), limit=1000)
    assert lost(" ".join(item.value["text"] for item in items)) == []
    assert len(items) == 401
