"""Nested settings, with YAML's own parser: structure is YAML's, every value is text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import yaml
from typing_extensions import override

from ethos_memory.config.lines import Setting, refused, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["read_block"]

#: A line with a value on it that neither nests nor is quoted. Two marks ahead are a
#: tag of YAML's, which is refused; ``# `` begins a remark.
_PLAIN_VALUE: Final = re.compile(
    r"""( *(?:-[ ]+)*(?:(?:[\w.+-]+|"[^"]*"|'[^']*')[ ]*:[ \t]+)?)"""
    r"""(?![\[\]{}|>&*"']|!!|\#(?:[ \t\#]|$)|-(?:[ ]|$))(\S.*)"""
)


class _PlainLoader(yaml.BaseLoader):
    """Knows neither anchors nor tags: a value stands where it is written."""

    @override
    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]  # as PyYAML has it
        is_named = getattr(event, "anchor", None) is not None
        if is_named or getattr(event, "tag", None) is not None:
            raise yaml.MarkedYAMLError(problem_mark=event.start_mark)
        return super().compose_node(parent, index)


def _quoted(line: str) -> str:
    """Put quotes around a value: ``@ana:hs`` is an id to us, and an error to YAML."""
    plain = _PLAIN_VALUE.fullmatch(line)
    if plain is None or not plain[1].strip():
        return line
    value = (scalar(plain[2]) or "").replace("'", "''")
    return f"{plain[1]}'{value}'"


def _composed(text: str) -> tuple[yaml.Node | None, int]:
    """Return the tree, and the line of an error: -1 when there is none."""
    try:
        return yaml.compose(text, Loader=_PlainLoader), -1
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return None, mark.line if mark else 0
    # What cannot be printed, or is nested deeper than anybody writes by hand.
    except (yaml.YAMLError, RecursionError):
        return None, 0


def read_block(
    lines: Sequence[str], *, path: str, line: int, file: str
) -> Iterator[Setting]:
    """Read the lines that hang on a key.

    Args:
        lines: The first is the key's own, without the key.
        path: The key.
        line: Where the key stands, counted from 1.
        file: For the errors.

    Yields:
        Every nested setting, and one without a value for each block.

    Raises:
        CorruptFileError: When it is no YAML, or uses anchors, aliases or tags.
    """
    node, wrong = _composed("\n".join(map(_quoted, lines)))
    if wrong >= 0:
        raise refused(file, line + wrong, "not plain YAML; quote what is not a word")
    if node is None:
        yield Setting(path, "", line=line)
    else:
        yield from _flattened(node, path, line, file)


def _flattened(node: yaml.Node, path: str, line: int, file: str) -> Iterator[Setting]:
    here = line + node.start_mark.line
    if isinstance(node, yaml.ScalarNode):
        yield Setting(path, node.value, line=here)
        return
    if isinstance(node, yaml.MappingNode):
        yield Setting(path, None, line=here)
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.value == "<<":
                raise refused(file, line + key.start_mark.line, "this is no key")
            yield from _flattened(value, f"{path}.{key.value}", line, file)
        return
    texts = [item.value for item in node.value if isinstance(item, yaml.ScalarNode)]
    value = tuple(texts) if len(texts) == len(node.value) else None
    yield Setting(path, value, line=here)
