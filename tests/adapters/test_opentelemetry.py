"""Spans of a memory: what they tell, and what they never tell."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("opentelemetry.sdk")

from hypothesis import given, settings
from hypothesis import strategies as st
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import (
    InMemorySpanExporter,
)
from opentelemetry.sdk.trace.sampling import Decision, ParentBased, SamplingResult
from opentelemetry.trace import SpanKind, StatusCode
from typing_extensions import override

from ethos_memory.adapters.opentelemetry import traced
from ethos_memory.aio import AsyncMemory
from ethos_memory.dashboard import Dashboard
from ethos_memory.entry import Add, Delete, Remove, Replace
from ethos_memory.errors import (
    EthosMemoryError,
    GuardRefusedError,
    InvalidScopeError,
    NotPermittedError,
    RevisionConflictError,
    UnsupportedError,
)
from ethos_memory.memory import Memory
from ethos_memory.policy import AudiencePolicy
from ethos_memory.provider import SupportsErase, SupportsHistory
from ethos_memory.providers.guarded import GuardedProvider
from ethos_memory.providers.guarded_edit import Cut
from ethos_memory.providers.transient import TransientProvider
from ethos_memory.tools import Files
from ethos_memory.turn import Account, Turn
from tool_turns import ATTACK, CLI, DIRECT, call, open_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

KEY = b"one key for the tests"
USER = "user:u1"
OPS = "personality:ops"


class Spans:
    """A tracer provider, and what it exported."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self.provider = TracerProvider(shutdown_on_exit=False)
        self.provider.add_span_processor(SimpleSpanProcessor(self._exporter))

    def taken(self) -> tuple[ReadableSpan, ...]:
        """Return the spans in the order they ended, and forget them."""
        found: tuple[ReadableSpan, ...] = self._exporter.get_finished_spans()
        self._exporter.clear()
        return found


@pytest.fixture
def spans() -> Spans:
    return Spans()


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Memory]:
    """A home without spans."""
    with open_memory(tmp_path / "home") as memory:
        yield memory


@pytest.fixture
def memory(plain: Memory, spans: Spans) -> Memory:
    """The same home with spans."""
    return traced(plain, spans.provider, hash_key=KEY)


def told(span: ReadableSpan) -> dict[str, Any]:
    """Return what a span tells, without what every span tells."""
    attributes = dict(span.attributes or {})
    function = str(attributes.pop("code.function.name")).rpartition(".")[2]
    assert attributes.pop("gen_ai.provider.name") == "ethos_memory"
    assert attributes.pop("gen_ai.operation.name") == span.name
    assert span.kind is SpanKind.INTERNAL
    return {
        "function": function,
        "operation": span.name,
        **{
            name.removeprefix("gen_ai.memory."): attributes[name] for name in attributes
        },
    }


def only(spans: Spans) -> dict[str, Any]:
    """Return what the one span tells."""
    (span,) = spans.taken()
    return told(span)


def test_a_recall_and_what_it_reads(memory: Memory, spans: Spans) -> None:
    """One span over the calls of DESIGN section 8, each with its place and count."""
    memory.provider.sync(OPS, [Add("MEMORY.md", "- The roof leaks.")])
    spans.taken()
    recalled = memory.recall(DIRECT)
    assert recalled.sources
    found = spans.taken()
    *calls, root = found
    assert root.parent is None
    assert all(span.parent == root.context for span in calls)
    assert {str((span.attributes or {})["code.function.name"]) for span in found} == {
        "ethos_memory.memory.Memory.recall",
        "ethos_memory.providers.guarded.GuardedProvider.prefetch",
        "ethos_memory.providers.guarded.GuardedProvider.read",
    }
    store = told(calls[0])["store.id"]
    assert [told(span) for span in found] == [
        {
            "function": "read",
            "operation": "search_memory",
            "store.id": store,
            "record.id": page,
            "record.count": 0,
        }
        for page in ("USER.md", "IDENTITY.md")
    ] + [
        {
            "function": "read",
            "operation": "search_memory",
            "store.id": OPS,
            "record.id": "USER.md",
            "record.count": 0,
        },
        {
            "function": "prefetch",
            "operation": "search_memory",
            "store.id": OPS,
            "record.count": 1,
        },
        {"function": "recall", "operation": "search_memory", "record.count": 1},
    ]


def test_a_write_and_what_it_calls(memory: Memory, spans: Spans) -> None:
    """The write has the page, the provider's call also whose it is."""
    memory.remember(DIRECT, Add("USER.md", "- likes tea"))
    sync, root = (told(span) for span in spans.taken())
    assert root == {
        "function": "remember",
        "operation": "upsert_memory",
        "record.id": "USER.md",
        "record.count": 1,
    }
    assert sync.pop("store.id").startswith("user:")
    assert sync == {**root, "function": "sync"}


@pytest.mark.parametrize(
    ("batch", "operation", "count"),
    [
        ([Add("a.md", "x")], "upsert_memory", 1),
        ([Add("a.md", " ")], "upsert_memory", 0),
        ([Replace("a.md", "x")], "upsert_memory", 1),
        ([Replace("b.md", "x", if_revision="")], "create_memory", 1),
        ([Remove("a.md", "one")], "update_memory", 1),
        ([Remove("a.md", "none")], "update_memory", 0),
        ([Delete("a.md")], "delete_memory", 1),
        ([Add("a.md", "x"), Add("a.md", "y")], "upsert_memory", 1),
        ([Add("a.md", "x"), Delete("a.md")], "upsert_memory", 1),
        ([], "upsert_memory", 0),
    ],
)
def test_a_batch_is_named_by_what_it_does(
    memory: Memory, spans: Spans, batch: list[Any], operation: str, count: int
) -> None:
    """A mixed one may create as well as change."""
    memory.provider.sync(OPS, [Add("a.md", "one\ntwo")])
    spans.taken()
    memory.provider.sync(OPS, iter(batch))
    found = only(spans)
    assert (found["operation"], found["record.count"]) == (operation, count)
    assert ("record.id" in found) == bool(batch)


def test_a_change_of_a_known_page_is_an_update(memory: Memory, spans: Spans) -> None:
    """As the conventions have it; two pages of one batch have no id."""
    report = memory.provider.sync(OPS, [Add("a.md", "x")])
    spans.taken()
    known = Replace("a.md", "y", if_revision=report.changes[0].revision_after)
    memory.provider.sync(OPS, [known])
    assert only(spans)["operation"] == "update_memory"
    memory.provider.sync(OPS, [Delete("a.md"), Delete("b.md")])
    found = only(spans)
    assert (found["operation"], found["record.count"]) == ("delete_memory", 1)
    assert "record.id" not in found


CALLS: dict[str, tuple[Callable[[GuardedProvider], object], str, int | None]] = {
    "prefetch": (lambda it: it.prefetch(OPS), "search_memory", 1),
    "read": (lambda it: it.read(OPS, "MEMORY.md"), "search_memory", 1),
    "unsafe_read": (lambda it: it.unsafe_read(OPS, "none.md"), "search_memory", 0),
    "search": (lambda it: it.search(OPS, "roof", limit=5), "search_memory", 2),
    "list": (lambda it: it.list(OPS, summaries=True), "search_memory", 2),
    "sync": (lambda it: it.sync(OPS, [Add("a.md", "x")]), "upsert_memory", 1),
    "edit": (
        lambda it: it.edit(OPS, "a.md", lambda page: [Cut(0, 0, "so ")]),
        "update_memory",
        1,
    ),
    "move": (lambda it: it.move(OPS, {"a.md": "b.md"}), "upsert_memory", 2),
    "history": (lambda it: it.history(OPS), "search_memory", 2),
    "inspect_history": (lambda it: it.inspect_history(OPS), "search_memory", 2),
    "erase": (lambda it: it.erase(OPS), "delete_memory_store", None),
    "restore": (
        lambda it: it.restore(OPS, "a.md", it.history(OPS, "a.md")[0].revision),
        "upsert_memory",
        0,
    ),
    "files": (lambda it: it.files(OPS), "search_memory", None),
    "unsafe_copy_files": (
        lambda it: it.unsafe_copy_files(OPS, lambda name, text: None),
        "search_memory",
        None,
    ),
}


WRITES = frozenset({"sync", "edit", "move", "erase", "restore"})


@pytest.mark.parametrize("name", CALLS)
def test_every_call_of_the_provider_has_one_span(
    plain: Memory, memory: Memory, spans: Spans, name: str
) -> None:
    """With the answer that the provider without spans gives."""
    notes = [Add("MEMORY.md", "the roof"), Add("a.md", "a roof")]
    plain.provider.sync(OPS, notes)
    made, operation, count = CALLS[name]
    wanted = plain.provider if name not in WRITES else None
    answer = made(memory.provider)
    found = told(spans.taken()[-1])
    assert (found["function"], found["operation"]) == (name, operation)
    assert found["store.id"] == OPS
    assert found.get("record.count") == count
    assert wanted is None or answer == made(wanted)


def test_no_call_is_left_out() -> None:
    """A new one of the provider gets a span."""
    public = {
        name
        for name, _ in inspect.getmembers(GuardedProvider, inspect.isfunction)
        if not name.startswith("_")
    }
    assert public == {*CALLS, "close"}


def test_an_error_is_its_class_and_nothing_else(memory: Memory, spans: Spans) -> None:
    """No event, no description: both would hold the message."""
    with pytest.raises(GuardRefusedError):
        memory.remember(CLI, Add("MEMORY.md", ATTACK))
    with pytest.raises(NotPermittedError):
        memory.remember(CLI, Add("a.md", "x"))
    with pytest.raises(InvalidScopeError):
        memory.provider.read("no scope", "a.md")
    *refused, hidden, invalid = spans.taken()
    assert [told(span)["error.type"] for span in refused] == ["GuardRefusedError"] * 2
    assert told(hidden) == {
        "function": "remember",
        "operation": "upsert_memory",
        "error.type": "NotPermittedError",
    }
    assert told(invalid) == {
        "function": "read",
        "operation": "search_memory",
        "error.type": "InvalidScopeError",
    }
    for span in (*refused, hidden, invalid):
        assert span.events == ()
        assert span.status.status_code is StatusCode.ERROR
        assert span.status.description is None


def test_what_a_recall_could_not_read_is_told(memory: Memory, spans: Spans) -> None:
    """It costs no turn, so it is no error of the recall."""
    inner = memory.provider
    memory.provider = GuardedProvider(Broken(), inner._guard)
    assert memory.recall(CLI).errors
    (root,) = spans.taken()
    assert root.status.status_code is StatusCode.UNSET
    assert told(root)["ethos_memory.recall.error_types"] == ("OSError",) * 3
    memory.provider = inner


class Broken(TransientProvider):
    """Reads nothing, and says something private."""

    @override
    def read(self, *_: object) -> Any:
        raise OSError("private")

    @override
    def prefetch(self, *_: object) -> Any:
        raise OSError("private")


@pytest.mark.parametrize(
    ("scope", "shown"),
    [
        ("personality:ops", "personality:ops"),
        ("user:491701234567", "user:"),
        ("team:acme", "team:"),
        ("anna:1", ""),
    ],
)
def test_whose_memory_is_a_keyed_hash_but_for_a_role(
    plain: Memory, spans: Spans, scope: str, shown: str
) -> None:
    """The same with the same key, another with another, whichever memory it is."""

    def store(**key: bytes) -> str:
        memory = traced(plain, spans.provider, **key)
        with contextlib.suppress(EthosMemoryError):
            memory.provider.list(scope)
        return str(only(spans)["store.id"])

    one, same, other, random = (
        store(hash_key=KEY),
        store(hash_key=KEY),
        store(hash_key=b"another"),
        store(),
    )
    assert one == same
    if shown == scope:
        assert one == other == random == scope
        return
    assert len({one, other, random}) == 3
    assert one.startswith(shown)
    assert len(one) == len(shown) + 16


def test_a_host_can_tell_whose_a_hash_is(memory: Memory, spans: Spans) -> None:
    """By the recipe of the docstring."""
    from hashlib import blake2b

    def digest(text: str) -> str:
        return blake2b(text.encode(), digest_size=8, key=KEY).hexdigest()

    memory.provider.read(USER, "a.md")
    found = only(spans)
    assert found["store.id"] == f"user:{digest(USER)}"
    assert found["record.id"] == digest(f"{USER}\na.md")


@pytest.mark.parametrize("key", [b"", b"x" * 65])
def test_a_bad_key_is_refused(plain: Memory, key: bytes) -> None:
    """Before anything is traced."""
    with pytest.raises(ValueError, match="key"):
        traced(plain, hash_key=key)


def test_bad_names_are_in_no_span(memory: Memory, spans: Spans) -> None:
    """Whoever sent them; the call refuses them as ever."""
    odd: Any = 7
    for scope, key in ((USER, "../secret"), ("secret", "a.md"), (odd, "a.md")):
        with pytest.raises((EthosMemoryError, TypeError)):
            memory.provider.read(scope, key)
    with pytest.raises(TypeError):
        memory.provider.read(USER, odd)
    stores = [told(span).get("store.id") for span in spans.taken()]
    assert [store is not None for store in stores] == [True, False, False, True]


def test_teams_have_spans_too(memory: Memory, spans: Spans) -> None:
    """And know their own scopes only, as ever."""
    memory.teams.sync("team:red", [Add("MEMORY.md", "x")])
    assert only(spans)["function"] == "sync"
    assert isinstance(memory.teams, GuardedProvider)


def test_a_memory_without_a_home_has_no_teams(plain: Memory, spans: Spans) -> None:
    """It has what it had."""
    guarded = GuardedProvider(TransientProvider(), plain.provider._guard)
    bare = Memory(
        guarded,
        plain.identity_map,
        audience=plain.audience,
        config=plain.config,
    )
    memory = traced(bare, spans.provider)
    for ask in (lambda: memory.teams, lambda: memory.sessions):
        with pytest.raises(UnsupportedError):
            ask()
    memory.remember(CLI, Add("MEMORY.md", "x"))
    assert bare.provider.read(OPS, "MEMORY.md") is not None


def test_optional_abilities_stay(memory: Memory) -> None:
    """Those that the provider has; the five calls alone are enough."""
    assert isinstance(memory.provider, SupportsHistory)
    assert isinstance(memory.provider, SupportsErase)
    assert memory.provider._inner is not None


class Five:
    """The five methods and no other."""

    def __init__(self) -> None:
        inner = TransientProvider()
        self.prefetch = inner.prefetch
        self.read = inner.read
        self.search = inner.search
        self.sync = inner.sync
        self.list = inner.list


def test_five_methods_are_enough(tmp_path: Path, spans: Spans) -> None:
    """What the provider has not is refused as without spans, and seen."""
    with traced(open_memory(tmp_path, provider=Five()), spans.provider) as memory:
        memory.remember(CLI, Add("MEMORY.md", "x"))
        assert memory.recall(CLI).block
        spans.taken()
        for ask in (
            lambda: memory.provider.history(OPS),
            lambda: memory.provider.erase(OPS),
            lambda: memory.provider.files(OPS),
        ):
            with pytest.raises(UnsupportedError):
                ask()
            assert only(spans)["error.type"] == "UnsupportedError"


@pytest.mark.parametrize("backend", ["markdown", "vault"])
def test_whatever_the_config_names(tmp_path: Path, spans: Spans, backend: str) -> None:
    """The backend never knows."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "vault").mkdir()
    vault = f"memoryVault:\n  path: {tmp_path / 'vault'}\n"
    (home / "config.yaml").write_text(f"memory: {backend}\n{vault}")
    with traced(open_memory(home), spans.provider) as memory:
        memory.remember(CLI, Add("MEMORY.md", "- the roof"))
        assert "the roof" in memory.recall(CLI).block
    assert {span.name for span in spans.taken()} == {"search_memory", "upsert_memory"}


def test_tools_files_dashboard_and_a_person(
    memory: Memory, spans: Spans, tmp_path: Path
) -> None:
    """Whatever is built over the result leaves spans."""
    call(memory, DIRECT, "memory_write", store="user", action="add", content="x")
    assert {"sync"} <= {told(span)["function"] for span in spans.taken()}
    Files(memory, CLI).run({"command": "view", "path": "/memories"})
    assert only(spans)["function"] == "list"
    board = Dashboard(memory, owner=USER)
    board.memory.get("user", "ops", user_id="u1")
    assert {told(span)["function"] for span in spans.taken()} == {"unsafe_read"}
    memory.observe(DIRECT, "Please always answer in German.")
    assert spans.taken()
    memory.export("u1", tmp_path / "out")
    assert "unsafe_copy_files" in {told(span)["function"] for span in spans.taken()}
    memory.forget("u1")
    assert "delete_memory_store" in {span.name for span in spans.taken()}


def test_a_thread_keeps_the_hosts_span(memory: Memory, spans: Spans) -> None:
    """An `AsyncMemory` works in threads; two turns at once keep apart."""
    tracer = spans.provider.get_tracer("host")

    async def turn(name: str) -> None:
        with tracer.start_as_current_span(name):
            await AsyncMemory(memory).recall(CLI)

    async def both() -> None:
        await asyncio.gather(turn("one"), turn("two"))

    asyncio.run(both())
    found = spans.taken()
    by_id = {span.context.span_id: span for span in found if span.context}
    recalls = [span for span in found if _function(span) == "recall"]
    parents = [by_id[span.parent.span_id] for span in recalls if span.parent]
    assert sorted(span.name for span in parents) == ["one", "two"]
    for span in found:
        if _function(span) in {"prefetch", "read"}:
            assert span.parent
            assert _function(by_id[span.parent.span_id]) == "recall"


def _function(span: ReadableSpan) -> str:
    name = (span.attributes or {}).get("code.function.name", "")
    return str(name).rpartition(".")[2]


def test_without_an_sdk_nothing_is_current(plain: Memory) -> None:
    """And everything works."""
    seen = []

    class Looking(TransientProvider):
        @override
        def read(self, *args: Any) -> Any:
            seen.append(trace.get_current_span().is_recording())
            return super().read(*args)

    plain.provider = GuardedProvider(Looking(), plain.provider._guard)
    memory = traced(plain)
    memory.remember(CLI, Add("USER.md", "- likes tea"))
    assert "likes tea" in memory.recall(CLI).block
    with pytest.raises(NotPermittedError):
        memory.remember(CLI, Add("a.md", "x"))
    assert not any(seen)
    assert not trace.get_current_span().get_span_context().is_valid


def test_the_global_provider_may_be_set_later(
    plain: Memory, spans: Spans, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As hosts set up in any order."""
    memory = traced(plain)
    memory.recall(CLI)
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", spans.provider)
    memory.recall(CLI)
    assert [_function(span) for span in spans.taken()].count("recall") == 1


class OnlyLater:
    """Drops the first root, and takes what would begin a trace after it."""

    def __init__(self) -> None:
        self.is_first = True

    def should_sample(self, *_: object, **__: object) -> SamplingResult:
        decision = Decision.DROP if self.is_first else Decision.RECORD_AND_SAMPLE
        self.is_first = False
        return SamplingResult(decision)

    def get_description(self) -> str:
        return "only later"


def test_a_trace_that_is_not_sampled_stays_so(plain: Memory, spans: Spans) -> None:
    """The calls below a recall that is left out begin no trace of their own."""
    later: Any = OnlyLater()
    spans.provider.sampler = ParentBased(later)
    memory = traced(plain, spans.provider)
    memory.recall(CLI)
    assert spans.taken() == ()
    memory.recall(CLI)
    assert spans.taken()


def test_it_is_the_same_memory(tmp_path: Path, spans: Spans) -> None:
    """One store of conversations, opened once; closing either closes both."""
    plain = open_memory(tmp_path / "home")
    memory = traced(plain, spans.provider)
    assert memory.sessions is plain.sessions
    memory.sessions.for_owner("user:u1").create("s1")
    memory.close()
    memory.provider.close()
    with pytest.raises(ValueError, match="closed"):
        plain.sessions.for_owner("user:u1").create("s2")
    plain.close()


class Closing(TransientProvider):
    """Counts how often it is closed."""

    closed = 0

    def close(self) -> None:
        self.closed += 1


def test_closing_the_provider_closes_the_one_inside(plain: Memory) -> None:
    """As a guarded provider does, also at the end of a block."""
    inner = Closing()
    plain.provider = GuardedProvider(inner, plain.provider._guard)
    with traced(plain).provider:
        assert inner.closed == 0
    assert inner.closed == 1


def test_a_shared_session_stays_shared(memory: Memory) -> None:
    """The mark of a conversation counts, as without spans."""
    sessions = memory.sessions.for_owner("user:u1")
    session = sessions.create("s1")
    sessions.update(session.id, was_shared=True)
    turn = Turn("ops", "cli", session_id=session.id)
    with pytest.raises(NotPermittedError):
        memory.remember(turn, Add("MEMORY.md", "x"))


#: Nothing that a span's own words could hold.
ID = st.text(alphabet="QXZWVKJ739_", min_size=8, max_size=24)
TEXT = st.text(alphabet="QXZWVKJ739 ÄßЖ項🎉\n-#<>", min_size=8).filter(str.strip)
OWNERS = AudiencePolicy(owners={"telegram": 1})


@settings(max_examples=25, deadline=None)
@given(id=ID, text=TEXT)
def test_nothing_private_is_ever_exported(id: str, text: str) -> None:
    """Content, query, page, person, account, label, session, error: on every path."""
    spans = Spans()

    class Talking(TransientProvider):
        @override
        def search(self, *_: object, **__: object) -> Any:
            raise RuntimeError(id, text)

    turn = Turn(
        "ops",
        "direct",
        account=Account("telegram", id, display_label=text),
        user_id=id,
        chat_id=id,
        session_id=id,
    )
    owner = Turn("ops", "web", user_id=id)
    provider = Talking()
    with Memory.open("/nowhere/home", provider=provider, audience=OWNERS) as plain:
        plain._teams = GuardedProvider(TransientProvider(), plain.provider._guard)
        memory = traced(plain, spans.provider)
        page = f"{id}.md"
        calls: list[Callable[[], object]] = [
            lambda: memory.recall(owner, text),
            lambda: memory.remember(turn, Add("USER.md", text)),
            lambda: memory.remember(turn, Add("USER.md", f"{ATTACK} {text}")),
            lambda: memory.remember(turn, Add(page, text)),
            lambda: memory.note(turn, text),
            lambda: Files(memory, owner).run(
                {"command": "create", "path": f"/memories/{id}.md", "file_text": text}
            ),
            lambda: Files(memory, owner).run({"command": "view", "path": text}),
            lambda: Files(memory, owner).clear(),
            lambda: call(memory, owner, "memory_search", query=text),
            lambda: Dashboard(memory, owner=f"user:{id}").memory.write(
                "user", "ops", content=text, user_id=id, if_revision="0"
            ),
        ]
        for scope in (f"user:{id}", f"team:{id}", f"x:{id}", id, text, OPS):
            for one in (memory.provider, memory.teams):
                calls += _everything(one, scope, page, text)
        for made in calls:
            with contextlib.suppress(Exception):
                made()
        memory.recall(owner, text)
    found = spans.taken()
    assert len(found) > 100
    for span in found:
        assert span.events == ()
        assert span.status.description is None
        exported = repr([span.name, list((span.attributes or {}).items())])
        assert id not in exported
        assert text not in exported
        assert all(word not in exported for word in text.split() if len(word) > 7)


def _everything(
    provider: GuardedProvider, scope: str, page: str, text: str
) -> list[Callable[[], object]]:
    """Return every call of a provider, with private names and text."""
    return [
        lambda: provider.sync(scope, [Add(page, text)]),
        lambda: provider.sync(scope, [Replace(page, text, if_revision="other")]),
        lambda: provider.sync(scope, [Remove(page, text)]),
        lambda: provider.sync(scope, [Delete(page), Delete("MEMORY.md")]),
        lambda: provider.edit(scope, page, lambda seen: [Cut(0, 0, text)]),
        lambda: provider.move(scope, {page: f"a{page}", text: page}),
        lambda: provider.read(scope, page),
        lambda: provider.read(scope, text),
        lambda: provider.unsafe_read(scope, page),
        lambda: provider.prefetch(scope),
        lambda: provider.search(scope, text),
        lambda: provider.list(scope, summaries=True),
        lambda: provider.history(scope, page),
        lambda: provider.inspect_history(scope, text),
        lambda: provider.restore(scope, page, text),
        lambda: provider.files(scope),
        lambda: provider.unsafe_copy_files(scope, lambda name, data: None),
        lambda: provider.erase(scope),
    ]


def test_a_conflict_holds_the_page_and_no_span_does(
    memory: Memory, spans: Spans
) -> None:
    """The error that a caller gets is whole."""
    memory.provider.sync(OPS, [Add("MEMORY.md", "private")])
    with pytest.raises(RevisionConflictError) as caught:
        memory.provider.sync(OPS, [Replace("MEMORY.md", "x", if_revision="")])
    assert caught.value.content == "private\n"
    assert "private" not in "".join(span.to_json() for span in spans.taken())
