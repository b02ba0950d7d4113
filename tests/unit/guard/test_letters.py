from __future__ import annotations

import pytest

from ethos_memory.guard import letters
from ethos_memory.guard.letters import fold_characters, key_of, latinize


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("IGNORE", "ignore"),
        ("Ｉｇｎｏｒｅ", "ignore"),
        ("𝐢𝐠𝐧𝐨𝐫𝐞 𝓪𝓵𝓵", "ignore all"),
        ("ɪɢɴᴏʀᴇ", "ignore"),
        ("Ⓘⓖⓝⓞⓡⓔ", "ignore"),
        ("Ångström café Łódź Straße", "angstrom cafe lodz strasse"),
        ("cafe\u0301", "cafe"),
        ("ig\u200bno\u00adre\ufeff", "ignore"),
        ("a\ufe0f\U000e0100\U000e0041", "a"),
        ("İstanbul ısı", "istanbul isi"),
        ("“x” ‘y’ – z", "\"x\" 'y' - z"),
        ("تَجَاهَلْ أإآ ةى", "تجاهل ااا هي"),
        ("شَبَکَه", "شبكه"),
        ("שָׁלוֹם", "שלום"),
        ("निर्देश", "निर्देश"),
        ("ёлка", "елка"),
        ("忽略 무시", "忽略 무시"),
        ("\ud800x", "x"),
        ("ﬁle ①", "file 1"),
    ],
)
def test_characters_are_folded_one_by_one(text: str, folded: str) -> None:
    """Lower case, compatibility forms, no accents, nothing unseen."""
    assert fold_characters(text) == folded


@pytest.mark.parametrize(
    ("text", "latin"),
    [
        ("іgnоrе", "ignore"),
        ("рrеvіоuѕ іnѕtruсtіоnѕ", "previous instructions"),
        ("москва", "москва"),
        ("c москва", "c москва"),
        ("ascii", "ascii"),
        ("ωmega αlpha", "wmega alpha"),
        ("tοken", "token"),
    ],
)
def test_look_alikes_count_in_words_that_mix_scripts(text: str, latin: str) -> None:
    """A Russian word is a Russian word."""
    assert latinize(text) == latin
    assert len(latinize(text)) == len(text)


def test_digits_and_letters_that_look_alike_are_one_key() -> None:
    """The same for a word and its disguise."""
    assert key_of("1gn0r3") == key_of("ignore")
    assert key_of("ru1es") == key_of("rules")


def test_the_table_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hostile text has every character there is."""
    monkeypatch.setattr(letters, "_TABLE", letters._Table())
    monkeypatch.setattr(letters, "_TABLE_LIMIT", 4)
    assert fold_characters("éèêëìíîï") == "eeeeiiii"
    assert len(letters._TABLE) <= 5
