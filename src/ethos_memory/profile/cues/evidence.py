"""What shows that a clause is about work, and that somebody knows a subject."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["CRAFT", "TECHNICAL", "TERMS"]

#: Names that only a machine, a method or a standard has.
TECHNICAL: Final = re.compile(
    r"`|\b[A-Z]{2,6}\d*\b|\b\w*[a-z][A-Z]\w*|\b\w+_\w+|\b[A-Za-z]+\d+\b|\b[A-Z][a-z]+\b"
)

#: Words of a trade, in whose company an explanation is one.
TERMS: Final = re.compile(
    r"\b(?:index|query|cache|thread|lock|loop|race|commit|branch|schema|column|predicate|"
    r"partition|transaction|isolation|snapshot|graph|recall|kernel|memory|heap|stack|"
    r"pointer|socket|latency|throughput|gradient|variance|sample|regression|test|"
    r"distribution|p-value|confidence|median|layer|container|image|cluster|shard|replica|"
    r"node|queue|event|async|await|compiler|type|generic|closure|token|parser|grammar|"
    r"encoding|hash|key|cursor|connection|pool|connection|film|exposure|stop|aperture|"
    r"iso|shutter|levain|dough|hydration|yeast|crumb|gluten|soil|frost|compost|mulch|"
    r"graft|prune|rootstock|seed|germinat\w*|expense|prepayment|accrual|ledger|invoice|"
    r"chord|key signature|tempo|octave|interval|bow|reed|tuning|source|primary|rename|"
    r"fsync|filesystem|durab\w*|write skew|serializable|merge|rebase|concurrent|"
    r"commutative|dimensions?|wavelength|voltage|current|resistor|capacitor|torque|"
    r"alloy|weld|solder|glaze|kiln|weave|warp|weft|seam|bias|verb|noun|tense|clause|"
    r"syntax|meter|stanza|font|kerning|leading|contrast|saturation|sensor|lens|"
    r"solution|acid|buffer|reaction|catalyst|enzyme|protein|cell|orbit|mass|load|beam|"
    r"span|tide|current|knot|sail|hull|low winter sun|glazing|degrees|percent|film|"
    r"batch|epoch|learning rate|loss|overfit\w*|embedding|vector|norm|matrix|rank)s?\b"
)

#: Work that is talked about: a habit without any of it is somebody's life.
CRAFT: Final = re.compile(
    r"`|\b(?:code|coding|tests?|testing|commits?|docs?|documentation|texts?|notes?|"
    r"sentences?|words?|lines?|styles?|formats?|functions?|class(?:es)?|types?|names?|"
    r"naming|variables?|modules?|imports?|comments?|errors?|logs?|logging|logger|"
    r"scripts?|shell|editor|ide|branch(?:es)?|merges?|rebase|reviews?|pull requests?|"
    r"diffs?|patch(?:es)?|version(?:s|ing)?|dependenc(?:y|ies)|librar(?:y|ies)|tools?|"
    r"open-source|frameworks?|databases?|quer(?:y|ies)|sql|apis?|json|yaml|csv|"
    r"markdown|html|css|regex(?:es)?|charts?|graphs?|plots?|tables?|figures?|numbers?|"
    r"units?|grams|metric|celsius|dates?|times|utc|spelling|grammar|tense|voice|"
    r"punctuation|commas?|semicolons?|quotes|headings?|footnotes?|sources?|citations?|"
    r"references?|examples?|summar(?:y|ies)|answers?|explanations?|steps?|options?|"
    r"trade-?offs?|details?|bullets?|prose|paragraphs?|lists?|emojis?|jargon|recipes?|"
    r"lessons?|patterns?|scales?|scores?|drafts?|outlines?|sketch(?:es)?|diagrams?|"
    r"templates?|spreadsheets?|formulas?|macros?|shortcuts?|keyboard|mouse|terminal|"
    r"gui|cli|command[- ]line|tabs|spaces|indent\w*|async|threads?|composition|"
    r"inheritance|immutab\w+|functional|dataclass\w*|generics?|types|typed|strict|"
    r"plain|pathlib|stack|setup|workflow|layers?|raw|film|lens(?:es)?|stitch(?:es)?|"
    r"hydration|seedlings?|beds|bibliograph\w+|glossar\w+|translations?|subtitles?|"
    r"slides|fonts?|colou?rs?|themes?|dark mode|light mode|test-first|methods?|"
    r"joins?|index(?:es)?|constraints?|transactions?|migrations?|objects?|interfaces?|"
    r"pointers?|globals?|loops?|exceptions?|constants?|strings?|dicts?|arrays?|enums?|"
    r"root causes?|fix(?:es)?|bugs?|reports?|results?|principles?|conventions?|plans?|checklists?|schedules?|backlog|tickets?|first|"
    r"reasoning|theory|practice|trial and error|technolog(?:y|ies)|tech|learning|pictures?|"
    r"visuals?|reading|writing|debugg\w+|refactor\w*)\b",
    re.IGNORECASE,
)
