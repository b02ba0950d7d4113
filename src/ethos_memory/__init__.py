"""Memory for agents that serve many people, kept in files that people can read.

Begin with `Memory`: `Memory.recall` makes the block for a turn's prompt, and
`Memory.remember` writes what an agent learned. Each part works by itself as well.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from ethos_memory.entry import (
    Add,
    Change,
    Delete,
    EraseReport,
    KeyChange,
    MemoryEntry,
    MemoryEntryRef,
    MemorySnapshot,
    Origin,
    Remove,
    Replace,
    SearchHit,
    SyncReport,
    Update,
    additions,
    apply_updates,
)
from ethos_memory.errors import (
    CorruptFileError,
    DurabilityUnknownError,
    EthosMemoryError,
    GuardRefusedError,
    InvalidAccountError,
    InvalidCursorError,
    InvalidKeyError,
    InvalidNameError,
    InvalidScopeError,
    MessageOrderError,
    MissingExtraError,
    NewerFormatError,
    NotPermittedError,
    NotWrittenError,
    PageTooLargeError,
    RevisionConflictError,
    ScopeLockedError,
    SessionNotFoundError,
    StoreLockedError,
    UnknownScopeError,
    UnsafePathError,
    UnsupportedError,
)
from ethos_memory.provider import MemoryProvider, SupportsErase, SupportsHistory
from ethos_memory.scope import ScopeId, resolve_scope
from ethos_memory.turn import Account, Turn
from ethos_memory.verdict import Finding, Verdict

if TYPE_CHECKING:
    from ethos_memory.aio import AsyncMemory
    from ethos_memory.guard import Classifier, GuardPolicy, InjectionGuard
    from ethos_memory.identity_map import IdentityMap, KnownAccount
    from ethos_memory.memory import Memory
    from ethos_memory.person import ExportReport, ForgetReport, MergeReport
    from ethos_memory.policy import AudiencePolicy, View
    from ethos_memory.profile import Extractor, Observation, PrivacyFilter, Synthesizer
    from ethos_memory.providers.embedders import Embedder
    from ethos_memory.providers.guarded import GuardedProvider
    from ethos_memory.providers.markdown import MarkdownProvider
    from ethos_memory.providers.transient import TransientProvider
    from ethos_memory.reading import Recall
    from ethos_memory.sessions import (
        Message,
        MessageHit,
        Page,
        Session,
        Sessions,
        SessionStore,
        SQLiteSessionStore,
    )

__all__ = [
    "Account",
    "Add",
    "AsyncMemory",
    "AudiencePolicy",
    "Change",
    "Classifier",
    "CorruptFileError",
    "Delete",
    "DurabilityUnknownError",
    "Embedder",
    "EraseReport",
    "EthosMemoryError",
    "ExportReport",
    "Extractor",
    "Finding",
    "ForgetReport",
    "GuardPolicy",
    "GuardRefusedError",
    "GuardedProvider",
    "IdentityMap",
    "InjectionGuard",
    "InvalidAccountError",
    "InvalidCursorError",
    "InvalidKeyError",
    "InvalidNameError",
    "InvalidScopeError",
    "KeyChange",
    "KnownAccount",
    "MarkdownProvider",
    "Memory",
    "MemoryEntry",
    "MemoryEntryRef",
    "MemoryProvider",
    "MemorySnapshot",
    "MergeReport",
    "Message",
    "MessageHit",
    "MessageOrderError",
    "MissingExtraError",
    "NewerFormatError",
    "NotPermittedError",
    "NotWrittenError",
    "Observation",
    "Origin",
    "Page",
    "PageTooLargeError",
    "PrivacyFilter",
    "Recall",
    "Remove",
    "Replace",
    "RevisionConflictError",
    "SQLiteSessionStore",
    "ScopeId",
    "ScopeLockedError",
    "SearchHit",
    "Session",
    "SessionNotFoundError",
    "SessionStore",
    "Sessions",
    "StoreLockedError",
    "SupportsErase",
    "SupportsHistory",
    "SyncReport",
    "Synthesizer",
    "TransientProvider",
    "Turn",
    "UnknownScopeError",
    "UnsafePathError",
    "UnsupportedError",
    "Update",
    "Verdict",
    "View",
    "additions",
    "apply_updates",
    "resolve_scope",
]

#: The parts with I/O or rules, loaded when they are first named: a program that wants
#: `resolve_scope` alone should not wait for the guard.
_PARTS: Final = {
    "AsyncMemory": "aio",
    "AudiencePolicy": "policy",
    "Classifier": "guard",
    "Embedder": "providers.embedders",
    "ExportReport": "person",
    "Extractor": "profile",
    "ForgetReport": "person",
    "GuardPolicy": "guard",
    "GuardedProvider": "providers.guarded",
    "IdentityMap": "identity_map",
    "InjectionGuard": "guard",
    "KnownAccount": "identity_map",
    "MarkdownProvider": "providers.markdown",
    "Memory": "memory",
    "MergeReport": "person",
    "Message": "sessions",
    "MessageHit": "sessions",
    "Observation": "profile",
    "Page": "sessions",
    "PrivacyFilter": "profile",
    "Recall": "reading",
    "SQLiteSessionStore": "sessions",
    "Session": "sessions",
    "SessionStore": "sessions",
    "Sessions": "sessions",
    "Synthesizer": "profile",
    "TransientProvider": "providers.transient",
    "View": "policy",
}


def __getattr__(name: str) -> Any:
    part = _PARTS.get(name)
    if part is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    found = getattr(import_module(f"{__name__}.{part}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
