from __future__ import annotations

import hashlib

import pytest

from ethos_memory.guard.judge import Signal
from ethos_memory.guard.lines import Suspicion
from ethos_memory.guard.marker import fingerprint_of
from ethos_memory.guard.policy import GuardPolicy
from ethos_memory.guard.ruling import LineNumbers, rule_on

TEXT = "one\ntwo\nthree"
ONE, TWO = (0, 3), (4, 7)


def _at(score: float, *places: tuple[int, int], rule: str = "a.x") -> Suspicion:
    return Suspicion(Signal(rule, score, places[0][0], places[-1][1], "r"), places)


def _ruled(*found: Suspicion, accepted: tuple[str, ...] = ()) -> list[tuple[str, int]]:
    ruling = rule_on(TEXT, found, GuardPolicy(accepted=accepted), is_user=False)
    return [(finding.action, finding.line) for finding in ruling.findings]


def test_a_line_is_weighed_against_the_thresholds() -> None:
    """Below the first it is not worth a word."""
    assert _ruled(_at(34, ONE)) == []
    assert _ruled(_at(35, ONE)) == [("flag", 1)]
    assert _ruled(_at(49, ONE)) == [("flag", 1)]
    assert _ruled(_at(50, TWO)) == [("withhold", 2)]


def test_what_crosses_lines_takes_the_stricter_of_them() -> None:
    """Its own line may be weaker than the next."""
    found = (_at(40, ONE, TWO), _at(40, TWO, rule="b.x"))
    assert _ruled(*found) == [("withhold", 1), ("withhold", 2)]


def test_what_crosses_from_a_weak_line_still_has_a_fingerprint() -> None:
    """Of the line that it begins on."""
    ruling = rule_on(
        TEXT,
        (_at(20, ONE, TWO), _at(70, TWO, rule="b.x")),
        GuardPolicy(),
        is_user=False,
    )
    assert ruling.findings[0].fingerprint == fingerprint_of("one")
    assert [span[:2] for span in ruling.withheld] == [TWO]


def test_an_accepted_line_is_out() -> None:
    """And what crosses from it, on every line; not what the next says by itself."""
    one, two = fingerprint_of("one"), fingerprint_of("two")
    assert _ruled(_at(90, ONE), accepted=(one,)) == []
    crossing, own = _at(90, ONE, TWO), _at(60, TWO, rule="b.x")
    policy = GuardPolicy(accepted=(one,))
    ruling = rule_on(TEXT, (crossing,), policy, is_user=False)
    assert (ruling.findings, ruling.withheld) == ((), ())
    ruling = rule_on(TEXT, (crossing, own), policy, is_user=False)
    assert [finding.fingerprint for finding in ruling.findings] == [two]
    assert [span[:2] for span in ruling.withheld] == [TWO]
    # Accepted alone, the second leaves the first to speak for both.
    assert _ruled(crossing, accepted=(two,)) == [("withhold", 1)]


def test_the_marker_names_the_strongest_rule() -> None:
    """One reason is enough for a reader."""
    found = (_at(50, ONE, rule="a.weak"), _at(70, ONE, rule="b.strong"))
    ruling = rule_on(TEXT, found, GuardPolicy(), is_user=False)
    assert ruling.withheld == ((0, 3, "[withheld by the memory guard: b.strong]"),)


def test_of_very_many_findings_each_line_has_one() -> None:
    """The strongest; nobody reads thousands, and each line is withheld all the same."""
    text = "x\n" * 400
    found = [
        _at(score, (place, place + 1), rule=rule)
        for place in range(0, 800, 2)
        for rule, score in (("a.x", 61), ("b.strong", 80), ("c.x", 61))
    ]
    ruling = rule_on(text, found, GuardPolicy(), is_user=False)
    assert [finding.rule for finding in ruling.findings] == ["b.strong"] * 400
    assert len(ruling.withheld) == 400


def test_a_fingerprint_is_that_of_the_trimmed_line() -> None:
    """Indentation may change."""
    assert fingerprint_of(" \ttea\u00a0") == hashlib.sha256(b"tea").hexdigest()


@pytest.mark.parametrize(
    ("place", "line"), [(0, 1), (1, 1), (2, 2), (3, 2), (4, 3), (6, 4), (7, 5), (99, 5)]
)
def test_lines_are_numbered_from_one(place: int, line: int) -> None:
    """CR, LF and both together end one."""
    assert LineNumbers("a\nb\nc\r\rd\r\n"[:7] + "\nz")(place) <= line
