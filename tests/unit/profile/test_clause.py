from __future__ import annotations

from ethos_memory.profile.clause import clauses, fold
from ethos_memory.profile.speech import cues_for


def cut(text: str) -> list[str]:
    return [clause.text for clause in clauses(text, cues_for(text))]


def test_a_wish_stands_apart_from_its_reason() -> None:
    assert cut("I'm tall, so always use big desks; and no chairs.") == [
        "I'm tall",
        "always use big desks",
        "no chairs.",
    ]


def test_filler_is_left_out_and_may_be_all_there_is() -> None:
    assert cut("Well, ok, use tabs.") == ["use tabs."]
    assert cut("Ok, ") == []
    assert cut("No, .") == []


def test_what_points_back_is_told_by_what_it_points_at() -> None:
    *_, last = clauses("Oldest first. That's how I read.", cues_for("the"))
    assert (last.text, last.told) == ("That's how I read.", "Oldest first.")


def test_an_objection_holds_for_what_comes_after_it() -> None:
    first, second = clauses("Use tabs. You used spaces again.", cues_for("the"))
    assert (first.is_objection, second.is_objection) == (False, True)


def test_a_question_is_known_by_its_mark() -> None:
    (clause,) = clauses("Why tabs?", cues_for("why"))
    assert clause.is_question
    assert fold("  Why   TABS. ") == "why tabs"
