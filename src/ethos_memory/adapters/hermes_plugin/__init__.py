"""What the Hermes adapter is made of, none of which needs the host."""

from __future__ import annotations

from ethos_memory.adapters.hermes_plugin.folder import install, uninstall
from ethos_memory.adapters.hermes_plugin.session import ROUTED, Session
from ethos_memory.adapters.hermes_plugin.settings import NAME, Settings, save
from ethos_memory.adapters.hermes_plugin.speaker import turn_of

__all__ = [
    "NAME",
    "ROUTED",
    "Session",
    "Settings",
    "install",
    "save",
    "turn_of",
    "uninstall",
]
