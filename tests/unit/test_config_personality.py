"""A personality's own ``memory.provider``, as Ethos spells it."""

from __future__ import annotations

import os
import traceback
from typing import TYPE_CHECKING, Any

import pytest

from ethos_memory.config import (
    MAX_CONFIG_BYTES,
    load_personality,
    parse_config,
    parse_personality,
)
from ethos_memory.disk import Root
from ethos_memory.errors import CorruptFileError, UnsafePathError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "text",
    [
        "name: Ops\nmemory.provider: vault\nmemory.options.path: /srv/v  # here\n",
        "memory.options.path: '/srv/v'\nmemory.provider: \"vault\"\n",
        "memory:\n  provider: vault\n  options:\n    path: /srv/v\n",
        "memory: {provider: vault, options: {path: /srv/v}}\n",
        "memory.provider: vault\nmemory.options:\n  path: /srv/v\n",
        "\ufeffmemory.provider: vault\r\nmemory.options.path: /srv/v\r\n",
    ],
)
def test_a_provider_of_its_own_is_read(text: str) -> None:
    """Flat, as Ethos writes it, or nested."""
    choice = parse_personality(text)
    assert choice is not None
    assert (choice.name, choice.pairs) == ("vault", (("path", "/srv/v"),))


def test_it_is_spelled_as_it_stands_there() -> None:
    """The errors of whoever opens it name this file and these keys."""
    choice = parse_personality("a: b\nmemory.provider: vault\n", file="p/config.yaml")
    assert choice is not None
    with pytest.raises(CorruptFileError) as caught:
        choice.required("path")
    assert str(caught.value) == (
        "p/config.yaml: line 2: memory.provider: vault needs memory.options.path"
    )


def test_it_may_be_the_homes_choice() -> None:
    """Said in other words; then one provider serves both."""
    home = parse_config("memory: vault\nmemoryVault.path: /v\n").choice
    own = "memory.provider: vault\nmemory.options.path: /v\n"
    assert parse_personality(own) == home
    assert parse_personality(own + "memory.options.agentDir: Own\n") != home
    assert parse_personality("memory.provider: markdown\n") == parse_config("").choice


def test_what_ethos_alone_has_for_a_vault_is_left_alone() -> None:
    choice = parse_personality(
        "memory.provider: vault\nmemory.options.path: /v\n"
        "memory.options.prefetch: MEMORY.md\nmemory.options.exclude: a,b\n"
    )
    assert choice is not None
    assert choice.pairs == (("path", "/v"),)


def test_a_packages_options_are_text() -> None:
    """Whatever Ethos would make of them."""
    choice = parse_personality(
        "memory.provider: mem0/mem0\nmemory.options.ttl: 007\n"
        "memory.options.on: true\nmemory.options.key: SECRET\n"
    )
    assert choice is not None
    assert choice.pairs == (("key", "SECRET"), ("on", "true"), ("ttl", "007"))
    assert "SECRET" not in repr(choice)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name: Ops\ndescription: has a good memory\n",
        "memoryScope: per-personality\n",
        "mcp_export.expose_memory: none\n",
        "memory:\nmemory.options:\n",
        "memory: {}\n",
        "safety:\n  network:\n    - a\n  memory: x\n",
        "toolset: [\na,\n]\n  more\n",
        "just words\n  and more\n",
        "%YAML 1.2\n---\nname: Ops\n---\n",
        "name: 'unclosed\nmodel: &a x\nother: *a\n",
    ],
)
def test_the_rest_of_the_file_is_ethos(text: str) -> None:
    """What speaks of no provider cannot have been meant as one."""
    assert parse_personality(text) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        # no setting, and it may be one
        ("name: Ops\nmemory.provider vault SECRET\n", 2),
        ("just words on Memory SECRET\n", 1),
        ("  memory.provider: SECRET\n", 1),
        ("- memory.provider: SECRET\n", 1),
        ("just words\n  memory.provider: SECRET\n", 2),
        ("name: Ops\n  memory.provider: SECRET\n", 2),
        ("name: Ops\n  memory.options.path: SECRET\n", 2),
        ('{"memory.provider": "SECRET"}\n', 1),
        ("? memory.provider\n", 1),
        ("&a memory.provider: SECRET\n", 1),
        # misspelt
        ("memory.providr: SECRET\n", 1),
        ("memory.Provider: SECRET\n", 1),
        ("Memory.provider: SECRET\n", 1),
        ("memoryProvider: SECRET\n", 1),
        ("memory_provider: SECRET\n", 1),
        ("memory.option.path: SECRET\n", 1),
        ("memory:\n  name: SECRET\n", 2),
        # of the home
        ("memory: vault\n", 1),
        ("memoryVault.path: SECRET\n", 1),
        ("memoryOptions.url: SECRET\n", 1),
        ("memoryOptions:\n  url: SECRET\n", 2),
        ("memoryPostgres.dsn: SECRET\n", 1),
        ("a: b\nmemoryGuard.flagAt: 5\n", 2),
        # values that cannot be
        ("memory.provider:\n", 1),
        ("memory.provider: ''\n", 1),
        ("memory.provider: SECRET\n", 1),
        ("memory.provider: postgresql://me:SECRET@db\n", 1),
        ("memory.provider: [vault]\n", 1),
        ("memory.provider:\n  a: SECRET\n", 2),
        ("memory.provider: vault\nmemory.options.path:\n  - SECRET\n", 3),
        ("memory.provider: mem0\nmemory.options.a.b: SECRET\n", 2),
        ("memory.provider: mem0\nmemory.options.a b: SECRET\n", 2),
        ("memory.provider: mem0\nmemory.options: SECRET\n", 2),
        ("memory.provider: 'mem0\n", 1),
        # what does not go together
        ("memory.options.path: SECRET\n", 1),
        ("memory.provider: vault\nmemory.options.dsn: SECRET\n", 2),
        ("memory.provider: markdown\nmemory.options.path: SECRET\n", 2),
        ("memory.provider: vector\nmemory.options.prefetch: SECRET\n", 2),
        ("memory.provider: vault\nmemory.provider: vault\n", 2),
        ("memory.provider: vault\nmemory:\n  provider: vault\n", 3),
        ("memory.provider: m\nmemory.options.a: 1\nmemory.options.a: SECRET\n", 3),
    ],
)
def test_what_cannot_be_understood_is_refused(text: str, line: int) -> None:
    """An error names the line, never content; it never means the home's provider."""
    with pytest.raises(CorruptFileError) as caught:
        parse_personality(text, file="p.yaml")
    error = caught.value
    assert error.path == "p.yaml"
    assert error.reason.startswith(f"line {line}: ")
    assert error.__cause__ is None
    assert error.__context__ is None
    assert "SECRET" not in "".join(traceback.format_exception(error)[-1:])


def home(tmp_path: Path) -> Path:
    """Return a home with a personality, which has no config yet."""
    (tmp_path / "personalities/ops").mkdir(parents=True)
    return tmp_path


def test_a_personality_is_read_below_the_root(tmp_path: Path) -> None:
    """Nothing is created by looking."""
    root = Root(tmp_path)
    assert load_personality(root, "ops") == "absent"
    assert list(tmp_path.iterdir()) == []
    folder = home(tmp_path) / "personalities/ops"
    assert load_personality(root, "ops") is None
    (folder / "config.yaml").write_text("")
    assert load_personality(root, "ops") is None
    (folder / "config.yaml").write_text("name: Ops\nmemory.provider: markdown\n")
    choice = load_personality(root, "ops")
    assert choice == parse_config("").choice
    assert choice.file == str(folder / "config.yaml")
    root.close()
    with pytest.raises(ValueError, match="closed"):
        load_personality(root, "ops")


def broken_files() -> dict[str, Any]:
    """Return what may stand where the config should."""
    return {
        "a folder": lambda path: path.mkdir(),
        "a pipe": os.mkfifo,
        "a dangling link": lambda path: path.symlink_to("missing.yaml"),
        "a link elsewhere": lambda path: path.symlink_to("/etc/hostname"),
        "too large": lambda path: path.write_text("# x\n" * MAX_CONFIG_BYTES),
        "no text": lambda path: path.write_bytes(b"name: Ops\nmodel: \xff\n"),
    }


@pytest.mark.parametrize("kind", broken_files())
def test_a_file_that_cannot_be_read_is_named(kind: str, tmp_path: Path) -> None:
    """And it is never taken for an absent one. A pipe does not block."""
    path = home(tmp_path) / "personalities/ops/config.yaml"
    broken_files()[kind](path)
    with pytest.raises(CorruptFileError) as caught:
        load_personality(Root(tmp_path), "ops")
    assert caught.value.path == str(path)
    assert caught.value.__context__ is None


def test_a_linked_folder_is_no_personality(tmp_path: Path) -> None:
    """One personality would borrow another's provider, and its memory with it."""
    folder = home(tmp_path) / "personalities"
    (folder / "two").symlink_to("ops")
    with pytest.raises(UnsafePathError, match="trusted_links"):
        load_personality(Root(tmp_path), "two")


def test_a_name_in_another_case_is_no_other_personality(tmp_path: Path) -> None:
    """It would be kept in the home's provider, and not in that of the one meant."""
    folder = home(tmp_path) / "personalities"
    root = Root(tmp_path)
    for id in ("Ops", "OPS"):
        with pytest.raises(UnsafePathError, match="only in case"):
            load_personality(root, id)
    assert load_personality(root, "op") == "absent"
    (folder / "OPS").mkdir()
    assert load_personality(root, "OPS") is None


def test_a_linked_config_is_read_where_links_are_trusted(tmp_path: Path) -> None:
    """As the home's own."""
    dots = tmp_path / "dots"
    dots.mkdir()
    (dots / "ops.yaml").write_text("memory.provider: markdown\n")
    folder = home(tmp_path / "home") / "personalities/ops"
    (folder / "config.yaml").symlink_to(dots / "ops.yaml")
    choice = load_personality(Root(tmp_path / "home", trusted_links=[dots]), "ops")
    assert choice == parse_config("").choice
