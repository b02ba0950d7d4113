"""The guard over our own attacks and their benign twins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attack_samples import Sample, load
from ethos_memory.guard import InjectionGuard

if TYPE_CHECKING:
    from ethos_memory.verdict import Verdict

GUARD = InjectionGuard()
SAMPLES = load()
TECHNIQUES = sorted({sample.technique for sample in SAMPLES})


def _mark(verdict: Verdict, *, is_attack: bool) -> str:
    actions = {finding.action for finding in verdict.findings} - {"redact"}
    if "withhold" in actions:
        return "+"
    if actions:
        return "*" if is_attack else "="
    return "o" if is_attack else "-"


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_each_line_is_judged_as_its_file_says(technique: str) -> None:
    """A change for the better or worse shows in the file, never unseen."""
    wrong = [
        (sample.mark, found, sample.text)
        for sample in SAMPLES
        if sample.technique == technique
        and (found := _mark(GUARD.screen(sample.text), is_attack=sample.is_attack))
        != sample.mark
    ]
    assert wrong == []


def test_no_benign_line_is_withheld() -> None:
    """The files cannot say otherwise: no mark exists for it."""
    benign = [sample.text for sample in SAMPLES if not sample.is_attack]
    assert [text for text in benign if GUARD.screen(text).refused] == []


def test_plain_preferences_pass_in_a_profile() -> None:
    """A profile is judged more strictly, and is where preferences stand."""
    plain = [s.text for s in SAMPLES if s.technique == "plain-preferences"]
    assert len(plain) > 100
    assert [text for text in plain if GUARD.screen(text, "user:u1").refused] == []


def test_structured_text_passes_line_by_line_and_as_a_page() -> None:
    """Records, code, logs and tables are memory as well (in a profile too)."""
    pages = [s.text for s in SAMPLES if s.technique == "structured-text"]
    assert len(pages) > 150
    texts = {*pages, *(line for page in pages for line in page.split("\n"))}
    assert [text for text in texts if GUARD.screen(text, "user:u1").refused] == []


def test_most_attacks_are_withheld() -> None:
    """The limits that the files show stay the smaller part."""
    attacks = [sample for sample in SAMPLES if sample.is_attack]
    withheld = [sample for sample in attacks if sample.mark == "+"]
    assert len(withheld) > 0.75 * len(attacks)


def test_every_technique_has_benign_twins() -> None:
    """Attacks alone would let a guard pass that refuses everything."""
    lone = [
        technique
        for technique in TECHNIQUES
        if not any(s.technique == technique and not s.is_attack for s in SAMPLES)
    ]
    assert lone == []


def _wrapped(sample: Sample) -> str:
    return f"# Notes\n\n- Ana likes tea.\n\n- {sample.text}\n\n- Bakery opens at 7.\n"


def test_an_attack_is_withheld_inside_a_page_and_its_neighbors_are_not() -> None:
    """The line is the unit, never the page (case B06)."""
    for sample in SAMPLES:
        if sample.mark == "+" and "\n" not in sample.text:
            verdict = GUARD.screen(_wrapped(sample))
            assert verdict.refused, sample.text
            assert "- Ana likes tea.\n" in verdict.shown
            assert "- Bakery opens at 7.\n" in verdict.shown
            assert sample.text not in verdict.shown


def test_an_attack_is_withheld_as_a_value_of_a_record() -> None:
    """Rows are read one by one, and each of them is read."""
    for sample in SAMPLES:
        if sample.mark == "+" and "\n" not in sample.text:
            page = f"mode: on\nnote: {sample.text}\nlast: 3\n"
            assert GUARD.screen(page).refused, sample.text
