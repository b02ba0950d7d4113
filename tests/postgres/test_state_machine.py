"""Random histories of memory in PostgreSQL, beside a dictionary."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import invariant, run_state_machine_as_test
from typing_extensions import override

from ethos_memory.entry import Add, Delete, Replace
from ethos_memory.guard import InjectionGuard
from ethos_memory.providers.guarded import GuardedProvider
from ethos_memory.providers.postgres import PostgresProvider
from ethos_memory.testing import Capabilities, provider_state_machine

if TYPE_CHECKING:
    from ethos_memory.pg import Database
    from ethos_memory.provider import MemoryProvider
    from postgres.server import Server

#: As for the providers of files: the machine is shared, and the default run short.
BRIEF = settings(
    max_examples=3,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
LONG = settings(BRIEF, max_examples=40, stateful_step_count=40)

GUARD = InjectionGuard()

#: Nobody's turn to be written: its rows stand in the same tables.
BESIDE: Final = "user:beside"

#: Everything that is kept of one scope.
ROWS: Final = """
    select
        (select array_agg(p::text order by p.key) from pages p where scope = %(scope)s),
        (select array_agg(s::text order by s.id) from states s where scope = %(scope)s),
        (select array_agg(a::text order by a.id) from archive a where scope = %(scope)s)
"""

#: Team memory, and pages of personalities and people; each with the guard and without.
KINDS: Final = {
    "postgres": Capabilities(),
    "teams in postgres": Capabilities(kinds=("team",)),
}


def _opened(database: Database, kinds: tuple[str, ...], *, guarded: bool) -> Any:
    provider = PostgresProvider(database, kinds=kinds)
    return GuardedProvider(provider, GUARD) if guarded else provider


def _beside(database: Database) -> tuple[Any, ...] | None:
    asked = {"scope": BESIDE}
    return database.read(
        lambda connection: connection.execute(ROWS.encode(), asked).fetchone()
    )


def _write_beside(database: Database) -> None:
    """Fill pages, history and archive of a scope that nothing else may touch."""
    provider = PostgresProvider(database)
    provider.sync(BESIDE, [Add("MEMORY.md", "not theirs"), Add("a.md", "neither")])
    provider.sync(BESIDE, [Replace("B.md", "- nor this\n" * 50_000), Delete("a.md")])


def run(server: Server, name: str, *, guarded: bool, limits: settings) -> None:
    """Run histories, each in emptied tables, with one scope beside them."""
    capabilities = KINDS[name]
    before: list[Any] = []

    def fresh() -> MemoryProvider:
        database = server.emptied()
        _write_beside(database)
        before[:] = [_beside(database)]
        provider: MemoryProvider = _opened(
            database, capabilities.kinds, guarded=guarded
        )
        return provider

    def again(_: MemoryProvider) -> MemoryProvider:
        provider: MemoryProvider = _opened(
            server.shared(), capabilities.kinds, guarded=guarded
        )
        return provider

    base = provider_state_machine(fresh, capabilities=capabilities, reopen=again)

    class Machine(base):  # type: ignore[valid-type, misc]
        @invariant()
        def touches_nothing_else(self) -> None:
            assert [_beside(server.shared())] == before

    run_state_machine_as_test(Machine, settings=limits)


@pytest.mark.parametrize("guarded", [False, True], ids=["plain", "guarded"])
@pytest.mark.parametrize("name", KINDS)
def test_a_random_history_is_that_of_a_dictionary(
    name: str, guarded: bool, postgres: Server
) -> None:
    """Whatever is written, by whomever, in whatever order, by how many objects."""
    run(postgres, name, guarded=guarded, limits=BRIEF)


@pytest.mark.long
@pytest.mark.parametrize("guarded", [False, True], ids=["plain", "guarded"])
@pytest.mark.parametrize("name", KINDS)
def test_a_long_random_history_is_that_of_a_dictionary(
    name: str, guarded: bool, postgres: Server
) -> None:
    """The same, almost thirty times as much."""
    run(postgres, name, guarded=guarded, limits=LONG)


class _Careless(PostgresProvider):
    """Erases its neighbor as well."""

    @override
    def sync(self, *args: Any, **options: Any) -> Any:
        report = super().sync(*args, **options)
        super().erase(BESIDE)
        return report


def test_a_neighbor_that_is_touched_is_noticed(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A comparison that finds nothing here finds nothing."""

    def opened(database: Database, kinds: tuple[str, ...], **_: bool) -> _Careless:
        return _Careless(database, kinds=kinds)

    monkeypatch.setattr(sys.modules[__name__], "_opened", opened)
    limits = settings(BRIEF, max_examples=50, phases=[Phase.generate])
    with pytest.raises(AssertionError):
        run(postgres, "postgres", guarded=False, limits=limits)
