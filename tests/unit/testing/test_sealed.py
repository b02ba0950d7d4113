"""No test of a contract can be taken out, or left without its subject."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.testing import (
    IdentityMapContract,
    ProviderContract,
    SessionStoreContract,
)
from ethos_memory.testing.contract.sealed import overridden

if TYPE_CHECKING:
    from ethos_memory.testing.contract.sealed import Sealed

CONTRACTS = (ProviderContract, SessionStoreContract, IdentityMapContract)


def _sub(base: type, **members: Any) -> type[Sealed]:
    return type("Sub", (base,), {"__module__": "somewhere", **members})


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_test_of_a_contract_cannot_be_overridden(contract: type[Sealed]) -> None:
    """By nothing, `None` included, and however far down."""
    names = [name for name in dir(contract) if name.startswith("test_")]
    assert len(names) > 15
    for name in names:
        for other in (None, lambda self: None):
            with pytest.raises(TypeError, match=name):
                _sub(contract, **{name: other})
            with pytest.raises(TypeError, match=name):
                _sub(_sub(contract), **{name: other})


def test_a_test_cannot_be_overridden_by_another_base() -> None:
    """One that stands before the contract takes its place as well."""
    name = "test_a_new_provider_is_empty"
    other = type("Other", (), {name: lambda self: None})
    with pytest.raises(TypeError, match=name):
        type("Sub", (other, ProviderContract), {"__module__": "somewhere"})


def test_more_tests_are_welcome() -> None:
    """And fixtures, flags and hooks are there to be overridden."""
    sub = _sub(ProviderContract, test_of_mine=lambda self: None, provider=None)
    assert overridden(sub) == ()


def test_a_test_exchanged_later_is_seen() -> None:
    """By a test of the contract itself."""
    sub = _sub(ProviderContract)
    node = SimpleNamespace(node=SimpleNamespace(iter_markers=lambda name: []))
    sub().test_the_contract_is_run_whole(node)  # type: ignore[arg-type]
    sub.test_a_new_provider_is_empty = None  # type: ignore[attr-defined]
    assert overridden(sub) == ("test_a_new_provider_is_empty",)
    with pytest.raises(AssertionError):
        sub().test_the_contract_is_run_whole(node)  # type: ignore[arg-type]


def test_a_contract_that_is_expected_to_fail_is_seen() -> None:
    """That would let every test fail in silence."""
    node = SimpleNamespace(node=SimpleNamespace(iter_markers=lambda name: [name]))
    with pytest.raises(AssertionError):
        _sub(ProviderContract)().test_the_contract_is_run_whole(node)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("contract", "fixture"),
    [
        (ProviderContract, "provider"),
        (SessionStoreContract, "store"),
        (IdentityMapContract, "identity_map"),
    ],
)
def test_what_must_be_overridden_says_so(contract: type[Sealed], fixture: str) -> None:
    """The fixture, and `reopen` of what is durable."""
    subject: Any = _sub(contract)()
    plain = getattr(contract, fixture)
    function = getattr(plain, "_get_wrapped_function", None)
    assert function is not None
    with pytest.raises(pytest.fail.Exception, match=fixture):
        function()(subject)
    with pytest.raises(pytest.fail.Exception, match="reopen"):
        subject.reopen(None)
