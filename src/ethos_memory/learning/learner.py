"""How a person is learned: the profile's rules, with a provider and a clock.

Everything lives on two pages of one scope. `OBSERVATIONS.md` is the buffer,
`IDENTITY.md` the document. Both are written through the guarded provider, so that
every backend, the guard, the history, export and erasure cover them.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.entry import Delete, Origin, Replace
from ethos_memory.errors import GuardRefusedError, RevisionConflictError
from ethos_memory.learning.asking import ANSWER_SECONDS, asked
from ethos_memory.learning.page import (
    IDENTITY_KEY,
    OBSERVATIONS_KEY,
    BufferPage,
    named_lines,
    without_lines,
    without_markers,
)
from ethos_memory.learning.repeat import Repeat
from ethos_memory.learning.said import SaidMessage, own_text
from ethos_memory.profile import (
    Observation,
    PrivacyFilter,
    checked_document,
    is_due,
    merge_observations,
    noted,
    read_observations,
)
from ethos_memory.scope import ScopeId, plain_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from ethos_memory.profile import Buffer, Extractor, Synthesizer
    from ethos_memory.providers.guarded import GuardedProvider

__all__ = ["Draft", "Learner"]

#: Others may change the page between our read and our write; each such round means
#: that somebody else got on.
_MOST_ROUNDS: Final = 100

_OBSERVED: Final = Origin("observation")
_SYNTHESIZED: Final = Origin("synthesis")
_BY_HAND: Final = Origin("cli")


@frozen
class Draft:
    """What a synthesis is made of. No lock is held while it is out.

    Attributes:
        scope: Whose document it is.
        document: The document as it is, for a model; ``""`` when there is none.
            Private: in no `repr`.
        observations: What to merge, oldest first.
        revision: The revision of the document that it replaces.
    """

    scope: ScopeId
    document: str = field(repr=False)
    observations: tuple[Observation, ...] = field(kw_only=True)
    revision: str = field(kw_only=True)


def _now() -> datetime:
    return datetime.now(UTC)


def _holds(one: Observation, words: tuple[str, ...]) -> bool:
    """Tell whether an observation holds one of these folded words."""
    return any(
        re.search(rf"(?<!\w){re.escape(word)}(?!\w)", one.signal) for word in words
    )


class Learner:
    """Learns about the person of a scope. Safe for threads and processes.

    Args:
        provider: Where memory is kept, behind the guard.
        clock: Gives the time, aware.
        privacy: What is never stored.
        answer_seconds: How long an extractor or synthesizer of the host may take.
    """

    def __init__(
        self,
        provider: GuardedProvider,
        *,
        clock: Callable[[], datetime] = _now,
        privacy: PrivacyFilter | None = None,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._provider = provider
        self._clock = clock
        self._privacy = privacy or PrivacyFilter()
        self._answer_seconds = answer_seconds

    def observe(
        self,
        scope: ScopeId | str,
        message: str | SaidMessage,
        *,
        extractor: Extractor | None = None,
        origin: Origin = _OBSERVED,
    ) -> tuple[Observation, ...]:
        """Learn from one message of the user, if there is anything to learn.

        Args:
            scope: Whose memory learns.
            message: What the user said, or a stored message; one by anybody else than
                the user teaches nothing.
            extractor: A host's model. Without one, the built-in rules are used.
            origin: Who writes, for the history.

        Returns:
            What was stored; nothing for most messages.

        Raises:
            TimeoutError: When the extractor takes too long.
            EthosMemoryError: When the page cannot be read or written.
        """
        text = own_text(message)
        if extractor is None:
            signals, patterns = self._read(text)
        else:
            signals, patterns = self._extracted(text, extractor), ()
        if not signals and not patterns:
            return ()
        try:
            return self._store(scope, signals, patterns, origin)
        except GuardRefusedError:
            # The guard takes the words for an attack: nothing is learned from them.
            return ()

    def note(
        self,
        scope: ScopeId | str,
        observation: Observation | str,
        *,
        origin: Origin = _OBSERVED,
    ) -> bool:
        """Keep a finished observation of a host's own agent.

        Args:
            scope: Whose memory learns.
            observation: An observation, or a line ``- User …``, kept as it is. What is
                private is not kept.
            origin: Who writes, for the history.

        Returns:
            Whether a synthesis is due.

        Raises:
            ValueError: When it is no such line.
            GuardRefusedError: When the guard refuses it; nothing was stored.
            EthosMemoryError: When a page cannot be read or written.
        """
        is_plain = not isinstance(observation, Observation)
        if isinstance(observation, Observation):
            one = observation
        else:
            one = noted(plain_text(observation, what="observation"), at=self._clock())

        def change(buffer: Buffer) -> Buffer:
            return buffer.with_observation(one, is_plain=is_plain)

        if self._may_keep(one):
            self._change(scope, change, origin)
        return self.is_due(scope)

    def observations(self, scope: ScopeId | str) -> tuple[Observation, ...]:
        """Return what waits to be merged, oldest first; withheld lines left out."""
        return self._page(scope).buffer.observations

    def is_due(self, scope: ScopeId | str) -> bool:
        """Say whether a synthesis is due; see `ethos_memory.profile.is_due`."""
        return self.begin(scope) is not None

    def begin(self, scope: ScopeId | str) -> Draft | None:
        """Begin a synthesis: say what a synthesizer is to be given.

        Returns:
            `None` when it is not due.

        Raises:
            EthosMemoryError: When a page cannot be read.
        """
        id = ScopeId.parse(scope)
        given = tuple(o for o in self.observations(id) if self._may_keep(o))
        entry = self._provider.read(id, IDENTITY_KEY) if given else None
        last = None if entry is None else entry.updated_at
        if not is_due(len(given), now=self._clock(), last=last):
            return None
        document = "" if entry is None else without_markers(entry.content)
        revision = "" if entry is None else entry.revision
        return Draft(id, document, observations=given, revision=revision)

    def finish(
        self, draft: Draft, answer: object, *, origin: Origin = _SYNTHESIZED
    ) -> str | None:
        """Check a synthesizer's answer and store it, and drop what it was given.

        Args:
            draft: From `begin`.
            answer: What the synthesizer returned: untrusted.
            origin: Who writes, for the history.

        Returns:
            The stored document; `None` when another run, or a person, was faster, and
            nothing was changed.

        Raises:
            GuardRefusedError: When the answer is no document, or the guard refuses
                it. Document and observations are as they were.
            EthosMemoryError: When a page cannot be read or written.
        """
        text = checked_document(answer, self._privacy)
        rounds, dropped = 0, frozenset[str]()
        while True:
            page = self._page(draft.scope).without(dropped)
            if not page.buffer.holds_any(draft.observations):
                return None
            rest = page.buffer.without(draft.observations)
            new = Replace(IDENTITY_KEY, text, if_revision=draft.revision)
            try:
                updates = [new, page.update(rest)]
                self._provider.sync(draft.scope, updates, origin=origin)
            except GuardRefusedError as refused:
                named = named_lines(refused.findings)
                if not page.is_refused_for_old(rest, named):
                    raise
                dropped |= named
            except RevisionConflictError as conflict:
                if conflict.key == IDENTITY_KEY:
                    return None
                rounds += 1
                if rounds == _MOST_ROUNDS:
                    raise
            else:
                return text

    def synthesize(
        self, scope: ScopeId | str, synthesizer: Synthesizer | None = None
    ) -> str | None:
        """Merge what waits into the document, when that is due.

        Args:
            scope: Whose document.
            synthesizer: A host's model. Without one, the built-in rules are used.

        Returns:
            The new document; `None` when it was not due, or another run was faster.

        Raises:
            TimeoutError: When the synthesizer takes too long. Nothing was changed.
            GuardRefusedError: When its answer is refused. Nothing was changed.
            EthosMemoryError: When a page cannot be read or written.
        """
        draft = self.begin(scope)
        if draft is None:
            return None
        if synthesizer is None:
            return self._merged(draft)
        answer = asked(
            synthesizer,
            draft.document,
            draft.observations,
            seconds=self._answer_seconds,
        )
        return self.finish(draft, answer)

    def forget(self, scope: ScopeId | str, *, origin: Origin = _BY_HAND) -> None:
        """Delete both pages. Earlier states stay in the history until `erase`."""
        updates = [Delete(IDENTITY_KEY), Delete(OBSERVATIONS_KEY)]
        self._provider.sync(scope, updates, origin=origin)

    def _read(self, text: str) -> tuple[tuple[Observation, ...], tuple[Repeat, ...]]:
        """Read a message by the built-in rules."""
        from ethos_memory.profile.extract import (  # noqa: PLC0415, at first use
            read_message,
        )

        reading, at = read_message(text, self._privacy), self._clock()
        return (
            tuple(Observation(one.text, one.kind, at=at) for one in reading.signals),
            tuple(
                Repeat.of(one.key, one.text, confirms=one.confirms, at=at)
                for one in reading.patterns
            ),
        )

    def _extracted(self, text: str, extractor: Extractor) -> tuple[Observation, ...]:
        """Ask a host's model, unless nothing may be learned from the message."""
        from ethos_memory.profile.extract import (  # noqa: PLC0415, at first use
            learnable_words,
            private_words,
        )

        words = learnable_words(text)
        if words is None:
            return ()
        answer = asked(extractor, words, seconds=self._answer_seconds)
        kept_out = private_words(words, self._privacy)
        return tuple(
            one
            for one in read_observations(answer, at=self._clock())
            if self._may_keep(one, context=words) and not _holds(one, kept_out)
        )

    def _may_keep(self, one: Observation, *, context: str = "") -> bool:
        return self._privacy.judge(one.text, context=context) is None

    def _page(self, scope: ScopeId | str) -> BufferPage:
        return BufferPage.of(self._provider.read(scope, OBSERVATIONS_KEY))

    def _merged(self, draft: Draft) -> str | None:
        """Finish a draft by the built-in rules, without a line that is refused."""
        text = merge_observations(draft.document, draft.observations)
        while True:
            try:
                return self.finish(draft, text)
            except GuardRefusedError as refused:
                left = without_lines(text, named_lines(refused.findings))
                if left == text:
                    raise
                text = left

    def _change(
        self,
        scope: ScopeId | str,
        change: Callable[[Buffer], Buffer],
        origin: Origin,
    ) -> None:
        """Change the buffer; when somebody else was faster, change theirs."""
        rounds, dropped = 0, frozenset[str]()
        while True:
            page = self._page(scope).without(dropped)
            after = change(page.buffer)
            if after == page.buffer:
                return
            try:
                self._provider.sync(scope, [page.update(after)], origin=origin)
            except GuardRefusedError as refused:
                named = named_lines(refused.findings)
                if not page.is_refused_for_old(after, named):
                    raise
                dropped |= named
            except RevisionConflictError:
                rounds += 1
                if rounds == _MOST_ROUNDS:
                    raise
            else:
                return

    def _store(
        self,
        scope: ScopeId | str,
        signals: tuple[Observation, ...],
        repeats: tuple[Repeat, ...],
        origin: Origin,
    ) -> tuple[Observation, ...]:
        """Store signals, and patterns that were seen before; remember the others."""
        stored: list[Observation] = []

        def change(buffer: Buffer) -> Buffer:
            stored[:] = signals
            for one in signals:
                buffer = buffer.with_observation(one)
            for repeat in repeats:
                if repeat.is_known(buffer):
                    stored.append(repeat.observation)
                    buffer = repeat.confirmed(buffer)
                else:
                    buffer = repeat.remembered(buffer)
            return buffer

        self._change(scope, change, origin)
        return tuple(stored)
