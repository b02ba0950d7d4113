"""A look at a database that makes no table."""

from __future__ import annotations

from typing import Final

from ethos_memory.errors import CorruptFileError, UnsupportedError
from ethos_memory.pg.address import parse_dsn
from ethos_memory.pg.driver import load_driver
from ethos_memory.pg.faults import translated
from ethos_memory.pg.schema import VERSION
from ethos_memory.pg.upgrade import read_version

__all__ = ["is_empty"]

_SEARCH_PATH: Final = "select set_config('search_path', %s, false)"


def is_empty(dsn: str, *, schema: str) -> bool:
    """Tell whether `pg.Database` would make the tables first. Nothing is changed.

    Args:
        dsn: A connection string.
        schema: Where the tables would be.

    Raises:
        CorruptFileError: When the schema holds something else.
        MissingExtraError: When psycopg is not installed.
        NotWrittenError: When the server cannot be reached.
        UnsupportedError: When the tables are an older release's, so that opening them
            would change them.
        ValueError: When the connection string is not valid.
    """
    conninfo, label = parse_dsn(dsn)
    driver, found, failure = load_driver(), 0, None
    try:
        with driver.connect(conninfo, autocommit=True) as connection:
            connection.execute(_SEARCH_PATH, (schema,))
            found = read_version(schema, connection)
    except driver.Error as error:
        failure = translated(error, label, waited_seconds=0)
    if failure is not None:
        # Outside of the handler: the error above may quote the connection string.
        raise failure
    if found < 0:
        raise CorruptFileError(label, f"schema {schema} is not ours")
    if 0 < found < VERSION:
        msg = f"{label}: tables of an older release; opening brings them up to date"
        raise UnsupportedError(msg)
    return found == 0
