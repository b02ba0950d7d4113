"""Which pages of a scope are about a person.

They come from the profile that a turn grants, and from no other scope. What a host keeps
on the command line, where no person is named, lies beside the personality's notes: who
may read those, such as a guest of a private room, must not read it as well.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["is_personal", "is_record"]

_PERSONAL: Final = frozenset({"user.md", "identity.md", "observations.md"})

#: Half of a sha256 in hex, of the record's names; see `tools.record_page`.
_RECORD: Final = re.compile(r"record-[0-9a-f]{32}\.md")

#: A record, or a copy of one that lies in a vault as a note.
_LIKE_A_RECORD: Final = re.compile(r"record-[0-9a-f]{32}(?![0-9a-z])")


def is_record(key: str) -> bool:
    """Tell whether a page's name is that of a host's record."""
    return _RECORD.fullmatch(key) is not None


def is_personal(key: str) -> bool:
    """Tell whether a page is about a person, whatever scope it is in.

    A search of a vault also finds notes whose names are no keys, in folders as well.
    """
    name = key.rpartition("/")[2].lower()
    return name in _PERSONAL or _LIKE_A_RECORD.match(name) is not None
