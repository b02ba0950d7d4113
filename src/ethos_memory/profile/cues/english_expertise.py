"""English: what people say about what they know, and the level it shows."""

from __future__ import annotations

from typing import Final

__all__ = ["EXPERTISE"]

EXPERTISE: Final = (
    (
        (
            r"\b(?:completely |totally |very |pretty |quite |brand |fairly |relatively |"
            r"still )?new to (?P<topic>[^.,;!?]+)|"
            r"\b(?:is|are|it'?s) (?:all )?(?:completely |totally )?new to me\b|"
            r"\bnever (?:really |actually |properly )?(?:touched|used|learned|learnt|"
            r"understood|written|tried|worked with|done|programmed|seen|read|played|"
            r"grown|baked|sewn|knitted|shot) (?P<topic2>[^.,;!?]+)|"
            r"\bfirst (?:week|day|month|time|project|steps) (?:with|in|using|on|at|i use|i try) "
            r"(?P<topic3>[^.,;!?]+)|\b(?:a|an) (?:absolute |total |complete |bloody )?"
            r"(?:beginner|newbie|novice|newcomer|noob)\b|"
            r"\bjust (?:started|starting|begun|getting into|picking up|learning) "
            r"(?:to )?(?:learn(?:ing)? |with )?(?P<topic4>[^.,;!?]+)|"
            r"\bi'?m (?:still |only |just )?(?:learning|getting started with|teaching "
            r"myself|picking up|self-?taught in) (?P<topic5>[^.,;!?]+)|"
            r"\bi (?:don'?t|do not|barely|hardly|can'?t) (?:really |actually )?(?:know|"
            r"understand|read|write|speak) (?!why|if|whether|what|how|this|that|the\b|it\b|"
            r"which|where|who|when|your|my|enough)(?P<topic6>[^.,;!?]+)|"
            r"\bno (?:idea|clue) (?:about|of|how) (?P<topic7>[^.,;!?]+)|"
            r"\bi know (?:nothing|next to nothing|very little) (?:about|of) "
            r"(?P<topic8>[^.,;!?]+)|\bi only know (?P<topic9>[^.,;!?]+)|"
            r"\bstill confus(?:e|es|ing)\b|\bstart from (?:zero|scratch) there\b|"
            r"\b\bbeyond me\b|\bnot a (?:programmer|developer|coder|designer|techie|technical person|"
            r"mathematician|native speaker|statistician|lawyer|musician|gardener|"
            r"chemist|engineer|photographer|accountant)\b|\bno (?:experience|background|"
            r"training) (?:with|in) (?P<topic10>[^.,;!?]+)|\brusty (?:in|with|on|at) "
            r"(?P<topic11>[^.,;!?]+)|\bmy (?P<topic12>[\w #+]+) is (?:very |a bit |"
            r"pretty )?(?:rusty|weak|shaky|basic)\b"
        ),
        "is learning",
    ),
    (
        (
            r"\b(?:know|understand) (?P<topic>[\w .#+/-]+?) (?:well enough|reasonably|"
            r"fairly well|okay|a (?:bit|little)|passably|to some extent)\b|"
            r"(?P<topic2>\b[\w.#+-]+) i know (?:well|fairly|reasonably|okay|all right)|"
            r"\bcomfortable (?:with|in) (?P<topic3>[^.,;!?]+)|"
            r"\bi get by in (?P<topic4>[^.,;!?]+)"
        ),
        "is at an intermediate level in",
    ),
    (
        (
            r"\bi (?:maintain|teach|taught|wrote|author(?:ed)?|built|designed|lead|"
            r"led|created|invented|research(?:ed)?|administer|co-?wrote|review|trained|"
            r"lecture(?: on| in)?|specialis?z?e in|consult on|restore|breed|"
            r"(?:work|worked|work full.time) (?:on|as an?|in)) (?:most of |the |our |a |an "
            r"|for |several |one of the )*(?!this|that|it\b|these|(?:the |a |my )?(?:tests?|code|scripts?|"
            r"programs?|files?|commands?|functions?|queries|query|letter|email)\b)(?P<topic>[^.,;!?]+)|"
            r"\b(?:i|we)'?ve (?:been |always |also |personally )?(?:writ\w+|us(?:ing|ed)|"
            r"do(?:ing|ne)|work\w*|taught|teaching|built|building|run|running|"
            r"maintain\w+|programm\w+|cod\w+|develop\w+|administ\w+|manag\w+|design\w+|"
            r"shoot\w*|shot|bak\w+|grow\w+|grown|brew\w+|sew\w+|knit\w+|keeping|kept|"
            r"play\w+|compos\w+|edit\w+|translat\w+|shipp\w+|deploy\w+|debugg\w+|"
            r"tun\w+|optimi[sz]\w+|profil\w+|published|repair\w+|restor\w+|conduct\w+|"
            r"train\w+|research\w+) (?P<topic2>[^.,;!?]+)|"
            r"\b(?:inside out|like the back of my hand|by heart|in my sleep)\b|"
            r"\b(?:hold|have|did|finished|wrote) (?:a|my) (?:thesis|degree|doctorate|phd|diploma|"
            r"certificate|masters?) (?:in|on) (?P<topic7>[^.,;!?]+)|\bfor a living\b|"
            r"\bmy (?:phd|thesis|dissertation|master'?s|degree|doctorate|day job|field|"
            r"trade|speciali?ty|background) (?:was|is)(?: on| in| about)? "
            r"(?P<topic3>[^.,;!?]+)|\b(?:as|i'm|i am) an? (?:\w+ )?(?P<topic4>bookkeeper|accountant|"
            r"statistician|dba|sre|linguist|chemist|physicist|biologist|nurse|teacher|"
            r"editor|translator|luthier|baker|chef|gardener|botanist|photographer|"
            r"lawyer|engineer|developer|carpenter|electrician|musician|pianist|"
            r"designer|architect|librarian|historian|mathematician|surveyor|"
            r"typographer|brewer|beekeeper|farmer|mechanic|welder|plumber|tailor|"
            r"typesetter|cartographer|geologist|astronomer|pharmacist|economist|"
            r"auditor|analyst|data scientist|maintainer|sysadmin|ecologist)\b|"
            r"\bi'?m (?:a|an|the) (?:\w+ ){0,3}?(?:maintainer|author|committer|expert|"
            r"specialist|engineer|developer|dba|statistician|lecturer|professor) "
            r"(?:of|in|on|for|by) (?P<topic5>[^.,;!?]+)|\bfor (?:over |about |nearly |"
            r"almost |more than |the last |some )?(?:\d+|ten|twelve|fifteen|twenty|"
            r"thirty|eight|six|seven|five|nine|many|several|a dozen) years\b|"
            r"\b(?:\d+|ten|twelve|fifteen|twenty|thirty|many) years of (?P<topic6>"
            r"[^.,;!?]+)"
        ),
        "is an expert in",
    ),
)
