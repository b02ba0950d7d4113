"""What other packages registered is found, and what they raise is kept private."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import pytest

from ethos_memory.errors import MissingExtraError, UnsupportedError
from ethos_memory.providers.installed import (
    attempt,
    find_registered,
    registered_names,
)
from installed_packages import GROUP, Packages

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Packages:
    """Return what installs packages."""
    return Packages(tmp_path, monkeypatch)


def test_a_name_is_found_exactly(packages: Packages) -> None:
    """No part of it, no other case, no other group."""
    packages.install("one", {"redis": "make", "mem0/mem0": "make"})
    packages.install_raw("other", "[some.group]\nredis = other:make\n")
    [entry] = find_registered(GROUP, "redis")
    assert entry.value == "one:make"
    assert [one.value for one in find_registered(GROUP, "mem0/mem0")] == ["one:make"]
    assert find_registered(GROUP, "Redis") == ()
    assert find_registered(GROUP, "red") == ()
    assert {"redis", "mem0/mem0"} <= set(registered_names(GROUP))


def test_two_packages_with_one_name_are_both_told(packages: Packages) -> None:
    packages.install("one", {"redis": "make"})
    packages.install("two", {"redis": "make"})
    assert {one.value for one in find_registered(GROUP, "redis")} == {
        "one:make",
        "two:make",
    }


def test_a_package_that_describes_itself_brokenly_is_no_crash(
    packages: Packages,
) -> None:
    """Somebody else's package; the error is typed all the same."""
    packages.install_raw("broken", f"[{GROUP}]\nSECRET without a sign\n")
    for call in (lambda: registered_names(GROUP), lambda: find_registered(GROUP, "a")):
        with pytest.raises(UnsupportedError, match="cannot be listed") as caught:
            call()
        assert "SECRET" not in str(caught.value)
        assert caught.value.__context__ is None


def fail_with(error: Exception) -> NoReturn:
    """Raise an error that drags another one along."""
    first = KeyError("SECRET")
    error.__context__ = first
    raise error from first


def test_what_a_package_returns_is_returned() -> None:
    assert attempt(divmod, 7, 2, what="x") == (3, 1)


def test_what_a_package_raises_says_where_and_never_what() -> None:
    with pytest.raises(UnsupportedError) as caught:
        attempt(fail_with, RuntimeError("SECRET"), what="the provider")
    error = caught.value
    assert str(error).startswith(
        "the provider failed: RuntimeError at test_installed.py:"
    )
    assert "SECRET" not in repr(error)
    assert (error.__cause__, error.__context__) == (None, None)


def test_an_error_of_ours_passes_alone() -> None:
    with pytest.raises(MissingExtraError) as caught:
        attempt(fail_with, MissingExtraError("redis"), what="x")
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)


def test_an_interrupt_is_no_failure() -> None:
    def interrupt() -> NoReturn:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        attempt(interrupt, what="x")
