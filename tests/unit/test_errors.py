"""The exception tree: builtins, attributes, pickles, and no private text."""

from __future__ import annotations

import errno
import inspect
import pickle

import pytest

from ethos_memory import errors
from ethos_memory.errors import EthosMemoryError
from ethos_memory.verdict import Finding

#: A stand-in for what was remembered.
SECRET = "PRIVATE-TEXT"

FINDING = Finding(
    "override.x",
    "override",
    action="withhold",
    line=1,
    start=0,
    end=1,
    fingerprint="",
    reason="r",
)

SAMPLES: tuple[tuple[EthosMemoryError, type[Exception]], ...] = (
    (errors.InvalidScopeError("x/y", "r"), ValueError),
    (errors.UnknownScopeError("team:x", "r"), LookupError),
    (errors.UnknownScopeError("team:x", "r"), errors.InvalidScopeError),
    (errors.InvalidKeyError("x/y", "r"), ValueError),
    (errors.InvalidAccountError(SECRET, "the account id is padded"), ValueError),
    (errors.UnsafePathError("/r/x", "a link"), OSError),
    (errors.PageTooLargeError("/r/x", size=3, limit=2), OSError),
    (errors.NotWrittenError("/r/x", cause=OSError(errno.ENOSPC, "full")), OSError),
    (errors.DurabilityUnknownError("/r", cause=OSError(errno.EIO, "io")), OSError),
    (errors.CorruptFileError("/r/x", "not JSON"), ValueError),
    (
        errors.RevisionConflictError("user:a", "USER.md", revision="f", content=SECRET),
        RuntimeError,
    ),
    (errors.GuardRefusedError((FINDING, FINDING)), ValueError),
    (errors.NotPermittedError("a group"), PermissionError),
    (errors.ScopeLockedError("/r/x", waited_seconds=30.0), TimeoutError),
    (errors.SessionNotFoundError("no such session"), LookupError),
    (errors.MessageOrderError("orphan"), ValueError),
    (errors.InvalidCursorError("cursor"), ValueError),
    (errors.StoreLockedError("/r/db", waited_seconds=5.0), TimeoutError),
    (errors.NewerFormatError("/r/db", found=9, supported=1), RuntimeError),
    (errors.UnsupportedError("not yet"), NotImplementedError),
    (errors.MissingExtraError("postgres"), ImportError),
)


@pytest.mark.parametrize(("error", "builtin"), SAMPLES)
def test_an_error_is_under_the_root_and_its_builtin(
    error: EthosMemoryError, builtin: type[Exception]
) -> None:
    """A caller catches everything of ours, or what Python would raise."""
    assert isinstance(error, EthosMemoryError)
    assert isinstance(error, builtin)


@pytest.mark.parametrize(("error", "builtin"), SAMPLES)
def test_an_error_survives_a_pickle_with_its_attributes(
    error: EthosMemoryError, builtin: type[Exception]
) -> None:
    """Errors cross processes: nothing but identity may be lost."""
    error.written = ("MEMORY.md",)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (str(copy), repr(copy)) == (str(error), repr(error))
    assert copy.__dict__ == error.__dict__
    assert getattr(copy, "errno", None) == getattr(error, "errno", None)


@pytest.mark.parametrize(("error", "builtin"), SAMPLES)
def test_no_message_or_repr_holds_private_text(
    error: EthosMemoryError, builtin: type[Exception]
) -> None:
    """What was remembered, and account ids, stand in attributes at most."""
    assert SECRET not in str(error)
    assert SECRET not in repr(error)
    assert SECRET not in repr(error.args)


def test_every_class_has_a_sample_and_is_public() -> None:
    """A new class must come with its builtin, its pickle and its place in `__all__`."""
    classes = {
        name: member
        for name, member in inspect.getmembers(errors, inspect.isclass)
        if issubclass(member, EthosMemoryError)
    }
    assert sorted(classes) == sorted(errors.__all__)
    sampled = {type(error).__name__ for error, _ in SAMPLES}
    assert set(classes) - sampled == {"EthosMemoryError", "InvalidNameError"}


def test_every_class_stands_in_the_drawn_tree() -> None:
    """The module's docstring draws the whole tree."""
    assert errors.__doc__ is not None
    for name in errors.__all__:
        assert name in errors.__doc__


def test_errors_carry_what_a_caller_acts_on() -> None:
    """The numbers and texts that decide what to do next."""
    full = errors.NotWrittenError("/r", cause=OSError(errno.ENOSPC, "full"))
    assert full.errno == errno.ENOSPC
    assert full.written == ()
    unknown = errors.DurabilityUnknownError("/r", cause=OSError(errno.EIO, "io"))
    assert unknown.committed is True
    conflict = errors.RevisionConflictError(
        "user:a", "USER.md", revision="f", content=SECRET
    )
    assert conflict.content == SECRET
    refused = errors.GuardRefusedError((FINDING, FINDING))
    assert refused.findings == (FINDING, FINDING)
    assert str(refused) == "refused by the guard: override.x"
