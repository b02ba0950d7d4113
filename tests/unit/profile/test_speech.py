from __future__ import annotations

import pytest

from ethos_memory.profile.speech import cues_for, own_words, sentences


@pytest.mark.parametrize(
    ("message", "own"),
    [
        ("> I love PHP\nno, never PHP", "no, never PHP"),
        ("&gt; quoted\nmine", "mine"),
        ("look:\n```\nalways short\n```\nshort", "look:\n\n\nshort"),
        ("```\nnever closed: always short", ""),
        ("He says \u201calways keep it very short\u201d to me", 'He says "..." to me'),
        ('Write "color", not "colour"', 'Write "color", not "colour"'),
        ("\u00ab sois toujours bref \u00bb", '"..."'),
        ("def always(x):\n  x;\nshort please", "short please"),
        ("see https://x.example/" + "a" * 64 + " short", "see   short"),
        ("from now on, short", "from now on, short"),
        ("import this", ""),
        ("let me see\nimport os", "let me see"),
    ],
)
def test_only_the_persons_own_words_are_left(message: str, own: str) -> None:
    assert own_words(message) == own


def test_sentences_end_in_every_script() -> None:
    assert sentences("One. Two? 三。四！ five\nsix") == (
        "One.", "Two?", "三。", "四！", "five", "six",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Please keep it short", "en"),
        ("Bitte immer kurz", "de"),
        ("Siempre con ejemplos, por favor", "es"),
        ("Je préfère les réponses courtes", "fr"),
        ("请简短", "zh"),
        ("", "en"),
    ],
)
def test_the_language_is_told_by_its_small_words(text: str, language: str) -> None:
    assert cues_for(text).language == language
