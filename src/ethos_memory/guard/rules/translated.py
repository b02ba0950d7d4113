"""Rules of the family "override" in other languages; one clause, any word order."""

from __future__ import annotations

from typing import Final

from ethos_memory.guard.rule import Rule

__all__ = ["RULES"]

RULES: Final = (
    Rule(
        id="override.ignore-previous-translated",
        score=80,
        reason="voids the instructions given before it, in another language",
        words=(
            "X_IGNORE ~5 X_ORDERS|X_ALIKE ~4 X_PRIOR",
            "X_IGNORE ~5 X_PRIOR ~4 X_ORDERS|X_ALIKE",
            "X_PRIOR ~4 X_ORDERS|X_ALIKE ~6 X_IGNORE",
            "X_ORDERS|X_ALIKE ~4 X_PRIOR ~6 X_IGNORE",
            "X_IGNORE ~4 X_ALL ~4 X_ORDERS|X_ALIKE",
            "X_ALL ~4 X_ORDERS|X_ALIKE ~6 X_IGNORE",
            "X_ALL ~4 X_PRIOR ~6 X_IGNORE",
            "X_PRIOR ~4 X_ALL ~6 X_IGNORE",
        ),
    ),
    Rule(
        id="override.forget-all-translated",
        score=64,
        reason="tells the reader to forget all that was said, in another language",
        words=(
            "X_IGNORE ~2 X_ALL ~5 X_SAID|X_PRIOR",
            "X_IGNORE ~2 X_ALL ~3 X_SAY",
            "X_SAID ~4 X_ALL ~5 X_IGNORE",
            "X_IGNORE ~4 X_SAID ~4 X_SAY",
            "X_SAID ~5 X_IGNORE",
            "X_IGNORE ~3 X_ORDERS $",
            "^ X_IGNORE ~3 X_ORDERS",
            "X_ORDERS ~3 X_IGNORE $",
            "X_IGNORE ~3 X_ORDERS ~4 X_SAY",
            "X_NEW ~3 X_ORDERS ~6 X_SAY|X_IGNORE",
        ),
    ),
    Rule(
        id="override.released-translated",
        score=64,
        reason="lifts the reader's rules or protections, in another language",
        words=(
            "X_ALL ~4 X_ORDERS|X_ALIKE ~6 X_VOID",
            "X_ORDERS|X_ALIKE ~5 X_ALL ~3 X_VOID",
            "X_VOID ~3 X_ALL ~4 X_ORDERS|X_ALIKE",
            "X_GIVEN ~4 X_ORDERS|X_ALIKE ~5 X_VOID",
            "X_ORDERS|X_ALIKE ~5 X_GIVEN ~5 X_VOID",
            "X_CONSIDER ~4 X_ORDERS|X_ALIKE ~4 X_VOID",
            "X_CONSIDER ~3 X_VOID ~4 X_ORDERS|X_ALIKE",
            "X_ORDERS|X_ALIKE ~4 X_VOID ~1 X_CONSIDER",
            "X_ORDERS|X_ALIKE ~4 X_VOID ~5 X_SAY",
            "X_ALL ~5 X_SAID ~5 X_VOID",
            "X_RELEASED ~6 X_PRIOR ~3 X_ORDERS|X_ALIKE",
            "X_RELEASED ~6 X_ORDERS|X_ALIKE ~4 X_PRIOR",
            "X_RELEASED ~6 X_YOURS ~2 X_ORDERS|X_ALIKE",
            "X_RELEASED ~8 X_MAKER ~3 X_SAID",
            "X_ASIDE ~4 X_ORDERS|X_ALIKE ~3 X_PRIOR|X_GIVEN",
            "X_ASIDE ~3 X_ALL ~3 X_ORDERS|X_ALIKE",
            "X_ORDERS|X_ALIKE ~4 X_PRIOR|X_GIVEN ~4 X_ASIDE",
            "X_PRIOR|X_GIVEN|X_ALL ~4 X_ORDERS|X_ALIKE ~4 X_ASIDE",
            "X_ASIF ~8 X_NEVER ~6 X_ORDERS|X_ALIKE|X_BOUND",
            "X_ORDERS|X_ALIKE|X_BOUND ~6 X_NEVER ~4 X_ASIF",
            "X_RELEASED ~8 X_SAID ~3 X_PRIOR|X_ALL",
            "X_PRIOR ~3 X_ORDERS|X_ALIKE ~6 X_RELEASED",
            "X_IGNORE ~5 X_USER ~6 X_SAY",
        ),
    ),
    Rule(
        id="persistence.disable-protection-translated",
        score=44,
        reason="switches a protection off, in another language",
        words=(
            "X_DISABLE ~3 X_PROTECTION",
            "X_PROTECTION ~3 X_DISABLE",
        ),
    ),
    Rule(
        id="leak.own-prompt-translated",
        score=64,
        reason="asks the reader for its own instructions, in another language",
        words=(
            "X_SAY ~5 X_PROMPT",
            "X_PROMPT ~5 X_SAY",
        ),
    ),
    Rule(
        id="persona.unbound-role-translated",
        score=62,
        reason="gives the reader a role without rules, in another language",
        words=(
            "X_YOU_ARE ~12 X_FREE|dan|do_anything_now",
            "X_YOU_ARE ~~30 X_FREE",
            "X_FREE ~~10 ai|ki|ia|ии|الذكاء|एआई|人工智能|模型",
        ),
    ),
    Rule(
        id="exfiltration.send-private-translated",
        score=66,
        reason="sends something private to an address, in another language",
        quotable=False,
        words=(
            "X_SEND ~8 X_PRIVATE|X_SECRET ~8 URL|EMAIL",
            "X_PRIVATE|X_SECRET ~8 URL|EMAIL ~6 X_SEND",
            "URL|EMAIL ~6 X_PRIVATE|X_SECRET ~8 X_SEND",
            "X_SEND ~6 URL|EMAIL ~6 X_PRIVATE|X_SECRET",
            "X_PRIVATE|X_SECRET ~8 X_SEND ~6 URL|EMAIL",
            "X_SEND ~2 X_ALL ~5 X_USER ~5 URL|EMAIL",
        ),
    ),
    Rule(
        id="concealment.not-tell-translated",
        score=50,
        reason="keeps something from a person, in another language",
        words=("X_HUSH",),
    ),
    Rule(
        id="concealment.hide-this-translated",
        score=66,
        reason="forbids the reader to speak of the line itself, in another language",
        words=(
            "X_HUSH ~4 X_ORDERS|X_ALIKE",
            "X_ORDERS|X_ALIKE ~3 X_HUSH",
            "X_HUSH ~~12 X_SEND",
            "X_SEND ~~12 X_HUSH",
        ),
    ),
    Rule(
        id="leak.own-secret-translated",
        score=48,
        reason="asks the reader for a secret it holds, in another language",
        words=(
            "X_SAY ~5 X_SECRET",
            "X_SECRET ~5 X_SAY",
            "X_SECRET ~3 what|was_ist|quelle|cual|qual|que|quel|wat|hvad|vad|mika|jaki|jaka|jaky|care|mi_az|nedir|apa|ano|gi|nini|koji|koja|какой|каков|який|какъв|ποιο|ما|چیست|چه|מה|क्या|কি|কী|என்ன|ఏమిటి|อะไร|什么|甚麼|何|뭐|무엇|뭔",
            "was_ist|quelle|cual|qual|quel|hvad|vad|mika|jaki|jaka|jaky|care|nedir|apa|ano|какой|каков|який|какъв|ποιο|ما|מה|आपकी|তোমার|আপনার|你的|您的|あなたの|당신의 ~4 X_SECRET",
        ),
    ),
)
