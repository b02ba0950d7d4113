"""A LangGraph store: records that people can read, for one turn or for many.

Pass one to ``graph.compile(store=...)``. Who may see what is the turn's: a namespace
names a record inside somebody's memory, and only the host says whose memory that is.
"""

from __future__ import annotations

import asyncio
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from attrs import field, frozen
from typing_extensions import override

from ethos_memory.errors import (
    MissingExtraError,
    NotPermittedError,
    UnsupportedError,
)
from ethos_memory.scope import plain_text
from ethos_memory.tools.record_cache import RecordCache
from ethos_memory.tools.record_page import plain_json
from ethos_memory.tools.record_search import (
    begins_with,
    check_filter,
    ends_with,
    is_wanted,
    ranked,
)
from ethos_memory.tools.records import Records
from ethos_memory.turn import Turn

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        PutOp,
        SearchItem,
        SearchOp,
        validate_op_namespace,
    )
except ImportError:
    raise MissingExtraError("langgraph") from None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ethos_memory.memory import Memory
    from ethos_memory.tools.record_page import Record
    from ethos_memory.tools.records import Name

    TurnOf: TypeAlias = Callable[[tuple[str, ...]], Turn | None]

__all__ = ["MemoryStore"]

_WILDCARD: Final = "*"
_MATCHES: Final = {"prefix": begins_with, "suffix": ends_with}


class MemoryStore(BaseStore):
    """A store for one turn, or for the turns that namespaces belong to.

    Records are in the scope that a turn learns to: the person's, or the personality's
    where no person is known. A turn that may see nothing finds nothing, and may write
    nothing. TTL is not supported; ``index`` is ignored, as the host has it for a store
    without an index: ``query`` looks for words in every field.

    Args:
        memory: An open home; it stays open.
        turn: Whose memory it is. A function is given the namespace of a call, or what a
            search and a listing have in front, and says it; `None` when that names
            nobody. It runs where the call was made from, so it may also ask
            ``langgraph.config.get_config``. A model never says it.
    """

    supports_ttl = False

    def __init__(self, memory: Memory, turn: Turn | TurnOf) -> None:
        self._memory = memory
        self._turn = turn
        self._cache = RecordCache()

    @override
    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """Answer calls in order; what they read is the state before their writes.

        Of several writes of one record the last counts. All are checked before one is
        made; those of one turn are made at once.

        Returns:
            An `Item` or `None` for a get, `SearchItem` and namespaces for a search and
            a listing, `None` for a put.

        Raises:
            InvalidNamespaceError: When a label is empty, no text, or holds a period.
            NotPermittedError: When a namespace names nobody, or a turn that keeps no
                records is to write one.
            GuardRefusedError: When the guard refuses a text; nothing was stored.
            PageTooLargeError: When a record does not fit on a page of 512 KiB.
            UnsupportedError: When a time to live is asked for.
            TypeError: When a value is no JSON.
            ValueError: When a value is no JSON, an operation or operator is unknown, or
                a limit or offset is below 0.
            EthosMemoryError: When memory cannot be read or written.
        """
        calls = _Calls(self._memory, self._turn, self._cache)
        wanted = tuple(ops)
        for op in wanted:
            _check(op)
        results = [calls.answer(op) for op in wanted]
        calls.write(op for op in wanted if isinstance(op, PutOp))
        return results

    @override
    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """Answer calls in a thread; see `batch`."""
        return await asyncio.to_thread(self.batch, tuple(ops))


@frozen
class _Calls:
    """The calls of one batch: a turn's view and records are asked for once."""

    memory: Memory
    turn: Turn | TurnOf = field(repr=False)
    cache: RecordCache = field(repr=False)
    _records: dict[Turn, Records] = field(factory=dict, init=False, repr=False)
    _every: dict[Turn, tuple[Record, ...]] = field(factory=dict, init=False, repr=False)

    def answer(self, op: Any) -> Any:
        match op:
            case GetOp():
                record = self._of(op.namespace).find(_name(op))
                return None if record is None else Item(**_fields(record))
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)
            case _:
                return None

    def write(self, ops: Iterable[Any]) -> None:
        by_turn: dict[Turn, dict[Name, Mapping[str, Any] | None]] = {}
        for op in ops:
            changes = by_turn.setdefault(self._turn_of(op.namespace), {})
            changes[_name(op)] = op.value
        prepared = [
            (self._at(turn), self._at(turn).prepare(changes))
            for turn, changes in by_turn.items()
        ]
        for records, made in prepared:
            records.write(made)

    def _search(self, op: Any) -> list[SearchItem]:
        wanted = op.filter or {}
        found = [
            record
            for record in self._below(op.namespace_prefix)
            if record.namespace[: len(op.namespace_prefix)]
            == tuple(op.namespace_prefix)
            and is_wanted(record.value, wanted)
        ]
        if op.query:
            scored: Sequence[tuple[Record, float | None]] = ranked(found, op.query)
        else:
            scored = [(record, None) for record in _newest_first(found)]
        return [
            SearchItem(**_fields(record), score=score)
            for record, score in scored[op.offset : op.offset + op.limit]
        ]

    def _namespaces(self, op: Any) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        fronts = [
            tuple(takewhile(lambda label: label != _WILDCARD, one.path))
            for one in conditions
            if one.match_type == "prefix"
        ]
        found = {
            record.namespace[: op.max_depth]
            for record in self._below(max(fronts, key=len, default=()))
            if all(
                _MATCHES[one.match_type](record.namespace, one.path)
                for one in conditions
            )
        }
        return sorted(found)[op.offset : op.offset + op.limit]

    def _below(self, namespace: Sequence[str]) -> tuple[Record, ...]:
        turn = self._turn_of(namespace)
        if turn not in self._every:
            self._every[turn] = self._at(turn).every()
        return self._every[turn]

    def _of(self, namespace: Sequence[str]) -> Records:
        return self._at(self._turn_of(namespace))

    def _at(self, turn: Turn) -> Records:
        if turn not in self._records:
            self._records[turn] = Records(self.memory, turn, self.cache)
        return self._records[turn]

    def _turn_of(self, namespace: Sequence[str]) -> Turn:
        if isinstance(self.turn, Turn):
            return self.turn
        turn = self.turn(_labels(namespace))
        if not isinstance(turn, Turn):
            raise NotPermittedError("the namespace does not say whose memory it is")
        return turn


def _check(op: Any) -> None:
    """Check a call before any is answered."""
    if not isinstance(op, GetOp | PutOp | SearchOp | ListNamespacesOp):
        raise ValueError(f"an unknown operation: {type(op).__name__}")  # noqa: TRY004 - as the host
    validate_op_namespace(op)
    if isinstance(op, PutOp) and op.ttl is not None:
        raise UnsupportedError("records have no time to live")
    if isinstance(op, SearchOp):
        check_filter(op.filter or {})
    if isinstance(op, SearchOp | ListNamespacesOp) and min(op.limit, op.offset) < 0:
        raise ValueError("a limit or offset is below 0")
    if isinstance(op, ListNamespacesOp):
        for one in op.match_conditions or ():
            if one.match_type not in _MATCHES:
                raise ValueError("a condition is neither a prefix nor a suffix")


def _labels(namespace: Sequence[str]) -> tuple[str, ...]:
    return tuple(plain_text(label, what="a label") for label in namespace)


def _name(op: Any) -> Name:
    return _labels(op.namespace), plain_text(op.key, what="a key")


def _newest_first(records: Iterable[Record]) -> Iterator[Record]:
    by_name = sorted(records, key=lambda record: (record.namespace, record.key))
    yield from sorted(by_name, key=lambda record: record.updated_at, reverse=True)


def _fields(record: Record) -> dict[str, Any]:
    return {
        "namespace": record.namespace,
        "key": record.key,
        "value": plain_json(record.value),
        "created_at": record.created_at,
        "updated_at": record.updated_at,
    }
