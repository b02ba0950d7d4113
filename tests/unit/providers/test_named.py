"""A config names a provider that somebody installed, or nothing is opened."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from ethos_memory.errors import (
    CorruptFileError,
    MissingExtraError,
    UnsupportedError,
)
from ethos_memory.providers.named import ProviderSetup, load_provider
from installed_packages import Packages

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Packages:
    """Return what installs packages."""
    return Packages(tmp_path, monkeypatch)


@pytest.fixture
def setup(tmp_path: Path) -> ProviderSetup:
    """Return options that hold a secret."""
    return ProviderSetup({"url": "redis://me:SECRET@db"}, home=tmp_path)


def test_a_factory_gets_the_setup_and_makes_the_provider(
    packages: Packages, setup: ProviderSetup
) -> None:
    packages.install("kept", {"kept": "make"})
    provider = load_provider("kept", setup)
    assert provider is packages.module("kept").opened[0]
    assert packages.module("kept").opened[0].setup is setup


def test_a_name_that_nobody_registered_tells_those_there_are(
    packages: Packages, setup: ProviderSetup
) -> None:
    """Ours as well. A plugin's name cannot forge a line of a log."""
    packages.install("kept", {"kept": "make", "red\x1bis": "make"})
    with pytest.raises(CorruptFileError) as caught:
        load_provider("nobody", setup, built_in=("vault", "markdown"))
    assert caught.value.path == "config.yaml"
    assert caught.value.reason == (
        "memory: no installed package has 'nobody' in the group "
        "ethos_memory.providers; there are kept, markdown, 'red\\x1bis', vault"
    )
    assert "kept" not in sys.modules


def test_a_name_that_two_packages_registered_is_refused(
    packages: Packages, setup: ProviderSetup
) -> None:
    """Which of them is meant, nobody said; neither is imported."""
    packages.install("first", {"kept": "make"})
    packages.install("second", {"kept": "make"})
    with pytest.raises(CorruptFileError, match="more than one package has 'kept'"):
        load_provider("kept", setup)
    assert not {"first", "second"} & sys.modules.keys()


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("failing", "RuntimeError at kept.py:"),
        ("missing", "AttributeError at "),
        ("no_callable", "TypeError at "),
    ],
)
def test_a_factory_that_fails_is_a_typed_error(
    packages: Packages, setup: ProviderSetup, value: str, kind: str
) -> None:
    """With the place where it failed, and never with an option."""
    packages.install("kept", {"kept": value})
    with pytest.raises(UnsupportedError) as caught:
        load_provider("kept", setup)
    error = caught.value
    assert f"config.yaml: memory: the provider 'kept' failed: {kind}" in str(error)
    assert "SECRET" not in str(error)
    assert (error.__cause__, error.__context__) == (None, None)


def test_a_module_that_cannot_be_imported_is_a_typed_error(
    packages: Packages, setup: ProviderSetup
) -> None:
    packages.install("kept", {"kept": "make"}, module="import no_such_module\n")
    with pytest.raises(UnsupportedError, match="failed: ModuleNotFoundError"):
        load_provider("kept", setup)


def test_an_error_of_ours_is_the_factorys_own(
    packages: Packages, setup: ProviderSetup, tmp_path: Path
) -> None:
    """What led to it is not dragged along: it may hold an option."""
    packages.install("kept", {"extra": "refusing", "kept": "make"})
    with pytest.raises(MissingExtraError) as caught:
        load_provider("extra", setup)
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    with pytest.raises(CorruptFileError, match=r"memoryOptions\.url: is missing"):
        load_provider("kept", ProviderSetup({}, home=tmp_path))


@pytest.mark.parametrize(
    ("value", "kind"), [("nothing", "str"), ("klass", "type"), ("opened.append", "")]
)
def test_what_is_no_provider_is_refused(
    packages: Packages, setup: ProviderSetup, value: str, kind: str
) -> None:
    """At opening. A class has the five methods too, and is none."""
    packages.install("kept", {"kept": value})
    with pytest.raises(UnsupportedError, match=f"its factory returned {kind}"):
        load_provider("kept", setup)


def test_a_setup_says_what_is_wrong_with_its_options(tmp_path: Path) -> None:
    """The words are the factory's, the place is the config's."""
    told = []

    def refuse(option: str, reason: str) -> CorruptFileError:
        told.append((option, reason))
        return CorruptFileError("c", "r")

    setup = ProviderSetup({"url": "x", "tll": ""}, home=tmp_path, refuse=refuse)
    assert setup.required("url") == "x"
    setup.check_known("url", "tll")
    for option in ("tll", "absent"):
        with pytest.raises(CorruptFileError):
            setup.required(option)
    with pytest.raises(CorruptFileError):
        setup.check_known("url", "ttl")
    with pytest.raises(CorruptFileError):
        setup.check_known()
    assert told == [
        ("tll", "is missing"),
        ("absent", "is missing"),
        ("tll", "no such option; there are url, ttl"),
        ("url", "no such option; there are none"),
    ]


def test_a_setup_is_frozen_and_shows_no_option(setup: ProviderSetup) -> None:
    """A host logs its settings."""
    assert "SECRET" not in repr(setup)
    assert (setup.durability, setup.trusted_links) == ("full", ())
    with pytest.raises(TypeError):
        setup.options["url"] = "x"  # type: ignore[index]
    assert str(setup.refused("", "bad")) == "config.yaml: memory: bad"
