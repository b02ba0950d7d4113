"""From a person's words to the identity document. Pure: no files, clock or network.

`read_message` finds signals, `PrivacyFilter` says what is never kept, `Buffer` is the
page they wait on, `is_due` says when they are merged, and `merge_observations` or a
host's model writes the document.
"""

from __future__ import annotations

from ethos_memory.profile.buffer import (
    MAX_OBSERVATIONS,
    MAX_SIGHTINGS,
    Buffer,
    Sighting,
    format_buffer,
    noted,
    parse_buffer,
)
from ethos_memory.profile.document import (
    MAX_BULLETS,
    MAX_DOCUMENT_CHARS,
    IdentityDocument,
    format_document,
    problems_of,
    read_document,
)
from ethos_memory.profile.model import (
    EXTRACTION_SCHEMA,
    SYNTHESIS_SCHEMA,
    Extractor,
    Synthesizer,
    checked_document,
    extraction_prompt,
    read_observations,
    synthesis_prompt,
)
from ethos_memory.profile.observation import KINDS, SECTIONS, Kind, Observation
from ethos_memory.profile.privacy import Category, PrivacyFilter
from ethos_memory.profile.synthesis import merge_observations
from ethos_memory.profile.trigger import COOLDOWN, NEW_OBSERVATIONS, is_due

__all__ = [
    "COOLDOWN",
    "EXTRACTION_SCHEMA",
    "KINDS",
    "MAX_BULLETS",
    "MAX_DOCUMENT_CHARS",
    "MAX_OBSERVATIONS",
    "MAX_SIGHTINGS",
    "NEW_OBSERVATIONS",
    "SECTIONS",
    "SYNTHESIS_SCHEMA",
    "Buffer",
    "Category",
    "Extractor",
    "IdentityDocument",
    "Kind",
    "Observation",
    "PrivacyFilter",
    "Sighting",
    "Synthesizer",
    "checked_document",
    "extraction_prompt",
    "format_buffer",
    "format_document",
    "is_due",
    "merge_observations",
    "noted",
    "parse_buffer",
    "problems_of",
    "read_document",
    "read_observations",
    "synthesis_prompt",
]
