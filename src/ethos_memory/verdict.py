"""What the guard says of a text: findings, gathered in a verdict. Values only."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from attrs import field, frozen

__all__ = ["Action", "Finding", "Verdict"]

#: What is done about a finding, from mildest to strictest.
Action: TypeAlias = Literal["flag", "withhold", "redact"]

#: Text that a person wrote never stands in a `repr`, so that no log can hold it.
_PRIVATE: Final = False


@frozen
class Finding:
    """One thing the guard saw, without the text it saw it in.

    Attributes:
        rule: The rule's id, for example ``override.ignore-previous``.
        category: The family the rule belongs to, for example ``override``.
        action: ``flag`` (reported only), ``withhold`` (the line is kept from a
            prompt, a write is refused) or ``redact`` (a credential: the value is
            replaced by a marker). Already judged for the scope that was screened.
        line: The line the finding begins on, counted from 1.
        start: First code point of the finding, counted from 0 in the whole text.
        end: One past its last code point.
        fingerprint: sha256 of the trimmed line in hex, by which an operator accepts
            the line; empty for ``redact``.
        reason: One sentence for a person. Never holds the text itself.
    """

    rule: str
    category: str
    action: Action = field(kw_only=True)
    line: int = field(kw_only=True)
    start: int = field(kw_only=True)
    end: int = field(kw_only=True)
    fingerprint: str = field(kw_only=True)
    reason: str = field(kw_only=True)


@frozen
class Verdict:
    """The guard's answer about one text.

    Attributes:
        findings: Everything that was seen, in the order of the text.
        refused: True when a write of this text must not happen.
        stored: The text as it may be kept: credentials replaced by markers.
        shown: The text as a model may read it: withheld lines replaced as well.
    """

    findings: tuple[Finding, ...]
    refused: bool
    stored: str = field(kw_only=True, repr=_PRIVATE)
    shown: str = field(kw_only=True, repr=_PRIVATE)
