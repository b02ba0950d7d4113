"""From an older file, or an empty one, to today's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.sessions.labels import search_terms
from ethos_memory.sessions.schema import APPLICATION_ID, MIGRATIONS

if TYPE_CHECKING:
    from sqlite3 import Connection

__all__ = ["upgrade"]


def upgrade(connection: Connection, version: int) -> None:
    """Run the missing steps, inside the caller's transaction.

    Args:
        connection: In a transaction; `ROLLBACK` leaves the old file as it was.
        version: What the file is at.
    """
    missing = [step for step in MIGRATIONS if step.version > version]
    for step in missing:
        for statement in step.statements:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {step.version:d}")
    if any(step.reindex for step in missing):
        _reindex_titles(connection)
        _reindex_messages(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")


def _reindex_titles(connection: Connection) -> None:
    for seq, title in connection.execute("SELECT seq, title FROM sessions").fetchall():
        connection.execute(
            "UPDATE sessions SET title_terms = ? WHERE seq = ?",
            (search_terms(title), seq),
        )


def _reindex_messages(connection: Connection) -> None:
    lengths: dict[str, int] = {}
    rows = connection.execute("SELECT seq FROM messages ORDER BY seq").fetchall()
    # One at a time: the whole store may not fit into memory.
    for (seq,) in rows:
        (session_id, content) = connection.execute(
            "SELECT session_id, content FROM messages WHERE seq = ?", (seq,)
        ).fetchone()
        words = search_terms(content)
        count = words.count(" ") + bool(words)
        lengths[session_id] = lengths.get(session_id, 0) + count
        connection.execute(
            "UPDATE messages SET terms = ?, length = ? WHERE seq = ?",
            (words, lengths[session_id], seq),
        )
