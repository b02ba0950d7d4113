"""English: signals that are known by many names, and their one line."""

from __future__ import annotations

from typing import Final

__all__ = ["TRAITS"]

TRAITS: Final = (
    (
        (
            r"\bshort(?:er|en)?\b|\bbrief(?:er|ly)?\b|\bconcise(?:ly)?\b|\bterse\b|"
            r"\btl;?dr\b|\bcondense\b|\btighten\b|\btrim (?:it|this|that)\b|\btoo long\b|"
            r"\b(?:one|a single|two) sentences?\b|\bin (?:one|a single|two) lines?\b|\bfewer words\b|"
            r"\bmore compact\b|\bless text\b"
        ),
        "User prefers short answers",
    ),
    (
        (
            r"\b(?:in )?more detail\b|\belaborate\b|\bgo deeper\b|\bexpand on\b|"
            r"\blonger\b|\bin depth\b"
        ),
        "User prefers detailed answers",
    ),
    (
        r"^(?:and |but |ok |so )?why\b|\bhow come\b|\bwhat'?s the reason\b",
        "User often asks why: wants the reasoning",
    ),
    (
        r"\bas (?:a )?table\b|\bin (?:a )?table\b|\btabular\b|\btable form\b",
        "User prefers tables for comparisons",
    ),
    (
        (
            r"\bbullet(?:s| points| list)?\b|\b(?:as|that|this|it) (?:in )?(?:a )?list\b|"
            r"\blist form\b"
        ),
        "User prefers bullet points",
    ),
    (r"\bexamples?\b", "User wants an example with an explanation"),
    (r"\basync\b|\basyncio\b", "User prefers async code"),
    (
        r"\btype hints?\b|\btype annotations?\b|\btyped\b|\bannotate\b",
        "User wants type hints",
    ),
    (
        (
            r"\btests? (?:for it )?first\b|\bbefore you implement\b|\bfirst the tests?\b|"
            r"\bfailing test\b|\bstart with (?:the|a) tests?\b"
        ),
        "User wants tests before the implementation",
    ),
    (
        r"\b(?:two|three|separate|smaller|several) commits\b|\bsplit\b[^.]*\bcommit",
        "User wants small separate commits",
    ),
    (
        (
            r"\bcommand[- ]line\b|\bcli\b|\bterminal\b|\bshell\b|\bwithout (?:opening )?the gui\b|"
            r"\bshell (?:command|way)\b"
        ),
        "User prefers the command line to a GUI",
    ),
    (
        r"\b(?:remove|drop|delete|take|without|no)\b[^.]*\bcomments\b",
        "User wants code without extra comments",
    ),
    (
        r"\b(?:without|drop|no|remove) (?:the |a )?class(?:es)?\b|\bfunctions? only\b",
        "User prefers functions to classes",
    ),
    (
        (
            r"\bskip the intro\b|\bstraight to the (?:answer|point)\b|\bget to the point\b|"
            r"\bno intro\b|\bwithout (?:the |an )?(?:intro|preamble)\b"
        ),
        "User wants answers without an introduction",
    ),
    (
        (
            r"\bplain (?:words|english|language|terms)\b|\bjargon\b|\bsimpler words\b|"
            r"\bsimple (?:words|terms|language)\b|\blike i'?m five\b|\blayman|\bsimpl(?:er|y)\b"
        ),
        "User wants plain words without jargon",
    ),
    (
        (
            r"\bwhich (?:one|of (?:them|these))\b[^.]*\b(?:pick|recommend|choose|take|go)\b"
            r"|\bwhat (?:would you|do you) (?:pick|recommend|choose|suggest)\b|"
            r"\bwhat'?s your (?:pick|recommendation)\b"
        ),
        "User wants one recommendation",
    ),
    (r"\bdiffs?\b|\bas a patch\b", "User wants changes shown as a diff"),
    (
        r"\bstep[- ]by[- ]step\b|\bone step at a time\b|\bthe steps\b",
        "User wants steps one by one",
    ),
    (
        r"\bdiagram\b|\bdraw it\b|\bas a (?:chart|graph|picture)\b",
        "User likes diagrams",
    ),
    (
        r"\bpros and cons\b|\btrade-?offs\b|\boptions\b|\balternatives\b",
        "User wants options with their trade-offs",
    ),
    (
        r"\bsources?\b|\bcitations?\b|\breferences?\b|\blink to the docs\b",
        "User wants sources",
    ),
    (
        r"\bsummar(?:y|i[sz]e)\b[^.]*\bfirst\b|\bconclusion first\b|\bbottom line\b",
        "User wants the conclusion first",
    ),
    (
        r"\bgrams\b|\bmetric\b|\bcelsius\b|\bkilomet|\bcentimet",
        "User prefers metric units",
    ),
    (r"\bone[- ]liners?\b|\bone line\b", "User likes one-line solutions"),
    (r"\bmore formal\b|\bmore polite\b", "User prefers a formal tone"),
    (
        r"\bmore casual\b|\bless formal\b|\bfriendlier\b",
        "User prefers a casual tone",
    ),
)
