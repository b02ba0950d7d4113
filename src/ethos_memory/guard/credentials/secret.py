"""What a found credential is, and the marker that takes its place."""

from __future__ import annotations

from typing import Final

from attrs import field, frozen

__all__ = ["MARKER", "OPAQUE", "Hit", "Secret", "marker"]

#: The shape of every marker: ``[redacted: <kind>]``, the kind in lower-case words.
MARKER: Final = r"\[redacted: [a-z0-9][a-z0-9 -]{1,31}\]"

#: Stands for each character of a marker while a text is searched, so that nothing is
#: found inside one or is glued to one. A private-use code point is in no secret.
OPAQUE: Final = "\ue000"


@frozen
class Secret:
    """A credential that stands in a text, without the text itself.

    Attributes:
        rule: The rule's id, for example ``credential.github-token``.
        kind: What it is, in lower-case words, for example ``github token``.
        start: First code point of the value, counted from 0 in the whole text.
        end: One past its last code point.
        reason: One sentence for a person.
    """

    rule: str
    kind: str
    start: int = field(kw_only=True)
    end: int = field(kw_only=True)
    reason: str = field(kw_only=True)


@frozen
class Hit:
    """What one rule saw, before the hits of all rules are put in order.

    Attributes:
        kind: What it is, in lower-case words; the rule's id is made of it.
        start: First code point of the value.
        end: One past its last code point.
        named: True when only the words around it give it away, so that a rule which
            knows the shape may name it better.
    """

    kind: str
    start: int
    end: int = field(kw_only=True)
    named: bool = field(default=False, kw_only=True)

    def secret(self) -> Secret:
        """Return the finding that callers see."""
        how = "The words around it say" if self.named else "Its shape says"
        return Secret(
            f"credential.{self.kind.replace(' ', '-')}",
            self.kind,
            start=self.start,
            end=self.end,
            reason=f"{how} that this is a credential ({self.kind}).",
        )


def marker(kind: str) -> str:
    """Return what is written in place of a credential, in the shape of `MARKER`."""
    return f"[redacted: {kind}]"
