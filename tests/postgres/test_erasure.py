"""Erasure in PostgreSQL: after `forget`, no byte of the person is in any table.

The same person as in ``tests/cases/test_erasure_leaves_nothing.py`` does everything
that leaves a trace. Searched are all columns of all tables, what the planner knows of
them, the server's log, and at last the server's files.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

import pytest
from attrs import frozen
from psycopg.errors import ForeignKeyViolation

from cases.test_erasure_leaves_nothing import (
    MARK,
    MATRIX,
    SLACK,
    TELEGRAM,
    Place,
    live_through_everything,
    traces,
)
from ethos_memory.entry import Add
from ethos_memory.pg.schema import MIGRATIONS
from ethos_memory.sessions.postgres_rows import stem_hashes, stems_of
from postgres.test_docs import blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from postgres.server import Server

SCHEMA: Final = "ethos_memory"
SECRETS: Final = (MARK, TELEGRAM.account_id, SLACK.account_id, MATRIX.account_id)

#: The person's words as the index of messages holds them.
HASHES: Final = stem_hashes(stems_of(MARK))

#: Whose ids stay in it; the audit of files keeps them as well.
AUDIT: Final = "identity_audit"

_COLUMNS: Final = f"""
    select c.relname, a.attname
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = '{SCHEMA}'::regnamespace and c.relkind in ('r', 'p', 'm')
        and a.attnum > 0 and not a.attisdropped
    order by 1, 2
"""
_PLANNED: Final = f"""
    select tablename || '.' || attname,
        concat_ws(' ', most_common_vals, histogram_bounds, most_common_elems)
    from pg_stats where schemaname = '{SCHEMA}'
"""

#: Columns of texts that the planner may sample: none holds what a person said.
OURS: Final = frozenset(
    {
        "accounts.platform",
        "accounts.user_id",
        "identity_audit.platforms",
        "identity_audit.user_ids",
        "identity_audit.verb",
        "merged_ids.kept_id",
        "merged_ids.user_id",
        "messages.id",
        "messages.role",
        "messages.session_id",
        "pages.scope",
        "scopes.folded",
        "scopes.scope",
        "archive.scope",
        "sessions.id",
        "sessions.parent_session_id",
        "sessions.personality_id",
        "states.actions",
        "states.revision",
        "states.scope",
        "store.cursor_key",
    }
)
_SAMPLED: Final = f"""
    select c.relname, a.attname
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = '{SCHEMA}'::regnamespace and c.relkind = 'r'
        and a.attnum > 0 and not a.attisdropped
        and format_type(a.atttypid, null) in ('text', 'bytea', 'text[]', 'bigint[]')
        and a.attstattarget is distinct from 0
"""

_numbers = itertools.count(1)


@frozen
class Kept:
    """A home whose memory is in a database of its own.

    Attributes:
        server: The database is there.
        name: Of the database.
        place: The home.
    """

    server: Server
    name: str
    place: Place

    @property
    def dsn(self) -> str:
        return self.server.dsn.replace("dbname=postgres", f"dbname={self.name}")

    def run(self, *statements: str) -> list[tuple[Any, ...]]:
        return self.server.execute(*statements, dsn=self.dsn)

    def row_traces(self, *wanted: str) -> list[str]:
        """Return where a text occurs: each table and column, once for each text."""
        found = []
        for table, column in self.run(_COLUMNS):
            texts = self.run(f"select {column}::text from {SCHEMA}.{table}")
            held = "\n".join(text for (text,) in texts if text)
            found += [f"{text} in {table}.{column}" for text in spelled(held, *wanted)]
        return found

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return every row of every table but the one with the version."""
        tables = {table for table, _ in self.run(_COLUMNS)} - {"store"}
        return {
            table: self.run(f"select t::text from {SCHEMA}.{table} t order by 1")
            for table in tables
        }

    def planner_traces(self, *wanted: str) -> list[str]:
        """Return the columns of which the planner's statistics hold a text."""
        return [name for name, held in self.run(_PLANNED) if spelled(held, *wanted)]

    def disk_traces(self) -> list[str]:
        """Return which files of the tables and their indexes hold text or hash."""
        self.run("checkpoint")
        [(folder,)] = self.run("select pg_relation_filepath('pg_class')")
        needles = [MARK.encode()]
        needles += [one.to_bytes(8, "little", signed=True) for one in HASHES]
        base = (self.server.folder / "data" / folder).parent
        return [
            path.name
            for path in sorted(base.iterdir())
            if any(needle in path.read_bytes() for needle in needles)
        ]


def spelled(held: str, *wanted: str) -> list[str]:
    """Return which texts occur, as text, as bytes in hex, or as a hash of the words."""
    numbers = any(str(number) in held for number in HASHES)
    return [
        text
        for text in wanted
        if text in held or text.encode().hex() in held or (text == MARK and numbers)
    ]


@pytest.fixture
def kept(postgres: Server, tmp_path: Path) -> Iterator[Kept]:
    """Return a home whose config names an empty database."""
    name = f"erasure_{next(_numbers)}"
    postgres.execute(f"create database {name} encoding 'UTF8' template template0")
    kept = Kept(postgres, name, Place(tmp_path, None))
    kept.place.home.mkdir()
    config = f"memory: postgres\nmemoryPostgres.dsn: {kept.dsn}\n"
    (kept.place.home / "config.yaml").write_text(config, "utf-8")
    yield kept
    postgres.execute(f"drop database {name} with (force)")


def test_no_byte_is_left_in_any_table(kept: Kept) -> None:
    """Neither text nor ids nor hashed words, but user ids in the audit.

    Nor in what stays when rows go: the planner's samples of them, and the log.
    """
    with kept.place.open() as memory:
        lived = live_through_everything(memory, kept.place)
        kept.run("analyze")
        assert kept.planner_traces(*lived.user_ids)
        assert kept.planner_traces(*SECRETS) == []
        assert len(kept.row_traces(*SECRETS)) >= 12
        report = memory.forget(lived.user_id)
        assert set(report.held.user_ids) == set(lived.user_ids)
        assert not report.remains
        assert kept.row_traces(*SECRETS) == []
        assert kept.row_traces(*lived.user_ids) == [
            f"{id} in {AUDIT}.user_ids" for id in lived.user_ids
        ]
        assert traces(kept.place.base, *SECRETS, *lived.user_ids) == []
        assert not memory.provider.search(f"user:{lived.user_id}", MARK)
        assert not memory.sessions.unsafe_everyone().search(MARK)
        assert not memory.forget(lived.user_id)
    assert kept.row_traces(*SECRETS) == []
    assert kept.planner_traces(*SECRETS) == []
    log = (kept.server.folder / "log").read_text("utf-8", errors="replace")
    assert not [text for text in SECRETS if text in log]


def test_no_column_of_text_is_sampled(kept: Kept) -> None:
    """But those with ids and words of ours: a new column must be thought about."""
    kept.place.open().close()
    assert {f"{table}.{column}" for table, column in kept.run(_SAMPLED)} == OURS


def test_no_byte_is_left_on_disk_after_the_tidying(kept: Kept) -> None:
    """The how-to's statement: the tables, and the indexes with the hashed words."""
    with kept.place.open() as memory:
        lived = live_through_everything(memory, kept.place)
        bo = memory.sessions.for_owner("telegram:-100")
        room = bo.create("room").id
        # Rows beside the person's, so that no table is simply cut short.
        for number in range(200):
            memory.provider.sync(
                f"user:bo{number}", [Add("USER.md", f"- bee {number}")]
            )
            bo.append(room, "user", f"bees and boilers {number}")
        assert len(kept.disk_traces()) > 3
        memory.forget(lived.user_id)
        assert kept.disk_traces()
        (tidying,) = [one for one in blocks("sql") if "vacuum" in one]
        for statement in tidying.strip().rstrip(";").split(";"):
            kept.run(statement)
        assert kept.disk_traces() == []
        assert len(bo.search("boilers 7", limit=300)) == 200


def test_tables_of_an_older_release_lose_their_samples(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there stays as it is, and the planner forgets what it saw of it."""
    with monkeypatch.context() as older:
        for name, old in (("MIGRATIONS", MIGRATIONS[:2]), ("VERSION", 2)):
            older.setattr(f"ethos_memory.pg.upgrade.{name}", old)
        older.setattr("ethos_memory.pg.database.VERSION", 2)
        with kept.place.open() as memory:
            live_through_everything(memory, kept.place)
        kept.run("analyze")
        assert "accounts.label" in kept.planner_traces(*SECRETS)
        before = kept.rows()
    kept.place.open().close()
    assert kept.planner_traces(*SECRETS) == []
    assert kept.rows() == before
    assert kept.run(f"select version from {SCHEMA}.store") == [(len(MIGRATIONS),)]
    with pytest.raises(ForeignKeyViolation):
        kept.run(f"delete from {SCHEMA}.states")
