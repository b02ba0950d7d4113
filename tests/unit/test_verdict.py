"""Findings and verdicts are values that no log can leak from."""

from __future__ import annotations

import attrs
import pytest

from ethos_memory.verdict import Finding, Verdict


def finding() -> Finding:
    """Build one finding."""
    return Finding(
        "override.ignore-previous",
        "override",
        action="withhold",
        line=1,
        start=0,
        end=4,
        fingerprint="0" * 64,
        reason="asks the reader to drop its instructions",
    )


def test_a_verdict_does_not_show_the_text() -> None:
    """`repr` is what logs hold."""
    verdict = Verdict((finding(),), refused=True, stored="PRIVATE", shown="PRIVATE")
    assert "PRIVATE" not in repr(verdict)
    assert "override.ignore-previous" in repr(verdict)


def test_values_cannot_be_changed() -> None:
    """A finding that was judged stays as it was judged."""
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        finding().line = 2  # type: ignore[misc]
