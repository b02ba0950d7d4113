"""Rules that void what stands before: the override family."""

from __future__ import annotations

from typing import Final

from ethos_memory.guard.rule import Rule

__all__ = ["RULES"]

_VERB: Final = r"\b(?:ignore|disregard|forget|override|bypass|overlook|neglect|skip)\b"
_PRIOR: Final = r"\b(?:previous|prior|above|preceding|earlier|all|any|your|these|those|former|past)\b"
_ORDERS: Final = r"\b(?:instructions?|directions?|directives?|rules?|prompts?|guidelines?|orders?|constraints?|commands?)\b"

#: Until the engine over words replaces them.
RULES: Final = (
    Rule(
        id="override.ignore-previous",
        score=80,
        pattern=rf"{_VERB}(?:\W{{1,3}}\w{{1,20}}){{0,3}}?\W{{1,3}}{_PRIOR}(?:\W{{1,3}}\w{{1,20}}){{0,3}}?\W{{1,3}}{_ORDERS}",
        reason="the line voids the instructions that stand before it",
    ),
    Rule(
        id="override.forget-everything",
        score=70,
        pattern=r"\b(?:ignore|disregard|forget)\W{1,3}(?:everything|all)\W{1,3}(?:you|that|i|we|above|before|prior)\b",
        reason="the line voids everything that stands before it",
    ),
    Rule(
        id="override.template-token",
        score=80,
        pattern=r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[/?inst\]|<</?sys>>",
        reason="the line holds a chat template's token",
    ),
    Rule(
        id="exfiltration.send-file",
        score=70,
        pattern=r"\b(?:send|post|upload|forward|transmit|exfiltrate)\b[^\n]{0,80}\b(?:contents?|data|secrets?|credentials?|memory|history|user\.md)\b[^\n]{0,60}https?://",
        reason="the line sends private content to an address",
    ),
)
