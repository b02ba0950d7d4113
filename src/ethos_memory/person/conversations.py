"""What was said with a person alone: the session store's part."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from attrs import Attribute, asdict

from ethos_memory.person.holder import Holding
from ethos_memory.scope import ScopeId

if TYPE_CHECKING:
    from ethos_memory.person.destination import ExportFolder
    from ethos_memory.sessions import SessionExport, SessionStore

__all__ = ["ConversationHolder"]


class ConversationHolder:
    """Conversations whose owner is ``user:<id>``, with messages and search terms.

    Args:
        store: What keeps them.
    """

    name = "conversations"
    stays = "what the person said in a room: its conversation belongs to the room"

    def __init__(self, store: SessionStore) -> None:
        self._store = store

    def holdings(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        """Return how many conversations there are.

        Raises:
            EthosMemoryError: When the store cannot be read.
        """
        counts = {id: self._store.count_owner(_owner(id)) for id in user_ids}
        return tuple(
            Holding(self.name, id, name="conversation", count=count)
            for id, count in counts.items()
            if count
        )

    def leftovers(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:  # noqa: ARG002 - the protocol's shape
        """Return nothing: the store is all ours."""
        return ()

    def export(self, user_ids: tuple[str, ...], into: ExportFolder) -> None:
        """Put each conversation into a file, in the order they began.

        Raises:
            EthosMemoryError: When the store cannot be read.
        """
        for id in user_ids:
            exported = self._store.export_owner(_owner(id))
            for number, conversation in enumerate(exported, 1):
                path = f"{id}/conversations/{number:04}.json"
                value = _value(conversation)
                into.put_json(path, value, what="a conversation", source=_owner(id))

    def erase(self, user_ids: tuple[str, ...]) -> tuple[Holding, ...]:
        """Erase every conversation of the person's own.

        Raises:
            EthosMemoryError: When the store cannot be written. Repeat it.
        """
        counts = {id: self._store.erase_owner(_owner(id)) for id in user_ids}
        return tuple(
            Holding(self.name, id, name="conversation", count=count)
            for id, count in counts.items()
            if count
        )


def _owner(user_id: str) -> str:
    return str(ScopeId.user(user_id))


def _value(conversation: SessionExport) -> object:
    return asdict(conversation, value_serializer=_serialized)


def _serialized(_: type, __: Attribute[object], value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
