"""One provider in front of many: each personality's memory where its config says.

Everything reaches a scope through this object, the prompt as well as the tools and the
dashboard, so that all of them reach the same provider. A person's memory is the home's
whatever the personality.
"""

from __future__ import annotations

import logging
import os
import threading
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from attrs import define, field, frozen

from ethos_memory.disk import History
from ethos_memory.errors import UnsupportedError
from ethos_memory.provider import SupportsErase, SupportsHistory
from ethos_memory.providers.inventory import SupportsFiles
from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ethos_memory.entry import (
        Change,
        EraseReport,
        MemoryEntry,
        MemoryEntryRef,
        MemorySnapshot,
        Origin,
        SearchHit,
        SyncReport,
        Update,
    )
    from ethos_memory.provider import MemoryProvider, SearchMode
    from ethos_memory.providers.inventory import StoredFile

__all__ = ["Route", "RoutedProvider"]

#: What a config says of a provider: hashable, and equal when one provider serves both.
_Choice = TypeVar("_Choice")

_ROUTED: Final = "personality"
_CLOSED: Final = "the memory was closed"

#: Anybody may ask for any number of names. One that is forgotten is noted again by the
#: next call for it.
_MOST_UNSETTLED: Final = 1024

_logger = logging.getLogger("ethos_memory")


@frozen
class Route(Generic[_Choice]):
    """Where the memory of a personality is.

    Attributes:
        choice: What its config names; `None` for the home's provider.
        is_settled: Whether that holds until the provider is closed. A personality that
            is not there yet may still get a config, as long as it has no memory.
    """

    choice: _Choice | None
    is_settled: bool = True


@define
class _Opening:
    """One attempt to open a provider. Others who want it wait for the outcome."""

    is_over: threading.Event = field(factory=threading.Event)
    provider: MemoryProvider | None = None
    failure: Exception | None = None


class RoutedProvider(Generic[_Choice]):
    """A provider that sends each scope to the provider which keeps it.

    ``personality:`` scopes go where their config says, all others to the home's. It
    takes a personality's config at the first call for it, and stays with that until it
    is closed: a scope never changes its place under a caller's feet. A personality that
    cannot be routed raises on its own calls and is looked at again by the next one; no
    other is taken in its place, and nobody else is concerned.

    It has every ability there is. One that the provider behind it lacks raises
    `UnsupportedError`, as `GuardedProvider` does.

    Args:
        home: Keeps what is not routed; closed with this object.
        choose: Tells a personality's route by its id.
        open: Opens what a route names. Called once for each choice, whichever
            personalities share it; closed with this object.
        choice: What `home` was opened from: a personality that names the same shares it.
    """

    def __init__(
        self,
        home: MemoryProvider,
        *,
        choose: Callable[[str], Route[_Choice]],
        open: Callable[[_Choice], MemoryProvider],
        choice: _Choice,
    ) -> None:
        self._home = home
        self._choose = choose
        self._open = open
        self._home_choice = choice
        self._routes: dict[str, MemoryProvider] = {}
        self._unsettled: set[str] = set()
        self._is_closed = False
        self._openings: dict[_Choice, _Opening] = {}
        self._lock = threading.Lock()
        self._forking = threading.Lock()
        self._pid = os.getpid()

    def prefetch(self, scope: ScopeId | str) -> MemorySnapshot:
        """Return the rolling pages of a scope."""
        provider = self._of(scope)
        snapshot = provider.prefetch(scope)
        if self._unsettled and snapshot:
            self._settle(scope, provider)
        return snapshot

    def read(self, scope: ScopeId | str, key: str) -> MemoryEntry | None:
        """Return a page, or `None` when there is none."""
        provider = self._of(scope)
        entry = provider.read(scope, key)
        if self._unsettled and entry:
            self._settle(scope, provider)
        return entry

    def search(
        self,
        scope: ScopeId | str,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode | None = None,
    ) -> tuple[SearchHit, ...]:
        """Return the pages that answer a query."""
        provider = self._of(scope)
        hits = provider.search(scope, query, limit=limit, mode=mode)
        if self._unsettled and hits:
            self._settle(scope, provider)
        return hits

    def sync(
        self,
        scope: ScopeId | str,
        updates: Iterable[Update],
        *,
        origin: Origin | None = None,
    ) -> SyncReport:
        """Apply updates in order and tell what changed."""
        provider = self._of(scope)
        report = provider.sync(scope, updates, origin=origin)
        if self._unsettled:
            self._settle(scope, provider)
        return report

    def list(
        self, scope: ScopeId | str, *, limit: int | None = None, summaries: bool = False
    ) -> tuple[MemoryEntryRef, ...]:
        """Return the pages of a scope."""
        provider = self._of(scope)
        refs = provider.list(scope, limit=limit, summaries=summaries)
        if self._unsettled and refs:
            self._settle(scope, provider)
        return refs

    def history(
        self, scope: ScopeId | str, key: str | None = None
    ) -> tuple[Change, ...]:
        """Return earlier states, newest first.

        Raises:
            UnsupportedError: When the scope's provider keeps no history.
        """
        return self._with_history(scope).history(scope, key)

    def inspect_history(
        self, scope: ScopeId | str, key: str | None = None, *, limit: int | None = None
    ) -> History:
        """Return the history with what is damaged or lost in it, if that is known.

        Raises:
            UnsupportedError: When the scope's provider keeps no history.
        """
        provider = self._with_history(scope)
        inspect: Callable[..., History] | None
        inspect = getattr(provider, "inspect_history", None)
        if inspect is None:
            return History(provider.history(scope, key)[:limit], 0, 0)
        history: History = inspect(scope, key, limit=limit)
        return history

    def restore(self, scope: ScopeId | str, key: str, revision: str) -> SyncReport:
        """Bring back a state by its revision.

        Raises:
            LookupError: When the history has no such state.
            UnsupportedError: When the scope's provider keeps no history.
        """
        return self._with_history(scope).restore(scope, key, revision)

    def erase(self, scope: ScopeId | str) -> EraseReport:
        """Erase a scope for good, where its provider keeps it.

        Raises:
            UnsupportedError: When the scope's provider cannot.
        """
        provider = self._of(scope)
        if not isinstance(provider, SupportsErase):
            msg = f"{type(provider).__name__} cannot erase"
            raise UnsupportedError(msg)
        return provider.erase(scope)

    def files(self, scope: ScopeId | str) -> tuple[StoredFile, ...]:
        """Name every file of a scope.

        Raises:
            UnsupportedError: When the scope's provider cannot tell.
        """
        return self._with_files(scope).files(scope)

    def copy_files(
        self, scope: ScopeId | str, take: Callable[[str, bytes], None]
    ) -> None:
        """Hand over every file of a scope as it is.

        Raises:
            UnsupportedError: When the scope's provider cannot.
        """
        self._with_files(scope).copy_files(scope, take)

    def close(self) -> None:
        """Close every provider that was opened, whatever one of them raises.

        Can be repeated.

        Raises:
            Exception: What the first of them raised that did.
        """
        self._check_fork()
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            opened = [one.provider for one in self._openings.values()]
        failures: list[Exception] = []
        # A package may return one object for two choices.
        for provider in {id(one): one for one in (*opened, self._home)}.values():
            try:
                _close(provider)
            # Another package's provider may raise anything.
            except Exception as error:  # noqa: BLE001
                _logger.warning("a provider could not be closed: %s", _kind(error))
                failures.append(error)
        if failures:
            raise failures[0]

    def _with_history(self, scope: ScopeId | str) -> SupportsHistory:
        provider = self._of(scope)
        if not isinstance(provider, SupportsHistory):
            msg = f"{type(provider).__name__} keeps no history"
            raise UnsupportedError(msg)
        return provider

    def _with_files(self, scope: ScopeId | str) -> SupportsFiles:
        provider = self._of(scope)
        if not isinstance(provider, SupportsFiles):
            msg = f"{type(provider).__name__} cannot tell its files"
            raise UnsupportedError(msg)
        return provider

    def _of(self, scope: ScopeId | str) -> MemoryProvider:
        id = ScopeId.parse(scope)
        if id.kind != _ROUTED:
            return self._home
        provider = self._routes.get(id.id)
        return self._routed(id.id) if provider is None else provider

    def _settle(self, scope: ScopeId | str, provider: MemoryProvider) -> None:
        """Let a personality that has memory stay where it has it."""
        id = ScopeId.parse(scope)
        if id.kind == _ROUTED and id.id in self._unsettled:
            self._routes.setdefault(id.id, provider)
            self._unsettled.discard(id.id)

    def _routed(self, id: str) -> MemoryProvider:
        if self._is_closed:
            raise ValueError(_CLOSED)
        route = self._choose(id)
        if route.choice is None or route.choice == self._home_choice:
            provider = self._home
        else:
            provider = self._opened(route.choice)
        if not route.is_settled:
            if len(self._unsettled) >= _MOST_UNSETTLED:
                self._unsettled.clear()
            self._unsettled.add(id)
            return provider
        # The config may have been changed since another thread read it: one of the two
        # holds for both.
        return self._routes.setdefault(id, provider)

    def _opened(self, choice: _Choice) -> MemoryProvider:
        self._check_fork()
        while True:
            with self._lock:
                opening = self._openings.get(choice)
                is_ours = opening is None
                if opening is None:
                    opening = self._openings[choice] = _Opening()
            if is_ours:
                self._attempt(choice, opening)
            opening.is_over.wait()
            if opening.provider is not None:
                return opening.provider
            # Without either, it was interrupted in another thread: try it here.
            if opening.failure is not None:
                raise opening.failure

    def _attempt(self, choice: _Choice, opening: _Opening) -> None:
        provider = None
        try:
            provider = self._open(choice)
        except Exception as error:  # noqa: BLE001 - raised again by all who wait
            opening.failure = error
        finally:
            with self._lock:
                is_late = self._is_closed and provider is not None
                if is_late or provider is None:
                    del self._openings[choice]
                if is_late:
                    opening.failure = ValueError(_CLOSED)
                else:
                    opening.provider = provider
            opening.is_over.set()
        if is_late:
            _close(provider)

    def _check_fork(self) -> None:
        """Let go of locks that a thread of the parent process may have held."""
        if self._pid != os.getpid():
            with self._forking:
                if self._pid != os.getpid():
                    self._openings = {
                        choice: one
                        for choice, one in self._openings.items()
                        if one.provider is not None
                    }
                    self._lock = threading.Lock()
                    self._pid = os.getpid()


def _close(provider: MemoryProvider | None) -> None:
    close = getattr(provider, "close", None)
    if close is not None:
        close()


def _kind(error: Exception) -> str:
    return type(error).__name__
