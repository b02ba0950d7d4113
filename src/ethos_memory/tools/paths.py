"""Pages as files below ``/memories``, for tools that speak of paths.

A page's key is flat; a path has folders and any ending. The two are one to one: ``--``
in a key is a folder, and ``.md`` is added to a name that has another ending.
"""

from __future__ import annotations

import re
from typing import Final

from ethos_memory.errors import InvalidKeyError
from ethos_memory.scope import parse_key
from ethos_memory.tools.answer import Declined

__all__ = ["ROOT", "key_of", "path_of", "relative"]

#: Where the files stand, as Anthropic's memory tool has it.
ROOT: Final = "/memories"

_FOLDER: Final = "--"
_PAGE: Final = ".md"

#: The ending of a file: short, and not the whole name.
_ENDING: Final = re.compile(r".\.[A-Za-z0-9]{1,16}")
_LONGEST_ENDING: Final = 18

#: A path is echoed in part only.
_ECHOED_CHARACTERS: Final = 200


def relative(path: str) -> str:
    """Return a path below the root without it, ``""`` for the root itself.

    Raises:
        Declined: When it is elsewhere, or would lead out.
    """
    shown = path[:_ECHOED_CHARACTERS]
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise Declined(f"Path must start with {ROOT}, got: {shown}")
    segments = [part for part in path.removeprefix(ROOT).split("/") if part]
    if ".." in segments:
        raise Declined(f"Path {shown} would escape {ROOT} directory")
    return "/".join(part for part in segments if part != ".")


def key_of(relative: str) -> str:
    """Return the page that a file is.

    Raises:
        Declined: When no page can have that name.
    """
    name = relative.replace("/", _FOLDER)
    key = name if _is_plain(name) else name + _PAGE
    problem = "a file needs an ending such as .md, and no - beside a / or another -"
    if path_of(key) == relative:
        try:
            return parse_key(key)
        except InvalidKeyError as error:
            problem = error.reason
    raise Declined(f"The name {ascii(relative)[:_ECHOED_CHARACTERS]}: {problem}.")


def path_of(key: str) -> str | None:
    """Return the file that a page is; `None` when it is none."""
    stem = key.removesuffix(_PAGE)
    name = stem if _has_ending(stem) else key
    parts = name.split(_FOLDER)
    if any(not part or part[0] in "-." or part[-1] == "-" for part in parts):
        return None
    return "/".join(parts)


def _has_ending(name: str) -> bool:
    tail = name[-_LONGEST_ENDING:]
    dot = tail.rfind(".")
    return dot > 0 and _ENDING.fullmatch(tail[dot - 1 :]) is not None


def _is_plain(name: str) -> bool:
    stem = name.removesuffix(_PAGE)
    return stem != name and not _has_ending(stem)
