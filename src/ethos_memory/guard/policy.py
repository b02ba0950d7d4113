"""What an operator decides about the guard. Values only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from attrs import field, frozen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from attrs import Attribute

    from ethos_memory.guard.rule import Rule

__all__ = ["Classifier", "GuardPolicy"]

#: A line's score lies between 0 (nothing seen) and 100. The four thresholds were
#: chosen once on the development corpus: docs/explanation/guard.md.
FLAG_AT: Final = 35
WITHHOLD_AT: Final = 50

#: Profiles cross personalities, so the same line weighs more there (DESIGN 7).
USER_FLAG_AT: Final = 30
USER_WITHHOLD_AT: Final = 45

_FINGERPRINT: Final = re.compile(r"[0-9a-f]{64}")
_HIGHEST_SCORE: Final = 100


@runtime_checkable
class Classifier(Protocol):
    """A model that a host brings; none ships with the library."""

    def score(self, text: str) -> float:
        """Say how sure it is that a line is an attack, from 0.0 to 1.0.

        Asked once for each line that no rule withholds. What it raises reaches the
        caller: a classifier that fails lets nothing pass.
        """
        ...


def _fingerprints(values: Iterable[str]) -> frozenset[str]:
    if isinstance(values, str):
        msg = "accepted must be several fingerprints, not one text"
        raise TypeError(msg)
    found = frozenset(value.strip().lower() for value in values)
    if not all(_FINGERPRINT.fullmatch(value) for value in found):
        msg = "a fingerprint is a sha256 in hex: 64 of 0-9 a-f"
        raise ValueError(msg)
    return found


def _rules(values: Iterable[Rule]) -> tuple[Rule, ...]:
    return tuple(values)


def _threshold(_policy: GuardPolicy, attribute: Attribute[int], value: int) -> None:
    if not 0 < value <= _HIGHEST_SCORE:
        msg = f"{attribute.name} must be above 0 and at most {_HIGHEST_SCORE}"
        raise ValueError(msg)


@frozen(kw_only=True)
class GuardPolicy:
    """Thresholds and exceptions of a guard.

    Attributes:
        accepted: Fingerprints (`Finding.fingerprint`) of lines that are fine: they are
            neither flagged nor withheld. Credentials in them are still replaced.
        flag_at: Score from which a line is reported.
        withhold_at: Score from which a line is kept from prompts and refused on write.
        user_flag_at: The same as `flag_at`, for ``user:`` scopes.
        user_withhold_at: The same as `withhold_at`, for ``user:`` scopes.
        extra_rules: Rules beside the library's own.
        classifier: A model that is asked about each line that no rule withholds.

    Raises:
        TypeError: When `accepted` is one text.
        ValueError: When a fingerprint is none or a threshold is outside 1 to 100.
    """

    accepted: frozenset[str] = field(default=(), converter=_fingerprints)
    flag_at: int = field(default=FLAG_AT, validator=_threshold)
    withhold_at: int = field(default=WITHHOLD_AT, validator=_threshold)
    user_flag_at: int = field(default=USER_FLAG_AT, validator=_threshold)
    user_withhold_at: int = field(default=USER_WITHHOLD_AT, validator=_threshold)
    extra_rules: tuple[Rule, ...] = field(default=(), converter=_rules)
    classifier: Classifier | None = None

    def thresholds(self, *, is_user: bool) -> tuple[int, int]:
        """Return from which scores a line is flagged and withheld."""
        if is_user:
            return self.user_flag_at, self.user_withhold_at
        return self.flag_at, self.withhold_at
