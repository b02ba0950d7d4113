"""The audit journal: who was linked, merged, exported and forgotten, and when.

``users/identity-audit.jsonl``, one JSON object a line::

    {
        "at": "2026-09-01T09:14:02.118Z",
        "verb": "link",
        "platforms": ["slack"],
        "userIds": ["a1b2c3d4e5f6", "0f9e8d7c6b5a"],
    }

`userIds` begins with the id that the operation was about: whose the accounts are now,
or who was forgotten. Then come the ids that had them before, or were merged into it.
No account id and no label is ever in it. A line is written before the change it names,
so that nothing happens without one; after a crash, one line may name a change that did
not happen. Minting an id is no operator's deed, and recorded by `firstSeenAt`.
"""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.identity_map.splice import time_text

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["AUDIT_NAME", "Operation"]

#: In the folder of the users. It is no page: its name does not end in ``.md``.
AUDIT_NAME: Final = "identity-audit.jsonl"

_logger = logging.getLogger("ethos_memory")


@frozen
class Operation:
    """What an operator did to the map, or to the people in it.

    Attributes:
        verb: ``link``, ``unlink``, ``merge`` and ``forget`` of the map; ``export`` and
            ``erase`` of everything that is kept of a person elsewhere.
        platforms: The platforms of the accounts it was done to, sorted.
        user_ids: The id it was about, then the others.
    """

    verb: str
    platforms: tuple[str, ...]
    user_ids: tuple[str, ...]

    def line(self, at: datetime) -> bytes:
        """Return the journal's line, without its line end."""
        fields = {
            "at": time_text(at),
            "verb": self.verb,
            "platforms": self.platforms,
            "userIds": self.user_ids,
        }
        return json.dumps(fields).encode()

    def log(self) -> None:
        """Tell it to the log, once it is done."""
        _logger.info(
            "identity map: %s on %s: %s",
            self.verb,
            ", ".join(self.platforms) or "no platform",
            " <- ".join(self.user_ids),
        )
