"""PostgreSQL: a pool of connections, and a schema with versions. Extra ``postgres``."""

from __future__ import annotations

from ethos_memory.pg.database import DEFAULT_SCHEMA, Database

__all__ = ["DEFAULT_SCHEMA", "Database"]
