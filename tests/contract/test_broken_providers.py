"""A contract is worth what it finds: every broken provider is found out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from typing_extensions import override

from contract.broken_providers import CORE, FAULTS, DeclinesYetHas, LosesOnReopen
from ethos_memory.providers.transient import TransientProvider
from ethos_memory.testing import Capabilities, ProviderContract, provider_state_machine

if TYPE_CHECKING:
    from ethos_memory.provider import MemoryProvider

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "conformance.md"

#: Generated histories only: making a failure small takes most of the time.
QUICK = settings(
    max_examples=150,
    stateful_step_count=30,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)


class Contract(ProviderContract):
    """The contract for what the broken ones are made of."""

    capabilities = Capabilities(durable=False)


class DecliningContract(Contract):
    """One that says it cannot erase."""

    capabilities = Capabilities(durable=False, erase=False)


class DurableContract(Contract):
    """One that says that memory outlives the object."""

    capabilities = Capabilities()

    @override
    def reopen(self, provider: MemoryProvider) -> MemoryProvider:
        return type(provider)()


CONTRACTS: dict[type[TransientProvider], type[ProviderContract]] = {
    DeclinesYetHas: DecliningContract,
    LosesOnReopen: DurableContract,
}


def _run(contract: type[ProviderContract], name: str, provider: Any) -> None:
    getattr(contract(), name)(provider)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_provider_is_found_out(fault: type[TransientProvider]) -> None:
    """By the test that is meant for it, which a sound provider passes."""
    name = FAULTS[fault]
    with pytest.raises((AssertionError, Exception, pytest.fail.Exception)) as caught:
        _run(CONTRACTS.get(fault, Contract), name, fault())
    assert not isinstance(caught.value, pytest.skip.Exception)
    _run(Contract, name, TransientProvider()) if fault is not LosesOnReopen else None


@pytest.mark.parametrize("fault", CORE)
def test_random_histories_find_it_as_well(fault: type[TransientProvider]) -> None:
    """Without knowing what to look for."""
    machine = provider_state_machine(fault, capabilities=Capabilities(durable=False))
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        run_state_machine_as_test(machine, settings=QUICK)


def test_a_sound_provider_passes_the_same_histories() -> None:
    """Else they would find nothing out."""
    capabilities = Capabilities(durable=False)
    machine = provider_state_machine(TransientProvider, capabilities=capabilities)
    run_state_machine_as_test(machine, settings=settings(QUICK, max_examples=40))


def test_the_page_about_conformance_lists_them_all() -> None:
    """Each with the test that finds it out."""
    rows = [
        tuple(cell.strip(" `") for cell in line.strip("|").split("|"))
        for line in PAGE.read_text("utf-8").splitlines()
        if line.startswith("| `")
    ]
    told = {row[0]: row[-1] for row in rows if row[0] in {f.__name__ for f in FAULTS}}
    assert told == {fault.__name__: name for fault, name in FAULTS.items()}
