"""An adapter without its framework says which extra to install, and nothing else."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

import ethos_memory
from ethos_memory.errors import MissingExtraError

FOLDER = Path(ethos_memory.__file__).parent / "adapters"

#: What each file needs, and the extra that brings it.
HOSTS = {
    "anthropic": ("anthropic", "anthropic"),
    "deepagents": ("deepagents", "deepagents"),
    "hermes": ("agent", "hermes"),
    "langgraph": ("langgraph", "langgraph"),
    "mcp": ("mcp", "mcp"),
    "openai_agents": ("agents", "openai-agents"),
    "opentelemetry": ("opentelemetry", "otel"),
    "pydantic_ai": ("pydantic_ai", "pydantic-ai"),
}


def test_every_adapter_stands_here() -> None:
    """A new one gets a line."""
    files = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"}
    assert files == set(HOSTS)


@pytest.mark.parametrize("name", HOSTS)
def test_without_its_framework_it_names_its_extra(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when the framework is there: it is hidden for this test."""
    host, extra = HOSTS[name]
    for module in [one for one in sys.modules if one.split(".")[0] == host]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, host, None)
    monkeypatch.delitem(sys.modules, f"ethos_memory.adapters.{name}", raising=False)
    with pytest.raises(MissingExtraError) as caught:
        importlib.import_module(f"ethos_memory.adapters.{name}")
    assert caught.value.extra == extra
    assert caught.value.__suppress_context__
