"""What the docs name is there: tests, files, commands, public names."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path
from typing import Any

import pytest

import ethos_memory
from ethos_memory import Memory, Turn
from ethos_memory.cli.commands import COMMANDS
from ethos_memory.tools import tools_for

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
SPANS = re.compile(r"`([^`\n]+)`")
#: A test file, and what `-k` picks in it; below `tests/` unless it says so.
TEST_FILE = re.compile(r'(?:tests/)?((?:\w+/)+\w+\.py)(?: -k (?:"([^"]+)"|(\w+)))?')

#: What is used from outside, beside the errors, which the page takes as a whole.
MODULES = ("ethos_memory", "dashboard", "providers.named", "sessions", "tools")

REFERENCE = (ROOT / "docs/reference/api.md").read_text("utf-8")
SETTINGS = (ROOT / "docs/reference/config.md").read_text("utf-8")
ADAPTERS = (ROOT / "docs/reference/adapters.md").read_text("utf-8")
CONFORMANCE = (ROOT / "docs/explanation/conformance.md").read_text("utf-8")
COMMAND_LINE = (ROOT / "docs/reference/command-line.md").read_text("utf-8")


def spans(page: Path) -> list[str]:
    """Return what a page shows as code, in its lines and in its blocks for a shell."""
    text = page.read_text("utf-8")
    shell = re.findall(r"```(?:sh|console)\n(.*?)```", text, re.DOTALL)
    return [*SPANS.findall(text), *"".join(shell).splitlines()]


def names_of_tests(path: Path) -> str:
    """Return every name that `-k` may pick in a test file: its own and its functions."""
    tree = ast.parse(path.read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found = [node.name for node in ast.walk(tree) if isinstance(node, kinds)]
    return " ".join([path.name, *found])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_test_that_is_named_exists(page: Path) -> None:
    """By its path, and each word behind `-k` picks something there."""
    for span in spans(page):
        for path, several, one in TEST_FILE.findall(span):
            if path.startswith("src/"):
                assert (ROOT / path).is_file(), path
            elif path.rpartition("/")[2].startswith(("test_", "bench_")):
                file = ROOT / "tests" / path
                assert file.is_file(), path
                known = names_of_tests(file)
                words = set(re.split(r"\W+", several or one)) - {"", "or", "and", "not"}
                assert all(word in known for word in words), span


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_test_function_that_is_named_exists(page: Path) -> None:
    """In our own tests, or in the suites that others run."""
    wanted = {span for span in spans(page) if re.fullmatch(r"test_\w+", span)}
    if wanted:
        places = (ROOT / "tests", ROOT / "src/ethos_memory/testing")
        files = [file for place in places for file in place.rglob("*.py")]
        assert wanted <= {
            name for file in files for name in names_of_tests(file).split()
        }


def test_links_of_the_readme_lead_somewhere() -> None:
    """Those of the other pages are followed when the docs are built."""
    text = (ROOT / "README.md").read_text("utf-8")
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert targets
    for target in targets:
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_that_is_named_exists(page: Path) -> None:
    """With its group, so that `users merge` is a command and `merge` is none."""
    known = {command.words for command in COMMANDS}
    groups = {words.partition(" ")[0] for words in known}
    for span in spans(page):
        found = re.match(r"(?:\$ )?ethos-memory ([a-z]+)(?: ([a-z]+))?", span)
        if found:
            one, two = found[1], f"{found[1]} {found[2]}"
            assert one in known or two in known or span.split()[2:3] == ["--help"], span
            assert one in groups


def test_every_command_is_in_the_reference() -> None:
    """A further command is a further row."""
    for command in COMMANDS:
        assert re.search(rf"^\| `{command.words}[ `]", COMMAND_LINE, re.MULTILINE)


def test_every_tool_and_argument_is_in_the_reference(tmp_path: Path) -> None:
    """In the row of the tool, as a model is told of it."""
    page = (ROOT / "docs/reference/tools.md").read_text("utf-8")
    turn = Turn("ops", "web", user_id="a1b2c3d4e5f6", session_id="one")
    with Memory.open(tmp_path) as memory:
        for tool in tools_for(memory, turn, team="crew"):
            row = re.search(rf"^\| `{tool.name}` \|.*$", page, re.MULTILINE)
            assert row is not None, tool.name
            for argument in tool.parameters["properties"]:
                assert f"`{argument}`" in row[0], (tool.name, argument)


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_in_the_reference(name: str) -> None:
    """Or on the page of settings, where a provider's setup stands."""
    prefix = "" if name == "ethos_memory" else "ethos_memory."
    module: Any = importlib.import_module(f"{prefix}{name}")
    page = REFERENCE + SETTINGS
    for public in set(module.__all__) - set(dir(ethos_memory.errors)):
        assert re.search(rf"\b{public}\b", page), public


def test_what_others_test_with_is_on_the_page_about_conformance() -> None:
    """The reference sends there: to show it, the docs would need pytest."""
    source = (ROOT / "src/ethos_memory/testing/__init__.py").read_text("utf-8")
    for public in exported(source):
        assert re.search(rf"\b{public}\b", CONFORMANCE), public


def test_every_name_of_an_adapter_is_on_the_page_about_adapters() -> None:
    """A module's own command is no name to import."""
    for module in sorted((ROOT / "src/ethos_memory/adapters").glob("[a-z]*.py")):
        for public in set(exported(module.read_text("utf-8"))) - {"main"}:
            assert re.search(rf"\b{public}\b", ADAPTERS), (module.name, public)


def exported(source: str) -> list[str]:
    """Return a module's `__all__` without importing it: its framework may be missing."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []
