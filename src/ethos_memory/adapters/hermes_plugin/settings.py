"""The settings of the Hermes adapter: one JSON file in the host's home."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from ethos_memory.adapters.hermes_plugin.atomic import put
from ethos_memory.errors import CorruptFileError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NAME", "Settings", "save"]

#: The provider's name: of its folder, of its settings, and in the host's config.
NAME: Final = "ethos-memory"

_FIELDS: Final[Mapping[str, type]] = {
    "root": str,
    "personality": str,
    "team": str,
    "every_turn": bool,
}
_KNOWN: Final = ", ".join(_FIELDS)

#: How the host's own plugins write the host's home in a setting.
_HOST: Final = re.compile(r"\A\$(?:HERMES_HOME|\{HERMES_HOME\})(?=/|\Z)")


@frozen
class Settings:
    """What ``ethos-memory.json`` in a ``HERMES_HOME`` says.

    Attributes:
        root: The home of memory: ``~`` and ``$HERMES_HOME`` are expanded, and a
            relative one lies in the host's home.
        personality: Instead of the host's profile.
        team: The team that the agent works in.
        every_turn: Whether each message gets the block, changed or not.
    """

    root: str = "$HERMES_HOME/" + NAME
    personality: str = ""
    team: str = ""
    every_turn: bool = False

    @classmethod
    def load(cls, home: Path) -> Settings:
        """Read them.

        Raises:
            CorruptFileError: When they cannot be understood. They never count as none:
                another root is another memory.
        """
        return cls(**_stored(home))

    def place(self, home: Path) -> Path:
        """Return where memory is.

        Raises:
            CorruptFileError: When ``~`` names a user that there is not.
        """
        place = Path(_HOST.sub(".", self.root))
        with suppress(RuntimeError):
            return home / place.expanduser()
        raise CorruptFileError(str(_file(home)), "root: there is no such user")


def save(home: Path, values: Mapping[str, object]) -> None:
    """Change some settings; a blank one is taken out.

    Raises:
        CorruptFileError: When those that are there cannot be understood.
        OSError: When they cannot be written; those that are there stay.
        ValueError: When there is no such setting, or it is of another type.
    """
    held = _stored(home)
    for name, value in values.items():
        if type(value) is not _FIELDS.get(name):
            raise ValueError(f"a wrong setting; known: {_KNOWN}")
        held[name] = value
    kept = {name: value for name, value in held.items() if value != ""}
    put(_file(home), json.dumps(kept, indent=2) + "\n")


def _file(home: Path) -> Path:
    return home / f"{NAME}.json"


def _stored(home: Path) -> dict[str, Any]:
    path = _file(home)
    try:
        held = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, RecursionError, ValueError):
        held = None
    if not isinstance(held, dict):
        raise CorruptFileError(str(path), "not a JSON object that can be read")
    for name, value in held.items():
        if type(value) is not _FIELDS.get(name) or value == "":
            raise CorruptFileError(str(path), f"a wrong setting; known: {_KNOWN}")
    return held
