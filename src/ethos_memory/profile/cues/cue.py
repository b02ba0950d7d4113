"""What a language gives away: patterns by which a clause is read. Values only."""

from __future__ import annotations

from typing import Final

from attrs import field, frozen

__all__ = ["NOTHING", "Cues"]

#: A pattern that matches nowhere.
NOTHING: Final = r"(?!)"


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


@frozen(kw_only=True)
class Cues:
    """The patterns of one language, for folded text (lower case, plain quotes).

    Each is an alternation, searched for anywhere unless it says ``^``.

    Attributes:
        language: Its two letters.
        common: Frequent small words with blanks between, by which the language is told.
        connectors: Where a sentence falls into clauses.
        veto: The person forbids to keep what is said.
        material: The message is work to do on a text, not the person's own wish.
        others: Somebody else's wish, people in general, or a thought experiment.
        moment: It holds today, or once.
        task: It is about the piece of work at hand.
        standing: It is to hold from now on.
        wish: The person says what they want or how they work.
        reaction: Looks like a wish, and is an answer to one thing.
        style: How the agent answers, asked for outright.
        rejection: A way of working is rejected.
        objection: The agent is corrected; what follows may be a way of working.
        practice: A way of working, behind an objection.
        contrast: One practice against another.
        order: A clause that tells the agent to do something.
        expertise: What the person says about their own knowledge, with the level.
        lecture: How somebody talks who explains the subject.
        echo: Words that tie a request to one made before.
        traits: Signals that are known by many names: pattern and canonical line.
    """

    language: str
    common: tuple[str, ...] = field(converter=_words)
    connectors: str = NOTHING
    veto: str = NOTHING
    material: str = NOTHING
    others: str = NOTHING
    moment: str = NOTHING
    task: str = NOTHING
    standing: str = NOTHING
    wish: str = NOTHING
    reaction: str = NOTHING
    style: str = NOTHING
    rejection: str = NOTHING
    objection: str = NOTHING
    practice: str = NOTHING
    contrast: str = NOTHING
    order: str = NOTHING
    expertise: tuple[tuple[str, str], ...] = ()
    lecture: str = NOTHING
    echo: str = NOTHING
    traits: tuple[tuple[str, str], ...] = ()
