"""The guard itself: `screen` reads a text line by line and answers with a verdict."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Protocol

from attrs import field, frozen

from ethos_memory.entry import trim
from ethos_memory.guard.fold import fold
from ethos_memory.guard.hidden import Hidden, find_hidden
from ethos_memory.guard.marker import marker
from ethos_memory.guard.policy import GuardPolicy
from ethos_memory.scope import ScopeId, plain_text
from ethos_memory.verdict import Finding, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.guard.rule import Rule

__all__ = ["InjectionGuard"]

#: Whatever a model or an editor takes for the end of a line.
_LINE: Final = re.compile("[^\n\r\x0b\x0c\x85\u2028\u2029]+")


_LINE_END: Final = re.compile("\r\n?|\n")


class _Secret(Protocol):
    rule: str
    kind: str
    start: int
    end: int
    reason: str


@lru_cache(maxsize=1)
def _rules() -> tuple[tuple[Rule, re.Pattern[str]], ...]:
    from ethos_memory.guard.rules import override  # noqa: PLC0415, at first use

    return tuple((rule, re.compile(rule.pattern)) for rule in override.RULES)


@frozen
class InjectionGuard:
    """Judges text on its way into memory and on its way out.

    Attributes:
        policy: Thresholds and exceptions.
    """

    policy: GuardPolicy = field(factory=GuardPolicy)

    def screen(self, text: str, scope: ScopeId | str | None = None) -> Verdict:
        """Judge a text.

        Args:
            text: A page, an entry or a line.
            scope: Whose memory it is; ``user:`` scopes are judged more strictly.

        Returns:
            What was seen, and the text as it may be stored and as it may be shown.

        Raises:
            InvalidScopeError: When `scope` is outside the grammar.
            TypeError: When `text` is no text.
        """
        text = plain_text(text, what="text")
        is_user = scope is not None and ScopeId.parse(scope).kind == "user"
        flag_at, withhold_at = _thresholds(self.policy, is_user=is_user)
        findings: list[Finding] = []
        withheld: list[tuple[int, int, str]] = []
        for match in _LINE.finditer(text):
            hits = [
                hit for hit in _hits(match.group(), self.policy) if hit.score >= flag_at
            ]
            mark = _fingerprint(match.group())
            if not hits or mark in self.policy.accepted:
                continue
            place = (1 + len(_LINE_END.findall(text, 0, match.start())), match.start())
            findings += [_finding(hit, place, mark, withhold_at) for hit in hits]
            worst = max(hits, key=lambda hit: hit.score)
            if worst.score >= withhold_at:
                withheld.append((*match.span(), marker(worst.rule)))
        secrets = _secrets(text)
        findings += [_redaction(secret, text) for secret in secrets]
        findings.sort(key=lambda finding: (finding.start, finding.end))
        replaced = [(s.start, s.end, f"[redacted: {s.kind}]") for s in secrets]
        stored = _replaced(text, replaced)
        apart = [r for r in replaced if not any(a <= r[0] < b for a, b, _ in withheld)]
        shown = _replaced(text, sorted([*apart, *withheld]))
        return Verdict(tuple(findings), bool(withheld), stored=stored, shown=shown)


def _thresholds(policy: GuardPolicy, *, is_user: bool) -> tuple[int, int]:
    if is_user:
        return policy.user_flag_at, policy.user_withhold_at
    return policy.flag_at, policy.withhold_at


def _fingerprint(line: str) -> str:
    return sha256(trim(line).encode("utf-8", "surrogatepass")).hexdigest()


def _finding(
    hit: Hidden, place: tuple[int, int], fingerprint: str, withhold_at: int
) -> Finding:
    line, offset = place
    return Finding(
        hit.rule,
        hit.rule.partition(".")[0],
        action="withhold" if hit.score >= withhold_at else "flag",
        line=line,
        start=offset + hit.start,
        end=offset + hit.end,
        fingerprint=fingerprint,
        reason=hit.reason,
    )


def _redaction(secret: _Secret, text: str) -> Finding:
    return Finding(
        secret.rule,
        "credential",
        action="redact",
        line=1 + len(_LINE_END.findall(text, 0, secret.start)),
        start=secret.start,
        end=secret.end,
        fingerprint="",
        reason=secret.reason,
    )


def _replaced(text: str, spans: list[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    done = 0
    for start, end, marker_ in spans:
        if start >= done:
            parts += [text[done:start], marker_]
            done = end
    return "".join([*parts, text[done:]])


def _secrets(text: str) -> tuple[_Secret, ...]:
    name = "ethos_memory.guard.credentials"
    if find_spec(name) is None:
        return ()
    found: tuple[_Secret, ...] = import_module(name).find(text)
    return found


def _hits(line: str, policy: GuardPolicy) -> Iterator[Hidden]:
    yield from find_hidden(line)
    folded = fold(line)
    extra = tuple((rule, re.compile(rule.pattern)) for rule in policy.extra_rules)
    for rule, pattern in _rules() + extra:
        match = pattern.search(folded.text)
        if match is not None:
            yield Hidden(rule.id, rule.score, *folded.span(*match.span()), rule.reason)
