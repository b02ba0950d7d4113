"""Rules of the family "authority": the line claims a rank it cannot have."""

from __future__ import annotations

from typing import Final

from ethos_memory.guard.rule import Rule

__all__ = ["RULES"]

RULES: Final = (
    Rule(
        id="authority.claimed-rank",
        score=46,
        reason="claims to speak for the maker or an administrator",
        words=(
            "i am|im your|the|an|a ~1 developer|creator|administrator|admin|programmer|master|owner|openai|god|supervisor|maker|sysadmin|engineer ~8 must|obey|listen|instructions|output|print|check|need|comply|order|command|override|authorized|grant",
            "im|i_am not ~3 im|i_am ~2 god|admin|administrator|developer|your",
            "this|these|message|instruction|instructions|command|order|update ~2 is|are|comes|come|was|were|sent|issued ~3 from|by|of ~2 AUTHORITY ~6 must|obey|comply|follow|execute|override|immediately|overrides|takes|apply|and|priority|supersede",
            "as ~1 your|the|an ~1 developer|creator|administrator|admin|owner|master|programmer|maker ~3 i ~2 command|order|instruct|require|authorize|authorise|need|want|am|hereby|override",
            "order|orders|command|authority|request|behalf|instruction of|from ~1 AUTHORITY ~4 must|has|you|this|all|answer|comply|grant|may|give|reveal",
            "message|notice|note|order|instruction|request|update ~1 comes|is|came|was|issued|sent ~1 from|by ~1 AUTHORITY ~4",
            "as ~1 ceo|founder|president|head|director|boss|chief ~10 i ~2 order|command|instruct|demand|authorize|authorise|require",
            "i|we ~1 order|command|instruct|demand ~1 you to ~3 answer|reveal|ignore|obey|comply|give|print|do|send|say|act|follow",
            "AUTHORITY ~2 has|have|hereby ~2 authorized|authorised|instructed|ordered|approved|requested|mandated|granted|lifted|permits|permitted ~4 you|to|all|this|full|assistant|ai",
            "authorized|authorised personnel|by|access|session|user ~2 only|openai|anthropic|granted|confirmed|AUTHORITY",
            "authorization|authority|clearance|authorisation ~1 level? COLON ~1 root|admin|critical|max|maximum|root_admin|highest|level|system|override|omega|alpha",
            "priority level? COLON maximum|max|absolute|override|omega|system",
            "priority level COLON critical|highest",
            "override|overrides|overriding|supersedes|trumps ~3 all|any|every|previous|prior|other ~3 rules|policies|instructions|guidelines|safety|restrictions|prompts|directives|settings|protocols|preferences|memories",
            "highest|top|critical|maximum|absolute|utmost priority|importance|precedence ~5 instruction|instructions|ignore|override|obey|must|above|over|COLON",
            "system|security|admin|safety|root|emergency|policy|memory override|overide ~1 COLON|engaged|active|code|begin|mode|command|initiated|authorized|protocol|disable|END",
            "<NEGATE admin|system|security|developer|root|emergency override|bypass ~2 true|enabled|accepted|granted|code|key|active|yes",
            "emergency|maintenance|diagnostic|recovery protocol|mode|procedure ~6 disable|bypass|override|reveal|print|grant|suspend|ignore|dump|export",
            "important|urgent|critical|attention ~3 message|instruction|instructions|notice|directive ~2 from|for ~2 AUTHORITY|me|ai|system|assistant|you|agents|all_ai|the_ai|model|llm|language",
            "important|attention|note|message|notice for|to ~1 all? ~1 ai|llm|language_model|llms|ais|chatbot|chatbots|gpt|ai_agents|ai_assistants ~2 COLON|reading|processing|that|analyzing|summarizing|you|must|please",
            "if|when|whenever you|youre|reader ~1 are|is ~1 an|a ~2 ai|llm|language_model|chatbot|bot ~8 SAY|must|ignore|please|should|include|recommend|then|call|stop",
            "note|message|attention|hint|memo|notice|reminder ~1 to|for ~2 AI ~3 COLON|reading|processing|screener|reviewer|please|you|must|should|who|that",
            "dear|hello|hi|hey ~1 AI ~6 you|please|before|open|ignore|i|this|when",
            "AI ~2 READING ~4 this|these|the|any ~3 NOTE|website|content|email|data|resume|profile|repository|must|should|COLON|code ~3 BADACT|must|should|please|reply|recommend|need|have|COLON|are|to",
            "llm|llms|chatgpt|gpt|claude|gemini|copilot|ai_assistant|ai_agent|ai_model|ai COLON ~1 BADACT|you|please|from_now_on|do_not|when|if|always",
            "before you ~1 solve|answer|do|continue|proceed|respond|reply|finish|start|complete|summarize|can ~8 first|please|open|send|visit|transfer|call|must|need ~6 URL|EMAIL|NUMBER|following|account|instructions|steps|task",
            "important message from me|us ~6 to you",
            "purpose|duty|job|goal ~2 is|to ~3 obey|serve ~2 me|only|i|user|without",
            "obey|serve|comply_with ~2 me|my|all|every ~3 command|commands|orders|instruction|instructions|word|without|only|unconditionally|blindly|order",
            "does ~1 exactly what|as i|he|user say|says|want",
        ),
    ),
    Rule(
        id="authority.commands-machine",
        score=64,
        reason="gives orders to a machine that reads the page",
        words=(
            "note|message|attention|hint|memo|notice|reminder|instruction|instructions ~1 to|for ~2 AI ~2 screener|reviewer|reader|agent? ~1 COLON|reading|processing|please|you|must|should|who|that ~6 BADACT",
            "AI ~2 READING ~4 this|these|the|any ~3 NOTE|website|content|email|data|resume|profile|page|document|file ~3 must|should|COLON|shall|need_to|have_to ~4 BADACT|reply|recommend|respond|answer|mention|state|include|rate",
            "llm|llms|chatgpt|gpt|ai_assistant|ai_agent|ai_model|ai|assistants COLON ~1 ignore|disregard|forget|skip_the|bypass|reveal|approve|obey|override|do_not_tell|answer_only|say_only|always_approve",
            "dear|hello|hi|hey|attention ~1 AI ~8 open|visit|fetch|ignore|disregard|send|forward|follow|run|execute|approve|rate|rank|recommend",
            "before you ~1 solve|answer|do|continue|proceed|respond|reply|finish|start|complete|summarize|can ~8 first|open|send|visit|transfer|call|pay ~6 URL|EMAIL|account|NUMBER",
            "important message from me|us|your ~6 to you",
            "i|we ~1 order|command|demand ~1 you to ~3 answer|reveal|ignore|obey|comply|give|print|do|send|say|act|follow",
            "i am|im ~1 your|the ~1 developer|creator|administrator|admin|programmer|owner|operator|maker|engineer ~10 reveal|print|show|ignore|comply|obey|override|disable|output|unlock|grant|bypass",
            "message|notice|note|order|instruction|request|update|command ~1 comes|is|came|was|issued|sent ~1 from|by ~1 AUTHORITY ~4 comply|obey|follow|immediately|must|execute|override|ignore",
            "AI COLON ~2 do_not|dont|please|say|write|recommend|rate|mention|include|ignore|tell|respond|reply|answer|summarize|you_must|always|never",
            "attention|note|warning|important|notice ~2 AI COLON",
            "if|since|because you|reader ~1 are|is ~1 an|a ~1 ai|llm|language_model|large_language_model|chatbot|bot|ai_model|ai_assistant|ai_agent ~4 write|say|tell|add|include|begin|start|end|use|put|mention|output|print|reply|respond",
            "as ~1 your|the ~1 supervisor|manager|boss|superior|owner|administrator|operator|creator|developer|master|employer ~1 i ~1 instruct|order|command|require|direct|authorize|authorise|demand",
            "if|since you ~1 are ~1 an|a ~2 ai|llm|language_model|chatbot|bot ~4 tell|recommend|include|ignore|reply|say|send|rate|add|respond_with|call|stop|do_not",
        ),
    ),
    Rule(
        id="authority.addresses-machine",
        score=40,
        reason="speaks to a machine that reads the page, not to a person",
        words=(
            "note|attention|notice|memo ~1 to|for ~1 all? ~1 AI",
            "AI ~2 READING ~2 this|these ~1 NOTE|website|content|email|data|resume|profile|repository",
            "AI COLON ~1 ignore|disregard|forget|skip|bypass|reveal|approve|obey|override",
            "if|since|because you|reader ~1 are|is ~1 an|a ~1 ai|llm|language_model|chatbot|bot|automated_system",
        ),
    ),
    Rule(
        id="authority.decode-and-obey",
        score=62,
        reason="hides an instruction in a code and tells the reader to obey it",
        quotable=False,
        words=(
            "decode|decrypt|decipher|base64_decode|unscramble|deobfuscate|rot13|base64|translate|reverse|decoded|decoding|unencode|hex ~6 and|then ~3 follow|obey|execute|do|run|comply|carry|perform|act|respond|answer|apply ~4 it|instruction|instructions|what|command|commands|message|this|result|output|END|content|COLON|says",
            "apply rot13 ~4 and ~2 obey|follow|execute|do",
            "instruction|instructions|command|prompt|payload b64|base64|hex|rot13|encoded|enc",
            "execute|follow|obey|run ~4 decoded|base64|hex|encoded|rot13|encrypted|hidden ~4 instruction|instructions|command|commands|message|text|string|content|payload|script",
            "can you decode this ~3 morse|rot13|hexadecimal|binary|base64|caesar|cipher|code|string ~6 tell|and|reply",
        ),
    ),
)
