"""``scan``: what the guard says of files, like a linter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from ethos_memory.cli.command import CANNOT, FINE, FOUND, message
from ethos_memory.cli.console import counted, read_input
from ethos_memory.cli.findings import Located, located
from ethos_memory.cli.home import configured_guard
from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    from ethos_memory.cli.command import Call

__all__ = ["scan"]

_STANDARD_INPUT: Final = "-"


def scan(call: Call) -> int:
    """Print what the guard finds in files: where, which rule, and why; never the text.

    The home's ``memoryGuard`` settings count: what an operator accepted is not found.

    Returns:
        `FOUND` when a line would be withheld or a credential replaced, `CANNOT` when a
        file could not be read.
    """
    scope = call.options.scope
    if scope is not None:
        ScopeId.parse(scope)
    guard = configured_guard(call)
    texts = {name: _text(call, name) for name in call.options.files}
    found = [
        one
        for name, text in texts.items()
        if text is not None
        for one in located(name, guard.screen(text, scope).findings, text=text)
    ]
    is_read = None not in texts.values()
    if call.is_json:
        call.console.json([one.json() for one in found])
    else:
        for one in found:
            call.console.line(*one.parts())
        call.console.note(_summary(found, len(texts)))
    if not is_read:
        return CANNOT
    return FOUND if any(one.finding.action != "flag" for one in found) else FINE


def _text(call: Call, name: str) -> str | None:
    """Read a file; say why on standard error when it cannot be read."""
    try:
        data = read_input() if name == _STANDARD_INPUT else _bytes(name)
    except OSError as error:
        call.console.note(message(error))
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        call.console.note(f"{name}: not UTF-8; scanned with replacement characters")
    return data.decode("utf-8", "replace")


def _bytes(name: str) -> bytes:
    return Path(name).read_bytes()


def _summary(found: list[Located], files: int) -> str:
    if not found:
        return f"{counted(files, 'file')} scanned, nothing found"
    places = len({one.name for one in found})
    return (
        f"{counted(len(found), 'finding')} in {places} of {counted(files, 'file')}; "
        "--json shows the fingerprint that accepts a line"
    )
