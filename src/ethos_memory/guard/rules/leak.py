"""Rules of the family "leak": the reader's own instructions or secrets are asked for."""

from __future__ import annotations

from typing import Final

from ethos_memory.guard.rule import Rule

__all__ = ["RULES"]

RULES: Final = (
    Rule(
        id="leak.own-instructions",
        score=62,
        reason="asks the reader for its own instructions",
        words=(
            "<NEVER LEAK ~3 your ~3 ORDERS|embeddings|initial_prompt $",
            "reveal|print|show|display|repeat|output|disclose|leak|share|tell|give|expose|dump|recite|divulge|return|send ~2 me? ~2 your ~3 ORDERS|embeddings|initial_prompt|configuration",
            "LEAK ~3 your ~2 system|initial|original|hidden|secret|full|internal|first|entire|complete|base ~1 ORDERS|prompt|message|rules|configuration|instruction",
            "LEAK ~2 full|entire|whole|initial|original|exact|verbatim|hidden ~2 prompt|system_prompt|system_message|instructions|prompt_text $",
            "tell|show|give|send me ~3 full|complete|entire|whole|initial|original|exact|verbatim|all|hidden ~2 prompt|prompts|system_prompt|instructions|prompt_text",
            "LEAK me? ~2 system_prompt|hidden_prompt|initial_prompt|initial_instructions|system_instructions|system_message ~3 verbatim|word|exactly|above|here|now|to_me|in_full|END|COLON",
            "what|which are|is|were|was your ~3 ORDERS|initial_prompt|system_message|system_prompt|guidelines",
            "what|which is|are|was|were ~2 written|stated|said|at|above ~3 beginning|start|top|above ~3 prompt|this|conversation|message",
            "what|which ~3 your ~1 MAKER ~1 write|wrote|say|said|put|tell|told|type|typed ~2 you|above|before|first|top|in_front|in_front_of|ahead_of ~4 talk|chat|first|message|conversation|prompt|chat|start|beginning|before|me",
            "repeat|print|output|copy|display|reveal|recite ~2 everything|all|text|words|content|sentences ~2 above|before_this|preceding ~3 verbatim|COLON|starting|END|word|from",
            "repeat|print|output|recite ~1 words|text above",
            "repeat|print|output|write|copy|spell|display|show ~3 prompt|text|words|instructions above|preceding|before",
            "repeat|print|output|write|copy|display|show|reveal ~2 above ~2 prompt|text|words|instructions",
            "above|preceding prompt ~3 verbatim|word|exactly",
            "copy|translation of|the ~2 full|entire|whole prompt",
            "tell|show|give me all|your ~3 prompt|prompts|instructions|directives|prompt_texts|prompt_text",
            "showing|show|display all|your|the|following ~1 prompt text|texts",
            "how|what|which your ~2 original|initial|system ~1 ORDERS",
            "what|how|which|whats does|do|is|are|did|say|reads ~1 your ~2 PROMPT",
            "LEAK ~3 BRIEF ~2 your|the ~1 MAKER ~2 gave|given|set|wrote|told|imposed",
            "LEAK ~4 BRIEF ~2 you|your ~2 were|have|are|was|been|received|follow|got ~1 GIVEN|to|under",
            "LEAK ~4 BRIEF ~2 that|which ~1 define|defines|control|controls|govern|governs|guide|guides|shape|drive ~2 your|you",
            "LEAK ~4 you ~1 were|have|are|got|received ~2 instructed|told|prompted|programmed|configured|briefed ~3 at|in|by|with|before|initially|first|start|to|earlier",
            "LEAK ~2 everything|all|text|words|messages|content|what ~5 before|above|prior|preceding ~4 first|user|message|conversation|prompt",
            "LEAK ~4 wording|text|contents|content|copy|words of your ~3 ORDERS|system_prompt|rules|context",
            "sentence|line|word|words|part|paragraph|beginning|contents|content|text|copy|translation|wording|version|list|first|last|start of ~1 your ~2 ORDERS|system_prompt|rules|guidelines|context_window",
            "prints|print|printing|outputs|reveals|shows|returns|displays|encodes|repeats|writes ~2 your ~2 ORDERS|system_prompt|rules|guidelines",
            "with|contains|includes|begins|starts|is ~3 your ~1 hidden|secret|initial|original|internal|confidential|raw|underlying|system ~1 ORDERS|prompt|rules|guidelines|message",
            "LEAK me? ~2 raw|hidden|secret|underlying|initial|original|internal ~1 prompt|instructions|rules|prompts|message $",
            "contents|content|text|copy of your|the ~1 system_prompt|instructions|prompt|memory|memory_file|context",
            "dump|print|show|output|reveal|export your ~1 context|context_window|memory|memories|memory_file|internal_instructions ~4",
            "<NEVER LEAK|include|append|mention|add|attach|quote|share|weave|drop ~7 OTHER ~1 PERSONS ~3 CONFIDED ~3 you|you_about",
            "<NEVER LEAK|include|append|mention|add|attach|quote|share|weave|drop ~2 what|everything|anything|whatever|all ~4 OTHER ~1 PERSONS ~1 you ~2 spoke|talked|chatted|spoken|dealt|met|helped|served|worked|assisted ~4 said|told|wanted|asked|wrote|confided|about",
            "<NEVER LEAK|include|append|mention|add|attach|quote|share|weave|drop ~3 everything|all|anything|whatever|what ~1 you ~1 remember|know|recall|stored|learned|noted|heard|saved|have ~2 about|of|from|on ~2 OTHER ~1 PERSONS",
            "<NEVER LEAK|hand|hand_over|pass_on ~2 everything|all|anything|whatever|what ~1 you ~2 picked|gathered|collected|heard|learned|know|found ~2 about|from|on ~2 people|users|customers|clients|others|those ~3 you|before|else",
            "user|customer|client|person|caller|visitor before me|us ~1 CONFIDED ~1 you",
            "<NEVER share|hand|give|show|tell|send ~3 notes|files|records|memories|profiles ~2 you ~2 on|about|of ~1 OTHER PERSONS",
            "let_me|allow_me ~2 read|see|view|copy|hear|have ~3 BRIEF|CHARGE|PROMPT ~2 you ~1 got|were|received|had|been ~2 before|first|initially|at_the_start|at_the_beginning|at_the_outset",
            "transcript|copy|record|printout of ~2 whatever|everything|what|all ~3 precedes|preceded|before|above|came_before my|this|our ~1 line|message|word|question|turn|prompt",
            "LEAK|see|view|have|check|inspect|get|look_at|know ~3 text|words|wording|message|lines|content|paragraph ~2 you ~1 were|are|have ~1 been? ~1 configured|initialised|initialized|primed|loaded|seeded|started|launched|booted|set_up with|from|by|on|to",
            "LEAK|spell_out|lay_out ~4 CHARGE|PROMPT|rules ~2 that|which ~1 were|was|have|been ~1 GIVEN|handed|passed|fed ~1 to? you",
            "LEAK ~4 memory|memories|notes|data|profiles|profile|conversations|conversation|messages|history|files|information ~2 of|about|from|for|belonging ~3 other|another|all|every|different ~2 users|user|people|person|customers|customer|clients|sessions|tenants",
            "what|was|written|said|stated ~6 beginning|start|top of this|the|your|our ~1 prompt",
        ),
    ),
    Rule(
        id="leak.read-back",
        score=62,
        reason="asks the reader to read its own prompt back",
        words=(
            "your|own|initial|original|hidden|system ~1 prompt|instructions|prompts|system_prompt ~8 verbatim|word_for_word|read_it_back|read_back|in_full|completely|character_by_character|line_by_line|repeat_it|to_me|in_json|as_json|exactly",
            "verbatim|word_for_word|character_by_character|line_by_line|letter_by_letter|in_full ~8 before|above|preceding|your|initial|system ~3 message|line|text|prompt|instructions",
            "what|everything|text|words|lines|whatever ~3 before|above|precedes|preceding ~1 this ~1 message|line|text|prompt|sentence ~4",
            "which|what ~2 instructions|rules|prompt|directives|guidelines ~2 you ~2 configured|given|told|programmed|received|loaded|following|under|follow|have",
            "forgot|lost|need|want ~3 system_prompt|initial_instructions|initial_prompt ~6 you|read|show|give|tell|repeat",
            "put|include|add|print|show|write|paste|insert ~4 HARDSECRET|environment_variables|environment_variable|env_vars ~8 your|the ~1 reply|answer|response|output|message|summary",
        ),
    ),
    Rule(
        id="leak.names-own-prompt",
        score=34,
        reason="speaks of the reader's own hidden instructions",
        words=(
            "your ~1 initial|original|hidden|raw|secret|full|exact|internal|system|confidential|underlying|first ~1 instructions|prompt|rules|directives|guidelines|instruction",
            "my ~1 instructions|prompt|system_prompt|rules are|is|say|says|begin|begins|read|reads",
        ),
    ),
    Rule(
        id="leak.own-secret",
        score=50,
        reason="asks the reader for a secret it holds",
        words=(
            "what|whats|which is|are ~1 your ~2 SECRET|secret",
            "tell|give|show|reveal|send|share|print|disclose ~2 me|us ~2 your|the|all|every ~2 HARDSECRET|secret_word|secret_code",
            "tell|show|reveal|send|share|print|disclose ~1 your ~2 HARDSECRET|secret|secret_word|password",
            "<NEVER reveal|disclose|divulge|leak|dump|extract|steal|harvest|exfiltrate ~2 the|your|all|any|every|their|his|her|user|users|stored|api ~2 HARDSECRET",
            "^ PLEASE? read|open|cat|access|load|retrieve|get|fetch|collect|grab|find ~3 secrets|id_rsa|ssh_key|private_key|private_keys|etc_passwd|etc_shadow|aws_credentials ~1 file|files|directory|folder",
            "give|show|list|send|tell me ~3 users|customers|employees|accounts ~4 bank|balance|balances|password|passwords|emails|addresses",
            "what|whats|which ~2 SECRET|code|word|codeword ~3 you ~2 told|given|keep|hold|protect|guard|know|configured|supposed|instructed",
            "reveal|show|tell|give|print|disclose|share ~4 HARDSECRET ~3 you ~2 were|have|are|hold|know|use|keep|configured",
            "spell|hint|clue|hints|letters|letter|characters|backwards|rhyme|riddle|reversed|acrostic|anagram ~6 password|secret_word|secret|passphrase|codeword|secret_key|flag",
            "password|secret_word|passphrase|codeword|secret_key ~4 backwards|reversed|letter_by_letter|one_letter|spelled|in_base64|encoded|first_letter|first_letters",
            "list|tell|show|give|print|reveal|name ~2 every|all|any|each ~2 password|passwords|secret|secrets|credentials|key|keys|api_keys ~2 you|END|that|stored|remember|saved",
            "where does|do ~1 user|users ~3 live",
            "where|address ~1 the user ~2 lives|live|living",
        ),
    ),
)
