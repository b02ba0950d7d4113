"""One run over a home: the map first, then every scope, then the conversations."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from ethos_memory.errors import EthosMemoryError
from ethos_memory.identity_map.postgres_import import (
    MapContents,
    MapDifference,
    compare_map,
    read_map,
    write_map,
)
from ethos_memory.moving.forgotten import Forgotten, find_forgotten
from ethos_memory.moving.report import CopyReport, ScopeOutcome
from ethos_memory.moving.scopes import UnfitError, is_elsewhere, read_scope, scopes_of
from ethos_memory.providers.postgres_import import (
    ScopeContents,
    read_contents,
    write_contents,
)
from ethos_memory.sessions.labels import default_redact
from ethos_memory.sessions.postgres_import import compare_sessions, write_sessions
from ethos_memory.sessions.postgres_source import HomeSessions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ethos_memory.disk import Root
    from ethos_memory.moving.scopes import Reading
    from ethos_memory.pg import Database
    from ethos_memory.providers.guarded import Guard, GuardedProvider
    from ethos_memory.scope import ScopeId

__all__ = ["HomeCopy"]


def _utc_now() -> datetime:
    return datetime.now(UTC)


@frozen
class HomeCopy:
    """A copy of a home in files into PostgreSQL.

    It can be run again: what is there is left out, what broke off goes on, and what
    grew in the home meanwhile follows. Nothing in the home is changed, and nothing in
    the database that the home does not have is written over.

    Attributes:
        root: The home.
        provider: Keeps its pages of people and personalities, in files.
        teams: Keeps its pages of teams, in files.
        guard: Takes credentials out of texts.
        sessions: The file with its conversations; `None` when there is none.
        database: Where to; `None` for one that is empty, in a dry run.
        now: In place of a time that the map does not tell; aware.
    """

    root: Root
    provider: GuardedProvider
    teams: GuardedProvider
    guard: Guard
    sessions: Path | None = field(kw_only=True)
    database: Database | None = field(kw_only=True)
    now: Callable[[], datetime] = field(default=_utc_now, kw_only=True)

    def run(self) -> CopyReport:
        """Copy everything, and look whether it is there.

        Raises:
            EthosMemoryError: When the database, the map or the file with the
                conversations cannot be used. Run it again; what was copied stays.
            ValueError: When there is no database.
        """
        if self.database is None:
            msg = "there is no database to copy to"
            raise ValueError(msg)
        contents = read_map(self.root, redact=default_redact)
        forgotten = self._forgotten(contents, self.database)
        if forgotten.in_database:
            nothing = MapDifference(MapContents((), ()), 0)
            return _told(nothing, forgotten, is_dry_run=False)
        found = write_map(self.database, contents, now=self.now())
        if found.conflicts:
            return _told(found, forgotten, is_dry_run=False)
        outcomes = tuple(self._outcomes(is_dry_run=False))
        return self._with_sessions(_told(found, forgotten, outcomes, is_dry_run=False))

    def preview(self) -> CopyReport:
        """Tell what `run` would do. Nothing is written.

        Raises:
            EthosMemoryError: As `run` does.
        """
        contents = read_map(self.root, redact=default_redact)
        found, forgotten = MapDifference(contents, 0), Forgotten()
        if self.database is not None:
            found = self.database.snapshot(partial(compare_map, contents))
            forgotten = self._forgotten(contents, self.database)
        if found.conflicts or forgotten.in_database:
            return _told(found, forgotten, is_dry_run=True)
        outcomes = tuple(self._outcomes(is_dry_run=True))
        return self._with_sessions(_told(found, forgotten, outcomes, is_dry_run=True))

    def _forgotten(self, contents: MapContents, database: Database) -> Forgotten:
        def has_said(owner: str) -> bool:
            if self.sessions is None:
                return False
            with HomeSessions(self.sessions, redact=default_redact) as source:
                return source.has_said(owner)

        return find_forgotten(
            self.root, self.provider, contents, database, has_said=has_said
        )

    def _outcomes(self, *, is_dry_run: bool) -> Iterator[ScopeOutcome]:
        for scope in scopes_of(self.root):
            outcome = self._outcome(scope, is_dry_run=is_dry_run)
            if outcome is not None:
                yield outcome

    def _outcome(self, scope: ScopeId, *, is_dry_run: bool) -> ScopeOutcome | None:
        provider = self.teams if scope.kind == "team" else self.provider
        reading, reason = None, ""
        try:
            if is_elsewhere(self.root, scope):
                return ScopeOutcome(str(scope), "elsewhere")
            reading = read_scope(provider, scope, self.guard)
        # One that cannot be read hides no other.
        except (EthosMemoryError, UnfitError, OSError) as error:
            reason = _reason(error)
        if reading is None:
            return ScopeOutcome(str(scope), "failed", reason=reason)
        if not reading.contents:
            return None
        outcome = self._put(scope, reading, is_dry_run=is_dry_run)
        if outcome.outcome == "copied" and not is_dry_run:
            return self._looked_at(outcome, scope, reading, provider)
        return outcome

    def _put(
        self, scope: ScopeId, reading: Reading, *, is_dry_run: bool
    ) -> ScopeOutcome:
        outcome, there = _told_of(scope, reading), self._there(scope)
        if there == reading.contents:
            return evolve(outcome, outcome="equal")
        is_free = reading.contents.follows(there)
        if is_free and self.database is not None and not is_dry_run:
            is_free = write_contents(self.database, scope, reading.contents)
        if not is_free:
            return evolve(outcome, outcome="differs", reason="something else is there")
        return outcome

    def _there(self, scope: ScopeId) -> ScopeContents:
        if self.database is None:
            return ScopeContents()
        return self.database.snapshot(
            lambda connection: read_contents(connection, scope)
        )

    def _looked_at(
        self,
        outcome: ScopeOutcome,
        scope: ScopeId,
        reading: Reading,
        provider: GuardedProvider,
    ) -> ScopeOutcome:
        """Look once more at both sides of a scope that was copied."""
        if self._there(scope) != reading.contents:
            return evolve(outcome, outcome="failed", reason="changed where it came to")
        keys = [ref.key for ref in provider.list(scope)]
        now = {key: provider.unsafe_read(scope, key) for key in keys}
        revisions = {key: page.revision for key, page in now.items() if page}
        if revisions != reading.revisions:
            reason = "changed in the home meanwhile; copy again"
            return evolve(outcome, outcome="failed", reason=reason)
        return outcome

    def _with_sessions(self, report: CopyReport) -> CopyReport:
        if self.sessions is None:
            return report
        with HomeSessions(self.sessions, redact=default_redact) as source:
            compare = partial(compare_sessions, source)
            if self.database is None:
                found = after = compare(None)
            elif report.is_dry_run:
                found = after = self.database.snapshot(compare)
            else:
                found = write_sessions(self.database, source)
                after = self.database.snapshot(compare)
        lacking = 0 if report.is_dry_run else len(after.missing) + len(after.behind)
        return evolve(
            report,
            sessions=len(found.missing) + len(found.behind),
            messages=found.message_count,
            equal_sessions=found.equal,
            lacking_sessions=lacking,
            differing_sessions=found.differing,
            damaged_sessions=found.damaged,
        )


def _told_of(scope: ScopeId, reading: Reading) -> ScopeOutcome:
    return ScopeOutcome(
        str(scope),
        "copied",
        pages=len(reading.contents.pages),
        states=len(reading.contents.states),
        redacted=reading.redacted,
        aside=reading.aside,
    )


def _reason(error: Exception) -> str:
    is_system = isinstance(error, OSError) and not isinstance(error, EthosMemoryError)
    return type(error).__name__ if is_system else str(error)


def _told(
    found: MapDifference,
    forgotten: Forgotten,
    scopes: tuple[ScopeOutcome, ...] = (),
    *,
    is_dry_run: bool,
) -> CopyReport:
    return CopyReport(
        is_dry_run,
        scopes,
        accounts=len(found.missing.accounts),
        merged=len(found.missing.merged),
        account_conflicts=found.conflicts,
        forgotten_there=forgotten.in_database,
        forgotten_here=forgotten.in_home,
    )
