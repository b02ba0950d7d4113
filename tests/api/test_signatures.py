"""The rendered signature of every public name, reviewed like code.

A change here is a change for everybody who imports the library: it needs a line in
CHANGELOG.md. Write the file anew with ``python tests/api/test_signatures.py``.
"""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterator

FROZEN = Path(__file__).with_name("public_api.txt")

#: Modules whose `__all__` is used from outside, beside `ethos_memory` itself.
MODULES = (
    "ethos_memory",
    "ethos_memory.dashboard",
    "ethos_memory.providers.named",
    "ethos_memory.sessions",
    "ethos_memory.testing",
    "ethos_memory.tools",
)


def rendered(name: str, member: object) -> Iterator[str]:
    """Write down one public name, with its fields and methods."""
    if inspect.isclass(member):
        yield from rendered_class(name, member)
    elif inspect.isfunction(member):
        yield f"{name}{inspect.signature(member)}"
    else:
        yield f"{name}: {member}"


def is_protocol(cls: type) -> bool:
    """Tell whether a class is a shape; Python makes its constructor."""
    return getattr(cls, "_is_protocol", False)


def rendered_class(name: str, cls: type) -> Iterator[str]:
    """Write down a class: bases, constructor, fields, public methods."""
    bases = ", ".join(base.__name__ for base in cls.__bases__)
    yield f"class {name}({bases})"
    if attrs.has(cls):
        for attribute in attrs.fields(cls):
            kind = "keyword" if attribute.kw_only else "positional"
            default = "required" if attribute.default is attrs.NOTHING else "optional"
            shown = "" if attribute.repr else ", not in repr"
            yield f"  {attribute.name}: {attribute.type} ({kind}, {default}{shown})"
    elif "__init__" in vars(cls) and not is_protocol(cls):
        yield f"  __init__{inspect.signature(vars(cls)['__init__'])}"
    for method, raw in sorted(vars(cls).items()):
        if method.startswith("_"):
            continue
        function = getattr(raw, "__func__", getattr(raw, "fget", raw))
        if inspect.isfunction(function):
            label = type(raw).__name__ if raw is not function else "def"
            yield f"  {label} {method}{inspect.signature(function)}"


def public_api() -> str:
    """Write down everything public."""
    lines: list[str] = []
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        lines.append(f"# {module_name}")
        for name in module.__all__:
            lines += rendered(name, getattr(module, name))
    # A default that is a function shows where it happens to lie in memory.
    return re.sub(r"<function (\w+) at 0x[0-9a-f]+>", r"\1", "\n".join(lines)) + "\n"


def test_the_public_api_is_as_it_was_frozen() -> None:
    """Names, parameters, defaults, fields and what stays out of `repr`."""
    assert public_api() == FROZEN.read_text("utf-8")


if __name__ == "__main__":
    FROZEN.write_text(public_api(), "utf-8")
