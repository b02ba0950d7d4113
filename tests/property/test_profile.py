"""Whatever comes in: the document stays valid, the buffer small, nothing is lost."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from ethos_memory.entry import Origin, Replace
from ethos_memory.errors import GuardRefusedError
from ethos_memory.guard import InjectionGuard
from ethos_memory.learning import IDENTITY_KEY, OBSERVATIONS_KEY, Learner
from ethos_memory.profile import (
    KINDS,
    MAX_OBSERVATIONS,
    MAX_SIGHTINGS,
    Observation,
    format_buffer,
    format_document,
    merge_observations,
    parse_buffer,
    problems_of,
    read_document,
)
from ethos_memory.profile.extract import read_message
from ethos_memory.profile.observation import MAX_OBSERVATION_CHARS
from ethos_memory.providers.guarded import GuardedProvider
from ethos_memory.providers.transient import TransientProvider

if TYPE_CHECKING:
    from collections.abc import Callable

SCOPE = "user:u1"
START = datetime(2026, 5, 4, 9, tzinfo=UTC)

#: Words, and everything that has a meaning on one of the pages.
PIECES = st.sampled_from(
    ["- ", "* ", "# User Identity", "## ", "## Expertise Notes", "Expert: Go, Rust",
     "User prefers ", "tabs", "short answers", "\n", "\r\n", "\n\n", "<!--", "-->",
     "<!-- seen once; repetition; 2026-05-04T09:00:00Z; " + "a" * 64 + " -->",
     "; seen 3", "\ufeff", "\u2028", "\x0c", "é", "异步", "\ud800", "Deep knowledge of x"]
)  # fmt: skip
PAGES = st.lists(PIECES | st.text(max_size=20), max_size=40).map("".join)
TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]),
    min_size=1,
    max_size=MAX_OBSERVATION_CHARS - 8,
)


@st.composite
def observations(draw: st.DrawFn) -> Observation:
    text = "User x " + draw(TEXTS).replace("<!--", "").replace("-->", "")
    minutes = draw(st.integers(0, 90))
    return Observation(
        text,
        draw(st.sampled_from(KINDS)),
        at=START + timedelta(minutes=minutes),
        seen=draw(st.integers(1, 9)),
    )


@settings(max_examples=60)
@given(PAGES, st.lists(observations(), max_size=20))
def test_the_default_synthesizer_always_writes_a_valid_document(
    page: str, found: list[Observation]
) -> None:
    text = merge_observations(page, found)
    assert problems_of(text) == ()
    assert merge_observations(page, found) == text
    assert format_document(read_document(text)) == text


@settings(max_examples=60)
@given(PAGES, st.lists(observations(), max_size=30))
def test_the_buffer_keeps_twenty_at_most_and_reads_back(
    page: str, found: list[Observation]
) -> None:
    buffer = parse_buffer(page, read_at=START)
    foreign = [row.raw for row in buffer.rows if row.meaning is None]
    for one in found:
        buffer = buffer.with_observation(one)
    again = parse_buffer(format_buffer(buffer), read_at=START)
    assert again.observations == buffer.observations
    assert again.sightings == buffer.sightings
    assert len(again.observations) <= MAX_OBSERVATIONS
    assert len(again.sightings) <= MAX_SIGHTINGS
    assert [row.raw for row in buffer.rows if row.meaning is None] == foreign
    assert not buffer.without(buffer.observations).observations


@settings(max_examples=80)
@given(PAGES)
def test_any_message_can_be_read_and_what_is_learned_is_one_line(message: str) -> None:
    for one in read_message(message).signals:
        assert Observation(one.text, one.kind, at=START).text == one.text
        assert one.text.startswith("User ")


ANSWERS: st.SearchStrategy[object] = st.one_of(
    PAGES,
    st.none(),
    st.integers(),
    st.binary(max_size=9),
    st.dictionaries(st.text(max_size=9), st.lists(st.text(max_size=9), max_size=2)),
)


@settings(max_examples=40)
@given(
    st.lists(
        st.text(max_size=40) | st.integers(0, 60).map(lambda n: f"User likes {n}")
    ),
    ANSWERS,
    st.booleans(),
)
def test_a_synthesizer_may_lie_or_raise_and_nothing_is_lost(
    lines: list[str], answer: object, fails: bool
) -> None:
    """It is stored as a valid document, or everything is as it was."""
    now = [START]
    provider = TransientProvider(clock=lambda: now[0])
    guarded = GuardedProvider(provider, InjectionGuard())
    learner = Learner(guarded, clock=lambda: now[0], answer_seconds=5)
    page = "\n".join(f"- {line}" for line in lines)
    update = Replace(OBSERVATIONS_KEY, page)
    provider.sync(SCOPE, [update], origin=Origin("web-editor"))
    before = provider.read(SCOPE, OBSERVATIONS_KEY)

    def lie(*_: object) -> object:
        if fails:
            raise ConnectionError
        return answer

    stored = None
    with suppress(ConnectionError, GuardRefusedError):
        stored = learner.synthesize(SCOPE, lie)
    document = provider.read(SCOPE, IDENTITY_KEY)
    if stored is None:
        assert document is None
        assert provider.read(SCOPE, OBSERVATIONS_KEY) == before
    else:
        assert document is not None
        assert problems_of(document.content) == ()


@settings(max_examples=30)
@given(
    st.lists(
        st.sampled_from(["note", "repeat", "wait", "run", "back", "fail"]), max_size=40
    )
)
def test_no_observation_is_ever_lost(steps: list[str]) -> None:
    """Each is in the buffer, dropped as the oldest of twenty, or was given to a run."""
    now = [START]
    provider = TransientProvider(clock=lambda: now[0])
    guarded = GuardedProvider(provider, InjectionGuard())
    learner = Learner(guarded, clock=lambda: now[0], answer_seconds=5)
    waiting: list[str] = []
    late = 0

    def synthesizer(document: str, given: tuple[Observation, ...], /) -> str:
        nonlocal late
        assert [one.text for one in given] == waiting
        late += 1
        learner.note(SCOPE, f"- User likes late{late}")
        waiting[:] = [f"User likes late{late}"]
        return merge_observations(document, given)

    def fail(*_: object) -> str:
        raise ConnectionError

    for number, step in enumerate(steps):
        calls: dict[str, Callable[[], object]] = {
            "run": lambda: learner.synthesize(SCOPE, synthesizer),
            "fail": lambda: learner.synthesize(SCOPE, fail),
        }
        if step in ("note", "repeat"):
            text = f"User likes o{number if step == 'note' else 0}"
            learner.note(SCOPE, f"- {text}")
            waiting[:] = [*(one for one in waiting if one != text), text][-20:]
        elif step == "wait":
            now[0] += timedelta(minutes=5)
        elif step == "back":
            now[0] -= timedelta(minutes=11)
        else:
            with suppress(ConnectionError):
                calls[step]()
        assert [one.text for one in learner.observations(SCOPE)] == waiting
