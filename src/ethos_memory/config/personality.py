"""A personality's own provider: ``memory.provider`` and ``memory.options.*``.

They stand in ``personalities/<id>/config.yaml``, which is Ethos's own file: whatever
does not speak of memory is left alone, a line that is no setting included.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

from attrs import define, field

from ethos_memory.config.choice import BUILT_IN, OPTION, PROVIDER_NAME, ProviderChoice
from ethos_memory.config.lines import read_settings, refused
from ethos_memory.config.reader import decoded, folded
from ethos_memory.config.settings import CONFIG_NAME, read_config
from ethos_memory.disk.confine import refuse_other_casing

if TYPE_CHECKING:
    from ethos_memory.config.lines import Setting
    from ethos_memory.disk import Root
    from ethos_memory.errors import CorruptFileError

__all__ = ["load_personality", "parse_personality"]

_PERSONALITIES: Final = "personalities"

_PROVIDER: Final = "memory.provider"
_BLOCK: Final = "memory.options"
_OPTION: Final = re.compile(r"memory\.options\.(.+)")

#: A key that speaks of a provider, whatever its case and dashes; the home's own too.
_OURS: Final = re.compile(
    r"memory(?:|provider|options|guard|vault|vector|postgres)(?:\..*)?"
)

#: What Ethos takes for a vault and this library has no use for.
_LEFT_ALONE: Final = frozenset({("vault", "prefetch"), ("vault", "exclude")})


def _is_ours(key: str) -> bool:
    return _OURS.fullmatch(folded(key)) is not None


def _is_text(path: str) -> bool:
    return path == _PROVIDER or _OPTION.fullmatch(path) is not None


def _is_suspect(line: str) -> bool:
    return "memory" in folded(line)


@define
class _Reader:
    """Takes settings one by one and keeps what they say."""

    file: str
    name: str = ""
    options: dict[str, str] = field(factory=dict, repr=False)
    lines: dict[str, int] = field(factory=dict)

    def take(self, setting: Setting) -> None:
        path, value = setting.path, setting.value
        if path == _PROVIDER:
            self._once("", setting)
            self.name = self._name(setting)
        elif option := _OPTION.fullmatch(path):
            self._once(option[1], setting)
            if not isinstance(value, str) or not OPTION.fullmatch(option[1]):
                raise self._refused(setting, "an option is a word with one text")
            self.options[option[1]] = value
        elif path not in ("memory", _BLOCK) or value:
            reason = f"no setting here; there are {_PROVIDER} and {_BLOCK}.<option>"
            raise self._refused(setting, reason)

    def _refused(self, setting: Setting, reason: str) -> CorruptFileError:
        return refused(self.file, setting.line, reason)

    def _once(self, name: str, setting: Setting) -> None:
        if name in self.lines:
            raise self._refused(setting, f"set before, on line {self.lines[name]}")
        self.lines[name] = setting.line

    def _name(self, setting: Setting) -> str:
        value = setting.value
        if not isinstance(value, str) or not PROVIDER_NAME.fullmatch(value):
            known = ", ".join(BUILT_IN)
            reason = (
                f"{_PROVIDER} is one of {known}, or a name that a package registered"
            )
            raise self._refused(setting, reason)
        return value

    def finish(self) -> ProviderChoice | None:
        """Return the choice, when the settings go together."""
        if not self.name:
            if self.lines:
                line = min(self.lines.values())
                raise refused(self.file, line, f"options without a {_PROVIDER}")
            return None
        known = BUILT_IN.get(self.name, tuple(self.options))
        for option in self.options:
            if option not in known and (self.name, option) not in _LEFT_ALONE:
                takes = ", ".join(known) or "no options"
                reason = f"{_PROVIDER}: {self.name} takes {takes}"
                raise refused(self.file, self.lines[option], reason)
        return ProviderChoice(
            self.name,
            {
                option: self.options[option]
                for option in known
                if option in self.options
            },
            file=self.file,
            key=_PROVIDER,
            block=_BLOCK,
            lines=self.lines,
        )


def parse_personality(
    text: str | bytes, *, file: str = CONFIG_NAME
) -> ProviderChoice | None:
    """Read the text of a personality's config.

    Args:
        text: All of it; bytes must be UTF-8.
        file: Its name, for the errors.

    Returns:
        The provider it names; `None` when the home's keeps its memory.

    Raises:
        CorruptFileError: When it cannot be understood; names the line, never what
            stands there.
    """
    reader = _Reader(file)
    for setting in read_settings(
        decoded(text, file),
        file=file,
        is_ours=_is_ours,
        is_text=_is_text,
        is_suspect=_is_suspect,
    ):
        reader.take(setting)
    return reader.finish()


def load_personality(root: Root, id: str) -> ProviderChoice | Literal["absent"] | None:
    """Read the config of a personality. Nothing is created.

    Args:
        root: The home.
        id: The personality, a valid id.

    Returns:
        The provider it names; `None` when the home's keeps its memory; ``"absent"``
        when the home has no such personality yet.

    Raises:
        CorruptFileError: When the file cannot be read or understood; names the file
            and the line, never what stands there.
        UnsafePathError: When something else stands where the folder should, or one
            whose name differs only in case.
        ValueError: When the home was closed.
    """
    with root.folder(_PERSONALITIES, id) as folder:
        if folder is None:
            _refuse_look_alike(root, id)
            return "absent"
        file, data = folder.label_of(CONFIG_NAME), read_config(folder)
    return parse_personality(data, file=file) if data else None


def _refuse_look_alike(root: Root, id: str) -> None:
    """Refuse ``Ops`` beside ``ops``, which may have a provider of its own."""
    with root.folder(_PERSONALITIES) as folder:
        if folder is not None:
            refuse_other_casing(folder.fd, (folder.label, id))
