"""Reads ``config.yaml``: owners, private rooms, the provider, the guard's settings."""

from __future__ import annotations

from ethos_memory.config.choice import AGENT_DIR, BUILT_IN, ProviderChoice
from ethos_memory.config.personality import load_personality, parse_personality
from ethos_memory.config.settings import (
    CONFIG_NAME,
    MAX_CONFIG_BYTES,
    Config,
    parse_config,
)

__all__ = [
    "AGENT_DIR",
    "BUILT_IN",
    "CONFIG_NAME",
    "MAX_CONFIG_BYTES",
    "Config",
    "ProviderChoice",
    "load_personality",
    "parse_config",
    "parse_personality",
]
