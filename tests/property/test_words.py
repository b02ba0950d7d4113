"""Laws of searching, over text in every script."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ethos_memory.page.cut import grapheme_start
from ethos_memory.words import Index, parse_query, snippet, stem, terms
from ethos_memory.words.letters import CLUSTER, KINDS, fold

#: The machine is shared, and Hypothesis reads its table of characters at first use.
LAW = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)

#: Characters that cling, join, fold or expand, and lone surrogates.
ODD = st.sampled_from(
    [
        *"aéß項目会議カ゛ﾃﾞ회의ต้น🎉👍🏽🇩🇪❤️ﬃﷺİ١-'\"+# ",
        *"\u0301\u200d\u00ad\u3099\u1112\u116c\ud83d\x00",
        "क्\u200dष",
    ]
)
TEXT = st.one_of(
    st.text(max_size=40),
    st.lists(ODD, max_size=30).map("".join),
    st.text(st.characters(exclude_categories=()), max_size=20),
)
CJK = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x4E20), min_size=2)
WORD = st.text("abcdefgh", min_size=1, max_size=3)


@LAW
@given(TEXT)
def test_terms_stand_where_they_say(text: str) -> None:
    """Each is what its place folds to, and places never run backwards."""
    last = 0
    for term in terms(text):
        assert 0 <= last <= term.start < term.end <= len(text)
        last = term.start
        assert term.text in "".join(
            fold(text[match.start() + term.start : match.end() + term.start])
            for match in CLUSTER.finditer(text[term.start : term.end].translate(KINDS))
        )


@LAW
@given(TEXT)
def test_terms_can_be_joined_by_blanks(text: str) -> None:
    """No term holds a blank, a control character or half a character."""
    joined = " ".join(term.text for term in terms(text))
    assert joined.split(" ") == [term.text for term in terms(text)] or not joined
    assert not any(ord(character) < 0x20 for character in joined)
    joined.encode()


@LAW
@given(st.text(st.characters(max_codepoint=0x52F, exclude_characters="\u0345")))
def test_case_does_not_count(text: str) -> None:
    """Latin, Greek and Cyrillic text has the terms of its case-folded form."""
    folded = terms(text.casefold())
    assert [term.text for term in terms(text)] == [term.text for term in folded]


@LAW
@given(st.lists(TEXT, max_size=4), TEXT)
def test_no_query_raises(texts: list[str], query: str) -> None:
    """Whatever was typed; and what is found lies inside its text."""
    index = Index()
    for number, text in enumerate(texts):
        index.put(str(number), text)
    for match in index.search(query, 10):
        text = texts[int(match.name)]
        assert 0 <= match.start < match.end <= len(text)
        assert match.score > 0
        assert snippet(text, match.start, match.end, width=20)


@LAW
@given(TEXT)
def test_a_text_is_found_by_itself(text: str) -> None:
    """When there is anything in it to look for."""
    index = Index()
    index.put("it", text)
    found = [match.name for match in index.search(text, 1)]
    assert found == (["it"] if terms(text.replace('"', " ")) else [])


@LAW
@given(CJK, st.data())
def test_every_part_of_two_characters_is_found(text: str, data: st.DataObject) -> None:
    """And in no text that does not hold it."""
    start = data.draw(st.integers(0, len(text) - 2))
    end = data.draw(st.integers(start + 2, len(text)))
    index = Index()
    index.put("it", f"x{text}。")
    index.put("other", "龍" * 5)
    index.put("reversed", text[::-1])
    names = {match.name for match in index.search(text[start:end], 10)}
    assert "it" in names
    assert "other" not in names
    assert ("reversed" in names) == (text[start:end] in text[::-1])


@LAW
@given(st.dictionaries(st.sampled_from("pqrst"), st.lists(WORD, max_size=8)))
def test_the_index_agrees_with_looking_through_every_text(
    texts: dict[str, list[str]],
) -> None:
    """All words first, then any, and nothing else."""
    index = Index()
    for name, words in texts.items():
        index.put(name, "an earlier text")
        index.put(name, " ".join(words))
    asked = ["a", "bc", "d"]
    found = [match.name for match in index.search(" ".join(asked), 10)]
    holding = {name: len(set(asked) & set(words)) for name, words in texts.items()}
    assert set(found) == {name for name, held in holding.items() if held}
    complete = [name for name, held in holding.items() if held == len(asked)]
    assert set(found[: len(complete)]) == set(complete)


@LAW
@given(st.text("abcdefgilnorstuyz", max_size=12))
def test_stems_are_never_longer_by_much_and_never_empty(word: str) -> None:
    """A stem is there for every word, and the same each time."""
    assert bool(stem(word)) == bool(word)
    assert len(stem(word)) <= len(word) + 1


@LAW
@given(TEXT, st.integers(0, 40), st.integers(1, 40))
def test_a_snippet_never_tears_a_character(text: str, at: int, width: int) -> None:
    """Its ends are ends of words or of user-perceived characters."""
    start = min(at, len(text))
    end = min(start + 3, len(text))
    shown = snippet(text, start, end, width=width)
    assert len(shown) <= max(width, 0) + 2
    assert "\n" not in shown


@LAW
@given(
    st.text(st.sampled_from("éक\u0301\u094d👩🏽\u200d💻🇩🇪項\u1112\u116c"), max_size=12)
)
def test_both_ways_of_finding_characters_agree(text: str) -> None:
    """Search and cutting see the same user-perceived characters."""
    starts = {
        place
        for match in CLUSTER.finditer(text.translate(KINDS))
        for place in (
            range(match.start(), match.end()) if match.lastgroup else [match.start()]
        )
    }
    bounds = {at for at in range(len(text)) if grapheme_start(text, at) == at}
    assert starts == bounds


@LAW
@given(TEXT)
def test_a_query_is_read_in_one_way(text: str) -> None:
    """Blanks around it change nothing."""
    assert parse_query(f" {text}\n") == parse_query(text)
