"""Each scope reaches the provider that keeps it, and all callers the same one."""

from __future__ import annotations

import logging
import os
import signal
import threading
from typing import TYPE_CHECKING, NoReturn

import pytest
from typing_extensions import override

from ethos_memory.entry import Add, Origin
from ethos_memory.errors import (
    CorruptFileError,
    InvalidScopeError,
    UnknownScopeError,
    UnsupportedError,
)
from ethos_memory.provider import MemoryProvider
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.routed import Route, RoutedProvider
from ethos_memory.providers.transient import TransientProvider

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WAIT_SECONDS = 10


class Kept(TransientProvider):
    """A provider that tells how often it was closed, and may have no truth value."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = 0

    def __len__(self) -> int:
        """Return nothing: an object may well be false."""
        return 0

    def close(self) -> None:
        """Count."""
        self.closed += 1


class FiveCalls:
    """A provider with the five methods and nothing else."""

    def __init__(self) -> None:
        inner = TransientProvider()
        self.prefetch = inner.prefetch
        self.read = inner.read
        self.search = inner.search
        self.sync = inner.sync
        self.list = inner.list


class WithHistory(FiveCalls):
    """The same with a history, that cannot tell what is damaged in it."""

    def __init__(self) -> None:
        super().__init__()
        inner = TransientProvider()
        self.sync = inner.sync
        self.history = inner.history
        self.restore = inner.restore


class Routes:
    """Personalities and what they name; what was asked and opened."""

    def __init__(self, **routes: str) -> None:
        self.routes: dict[str, str | Exception | None] = {**routes}
        self.home = Kept()
        self.opened: dict[str, MemoryProvider] = {}
        self.asked: list[str] = []
        self.make: Callable[[], MemoryProvider] = Kept

    def choose(self, id: str) -> Route[str]:
        """Look up a route, as a config would be read."""
        self.asked.append(id)
        if id not in self.routes:
            return Route(None, is_settled=False)
        choice = self.routes[id]
        if isinstance(choice, Exception):
            raise choice
        return Route(choice)

    def open(self, choice: str) -> MemoryProvider:
        """Open one, for the first time."""
        assert choice not in self.opened
        self.opened[choice] = self.make()
        return self.opened[choice]

    def provider(self, home: MemoryProvider | None = None) -> RoutedProvider[str]:
        """Return the provider in front of them."""
        return RoutedProvider(
            home or self.home, choose=self.choose, open=self.open, choice="home"
        )


def test_a_personality_is_kept_where_its_config_says() -> None:
    """By every call; nobody else's memory goes there."""
    routes = Routes(ops="own")
    provider = routes.provider()
    report = provider.sync(
        "personality:ops", [Add("MEMORY.md", "- bees")], origin=Origin("tool")
    )
    own = routes.opened["own"]
    entry = own.read("personality:ops", "MEMORY.md")
    assert entry is not None
    assert entry.revision == report.changes[0].revision_after
    assert routes.home.list("personality:ops") == ()
    assert provider.prefetch("personality:ops").entries == (entry,)
    assert provider.read("personality:ops", "MEMORY.md") == entry
    [hit] = provider.search("personality:ops", "bees", limit=1, mode="keyword")
    assert hit.key == "MEMORY.md"
    [ref] = provider.list("personality:ops", limit=5, summaries=True)
    assert ref.summary
    [change] = provider.history("personality:ops", "MEMORY.md")
    assert change.source == "tool"
    assert provider.inspect_history("personality:ops", limit=1).changes == (change,)
    restored = provider.restore("personality:ops", "MEMORY.md", entry.revision)
    assert restored.changes
    taken: dict[str, bytes] = {}
    provider.copy_files("personality:ops", taken.__setitem__)
    assert taken["MEMORY.md"] == b"- bees\n"
    names = [file.name for file in provider.files("personality:ops")]
    assert list(provider.erase("personality:ops").files) == names
    assert own.list("personality:ops") == ()


def test_a_person_is_the_same_whichever_personality() -> None:
    """A name that a personality has as well makes no difference."""
    routes = Routes(ops="own")
    provider = routes.provider()
    provider.sync("user:ops", [Add("USER.md", "- tea")])
    assert routes.home.read("user:ops", "USER.md") is not None
    assert routes.asked == []
    with pytest.raises(UnknownScopeError):
        provider.read("team:ops", "MEMORY.md")
    with pytest.raises(InvalidScopeError):
        provider.read("personality:../ops", "MEMORY.md")
    assert routes.asked == []


def test_a_personality_without_one_is_the_homes() -> None:
    """Also when it names what the home names; nothing is opened."""
    routes = Routes(same="home")
    routes.routes["plain"] = None
    provider = routes.provider()
    for id in ("same", "plain", "new"):
        provider.sync(f"personality:{id}", [Add("MEMORY.md", "x")])
        assert routes.home.read(f"personality:{id}", "MEMORY.md") is not None
    assert routes.opened == {}


def test_two_that_name_the_same_share_it() -> None:
    routes = Routes(one="own", two="own", three="other")
    provider = routes.provider()
    for id in ("one", "two", "three", "one"):
        provider.list(f"personality:{id}")
    assert list(routes.opened) == ["own", "other"]


def test_a_config_that_changes_changes_nothing_until_it_is_closed() -> None:
    """A personality that was used stays where it is; it is asked for once."""
    routes = Routes(ops="own")
    routes.routes["plain"] = None
    provider = routes.provider()
    provider.sync("personality:ops", [Add("MEMORY.md", "x")])
    provider.sync("personality:plain", [Add("MEMORY.md", "x")])
    routes.routes |= {"ops": "other", "plain": "other"}
    assert provider.read("personality:ops", "MEMORY.md")
    assert provider.read("personality:plain", "MEMORY.md")
    assert routes.asked == ["ops", "plain"]


def test_a_personality_that_is_not_there_yet_may_still_get_a_config() -> None:
    """And takes no memory: anybody may ask for any number of names."""
    routes = Routes()
    provider = routes.provider()
    for number in range(1500):
        assert provider.list(f"personality:p{number}") == ()
    assert not provider._routes
    assert len(provider._unsettled) < 1100
    routes.routes["p1"] = "own"
    provider.sync("personality:p1", [Add("MEMORY.md", "x")])
    assert routes.opened["own"].read("personality:p1", "MEMORY.md") is not None


@pytest.mark.parametrize(
    "call",
    [
        lambda provider: provider.prefetch("personality:ops"),
        lambda provider: provider.read("personality:ops", "MEMORY.md"),
        lambda provider: provider.search("personality:ops", "bees"),
        lambda provider: provider.list("personality:ops"),
        lambda provider: provider.sync("personality:ops", [Add("A.md", "x")]),
    ],
)
def test_a_personality_that_has_memory_stays_where_it_has_it(
    call: Callable[[MemoryProvider], object],
) -> None:
    """A home in a vault has no folder for it; nobody looks for one on every turn."""
    routes = Routes()
    routes.home.sync("personality:ops", [Add("MEMORY.md", "- bees")])
    provider = routes.provider()
    assert call(provider)
    routes.routes["ops"] = "own"
    assert call(provider)
    assert routes.asked == ["ops"]
    assert not provider._unsettled


def test_what_is_found_of_another_settles_nothing() -> None:
    routes = Routes(two="home")
    provider = routes.provider()
    assert provider.list("personality:ops") == ()
    for scope in ("user:ops", "personality:two"):
        provider.sync(scope, [Add("A.md", "x")])
    assert provider.read("personality:ops", "A.md") is None
    assert provider.prefetch("personality:ops").entries == ()
    assert provider.search("personality:ops", "x") == ()
    routes.routes["ops"] = "own"
    provider.sync("personality:ops", [Add("A.md", "x")])
    assert routes.opened["own"].list("personality:ops")


def test_a_config_that_is_wrong_concerns_its_personality_alone() -> None:
    """It is looked at again, and counts once it is put right."""
    routes = Routes(two="own")
    routes.routes["ops"] = CorruptFileError("config.yaml", "line 2: wrong")
    provider = routes.provider()
    for _ in range(2):
        with pytest.raises(CorruptFileError, match="line 2"):
            provider.sync("personality:ops", [Add("MEMORY.md", "x")])
    assert routes.home.list("personality:ops") == ()
    assert provider.list("personality:two") == ()
    routes.routes["ops"] = "own"
    assert provider.list("personality:ops") == ()


def test_a_provider_that_cannot_be_opened_is_tried_again() -> None:
    """A server may come back."""
    routes = Routes(ops="own")

    def refuse() -> NoReturn:
        raise UnsupportedError("not there")

    routes.make = refuse
    provider = routes.provider()
    for _ in range(2):
        with pytest.raises(UnsupportedError, match="not there"):
            provider.list("personality:ops")
    routes.make = Kept
    assert provider.list("personality:ops") == ()


@pytest.mark.parametrize(
    "call",
    [
        lambda provider, scope: provider.history(scope),
        lambda provider, scope: provider.inspect_history(scope),
        lambda provider, scope: provider.restore(scope, "MEMORY.md", ""),
        lambda provider, scope: provider.erase(scope),
        lambda provider, scope: provider.files(scope),
        lambda provider, scope: provider.copy_files(scope, print),
    ],
)
@pytest.mark.parametrize("scope", ["personality:ops", "user:ana"])
def test_what_the_provider_cannot_do_is_said(
    call: Callable[[MemoryProvider, str], object], scope: str
) -> None:
    """With the name of that provider, whichever it is."""
    routes = Routes(ops="own")
    routes.make = FiveCalls
    provider = routes.provider(FiveCalls())
    assert isinstance(provider, MemoryProvider)
    with pytest.raises(UnsupportedError, match="FiveCalls"):
        call(provider, scope)


def test_a_history_without_its_damages_is_told_as_it_is() -> None:
    routes = Routes()
    provider = routes.provider(WithHistory())
    provider.sync("user:a", [Add("USER.md", "a")])
    provider.sync("user:a", [Add("USER.md", "b")])
    history = provider.inspect_history("user:a", "USER.md", limit=1)
    assert history.changes == provider.history("user:a", "USER.md")[:1]
    assert (history.damaged, history.lost) == (0, 0)


def test_a_history_with_its_damages_is_told_as_it_is(tmp_path: Path) -> None:
    provider = Routes().provider(MarkdownProvider(tmp_path, durability="fast"))
    provider.sync("user:a", [Add("USER.md", "a")])
    provider.sync("user:a", [Add("USER.md", "b")])
    with (tmp_path / "users/a/memory-history.jsonl").open("a") as journal:
        journal.write("no line\n")
    history = provider.inspect_history("user:a", "USER.md", limit=1)
    assert (len(history.changes), history.damaged) == (1, 1)


def test_all_are_closed_once() -> None:
    """Two choices may have led to one object; what has no `close` needs none."""
    shared = Kept()
    routes = Routes(one="a", two="b", three="c")
    provider = routes.provider()
    routes.make = lambda: shared
    provider.list("personality:one")
    provider.list("personality:two")
    routes.make = FiveCalls
    provider.list("personality:three")
    provider.close()
    provider.close()
    assert (shared.closed, routes.home.closed) == (1, 1)
    with pytest.raises(ValueError, match="closed"):
        provider.list("personality:four")


class Stubborn(Kept):
    """Cannot be closed."""

    @override
    def close(self) -> None:
        super().close()
        raise RuntimeError("SECRET")


def test_one_that_cannot_be_closed_keeps_no_other_open(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is told, and its words are not logged."""
    routes = Routes(one="a", two="b")
    provider = routes.provider()
    routes.make = Stubborn
    provider.list("personality:one")
    provider.list("personality:two")
    with (
        caplog.at_level(logging.WARNING, "ethos_memory"),
        pytest.raises(RuntimeError, match="SECRET"),
    ):
        provider.close()
    assert [one.closed for one in routes.opened.values()] == [1, 1]  # type: ignore[attr-defined]
    assert routes.home.closed == 1
    assert len(caplog.messages) == 2
    assert "SECRET" not in caplog.text
    provider.close()


class Slow:
    """Opens slowly, and lets a test look on.

    Attributes:
        begun: How often it was begun.
        outcomes: What each attempt gives; the last one for all that follow.
    """

    def __init__(self, *outcomes: MemoryProvider | BaseException) -> None:
        self.outcomes = list(outcomes)
        self.begun = 0
        self.is_begun = threading.Event()
        self.may_end = threading.Event()

    def open(self, _: str) -> MemoryProvider:
        """Wait, then give the outcome."""
        self.begun += 1
        self.is_begun.set()
        assert self.may_end.wait(WAIT_SECONDS)
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


def routed(slow: Slow) -> RoutedProvider[str]:
    """Return a provider whose personalities all name the slow one."""
    return RoutedProvider(
        Kept(), choose=lambda _: Route("slow"), open=slow.open, choice="home"
    )


def race(provider: RoutedProvider[str], slow: Slow, count: int) -> list[object]:
    """Let threads ask at once; return what each got."""
    outcomes: list[object] = []

    def ask(number: int) -> None:
        try:
            outcomes.append(provider._of(f"personality:p{number % 2}"))
        except BaseException as error:  # noqa: BLE001 - it is what is looked at
            outcomes.append(error)

    threads = [threading.Thread(target=ask, args=(one,)) for one in range(count)]
    for thread in threads:
        thread.start()
    assert slow.is_begun.wait(WAIT_SECONDS)
    slow.may_end.set()
    for thread in threads:
        thread.join(WAIT_SECONDS)
    return outcomes


def test_many_threads_at_once_open_one() -> None:
    kept = Kept()
    slow = Slow(kept, Kept())
    outcomes = race(routed(slow), slow, 8)
    assert len(outcomes) == 8
    assert all(one is kept for one in outcomes)
    assert slow.begun == 1


def test_who_waits_for_a_failure_has_it_too() -> None:
    """Instead of waiting for a server once more, each in turn."""
    slow = Slow(UnsupportedError("gone"))
    provider = routed(slow)
    outcomes = race(provider, slow, 8)
    assert len(outcomes) == 8
    assert all(isinstance(one, UnsupportedError) for one in outcomes)
    slow.outcomes = [Kept()]
    assert provider.list("personality:p0") == ()


def test_an_interrupt_in_one_thread_is_no_failure_of_another() -> None:
    """The next one tries itself."""
    kept = Kept()
    slow = Slow(KeyboardInterrupt(), kept)
    outcomes = race(routed(slow), slow, 4)
    assert sum(one is kept for one in outcomes) == 3
    assert sum(isinstance(one, KeyboardInterrupt) for one in outcomes) == 1


def test_one_that_opens_while_all_is_closed_is_closed_too() -> None:
    kept = Kept()
    slow = Slow(kept)
    provider = routed(slow)
    outcomes: list[object] = []

    def ask() -> None:
        try:
            provider.list("personality:ops")
        except ValueError as error:
            outcomes.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    assert slow.is_begun.wait(WAIT_SECONDS)
    provider.close()
    slow.may_end.set()
    thread.join(WAIT_SECONDS)
    assert [str(one) for one in outcomes] == ["the memory was closed"]
    assert kept.closed == 1


def test_a_config_that_changes_in_a_race_leads_all_to_one_place() -> None:
    """The first to arrive decides for both threads."""
    answers = ["one", "two"]
    provider: RoutedProvider[str]

    def choose(_: str) -> Route[str]:
        choice = answers.pop(0)
        if answers:
            # Meanwhile another thread reads the config, changed, and is faster.
            provider.sync("personality:ops", [Add("MEMORY.md", "x")])
        return Route(choice)

    provider = RoutedProvider(
        Kept(), choose=choose, open=lambda _: Kept(), choice="home"
    )
    assert provider.read("personality:ops", "MEMORY.md") is not None


def test_a_child_process_begins_with_locks_of_its_own() -> None:
    """What was half opened belongs to a thread that is not there any more."""
    routes = Routes(ops="own", two="other")
    provider = routes.provider()
    provider.list("personality:ops")
    provider._openings["other"] = type(provider._openings["own"])()
    lock = provider._lock
    provider._pid = -1
    provider._check_fork()
    assert provider._lock is not lock
    assert provider._pid == os.getpid()
    assert list(provider._openings) == ["own"]
    assert provider.list("personality:two") == ()
    assert list(routes.opened) == ["own", "other"]
    provider.close()


def test_of_two_threads_in_a_child_one_renews_the_locks() -> None:
    provider = Routes().provider()

    class Renewed:
        """Lets the other thread be faster."""

        def __enter__(self) -> None:
            provider._pid = os.getpid()

        def __exit__(self, *_: object) -> None:
            return None

    lock = provider._lock
    provider._pid = -1
    provider._forking = Renewed()  # type: ignore[assignment]
    provider._check_fork()
    assert provider._lock is lock


# Since 3.12 Python warns of what is tried here.
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_while_one_is_opened_leaves_no_lock_behind(tmp_path: Path) -> None:
    """The child opens its own; what was open already is used on."""
    slow = Slow(Kept())
    opened = MarkdownProvider(tmp_path, durability="fast")
    provider = RoutedProvider(
        Kept(),
        choose=Route,
        open=lambda choice: opened if choice == "there" else slow.open(choice),
        choice="home",
    )
    provider.sync("personality:there", [Add("MEMORY.md", "x")])
    thread = threading.Thread(target=provider.list, args=("personality:ops",))
    thread.start()
    assert slow.is_begun.wait(WAIT_SECONDS)
    provider._lock.acquire()
    pid = os.fork()
    if pid == 0:  # pragma: no cover - the child writes no measurements
        signal.alarm(WAIT_SECONDS)
        slow.may_end.set()
        try:
            assert provider.list("personality:ops") == ()
            assert len(provider._openings) == 2
            assert provider.list("personality:there")
            provider.close()
        except BaseException:  # noqa: BLE001 - the parent is told
            os._exit(1)
        os._exit(0)
    provider._lock.release()
    slow.may_end.set()
    thread.join(WAIT_SECONDS)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
