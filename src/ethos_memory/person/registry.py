"""Everything held about a person, through one registry of holders.

Three operations ask every holder: `Registry.export`, `Registry.forget`, and, of the map
alone, `Registry.merge`. Each has a dry run, which answers from what the real run works
from.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from ethos_memory.errors import EthosMemoryError
from ethos_memory.identity_map import SupportsAudit
from ethos_memory.person.accounts import AccountHolder, accounts_of
from ethos_memory.person.conversations import ConversationHolder
from ethos_memory.person.destination import ExportFolder
from ethos_memory.person.pages import PageHolder
from ethos_memory.person.report import (
    ExportReport,
    ForgetReport,
    Held,
    MergeReport,
    PageState,
)
from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

    from ethos_memory.identity_map import AccountMap
    from ethos_memory.person.holder import Holder, Holding
    from ethos_memory.providers.guarded import GuardedProvider
    from ethos_memory.sessions import SessionStore

__all__ = ["HOLDERS", "Registry"]

#: Every kind of holder there is. A new place for text about people gets its own here
#: and in `Registry.of`; a test fails for a class with an `erase` and no holder.
HOLDERS: Final = (PageHolder, ConversationHolder, AccountHolder)

#: The layout of an export's manifest.
_FORMAT: Final = 1

#: A turn that was under way when the person was forgotten may still write, once.
_PASSES: Final = 2

_logger = logging.getLogger("ethos_memory")


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Registry:
    """The three operations on everything that is held about a person.

    Use `Registry.of`; the constructor takes holders that are already there.

    Args:
        holders: In the order in which they erase; the identity map's comes last.
        provider: What keeps the pages.
        identity_map: Which ids are one person.
        home: Where an export must not be put.
        now: The clock of the manifest; aware.
    """

    def __init__(
        self,
        holders: tuple[Holder, ...],
        *,
        provider: GuardedProvider,
        identity_map: AccountMap,
        home: Path | None = None,
        now: Callable[[], datetime] = _utc_now,
    ) -> None:
        self._holders = holders
        self._provider = provider
        self._map = identity_map
        self._home = home
        self._now = now

    @classmethod
    def of(
        cls,
        provider: GuardedProvider,
        identity_map: AccountMap,
        *,
        sessions: SessionStore | None = None,
        home: Path | None = None,
    ) -> Registry:
        """Register a holder for each part that a home has.

        Args:
            provider: What keeps the pages.
            identity_map: What keeps the accounts.
            sessions: What keeps conversations, if anything does.
            home: The home's folder, absolute and resolved.
        """
        conversations = () if sessions is None else (ConversationHolder(sessions),)
        # The map goes last: until then every id of the person can be found again.
        holders = (PageHolder(provider), *conversations, AccountHolder(identity_map))
        return cls(holders, provider=provider, identity_map=identity_map, home=home)

    def held(self, user_id: str) -> Held:
        """Return everything that is held about a person. Nothing is changed.

        Args:
            user_id: The person; every id that was merged into it counts as well.

        Raises:
            InvalidScopeError: When `user_id` cannot be one.
            EthosMemoryError: When something cannot be looked at.
        """
        wanted = ScopeId.user(user_id).id
        user_ids = (wanted, *self._map.merged_ids(wanted))
        return Held(
            user_ids,
            self._holdings(user_ids),
            leftovers=tuple(
                one for holder in self._holders for one in holder.leftovers(user_ids)
            ),
            stays=(*(holder.stays for holder in self._holders), *self._kept(wanted)),
        )

    def _holdings(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        return tuple(
            one for holder in self._holders for one in holder.holdings(user_ids)
        )

    def _kept(self, user_id: str) -> tuple[str, ...]:
        """Say so when the id is only an old one of somebody."""
        if not isinstance(self._map, SupportsAudit):
            return ()
        kept = self._map.kept_id(user_id)
        if kept == user_id:
            return ()
        return (f"everything under {kept}, into which {user_id} was merged",)

    def export(
        self,
        user_id: str,
        destination: str | os.PathLike[str],
        *,
        dry_run: bool = False,
    ) -> ExportReport:
        """Write everything that is held about a person into a new folder.

        The folder is there as a whole or not at all, with ``manifest.json``: what each
        file is, where it came from, its size and sha256. Folders are 0700 and files
        0600.

        Args:
            user_id: The person; every id that was merged into it counts as well.
            destination: Must not be there, or be an empty folder; not in the home.
            dry_run: Only tell what is held. The destination is checked.

        Returns:
            What was written; nothing, and no folder, when nothing is held.

        Raises:
            InvalidScopeError: When `user_id` cannot be one.
            UnsafePathError: When the destination is a link, holds something, or
                stands in the home.
            NotWrittenError: When the disk refuses; there is no folder then.
            EthosMemoryError: When something cannot be read; there is no folder then.
        """
        held = self.held(user_id)
        with ExportFolder(destination, outside=self._home) as folder:
            if held and not dry_run:
                self._record("export", held.user_ids)
                for holder in self._holders:
                    holder.export(held.user_ids, folder)
                folder.finish(self._manifest(held))
        return ExportReport(
            held, folder.path, files=tuple(folder.files), is_dry_run=dry_run
        )

    def _manifest(self, held: Held) -> dict[str, object]:
        return {
            "format": _FORMAT,
            "madeAt": self._now().isoformat(),
            "userIds": held.user_ids,
            "notIncluded": [
                *held.stays,
                *(f"{one.user_id}/{one.name}" for one in held.leftovers),
            ],
        }

    def forget(self, user_id: str, *, dry_run: bool = False) -> ForgetReport:
        """Erase one person, across all linked accounts and merged ids, for good.

        Nothing of anybody else is rewritten, but the map's file without the person. A
        call that was cut short is finished by the next one.

        Args:
            user_id: The person.
            dry_run: Only tell what is held.

        Returns:
            What went; an empty report for somebody who is not known.

        Raises:
            InvalidScopeError: When `user_id` cannot be one.
            UnsupportedError: When the provider cannot erase; nothing was erased.
            EthosMemoryError: When something cannot be erased. Repeat it.
        """
        held = self.held(user_id)
        if dry_run:
            return ForgetReport(held, gone=(), remains=(), is_dry_run=True)
        if any(one.holder != AccountHolder.name for one in held.holdings):
            # The map writes its own line, before it forgets the accounts.
            self._record("erase", held.user_ids)
        gone: list[Holding] = []
        remains: tuple[Holding, ...] = ()
        for _ in range(_PASSES):
            for holder in self._holders:
                gone += holder.erase(held.user_ids)
            remains = self._holdings(held.user_ids)
            if not remains:
                break
        return ForgetReport(held, gone=tuple(gone), remains=remains, is_dry_run=False)

    def merge(self, keep: str, drop: str, *, dry_run: bool = False) -> MergeReport:
        """Say that two ids are one person. Every account of `drop` goes to `keep`.

        No text is moved: both profiles are told. `forget` and `export` of `keep` cover
        `drop` from now on. It is undone by `IdentityMap.link` of the reported accounts
        to `drop`.

        Args:
            keep: The id to keep.
            drop: The id to give up; it need not be known.
            dry_run: Only tell what would move.

        Raises:
            InvalidScopeError: When an id cannot be one.
            ValueError: When the two are the same.
            EthosMemoryError: When the map cannot be read or written.
        """
        kept, dropped = ScopeId.user(keep), ScopeId.user(drop)
        if kept == dropped:
            msg = "one id cannot be merged into itself"
            raise ValueError(msg)
        # Before the change: a profile that cannot be told must not be found out after.
        pages = self._pages(kept), self._pages(dropped)
        if dry_run:
            known = accounts_of(self._map, dropped.id)
            accounts = tuple(one.account for one in known)
        else:
            accounts = self._map.merge(kept.id, dropped.id)
        return MergeReport(
            kept.id,
            dropped.id,
            accounts=accounts,
            kept_pages=pages[0],
            dropped_pages=pages[1],
            is_dry_run=dry_run,
        )

    def _pages(self, scope: ScopeId) -> tuple[PageState, ...]:
        states = []
        for ref in self._provider.list(scope):
            revision = None
            with suppress(EthosMemoryError, OSError):
                entry = self._provider.unsafe_read(scope, ref.key)
                revision = None if entry is None else entry.revision
            states.append(PageState(ref.key, ref.size, revision))
        return tuple(states)

    def _record(self, verb: str, user_ids: tuple[str, ...]) -> None:
        """Write down what is about to be done; what cannot be is not done."""
        if isinstance(self._map, SupportsAudit):
            self._map.record(verb, user_ids)
        else:
            _logger.info("%s: %s", verb, ", ".join(user_ids))
