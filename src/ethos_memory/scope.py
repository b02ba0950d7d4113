"""Whose memory it is: scope ids, the keys of pages, and where a scope is shown.

The grammar (DESIGN section 4) is an allow-list. A name is accepted as it is or
refused; it is never altered into acceptance, because two names that are altered
alike would share one person's memory.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from attrs import field, frozen
from typing_extensions import override

from ethos_memory.errors import InvalidKeyError, InvalidScopeError, UnknownScopeError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "LAYOUT",
    "MAX_ID_LENGTH",
    "MAX_KEY_BYTES",
    "PAGES",
    "ScopeId",
    "is_sync_copy",
    "parse_key",
    "plain_text",
    "resolve_scope",
]

#: Longest id in characters; all are ASCII (DESIGN section 4).
MAX_ID_LENGTH: Final = 64

#: Longest key in bytes: eCryptfs allows names of 143, and a temporary name must fit.
MAX_KEY_BYTES: Final = 128

#: Longest kind in characters (DESIGN section 4).
MAX_KIND_LENGTH: Final = 32

_KIND: Final = re.compile(rf"[a-z][a-z0-9_-]{{0,{MAX_KIND_LENGTH - 1}}}")
_ID: Final = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_ID_LENGTH}}}")
_KEY: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\.md")

#: Opened as a device on Windows whatever their extension; COM0 and LPT0 as well.
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
)

#: The pages the library itself writes. They have one casing: on a disk that ignores
#: case, `memory.md` would be the same file as `MEMORY.md`.
PAGES: Final = ("MEMORY.md", "USER.md", "IDENTITY.md", "OBSERVATIONS.md")
_PAGE_CASINGS: Final = MappingProxyType({page.lower(): page for page in PAGES})

#: Never a page: the agent itself, and the archive that a page overflows into.
_NOT_PAGES: Final = frozenset({"soul.md", "memory-archive.md"})

#: What sync services and editors leave beside a page (case B23). The last line could
#: be somebody's own note, so it holds only for the pages that the library writes.
_SYNC_COPIES: Final = re.compile(
    r"""
      .* \.sync-conflict .* \.md                              # Syncthing
    | .* conflicted[ ]copy .* \.md                            # Dropbox
    | .* \( (?: [^()]* \b conflict | \d+ ) [^()]* \) \.md      # Drive, browsers
    | .* [_-] conflict [_-]? \d{6,} .* \.md                   # Nextcloud
    | (?-i: .* -(?:DESKTOP|LAPTOP)-[A-Z0-9]{3,} (?:-\d+)? \.md )    # OneDrive
    | \. .* \.icloud
    | ~\$ .*
    | .* \.md (?: ~ | \.bak | \.orig | \.old )
    | (?:memory|user|identity|observations) (?: [ ]\d+ | -(?:desktop|laptop)-.* ) \.md
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)

#: Where the markdown layout keeps each kind, below the root.
LAYOUT: Final[Mapping[str, str]] = MappingProxyType(
    {"personality": "personalities", "user": "users"}
)


def plain_text(value: object, *, what: str) -> str:
    """Take a plain copy of a text.

    A subclass of `str` can answer `fullmatch` with one text and `os.fspath` with
    another, so only the copy is used from here on.

    Args:
        value: What the caller passed.
        what: The argument's name, for the error.

    Returns:
        An exact `str` with the same characters.

    Raises:
        TypeError: When `value` is no text.
    """
    if not isinstance(value, str):
        msg = f"{what} must be text, not {type(value).__name__}"
        raise TypeError(msg)
    return str.__str__(value)


def _is_device(name: str) -> bool:
    return name.partition(".")[0].lower() in _DEVICES


# Pure, and asked several times a turn; a refusal is not cached.
@lru_cache(maxsize=64)
def _checked_kind(kind: str) -> str:
    if not _KIND.fullmatch(kind):
        raise InvalidScopeError(kind, "a kind is a lower-case word such as 'user'")
    return kind


@lru_cache(maxsize=4096)
def _checked_id(id: str) -> str:
    if not _ID.fullmatch(id):
        raise InvalidScopeError(
            id, f"an id is 1 to {MAX_ID_LENGTH} of A-Z a-z 0-9 _ and -"
        )
    if _is_device(id):
        raise InvalidScopeError(id, "Windows opens a device under this name")
    return id


def _kind(value: str) -> str:
    return _checked_kind(plain_text(value, what="kind"))


def _id(value: str) -> str:
    return _checked_id(plain_text(value, what="id"))


@frozen(order=True)
class ScopeId:
    """Whose memory it is, such as ``user:a1b2c3d4e5f6``. One that exists is valid.

    Attributes:
        kind: ``[a-z][a-z0-9_-]{0,31}``. Whether there is a place for the kind is the
            provider's business.
        id: ``[A-Za-z0-9_-]{1,64}``, no Windows device name.

    Raises:
        InvalidScopeError: When a part is outside the grammar.
        TypeError: When a part is no text.
    """

    kind: str = field(converter=_kind)
    id: str = field(converter=_id)

    @classmethod
    def parse(cls, scope: ScopeId | str) -> ScopeId:
        """Read ``kind:id``, split at the first colon; a `ScopeId` is returned as is.

        Args:
            scope: For example ``"user:a1b2c3d4e5f6"``.

        Returns:
            The scope; `str` of it is the text again.

        Raises:
            InvalidScopeError: When the text is outside the grammar.
            TypeError: When `scope` is no text.
        """
        if type(scope) is cls:
            return scope
        text = plain_text(scope, what="scope")
        kind, colon, id = text.partition(":")
        if not colon:
            raise InvalidScopeError(text, "a scope is 'kind:id', such as 'user:abc'")
        return cls(kind, id)

    @classmethod
    def personality(cls, id: str) -> ScopeId:
        """Name the memory of a role: ``personality:<id>``.

        Raises:
            InvalidScopeError: When `id` is outside the grammar.
        """
        return cls("personality", id)

    @classmethod
    def user(cls, id: str) -> ScopeId:
        """Name the memory of a person: ``user:<id>``.

        Raises:
            InvalidScopeError: When `id` is outside the grammar.
        """
        return cls("user", id)

    @classmethod
    def team(cls, id: str) -> ScopeId:
        """Name the memory of a team: ``team:<id>``.

        Raises:
            InvalidScopeError: When `id` is outside the grammar.
        """
        return cls("team", id)

    @override
    def __str__(self) -> str:
        return f"{self.kind}:{self.id}"


def is_sync_copy(name: str) -> bool:
    """Tell whether a file name is a copy that a sync service or editor made.

    Purely lexical, whatever lies beside: ``MEMORY-DESKTOP-7QX.md`` is a copy,
    ``project-API.md`` and ``conflict-resolution.md`` are pages (case B23).
    """
    return _SYNC_COPIES.fullmatch(name) is not None


def parse_key(key: str) -> str:
    """Check the name of a page.

    Args:
        key: For example ``"MEMORY.md"``: ASCII, ends in ``.md``, at most 128 bytes.

    Returns:
        A plain copy of the same text.

    Raises:
        InvalidKeyError: When the name is outside the grammar, belongs to the agent
            or the archive, or is a sync service's copy. `key` is never altered.
        TypeError: When `key` is no text.
    """
    return _checked_key(plain_text(key, what="key"))


# As above: pure, and asked on every call.
@lru_cache(maxsize=1024)
def _checked_key(key: str) -> str:
    if len(key) > MAX_KEY_BYTES or not _KEY.fullmatch(key) or ".." in key:
        raise InvalidKeyError(
            key,
            f"a key is at most {MAX_KEY_BYTES} of A-Z a-z 0-9 _ . and -, begins with a "
            "letter, digit or _, has no '..', and ends in '.md'",
        )
    if _is_device(key):
        raise InvalidKeyError(key, "Windows opens a device under this name")
    folded = key.lower()
    if folded in _NOT_PAGES:
        raise InvalidKeyError(key, "this file is not a page of memory")
    if key != _PAGE_CASINGS.get(folded, key):
        raise InvalidKeyError(key, f"write it as {_PAGE_CASINGS[folded]}")
    if is_sync_copy(key):
        raise InvalidKeyError(key, "this is a copy that a sync service or editor made")
    return key


def resolve_scope(scope: ScopeId | str, root: str | os.PathLike[str]) -> Path:
    """Show where the markdown layout keeps a scope.

    Lexical: the disk is not touched, links are not followed, ``~`` is not expanded.
    It is for showing and for integrations; the library itself walks from a kept
    descriptor and never opens this path (DESIGN section 4).

    Args:
        scope: A ``personality:`` or ``user:`` scope.
        root: The folder that holds ``personalities/`` and ``users/``.

    Returns:
        ``<root>/personalities/<id>`` or ``<root>/users/<id>``, never outside `root`.

    Raises:
        InvalidScopeError: When the scope is outside the grammar.
        UnknownScopeError: When it is valid but of another kind.
        TypeError: When `root` is no text path.
    """
    parsed = ScopeId.parse(scope)
    folder = LAYOUT.get(parsed.kind)
    if folder is None:
        raise UnknownScopeError(str(parsed), f"known kinds: {', '.join(LAYOUT)}")
    return Path(plain_text(os.fspath(root), what="root")) / folder / parsed.id
