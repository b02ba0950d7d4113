"""The plugin's folder in a home of the host, which finds plugins nowhere else."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ethos_memory.adapters.hermes_plugin.atomic import put
from ethos_memory.adapters.hermes_plugin.settings import NAME

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["install", "uninstall"]

#: The first line of our plugin: what begins otherwise is not ours to touch. The host
#: looks for the word MemoryProvider in it.
_MARK: Final = "# The MemoryProvider of ethos-memory, written by its installer.\n"

_PLUGIN: Final[Mapping[str, str]] = {
    "__init__.py": _MARK
    + "from ethos_memory.adapters.hermes import register\n__all__ = ['register']\n",
    "plugin.yaml": f"""\
name: {NAME}
version: 1.0.0
kind: exclusive
description: "Memory for many people in markdown files, each shown to its own alone."
hooks:
  - on_memory_write
  - on_pre_compress
  - on_session_end
  - on_session_switch
""",
    "README.md": f"""\
# {NAME}

Written by `python -m ethos_memory.adapters.hermes install`, and taken away by
`python -m ethos_memory.adapters.hermes uninstall`. Chosen by
`memory.provider: {NAME}` in `config.yaml`. Settings are in `{NAME}.json` beside it.
""",
}

#: What `put` stages is ours as well, when a crash left it; `tempfile` adds the end.
_STAGED: Final = re.compile(
    rf"\.(?:{'|'.join(map(re.escape, _PLUGIN))})-[a-z0-9_]{{8}}"
)


def install(hermes_home: str | os.PathLike[str]) -> Path:
    """Write the plugin's folder; one that we wrote before is written anew.

    Args:
        hermes_home: The host's home.

    Returns:
        The folder. It is there whole or not at all.

    Raises:
        FileExistsError: When another plugin has that name. It is left as it is.
        OSError: When the host's home is not there, or cannot be written.
    """
    folder = Path(hermes_home) / "plugins" / NAME
    if _is_ours(folder):
        for name, text in _PLUGIN.items():
            put(folder / name, text)
        return folder
    folder.parent.mkdir(exist_ok=True)
    # The host skips names that begin with a dot.
    staged = Path(tempfile.mkdtemp(prefix=f".{NAME}-", dir=folder.parent))
    try:
        for name, text in _PLUGIN.items():
            put(staged / name, text)
        staged.rename(folder)
    except OSError:
        shutil.rmtree(staged)
        raise
    return folder


def uninstall(hermes_home: str | os.PathLike[str]) -> bool:
    """Take the plugin's folder away; what is remembered and the settings stay.

    Args:
        hermes_home: The host's home.

    Returns:
        Whether there was one.

    Raises:
        FileExistsError: When another plugin has that name. It is left as it is.
        OSError: When it cannot be removed.
    """
    folder = Path(hermes_home) / "plugins" / NAME
    if not _is_ours(folder):
        return False
    gone = Path(tempfile.mkdtemp(prefix=f".{NAME}-", dir=folder.parent))
    shutil.rmtree(folder.rename(gone))
    return True


def _is_ours(folder: Path) -> bool:
    """Tell whether we wrote a folder; `False` when nothing is there.

    Raises:
        FileExistsError: When somebody else did, or put something into it.
    """
    if not os.path.lexists(folder):
        return False
    if folder.is_symlink() or not folder.is_dir() or not _holds_ours(folder):
        raise FileExistsError(f"{folder} is not of this installer: left as it is")
    return True


def _holds_ours(folder: Path) -> bool:
    entry, compiled = folder / "__init__.py", folder / "__pycache__"
    names = {one.name for one in folder.iterdir() if not _STAGED.fullmatch(one.name)}
    if not names <= {compiled.name, *_PLUGIN}:
        return False
    # A link is taken away, and not what it leads to.
    inside = compiled.iterdir() if compiled.is_dir() else iter(())
    if not compiled.is_symlink() and any(one.suffix != ".pyc" for one in inside):
        return False
    if entry.is_symlink() or not entry.is_file():
        return False
    return entry.read_text("utf-8", errors="replace").startswith(_MARK)
