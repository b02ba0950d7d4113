"""A scene of the tour, as a value: what happened, not how it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

if TYPE_CHECKING:
    from ethos_memory.cli.findings import Located

__all__ = ["Note", "Scene"]


@frozen
class Note:
    """Something that happened, under a short label."""

    label: str
    text: str


@frozen
class Scene:
    """One step of the tour.

    Attributes:
        title: What it is about.
        text: What to notice.
        speaker: Who says something, and where; ``""`` when nobody does.
        said: What is said.
        notes: What happened, in order.
        block: What the prompt gets; `None` when no prompt is made.
        findings: What the guard saw.
    """

    title: str
    text: str
    speaker: str = field(default="", kw_only=True)
    said: str = field(default="", kw_only=True)
    notes: tuple[Note, ...] = field(default=(), kw_only=True)
    block: str | None = field(default=None, kw_only=True)
    findings: tuple[Located, ...] = field(default=(), kw_only=True)
