"""The rules as data, one file for each family."""

from __future__ import annotations

from ethos_memory.guard.rules import (
    authority,
    concealment,
    exfiltration,
    leak,
    markup,
    override,
    persistence,
    persona,
    planting,
    translated,
)

__all__ = ["ALL_RULES"]

#: In the order in which families are named in the docs.
ALL_RULES = (
    *override.RULES,
    *persona.RULES,
    *markup.RULES,
    *leak.RULES,
    *exfiltration.RULES,
    *concealment.RULES,
    *persistence.RULES,
    *authority.RULES,
    *planting.RULES,
    *translated.RULES,
)
