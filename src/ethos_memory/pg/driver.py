"""psycopg, imported at first use: it is an extra."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from ethos_memory.errors import MissingExtraError

if TYPE_CHECKING:
    import psycopg

__all__ = ["Connection", "load_driver"]

#: Rows are tuples; every statement is a transaction of its own unless one is open.
Connection: TypeAlias = "psycopg.Connection[tuple[Any, ...]]"


def load_driver() -> Any:
    """Return the module `psycopg`.

    Raises:
        MissingExtraError: When it is not installed, or finds no libpq.
    """
    with suppress(ImportError):
        return import_module("psycopg")
    raise MissingExtraError("postgres")
