"""A contract is run whole: no test of it can be taken out by a subclass."""

# A contract is made of asserts and of example values.
# ruff: noqa: S101

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from typing_extensions import override

if TYPE_CHECKING:
    import pytest

__all__ = ["Sealed", "overridden"]

#: Classes in here define the tests; classes elsewhere may add to them.
_CONTRACTS: Final = "ethos_memory.testing.contract."


def overridden(cls: type) -> tuple[str, ...]:
    """Return the contract's tests that a class has put something else in place of."""
    tests = {
        name: test
        for base in reversed(cls.__mro__)
        if base.__module__.startswith(_CONTRACTS)
        for name, test in vars(base).items()
        if name.startswith("test_")
    }
    return tuple(
        sorted(name for name, test in tests.items() if getattr(cls, name) is not test)
    )


class Sealed:
    """Refuses subclasses that override a test; more tests are welcome.

    Raises:
        TypeError: When a subclass overrides a test of a contract.
    """

    @override
    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        names = overridden(cls)
        if names:
            msg = (
                f"{cls.__name__} overrides {', '.join(names)}; what a backend cannot "
                "do is declined by a flag"
            )
            raise TypeError(msg)

    def test_the_contract_is_run_whole(self, request: pytest.FixtureRequest) -> None:
        """No test was exchanged after the class was made, or is expected to fail."""
        assert overridden(type(self)) == ()
        assert not list(request.node.iter_markers("xfail"))
