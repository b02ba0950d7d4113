"""How fast, and how well, the credentials are found. Run it as a script.

python tests/bench/bench_credentials.py [folder with benign.jsonl]
"""

from __future__ import annotations

import base64
import json
import os
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from credential_samples import KEEP, KINDS
from ethos_memory.guard.credentials import find, redact

ROUNDS = 7
PAGE = 65_536


def seconds(texts: list[str]) -> float:
    """Return the best time of some rounds over all texts."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for text in texts:
            find(text)
        best = min(best, time.process_time() - start)
    return best


def quality() -> None:
    """Print the share of samples found and of near misses touched."""
    rng = Random(20261130)
    samples = [make(rng) for make in KINDS.values() for _ in range(40)]
    found = sum(
        any(text[hit.start : hit.end] == secret for hit in find(text))
        for text, secret in samples
    )
    touched = sum(redact(text) != text for text in KEEP)
    print(f"recall, {len(KINDS)} kinds, exact spans: {found / len(samples):.4f}")
    print(f"near misses touched: {touched} of {len(KEEP)}")


def benign(folder: Path) -> None:
    """Print the rate over ordinary lines, and every hit among them."""
    lines = (folder / "benign.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    size = sum(len(text.encode()) for text in texts)
    print(f"ordinary lines, one by one: {size / seconds(texts) / 1e6:.1f} MB/s")
    hits = [text for text in texts if find(text)]
    print(f"hits among {len(texts)} ordinary lines: {len(hits)}")
    for text in hits:
        print("  ", redact(text)[:200])


def pages() -> None:
    """Print the time of 64 KiB of one thing, slowest first."""
    rng = Random(3)
    letters = [chr(point) for point in range(32, 127)]
    texts = {
        "one letter": "a" * PAGE,
        "base64": base64.b64encode(rng.randbytes(PAGE)).decode(),
        "any ASCII": "".join(rng.choice(letters) for _ in range(PAGE)),
    }
    for piece in (
        "password ",
        "password: ",
        "password=",
        "password is ",
        "the api key is a1b2c3d4e5f6 ",
        "密码是a",
        "://a:",
        "eyJ.",
        "sk-a1",
        "-----BEGIN PRIVATE KEY-----\n",
        "A1b2C3d4E5f6G7h8\n",
        "bearer a1",
    ):
        texts[piece] = (piece * PAGE)[:PAGE]
    times = {name: seconds([text]) for name, text in texts.items()}
    for name, took in sorted(times.items(), key=lambda item: -item[1]):
        print(f"  {took * 1e3:6.1f} ms  64 KiB of {name!r}")


def main() -> None:
    """Print every figure; the corpus is optional."""
    quality()
    folder = os.environ.get("ETHOS_MEMORY_CORPORA", "")
    folder = sys.argv[1] if len(sys.argv) > 1 else folder
    if folder:
        benign(Path(folder))
    pages()


if __name__ == "__main__":
    main()
