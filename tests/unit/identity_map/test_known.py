"""What a caller is shown of an account."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ethos_memory.identity_map.known import known_account
from ethos_memory.turn import Account
from unit.identity_map.samples import ANA, entry, parsed


@pytest.mark.parametrize(
    ("text", "at"),
    [
        (
            "2026-02-01T09:14:02.118Z",
            datetime(2026, 2, 1, 9, 14, 2, 118_000, tzinfo=UTC),
        ),
        ("2026-02-03T16:40:55+02:00", datetime(2026, 2, 3, 14, 40, 55, tzinfo=UTC)),
        ("2026-02-11", datetime(2026, 2, 11, tzinfo=UTC)),
        ("2026-02-11T10:00", datetime(2026, 2, 11, 10, tzinfo=UTC)),
        ("0001-01-01T00:00:00+14:00", None),
        ("last spring", None),
        (1_770_000_000, None),
        (None, None),
    ],
)
def test_a_time_that_cannot_be_told_is_none(text: object, at: datetime | None) -> None:
    """Times are aware and in UTC; what is no time is no fault either."""
    document = parsed(entry("x", "1", ANA, firstSeenAt=text))
    assert known_account(document, ("x", "1"), str).first_seen_at == at


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("Ros (owner) ", "Ros (owner)"),
        ("a KEY\nhere", "a [gone] here"),
        ("Telegram:700100200", f"telegram:{ANA}"),
        ("", f"telegram:{ANA}"),
        (None, f"telegram:{ANA}"),
        (7, f"telegram:{ANA}"),
    ],
)
def test_a_label_is_made_harmless_on_the_way_out(label: object, shown: str) -> None:
    """People write labels by hand, and Ethos's default shows the account."""
    document = parsed(entry("Telegram", 700100200, ANA, displayLabel=label))
    known = known_account(
        document, ("telegram", "700100200"), lambda text: text.replace("KEY", "[gone]")
    )
    assert known.account == Account("telegram", 700100200)
    assert known.account.display_label == shown
    assert known.user_id == ANA
    assert "700100200" not in repr(known)
