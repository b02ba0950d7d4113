"""Credentials in text: found by shape, by place or by the words around them."""

from __future__ import annotations

from ethos_memory.guard.credentials.search import find, redact
from ethos_memory.guard.credentials.secret import MARKER, Secret, marker

__all__ = ["MARKER", "Secret", "find", "marker", "redact"]
