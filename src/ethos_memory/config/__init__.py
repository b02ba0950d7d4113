"""Reads ``config.yaml``: owners, private rooms, the provider, the guard's settings."""

from __future__ import annotations

from ethos_memory.config.settings import (
    CONFIG_NAME,
    MAX_CONFIG_BYTES,
    Config,
    parse_config,
)

__all__ = ["CONFIG_NAME", "MAX_CONFIG_BYTES", "Config", "parse_config"]
