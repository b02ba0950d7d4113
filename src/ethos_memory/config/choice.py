"""Which provider a config names, with what, and where that stands."""

from __future__ import annotations

import os
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import field, frozen

from ethos_memory.errors import CorruptFileError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "AGENT_DIR",
    "BUILT_IN",
    "OPTION",
    "PROVIDER_NAME",
    "ProviderChoice",
    "named_variable",
]

#: The agent's folder in a vault, as Ethos calls it.
AGENT_DIR: Final = "Ethos"

#: Options of each provider of the library; no package's provider stands in for one.
BUILT_IN: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "markdown": (),
        "vector": ("embedder",),
        "vault": ("path", "agentDir"),
        "postgres": ("dsn",),
    }
)

#: A plugin's name as Ethos builds it, ``<plugin>/<name>``, or the name alone. Narrow,
#: since a name is shown in errors, and a connection string in its place must not be.
PROVIDER_NAME: Final = re.compile(
    r"(?=.{1,64}$)[a-z0-9][a-z0-9_.-]*(?:/[a-z0-9][a-z0-9_.-]*)?"
)

#: The name of an option.
OPTION: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")

_WORD: Final = r"[A-Za-z_][A-Za-z0-9_]*"
_VARIABLE: Final = re.compile(rf"\$\{{({_WORD})\}}|env:({_WORD})")
_BARE_VARIABLE: Final = re.compile(rf"\$\{{({_WORD})\}}|env:({_WORD})|({_WORD})")

_Pairs: TypeAlias = "tuple[tuple[str, str], ...]"


def named_variable(text: str, *, may_be_bare: bool = False) -> str | None:
    """Return the environment variable that a value names, `None` when it names none.

    Args:
        text: The value: ``${NAME}`` and ``env:NAME`` name one.
        may_be_bare: Whether a bare ``NAME`` does so as well.
    """
    form = _BARE_VARIABLE if may_be_bare else _VARIABLE
    named = form.fullmatch(text)
    return None if named is None else next(filter(None, named.groups()))


def _sorted(options: Mapping[str, str]) -> _Pairs:
    return tuple(sorted(options.items()))


def _kept(lines: Mapping[str, int]) -> Mapping[str, int]:
    return MappingProxyType(dict(lines))


@frozen
class ProviderChoice:
    """The provider that a config names. Equal when name and options are.

    Attributes:
        name: One of ours, or the name that an installed package registered.
        pairs: The options as they are written, by name. Private: in no `repr`.
        file: The config, for the errors.
        key: How its name is spelled there.
        block: What stands in front of an option's name there.
        lines: Where each option stands, counted from 1; under ``""`` the name itself.
    """

    name: str
    pairs: _Pairs = field(default={}, converter=_sorted, repr=False)
    file: str = field(kw_only=True, eq=False)
    key: str = field(default="memory", kw_only=True, eq=False)
    block: str = field(default="memoryOptions", kw_only=True, eq=False)
    lines: Mapping[str, int] = field(
        factory=dict, converter=_kept, kw_only=True, eq=False, repr=False
    )

    def place(self, option: str = "") -> str:
        """Say where an option stands, or, without one, the provider's name.

        An option that is missing would stand where the name does.
        """
        line = self.lines.get(option) or self.lines.get("")
        spelled = f"{self.block}.{option}" if option else self.key
        return f"line {line}: {spelled}" if line else spelled

    def refused(self, option: str, reason: str) -> CorruptFileError:
        """Return the error for one option; without one, for the provider's name.

        Args:
            option: The option, or ``""``.
            reason: What is wrong; never holds the value.
        """
        return CorruptFileError(self.file, f"{self.place(option)}: {reason}")

    def required(self, option: str) -> str:
        """Return an option as it is written.

        Raises:
            CorruptFileError: When it is missing or empty.
        """
        text = dict(self.pairs).get(option)
        if not text:
            raise CorruptFileError(
                self.file, f"{self.place()}: {self.name} needs {self.block}.{option}"
            )
        return text

    def optional(self, option: str, default: str) -> str:
        """Return an option as it is written, or a default when it is not there."""
        return dict(self.pairs).get(option) or default

    def resolve(
        self,
        option: str,
        *,
        may_be_bare: bool = False,
        environ: Mapping[str, str] | None = None,
    ) -> str:
        """Return an option, from the environment when it names a variable.

        Args:
            option: Which.
            may_be_bare: Whether a bare word names one.
            environ: `os.environ` by default.

        Raises:
            CorruptFileError: When it is missing, or the variable is not set or empty.
        """
        text = self.required(option)
        name = named_variable(text, may_be_bare=may_be_bare)
        if name is None:
            return text
        found = (os.environ if environ is None else environ).get(name)
        if not found:
            raise self.refused(option, "names a variable that is not set")
        return found

    def resolved(self) -> dict[str, str]:
        """Return all options, each from the environment when it names a variable.

        Raises:
            CorruptFileError: When a variable is not set or empty.
        """
        return {
            option: self.resolve(option) if text else "" for option, text in self.pairs
        }
