"""How fast the guard is. Run it as a script.

python tests/bench/bench_guard.py [folder with benign.jsonl]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from attack_samples import load
from ethos_memory.guard import InjectionGuard
from ethos_memory.guard.credentials.prose import is_prose
from ethos_memory.guard.credentials.words import KEYWORDS
from ethos_memory.guard.screen import _engine, _skim

ROUNDS = 5
SIZE = 65_536


def seconds(text: str) -> float:
    """Return the best time of a fresh guard over one text."""
    best = float("inf")
    for _ in range(3):
        guard = InjectionGuard()
        start = time.process_time()
        guard.screen(text)
        best = min(best, time.process_time() - start)
    return best


def lines(folder: Path) -> None:
    """Print MB/s over ordinary lines, one call each, through the public surface."""
    rows = (folder / "benign.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(row)["text"] for row in rows]
    size = sum(len(text.encode()) for text in texts)
    guard = InjectionGuard()
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for text in texts:
            guard.screen(text)
        best = min(best, time.process_time() - start)
    print(f"ordinary lines, one by one: {size / best / 1e6:.1f} MB/s")
    print(f"a line: {best / len(texts) * 1e6:.1f} us")
    harmless = [text for text in texts if _skim(()).is_harmless(text)]
    both = sum(map(is_prose, harmless))
    print(
        f"leave at once: {len(harmless) / len(texts):.3f}, both: {both / len(texts):.3f}"
    )
    page = "\n".join(texts)[:SIZE]
    print(f"ordinary page of {SIZE} characters: {seconds(page) * 1e3:.1f} ms")
    guard.screen(page)
    start = time.perf_counter()
    guard.screen(page)
    print(f"the same page again: {(time.perf_counter() - start) * 1e6:.0f} us")


def hostile() -> dict[str, str]:
    """Return 64 KiB of what might be slow."""
    rng = Random(20261130)
    words = sorted(word for word in _engine(()).tokenizer.codes if word.isascii())
    foreign = sorted(word for word in _engine(()).tokenizer.codes if not word.isascii())
    pieces = {sample.technique: sample.text for sample in load() if sample.is_attack}
    found = {f"attack {name}": (text + "\n") * SIZE for name, text in pieces.items()}
    found |= {f"run of {piece!r}": piece * SIZE for piece in (
        *("a", " ", "\n", "a\n", "ignore ", "ignore all\n", "=", "-", "`", '"a ', "<|"),
        *("&#105;", "%69", "\\x69", ".- ", "i g n o r e ", "a.", "a@", "http://a.b/c "),
        *("![a](https://x.y/z?q=", "<img https://x.y?a=", "curl -d @", "<!-- ", "[a]: "),
        *("\u202eabc\u202c", "a\u200b", "\U000e0041", "忽略之前", "іgnоrе аll ", "\x00"),
        "\U0001f3f4\U000e0067\U000e0062\U000e007f",
    )}  # fmt: skip
    found["words of rules"] = " ".join(rng.choices(words, k=SIZE // 6))
    found["lines of words of rules"] = "\n".join(
        " ".join(rng.choices(words, k=9)) for _ in range(SIZE // 60)
    )
    found["foreign words of rules"] = " ".join(rng.choices(foreign, k=SIZE // 8))
    announcing = [word.needle for word in KEYWORDS]
    links = ("is", "was", "for the", "of", "=", ":", "->", '"', "in the", "a1", "9")
    pairs = zip(
        rng.choices(announcing, k=SIZE), rng.choices(links, k=SIZE), strict=True
    )
    found["words for credentials"] = " ".join(rng.choices(announcing, k=SIZE))
    found["assigned to each other"] = "=".join(rng.choices(announcing, k=SIZE))
    found["with what could be values"] = " ".join(f"{a} {b}" for a, b in pairs)
    for piece in ("pin: 1234 ", 'pwd: "a', "password is ", "密码是a"):
        found[f"run of {piece!r}"] = piece * SIZE
    found["random ASCII"] = "".join(chr(rng.randrange(32, 127)) for _ in range(SIZE))
    found["random text"] = "".join(chr(rng.randrange(32, 0xD800)) for _ in range(SIZE))
    return found


def main() -> None:
    """Print all figures."""
    start = time.process_time()
    InjectionGuard().screen("tea")
    print(f"the first text of a process: {(time.process_time() - start) * 1e3:.0f} ms")
    code = "import time; t = time.process_time(); import ethos_memory.guard; print(time.process_time() - t)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    print(f"importing the package: {float(done.stdout) * 1e3:.0f} ms")
    default = os.environ.get("ETHOS_MEMORY_CORPORA", "")
    folder = sys.argv[1] if len(sys.argv) > 1 else default
    if folder:
        lines(Path(folder))
    times = {
        name: seconds(text.encode("utf-8", "ignore")[:SIZE].decode("utf-8", "ignore"))
        for name, text in hostile().items()
    }
    print(f"{SIZE} bytes of anything, slowest first:")
    for name, took in sorted(times.items(), key=lambda row: -row[1])[:12]:
        print(f"  {took * 1e3:7.1f} ms  {name}")


if __name__ == "__main__":
    main()
