"""A package as pip leaves it: a module, and a ``.dist-info`` with entry points."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

GROUP = "ethos_memory.providers"

#: A provider that keeps memory in the object, and notes what is done with it.
MODULE = """
from ethos_memory import MissingExtraError
from ethos_memory.providers.transient import TransientProvider

opened = []
closed = []


class Kept(TransientProvider):
    def __init__(self, setup):
        super().__init__()
        self.setup = setup

    def close(self):
        closed.append(self)


def make(setup):
    setup.check_known("url", "ttl")
    setup.required("url")
    opened.append(Kept(setup))
    return opened[-1]


def anything(setup):
    opened.append(Kept(setup))
    return opened[-1]


def failing(setup):
    try:
        raise KeyError(setup.options["url"])
    except KeyError:
        raise RuntimeError("no server at " + setup.options["url"])


def refusing(setup):
    try:
        raise KeyError(setup.options["url"])
    except KeyError as error:
        raise MissingExtraError("redis") from error


def nothing(setup):
    return "no provider"


def klass(setup):
    return Kept


no_callable = 5
"""


class Packages:
    """Installs packages for one test.

    Attributes:
        site: The folder that they are installed below.
    """

    def __init__(self, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.site = site
        self._patch = monkeypatch

    def install(
        self, package: str, names: dict[str, str], *, module: str = MODULE
    ) -> None:
        """Install a package.

        Args:
            package: The name of the package, and of its module.
            names: From each name that it registers to what is registered.
            module: The source of its module.
        """
        lines = (f"{name} = {package}:{value}\n" for name, value in names.items())
        self.install_raw(package, f"[{GROUP}]\n{''.join(lines)}", module=module)

    def install_raw(
        self, package: str, entry_points: str, *, module: str = MODULE
    ) -> None:
        """Install a package with the text of its ``entry_points.txt``."""
        site = self.site / package
        info = site / f"{package}-1.0.dist-info"
        info.mkdir(parents=True)
        (site / f"{package}.py").write_text(module)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\n")
        (info / "entry_points.txt").write_text(entry_points)
        self._patch.syspath_prepend(str(site))
        # Undone with the rest: another test has another module of that name.
        self._patch.delitem(sys.modules, package, raising=False)

    def module(self, package: str) -> Any:
        """Return the module of a package once it was imported."""
        return sys.modules[package]
