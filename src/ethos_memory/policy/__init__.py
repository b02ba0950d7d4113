"""What a turn may see, and the block of text that a prompt gets of it."""

from __future__ import annotations

from ethos_memory.policy.audience import AudiencePolicy, View
from ethos_memory.policy.budget import BUDGET_CHARS
from ethos_memory.policy.fence import Section, ShownPage, parse_block
from ethos_memory.policy.prompt import Block, PromptPage, Source, assemble

__all__ = [
    "BUDGET_CHARS",
    "AudiencePolicy",
    "Block",
    "PromptPage",
    "Section",
    "ShownPage",
    "Source",
    "View",
    "assemble",
    "parse_block",
]
