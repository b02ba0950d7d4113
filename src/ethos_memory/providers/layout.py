"""Where a provider keeps each kind of scope, below its root."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ethos_memory.errors import UnknownScopeError
from ethos_memory.scope import LAYOUT, ScopeId

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["HOME", "TEAMS", "Layout"]


@frozen
class Layout:
    """A place for each kind of scope.

    Attributes:
        places: For each kind the folders above and below the one with the scope's id.
    """

    places: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]

    def place(self, scope: ScopeId) -> tuple[str, ...]:
        """Return a scope's folder, one component each, below the root.

        Raises:
            UnknownScopeError: When there is no place for its kind.
        """
        try:
            above, below = self.places[scope.kind]
        except KeyError:
            known = ", ".join(self.places)
        else:
            return (*above, scope.id, *below)
        raise UnknownScopeError(str(scope), f"known kinds: {known}")


#: Ethos's own: ``personalities/<id>`` and ``users/<id>``.
HOME: Final = Layout(
    MappingProxyType({kind: ((folder,), ()) for kind, folder in LAYOUT.items()})
)

#: Team memory is a provider of its own, so that no setting mixes it with the others.
TEAMS: Final = Layout(MappingProxyType({"team": (("teams",), ("memory",))}))
