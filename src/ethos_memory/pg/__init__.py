"""PostgreSQL: a pool of connections, and a schema with versions. Extra ``postgres``."""

from __future__ import annotations

from ethos_memory.pg.database import DEFAULT_SCHEMA, Database
from ethos_memory.pg.schema import LOCK

__all__ = ["DEFAULT_SCHEMA", "LOCK", "Database"]
