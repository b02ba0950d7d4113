"""What an operator is told about a person: what is held, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

if TYPE_CHECKING:
    from pathlib import Path

    from ethos_memory.person.holder import Holding
    from ethos_memory.turn import Account

__all__ = [
    "ExportReport",
    "ExportedFile",
    "ForgetReport",
    "Held",
    "MergeReport",
    "PageState",
]


@frozen
class Held:
    """Everything that is held about a person; false when that is nothing.

    It is what a dry run answers, and what the real run works from.

    Attributes:
        user_ids: The id that was asked for, then every id that was merged into it.
        holdings: What there is.
        leftovers: What lies beside it and is not the library's, such as a picture in
            the person's folder. It is left alone.
        stays: What may name the person elsewhere and is not touched, in words.
    """

    user_ids: tuple[str, ...]
    holdings: tuple[Holding, ...]
    leftovers: tuple[Holding, ...] = field(kw_only=True)
    stays: tuple[str, ...] = field(kw_only=True)

    def __bool__(self) -> bool:
        return bool(self.holdings)


@frozen
class ExportedFile:
    """One file of an export.

    Attributes:
        path: Below the export's folder, with ``/``.
        size: Bytes.
        sha256: Of its bytes, in hex.
        what: What it is, for a person.
        source: Where it came from.
    """

    path: str
    size: int
    sha256: str
    what: str = field(kw_only=True)
    source: str = field(kw_only=True)


@frozen
class ExportReport:
    """What an export wrote; false when it wrote nothing.

    Attributes:
        held: What there was.
        destination: The folder, absolute. It is there only when `files` is not empty.
        files: Every file but the manifest, in the order they were written.
        is_dry_run: Whether only `held` was looked up.
    """

    held: Held
    destination: Path
    files: tuple[ExportedFile, ...] = field(kw_only=True)
    is_dry_run: bool = field(kw_only=True)

    def __bool__(self) -> bool:
        return bool(self.files)


@frozen
class ForgetReport:
    """What was erased; false when there was nothing left to erase.

    Attributes:
        held: What there was.
        gone: What went.
        remains: What is there all the same: a turn that was under way wrote it after
            it was erased twice. Forget once more.
        is_dry_run: Whether only `held` was looked up.
    """

    held: Held
    gone: tuple[Holding, ...] = field(kw_only=True)
    remains: tuple[Holding, ...] = field(kw_only=True)
    is_dry_run: bool = field(kw_only=True)

    def __bool__(self) -> bool:
        return bool(self.gone)


@frozen
class PageState:
    """A page of a profile, without its text.

    Attributes:
        key: The page's name.
        size: Bytes.
        revision: As in `MemoryEntry`; `None` when the page cannot be read.
    """

    key: str
    size: int
    revision: str | None


@frozen
class MergeReport:
    """Two ids that are one person now. No text was moved.

    Attributes:
        keep: The id that has all accounts now.
        drop: The id that has none.
        accounts: What moved. `IdentityMap.link` of each to `drop` undoes the merge.
        kept_pages: The profile of `keep`.
        dropped_pages: The profile of `drop`, which no turn reads any more. Copy over
            what is worth keeping.
        is_dry_run: Whether nothing was changed.
    """

    keep: str
    drop: str
    accounts: tuple[Account, ...] = field(kw_only=True)
    kept_pages: tuple[PageState, ...] = field(kw_only=True)
    dropped_pages: tuple[PageState, ...] = field(kw_only=True)
    is_dry_run: bool = field(kw_only=True)
