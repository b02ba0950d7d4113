"""Where a database is: what libpq needs to know, and what a person may see of it."""

from __future__ import annotations

from typing import Any, Final

from ethos_memory.pg.driver import load_driver
from ethos_memory.scope import plain_text

__all__ = ["parse_dsn"]

#: What is added to a connection string that does not say otherwise. A replica may be
#: behind, so that neither a comparison nor a new id may come from one.
_DEFAULTS: Final = {
    "application_name": "ethos-memory",
    "connect_timeout": "10",
    "target_session_attrs": "read-write",
}


def parse_dsn(dsn: str) -> tuple[str, str]:
    """Read a connection string.

    Returns:
        The string with our defaults, which is private, and a label without user,
        password and options.

    Raises:
        MissingExtraError: When psycopg is not installed.
        ValueError: When it is none; it is not in the message.
    """
    text = plain_text(dsn, what="dsn")
    conninfo = load_driver().conninfo
    parts: dict[str, Any] | None = None
    try:
        parts = conninfo.conninfo_to_dict(text)
    except load_driver().Error:
        pass
    if parts is None:
        # Outside of the handler: the error above quotes the password.
        msg = "this is not a connection string of PostgreSQL"
        raise ValueError(msg)
    return conninfo.make_conninfo(**{**_DEFAULTS, **parts}), _label(parts)


def _label(parts: dict[str, Any]) -> str:
    host = parts.get("host") or parts.get("hostaddr") or "localhost"
    port = f":{parts['port']}" if "port" in parts else ""
    name = f"/{parts['dbname']}" if "dbname" in parts else ""
    return f"postgresql://{host}{port}{name}"
