"""How text is cut into terms, script by script."""

from __future__ import annotations

import sqlite3

import pytest

from ethos_memory.words import terms
from ethos_memory.words.terms import scan

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


def texts(text: str) -> list[str]:
    return [term.text for term in terms(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("chat-send", ["chat", "send"]),
        ("gpt-4o_v2.py", ["gpt", "4o", "v2", "py"]),
        ("node.js 20.04", ["node", "js", "20", "04"]),
        (r"C:\Users\ana", ["c", "users", "ana"]),
        ("don't", ["don", "t"]),
        (
            "C++ and C#, 1+1, a # b",
            ["c", "++", "and", "c", "#", "1", "+", "1", "a", "b"],
        ),
        ("Müller résumé", ["muller", "resume"]),
        ("Mu\u0308ller", ["muller"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("İstanbul Łódź Ærø œuvre", ["istanbul", "lodz", "aero", "oeuvre"]),
        ("ﬁne ﬃ ① ㎏ ＡＢＣ", ["fine", "ffi", "1", "kg", "abc"]),
        ("Ёлка й ї", ["елка", "й", "ї"]),
        ("ΟΔΟΣ οδος", ["οδοσ", "οδοσ"]),
        ("Donau\u00addampf", ["donaudampf"]),
        ("می\u200cخواهم", ["میخواهم"]),
        ("أحمد مُحَمَّد كتـــاب", ["احمد", "محمد", "كتاب"]),
        ("שָׁלוֹם", ["שלום"]),
        ("शिक्षा", ["शिक्षा"]),
        ("٢٠٢٦ ２０", ["2026", "20"]),
        ("", []),
        (" \t\r\n-*(§) \x00\x1f", []),
    ],
)
def test_words_are_folded_and_joined_words_are_taken_apart(
    text: str, expected: list[str]
) -> None:
    """Case, accents, ligatures, digits and invisible characters do not count."""
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("项", ["项"]),
        ("项目", ["项", "项目", "目"]),
        ("评审会", ["评", "评审", "审", "审会", "会"]),
        ("重跑gen后", ["重", "重跑", "跑", "gen", "后"]),
        ("회의", ["회", "회의", "의"]),
        ("\u1112\u116c\u110b\u1174", ["회", "회의", "의"]),
        ("ﾃﾞｰﾀ", ["デ", "デー", "ー", "ータ", "タ"]),
        ("か\u3099", ["が"]),
        ("ต้น", ["ต", "ต้", "้", "้น", "น"]),
        ("\U00020000\U00020001", ["\U00020000", "\U00020000\U00020001", "\U00020001"]),
    ],
)
def test_scripts_without_spaces_give_every_character_and_every_pair(
    text: str, expected: list[str]
) -> None:
    """The terms of a part stand side by side among the terms of the whole."""
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("party 🎉!", ["party", "🎉"]),
        (FAMILY, ["\U0001f468", "\U0001f469", "\U0001f467"]),
        ("👍🏽👍", ["👍", "👍"]),
        ("❤️ ❤", ["❤", "❤"]),
        ("🇩🇪🇫🇷🇩", ["🇩🇪", "🇫🇷", "🇩"]),
        (SCOTLAND, [SCOTLAND]),
        ("1\ufe0f\u20e3", ["1"]),
        ("5 € → 6", ["5", "€", "→", "6"]),
    ],
)
def test_an_emoji_is_a_term(text: str, expected: list[str]) -> None:
    """Skin tones and variation selectors do not count; flags are one term."""
    assert texts(text) == expected


def test_places_are_those_of_the_original_text() -> None:
    """Marks and joiners belong to the term, so that no character is cut."""
    text = "é e\u0301x ﬃ 回项目"
    places = [text[term.start : term.end] for term in terms(text)]
    assert places == ["é", "e\u0301x", "ﬃ", "回", "回项", "项", "项目", "目"]


def test_a_joined_emoji_is_one_place() -> None:
    """Each part of a family stands where the whole family stands."""
    assert {(term.start, term.end) for term in terms(f"a{FAMILY}b")} == {
        (0, 1),
        (1, 6),
        (6, 7),
    }


def test_lone_surrogates_and_null_separate_words() -> None:
    """Text from a broken client is cut up like any other."""
    assert texts("a\ud83db\x00c é\udfff") == ["a", "b", "c", "e"]


def test_the_short_way_for_ascii_agrees_with_the_long_way() -> None:
    """A text gives the same terms whether or not another script follows it."""
    text = "The C++ file_name-2.py, don't; F# + x++ #tag _a_ 3.14"
    found = scan(text)
    longer = scan(text + " é")
    assert found == tuple(column[:-1] for column in longer)


@pytest.mark.parametrize("stemmer", ["", "porter "])
def test_sqlite_keeps_terms_as_they_are(stemmer: str) -> None:
    """A full-text table with the documented tokenizer splits no term."""
    text = (
        f"C++ 🎉 {FAMILY} {SCOTLAND} 🇩🇪 项目评审 don't Müller शिक्षा ต้น € می\u200cخواهم"
    )
    found = texts(text)
    database = sqlite3.connect(":memory:")
    options = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
    database.execute(
        f'CREATE VIRTUAL TABLE page USING fts5(text, tokenize="{stemmer}{options}")'
    )
    database.execute("CREATE VIRTUAL TABLE word USING fts5vocab(page, row)")
    database.execute("INSERT INTO page VALUES (?)", (" ".join(found),))
    kept = {row[0] for row in database.execute("SELECT term FROM word")}
    database.close()
    assert kept == set(found)
