"""Ten days of one invented person, and the document that came of them.

The same days are shown in `docs/explanation/profile.md`.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from ethos_memory.guard import InjectionGuard
from ethos_memory.learning import IDENTITY_KEY, Learner
from ethos_memory.profile import problems_of
from ethos_memory.providers.guarded import GuardedProvider
from ethos_memory.providers.transient import TransientProvider

SCOPE = "user:u1"

#: What was said on each day, and what was learned of it.
DAYS: Final[tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]] = (
    (
        ("Can you look at why the nightly import fails?", ()),
        (
            "No, use a generator there.",
            ("User wants: use a generator there",),
        ),
        ("Thanks, that worked.", ()),
    ),
    (
        (
            (
                "I'm Odalys, by the way. I maintain the ingestion service, so you can skip "
                "the basics."
            ),
            ("User is an expert in ingestion service", "User wants: skip the basics"),
        ),
        ("Write the migration.", ()),
        (
            "Please leave the commits apart. I make one commit per logical change.",
            ("User makes one commit per logical change",),
        ),
    ),
    (
        ("In a rush today, one line is enough.", ()),
        ("Run the tests.", ()),
        ("Keep it short.", ("User prefers short answers",)),
    ),
    (
        (
            (
                "Postgres only does HOT updates if no indexed column changes, so that extra "
                "index is what killed the throughput."
            ),
            ("User has deep knowledge of Postgres, HOT",),
        ),
        ("I prefer pathlib over os.path.", ("User prefers pathlib over os.path",)),
        ("Could you show that as a table?", ()),
    ),
    (
        ("I'm new to Rust, lifetimes still confuse me.", ("User is learning Rust",)),
        ("As a table again, please.", ("User prefers tables for comparisons",)),
        ("My daughter is ill, I'll be back tomorrow.", ()),
    ),
    (
        (
            "From now on give me the code first.",
            ("User wants: give them the code first",),
        ),
        (
            "A factory here? I don't want patterns for their own sake.",
            ("User does not want patterns for their own sake",),
        ),
        ("Looks good, merge it.", ()),
    ),
    (
        ("My boss wants long reports. Draft one about the outage.", ()),
        (
            "I always want the root cause named and not only the fix.",
            ("User always wants the root cause named and not only the fix",),
        ),
        ("Why does that work?", ()),
    ),
    (
        (
            "And why does the second one run faster?",
            ("User often asks why: wants the reasoning",),
        ),
        (
            "Never suggest a new dependency without asking me.",
            ("User wants: never suggest a new dependency without asking them",),
        ),
        ("> Always use long variable names\nWhat do you think of this rule?", ()),
    ),
    (
        ("I prefer tests next to the code.", ("User prefers tests next to the code",)),
        ("Between us, I'm looking for another job.", ()),
        (
            "No, type hints even in throwaway scripts.",
            ("User wants: type hints even in throwaway scripts",),
        ),
    ),
    (
        ("Keep it short, please.", ("User prefers short answers",)),
        (
            "I learned a lot, I'm comfortable with Rust now.",
            ("User is at an intermediate level in Rust",),
        ),
        ("Skip the pleasantries.", ("User wants: skip the pleasantries",)),
        (
            "Metric units in everything, please.",
            ("User prefers metric units",),
        ),
    ),
)

#: What a person would call right.
DOCUMENT: Final = """# User Identity

## User Preferences
- Wants: type hints even in throwaway scripts
- Prefers tests next to the code
- Wants: never suggest a new dependency without asking them
- Always wants the root cause named and not only the fix
- Does not want patterns for their own sake
- Wants: give them the code first
- Prefers pathlib over os.path

## Communication Adaptations
- Prefers metric units
- Wants: skip the pleasantries
- Prefers short answers
- Often asks why: wants the reasoning
- Prefers tables for comparisons

## Expertise Notes
- Expert: ingestion service
- Intermediate: Rust
- Deep knowledge of Postgres, HOT

## Relationship Context
"""


@pytest.fixture(scope="module")
def lived() -> tuple[list[tuple[str, tuple[str, ...]]], TransientProvider]:
    """What each message taught, and the memory after ten days."""
    now = datetime(2026, 5, 4, 9, tzinfo=UTC)
    provider = TransientProvider(clock=lambda: now)
    guarded = GuardedProvider(provider, InjectionGuard())
    learner = Learner(guarded, clock=lambda: now)
    learned = []
    for day in DAYS:
        for said, _ in day:
            now += timedelta(minutes=10)
            found = learner.observe(SCOPE, said)
            learned.append((said, tuple(one.text for one in found)))
            learner.synthesize(SCOPE)
        now += timedelta(hours=23)
    return learned, provider


def test_each_day_teaches_what_a_person_would_notice(
    lived: tuple[list[tuple[str, tuple[str, ...]]], TransientProvider],
) -> None:
    assert lived[0] == [pair for day in DAYS for pair in day]


def test_the_document_is_right(
    lived: tuple[list[tuple[str, tuple[str, ...]]], TransientProvider],
) -> None:
    entry = lived[1].read(SCOPE, IDENTITY_KEY)
    assert entry is not None
    assert entry.content == DOCUMENT
    assert problems_of(DOCUMENT) == ()


def test_nothing_private_was_ever_on_a_page(
    lived: tuple[list[tuple[str, tuple[str, ...]]], TransientProvider],
) -> None:
    everything = " ".join(state.content or "" for state in lived[1].history(SCOPE))
    for word in ("Odalys", "daughter", "boss", "job", "rush", "variable names"):
        assert word not in everything
