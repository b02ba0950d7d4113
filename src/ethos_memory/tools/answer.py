"""A tool and its answer: always text for a model, and a code when it was refused."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from attrs import field, frozen
from typing_extensions import override

from ethos_memory.errors import (
    DurabilityUnknownError,
    EthosMemoryError,
    GuardRefusedError,
    InvalidCursorError,
    InvalidNameError,
    NotPermittedError,
    RevisionConflictError,
    ScopeLockedError,
    SessionNotFoundError,
    StoreLockedError,
    UnsupportedError,
)
from ethos_memory.providers.guarded_refusal import HIDDEN_RULE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["Declined", "ErrorCode", "Tool", "ToolAnswer", "answered", "unhidden"]

#: Why a call was not done; Ethos's four.
ErrorCode: TypeAlias = Literal[
    "input_invalid", "not_available", "execution_failed", "STALE_WRITE"
]

#: What an error means for a model. Own sentences: a message can hold a host's path.
_SENTENCES: Final[
    tuple[tuple[tuple[type[EthosMemoryError], ...], ErrorCode, str], ...]
] = (
    (
        (RevisionConflictError,),
        "STALE_WRITE",
        "The page changed meanwhile. Nothing was written; read it again.",
    ),
    ((NotPermittedError,), "not_available", "This is not available here."),
    ((SessionNotFoundError,), "not_available", "There is no such conversation."),
    (
        (DurabilityUnknownError,),
        "execution_failed",
        "Written, but the disk did not confirm that it will stay. Do not repeat it.",
    ),
    (
        (ScopeLockedError, StoreLockedError),
        "execution_failed",
        "Another writer is at work. Try again.",
    ),
)

#: Their messages are made for whoever called, and hold nothing that was remembered.
_SPOKEN: Final[tuple[tuple[type[EthosMemoryError], ErrorCode], ...]] = (
    (GuardRefusedError, "input_invalid"),
    (InvalidNameError, "input_invalid"),
    (InvalidCursorError, "input_invalid"),
    (UnsupportedError, "not_available"),
)


class Declined(Exception):  # noqa: N818 - no error of the library: it becomes an answer
    """A tool does not do what was asked, and says why.

    Attributes:
        text: For the model.
        code: Why.
    """

    def __init__(self, text: str, code: ErrorCode = "input_invalid") -> None:
        super().__init__(code)
        self.text = text
        self.code: ErrorCode = code


@frozen
class ToolAnswer:
    """What a model is told.

    Attributes:
        text: The answer, or why there is none; `str` of it is this text. Private.
        error: `None` when it was done; else ``input_invalid`` (ask differently),
            ``not_available`` (not here), ``STALE_WRITE`` (read again first) or
            ``execution_failed``.
    """

    text: str = field(repr=False)
    error: ErrorCode | None = None

    @override
    def __str__(self) -> str:
        return self.text


@frozen
class Tool:
    """One function for a model.

    Attributes:
        name: What the model calls.
        description: What it is told about it.
        parameters: A JSON schema of an object, JSON-ready.
        run: Takes the arguments as parsed JSON, checks them against `parameters`, and
            returns a `ToolAnswer`. What this library raises becomes an answer; what a
            host's own provider raises comes through.
        writes: Whether a call may change what is remembered.
    """

    name: str
    description: str = field(repr=False)
    parameters: Mapping[str, Any] = field(repr=False)
    run: Callable[[Mapping[str, object]], ToolAnswer] = field(repr=False)
    writes: bool = field(default=False, kw_only=True, repr=False)


@contextmanager
def unhidden(text: str) -> Iterator[None]:
    """Say it so when an edit reaches into a line that the model is not shown.

    Raises:
        Declined: With this text.
    """
    is_hidden = False
    try:
        yield
    except GuardRefusedError as refused:
        is_hidden = any(one.rule == HIDDEN_RULE for one in refused.findings)
        if not is_hidden:
            raise
    if is_hidden:
        raise Declined(text)


def answered(call: Callable[[], str]) -> ToolAnswer:
    """Make a call, and put what stops it into words."""
    try:
        return ToolAnswer(call())
    except Declined as declined:
        return ToolAnswer(declined.text, declined.code)
    except EthosMemoryError as error:
        return _explained(error)


def _explained(error: EthosMemoryError) -> ToolAnswer:
    for kind, code in _SPOKEN:
        if isinstance(error, kind):
            return ToolAnswer(f"Nothing was done: {error}", code)
    for kinds, code, sentence in _SENTENCES:
        if isinstance(error, kinds):
            return ToolAnswer(sentence, code)
    kind_name = type(error).__name__
    return ToolAnswer(
        f"Memory could not be read or written ({kind_name}).", "execution_failed"
    )
