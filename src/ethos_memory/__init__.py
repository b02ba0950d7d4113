"""Memory for agents that serve many people, kept in files that people can read.

Begin with `Memory`: `Memory.recall` makes the block for a turn's prompt, and
`Memory.remember` writes what an agent learned. Each part works by itself as well.
"""

from __future__ import annotations

from ethos_memory.aio import AsyncMemory
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
from ethos_memory.guard import Classifier, GuardPolicy, InjectionGuard
from ethos_memory.identity_map import IdentityMap, KnownAccount
from ethos_memory.memory import Memory, Recall
from ethos_memory.policy import AudiencePolicy, View
from ethos_memory.provider import MemoryProvider, SupportsErase, SupportsHistory
from ethos_memory.providers.guarded import GuardedProvider
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.transient import TransientProvider
from ethos_memory.scope import ScopeId, resolve_scope
from ethos_memory.turn import Account, Turn
from ethos_memory.verdict import Finding, Verdict

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
    "EraseReport",
    "EthosMemoryError",
    "Finding",
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
    "MessageOrderError",
    "MissingExtraError",
    "NewerFormatError",
    "NotPermittedError",
    "NotWrittenError",
    "Origin",
    "PageTooLargeError",
    "Recall",
    "Remove",
    "Replace",
    "RevisionConflictError",
    "ScopeId",
    "ScopeLockedError",
    "SearchHit",
    "SessionNotFoundError",
    "StoreLockedError",
    "SupportsErase",
    "SupportsHistory",
    "SyncReport",
    "TransientProvider",
    "Turn",
    "UnknownScopeError",
    "UnsafePathError",
    "UnsupportedError",
    "Update",
    "Verdict",
    "View",
    "apply_updates",
    "resolve_scope",
]


def __dir__() -> list[str]:
    return __all__
