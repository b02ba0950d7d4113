"""A config names an embedder that somebody installed, or nothing is opened."""

from __future__ import annotations

import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ethos_memory import Memory
from ethos_memory.errors import UnsupportedError
from ethos_memory.providers.embedders import (
    Model2VecEmbedder,
    SentenceTransformersEmbedder,
    load_embedder,
)
from ethos_memory.providers.embedders.named import GROUP
from ethos_memory.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Callable

MODULE = """
from ethos_memory.testing import HashEmbedder

class Named(HashEmbedder):
    def __init__(self, name="plain"):
        super().__init__(name=name)

def nothing():
    return "no embedder"
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Install a package that registers what it is told."""

    def install(package: str, **names: str) -> None:
        site = tmp_path / package
        info = site / f"{package}-1.0.dist-info"
        info.mkdir(parents=True)
        (site / f"{package}.py").write_text(MODULE)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\n")
        lines = (f"{name} = {package}:{value}\n" for name, value in names.items())
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{''.join(lines)}")
        monkeypatch.syspath_prepend(str(site))
        monkeypatch.delitem(sys.modules, package, raising=False)

    return install


def test_an_installed_embedder_is_made(install: Callable[..., None]) -> None:
    """With what stands behind a colon, whatever that holds."""
    install("some_embedder", some="Named")
    assert load_embedder("some").name == "plain"
    assert load_embedder("some:org/model:v2").name == "org/model:v2"
    assert load_embedder("some:").name == ""


def test_a_config_opens_it(install: Callable[..., None], tmp_path: Path) -> None:
    """And memory is found by meaning."""
    install("some_embedder", some="Named")
    home = tmp_path / "home"
    page = home / "personalities/ops/notes.md"
    page.parent.mkdir(parents=True)
    page.write_text("- keeps bees\n")
    (home / "config.yaml").write_text(
        "memory: vector\nmemoryVector.embedder: some:org/model\n"
    )
    with Memory.open(home) as memory:
        [hit] = memory.provider.search("personality:ops", "bees", mode="semantic")
        assert hit.key == "notes.md"
        assert "bees" in memory.recall(Turn("ops", "cli"), "bees").block
    stored = (page.parent / "memory-vectors.bin").read_bytes()
    assert b'"embedder": "org/model"' in stored


@pytest.mark.parametrize("setting", ["nobody", "", ":", "ethos_memory.testing:Named"])
def test_a_name_that_nobody_registered_is_refused(setting: str) -> None:
    """No module is imported by its name."""
    with pytest.raises(UnsupportedError, match="no installed package"):
        load_embedder(setting)


def test_a_name_that_two_packages_registered_is_refused(
    install: Callable[..., None],
) -> None:
    """Which of them is meant, nobody said."""
    install("first_embedder", some="Named")
    install("second_embedder", some="Named")
    with pytest.raises(UnsupportedError, match="more than one"):
        load_embedder("some")


def test_what_is_no_embedder_is_refused(install: Callable[..., None]) -> None:
    """At opening, not at the first search."""
    install("some_embedder", some="nothing")
    with pytest.raises(UnsupportedError, match="no embedder"):
        load_embedder("some")


def test_ours_are_registered() -> None:
    """Each name leads to its class."""
    project = tomllib.loads((Path(__file__).parents[4] / "pyproject.toml").read_text())
    registered = project["project"]["entry-points"][GROUP]
    assert {
        name: EntryPoint(name, value, GROUP).load()
        for name, value in registered.items()
    } == {
        "model2vec": Model2VecEmbedder,
        "sentence-transformers": SentenceTransformersEmbedder,
    }
    extras = project["project"]["optional-dependencies"]
    assert registered.keys() <= extras.keys()
