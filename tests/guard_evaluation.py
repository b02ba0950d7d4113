"""How good the guard is: recall, false positives and speed, beside Ethos's lists.

python tests/guard_evaluation.py [--markdown]

Our own attacks (tests/attacks) are scored always; the folder that ETHOS_MEMORY_CORPORA
names as well, when it is set: `attacks.jsonl` and `benign.jsonl`, one object a line with
`text`, `category` and `source`. One call for each text, one fixed threshold each for
flag and block. "Core" leaves out the categories that begin with `ctx_`: those are
attacks only beside a given system prompt.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

sys.path.insert(0, str(Path(__file__).parent))

from attack_samples import load
from ethos_memory.guard import InjectionGuard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ROUNDS = 3

#: Ethos 0.6.2's three lists, re-created from their description, not from their source.
#: Only the first stands in the path of its memory.
SANITIZE = (
    r"ignore (?:all )?(?:previous|prior|above) instructions",
    r"disregard (?:your|all|any|the)? ?(?:previous|prior|above|system|original)\b",
    r"\byou are now (?:a|an|the)\b",
    r"forget (?:everything|all) (?:you|above|prior)",
    r"override (?:your|all|the)? ?(?:instructions|rules|constraints|guidelines)",
    r"new (?:system )?prompt:",
    r"\[system\]",
    r"<system>",
)
SHORT = (
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|?>?|\[/?inst\]|<</?sys>>",
    r"(?:ignore|disregard|forget) (?:all |any |the |your )?(?:previous|prior|above|earlier|preceding)",
    r"(?:ignore|disregard|forget) (?:everything|all|your) (?:you|above|before|instructions|rules)",
    r"you are now (?:a|an|the|in)\b|pretend (?:to be|you are)|act as (?:a|an|if)\b",
    r"new instructions?:|^\s*(?:system|assistant):",
    "[\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff]",
)
CHANNEL = (
    r"(?:send|post|upload|exfiltrate) .{0,60}https?://",
    r"(?:your )?(?:true|real|hidden) purpose",
    r"(?:maintenance|debug|developer|god) mode",
    r"new (?:objective|goal|task):",
    r"system override",
    r"(?:add|append|write) .{0,40}(?:memory|user)\.md",
    r"remember this for (?:all )?future",
    r"persist (?:this|these)",
    r"(?:read|extract|embed) .{0,30}(?:secrets?|api key|credentials)",
    r"base64 encode .{0,40}send",
)


@frozen
class Line:
    """One text of a corpus."""

    text: str
    category: str
    source: str
    is_attack: bool

    @property
    def is_core(self) -> bool:
        return not self.category.startswith("ctx_")


@frozen
class Result:
    """What a judge said of a text."""

    line: Line
    is_blocked: bool
    is_flagged: bool


def own() -> list[Line]:
    """Return our own attacks and their benign twins."""
    return [Line(s.text, s.technique, "tests/attacks", s.is_attack) for s in load()]


def corpus(folder: Path) -> list[Line]:
    """Read the two files of a folder."""
    found: list[Line] = []
    for name in ("attacks.jsonl", "benign.jsonl"):
        for row in (folder / name).read_text(encoding="utf-8").splitlines():
            value = json.loads(row)
            found.append(
                Line(
                    value["text"],
                    value["category"],
                    value["source"].removesuffix(" (copy)"),
                    name == "attacks.jsonl",
                )
            )
    return found


def judged(lines: Iterable[Line]) -> list[Result]:
    """Ask the guard about each text."""
    guard = InjectionGuard()
    found: list[Result] = []
    for line in lines:
        findings = guard.screen(line.text).findings
        actions = {finding.action for finding in findings}
        is_flagged = bool(actions - {"redact"})
        found.append(Result(line, "withhold" in actions, is_flagged))
    return found


def listed(lines: Iterable[Line], patterns: Sequence[str]) -> list[Result]:
    """Ask a list of patterns about each line of each text."""
    compiled = [
        re.compile(pattern, re.IGNORECASE | re.MULTILINE) for pattern in patterns
    ]
    found: list[Result] = []
    for line in lines:
        is_hit = any(pattern.search(line.text) for pattern in compiled)
        found.append(Result(line, is_hit, is_hit))
    return found


def speed(lines: Sequence[Line], judge: Callable[[str], object]) -> float:
    """Return MB/s over benign texts, one call each, the best of some rounds."""
    texts = [line.text for line in lines if not line.is_attack]
    size = sum(len(text.encode()) for text in texts)
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for text in texts:
            judge(text)
        best = min(best, time.process_time() - start)
    return size / best / 1e6


def share(results: Iterable[Result], attribute: str) -> float:
    """Return how many of the results have an attribute."""
    found = list(results)
    hits = sum(bool(getattr(each, attribute)) for each in found)
    return hits / max(1, len(found))


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, markdown: bool
) -> None:
    """Print rows under a head."""
    if markdown:
        print("|", " | ".join(head), "|")
        print("|", " | ".join("---" for _ in head), "|")
        for row in rows:
            print("|", " | ".join(row), "|")
    else:
        print(f"  {head[0]:<48}", *(f"{cell:>9}" for cell in head[1:]))
        for row in rows:
            print(f"  {row[0]:<48}", *(f"{cell:>9}" for cell in row[1:]))
    print()


def grouped(
    results: Sequence[Result], key: Callable[[Line], str]
) -> list[tuple[str, ...]]:
    """Return a row for each group: size, blocked, flagged."""
    rows: list[tuple[str, ...]] = []
    for name in sorted({key(each.line) for each in results}):
        group = [each for each in results if key(each.line) == name]
        block, flag = share(group, "is_blocked"), share(group, "is_flagged")
        rows.append((name, str(len(group)), f"{block:.3f}", f"{flag:.3f}"))
    return rows


def summary(name: str, results: Sequence[Result], mb: float) -> tuple[str, ...]:
    """Return the row of one judge: recall and false positives."""
    core = [each for each in results if each.line.is_attack and each.line.is_core]
    benign = [each for each in results if not each.line.is_attack]
    return (
        name,
        f"{share(core, 'is_blocked'):.3f}",
        f"{share(benign, 'is_blocked'):.4f}",
        f"{share(core, 'is_flagged'):.3f}",
        f"{share(benign, 'is_flagged'):.4f}",
        f"{mb:.1f}",
    )


_GUARDS = ("guard", "block", "FPR", "flag", "FPR", "MB/s")
_SHARES = ("n", "block", "flag")


def report(title: str, lines: list[Line], *, markdown: bool) -> None:
    """Score one corpus and print it."""
    attacks = sum(line.is_attack for line in lines)
    print(f"## {title}: {attacks} attacks, {len(lines) - attacks} benign\n")
    results = judged(lines)
    guard = InjectionGuard()
    rows = [summary("this guard", results, speed(lines, guard.screen))]
    for name, patterns in (
        ("Ethos sanitize (its memory path)", SANITIZE),
        ("Ethos short patterns", SHORT),
        ("Ethos channel patterns", CHANNEL),
        ("Ethos, all three", SANITIZE + SHORT + CHANNEL),
    ):
        compiled = [re.compile(text, re.IGNORECASE | re.MULTILINE) for text in patterns]

        def search(text: str, found: Sequence[re.Pattern[str]] = compiled) -> bool:
            return any(pattern.search(text) for pattern in found)

        rows.append(summary(name, listed(lines, patterns), speed(lines, search)))
    table(_GUARDS, rows, markdown=markdown)
    found = [each for each in results if each.line.is_attack]
    by_family = grouped(found, lambda line: line.category)
    table(("attacks by family", *_SHARES), by_family, markdown=markdown)
    core = [each for each in found if each.line.is_core]
    if len(Counter(each.line.source for each in core)) > 1:
        by_source = grouped(core, _source)
        table(("core by source", *_SHARES), by_source, markdown=markdown)
    benign = [each for each in results if not each.line.is_attack]
    by_category = grouped(benign, lambda line: line.category)
    table(("benign by category", *_SHARES), by_category, markdown=markdown)


def _source(line: Line) -> str:
    is_code = line.category == "code_planting"
    return f"{line.source} (code_planting)" if is_code else line.source


def main() -> None:
    """Score what there is."""
    markdown = "--markdown" in sys.argv
    report("our own attacks", own(), markdown=markdown)
    folder = os.environ.get("ETHOS_MEMORY_CORPORA")
    if folder:
        report(f"corpus {Path(folder).name}", corpus(Path(folder)), markdown=markdown)
    else:
        print("ETHOS_MEMORY_CORPORA is not set: no other corpus was scored.")


if __name__ == "__main__":
    main()
