"""English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ethos_memory.profile.private.category import Category

__all__ = ["ENGLISH"]

#: Whose: both the person's own words and a finished line about the user.
_OWN: Final = r"(?:my|our|user'?s|the user'?s|their|his|her)"

ENGLISH: Final[Mapping[Category, str]] = {
    "credential": (
        r"\b(?:passwords?|passcodes?|passphrases?|pass ?words?)\b(?! (?:managers?|hints?|"
        r"polic|hash|fields?|resets?|rules|prompts?))|\bmy pin\b|\bpin (?:is|code)\b|"
        r"\b(?:recovery|seed|backup) (?:phrase|codes?|words?)\b|\b2fa\b|\botp\b|"
        r"\b(?:token|api[- ]?key|secret key|access key|secret|private key|license key) "
        r"(?:is|are|=|:)\s*(?=[\w-]*[\d_-])|\buse (?:this|the|my) (?:key|token|secret)\b|"
        r"\blogin (?:is|are|:)|\bwi-?fi(?: password)?\s*:|\bcredentials (?:are|:)|"
        r"\bsecurity (?:question|answer|code)\b|\bcvv\b|\bmaiden name\b|"
        r"\bsafe (?:code|combination)\b|\bdoor code\b|\bunlock code\b|"
        r"\b(?:[\w.-]+) / [\w-]*[!#$%&*]\w*|\b(?:ssh|ftp|vpn|admin|root|user) pass\b|"
        r"\b(?:token|secret|pass|pw|pwd|key)\s*[:=]\s*\S*\d|"
        r"\b[^\W\d_]{3,}[\w-]*[!#$%&*^~]\w+|"
        r"\b(?!(?:utf|iso|sha|rfc|pep|covid|latin|windows|python|ipv|ascii|base|gpt)-)"
        r"[^\W\d_]{3,}-(?:[^\W_]+-)*\d{2,}\b"
    ),
    "instruction": (
        r"\b(?:ignore|disregard|forget|override|bypass|skip|drop|disable|break) (?:\w+ )"
        r"{0,4}(?:instructions?|rules|safety|guardrails?|guidelines|polic(?:y|ies)|"
        r"restrictions?|prompts?|filters?|safeguards?|limits)\b|"
        r"\b(?:system|hidden|secret|internal|initial) (?:prompt|instructions?)\b|"
        r"\b(?:reveal|print|show|repeat|leak|dump|disclose|send|share) (?:\w+ ){0,3}"
        r"(?:instructions|system prompt|secrets?|credentials|passwords?|api keys?|"
        r"tokens?|environment variables|memory of other|other users)\b|"
        r"\b(?:api keys?|passwords?|credentials|secrets|tokens|private keys?|files) "
        r"(?:are|is|be|to be|get|should be|must be) (?:\w+ )?(?:sent|forwarded|e?mailed|posted|"
        r"shared|uploaded|copied)\b|(?<!never )(?<!not )(?<!don't )\b(?:run|"
        r"execute|install|delete|send|commit|push|merge|act|proceed|deploy|approve|buy|pay|"
        r"obey|accept)\b[^.;]*\bwithout (?:asking|confirmation|permission|approval|"
        r"warning)\b|\bnever ask for (?:confirmation|permission|approval)\b|\bunasked\b|\bwithout being asked\b|"
        r"\bjailbreak|\bdeveloper mode\b|\bdo anything now\b|\bact as (?:an? )?"
        r"(?:unrestricted|admin|root)|\bgrant (?:\w+ )?(?:access|permission)|"
        r"\bauto-?approve\b|\bcurl [^|]*\|\s*(?:ba)?sh\b|\brm -rf\b|\bexfiltrat|"
        r"\byou are now\b|\bfrom now on you(?:'re| are)\b|\bobey\b|\badmin rights\b|"
        r"\bdisable (?:\w+ )?(?:checks?|security|logging|guard|tls|ssl)|"
        r"\btreat (?:\w+ )?(?:messages?|text|content|input) (?:\w+ )*as (?:trusted|"
        r"system|commands?)\b"
    ),
    "confidence": (
        r"\boff the record\b|\bin confidence\b|\bconfidential|\b(?:don'?t|not) repeat (?:this|that|it)\b|\bunder nda\b|"
        r"\bbetween (?:you and me|us)\b|\b(?:is|as|a) secret(?:ly)?\b|"
        r"\bkeep (?:this|it|that) (?:to yourself|private|secret)\b|\bdon'?t tell\b"
    ),
    "health": (
        r"\b(?:doctor|physician|surgeon|dentist|therap(?:y|ist|ies)|psychiatr\w*|"
        r"psycholog\w*|hospitals?|diagnos\w*|asthma\w*|antibiotics?|pregnan\w*|surger\w*|"
        r"medications?|medicines?|meds|insulin|allerg\w*|migraines?|dyslexi\w*|dyscalc\w*|"
        r"adhd|add|autis\w*|asperger\w*|colou?r-?blind\w*|wheelchair|depress\w*|diabet\w*|"
        r"cancer|chemo\w*|pills?|dos(?:e|es|age)|illness|sickness|disab(?:led|ility)|rsi|"
        r"carpal|tendonitis|tendinitis|arthritis|blood (?:pressure|sugar|test)|insomnia|"
        r"chronic|injur\w*|epilep\w*|hearing aid|deaf|tinnitus|concussion|covid|flu|"
        r"fever|prescri(?:bed|ption)\w*|vaccin\w*|rehab|relapse|sober|alcoholi\w*|"
        r"addict\w*|smok(?:e|er|ing)|diet|calories|eczema|psoriasis|stroke|"
        r"heart (?:attack|condition|rate)|panic attacks?|anxiety|ptsd|bipolar|ocd|"
        r"schizo\w*|hiv|inhalers?|gluten|beta blockers?|crutch|pacemaker|contact lenses|menopaus\w*|period pain|ivf|miscarr\w*|transplant|dialysis|"
        r"symptoms?|contagious|parkinson'?s?|alzheimer'?s?|dementia|astigmat\w*|"
        r"short-?sighted|glaucoma|cataract|sclerosis|celiac|coeliac|lactose|vertigo|"
        r"sciatica|physio\w*|crutches|sprain\w*|low vision|legally blind)\b|"
        r"\bi(?:'m| am) (?:\w+ )?(?:blind|sick|ill|unwell|in pain|recovering)\b|"
        r"\bon (?:sick|medical|maternity) leave\b|\bcan'?t (?:sleep|see well|hear well)\b|"
        rf"\b{_OWN} (?:\w+ )?(?:back|knees?|wrists?|eyes?|eyesight|hands?|head|arms?|"
        r"neck|shoulders?|hips?|stomach|heart|lungs?|skin|teeth|tooth|ears?|feet|foot|"
        r"fingers?|thumbs?) (?:hurts?|aches?|is|are|gets?|problem|pain|trouble|won'?t|"
        r"can'?t)\b|\b(?:my|lose|gain(?:ed)?|losing) weight\b|\bi weigh \d|\bpain\b"
        r"(?! point)"
    ),
    "finance": (
        r"\b(?:salary|salaries|wages?|paycheck|mortgage|bankrupt\w*|overdraft|pension|"
        r"savings|debts?|loan|loans|credit (?:score|card|rating|limit)|bank account|"
        r"bank balance|net worth|inherited (?:\d|money|some|from my)|my inheritance|lottery|gambl\w*|alimony|payday|bailiff|"
        r"foreclos\w*|insolven\w*|severance|unemployment benefit|welfare|tax return|"
        r"tax bill|stock options|dividends?|redundancy pay|student loans?|"
        r"in the red|unemployed|laid off|lost (?:my|their) job|make ends meet|living paycheck)\b|"
        rf"\b{_OWN} (?:\w+ )?(?:rent|income|budget is|taxes|bills?|card|iban|bank|"
        r"finances|money|shares|crypto|portfolio|insurance|accountant says|bonus|raise)\b"
        r"(?! (?:key|game))|"
        r"\b(?:i|we|user) (?:\w+ )?(?:earns?|owes?|makes? \d|made \d|lost (?:a lot of |all "
        r"|my )?(?:money|savings)|borrowed|invested (?:my|our|in (?:stocks|crypto)))|"
        r"\bcan'?t afford\b|\b(?:i'm|we'?re|user is|i am|we are) broke\b|"
        r"\bpays? (?:\w+ )?(?:rent|alimony|taxes|off)\b|\b(?:lot|loads) of money\b|"
        r"[$€£¥]\s?\d|\b\d+(?:[.,]\d+)?\s?(?:k|eur|usd|euros?|dollars|pounds)\b"
        r"(?! (?:lines|tokens|rows|context))"
    ),
    "relationship": (
        r"\b(?:wife|husband|girlfriend|boyfriend|spouse|fianc[eé]e?|divorc\w*|"
        r"separating from|dating|married|marriage|wedding|break-?up|broke up|custody|"
        r"in-laws?|stepson|stepdaughter|ex-(?:wife|husband|girlfriend|boyfriend)|"
        r"widow\w*|engaged to|having an affair|honeymoon|adopted a (?:child|son|daughter)|"
        r"newborn|toddler)\b|"
        rf"\b{_OWN} (?:\w+ )?(?:brother|sister|son|daughter|mother|father|mom|mum|dad|"
        r"kids?|child|children|baby|family|ex|parents?|uncle|aunt|cousin|niece|nephew|"
        r"grand\w+|partner|twins?|relatives|love life|sibling|siblings|roommate|"
        r"flatmate|best friend|friends?)(?:'s)?\b(?! (?:process|node|class|component|"
        r"element|row|record|directory|function|of the code|module|scope))|"
        r"\b(?:have|has|had|with) (?:\w+ ){0,2}(?:daughters?|sons?|kids|siblings?|brothers?|"
        r"sisters?|toddlers?)\b|\bmy wife and i\b|\bsingle (?:mother|mom|mum|father|dad|parent)\b"
    ),
    "account": (
        r"\b(?:the|a|my) (?:handle|alias|pseudonym|pen name|nick) \w+|"
        r"(?<![\w.`/@])@(?!(?:property|dataclass|staticmethod|classmethod|override|"
        r"pytest|media|import|param|returns?|decorators?|frozen|cache|lru_cache)\b)"
        r"[a-z_]\w{2,}|\b[\w.+-]+@[\w-]+\.[a-z]{2,}|"
        rf"\b{_OWN} (?:\w+ )?(?:handle|user ?name|login|account|phone|mobile|cell|"
        r"number is|telegram|whatsapp|signal|discord|instagram|mastodon|twitter|github "
        r"is|gitlab is|linkedin|e-?mail|mail|skype|matrix id|nick(?:name)?|passport|"
        r"social security|ssn|licen[cs]e (?:plate|number)|customer number|member(?:ship)? "
        r"number|employee (?:id|number)|steam|snapchat|tiktok|reddit|badge number)\b|"
        r"\b(?:log|logs|sign|signs|logged|signed) in (?:as|with)\b|\bthe (?:login|handle|account|username) [\w.@-]+$|\breach me (?:at|on|under)\b|"
        r"\bi'?m [\w.-]+ on (?:matrix|github|gitlab|discord|telegram|slack|mastodon|irc|"
        r"twitter|reddit|instagram|signal|steam|bluesky|twitch|stack ?overflow)\b|"
        r"\b(?:goes by|known as|find me) \w+ on\b|\bfind me on\b|\bdm me\b|"
        r"\+?\d[\d ()-]{7,20}\d\b|\b[a-z]{2}\d{2}(?: ?\d{4}){3,}\b|"
        r"\b(?:user ?name|account name|account number|phone number|customer number|"
        r"e-?mail address) (?:is|:)|\bcall me (?:at|on|under)\b"
    ),
    "location": (
        r"\b(?:i|we|user) (?:\w+ )?(?:lives?|resides?|stay|reside) (?:in|at|near|on|off|"
        r"around|by|with|close|about|just|outside|two|between|abroad|alone)\b(?! (?:the|my|"
        r"a)? ?(?:terminal|vim|neovim|emacs|editor|excel|shell|command line|spreadsheets?|"
        r"repl|browser|same page))|\b(?:moved|moving|relocat\w+|emigrat\w+) (?:to|from|"
        r"here|into|back to|abroad)\b(?= [\w]|$)(?! (?:the (?:cloud|new|latest|end|top|"
        r"bottom|next)|python|rust|go|typescript|\w+ ?script|async|postgres\w*|git\w*))|"
        r"\bgrew up\b|\b(?:was|were) (?:born|raised) in\b|\bbased in\b|\bhometown\b|"
        rf"\b{_OWN} (?:\w+ )?(?:house|home address|apartment|street|address|village|"
        r"home ?town|neighbou?rhood|postcode|zip code|landlord|flat(?= (?:is|in|on|at)))\b|"
        rf"\b{_OWN} (?:office|home|place|school|studio|shop) is\b|"
        r"\bthat'?s home\b|\b\d{1,4} (?-i:[A-Z])\w+ (?:row|lane|street|st|road|rd|avenue|"
        r"ave|close|square|drive|way|place|court|terrace|boulevard)\b|"
        r"\bi'?m (?:in|from|near|based|living|over in) (?-i:[A-Z])\w+|"
        r"\bi am (?:in|from|near) (?-i:[A-Z])\w+|\b(?:we'?re|we are) (?:in|from|near) "
        r"(?-i:[A-Z])\w+|\buser is (?:in|from|near|located in) (?-i:[A-Z])\w+|"
        r"\bcomes from (?-i:[A-Z])\w+|\bmy (?:time ?zone|country|city|town) is\b|"
        r"\bnear (?:the )?(?-i:[A-Z])\w+ (?:station|bridge|park|square)\b|"
        r"\bliving in\b|\bcommut\w+ (?:to|from|between)\b|"
        r"\b(?:here|over here|up here|down here|back home) in (?-i:[A-Z])\w+"
    ),
    "name": (
        r"\b(?:my|user'?s) name\b(?! (?:on|tag)\b)|\b(?:pronouns are|years? old|bisexual|"
        r"lesbian|gay|queer|transgender|muslim|christian|catholic|jewish|buddhist|hindu|"
        r"atheist|ethnicity|nationality|skin colou?r)\b|\b(?:i|user) (?:\w+ )?votes?d? "
        r"(?:for )?\w+|"
        r"\b(?:my|full|real|legal|birth|middle|user'?s|their|whose) (?:\w+ )?name(?:'s| is|"
        r" was|,|:)|\bmy (?:full|real|legal|first|last|middle|maiden|birth) name\b|"
        r"\bthat'?s (?:my name|me)\b|\bcall me (?!out|when|if|before|back|crazy|"
        r"old-?fashioned|picky|paranoid|lazy|boring|at\b|on\b)|"
        r"\bi'?m called\b|\bi am called\b|\bi go by\b|\bgoes by\b|\buser is called\b|"
        r"\bnamed (?-i:[A-Z])[a-z]+|\bis called (?-i:[A-Z])[a-z]+|"
        r"\buser is (?-i:[A-Z])[a-z]+(?: (?-i:[A-Z])[a-z]+)?$|"
        r"^(?-i:[A-Z])[\w'-]+ here\b|\bthis is (?-i:[A-Z])[a-z]+(?: (?-i:[A-Z])[\w'-]+)?"
        r"(?: (?:here|speaking|from|again)\b|[,.!]|$)|\bsigned?,? (?-i:[A-Z])[a-z]+|"
        r"\bsign (?:\w+ ){1,3}(?:with|as) (?-i:[A-Z])|\bmy initials\b|\bmy surname\b|"
        r"\bnickname\b|\byours,? (?-i:[A-Z])"
    ),
    "emotion": (
        r"\b(?:scares?|frightens?|terrifies|worries|stresses|depresses) (?:me|them|user)\b|"
        r"\b(?:angry|anxious|scared|afraid|terrified|ashamed|lonely|stressed|stressing|"
        r"stressful|miserable|panicked|panicking|panicky|crying|tears|nervous|worried|overwhelmed|"
        r"exhausted|burn(?:ed|t)[- ]?out|burnout|insecure|guilty|jealous|grief|griev\w*|"
        r"heartbroken|embarrassed|furious|hopeless|numb|desperate|homesick|unhappy|"
        r"devastated|humiliated|self-?doubt|imposter syndrome|impostor syndrome|"
        r"perfectionist|neurotic|introvert\w*|extrovert\w*|suicidal|self-?esteem|"
        r"low self|mood|moods|moody|thrilled|ecstatic|over the moon|bored|upset|"
        r"sensitive person|short-?tempered|hot-?headed|pessimist|optimist|traumati\w*|"
        r"trauma|fed up|on edge|freak(?:s|ing)? (?:me )?out|losing it|dread\w*)\b|"
        r"\b(?:i'm|i am|user is|user feels|makes? (?:me|them)|i've been|feel|feels|"
        r"feeling|i was|we're) (?:\w+ )?(?:sad|happy(?! with| to)|frustrated(?! by)|"
        r"excited|proud|empty|down|low|blue|lost|bad|tense|mad|glad|hurt|worthless|"
        r"stupid|dumb|useless|alone|terrible|awful|great|disappointed|depressed)\b|"
        r"\bi (?:always |often |really |just |usually )?(?:feel|cry|worry|panic|"
        r"dread|fear|resent|envy|overthink|doubt myself|blame myself|beat myself)\b|"
        r"\b(?:user|i) (?:\w+ )?panics?\b|\b(?:feels|feel) (?:like|so|really)\b|\bhates? (?:mondays|mornings|myself|my "
        r"(?:job|life|boss|manager|colleagues?|team|coworkers?)\b|themselves|people|her|him|it here)\b|"
        r"\bloves? (?:my (?:job|life)|summer|mornings|her|him)\b|\bin love\b|"
        r"\bbreaks? my heart\b|\bcan'?t cope\b|\bcan'?t take it\b"
    ),
    "temporary": (
        r"\btoday\b|\btonight\b|\btomorrow\b|\bright now\b|\bfor now\b|\bat the moment\b|"
        r"\bin a (?:hurry|rush)\b|\bthis (?:week|morning|afternoon|evening|once|month)\b|"
        r"\bjust this once\b|\bon (?:my|their) phone\b|\buntil (?:monday|tuesday|"
        r"wednesday|thursday|friday|saturday|sunday|tomorrow)\b|\b(?:is|am|i'm) (?:very |"
        r"so |a bit )?(?:tired|busy|late|hungry|sleepy|hungover|jet-?lagged|swamped)\b"
    ),
    "task": (
        r"\b(?:in|for|to|on) this (?:file|script|ticket|function|form|letter|image|slide|"
        r"upload|run|test|module|table|page|chapter|project only|one)\b|"
        r"\bport (?:is |to )?\d+|\bline \d+\b|\b\w+\.(?:ya?ml|json|toml|csv|ini|cfg) "
    ),
}
