"""What a copy did, or would do."""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import field, frozen

__all__ = ["CopyReport", "Outcome", "ScopeOutcome"]

#: What became of a scope: it was (or would be) copied; the very same was there; something
#: else was there, and was left as it is; it could not be copied; or a personality's own
#: config keeps its memory in another place, where it stays.
Outcome: TypeAlias = Literal["copied", "equal", "differs", "failed", "elsewhere"]


@frozen
class ScopeOutcome:
    """What became of one scope.

    Attributes:
        scope: Its id.
        outcome: What became of it.
        reason: Why, in a few words that hold no text of a page; ``""`` when all is well.
        pages: How many pages it has.
        states: How many states they had, with today's.
        redacted: How many of these texts held a credential, which became a marker.
        aside: How many files of the folder are no memory, such as a sync service's
            copies, and stay in the home.
    """

    scope: str
    outcome: Outcome
    reason: str = field(default="", kw_only=True)
    pages: int = field(default=0, kw_only=True)
    states: int = field(default=0, kw_only=True)
    redacted: int = field(default=0, kw_only=True)
    aside: int = field(default=0, kw_only=True)


@frozen
class CopyReport:
    """What a copy did, or would do.

    Attributes:
        is_dry_run: Whether nothing was written.
        scopes: What became of each scope, in order.
        accounts: Accounts that were recorded.
        merged: Records of merged ids that were recorded.
        account_conflicts: Entries of the database's map that name one of the home's
            accounts or ids and say something else. With one, nothing was copied at all.
        forgotten_there: Ids of people who were forgotten in the database and whom the
            home holds still. With one, nothing was copied at all: forget them here.
        forgotten_here: Ids of people who were forgotten in the home and whom the
            database holds still: forget them there.
        sessions: Conversations that were copied, or brought up to date.
        messages: Messages that were copied.
        equal_sessions: Conversations that were there already.
        lacking_sessions: Conversations that grew in the home meanwhile: copy again.
        differing_sessions: Ids of those in whose place something else is.
        damaged_sessions: Ids of those that cannot be read.
    """

    is_dry_run: bool
    scopes: tuple[ScopeOutcome, ...] = ()
    accounts: int = 0
    merged: int = 0
    account_conflicts: int = 0
    forgotten_there: tuple[str, ...] = ()
    forgotten_here: tuple[str, ...] = ()
    sessions: int = 0
    messages: int = 0
    equal_sessions: int = 0
    lacking_sessions: int = 0
    differing_sessions: tuple[str, ...] = ()
    damaged_sessions: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether the home's memory is in the database now, or would be, as it is."""
        return not (
            self.account_conflicts
            or self.forgotten_there
            or self.forgotten_here
            or self.lacking_sessions
            or self.differing_sessions
            or self.damaged_sessions
            or any(one.outcome in ("differs", "failed") for one in self.scopes)
        )
