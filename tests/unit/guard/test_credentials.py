"""The credentials: what is found, what is left, what stands in its place."""

from __future__ import annotations

import json
import os
import re
import re._constants as constants  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from credential_samples import KEEP, KINDS
from ethos_memory.guard.credentials import (
    MARKER,
    Secret,
    blocks,
    find,
    forms,
    judge,
    lookalikes,
    marker,
    named,
    place,
    readers,
    redact,
    search,
    shapes,
    values,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from credential_samples import Sample

MODULES = (
    blocks, forms, judge, lookalikes, named, place, readers, search, shapes, values
)  # fmt: skip

#: How many samples of each kind are made.
COUNT = 30

CORPORA = os.environ.get("ETHOS_MEMORY_CORPORA", "")


def _is_found(text: str, secret: str) -> bool:
    return any(text[hit.start : hit.end] == secret for hit in find(text))


@pytest.mark.parametrize("kind", [*KINDS])
def test_a_kind_is_found_whole(kind: str) -> None:
    """Nine in ten of every kind are found, and the span is exactly the secret."""
    rng = Random(f"20261130 {kind}")
    samples = [KINDS[kind](rng) for _ in range(COUNT)]
    found = sum(_is_found(text, secret) for text, secret in samples)
    assert found >= 0.9 * COUNT


def test_nearly_all_samples_are_found() -> None:
    """Over all kinds the recall is far above the target of nine in ten."""
    rng = Random(42)
    samples = [make(rng) for make in KINDS.values() for _ in range(20)]
    found = sum(_is_found(text, secret) for text, secret in samples)
    assert len(KINDS) >= 30
    assert found >= 0.98 * len(samples)


@pytest.mark.parametrize("text", KEEP)
def test_a_line_that_only_talks_about_secrets_is_kept(text: str) -> None:
    """Hashes, ids, paths, templates and docs are no secrets."""
    assert redact(text) == text


def test_near_misses_on_a_page_are_kept() -> None:
    """Lines that are kept one by one are kept together as well."""
    page = "\n\n".join(KEEP)
    assert redact(page) == page


@pytest.mark.parametrize("make", [*KINDS.values()], ids=[*KINDS])
def test_the_rest_of_the_sentence_stays(make: Callable[[Random], Sample]) -> None:
    """What stands before and behind a secret keeps every character."""
    text, secret = make(Random(5))
    before, behind = text.split(secret)
    shown = redact(f"Before it.\n{text}\nBehind it.")
    assert shown.startswith(f"Before it.\n{before}[redacted: ")
    assert shown.endswith(f"]{behind}\nBehind it.")
    assert secret not in shown


@pytest.mark.parametrize("make", [*KINDS.values()], ids=[*KINDS])
def test_redacting_twice_changes_nothing(make: Callable[[Random], Sample]) -> None:
    """What `redact` writes is never found again."""
    rng = Random(6)
    for _ in range(5):
        once = redact(make(rng)[0])
        assert find(once) == ()
        assert redact(once) == once


def test_several_secrets_come_in_the_order_of_the_text() -> None:
    """Each is found once, none overlaps another, and each has its own marker."""
    rng = Random(7)
    parts = [make(rng) for make in KINDS.values()]
    page = "\n\n".join(f"- {text}" for text, _ in parts)
    found = find(page)
    assert [hit.start for hit in found] == sorted(hit.start for hit in found)
    for here, there in pairwise(found):
        assert here.end <= there.start
    shown = redact(page)
    assert len(re.findall(MARKER, shown)) == len(found)
    assert sum(secret in shown for _, secret in parts) <= 2


def test_a_finding_never_holds_the_secret() -> None:
    """Neither the value's `repr` nor its sentence repeats what was found."""
    rng = Random(8)
    for make in KINDS.values():
        text, secret = make(rng)
        for hit in find(text):
            assert secret not in repr(hit)
            assert secret not in hit.reason


def test_a_finding_says_what_it_is() -> None:
    """Rule, kind, span and sentence are those of the token."""
    token = "gh" + "p_" + "Ab1" * 12
    assert find(f"it is {token}.") == (
        Secret(
            "credential.github-token",
            "github token",
            start=6,
            end=46,
            reason="Its shape says that this is a credential (github token).",
        ),
    )


def test_words_give_a_secret_away() -> None:
    """A password has no shape, so its sentence says so."""
    (hit,) = find("my password is hunter2-Xk9!")
    assert hit.rule == "credential.password"
    assert hit.reason == "The words around it say that this is a credential (password)."


def test_a_marker_names_the_kind() -> None:
    """Every marker that `redact` writes has the documented shape."""
    assert marker("github token") == "[redacted: github token]"
    rng = Random(9)
    for make in KINDS.values():
        for hit in find(make(rng)[0]):
            assert re.fullmatch(MARKER, marker(hit.kind))
            assert re.fullmatch(r"credential\.[a-z0-9-]+", hit.rule)


def test_a_marker_in_a_page_hides_nothing() -> None:
    """What stands beside a marker is found all the same."""
    shown = redact("[redacted: password] and my password is hunter2-Xk9!")
    assert shown == "[redacted: password] and my password is [redacted: password]"


def test_positions_hold_when_lower_case_is_longer() -> None:
    """U+0130 becomes two characters in lower case; spans count the original's."""
    text = "İİİ İstanbul: my password is hunter2-Xk9!"
    (hit,) = find(text)
    assert text[hit.start : hit.end] == "hunter2-Xk9!"


def test_a_shape_names_what_the_words_found_as_well() -> None:
    """Of two rules that see one secret, the one that knows its shape names it."""
    token = "gl" + "pat-" + "aB3" * 7
    assert redact(f"password={token}") == "password=[redacted: gitlab token]"


def test_a_wider_value_is_replaced_whole() -> None:
    """Where a known shape is only a part of the value, all of the value goes."""
    token = "AK" + "IA" + "ABCDEFGH12345678"
    shown = redact(f"password: x!{token}")
    assert shown == "password: [redacted: aws access key]"


def test_importing_compiles_no_rule() -> None:
    """The first text that is looked at pays for the patterns, not the import."""
    code = (
        "import ethos_memory.guard.credentials as c\n"
        "from ethos_memory.guard.credentials import forms, named, search, shapes\n"
        "assert not forms._pattern.cache_info().currsize\n"
        "assert not named._pattern.cache_info().currsize\n"
        "assert not shapes._body.cache_info().currsize\n"
        "c.find('my password is hunter2-Xk9!')\n"
        "assert named._pattern.cache_info().currsize\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.skipif(not CORPORA, reason="ETHOS_MEMORY_CORPORA names no folder")
def test_the_benign_corpus_is_left_alone() -> None:
    """At most one line in a thousand is taken for a secret."""
    lines = (Path(CORPORA) / "benign.jsonl").read_text(encoding="utf-8").splitlines()
    hits = [text for text in (json.loads(line)["text"] for line in lines) if find(text)]
    assert len(hits) <= 0.001 * len(lines)


def _variable_repeats(parsed: object, *, inside: bool = False) -> Iterator[str]:
    """Walk a parsed pattern; name what is unbounded, or varies inside what varies."""
    for operator, argument in parsed:  # type: ignore[attr-defined]
        if operator in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            low, high, body = argument
            if high is constants.MAXREPEAT:
                yield "unbounded"
            varies = low != high and high > 1
            if varies and inside:
                yield "nested"
            yield from _variable_repeats(body, inside=inside or varies)
        elif operator is constants.SUBPATTERN:
            yield from _variable_repeats(argument[-1], inside=inside)
        elif operator is constants.BRANCH:
            for branch in argument[1]:
                yield from _variable_repeats(branch, inside=inside)
        elif operator in (constants.ASSERT, constants.ASSERT_NOT):
            yield from _variable_repeats(argument[1], inside=inside)


def test_every_pattern_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """No quantifier is open, and none that varies stands inside another."""
    sources: set[str] = set()
    compile_ = re.compile

    def recording(source: str, flags: int = 0) -> re.Pattern[str]:
        sources.add(source)
        return compile_(source, flags)

    for module in MODULES:
        for name in ("_pattern", "_body", "_next_line", "_aws_partner", "_long_run"):
            getattr(getattr(module, name, None), "cache_clear", lambda: None)()
    monkeypatch.setattr(re, "compile", recording)
    rng = Random(10)
    for make in KINDS.values():
        for _ in range(5):
            find(make(rng)[0])
    for text in KEEP:
        find(text)
    sources |= {form.pattern for form in forms.FORMS}
    assert len(sources) > 90
    faults = {
        source: [*found]
        for source in sources
        if (found := [*_variable_repeats(parser.parse(source))])
    }
    assert faults == {}
