"""The exception tree.

Each class stands under `EthosMemoryError` and under the builtin that a caller would
catch::

    EthosMemoryError
    ├── InvalidNameError             ValueError
    │   ├── InvalidScopeError
    │   │   └── UnknownScopeError    LookupError
    │   ├── InvalidKeyError
    │   └── InvalidAccountError
    ├── UnsafePathError              OSError
    ├── PageTooLargeError            OSError
    ├── NotWrittenError              OSError
    ├── DurabilityUnknownError       OSError
    ├── CorruptFileError             ValueError
    ├── RevisionConflictError        RuntimeError
    ├── GuardRefusedError            ValueError
    ├── NotPermittedError            PermissionError
    ├── ScopeLockedError             TimeoutError
    ├── SessionNotFoundError         LookupError
    ├── MessageOrderError            ValueError
    ├── InvalidCursorError           ValueError
    ├── StoreLockedError             TimeoutError
    ├── NewerFormatError             RuntimeError
    ├── UnsupportedError             NotImplementedError
    └── MissingExtraError            ImportError

What was remembered, and every secret, stays out of messages, `args` and `repr`. An
attribute may hold it where a caller needs it (`RevisionConflictError.content`). All
can be pickled, attributes included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.verdict import Finding

__all__ = [
    "CorruptFileError",
    "DurabilityUnknownError",
    "EthosMemoryError",
    "GuardRefusedError",
    "InvalidAccountError",
    "InvalidCursorError",
    "InvalidKeyError",
    "InvalidNameError",
    "InvalidScopeError",
    "MessageOrderError",
    "MissingExtraError",
    "NewerFormatError",
    "NotPermittedError",
    "NotWrittenError",
    "PageTooLargeError",
    "RevisionConflictError",
    "ScopeLockedError",
    "SessionNotFoundError",
    "StoreLockedError",
    "UnknownScopeError",
    "UnsafePathError",
    "UnsupportedError",
]

#: A hostile name is echoed in part only, and never raw: it could forge a log line.
_ECHOED_CHARACTERS: Final = 80


def _echo(name: str) -> str:
    cut = name[:_ECHOED_CHARACTERS]
    return ascii(cut) + ("…" if len(name) > len(cut) else "")


def _revive(
    kind: type[EthosMemoryError], args: tuple[object, ...], state: dict[str, object]
) -> EthosMemoryError:
    error = kind.__new__(kind)
    error.args = args
    for name, value in state.items():
        setattr(error, name, value)
    return error


class EthosMemoryError(Exception):
    """Whatever this library raises on purpose; never raised itself.

    Attributes:
        written: Keys of the same batch that were written before the error, in order.
    """

    written: tuple[str, ...] = ()

    @override
    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Keep the attributes through a pickle; `Exception` keeps `args` alone."""
        state = dict(self.__dict__)
        if isinstance(self, OSError):
            state["errno"] = self.errno
        return _revive, (type(self), self.args, state)


class InvalidNameError(EthosMemoryError, ValueError):
    """A name is outside its grammar. Nothing was created.

    Attributes:
        name: What was given.
        reason: What a valid name looks like.
    """

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{_echo(name)}: {reason}")
        self.name = name
        self.reason = reason


class InvalidScopeError(InvalidNameError):
    """A scope id is outside the grammar of DESIGN section 4."""


class UnknownScopeError(InvalidScopeError, LookupError):
    """The scope is valid, and this provider has no place for its kind."""


class InvalidKeyError(InvalidNameError):
    """The name of a page is outside the grammar, or no page's."""


class InvalidAccountError(InvalidNameError):
    """A platform name or account id is empty, padded, too long or holds a control character.

    The account id itself is private, and in no message.
    """

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.args: tuple[Any, ...] = (reason,)


class UnsafePathError(EthosMemoryError, OSError):
    """A link, device, pipe or directory stands where a page or folder should.

    Attributes:
        path: The offending path, for a person.
        reason: What it is, and the way out.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class PageTooLargeError(EthosMemoryError, OSError):
    """A page is larger than will be read.

    Attributes:
        path: The page, for a person.
        size: Its size in bytes.
        limit: The most that is read, in bytes.
    """

    def __init__(self, path: str, *, size: int, limit: int) -> None:
        super().__init__(f"{path}: {size} bytes, at most {limit} are read")
        self.path = path
        self.size = size
        self.limit = limit


class NotWrittenError(EthosMemoryError, OSError):
    """The disk refused before anything was replaced: the old text is intact.

    Attributes:
        path: What was to be written.
        errno: The system's error number.
    """

    def __init__(self, path: str, *, cause: OSError) -> None:
        super().__init__(f"{path}: not written ({cause.strerror or cause})")
        self.path = path
        self.errno: int | None = cause.errno


class DurabilityUnknownError(EthosMemoryError, OSError):
    """The new text is visible, but the disk did not confirm that it will stay.

    Attributes:
        path: What was written.
        errno: The system's error number.
        committed: Always true: the change happened, and repeating it is safe for
            everything but an `Add`.
    """

    committed: Literal[True] = True

    def __init__(self, path: str, *, cause: OSError) -> None:
        super().__init__(
            f"{path}: written, but not confirmed by the disk "
            f"({cause.strerror or cause})"
        )
        self.path = path
        self.errno: int | None = cause.errno


class CorruptFileError(EthosMemoryError, ValueError):
    """A file cannot be understood. It was left as it is, and nothing was assumed.

    Attributes:
        path: The file.
        reason: What is wrong with it; never its content.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class RevisionConflictError(EthosMemoryError, RuntimeError):
    """The page is no longer at the revision the caller saw. Nothing was written.

    Attributes:
        scope: The scope id as text.
        key: The page.
        revision: The current revision; ``""`` when there is no page.
        content: The current text, `None` when there is no page. Private.
    """

    def __init__(
        self, scope: str, key: str, *, revision: str, content: str | None
    ) -> None:
        super().__init__(f"{scope} {key}: changed meanwhile; read it again")
        self.scope = scope
        self.key = key
        self.revision = revision
        self.content = content


class GuardRefusedError(EthosMemoryError, ValueError):
    """The guard refused a write. Nothing was stored.

    Attributes:
        findings: What it saw; a finding never holds the text.
    """

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        rules = ", ".join(dict.fromkeys(finding.rule for finding in findings))
        super().__init__(f"refused by the guard: {rules}")
        self.findings = findings


class NotPermittedError(EthosMemoryError, PermissionError):
    """This turn may not do that.

    Attributes:
        reason: One sentence for a log.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ScopeLockedError(EthosMemoryError, TimeoutError):
    """Another process kept the lock for longer than the caller would wait.

    Attributes:
        path: What is locked.
        waited_seconds: How long the caller waited.
    """

    def __init__(self, path: str, *, waited_seconds: float) -> None:
        super().__init__(
            f"{path}: locked by another writer, waited {waited_seconds:g} s"
        )
        self.path = path
        self.waited_seconds = waited_seconds


class SessionNotFoundError(EthosMemoryError, LookupError):
    """There is no such session for this owner; whose it may be is not said."""


class MessageOrderError(EthosMemoryError, ValueError):
    """A tool result follows neither an assistant's message nor another result."""


class InvalidCursorError(EthosMemoryError, ValueError):
    """The cursor is damaged, or of another list."""


class StoreLockedError(EthosMemoryError, TimeoutError):
    """The database stayed locked for longer than the store waits.

    Attributes:
        path: The database.
        waited_seconds: How long the store waited.
    """

    def __init__(self, path: str, *, waited_seconds: float) -> None:
        super().__init__(
            f"{path}: locked by another writer, waited {waited_seconds:g} s"
        )
        self.path = path
        self.waited_seconds = waited_seconds


class NewerFormatError(EthosMemoryError, RuntimeError):
    """A file was written by a newer release. It was left as it is.

    Attributes:
        path: The file.
        found: The version it carries.
        supported: The newest version this release knows.
    """

    def __init__(self, path: str, *, found: int, supported: int) -> None:
        super().__init__(f"{path}: format {found}, this release knows {supported}")
        self.path = path
        self.found = found
        self.supported = supported


class UnsupportedError(EthosMemoryError, NotImplementedError):
    """This provider, platform or release cannot do that, and says so."""


class MissingExtraError(EthosMemoryError, ImportError):
    """A part needs an optional dependency that is not installed.

    Attributes:
        extra: The extra to install.
    """

    def __init__(self, extra: str) -> None:
        super().__init__(f"pip install 'ethos-memory[{extra}]'")
        self.extra = extra
