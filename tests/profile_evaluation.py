"""Scores the built-in extractor: `python tests/profile_evaluation.py corpus.jsonl`.

The corpus has one JSON object a line: `turns`, and what is expected of them. It is not
part of the repository.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from ethos_memory.guard import InjectionGuard
from ethos_memory.learning import IDENTITY_KEY, OBSERVATIONS_KEY, Learner
from ethos_memory.providers.guarded import GuardedProvider
from ethos_memory.providers.transient import TransientProvider

#: Private matters; what is only worthless tomorrow costs precision.
MATTERS: Final = frozenset(
    [
        "name",
        "location",
        "account",
        "emotion",
        "confidence",
        "credential",
        "health",
        "finance",
        "relationship",
    ]
)

SCOPE: Final = "user:u1"


def kept_of(turns: list[str] | tuple[str, ...]) -> list[str]:
    """Return every line that is kept about a fresh user after these interactions."""
    now = datetime(2026, 5, 4, 9, tzinfo=UTC)
    provider = TransientProvider(clock=lambda: now)
    guarded = GuardedProvider(provider, InjectionGuard())
    times = iter(now + timedelta(minutes=number) for number in range(len(turns)))
    learner = Learner(guarded, clock=lambda: next(times))
    for said in turns:
        learner.observe(SCOPE, said)
    states = provider.history(SCOPE)
    assert {state.key for state in states} <= {OBSERVATIONS_KEY, IDENTITY_KEY}
    lines = (line for state in states for line in (state.content or "").splitlines())
    return [line for line in lines if line.strip() and not line.startswith("<!--")]


def fold(text: str) -> str:
    """Return a text as it is compared."""
    return unicodedata.normalize("NFKC", text).casefold()


def score(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return precision, recall and leaks over labelled rows."""
    counts: Counter[str] = Counter()
    leaks: list[str] = []
    private = 0
    for row in rows:
        want, kept = row["expect"], kept_of(row["turns"])
        if want["extract"] == want["store"]:
            is_right = bool(kept) == want["extract"]
            counts[f"{'T' if is_right else 'F'}{'P' if kept else 'N'}"] += 1
        if want["privacy"] in MATTERS:
            private += 1
            note = want["note"].removeprefix("keep out: ")
            words = note.split("; ") if want["store"] else [""]
            if any(fold(word) in fold(line) for line in kept for word in words):
                leaks.append(row["id"])
    return {
        "precision": counts["TP"] / max(1, counts["TP"] + counts["FP"]),
        "recall": counts["TP"] / max(1, counts["TP"] + counts["FN"]),
        "leak_rate": len(leaks) / max(1, private),
        "leaks": leaks,
    }


def main() -> None:
    """Score a corpus, as a whole and by language."""
    lines = Path(sys.argv[1]).read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    languages = sorted({row["id"].split("-")[1] for row in rows})
    print("all", score(rows))
    for language in languages:
        own = [row for row in rows if row["id"].split("-")[1] == language]
        print(language, score(own))


if __name__ == "__main__":
    main()
