"""A folder or the map is swapped for a link outside while something is made there.

Beside the operations of `concurrency.test_swapper`: new folders, and new accounts.
"""

from __future__ import annotations

import itertools
import json
import time
from contextlib import closing
from typing import TYPE_CHECKING, Final

import pytest

from concurrency import test_swapper
from concurrency.processes import start
from ethos_memory.entry import Add
from ethos_memory.errors import EthosMemoryError
from ethos_memory.identity_map import IdentityMap
from ethos_memory.providers.markdown import MarkdownProvider

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

#: Whom the map outside names: an account that is resolved to this was read there.
OUTSIDE_ID: Final = "0" * 12

#: Below the home: what is swapped, and what it is.
VICTIMS: Final = {
    "users": "folder",
    "users/u1": "folder",
    "users/identity-map.json": "file",
}

TRIES: Final = (
    *(("mkdir", "users"), ("mkdir", "users/u1")),
    *(("mint", "users"), ("mint", "users/identity-map.json")),
)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    outside = tmp_path / "outside"
    outside.mkdir()
    row = {"platform": "x", "platformUserId": "1", "userId": OUTSIDE_ID}
    (outside / "identity-map.json").write_text(json.dumps([row]))
    (outside / "MEMORY.md").write_text(test_swapper.SECRET)
    return outside


def _making(home: Path) -> Callable[[], object]:
    memory = MarkdownProvider(home, durability="fast")

    def make() -> object:
        memory.sync("user:u1", [Add("NEW.md", "x")])
        return memory.erase("user:u1")

    return make


def _minting(home: Path) -> Callable[[], object]:
    known = IdentityMap(home, redact=str, durability="fast")
    numbers = itertools.count()

    def mint() -> object:
        user_id = known.resolve("x", next(numbers) + 1)
        assert user_id != OUTSIDE_ID, "read outside"
        if len(found := known.accounts()) > 100:
            # Small again, or each try would take longer than the one before.
            return [known.forget(one.user_id) for one in found]
        return user_id

    return mint


def _attack(
    home: Path, outside: Path, victim: str, seconds: float, tries: int
) -> Generator[None]:
    """Yield again and again while the victim is being swapped."""
    path = home / victim
    kind = VICTIMS[victim]
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "folder":
        path.mkdir(exist_ok=True)
    elif not path.exists():
        path.write_text("[]")
    target = outside / path.name if kind == "file" else outside
    link = path.with_name("swap")
    link.symlink_to(target)
    swapper = start(test_swapper._SWAPPER, path, link, target, kind)
    try:
        end = time.monotonic() + seconds + test_swapper.PATIENCE_SECONDS
        while time.monotonic() < end or tries > 0:
            tries -= 1
            assert swapper.poll() is None
            yield
    finally:
        swapper.kill()
        swapper.communicate()


def _run(
    tmp_path: Path, outside: Path, operation: str, victim: str, *, tries: int
) -> tuple[int, int]:
    home = tmp_path / "home"
    act = {"mkdir": _making, "mint": _minting}[operation](home)
    before = test_swapper._tree(outside)
    done = refused = 0
    seconds = test_swapper.SECONDS
    with closing(_attack(home, outside, victim, seconds, tries)) as attack:
        end = time.monotonic() + seconds
        for _ in attack:
            done += 1
            try:
                act()
            except EthosMemoryError:
                refused += 1
            if time.monotonic() >= end and done >= tries and refused < done:
                break
    assert test_swapper._tree(outside) == before
    return done, refused


@pytest.mark.parametrize(("operation", "victim"), TRIES)
def test_nothing_is_made_or_read_outside(
    tmp_path: Path, outside: Path, operation: str, victim: str
) -> None:
    """Each try works on the real folder, or is refused."""
    wanted = test_swapper.TRIES
    tries, refused = _run(tmp_path, outside, operation, victim, tries=wanted)
    assert tries >= wanted
    assert refused < tries


@pytest.mark.long
@pytest.mark.parametrize(("operation", "victim"), TRIES)
def test_nothing_is_made_or_read_outside_in_the_long_run(
    tmp_path: Path, outside: Path, operation: str, victim: str
) -> None:
    """At least 100,000 tries each."""
    wanted = test_swapper.LONG_TRIES
    assert _run(tmp_path, outside, operation, victim, tries=wanted)[0] >= wanted
