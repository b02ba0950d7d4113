"""Tells the story: tidy in 80 columns, with color on a terminal only."""

from __future__ import annotations

import tempfile
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ethos_memory.cli.command import FINE, Refused
from ethos_memory.cli.console import counted, paint, visible
from ethos_memory.cli.tour.story import play

if TYPE_CHECKING:
    from ethos_memory.cli.command import Call
    from ethos_memory.cli.console import Console
    from ethos_memory.cli.findings import Located
    from ethos_memory.cli.tour.scene import Note, Scene

__all__ = ["tour"]

_WIDTH: Final = 80
_LABEL_WIDTH: Final = 9
_INDENT: Final = "   "

#: One line may break many rules; two make the point.
_SHOWN_FINDINGS: Final = 2
_BAR: Final = f"{_INDENT}│ "


def tour(call: Call) -> int:
    """Play the whole turn on real files, in a temporary home or in ``--root``.

    Raises:
        Refused: When the root that was named holds anything: the tour writes a config
            of its own, and a home that is in use is never written to.
    """
    if call.options.root is None:
        with tempfile.TemporaryDirectory(prefix="ethos-memory-tour-") as folder:
            _tell(call, Path(folder))
        return FINE
    path = Path(call.home).expanduser()
    if path.exists() and any(path.iterdir()):
        raise Refused(f"{path} is not empty; name a folder for the tour alone")
    _tell(call, path)
    return FINE


def _tell(call: Call, path: Path) -> None:
    scenes = play(path)
    if call.is_json:
        call.console.json([_scene_json(scene) for scene in scenes])
        return
    _print_opening(call.console, path)
    shown: dict[str, int] = {}
    for number, scene in enumerate(scenes, 1):
        _print_scene(call.console, number, scene)
        if scene.block is not None:
            _print_block(call.console, scene.block, shown.get(scene.block))
            shown.setdefault(scene.block, number)
    _print_closing(call, path)


def _print_opening(console: Console, path: Path) -> None:
    console.line(paint("bold", "ethos-memory: a morning at a piano workshop"))
    text = (
        "Everything below happens now, on real files, through the calls that a bot "
        f"makes. The home is {path}."
    )
    _print_wrapped(console, text, "")


def _print_scene(console: Console, number: int, scene: Scene) -> None:
    console.line()
    console.line(paint("cyan", f"{number:>2} "), paint("bold", scene.title))
    _print_wrapped(console, scene.text, _INDENT)
    if scene.speaker:
        for line in _wrapped(f"{scene.speaker}: “{scene.said}”", f"{_INDENT}› "):
            console.line(paint("green", line))
    for note in scene.notes:
        _print_note(console, note)
    for found in scene.findings[:_SHOWN_FINDINGS]:
        _print_finding(console, found)
    more = len(scene.findings) - _SHOWN_FINDINGS
    if more > 0:
        console.line(_INDENT, paint("dim", f"… and {counted(more, 'more finding')}"))


def _print_note(console: Console, note: Note) -> None:
    first, *rest = _wrapped(note.text, _INDENT + " " * (_LABEL_WIDTH + 1))
    label = paint("dim", f"{note.label:<{_LABEL_WIDTH}} ")
    console.line(_INDENT, label, first.lstrip())
    for line in rest:
        console.line(line)


def _print_finding(console: Console, found: Located) -> None:
    console.line(_INDENT, *found.place())
    text = f"{found.finding.reason} ({found.finding.action})"
    _print_wrapped(console, text, f"{_INDENT}  ")


def _print_block(console: Console, block: str, step: int | None) -> None:
    if not block:
        console.line(_INDENT, paint("dim", "the prompt gets nothing from memory"))
        return
    if step is not None:
        same = f"the prompt gets the very block of step {step}"
        console.line(_INDENT, paint("dim", same))
        return
    console.line(_INDENT, paint("dim", "the prompt gets"))
    for line in block.split("\n"):
        for part in textwrap.wrap(visible(line), _WIDTH - len(_BAR)) or [""]:
            console.line(_INDENT, paint("dim", "│"), f" {part}" if part else "")


def _print_closing(call: Call, path: Path) -> None:
    call.console.line()
    kept = call.options.root is not None
    text = (
        f"The files stay in {path}. Look at them, then try: "
        if kept
        else "The temporary home is gone now. To keep one: "
    )
    command = (
        f"ethos-memory doctor --root {path}" if kept else "ethos-memory tour --root DIR"
    )
    call.console.line(text, paint("bold", command))


def _print_wrapped(console: Console, text: str, indent: str) -> None:
    for line in _wrapped(text, indent):
        console.line(line)


def _wrapped(text: str, indent: str) -> list[str]:
    hanging = " " * len(indent)
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=hanging,
        break_on_hyphens=False,
    )


def _scene_json(scene: Scene) -> dict[str, object]:
    return {
        "title": scene.title,
        "text": scene.text,
        "speaker": scene.speaker,
        "said": scene.said,
        "notes": [{"label": note.label, "text": note.text} for note in scene.notes],
        "block": scene.block,
        "findings": [found.json() for found in scene.findings],
    }
