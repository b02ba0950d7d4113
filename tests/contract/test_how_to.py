"""The provider that a how-to page writes runs the whole contract."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ethos_memory.guard import InjectionGuard
from ethos_memory.providers.guarded import GuardedProvider

if TYPE_CHECKING:
    from ethos_memory.provider import MemoryProvider

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-provider.md"


def _written() -> dict[str, Any]:
    """Run the blocks up to the contract; `tests/docs` runs the others as well."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {"__name__": "how_to"}
    for block in blocks[:4]:
        exec(compile(block, str(PAGE), "exec"), names)
    return names


NAMES = _written()
GUARD = InjectionGuard()
TestSQLiteProvider: Any = NAMES["TestSQLiteProvider"]


class TestGuardedSQLiteProvider(TestSQLiteProvider):  # type: ignore[misc]
    """The same behind the guard, which then has methods that it cannot serve."""

    def open(self) -> MemoryProvider:
        """Open the file behind the guard."""
        return GuardedProvider(super().open(), GUARD)
