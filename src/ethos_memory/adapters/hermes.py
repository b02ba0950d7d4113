"""A memory provider for Hermes Agent: one home behind the host's own plugin interface.

``python -m ethos_memory.adapters.hermes install`` writes the plugin's folder into a
``HERMES_HOME``; then ``memory.provider: ethos-memory`` in the host's ``config.yaml``
chooses it. The host says who speaks and where: see `EthosMemoryProvider.initialize`.
"""

# The arguments are the host's, whether this plugin has a use for them or not.
# ruff: noqa: ARG002

from __future__ import annotations

import argparse
import json
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from attrs import evolve

from ethos_memory.adapters.hermes_plugin import (
    NAME,
    ROUTED,
    Session,
    Settings,
    install,
    save,
    turn_of,
    uninstall,
)
from ethos_memory.errors import CorruptFileError, MissingExtraError
from ethos_memory.memory import Memory
from ethos_memory.tools import ToolAnswer

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from ethos_memory.tools import Tool

    # The host says nothing of its types, and an unknown base would leave the class
    # without any.
    MemoryProvider = object

    def get_hermes_home() -> Path:
        """Return the host's folder."""
        ...

else:
    try:
        from agent.memory_provider import MemoryProvider
        from hermes_constants import get_hermes_home
    except ImportError:
        # No extra brings this host: it is an application that pins what it needs, and
        # this package goes to where it is.
        _absent = MissingExtraError("hermes")
        _absent.msg = "hermes-agent is not here: install ethos-memory where it runs"
        _absent.args = (_absent.msg,)
        raise _absent from None

__all__ = ["NAME", "EthosMemoryProvider", "install", "main", "register", "uninstall"]

#: Later releases of the host put what is longer than 10,000 characters into a file.
_BUDGET_CHARS: Final = 9_500

_CLOSED: Final = ToolAnswer("Memory is not available.", "execution_failed")

_T = TypeVar("_T")

_logger = logging.getLogger("ethos_memory")


class EthosMemoryProvider(MemoryProvider):
    """One home, for the person and the place that the host says.

    Args:
        root: The home, instead of the one that ``$HERMES_HOME/ethos-memory.json``
            names; without either it is ``$HERMES_HOME/ethos-memory``.
        personality: Instead of the host's profile.
        team: See `ethos_memory.tools.tools_for`.
        every_turn: Give the block with every message, and not only when it changed:
            for a mode of the host that does not keep what it sent.
    """

    def __init__(
        self,
        root: str | os.PathLike[str] | None = None,
        *,
        personality: str | None = None,
        team: str | None = None,
        every_turn: bool | None = None,
    ) -> None:
        given: dict[str, Any] = {
            "root": None if root is None else str(Path(root).expanduser().absolute()),
            "personality": personality,
            "team": team,
            "every_turn": every_turn,
        }
        self._given = {name: one for name, one in given.items() if one is not None}
        self._session: Session | None = None
        self._is_new = True

    @property
    def name(self) -> str:
        """What ``memory.provider`` names."""
        return NAME

    def is_available(self) -> bool:
        """Tell whether the settings can be read. Opens nothing."""
        try:
            self._settings(Path(get_hermes_home()))
        except CorruptFileError as error:
            _logger.warning("%s", error)
            return False
        return True

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Open the home for who the host says is speaking.

        Args:
            session_id: The host's; kept in the history of what is written.
            **kwargs: The host's. ``agent_identity`` is the personality; ``user_id``,
                or ``user_id_alt`` without one, on ``platform`` is the account;
                ``chat_type`` ``"dm"`` is a direct chat, where that is one person's.
                The command line is the operator's own where no user is named. Anything
                else is a shared room, which is shown nothing private unless it is
                listed and the session is the speaker's own. Only an ``agent_context`` of
                ``"primary"`` writes and learns.

        Raises:
            EthosMemoryError: When the home cannot be opened, or an id is no id. The
                host logs it; there is no memory then.
        """
        self.shutdown()
        home = Path(kwargs.get("hermes_home") or get_hermes_home())
        settings = self._settings(home)
        turn = turn_of(session_id, kwargs, settings.personality)
        memory = Memory.open(settings.place(home), budget_chars=_BUDGET_CHARS)
        is_primary = kwargs.get("agent_context") == "primary"
        self._session = Session(memory, turn, settings, is_primary=is_primary)

    def system_prompt_block(self) -> str:
        """Return how to use the tools: the same bytes all along, nothing private.

        The host stores its system prompt and uses it again, whoever reads along then.
        """
        return self._asked("prompt", Session.about, "")

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """Return the turn's block when the transcript does not hold it yet.

        The host keeps what it sent with a message, and sends the same bytes again, so
        that prompt caches hold. Given once, the block stays until it changes.
        """
        return self._asked("prefetch", lambda session: session.recall(query), "")

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: list[dict[str, Any]] | None = None,
    ) -> None:
        """Learn from what the user said, where their turn may be learned from."""

        def sync(session: Session) -> None:
            session.completed()
            session.learn(user_content, session_id)

        self._asked("learning", sync, None)

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        """Return the turn's tools; before there is one, the names to route to us."""
        if self._is_new:
            nothing: dict[str, Any] = {"type": "object", "properties": {}}
            return [
                {"name": name, "description": "", "parameters": nothing}
                for name in ROUTED
            ]
        none: dict[str, Tool] = {}
        tools = self._asked("tools", Session.tools, none)
        return [
            {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            }
            for tool in tools.values()
        ]

    def handle_tool_call(
        self, tool_name: str, args: dict[str, Any], **kwargs: Any
    ) -> str:
        """Return JSON: ``result``, or ``error`` and its ``code``."""
        answer = self._asked("tool", lambda one: one.call(tool_name, args), _CLOSED)
        said = {"result": answer.text}
        if answer.error is not None:
            said = {"error": answer.text, "code": answer.error}
        return json.dumps(said, ensure_ascii=False)

    def on_memory_write(
        self,
        action: str,
        target: str,
        content: str,
        metadata: dict[str, Any] | None = None,
    ) -> None:
        """Do the same here as the model did to the host's own memory, if it may."""
        old = str((metadata or {}).get("old_text") or "")
        self._asked(
            "mirror", lambda session: session.mirror(action, target, content, old), None
        )

    def on_session_end(self, messages: list[dict[str, Any]]) -> None:
        """Merge what was observed into the identity document, when that is due."""
        self._asked("learning", Session.synthesize, None)

    def on_session_switch(
        self,
        new_session_id: str,
        *,
        parent_session_id: str = "",
        reset: bool = False,
        rewound: bool = False,
        **kwargs: Any,
    ) -> None:
        """Begin anew: another transcript, or one that lost what it held."""

        def switch(session: Session) -> None:
            self._session = session.moved(new_session_id)

        self._asked("session", switch, None)

    def on_pre_compress(self, messages: list[dict[str, Any]]) -> str:
        """Return nothing: a summary would keep private text where nobody forgets it."""
        self._asked("compression", Session.forget_given, None)
        return ""

    def backup_paths(self) -> list[str]:
        """Return the home when it lies outside the host's.

        Raises:
            CorruptFileError: When the settings cannot be read.
        """
        home = Path(get_hermes_home())
        root = self._settings(home).place(home)
        is_inside = root.resolve().is_relative_to(home.resolve())
        return [] if is_inside else [str(root)]

    def get_config_schema(self) -> list[dict[str, Any]]:
        """Return the one question of the host's setup: where memory is kept."""
        return [
            {
                "key": "root",
                "description": "Folder that memory is kept in",
                "default": Settings().root,
            }
        ]

    def save_config(self, values: dict[str, Any], hermes_home: str) -> None:
        """Write settings to ``ethos-memory.json``; a blank one is taken out.

        Raises:
            CorruptFileError: When the settings that are there cannot be read.
            ValueError: When there is no such setting, or it is of another type.
        """
        save(Path(hermes_home), values)

    def shutdown(self) -> None:
        """Close the home; shutting down twice is fine."""
        self._is_new = False
        session, self._session = self._session, None
        if session is not None:
            session.memory.close()

    def _settings(self, home: Path) -> Settings:
        return evolve(Settings.load(home), **self._given)

    def _asked(self, what: str, call: Callable[[Session], _T], otherwise: _T) -> _T:
        session = self._session
        if session is None:
            return otherwise
        try:
            return call(session)
        # The host logs and shows what is raised, and a message may hold a path.
        except Exception as error:  # noqa: BLE001
            _logger.warning("%s: %s", what, type(error).__name__)
            return otherwise


def register(ctx: Any) -> None:
    """Give the host its provider; the plugin's folder calls this.

    Args:
        ctx: The host's collector.
    """
    ctx.register_memory_provider(EthosMemoryProvider())


def main(arguments: Sequence[str] | None = None) -> int:
    """Install the plugin, or take it away.

    Args:
        arguments: Of the command line; those of the process when left out.

    Returns:
        0 when it is done, 1 when it cannot be.
    """
    parser = argparse.ArgumentParser(
        prog="python -m ethos_memory.adapters.hermes",
        description="The memory provider of Hermes Agent.",
    )
    parser.add_argument("verb", choices=("install", "uninstall"))
    parser.add_argument("--hermes-home", metavar="DIR", help="instead of HERMES_HOME")
    options = parser.parse_args(arguments)
    home = options.hermes_home or get_hermes_home()
    try:
        if options.verb == "install":
            told = f"{install(home)}\nNext: hermes memory setup {NAME}"
        else:
            told = "Taken away." if uninstall(home) else "There was none."
    except OSError as error:
        print(f"{NAME}: {error}", file=sys.stderr)  # noqa: T201 - a command line
        return 1
    print(told)  # noqa: T201 - a command line
    return 0


if __name__ == "__main__":  # pragma: no cover - tests run it as a process
    sys.exit(main())
