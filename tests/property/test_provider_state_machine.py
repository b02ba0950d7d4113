"""Random histories of every provider of ours, beside a dictionary."""

from __future__ import annotations

from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import invariant, run_state_machine_as_test
from typing_extensions import override

from ethos_memory.guard import InjectionGuard
from ethos_memory.providers.guarded import GuardedProvider
from ethos_memory.providers.markdown import MarkdownProvider
from ethos_memory.providers.teams import markdown_teams
from ethos_memory.providers.transient import TransientProvider
from ethos_memory.providers.vault import VaultProvider
from ethos_memory.providers.vector import VectorProvider
from ethos_memory.testing import Capabilities, HashEmbedder, provider_state_machine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ethos_memory.provider import MemoryProvider

#: The machine is shared, and the default run must stay short.
BRIEF = settings(
    max_examples=12,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
LONG = settings(BRIEF, max_examples=200, stateful_step_count=40)

GUARD = InjectionGuard()


def _transient(_: Path) -> MemoryProvider:
    return TransientProvider()


def _markdown(home: Path) -> MemoryProvider:
    return MarkdownProvider(home, durability="fast")


def _teams(home: Path) -> MemoryProvider:
    return markdown_teams(home, durability="fast")


def _vault(home: Path) -> MemoryProvider:
    return VaultProvider(home, agent_dir="Bots/Mémoire d'Ethos", durability="fast")


def _vector(home: Path) -> MemoryProvider:
    return VectorProvider(home, HashEmbedder(), durability="fast")


def _guarded(open_inner: Callable[[Path], MemoryProvider]) -> Any:
    return lambda home: GuardedProvider(open_inner(home), GUARD)


#: How each is opened, and what it declines.
PROVIDERS: dict[str, tuple[Callable[[Path], MemoryProvider], Capabilities]] = {
    "transient": (_transient, Capabilities(durable=False)),
    "markdown": (_markdown, Capabilities()),
    "teams": (_teams, Capabilities(kinds=("team",))),
    "vault": (_vault, Capabilities(front_matter=True)),
    "vector": (
        _vector,
        Capabilities(modes=("keyword", "semantic", "hybrid"), prefetch=False),
    ),
}
#: The guard is the same around each; these two differ most in what they do beneath it.
SHORT = (*PROVIDERS, "guarded markdown", "guarded vector")

PROVIDERS |= {
    f"guarded {name}": (_guarded(opened), declined)
    for name, (opened, declined) in PROVIDERS.items()
}


def _tree(folder: Path) -> str:
    """Return one number for everything in a folder."""
    parts = sorted(folder.rglob("*"))
    told = [f"{one} {one.read_bytes().hex() if one.is_file() else ''}" for one in parts]
    return sha256("\n".join(told).encode()).hexdigest()


def _run(name: str, folder: Path, limits: settings) -> None:
    opened, capabilities = PROVIDERS[name]
    number = count()
    beside = folder / "beside"
    beside.mkdir()
    (beside / "MEMORY.md").write_text("not theirs\n")
    before = _tree(beside)
    homes: list[Path] = []

    def fresh() -> MemoryProvider:
        homes.append(folder / f"home-{next(number)}")
        homes[-1].mkdir()
        return opened(homes[-1])

    def again(_: MemoryProvider) -> MemoryProvider:
        return opened(homes[-1])

    base = provider_state_machine(
        fresh,
        capabilities=capabilities,
        reopen=again if capabilities.durable else None,
    )

    class Machine(base):  # type: ignore[valid-type, misc]
        @invariant()
        def touches_nothing_else(self) -> None:
            assert _tree(beside) == before

    run_state_machine_as_test(Machine, settings=limits)


@pytest.mark.parametrize("name", SHORT)
def test_a_random_history_is_that_of_a_dictionary(name: str, tmp_path: Path) -> None:
    """Whatever is written, by whomever, in whatever order."""
    _run(name, tmp_path, BRIEF)


@pytest.mark.long
@pytest.mark.parametrize("name", PROVIDERS)
def test_a_long_random_history_is_that_of_a_dictionary(
    name: str, tmp_path: Path
) -> None:
    """The same, thirty times as much."""
    _run(name, tmp_path, LONG)


class _Forgetful(TransientProvider):
    """Drops every third page from its list."""

    @override
    def list(self, *args: Any, **options: Any) -> Any:
        return super().list(*args, **options)[:2]


def test_a_difference_is_found() -> None:
    """A machine that finds nothing in a broken provider finds nothing."""
    machine = provider_state_machine(
        _Forgetful, capabilities=Capabilities(durable=False)
    )
    with pytest.raises(AssertionError):
        run_state_machine_as_test(
            machine, settings=settings(BRIEF, phases=[Phase.generate])
        )
