"""Several processes write pages of one scope and search it by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concurrency.processes import finish, go, start
from ethos_memory.providers.vector import VectorProvider
from ethos_memory.providers.vector_file import decode
from ethos_memory.testing import HashEmbedder

if TYPE_CHECKING:
    from pathlib import Path

SCOPE = "personality:ops"
PROCESSES = 4
ROUNDS = 8

#: Finds what it wrote at once, and never what it took back.
_WORKER = """
import sys
from ethos_memory.entry import Add, Remove
from ethos_memory.providers.vector import VectorProvider
from ethos_memory.testing import HashEmbedder
root, name, rounds = sys.argv[1:]
memory = VectorProvider(root, HashEmbedder(512), durability="fast")
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(rounds)):
    word = f"word{name}x{number}"
    memory.sync("personality:ops", [Add("MEMORY.md", f"- {word} stays")])
    memory.sync("personality:ops", [Add(f"{name}.md", f"- {word} goes")])
    # Two words may hash to one vector, and tie: four pages hold a word that goes.
    hits = memory.search("personality:ops", f"{word} goes", mode="semantic", limit=4)
    assert f"{name}.md" in [hit.key for hit in hits], hits
    memory.sync("personality:ops", [Remove(f"{name}.md", word)])
    for hit in memory.search("personality:ops", f"{word} goes", mode="hybrid"):
        assert f"{word} goes" not in hit.content + hit.snippet
"""


def test_what_each_process_wrote_is_found_and_nothing_else(tmp_path: Path) -> None:
    """At once, whoever writes the file of vectors meanwhile; it is whole in the end."""
    workers = [start(_WORKER, tmp_path, name, ROUNDS) for name in range(PROCESSES)]
    go(*workers)
    finish(*workers)
    file = tmp_path / "personalities/ops/memory-vectors.bin"
    assert decode(file.read_bytes()) is not None
    memory = VectorProvider(tmp_path, HashEmbedder(512))
    memory.rebuild(SCOPE)
    stored = decode(file.read_bytes())
    assert stored is not None
    assert len(stored.digests) == len(set(stored.digests)) == PROCESSES * ROUNDS
