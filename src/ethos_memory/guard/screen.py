"""The guard itself: `screen` reads a text line by line and answers with a verdict.

A line is the unit, never the page. Lines that are wrapped in the middle of a sentence
are read together as well, for an instruction does not end where a line does.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.guard.engine import Engine, engine_for
from ethos_memory.guard.known import SHORTEST, Known
from ethos_memory.guard.lines import suspicions
from ethos_memory.guard.policy import GuardPolicy
from ethos_memory.guard.ruling import LineNumbers, Ruling, classified, rule_on
from ethos_memory.guard.skim import Skim, skim_of
from ethos_memory.scope import ScopeId, plain_text
from ethos_memory.verdict import Finding, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ethos_memory.guard.credentials import Secret
    from ethos_memory.guard.rule import Rule

__all__ = ["InjectionGuard"]

_NOTHING: Final = Ruling((), ())

#: A text up to this is looked at as a whole first; a page is looked at line by line.
_SHORT: Final = 1_024


@lru_cache(maxsize=32)
def _engine(extra: tuple[Rule, ...]) -> Engine:
    from ethos_memory.guard.rules import ALL_RULES  # noqa: PLC0415, at first use

    return engine_for(ALL_RULES + extra)


@lru_cache(maxsize=32)
def _skim(extra: tuple[Rule, ...]) -> Skim:
    return skim_of(_engine(extra))


@lru_cache(maxsize=1)
def _find_secrets() -> Callable[[str], tuple[Secret, ...]]:
    from ethos_memory.guard.credentials import find  # noqa: PLC0415, at first use

    return find


@lru_cache(maxsize=1)
def _find_marker() -> Callable[[str], str]:
    from ethos_memory.guard.credentials import marker  # noqa: PLC0415, at first use

    return marker


@frozen
class InjectionGuard:
    """Judges text on its way into memory and on its way out.

    One guard may be shared by threads. It keeps verdicts of longer texts, so that a page
    that did not change is not read again.

    Attributes:
        policy: Thresholds and exceptions.

    Raises:
        KeyError: When an extra rule names a concept that there is not.
        ValueError: When an extra rule asks for no word.
        re.error: When the expression of an extra rule cannot be compiled.
    """

    policy: GuardPolicy = field(factory=GuardPolicy)
    _known: Known = field(factory=Known, init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Read an operator's rules now: one that cannot work must not wait."""
        extra = self.policy.extra_rules
        if extra:
            _engine(extra).check(extra)

    def screen(self, text: str, scope: ScopeId | str | None = None) -> Verdict:
        """Judge a text. Pure, and linear in the length of the text.

        Args:
            text: A page, an entry or a line.
            scope: Whose memory it is; ``user:`` scopes are judged more strictly.

        Returns:
            What was seen, and the text as it may be stored and as it may be shown.

        Raises:
            InvalidScopeError: When `scope` is outside the grammar.
            TypeError: When `text` is no text.
            ValueError: When the classifier gives a score outside 0.0 to 1.0.
        """
        text = plain_text(text, what="text")
        is_user = scope is not None and ScopeId.parse(scope).kind == "user"
        if len(text) < SHORTEST:
            return _verdict(text, self.policy, is_user=is_user)
        known = self._known.get(text, is_user=is_user)
        if known is None:
            known = _verdict(text, self.policy, is_user=is_user)
            self._known.keep(text, known, is_user=is_user)
        return known


def _verdict(text: str, policy: GuardPolicy, *, is_user: bool) -> Verdict:
    is_short = len(text) <= _SHORT and policy.classifier is None
    if is_short and _skim(policy.extra_rules).is_harmless(text):
        ruling = _NOTHING
    else:
        ruling = _ruling(text, policy, is_user=is_user)
    secrets = _find_secrets()(text)
    if not secrets and not ruling.findings:
        return Verdict((), refused=False, stored=text, shown=text)
    return _told(text, ruling, secrets)


def _ruling(text: str, policy: GuardPolicy, *, is_user: bool) -> Ruling:
    extra = policy.extra_rules
    found = suspicions(text, _engine(extra), _skim(extra).is_harmless)
    model = policy.classifier
    if model is not None:
        _, withhold_at = policy.thresholds(is_user=is_user)
        found = [*found, *classified(text, found, model, withhold_at)]
    return rule_on(text, found, policy, is_user=is_user) if found else _NOTHING


def _told(text: str, ruling: Ruling, secrets: Sequence[Secret]) -> Verdict:
    number_of, instead_of = LineNumbers(text), _find_marker()
    redactions = [_redaction(secret, number_of(secret.start)) for secret in secrets]
    findings = sorted(
        [*ruling.findings, *redactions], key=lambda each: (each.start, each.end)
    )
    replaced = [(each.start, each.end, instead_of(each.kind)) for each in secrets]
    stored = _with(text, replaced)
    shown = _with(text, [*ruling.withheld, *_outside(replaced, ruling.withheld)])
    refused = bool(ruling.withheld)
    return Verdict(tuple(findings), refused=refused, stored=stored, shown=shown)


def _redaction(secret: Secret, line: int) -> Finding:
    return Finding(
        secret.rule,
        "credential",
        action="redact",
        line=line,
        start=secret.start,
        end=secret.end,
        fingerprint="",
        reason=secret.reason,
    )


def _outside(
    spans: Iterable[tuple[int, int, str]], withheld: Iterable[tuple[int, int, str]]
) -> list[tuple[int, int, str]]:
    """Cut withheld lines out of secrets, some of which span several lines."""
    found: list[tuple[int, int, str]] = []
    for start, end, replacement in spans:
        for first, last, _ in withheld:
            if start < first < end:
                found.append((start, first, replacement))
            if first < end and start < last:
                start = last  # noqa: PLW2901, what is left of it
        if start < end:
            found.append((start, end, replacement))
    return found


def _with(text: str, spans: list[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    done = 0
    for start, end, replacement in sorted(spans):
        parts += [text[done:start], replacement]
        done = end
    return "".join([*parts, text[done:]])
