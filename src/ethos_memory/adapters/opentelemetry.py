"""Spans of a memory for OpenTelemetry, and nothing private in them.

Names are those of the GenAI memory conventions, version 0.1.0 (status Development) of
``open-telemetry/semantic-conventions-genai``. The kind is ``INTERNAL``, since memory
works in the host's process. A span never holds what was remembered, asked or found, a
label, an account or a user's id: whose memory it is stands there as a keyed hash.
"""

from __future__ import annotations

import secrets
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from typing_extensions import override

from ethos_memory.disk import History
from ethos_memory.entry import (
    Delete,
    MemoryEntry,
    MemorySnapshot,
    Remove,
    Replace,
    SyncReport,
)
from ethos_memory.errors import MissingExtraError
from ethos_memory.memory import Memory
from ethos_memory.providers.guarded import GuardedProvider
from ethos_memory.scope import PAGES, ScopeId, parse_key

try:
    from opentelemetry import trace
    from opentelemetry.trace import SpanKind, StatusCode
except ImportError:
    raise MissingExtraError("otel") from None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from opentelemetry.trace import Span, TracerProvider

    from ethos_memory.entry import (
        Change,
        EraseReport,
        MemoryEntryRef,
        Origin,
        SearchHit,
        Update,
    )
    from ethos_memory.provider import SearchMode
    from ethos_memory.providers.guarded_edit import Cut
    from ethos_memory.providers.guarded_view import SeenPage
    from ethos_memory.providers.inventory import StoredFile
    from ethos_memory.reading import Recall
    from ethos_memory.sessions import SessionStore
    from ethos_memory.turn import Turn

__all__ = ["traced"]

_Answer: TypeAlias = (
    MemoryEntry | MemorySnapshot | History | SyncReport | tuple[object, ...] | None
)
_T = TypeVar("_T", bound=_Answer)

_NAME: Final = "ethos_memory"

#: The conventions' attributes.
_OPERATION: Final = "gen_ai.operation.name"
_SYSTEM: Final = "gen_ai.provider.name"
_STORE: Final = "gen_ai.memory.store.id"
_RECORD: Final = "gen_ai.memory.record.id"
_COUNT: Final = "gen_ai.memory.record.count"
_ERROR: Final = "error.type"
_FUNCTION: Final = "code.function.name"

#: Ours: the classes of what a recall could not read, which costs no turn.
_UNREAD: Final = "ethos_memory.recall.error_types"

_SEARCH: Final = "search_memory"
_UPDATE: Final = "update_memory"
_UPSERT: Final = "upsert_memory"
_DELETE_STORE: Final = "delete_memory_store"

#: Whose methods are traced.
_MEMORY: Final = "ethos_memory.memory.Memory"
_PROVIDER: Final = "ethos_memory.providers.guarded.GuardedProvider"

#: Bytes of a hash: 64 bits keep a million ids apart, and are as long as a span's id.
_DIGEST_BYTES: Final = 8

#: Bytes of a random key; 256 bits are beyond any search.
_KEY_BYTES: Final = 32


def traced(
    memory: Memory,
    tracer_provider: TracerProvider | None = None,
    *,
    hash_key: bytes | None = None,
) -> Memory:
    """Return the same memory, whose calls leave spans.

    `Memory.recall` and `Memory.remember` have a span each, and so has every call of
    the provider and of the teams' provider that anything makes through the result:
    tools, adapters, a dashboard, an `AsyncMemory`. Backend, guard, conversations and
    accounts are shared with `memory`, which itself stays without spans.

    Args:
        memory: An open home, whatever its backend. Closing the result closes it.
        tracer_provider: Where spans go; without one, the global provider, also one
            that is set later.
        hash_key: Keys the hashes of ids: ``kind:`` and the first 8 bytes, in hex, of
            BLAKE2b over the scope's text, or over scope, line feed and key. Give every
            process the same secret key to follow one person across them. Without one
            it is random, and nobody can tell later whose hash it was.

    Raises:
        ValueError: When the key is empty or longer than 64 bytes.
    """
    if hash_key is not None and not hash_key:
        raise ValueError("an empty hash_key would let anybody test a guess")
    key = secrets.token_bytes(_KEY_BYTES) if hash_key is None else hash_key
    return _TracedMemory(memory, _Spans(tracer_provider, key))


class _Spans:
    """Makes the spans."""

    def __init__(self, tracer_provider: TracerProvider | None, key: bytes) -> None:
        self._tracer = trace.get_tracer(_NAME, tracer_provider=tracer_provider)
        self._hash = partial(blake2b, digest_size=_DIGEST_BYTES, key=key)
        self._hash()  # Refuses a key that is too long.

    @contextmanager
    def over(
        self,
        function: str,
        operation: str,
        scope: ScopeId | str | None = None,
        key: str | None = None,
    ) -> Iterator[Span]:
        """Put a span over a block; of an error it holds the class's name alone."""
        attributes = {_OPERATION: operation, _SYSTEM: _NAME, _FUNCTION: function}
        kind = SpanKind.INTERNAL
        span = self._tracer.start_span(operation, kind=kind, attributes=attributes)
        if not span.get_span_context().is_valid:
            # Nobody traces: to make it current would cost three times as much.
            yield span
            return
        # Both flags would take the error's message.
        with trace.use_span(
            span,
            end_on_exit=True,
            record_exception=False,
            set_status_on_exception=False,
        ):
            try:
                if scope is not None and span.is_recording():
                    self._place(span, scope, key)
                yield span
            except BaseException as error:
                span.set_attribute(_ERROR, type(error).__name__)
                span.set_status(StatusCode.ERROR)
                raise

    def _place(self, span: Span, scope: ScopeId | str, key: str | None) -> None:
        """Note whose memory, and which page when it is one."""
        # A bad name is refused by the call itself, and is anybody's text.
        with suppress(TypeError, ValueError):
            whose = ScopeId.parse(scope)
            span.set_attribute(_STORE, self._store(whose))
            if key is not None:
                span.set_attribute(_RECORD, self._record(whose, parse_key(key)))

    def _store(self, scope: ScopeId) -> str:
        # A role is no person. Any other id may be a login, a telephone or a client.
        if scope.kind == "personality":
            return str(scope)
        hashed = self._hashed(str(scope))
        # Any other kind is a host's own word.
        return f"{scope.kind}:{hashed}" if scope.kind in {"team", "user"} else hashed

    def _record(self, scope: ScopeId, key: str) -> str:
        # Any other name was somebody's choice, and may say as much as a page does.
        return key if key in PAGES else self._hashed(f"{scope}\n{key}")

    def _hashed(self, text: str) -> str:
        return self._hash(text.encode()).hexdigest()


class _TracedProvider(GuardedProvider):
    """A guarded provider whose calls leave spans, each with all that it leads to."""

    def __init__(self, guarded: GuardedProvider, spans: _Spans) -> None:
        super().__init__(guarded._inner, guarded._guard)  # noqa: SLF001 - the same two
        self._guarded = guarded
        self._spans = spans

    @override
    def prefetch(self, scope: ScopeId | str) -> MemorySnapshot:
        return self._call("prefetch", partial(self._guarded.prefetch, scope), scope)

    @override
    def read(self, scope: ScopeId | str, key: str) -> MemoryEntry | None:
        return self._call("read", partial(self._guarded.read, scope, key), scope, key)

    @override
    def unsafe_read(self, scope: ScopeId | str, key: str) -> MemoryEntry | None:
        call = partial(self._guarded.unsafe_read, scope, key)
        return self._call("unsafe_read", call, scope, key)

    @override
    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        call = partial(self._guarded.search, scope, query, limit=limit, mode=mode)
        return self._call("search", call, scope)

    @override
    def list(
        self, scope: ScopeId | str, *, limit: int | None = None, summaries: bool = False
    ) -> tuple[MemoryEntryRef, ...]:
        call = partial(self._guarded.list, scope, limit=limit, summaries=summaries)
        return self._call("list", call, scope)

    @override
    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        batch = tuple(updates)
        call = partial(self._guarded.sync, scope, batch, origin=origin)
        return self._call("sync", call, scope, *_about(batch))

    @override
    def edit(
        self,
        scope: ScopeId | str,
        key: str,
        change: Callable[[SeenPage], Iterable[Cut]],
        *,
        origin: Origin | None = None,
    ) -> SyncReport | None:
        call = partial(self._guarded.edit, scope, key, change, origin=origin)
        return self._call("edit", call, scope, key, _UPDATE)

    @override
    def move(
        self,
        scope: ScopeId | str,
        keys: Mapping[str, str],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        call = partial(self._guarded.move, scope, keys, origin=origin)
        return self._call("move", call, scope, operation=_UPSERT)

    @override
    def history(
        self, scope: ScopeId | str, key: str | None = None
    ) -> tuple[Change, ...]:
        call = partial(self._guarded.history, scope, key)
        return self._call("history", call, scope, key)

    @override
    def inspect_history(
        self, scope: ScopeId | str, key: str | None = None, *, limit: int | None = None
    ) -> History:
        call = partial(self._guarded.inspect_history, scope, key, limit=limit)
        return self._call("inspect_history", call, scope, key)

    @override
    def restore(self, scope: ScopeId | str, key: str, revision: str) -> SyncReport:
        call = partial(self._guarded.restore, scope, key, revision)
        return self._call("restore", call, scope, key, _UPSERT)

    @override
    def erase(self, scope: ScopeId | str) -> EraseReport:
        with self._spans.over(f"{_PROVIDER}.erase", _DELETE_STORE, scope):
            return self._guarded.erase(scope)

    @override
    def files(self, scope: ScopeId | str) -> tuple[StoredFile, ...]:
        # Files are no records: a page is one, its history another.
        with self._spans.over(f"{_PROVIDER}.files", _SEARCH, scope):
            return self._guarded.files(scope)

    @override
    def unsafe_copy_files(
        self, scope: ScopeId | str, take: Callable[[str, bytes], None]
    ) -> None:
        with self._spans.over(f"{_PROVIDER}.unsafe_copy_files", _SEARCH, scope):
            self._guarded.unsafe_copy_files(scope, take)

    @override
    def close(self) -> None:
        self._guarded.close()

    def _call(
        self,
        name: str,
        call: Callable[[], _T],
        scope: ScopeId | str,
        key: str | None = None,
        operation: str = _SEARCH,
    ) -> _T:
        with self._spans.over(f"{_PROVIDER}.{name}", operation, scope, key) as span:
            answer = call()
            _count(span, answer)
            return answer


class _TracedMemory(Memory):
    """A memory whose recalls and writes leave spans."""

    def __init__(self, memory: Memory, spans: _Spans) -> None:
        # Every part of it, also one that a later version adds.
        vars(self).update(vars(memory))
        self._memory = memory
        self._spans = spans
        self.provider = _TracedProvider(memory.provider, spans)
        if memory._teams is not None:  # noqa: SLF001 - its property raises
            self._teams = _TracedProvider(memory.teams, spans)

    @property
    @override
    def sessions(self) -> SessionStore:
        # They are opened at first use, once for both.
        return self._memory.sessions

    @override
    def recall(self, turn: Turn, query: str = "") -> Recall:
        with self._spans.over(f"{_MEMORY}.recall", _SEARCH) as span:
            recalled = super().recall(turn, query)
            if recalled.errors:
                unread = [type(error).__name__ for error in recalled.errors]
                span.set_attribute(_UNREAD, unread)
            _count(span, recalled.sources)
            return recalled

    @override
    def remember(
        self, turn: Turn, update: Update, *, source: str = "tool"
    ) -> SyncReport:
        with self._spans.over(f"{_MEMORY}.remember", _name(update)) as span:
            # Whose page it is, the provider's span says. No other can be written so.
            if update.key in PAGES:
                span.set_attribute(_RECORD, update.key)
            report = super().remember(turn, update, source=source)
            _count(span, report)
            return report

    @override
    def close(self) -> None:
        self._memory.close()


def _count(span: Span, answer: _Answer) -> None:
    """Note how many records an answer holds, or a write changed."""
    match answer:
        case None | MemoryEntry():
            count = int(answer is not None)
        case SyncReport(changes=changes):
            count = sum(change.is_change for change in changes)
        case MemorySnapshot(entries=many) | History(changes=many):
            count = len(many)
        case _:
            count = len(answer)
    span.set_attribute(_COUNT, count)


def _about(batch: tuple[Update, ...]) -> tuple[str | None, str]:
    """Return the page that a batch is about, when it is one, and what it does."""
    keys = {update.key for update in batch}
    names = {_name(update) for update in batch}
    # A mixed batch may create as well as change.
    operation = names.pop() if len(names) == 1 else _UPSERT
    return keys.pop() if len(keys) == 1 else None, operation


def _name(update: Update) -> str:
    match update:
        case Delete():
            return "delete_memory"
        case Replace(if_revision=""):
            return "create_memory"
        case Remove() | Replace(if_revision=str()):
            return _UPDATE
        case _:
            return _UPSERT
