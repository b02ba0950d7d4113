"""The longest part of a conversation that a model server accepts.

What is stored is what happened: people write twice, runs crash between a call and its
result. A model server wants every call answered and every answer called for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ethos_memory.sessions.record import Message

__all__ = ["transcript"]

#: Where the servers' formats keep the id of a call.
_ID_NAMES: Final = ("id", "call_id", "tool_call_id")

#: The content block of a call, in Anthropic's format.
_CALL_BLOCK: Final = "tool_use"


@frozen
class _Exchange:
    """A message that is no tool result, with the results that follow at once."""

    head: Message | None
    results: tuple[Message, ...]


def transcript(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return what a model may be sent: no call is open, no result is an orphan.

    A call without a result is left out, of `tool_calls` and of the ``tool_use`` blocks
    in `content_blocks`; a message that held nothing else goes with it. So does a
    result that answers no call, or one that was answered already. A result and a call
    without an id belong together by their order. Everything else stays, in order.

    Args:
        messages: In the order they were said; for example a page's items.

    Returns:
        The same values, or changed copies. Nothing that is stored is touched.
    """
    return tuple(
        message for exchange in _exchanges(messages) for message in _answered(exchange)
    )


def _exchanges(messages: Iterable[Message]) -> Iterator[_Exchange]:
    head: Message | None = None
    results: list[Message] = []
    for message in messages:
        if message.role == "tool_result":
            results.append(message)
            continue
        yield _Exchange(head, tuple(results))
        head, results = message, []
    yield _Exchange(head, tuple(results))


def _answered(exchange: _Exchange) -> Iterator[Message]:
    head = exchange.head
    if head is None:
        return
    if head.role != "assistant":
        yield head
        return
    open_calls = _calls(head)
    kept: list[Message] = []
    for result in exchange.results:
        if result.tool_call_id in open_calls:
            open_calls.remove(result.tool_call_id)
            kept.append(result)
    closed = _without(head, open_calls)
    if closed is not None:
        yield closed
        yield from kept


def _calls(message: Message) -> list[str | None]:
    """Return the ids of a message's calls, each once; `None` for one without."""
    ids = [_call_id(call) for call in message.tool_calls or ()]
    blocks = (
        _call_id(block) for block in message.content_blocks or () if _is_call(block)
    )
    return [*ids, *(id for id in blocks if id not in ids)]


def _call_id(call: Any) -> str | None:
    if not isinstance(call, dict):
        return None
    found = (call[name] for name in _ID_NAMES if isinstance(call.get(name), str))
    return next(found, None)


def _is_call(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == _CALL_BLOCK


def _without(message: Message, open_calls: list[str | None]) -> Message | None:
    """Return a message without its open calls; `None` when nothing is left of it."""
    if not open_calls:
        return message
    calls = _closed(message.tool_calls, open_calls)
    blocks = _closed(message.content_blocks, open_calls, among=_is_call)
    if not (calls or blocks or message.content.strip()):
        return None
    return evolve(message, tool_calls=calls, content_blocks=blocks)


def _anything(_: Any) -> bool:
    return True


def _closed(
    items: tuple[Any, ...] | None,
    open_calls: list[str | None],
    *,
    among: Callable[[Any], bool] = _anything,
) -> tuple[Any, ...] | None:
    """Leave the open calls out; `None` when nothing is left."""
    left = list(open_calls)
    kept: list[Any] = []
    # From the end: of calls without ids, the first ones were answered.
    for item in reversed(items or ()):
        if among(item) and _call_id(item) in left:
            left.remove(_call_id(item))
        else:
            kept.append(item)
    return tuple(reversed(kept)) or None
