"""The provider of another package, as a config names it.

A package registers a factory under a name, in the group ``ethos_memory.providers``. The
factory takes one `ProviderSetup` and returns a `MemoryProvider`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from attrs import field, frozen

from ethos_memory.errors import CorruptFileError, UnsupportedError
from ethos_memory.provider import MemoryProvider
from ethos_memory.providers.installed import (
    attempt,
    find_registered,
    registered_names,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from ethos_memory.disk import Durability

__all__ = ["GROUP", "ProviderFactory", "ProviderSetup", "load_provider"]

#: Where packages register what makes a provider.
GROUP: Final = "ethos_memory.providers"

#: What a package registers.
ProviderFactory: TypeAlias = "Callable[[ProviderSetup], MemoryProvider]"


def _kept(options: Mapping[str, str]) -> Mapping[str, str]:
    return MappingProxyType(dict(options))


def _refused(option: str, reason: str) -> CorruptFileError:
    spelled = f"memoryOptions.{option}" if option else "memory"
    return CorruptFileError("config.yaml", f"{spelled}: {reason}")


@frozen
class ProviderSetup:
    """What a factory makes its provider of. Later releases may add to it.

    Attributes:
        options: What stands below ``memoryOptions``, or a personality's
            ``memory.options``: text by name, from the environment where one names a
            variable. Private: in no `repr`, and of a factory in no error.
        home: The home, absolute. It need not exist yet.
        durability: Whether a change that returned must survive a power cut.
        trusted_links: Folders that links below the home may lead into.
        refuse: Makes the error for an option; see `refused`.
    """

    options: Mapping[str, str] = field(converter=_kept, repr=False)
    home: Path = field(kw_only=True)
    durability: Durability = field(default="full", kw_only=True)
    trusted_links: tuple[str | os.PathLike[str], ...] = field(default=(), kw_only=True)
    refuse: Callable[[str, str], CorruptFileError] = field(
        default=_refused, kw_only=True, repr=False, eq=False
    )

    def required(self, option: str) -> str:
        """Return an option.

        Raises:
            CorruptFileError: When it is missing or empty.
        """
        value = self.options.get(option)
        if not value:
            raise self.refused(option, "is missing")
        return value

    def check_known(self, *known: str) -> None:
        """Refuse an option that the provider does not have: it may be misspelled.

        Args:
            *known: The options that it has.

        Raises:
            CorruptFileError: When there is another one; names the line.
        """
        for option in self.options:
            if option not in known:
                takes = ", ".join(known) or "none"
                raise self.refused(option, f"no such option; there are {takes}")

    def refused(self, option: str, reason: str) -> CorruptFileError:
        """Return the error for an option, to be raised: it names file and line.

        Args:
            option: Which; ``""`` for the provider's name.
            reason: What is wrong with it. It must not hold the value.
        """
        return self.refuse(option, reason)


def load_provider(
    name: str, setup: ProviderSetup, *, built_in: tuple[str, ...] = ()
) -> MemoryProvider:
    """Make the provider that an installed package registered under a name.

    Args:
        name: The name of an entry point in the group ``ethos_memory.providers``.
        setup: What to make it of.
        built_in: Names that are not looked up, for the error.

    Raises:
        CorruptFileError: When no package, or more than one, registered the name.
        UnsupportedError: When it cannot be made, or is no provider.
        EthosMemoryError: What the factory raised of this kind.
    """
    found = find_registered(GROUP, name)
    if not found:
        there = sorted({*built_in, *registered_names(GROUP)})
        names = ", ".join(one if one.isprintable() else ascii(one) for one in there)
        reason = f"no installed package has {name!a} in the group {GROUP}"
        raise setup.refused("", f"{reason}; there are {names}")
    if len(found) > 1:
        reason = f"more than one package has {name!a} in the group {GROUP}"
        raise setup.refused("", reason)
    what = str(setup.refused("", f"the provider {name!a}"))
    make = attempt(found[0].load, what=what)
    made: Any = attempt(make, setup, what=what)
    # A class has the five methods as well, and keeps nothing.
    if isinstance(made, type) or not isinstance(made, MemoryProvider):
        msg = f"{what} is none: its factory returned {type(made).__name__}"
        raise UnsupportedError(msg)
    return made
