"""`answer`: every error of the library is words for a model, and holds nothing private."""

from __future__ import annotations

import errno

import pytest

from ethos_memory.errors import (
    CorruptFileError,
    DurabilityUnknownError,
    EthosMemoryError,
    GuardRefusedError,
    InvalidCursorError,
    InvalidKeyError,
    NotPermittedError,
    NotWrittenError,
    RevisionConflictError,
    ScopeLockedError,
    SessionNotFoundError,
    StoreLockedError,
    UnsupportedError,
)
from ethos_memory.tools.answer import Declined, Tool, ToolAnswer, answered

PATH = "/home/ana/.ethos/users/u1/USER.md"
FULL = OSError(errno.ENOSPC, "No space left on device")
ERRORS: tuple[tuple[EthosMemoryError, str], ...] = (
    (RevisionConflictError("user:u1", "USER.md", revision="", content="x"), "STALE"),
    (NotPermittedError("why"), "not_available"),
    (SessionNotFoundError("s1"), "not_available"),
    (UnsupportedError("no such mode"), "not_available"),
    (DurabilityUnknownError(PATH, cause=FULL), "execution_failed"),
    (ScopeLockedError(PATH, waited_seconds=30), "execution_failed"),
    (StoreLockedError(PATH, waited_seconds=5), "execution_failed"),
    (NotWrittenError(PATH, cause=FULL), "execution_failed"),
    (CorruptFileError(PATH, "not UTF-8"), "execution_failed"),
    (GuardRefusedError(()), "input_invalid"),
    (InvalidKeyError("../x", "no"), "input_invalid"),
    (InvalidCursorError("damaged"), "input_invalid"),
)


def failing(error: Exception) -> ToolAnswer:
    """Answer a call that raises."""

    def call() -> str:
        raise error

    return answered(call)


def test_an_answer_is_its_text() -> None:
    """And the text is in no `repr`."""
    answer = answered(lambda: "PRIVATE")
    assert (str(answer), answer.text, answer.error) == ("PRIVATE", "PRIVATE", None)
    assert "PRIVATE" not in repr(answer)


@pytest.mark.parametrize(("error", "code"), ERRORS, ids=lambda one: type(one).__name__)
def test_an_error_becomes_a_code_and_a_sentence(
    error: EthosMemoryError, code: str
) -> None:
    """Without the path it stands for."""
    answer = failing(error)
    assert answer.error is not None
    assert answer.error.startswith(code)
    assert answer.text.endswith((".", "no", "mode", "damaged", ": "))
    assert PATH not in answer.text


def test_what_was_written_all_the_same_says_so() -> None:
    """A model that repeated it would store it twice."""
    assert "Do not repeat" in failing(DurabilityUnknownError(PATH, cause=FULL)).text


def test_a_refusal_keeps_its_text_out_of_the_exception() -> None:
    """It can list what is remembered."""
    declined = Declined("PRIVATE", "STALE_WRITE")
    assert "PRIVATE" not in repr(declined)
    assert failing(declined) == ToolAnswer("PRIVATE", "STALE_WRITE")


def test_what_a_host_raises_comes_through() -> None:
    """Its fault is not a model's business."""
    with pytest.raises(RuntimeError):
        failing(RuntimeError("host"))


def test_a_tool_shows_its_name_alone() -> None:
    """Its schema is long."""
    tool = Tool("x", "about", {}, lambda _: ToolAnswer("y"))
    assert repr(tool) == "Tool(name='x')"
