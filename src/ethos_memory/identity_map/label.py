"""The label of an account: what a picker shows for it, made harmless (pure).

A label is chosen by whoever holds the account. It becomes one line without control
characters, its credentials are replaced, and then it is cut.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MAX_LABEL_CHARACTERS", "clean_label", "default_label"]

#: Telegram's first and last name, the longest in use: 64 characters each.
MAX_LABEL_CHARACTERS: Final = 128

#: Looked at for credentials before the cut. A marker is shorter than what it replaces,
#: so that some text beyond the cut can move in front of it.
_SCREENED_CHARACTERS: Final = 4096

#: C0 and C1 controls that are no white space, and the marks that reorder or isolate
#: text: with them one label can look like another. Joiners in emoji stay.
_DROPPED: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]"
)


def clean_label(label: str, redact: Callable[[str], str]) -> str:
    """Make a label safe to keep and to show.

    Args:
        label: Any text.
        redact: Replaces credentials by markers.

    Returns:
        One line of at most 128 characters, trimmed; maybe empty.
    """
    text = label
    if not text.isascii():
        paired = text.encode("utf-16-le", "surrogatepass")
        text = paired.decode("utf-16-le", "replace")
    # Dropped before the screening: a key with a control character in it is a key.
    line = " ".join(_DROPPED.sub("", text[:_SCREENED_CHARACTERS]).split())
    return redact(line)[:MAX_LABEL_CHARACTERS].rstrip()


def default_label(platform: str, user_id: str) -> str:
    """Return the label of an account that has none.

    Ethos writes ``<platform>:<account id>``, which shows the account wherever the
    label is shown; the user id tells accounts apart as well.
    """
    return f"{platform}:{user_id}"
