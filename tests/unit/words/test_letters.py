"""The tables of characters, filled as characters turn up."""

from __future__ import annotations

import pytest

from ethos_memory.words import letters, terms
from ethos_memory.words.letters import CLASSES, CLUSTER, KINDS, fold


def clusters(text: str) -> list[str]:
    found = CLUSTER.finditer(text.translate(KINDS))
    return [text[match.start() : match.end()] for match in found]


def test_a_cluster_is_what_a_person_sees_as_one_character() -> None:
    """Marks, joined emoji, flags and Hangul letters stay with their base."""
    characters = ["ö", "e\u0301", "👩🏽\u200d💻", "🇩🇪", "\u1112\u116c", "क\u094dष", "ä"]
    assert clusters("".join(characters)) == characters


def test_plain_characters_come_in_runs() -> None:
    """What folds to itself is not looked at one by one."""
    assert clusters("abc 项目 e\u0301") == ["abc 项目 ", "e\u0301"]


def test_a_text_of_nothing_but_marks_is_cut_into_short_pieces() -> None:
    """Ordering marks takes their number squared, so no cluster is long."""
    text = "a" + "\u0301\u0316" * 5_000
    assert max(map(len, clusters(text))) <= 25
    assert "".join(clusters(text)) == text
    joined = "👨\u200d" * 5_000
    assert max(map(len, clusters(joined))) <= 25 * 17


@pytest.mark.parametrize("text", ["Straße", "ﷺ", "㍿", "İ", "ǅ", "\u0345", "ΐ", "ﾊﾟ"])
def test_folding_twice_changes_nothing_more(text: str) -> None:
    """Two texts that fold alike stay alike."""
    assert fold(fold(text)) == fold(text)


def test_the_tables_forget_before_they_grow_without_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A text with every character there is does not fill the memory."""
    monkeypatch.setattr(letters, "_REMEMBERED", 50)
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 200)))
    assert len(terms(text)) == 399
    assert len(KINDS) <= 50
    assert len(CLASSES) <= 50


def test_an_unfilled_table_must_say_what_a_character_is() -> None:
    """The two tables differ in one method, and a third would need it."""
    with pytest.raises(NotImplementedError):
        letters._Table().ask(65)
