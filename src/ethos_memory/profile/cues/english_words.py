"""English: words that several patterns are made of."""

from __future__ import annotations

from typing import Final

__all__ = ["FORM", "PARTS", "THINGS", "VERBS"]

#: What an agent is asked to do, as first words of a clause.
VERBS: Final = (
    "add|align|answer|apologi[sz]e|append|apply|ask|assume|attach|avoid|batch|begin|"
    "bother|break|bring|build|bundle|call|catch|change|check|cite|close|collect|"
    "comment|commit|compare|compute|configure|convert|copy|correct|count|cover|create|"
    "cut|default|define|delete|describe|design|document|draft|draw|drop|edit|email|"
    "embed|end|ensure|expect|explain|export|extract|factor|favou?r|file|finish|fix|"
    "flag|focus|follow|format|gate|generate|get|give|go|group|guess|handle|have|hedge|"
    "highlight|hit|ignore|import|include|indent|inject|inline|insert|invent|isolate|"
    "justify|keep|label|leave|lead|let|limit|link|list|load|lock|log|make|mark|match|"
    "measure|mention|mention|merge|mix|mock|move|name|narrow|note|number|offer|omit|"
    "open|order|organi[sz]e|output|parse|pass|paste|pick|pin|plot|point|prefer|prefix|"
    "present|print|profile|propose|provide|push|put|quote|raise|rank|read|rebase|"
    "recommend|refactor|refer|remember|remind|remove|rename|render|repeat|replace|"
    "reply|report|respond|return|reuse|review|rewrite|round|rush|save|say|send|"
    "separate|set|shorten|show|simplify|skip|sort|speak|spell|split|squash|start|state|"
    "stay|stick|stop|store|structure|style|suggest|sugar-?coat|summari[sz]e|switch|tag|"
    "talk|tell|test|think|throw|touch|trim|try|turn|type|use|validate|verify|wait|walk|"
    "warn|wrap|write"
)

#: Things of one piece of work: a wish about "the" one of them is a detail.
THINGS: Final = (
    "bucket|button|cell|chapter|client|column|container|customer|deadline|directory|"
    "email|endpoint|entry|env|field|figure|file|folder|footer|form|function name|"
    "header|heading|host|id|image|invoice|item|key|label|letter|line|link|logo|"
    "meeting|menu|month|number|one|option|order|page|paragraph|path|photo|picture|"
    "poster|port|price|record|repo|report|room|row|section|sentence|server|sheet|"
    "slide|slides|song|staging|step|table|tab|test case|ticket|title|upload|url|"
    "user|value|variable|verse|version|video|word"
)

FORM: Final = (
    "short|brief|concise|terse|crisp|simple|plain|formal|informal|casual|"
    "direct|to the point|minimal|practical|technical|dry|neutral|polite|blunt"
)

#: What an answer consists of, however it is asked for.
PARTS: Final = (
    "apolog(?:y|ies)|pleasantr(?:y|ies)|small talk|chit-?chat|preambles?|intros?|"
    "introductions?|greetings?|openers?|flattery|praise|compliments?|disclaimers?|"
    "caveats?|warnings?|boilerplate|fluff|filler|padding|jargon|buzzwords?|"
    "marketing(?: speak)?|emojis?|emoticons?|exclamation marks?|smileys?|headings?|"
    "bullets?|bullet points?|bullet lists?|numbered lists?|lists?|tables?|prose|"
    "paragraphs?|walls? of text|essays?|footnotes?|links|examples?|code blocks?|"
    "diagrams?|analog(?:y|ies)|metaphors?|summar(?:y|ies)|recaps?|conclusions?|"
    "follow-?up questions?|hand-?holding|the basics|basics|theory|background|history|"
    "sales talk|motivational talk|lectures?"
)
