"""What `PostgresProvider` does beyond the contract."""

from __future__ import annotations

import itertools
import json
import threading
import time
from typing import TYPE_CHECKING

import pytest

from cases import test_b09_sessions_search as b09
from cases import test_b10_sessions_cjk as b10
from ethos_memory.entry import Add, Delete, Origin, Remove, Replace
from ethos_memory.errors import ScopeLockedError, UnsafePathError
from ethos_memory.pg import Database
from ethos_memory.providers import postgres_pages as pages
from ethos_memory.providers.postgres import PostgresProvider
from ethos_memory.providers.postgres_pages import MovedError
from postgres.lossy import answer_lost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.entry import Update
    from postgres.server import Server

SCOPE = "user:ana"
B09, B10 = b09.DOCS, b10.DOCS


@pytest.fixture
def database(postgres: Server) -> Database:
    """Return the shared database, empty."""
    return postgres.emptied()


@pytest.fixture
def provider(database: Database) -> PostgresProvider:
    """Return a provider of the shared database."""
    return PostgresProvider(database)


def test_a_provider_closes_what_it_opened(postgres: Server) -> None:
    """A database that was passed in stays open, unless it is handed over."""
    postgres.emptied()
    with PostgresProvider(postgres.dsn, schema="shared") as own:
        assert own.list(SCOPE) == ()
    with pytest.raises(ValueError, match="closed"):
        own.list(SCOPE)
    database = Database(postgres.dsn, schema="shared")
    PostgresProvider(database).close()
    handed_over = PostgresProvider(database, closes=True)
    assert handed_over.list(SCOPE) == ()
    handed_over.close()
    with pytest.raises(ValueError, match="closed"):
        handed_over.list(SCOPE)


def test_a_batch_happens_whole_or_not_at_all(provider: PostgresProvider) -> None:
    """The last page of it is refused, so that the first is not written either."""
    provider.sync(SCOPE, [Add("Notes.md", "x")])
    with pytest.raises(UnsafePathError) as caught:
        provider.sync(SCOPE, [Add("a.md", "x"), Add("notes.md", "x")])
    assert caught.value.written == ()
    assert [ref.key for ref in provider.list(SCOPE)] == ["Notes.md"]
    provider.sync(SCOPE, [Delete("Notes.md"), Add("notes.md", "y")])
    assert [ref.key for ref in provider.list(SCOPE)] == ["notes.md"]


def test_what_is_too_much_for_a_page_is_archived(provider: PostgresProvider) -> None:
    """Page and archive together hold every line once; erasing takes both."""
    lines = [f"- line {number:06}" for number in range(40_000)]
    provider.sync(SCOPE, [Replace("MEMORY.md", "\ufeff" + "\n".join(lines))])
    names = [file.name for file in provider.files(SCOPE)]
    assert names == ["MEMORY.md", "memory-archive.md", "memory-history.jsonl"]
    taken: dict[str, bytes] = {}
    provider.copy_files(SCOPE, taken.__setitem__)
    kept = taken["MEMORY.md"].decode().splitlines()
    archived = taken["memory-archive.md"].decode().splitlines()
    assert len(taken["MEMORY.md"]) <= 512 * 1024
    assert archived[1].endswith("from MEMORY.md -->")
    assert archived[2:] + kept == lines
    assert provider.erase(SCOPE).files == tuple(names)
    assert provider.files(SCOPE) == ()
    assert provider.search(SCOPE, "archived") == ()


def test_a_line_without_room_is_archived_though_the_page_stays(
    provider: PostgresProvider,
) -> None:
    """A page at its cap, rewritten with a new line on top (B08)."""
    line = f"- {'tea ' * 62}12345\n"
    provider.sync(SCOPE, [Replace("MEMORY.md", line * 2_048)])
    page = provider.read(SCOPE, "MEMORY.md")
    assert page is not None
    text = f"- new\n{page.content}"
    report = provider.sync(SCOPE, [Replace("MEMORY.md", text)])
    assert not report.changes[0].is_change
    assert provider.read(SCOPE, "MEMORY.md") == page
    taken: dict[str, bytes] = {}
    provider.copy_files(SCOPE, taken.__setitem__)
    assert taken["memory-archive.md"].count(b"- new") == 1
    assert len(provider.history(SCOPE)) == 1


def test_a_mark_stays_with_the_page_that_is_cut(
    provider: PostgresProvider, other: PostgresProvider
) -> None:
    """A byte-order mark counts for the cap, and never goes to the archive."""
    other.sync(SCOPE, [Replace("a.md", "x")])
    with_mark = "\ufeff- old\n"
    provider._database.transact(
        lambda work: work.connection.execute(
            "update states set content = %s", (with_mark.encode(),)
        )
    )
    provider.sync(SCOPE, [Add("a.md", "- 12345678\n" * 60_000)])
    page = provider.read(SCOPE, "a.md")
    assert page is not None
    assert page.content.startswith("\ufeff- 1")
    assert len(page.content.encode()) <= 512 * 1024


def test_history_says_who_and_what(provider: PostgresProvider) -> None:
    """And the copy of it is one change a line, the oldest first."""
    provider.sync(SCOPE, [Add("a.md", "x")], origin=Origin("tool\0", "s1"))
    provider.sync(SCOPE, [Remove("a.md", "x"), Add("a.md", "y")])
    provider.sync(SCOPE, [Delete("a.md")], origin=Origin("cli"))
    told = [(one.source, one.actions, one.content) for one in provider.history(SCOPE)]
    assert told == [
        ("cli", ("delete",), None),
        ("api", ("remove", "add"), "y\n"),
        ("tool\0", ("add",), "x\n"),
    ]
    taken: dict[str, bytes] = {}
    provider.copy_files(SCOPE, taken.__setitem__)
    lines = taken["memory-history.jsonl"].decode().splitlines()
    assert [json.loads(line)["content"] for line in lines] == ["x\n", "y\n", None]


@pytest.mark.parametrize("revision", ["\0", "é", "0" * 64, "' or 1=1 --"])
def test_what_never_was_is_not_restored(
    revision: str, provider: PostgresProvider
) -> None:
    """Whatever is asked for."""
    provider.sync(SCOPE, [Add("a.md", "x")])
    with pytest.raises(LookupError):
        provider.restore(SCOPE, "a.md", revision)


def test_a_batch_that_is_always_overtaken_gives_up(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After as long as a lock would be waited for."""
    with Database(postgres.dsn, schema="shared", wait_seconds=0.1) as database:
        provider = PostgresProvider(database)

        def moved(*_: object, **__: object) -> None:
            raise MovedError

        monkeypatch.setattr(database, "transact", moved)
        with pytest.raises(ScopeLockedError, match="user:ana"):
            provider.sync(SCOPE, [Add("a.md", "x")])


def test_a_page_that_moves_is_thought_through_again(
    provider: PostgresProvider, database: Database
) -> None:
    """Between reading and writing, another writer is faster, again and again."""
    provider.sync(SCOPE, [Add("a.md", "start")])
    other = PostgresProvider(database)
    tries: list[int] = []
    clock = provider._clock

    def slow() -> object:
        tries.append(1)
        if len(tries) <= 2:
            other.sync(SCOPE, [Add("a.md", f"other {len(tries)}")])
        return clock()

    provider._clock = slow  # type: ignore[assignment]
    provider.sync(SCOPE, [Add("a.md", "mine")])
    page = provider.read(SCOPE, "a.md")
    assert page is not None
    assert page.content == "start\n\nother 1\n\nother 2\n\nmine\n"
    # The third time the page was locked first.
    assert len(tries) == 3


def test_a_first_page_waits_for_an_erasure(
    provider: PostgresProvider, database: Database
) -> None:
    """Whichever is first: the page is whole, or the scope is empty."""
    for _ in range(5):
        provider.sync(SCOPE, [Add("a.md", "old")])
        threads = [
            threading.Thread(target=provider.erase, args=(SCOPE,)),
            *(
                threading.Thread(
                    target=provider.sync, args=(SCOPE, [Add(f"{name}.md", "new")])
                )
                for name in "abc"
            ),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        history = provider.history(SCOPE)
        for ref in provider.list(SCOPE):
            page = provider.read(SCOPE, ref.key)
            assert page is not None
            states = [one for one in history if one.key == ref.key]
            assert states[0].revision == page.revision
        provider.erase(SCOPE)
        assert provider.erase(SCOPE).files == ()
        assert provider.list(SCOPE) == ()


@pytest.mark.parametrize(
    "first", [Add("a.md", "new"), Add("z.md", "swapped"), Delete("z.md")]
)
def test_an_erasure_takes_what_was_being_written(
    first: Update, provider: PostgresProvider, other: PostgresProvider, postgres: Server
) -> None:
    """It waits for the writer's transaction, and takes its states as well."""
    provider.sync(SCOPE, [Add("z.md", "old")])
    clock, calls = provider._clock, itertools.count()
    eraser = threading.Thread(target=other.erase, args=(SCOPE,))

    def slow() -> object:
        if next(calls) == 1:
            eraser.start()
            waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock'"
            deadline = time.monotonic() + 30
            while not postgres.execute(waiting):
                assert time.monotonic() < deadline
        return clock()

    provider._clock = slow  # type: ignore[assignment]
    provider.sync(SCOPE, [first, Add("b.md", "last")])
    eraser.join()
    assert provider.history(SCOPE) == ()
    assert provider.files(SCOPE) == ()


def test_no_state_outlives_its_scope(
    provider: PostgresProvider, other: PostgresProvider, database: Database
) -> None:
    """No foreign key says so: whoever changes a page holds it, or its scope."""
    done = threading.Event()
    failures: list[Exception] = []

    def write(mine: PostgresProvider, key: str) -> None:
        big = "- x\n" * 200_000
        kinds = (Add(key, "x"), Replace(key, "y"), Replace(key, big), Delete(key))
        numbers = itertools.count()
        try:
            while not done.is_set():
                one = kinds[next(numbers) % len(kinds)]
                mine.sync(SCOPE, [one, Add("both.md", key)][: next(numbers) % 3 + 1])
        except Exception as error:  # noqa: BLE001 - shown below
            failures.append(error)

    threads = [
        threading.Thread(target=write, args=(mine, key))
        for mine, key in ((provider, "a.md"), (provider, "b.md"), (other, "a.md"))
    ]
    for thread in threads:
        thread.start()
    for _ in range(10):
        other.erase(SCOPE)
    done.set()
    for thread in threads:
        thread.join()
    assert failures == []
    orphans = (
        "select scope from states union all select scope from pages "
        "union all select scope from archive except select scope from scopes"
    )
    assert database.read(lambda it: it.execute(orphans.encode()).fetchall()) == []
    other.erase(SCOPE)
    assert provider.history(SCOPE) == ()


def test_two_casings_of_a_scope_at_once_make_one(provider: PostgresProvider) -> None:
    """The slower one is refused, though it saw none when it began."""
    clock = provider._clock

    def racing() -> object:
        provider._clock = clock
        provider.sync("user:Ana", [Add("a.md", "x")])
        return clock()

    provider._clock = racing  # type: ignore[assignment]
    with pytest.raises(UnsafePathError, match="case"):
        provider.sync(SCOPE, [Add("a.md", "x")])
    assert provider.list(SCOPE) == ()


def test_only_so_many_scopes_stay_indexed(provider: PostgresProvider) -> None:
    """The one that was searched longest ago is indexed anew."""
    for number in range(20):
        provider.sync(f"user:u{number}", [Add("a.md", f"tea {number}")])
        assert provider.search(f"user:u{number}", "tea")
    assert len(provider._indexes._kept) == 16
    assert provider.search("user:u0", "tea")[0].snippet == "tea 0"


@pytest.fixture
def other(postgres: Server) -> Iterator[PostgresProvider]:
    """Return a provider on connections of its own."""
    with PostgresProvider(postgres.dsn, schema="shared") as opened:
        yield opened


def test_what_another_process_wrote_is_found(
    provider: PostgresProvider, other: PostgresProvider
) -> None:
    """And what it deleted is not, at once."""
    provider.sync(SCOPE, [Add("a.md", "tea"), Add("b.md", "tea")])
    assert len(provider.search(SCOPE, "tea")) == 2
    other.sync(SCOPE, [Delete("a.md"), Replace("b.md", "milk")])
    assert provider.search(SCOPE, "tea") == ()
    assert [hit.key for hit in provider.search(SCOPE, "milk")] == ["b.md"]
    assert provider.search(SCOPE, "milk", limit=0) == ()


@pytest.mark.parametrize("happens", [True, False])
def test_a_change_whose_answer_was_lost_happens_once(
    happens: bool, provider: PostgresProvider, database: Database
) -> None:
    """Written or erased, and told as it was."""
    with answer_lost(database, happens=happens):
        report = provider.sync(SCOPE, [Add("a.md", "x")])
    assert report.changes[0].is_change
    page = provider.read(SCOPE, "a.md")
    assert page is not None
    assert page.content == "x\n"
    assert len(provider.history(SCOPE)) == 1
    with answer_lost(database, happens=happens):
        assert provider.erase(SCOPE).files == ("a.md", "memory-history.jsonl")
    assert provider.files(SCOPE) == ()


def test_a_history_has_a_limit(
    provider: PostgresProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest states are forgotten, and never the page as it is now."""
    monkeypatch.setattr(pages, "HISTORY_LIMIT_BYTES", 10_000)
    monkeypatch.setattr(pages, "_LOOKS", 1)
    provider.sync(SCOPE, [Replace("old.md", "x" * 9_000)])
    provider.sync("user:bo", [Replace("b.md", "y" * 20_000)])
    for number in range(5):
        provider.sync(SCOPE, [Replace("a.md", f"{number}" * 4_000)])
    told = [(one.key, (one.content or "")[0]) for one in provider.history(SCOPE)]
    assert told == [("a.md", "4"), ("a.md", "3"), ("old.md", "x")]
    assert len(provider.history("user:bo")) == 1
    page = provider.read(SCOPE, "old.md")
    assert page is not None
    assert len(page.content) == 9_001


@pytest.mark.parametrize(
    ("docs", "query", "names"),
    [
        *((B09, query, name) for query, name in b09.FOUND.items()),
        *((B10, query, names) for query, names in b10.FOUND.items()),
    ],
)
def test_pages_are_found_by_what_a_person_types(
    docs: dict[str, str], query: str, names: str, provider: PostgresProvider
) -> None:
    """Cases B09 and B10: punctuation, accents, emoji and words of two characters."""
    provider.sync(SCOPE, [Replace(f"{name}.md", docs[name]) for name in docs])
    found = [hit.key.removesuffix(".md") for hit in provider.search(SCOPE, query)]
    assert sorted(found[: len(names)]) == sorted(names)


def test_a_page_that_was_seen_is_not_taken_for_what_it_is(
    provider: PostgresProvider, other: PostgresProvider
) -> None:
    """Neither for a conflict, nor for a change that changes nothing."""
    provider.sync(SCOPE, [Replace("a.md", "one")])
    other.sync(SCOPE, [Replace("a.md", "two")])
    [told] = provider.sync(SCOPE, [Replace("a.md", "one")]).changes
    assert told.is_change
    other.sync(SCOPE, [Replace("a.md", "three")])
    page = other.read(SCOPE, "a.md")
    assert page is not None
    swap = Replace("a.md", "four", if_revision=page.revision)
    assert provider.sync(SCOPE, [swap]).changes[0].is_change
    other.sync(SCOPE, [Add("a.md", "five")])
    provider.sync(SCOPE, [Add("a.md", "six")])
    page = other.read(SCOPE, "a.md")
    assert page is not None
    assert page.content == "four\n\nfive\n\nsix\n"


def test_only_so_many_pages_are_remembered(provider: PostgresProvider) -> None:
    """None that is large, and none of a scope that was erased."""
    for number in range(260):
        provider._known.keep("user:x", [(f"p{number}.md", b"x", None, number)])
    assert len(provider._known._rows) == 256
    provider.sync(SCOPE, [Replace("a.md", "x"), Replace("b.md", "x" * 70_000)])
    provider.prefetch(SCOPE)
    for key in ("a.md", "b.md"):
        provider.read(SCOPE, key)
    assert provider._known.get(SCOPE, "a.md")
    assert provider._known.get(SCOPE, "b.md") is None
    provider.erase(SCOPE)
    assert provider._known.get(SCOPE, "a.md") is None
