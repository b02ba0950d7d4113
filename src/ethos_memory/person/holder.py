"""Something that holds what is known about people, and what it says it holds.

Each part of the library that keeps text about a person has one holder, and the
registry asks them all. A part without one would be left out of an export, and would
outlive a `forget`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from attrs import field, frozen

if TYPE_CHECKING:
    from ethos_memory.person.destination import ExportFolder

__all__ = ["Holder", "Holding"]


@frozen
class Holding:
    """One thing that is held about a person. It names what it is, never what it says.

    Attributes:
        holder: Who holds it.
        user_id: Under which of the person's ids.
        name: A file's name, a platform, or what is counted.
        count: How many there are.
        size: Bytes; `None` when it is not counted in bytes.
    """

    holder: str
    user_id: str
    name: str = field(kw_only=True)
    count: int = field(default=1, kw_only=True)
    size: int | None = field(default=None, kw_only=True)


class Holder(Protocol):
    """One part of the library that holds something about people.

    `user_ids` are of one person: the id that was asked for, then every id that was
    ever merged into it.
    """

    @property
    def name(self) -> str:
        """What it holds, in one word."""
        ...

    @property
    def stays(self) -> str:
        """What may name a person here and is not theirs to take away."""
        ...

    def holdings(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        """Return what there is; nothing is read that need not be."""
        ...

    def leftovers(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        """Return what lies among it and is not the library's to export or erase."""
        ...

    def export(self, user_ids: tuple[str, ...], into: ExportFolder) -> None:
        """Put all of it into a folder, as files that people can read."""
        ...

    def erase(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        """Erase all of it for good. Can be repeated.

        Returns:
            What went.
        """
        ...
