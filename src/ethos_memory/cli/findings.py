"""What the guard found, as a line and as JSON. Never the text itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import asdict, frozen

from ethos_memory.cli.console import Console, Painted, Style, paint

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ethos_memory.verdict import Action, Finding

__all__ = ["Located", "located", "note_findings"]

_STYLES: Final[Mapping[Action, Style]] = {
    "flag": "yellow",
    "withhold": "red",
    "redact": "red",
}


@frozen
class Located:
    """A finding with the place where a person looks for it.

    Attributes:
        name: The file or page.
        column: Counted from 1 in code points; `None` when the text is not at hand.
        finding: What was found there.
    """

    name: str
    column: int | None
    finding: Finding

    def parts(self) -> tuple[str | Painted, ...]:
        """Return ``name:line:column: rule: reason (action)``, to print."""
        return (*self.place(), f": {self.finding.reason} ({self.finding.action})")

    def place(self) -> tuple[str | Painted, ...]:
        """Return ``name:line:column: rule``, to print."""
        column = "" if self.column is None else f":{self.column}"
        return (
            paint("bold", f"{self.name}:{self.finding.line}{column}"),
            ": ",
            paint(_STYLES[self.finding.action], self.finding.rule),
        )

    def json(self) -> dict[str, object]:
        """Return it for JSON, with the fingerprint that accepts its line."""
        return {"file": self.name, "column": self.column, **asdict(self.finding)}


def located(
    name: str, findings: Iterable[Finding], *, text: str | None = None
) -> tuple[Located, ...]:
    """Place findings for a person.

    Args:
        name: The file or page.
        findings: What was found in it.
        text: What was screened; it is only measured.
    """
    return tuple(
        Located(name, None if text is None else _column(text, finding.start), finding)
        for finding in findings
    )


def note_findings(console: Console, findings: Iterable[Located]) -> None:
    """Say on standard error what was found in what was shown or written."""
    for one in findings:
        console.note(*one.parts())


def _column(text: str, start: int) -> int:
    return start - max(text.rfind("\n", 0, start), text.rfind("\r", 0, start))
