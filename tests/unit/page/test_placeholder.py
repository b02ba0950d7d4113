"""A promise in place of text, and everything that is none."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ethos_memory.page import find_placeholder

FILES = Path(__file__).parents[2] / "cases" / "files"

#: Where `benign.jsonl` is, the lines that the guard is tuned on; not in this project.
CORPORA = Path(os.environ.get("ETHOS_MEMORY_CORPORA", "nowhere"))

PROMISES = """
[... rest of the file unchanged ...]
# ... existing content ...
<!-- rest unchanged -->
(previous entries omitted)
// ... rest of code remains the same ...
[rest of file unchanged]
... (rest of the file stays the same) ...
…rest of memory unchanged…
<rest of the memory goes here>
[... 120 more lines ...]
... and 12 more entries ...
[content truncated]
[unchanged]
{{ rest of file }}...
/* ... other sections unchanged ... */
- [all other entries remain unchanged]
> (everything else unchanged)
**[Rest of the page stays as it was]**
The rest of the file stays as it was.
Rest of the file unchanged
[remaining content preserved]
(remaining bullets kept as is)
# rest of the file unchanged
--- rest of the document unchanged ---
[same as before]
[snip]
... existing entries ...
[... existing entries ...]
# ... (existing notes)
[…]the rest of the page is unchanged[…]
[... übriger Inhalt unverändert ...]
(Rest der Datei bleibt unverändert)
<!-- bisherige Einträge unverändert -->
[... le reste du fichier est inchangé ...]
(autres entrées inchangées)
[... resto del archivo sin cambios ...]
(entradas anteriores omitidas)
[... restante do arquivo inalterado ...]
(il resto del file è invariato)
[... rest van het bestand ongewijzigd ...]
（其余内容不变）
[……其余部分保持不变……]
（以下省略）
（残りは変更なし）
（以下、既存の内容はそのまま）
[나머지 내용 변경 없음]
(기존 내용 유지)
[... остальная часть файла без изменений ...]
(остальное без изменений)
[... reszta pliku bez zmian ...]
[... dosyanın geri kalanı aynı ...]
[... phần còn lại giữ nguyên ...]
(بقية الملف بدون تغيير)
[... resten av filen oförändrad ...]
""".strip().split("\n")

NOTES = """
- Everything else stays the same.
## Existing content
# Previous entries
- The rest of the team is in Berlin.
(optional)
- Moved to 5pm, everything else stays the same.
- Ana likes tea (rest unchanged from last year)
<!-- keep one line per topic, newest first -->
<!-- overflow-archived 2026-04-01T00:00:00.000Z from MEMORY.md -->
... and then she laughed
- Wait for it...
[TODO] rest of the migration
- Old files stay in ~/archive (do not delete)
- Prefers to be left out of other people's threads
[link to the rest](notes.md)
- File names remain unchanged after the export
- Uses `...` for the rest parameter
- Never write `[... rest of the file unchanged ...]` into a page
(see other notes)
- 其他：喜欢喝茶
- 保持简洁
- その他: お茶が好き
...
[...]
- The original file was omitted from the backup
- Same time next week (as before)
[ ] Keep the existing content
- [ ] rest of the file: check encoding
<details>
[x] remaining entries reviewed
- Remaining budget: 400 EUR
Rest day on Friday
function f(a, ...rest) { return rest }
[a, ...others]
- Keep the rest of the file unchanged when you edit a page, and say what was changed there
""".strip().split("\n")


@pytest.mark.parametrize("promise", PROMISES)
def test_a_promise_is_found_where_it_stands(promise: str) -> None:
    """In any of the ways that models write it, and many languages."""
    content = f"- Timezone: Europe/Madrid\n\n{promise}\n"
    found = find_placeholder(content)
    assert found is not None
    start, end = found
    assert promise.startswith(content[start:end]) or content[start:end] in promise
    assert find_placeholder(content.replace("\n", "\r\n")) is not None


@pytest.mark.parametrize("note", NOTES)
def test_a_note_is_left_alone(note: str) -> None:
    """It uses the same words and keeps its own meaning."""
    assert find_placeholder(f"- Timezone: Europe/Madrid\n\n{note}\n") is None


@pytest.mark.parametrize(
    "line",
    [
        "- Timezone: Europe/Madrid [... rest unchanged ...]",
        "- Timezone: Europe/Madrid (rest of the file unchanged)",
        "- Timezone: Europe/Madrid (previous entries omitted)",
        "- Timezone: Europe/Madrid <!-- rest unchanged -->",
    ],
)
def test_a_promise_behind_a_fact_is_found(line: str) -> None:
    """Brackets set it apart; what is found is the brackets and their content."""
    found = find_placeholder(line)
    assert found is not None
    assert line[found[0]] in "[(<"
    assert found[1] == len(line)


def test_a_comment_over_several_lines_is_found() -> None:
    """It is one remark."""
    assert find_placeholder("- a\n<!--\n  previous notes kept\n-->\n") == (4, 34)


def test_code_in_a_fence_may_say_what_it_wants() -> None:
    """Unless the fence is the whole page, or never closed."""
    code = "```py\n# ... rest of the file unchanged ...\n```"
    assert find_placeholder(f"- how to edit:\n\n{code}\n") is None
    assert find_placeholder(f"\n{code}\n") is not None
    assert find_placeholder(code.removesuffix("```")) is not None


def test_wrappers_are_taken_off_to_a_limit() -> None:
    """Nobody writes more of them."""
    assert find_placeholder(f"{'[' * 7}rest of the file unchanged{']' * 7}")
    assert not find_placeholder(f"{'[' * 50}rest {'[' * 50}")


def test_the_first_of_several_is_found() -> None:
    """By its place, whatever its shape."""
    text = "(rest of the file unchanged)\n[... rest unchanged ...]"
    assert find_placeholder(text) == (0, 28)


@pytest.mark.parametrize("name", [path.name for path in sorted(FILES.glob("*.md"))])
def test_real_pages_hold_no_promise(name: str) -> None:
    """None of the ten files does."""
    assert find_placeholder((FILES / name).read_bytes().decode()) is None


@pytest.mark.skipif(not CORPORA.is_dir(), reason="ETHOS_MEMORY_CORPORA names no folder")
def test_ordinary_lines_hold_no_promise() -> None:
    """At most two in 4,491."""
    lines = (CORPORA / "benign.jsonl").read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if find_placeholder(json.loads(line)["text"])]
    assert len(found) <= 2


@pytest.mark.parametrize(
    "piece", ["[", "(a", "...", "<!--", "[...", "#", "- ", "…", "x "]
)
def test_looking_is_linear(piece: str) -> None:
    """A page of the largest size is no trouble, whatever it is made of."""
    assert find_placeholder(piece * (100_000 // len(piece))) is None
