"""``users link`` and ``users unlink``: whose an account is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.cli.command import FINE
from ethos_memory.cli.console import paint
from ethos_memory.cli.home import opened
from ethos_memory.scope import ScopeId
from ethos_memory.turn import Account

if TYPE_CHECKING:
    from ethos_memory.cli.command import Call
    from ethos_memory.memory import Memory

__all__ = ["link_account", "unlink_account", "user_id"]


def user_id(text: str) -> str:
    """Read a user id, as it is or as the scope that ``users list`` prints.

    Raises:
        InvalidScopeError: When it cannot be one.
    """
    return ScopeId.user(text.removeprefix("user:")).id


def link_account(call: Call) -> int:
    """Say whose an account is. No text is moved."""
    account = Account(call.options.platform, call.options.account)
    wanted = user_id(call.options.user)
    with opened(call) as memory:
        known = memory.identity_map.find(account.platform, account.account_id)
        is_new = not _is_there(memory, wanted)
        if not call.options.dry_run:
            memory.identity_map.link(account.platform, account.account_id, wanted)
    if is_new:
        call.console.note(
            f"user:{wanted} is new: no account had it, and it has no page"
        )
    before = None if known is None else known.user_id
    _tell(call, "link", account, before=before, after=wanted)
    return FINE


def _is_there(memory: Memory, user_id: str) -> bool:
    """Tell whether an id was anybody's so far: a slip of the pen makes a new person."""
    accounts = memory.identity_map.accounts()
    return any(known.user_id == user_id for known in accounts) or bool(
        memory.provider.list(ScopeId.user(user_id), limit=1)
    )


def unlink_account(call: Call) -> int:
    """Give an account a fresh user id of its own. No text is moved."""
    account = Account(call.options.platform, call.options.account)
    after = None
    with opened(call) as memory:
        known = memory.identity_map.find(account.platform, account.account_id)
        if not call.options.dry_run:
            after = memory.identity_map.unlink(account.platform, account.account_id)
    before = None if known is None else known.user_id
    _tell(call, "unlink", account, before=before, after=after)
    return FINE


def _tell(
    call: Call, verb: str, account: Account, *, before: str | None, after: str | None
) -> None:
    if call.is_json:
        call.console.json(
            {
                "platform": account.platform,
                "account": account.account_id,
                "before": before,
                "after": after,
                "dry_run": call.options.dry_run,
            }
        )
        return
    done = f"would {verb}" if call.options.dry_run else f"{verb}ed"
    call.console.line(
        "unchanged" if before is not None and before == after else done,
        f": {account.platform} {account.account_id} → ",
        paint("bold", "a fresh id" if after is None else f"user:{after}"),
        paint("dim", "" if before in (None, after) else f"  before user:{before}"),
    )
    if before not in (None, after):
        call.console.note(f"no text was moved: user:{before} keeps its pages")
