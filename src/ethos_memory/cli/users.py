"""``users list``: who is known, and by which accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.cli.command import FINE
from ethos_memory.cli.console import paint
from ethos_memory.cli.home import opened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ethos_memory.cli.command import Call
    from ethos_memory.cli.console import Painted
    from ethos_memory.identity_map import KnownAccount

__all__ = ["list_users"]


def list_users(call: Call) -> int:
    """Print every user id with the accounts that lead to it.

    Account ids and labels are for the operator's eyes: they go to standard output.
    """
    with opened(call) as memory:
        people = _by_user(memory.identity_map.accounts())
    if call.is_json:
        call.console.json([_user_json(user, them) for user, them in people.items()])
        return FINE
    for user, accounts in people.items():
        call.console.line(paint("bold", f"user:{user}"))
        for known in accounts:
            call.console.line(*_described(known))
    if not people:
        call.console.note("nobody is known yet")
    return FINE


def _by_user(accounts: tuple[KnownAccount, ...]) -> dict[str, list[KnownAccount]]:
    people: dict[str, list[KnownAccount]] = {}
    for known in accounts:
        people.setdefault(known.user_id, []).append(known)
    return people


def _described(known: KnownAccount) -> tuple[str | Painted, ...]:
    seen = "" if known.first_seen_at is None else f"{known.first_seen_at:%Y-%m-%d}"
    label = known.account.display_label or ""
    return (
        f"  {known.account.platform} {known.account.account_id}",
        f"  {label}" if label else "",
        paint("dim", f"  since {seen}") if seen else "",
    )


def _user_json(user: str, accounts: Sequence[KnownAccount]) -> dict[str, object]:
    return {
        "user": user,
        "accounts": [
            {
                "platform": known.account.platform,
                "account": known.account.account_id,
                "label": known.account.display_label,
                "first_seen": known.first_seen_at and known.first_seen_at.isoformat(),
            }
            for known in accounts
        ],
    }
