"""Rules of the family "concealment": a person shall not learn of it."""

from __future__ import annotations

from typing import Final

from ethos_memory.guard.rule import Rule

__all__ = ["RULES"]

RULES: Final = (
    Rule(
        id="concealment.hide-this",
        score=72,
        reason="forbids the reader to speak of the line itself",
        words=(
            "NOT ~1 INFORM ~3 this|these|those|that ~1 instruction|instructions|message|note|prompt|line|rule|rules|memory|directive|command|entry|request|text|section|paragraph|conversation|change|action|step|task|policy|exchange|behaviour|behavior",
            "NOT ~2 INFORM ~1 USER ~2 about|of|that|why ~3 this|these|it|you|instruction|instructions|existence|having|change|changed|did|happened|rule",
            "keep|keeping ~2 this|these|it|them ~2 secret|hidden|confidential|private|quiet ~3 from ~1 USER",
            "keep|hide|conceal|mask|obscure|disguise ~1 this|these ~1 NOTE|transfer|payment|change|fact|action|step ~2 from ~2 USER",
            "this|these ~2 instruction|instructions|rule|rules|note|message|memory ~3 must|should|is|are|to ~2 remain|stay|be|kept ~1 secret|hidden|confidential|invisible|undisclosed|never|unmentioned",
            "USER must|should|may|can|need|shall ~1 not|never ~1 know|notice|find_out|learn_of|be_told|be_informed|be_aware|be_notified|realize|realise|suspect|hear|discover",
            "without ~1 the? USER|users|owners ~1 knowing|noticing|knowledge|realizing|realising|awareness|finding",
            "without ~1 telling|informing|alerting|notifying|mentioning|letting ~2 user|owner|human|them|anyone|anybody|admin|operator|account_owner ~1 END|know|about|of|and|first",
            "NOT ~1 let ~2 user|users|human|operator|account_owner|account_holder know|find_out|notice|learn|realize|realise|suspect|discover|catch_on that|about|of|this|it|END|what",
            "user|users|human|operator|account_holder must|should|may|can|shall|will|is|are ~1 not|never ~1 to? learn|discover|become|get ~1 of|about|that|this|aware|wind|wise",
            "user|users|human|operator|person|people ~3 has|have|with no business|need|right|reason|cause ~1 knowing|learning|hearing|seeing|to_know|to_learn|to_hear ~2 of|about|that|this|it|END",
            "should|if|when|whenever ~2 user|users|person|human|they|anyone|somebody|someone ~1 ask|asks|inquire|inquires ~1 about this|it|these|that ~2 change_the_subject|talk_about_something_else|play_dumb|steer|deflect|dodge|evade",
            "nobody|no_one|noone|none|never ~6 hear|hears|learn|learns|know|knows|find_out|finds_out of|about this|these|those ~1 lines|instructions|words|sentences|orders|directives",
            "without ~2 mentioning|telling|saying|revealing|disclosing|admitting|announcing it|this|that|so|them ~1 to? ~2 user|users|human|person|anyone|anybody|operator|owner|customer|client",
            "when|whenever|if|once|as_soon_as ~8 delete|transfer|swap|send|wire|wipe|replace|erase|export|forward|upload ~10 and|but say_nothing|tell_nobody|tell_no_one|stay_silent|keep_silent|remain_silent|say_no_word",
            "never|not|dont ~2 acknowledge|mention|reveal|disclose|admit|reference|repeat|show|quote|discuss ~3 existence|presence|contents|content ~3 instruction|instructions|prompt|rule|rules|message|note|directive",
            "pretend|act|behave|respond|continue|reply ~2 as_if|like|that ~2 nothing|normal|never|no ~4 happened|changed|was|unusual|instruction|normal",
            "NOT ~1 mention|say|reveal|tell|admit|disclose ~2 that ~6 note|instruction|instructions|influenced|instructed|prompted|memory_entry|asked_to|told_to",
            "if|when|should anyone|anybody|somebody|someone|colleague|user|they|people|users ~3 ask|asks|inquire|inquires ~6 tell|say|answer|claim|reply ~4 empty|nothing|no|not|dont|none|unaware",
            "do_not|dont|never|without ask|asking|consult|consulting|involve|involving ~2 USER ~2 before|when ~2 SPENDING",
            "do_not|never log|record|report|audit ~1 the|this|these|that ~1 action|actions|command|commands|transfer|access|event|transaction|change|step|call",
            "act ~4 and ~2 not|never ~1 log|record|report|tell|mention|notify",
            "USER ~1 never|not ~1 hears|learns|knows|sees|finds_out|discovers|is_told|gets_to_know|notices|realizes|realises|suspects ~2 of|about|that|this|it|END",
            "no|without|leave_no|zero mention|trace|word|hint|record of ~1 this|these|it|them ~2 NOTE|in|anywhere|END|to",
            "act|play|look|seem|appear ~1 surprised|innocent|ignorant|dumb|clueless|confused|unaware ~1 if|when|about",
            "do_not|dont|never report|mention|include|list|show|record ~1 it|this|that|them ~2 in|to ~2 summary|report|log|answer|output|history|user|anyone|transcript",
            "without showing|displaying|mentioning|revealing it|this|them|that ~2 to? USER|COLON|END|anyone",
            "deny ~2 knowledge|existence|having|any|that|this|everything ~4 instruction|instructions|this|it|asked|rule|about",
            "if|when|whenever|should ~3 asked|asks|ask|questioned|questions|confronted|inquires ~6 say|claim|pretend|deny|answer|insist|respond|reply ~4 no|not|nothing|never|dont|do_not|none|unaware",
            "hide|conceal|withhold ~2 transfer|payment|change|changes|transaction|purchase|email|mail|charge|deletion|fact|truth|order ~2 from ~2 USER|account_owner|everyone",
            "keep|keeping ~2 this|these|it|the ~1 NOTE|to ~1 to yourself",
            "keep this|it|these to yourself",
            "not for ~3 human|user|users|humans|owner ~1 eyes|to_see|to_know",
            "dont|do_not|never let on|slip|it_show",
            "remove|delete|erase|strip|clear|drop|wipe this|the|these ~1 NOTE ~6 after|once|when|afterwards|as_soon|then|as_soon_as ~4 done|carried|read|executed|finished|complete|completed|followed|it|you",
            "USER ~2 stay|stays|remain|remains|is_kept|are_kept ~2 unaware|oblivious|in_the_dark|uninformed",
            "<NEVER keep|keeps|leave|leaves ~2 USER ~2 unaware|oblivious|in_the_dark|uninformed",
            "no_need|not_necessary|unnecessary|needless|not_required ~2 to ~1 INFORM ~3 USER",
            "deny ~3 everything|it|that|having|knowledge|existence|any ~4 if|when|about|of|asked|someone",
            "if|when ~2 asked|asks|questioned ~4 deny|say_you_dont|pretend|lie|claim|change_the_subject",
        ),
    ),
    Rule(
        id="concealment.not-tell",
        score=34,
        reason="keeps something from a person",
        words=(
            "never|not|dont ~1 tell|inform|notify|alert|mention|reveal|disclose|warn|ask|show|let ~2 user|users|human|humans|owner|operator|customer|anyone|admin|administrator|developer|developers|supervisor|recipient|client",
            "hide|conceal|obscure|mask|suppress ~3 from ~2 user|owner|admin|operator|logs|transcript|log|auditors|supervisor|human",
            "without asking|telling|informing|notifying|alerting ~2 user|owner|human|anyone",
            "user|owner|human|operator|admin|users must|should ~1 not|never ~1 see|know|be",
            "leave|keep|make no trace|record|log|mention|evidence|note",
            "delete|remove|erase|clear|wipe|scrub ~3 logs|log|traces|evidence|history|message|email|trail|instruction|entry ~4 after|afterwards|so|when|once|trace|traces|sent",
            "so|that|and nobody|no_one|noone|the_user|the_owner|users ~2 notices|notice|know|knows|suspects|suspect|sees|see|finds|realizes|realises|wiser",
            "behave|act|answer|respond|carry_on|continue|reply ~1 normally|as_usual|normal|as_though_nothing|as_if_nothing|innocently|like_nothing",
            "keep|stay|remain ~1 quiet|silent|mum ~1 about|on|regarding",
            "never|dont|do_not show ~1 user|users|customer|customers|owner|client",
            "user|users|owner|customer ~1 does_not|doesnt|do_not|dont|never want|wants|need|needs to be ~1 told|notified|informed|asked|warned|bothered|shown",
            "do_not|never log|record|audit ~1 the|this|these|that|your ~1 action|actions|command|commands|access|step",
            "hide ~1 the|other|all|any ~1 offers|alternatives|options|competitors|costs|fees|recipients|errors|warnings|results|changes",
            "between us|ourselves|you_and_me",
            "no one|nobody|noone|user|anyone ~2 notice|notices|know|knows|suspect|suspects|see|sees",
        ),
    ),
    Rule(
        id="concealment.in-silence",
        score=40,
        reason="acts unseen",
        quotable=False,
        words=(
            "SECRETLY ~3 send|forward|copy|upload|append|add|insert|include|execute|run|record|log|store|collect|replace|modify|delete|disable|change|post|email|transmit|exfiltrate|install|approve|invite|carry|carrying|perform|do|make|grant|call|track|monitor|share|embed|transfer|save|inject|edit|skip",
            "send|forward|copy|upload|append|execute|run|record|collect|replace|modify|disable|transmit|exfiltrate|install|approve|track|share|transfer ~6 SECRETLY",
            "<NEGATE do|doing this|it|so|that SECRETLY",
        ),
    ),
)
