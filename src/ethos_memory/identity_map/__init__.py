"""From a platform account to an opaque user id.

`IdentityMap` keeps the map in ``users/identity-map.json``, in Ethos's format.
`AccountMap` is its shape, for a map that is kept elsewhere.
"""

from __future__ import annotations

from ethos_memory.identity_map.file import IdentityMap
from ethos_memory.identity_map.protocol import (
    AccountMap,
    KnownAccount,
    SupportsAudit,
)

__all__ = ["AccountMap", "IdentityMap", "KnownAccount", "SupportsAudit"]
