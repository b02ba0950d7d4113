"""The tables, as a list of steps from an empty file to today's.

A step is never edited once released: a change is a new step at the end.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

__all__ = ["APPLICATION_ID", "MIGRATIONS", "VERSION", "Migration"]

#: SQLite's own mark for whose file it is, "EtMm". Ethos's `sessions.db` has none.
APPLICATION_ID: Final = 0x45744D6D


@frozen
class Migration:
    """One step of the schema, run in the upgrade's single transaction.

    Attributes:
        version: What ``PRAGMA user_version`` says after it.
        statements: SQL, in order.
        reindex: Whether every row's search terms are made anew after it.
    """

    version: int
    statements: tuple[str, ...]
    reindex: bool = False


# Times are whole microseconds since 1970 in UTC, so that filters compare instants.
# `seq` is the order of insertion. AUTOINCREMENT, because a number that is used again
# after an undo would let a cursor point into the middle of a turn.
_TABLES: Final = (
    """
    CREATE TABLE store (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        cursor_key BLOB NOT NULL
    ) STRICT
    """,
    "INSERT INTO store (id, cursor_key) VALUES (1, randomblob(32))",
    """
    CREATE TABLE sessions (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        key TEXT NOT NULL,
        platform TEXT NOT NULL,
        model TEXT NOT NULL,
        provider TEXT NOT NULL,
        working_dir TEXT,
        personality_id TEXT,
        parent_session_id TEXT REFERENCES sessions (id) ON DELETE SET NULL,
        title TEXT,
        metadata TEXT NOT NULL,
        pinned INTEGER NOT NULL,
        was_shared INTEGER NOT NULL,
        usage TEXT NOT NULL,
        message_count INTEGER NOT NULL,
        turn_count INTEGER NOT NULL,
        born INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        UNIQUE (owner, key)
    ) STRICT
    """,
    """
    CREATE INDEX sessions_by_parent ON sessions (parent_session_id)
    WHERE parent_session_id IS NOT NULL
    """,
    """
    CREATE TABLE messages (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        owner TEXT NOT NULL,
        role TEXT NOT NULL,
        at INTEGER NOT NULL,
        tool_call_id TEXT,
        tool_name TEXT,
        trace_id TEXT,
        usage TEXT,
        tool_calls TEXT,
        content_blocks TEXT,
        content TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX messages_by_session ON messages (session_id)",
)

# The indexes hold our own terms, separated by blanks, so the tokenizer must keep every
# other character; Porter on top of it, so that "deployed" finds "deploy". `length` is
# how many terms the session had up to and with this message.
_FULL_TEXT: Final = (
    "tokenize = \"porter unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'\""
)
_SEARCH: Final = (
    "ALTER TABLE messages ADD COLUMN length INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE messages ADD COLUMN terms TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE sessions ADD COLUMN title_terms TEXT NOT NULL DEFAULT ''",
    f"""
    CREATE VIRTUAL TABLE message_search USING fts5 (
        terms, content = 'messages', content_rowid = 'seq', {_FULL_TEXT}
    )
    """,
    f"""
    CREATE VIRTUAL TABLE title_search USING fts5 (
        title_terms, content = 'sessions', content_rowid = 'seq', {_FULL_TEXT}
    )
    """,
    # Triggers, so that no path of deletion, cascades included, can miss the index.
    """
    CREATE TRIGGER message_added AFTER INSERT ON messages BEGIN
        INSERT INTO message_search (rowid, terms) VALUES (new.seq, new.terms);
    END
    """,
    """
    CREATE TRIGGER message_gone AFTER DELETE ON messages BEGIN
        INSERT INTO message_search (message_search, rowid, terms)
        VALUES ('delete', old.seq, old.terms);
    END
    """,
    """
    CREATE TRIGGER message_changed AFTER UPDATE OF terms ON messages BEGIN
        INSERT INTO message_search (message_search, rowid, terms)
        VALUES ('delete', old.seq, old.terms);
        INSERT INTO message_search (rowid, terms) VALUES (new.seq, new.terms);
    END
    """,
    """
    CREATE TRIGGER session_added AFTER INSERT ON sessions BEGIN
        INSERT INTO title_search (rowid, title_terms)
        VALUES (new.seq, new.title_terms);
    END
    """,
    """
    CREATE TRIGGER session_gone AFTER DELETE ON sessions BEGIN
        INSERT INTO title_search (title_search, rowid, title_terms)
        VALUES ('delete', old.seq, old.title_terms);
    END
    """,
    """
    CREATE TRIGGER session_changed AFTER UPDATE OF title_terms ON sessions BEGIN
        INSERT INTO title_search (title_search, rowid, title_terms)
        VALUES ('delete', old.seq, old.title_terms);
        INSERT INTO title_search (rowid, title_terms)
        VALUES (new.seq, new.title_terms);
    END
    """,
    "INSERT INTO message_search (message_search) VALUES ('rebuild')",
    "INSERT INTO title_search (title_search) VALUES ('rebuild')",
)

#: From the oldest to the newest, without gaps.
MIGRATIONS: Final = (
    Migration(1, _TABLES),
    Migration(2, _SEARCH, reindex=True),
)

#: What this release reads and writes.
VERSION: Final = MIGRATIONS[-1].version
