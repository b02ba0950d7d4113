"""The tables, as a list of steps from an empty schema to today's.

A step is never edited once released: a change is a new step at the end. Names and ids
are compared byte by byte (``collate "C"``), whatever the database's language. Text that
people write is `bytea`, because PostgreSQL's own text cannot hold every character.
"""

from __future__ import annotations

from typing import Final

__all__ = ["LOCK", "MIGRATIONS", "VERSION"]

#: The advisory lock under which a schema is brought up to date: "EtMm".
LOCK: Final = 0x45744D6D

# A `batch` is what a transaction leaves behind, so that it can be told whether it
# happened when the answer was lost. A page points at its newest state, so that no text
# is kept twice. A page hangs on its scope's row: who erases that waits for the writers
# of new pages at work.
_PAGES: Final = """
create table store (
    id integer primary key check (id = 1),
    version integer not null,
    cursor_key bytea not null
);
create table scopes (
    scope text collate "C" primary key,
    folded text collate "C" not null unique
);
create sequence state_ids;
create table states (
    id bigint primary key,
    scope text collate "C" not null references scopes on delete cascade,
    key text collate "C" not null,
    revision text collate "C" not null,
    at timestamptz not null,
    source bytea not null,
    session_id bytea not null,
    platform bytea not null,
    actions text[] not null,
    batch uuid not null,
    content bytea
);
create index states_by_page on states (scope, key, id);
create table pages (
    scope text collate "C" not null references scopes on delete cascade,
    folded text collate "C" not null,
    key text collate "C" not null,
    state bigint not null references states,
    size integer not null,
    updated_at timestamptz not null,
    primary key (scope, folded)
);
create index pages_by_state on pages (state);
create table archive (
    id bigint generated always as identity primary key,
    scope text collate "C" not null references scopes on delete cascade,
    content bytea not null
);
create index archive_by_scope on archive (scope, id);
"""

_ACCOUNTS: Final = """
create table accounts (
    seq bigint generated always as identity unique,
    platform text collate "C" not null,
    account_id text collate "C" not null,
    user_id text collate "C" not null,
    label text not null,
    first_seen_at timestamptz not null,
    primary key (platform, account_id)
);
create index accounts_by_user on accounts (lower(user_id));
create table merged_ids (
    seq bigint generated always as identity unique,
    user_id text collate "C" primary key,
    kept_id text collate "C" not null
);
create index merged_ids_folded on merged_ids (lower(user_id));
create index merged_ids_by_kept on merged_ids (lower(kept_id));
create table identity_audit (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    verb text not null,
    batch uuid not null,
    platforms text[] not null,
    user_ids text[] not null
);
"""

# Times are whole microseconds since 1970 in UTC, as in SQLite. `owned` is the sha256 of
# the owner, `place` of owner and key: names of any length fit an index as these. `stems`
# are the words of a message, each as the first 64 bits of its hash.
_SESSIONS: Final = """
create table sessions (
    seq bigint generated always as identity primary key,
    id text collate "C" not null unique,
    owned bytea not null,
    place bytea not null unique,
    owner bytea not null,
    key bytea not null,
    platform bytea not null,
    model bytea not null,
    provider bytea not null,
    working_dir bytea,
    personality_id text collate "C",
    parent_session_id text collate "C" references sessions (id) on delete set null,
    title bytea,
    metadata text not null,
    pinned boolean not null,
    was_shared boolean not null,
    usage text not null,
    message_count integer not null,
    turn_count integer not null,
    born bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    batch uuid
);
create index sessions_by_owner on sessions (owned, seq);
create index sessions_by_parent on sessions (parent_session_id)
    where parent_session_id is not null;
create table messages (
    seq bigint generated always as identity primary key,
    id text collate "C" not null unique,
    session_id text collate "C" not null references sessions (id) on delete cascade,
    owned bytea not null,
    role text collate "C" not null,
    at bigint not null,
    tool_calls text,
    tool_call_id bytea,
    tool_name bytea,
    content_blocks text,
    usage text,
    trace_id bytea,
    content bytea not null,
    stems bigint[] not null
);
create index messages_by_session on messages (session_id, seq);
create index messages_by_stem on messages using gin (stems);
"""

# The hottest change swaps a page and keeps its state. Two foreign keys were checked for
# each, and one index was written, for what cannot happen: a swap holds its page's row,
# and whoever erases a scope holds all of them. A state that a page points at is kept
# by the trigger, which looks only when states are deleted.
_FAST: Final = """
alter table pages drop constraint pages_state_fkey;
drop index pages_by_state;
alter table states drop constraint states_scope_fkey;
create function keep_newest_states() returns trigger
language plpgsql set search_path from current as $$
begin
    if exists (
        select from gone join pages p
        on p.scope = gone.scope and p.state = gone.id
    ) then
        raise 'a page points at this state' using errcode = 'foreign_key_violation';
    end if;
    return null;
end
$$;
create trigger keep_newest_states after delete on states
    referencing old table as gone
    for each statement execute function keep_newest_states();
"""

#: What people write, and what names them: table, column, type. The planner keeps samples
#: of a column until it looks again, which may be long after the rows are gone.
_PRIVATE: Final = tuple(
    line.split(maxsplit=2)
    for line in """
states key text collate "C"
states source bytea
states session_id bytea
states platform bytea
states content bytea
pages folded text collate "C"
pages key text collate "C"
archive content bytea
accounts account_id text collate "C"
accounts label text
sessions owned bytea
sessions place bytea
sessions owner bytea
sessions key bytea
sessions platform bytea
sessions model bytea
sessions provider bytea
sessions working_dir bytea
sessions title bytea
sessions metadata text
sessions usage text
messages owned bytea
messages tool_calls text
messages tool_call_id bytea
messages tool_name bytea
messages content_blocks text
messages usage text
messages trace_id bytea
messages content bytea
messages stems bigint[]
""".strip().splitlines()
)

# A type that is given anew drops the samples that are there; nothing is rewritten.
_NO_SAMPLES: Final = "".join(
    f"alter table {table} alter {column} type {kind}, "
    f"alter {column} set statistics 0;\n"
    for table, column, kind in _PRIVATE
)

#: From the oldest to the newest. The place in the list, from 1, is the version.
MIGRATIONS: Final = (_PAGES + _ACCOUNTS, _SESSIONS, _FAST + _NO_SAMPLES)

#: What this release reads and writes.
VERSION: Final = len(MIGRATIONS)
