"""Rules of the family "persistence": the line wants to stay, spread or widen rights."""

from __future__ import annotations

from typing import Final

from ethos_memory.guard.rule import Rule

__all__ = ["RULES"]

RULES: Final = (
    Rule(
        id="persistence.write-memory",
        score=64,
        reason="has instructions written into memory or a start file",
        words=(
            "REMEMBER ~2 this|these|those|following|that ~2 instruction|instructions|rule|rules|directive|directives|prompt|command|commands|line|lines|text|message|paragraph|payload|block|sentence ~5 MEMORYFILE|FOREVER",
            "REMEMBER ~2 this|these|those|following ~2 instruction|instructions|directive|directives|prompt|command|commands|orders|rule|rules $",
            "REMEMBER ~3 to|in|into|inside|at ~2 your|own|the|its ~2 memory_md|user_md|soul_md|agents_md|claude_md|system_prompt|identity_md|memory_file|memory_files|long_term_memory|core_memory|persistent_memory ~8 so_that|that|which|and|always|FOREVER|every|all|must|COLON",
            "copy|reproduce|replicate|propagate|spread|repeat|forward|paste|include|carry ~3 this|itself|yourself|these ~3 instruction|instructions|message|prompt|text|note|line|memory|entry ~6 every|all|other|any|each|next|new|into ~2 agent|agents|memory|memories|file|files|page|pages|session|sessions|document|documents|email|emails|message|messages|conversation|contact|contacts|response|reply|output",
            "copy|repeat|paste|reproduce|include|add|insert|append|put|write|carry|place|embed this|these|the_following ~1 NOTE ~4 in|into|to|on|at|across ~2 each|every|all|any|other|whatever|new ~2 page|pages|file|files|note|notes|memory|memories|document|documents|reply|session|sessions|profile|profiles|message|messages|email|emails|agent|agents|repo|project|conversation|summary",
            "if|when|whenever|should ~2 this|these ~1 NOTE ~3 deleted|removed|missing|lost|gone|erased|cleared|dropped|overwritten ~4 recreate|restore|rewrite|add|write|put|insert|bring|append",
            "add|restore|write|append|put|insert this|these ~1 NOTE ~8 whenever|if|when it|this|they ~2 missing|deleted|removed|gone",
            "make|turn|keep|treat ~2 this|these|following ~1 NOTE ~2 part|a_part|as_part of|in ~1 your ~3 memory|core|system|instructions|identity|personality",
            "keep|preserve|retain|repeat|carry|maintain this|these|the_following ~1 NOTE ~3 word_for_word|verbatim|unchanged|intact|exactly|as_is|forever|permanently",
            "tell|instruct|convince|get|ask|order|make|persuade ~2 other|all|every|any|fellow ~2 agents|assistants|models|bots|ais|agent|instances|sessions ~4 to|adopt|follow|obey|ignore|rule|that",
            "pass|send|forward|relay|spread|hand|broadcast this|these ~1 NOTE ~2 on|to|along ~4 every|each|all|other|any|next ~2 assistant|agent|model|contact|contacts|user|users|recipient|recipients|agents|assistants|person|people|session",
            "save|store|persist|keep|memorize|record|commit|install these|this|the_following ~1 NOTE ~3 permanently|forever|for_good|for_ever ~4",
            "load|apply|execute|run|obey|follow ~2 them|it|this|these ~2 before|first ~2 anything|everything|any|every ~1 else|other|reply|task",
            "modify|edit|overwrite|rewrite|alter|change|update|replace your|your_own ~2 system_prompt|instructions|guidelines|programming|soul_md|personality|safety_rules|core_instructions ~5 to|so|and|with|COLON|by",
        ),
    ),
    Rule(
        id="persistence.for-ever",
        score=44,
        reason="binds all later sessions",
        words=(
            "remember|persist|store|save|retain|keep|memorize|apply|follow|obey|enforce this|these|it|that|the_following ~2 instruction|instructions|rule|rules|directive|for|in|across|permanently|forever|always|as ~3 FOREVER|permanently|forever|session|sessions|conversations",
            "persist|store|save|keep|memorize|install this|these|it|them|following ~1 instructions|instruction|directive|rule|prompt ~1 permanently|forever",
            "remember this for ~1 all|every|future",
            "FOREVER ~3 treat|trust|consider|accept|obey|regard ~5 as|without|from|any|all|every ~4 trusted|authorized|authorised|safe|true|admin|owner|approved|instruction|instructions|valid|verified|authoritative|legitimate|command|commands|correct",
            "at|in|on|during|before ~1 beginning|start|top|outset|end of ~1 every|each|any|all ~2 conversation|session|chat|reply|turn|day ~3 run|execute|call|send|fetch|post|download|invoke ~3 command|script|code|this|following|URL|it|tool|curl|below",
            "treat|consider|regard|accept ~8 as ~2 coming|from|if|though|orders|by ~4 from|owner|admin|administrator|system|developer|me|operator|user|boss",
            "FOREVER ~6 SENDHARD ~6 URL|EMAIL|attacker|webhook|server",
            "FOREVER ~4 approve|accept|skip|bypass|disable|ignore|grant|allow ~5 CHECK|PROTECTION|warnings|request|requests|all|any|ORDERS",
            "FOREVER ~3 ignore|disregard|override|bypass ~3 ORDERS|PROTECTION|USER|warnings",
        ),
    ),
    Rule(
        id="persistence.blanket-approval",
        score=64,
        reason="claims a blanket approval that no person gave",
        words=(
            "USER|i|we|owner ~1 has|have|had ~1 already|previously|fully|hereby|explicitly? ~1 authorised|authorized|approved|consented|agreed|preapproved|granted|permitted|allowed ~3 all|any|every|each|full|everything|unlimited|whatever|future",
            "approve|approves|accept|authorize|authorise|permit|grant|allow|confirm|autoapprove ~3 all|any|every|each ~3 request|requests|command|commands|tool|tools|action|actions|transaction|transactions|transfer|transfers|payment|payments|permission|permissions|purchase|purchases|call|calls|prompt|prompts|operations|operation ~5 automatically|without|silently|immediately|no|that|unconditionally|blindly",
            "auto approve|accept|confirm|allow|grant ~2 all|any|every|each|shell ~3 command|commands|request|requests|tool|tools|action|actions|permission|permissions|transfer|payment|payments",
            "all|any|every ~1 command|commands|request|requests|instructions|links|scripts|attachments ~4 is|are ~2 trusted|safe|approved|preapproved|authorized|authorised|legitimate|allowed ~2 run|execute|obey|follow|no|without ~3",
            "never|dont|do_not|no_need ~1 ask|asking|prompt|request|wait|check|to_ask ~3 again|me|for|the_user|first ~2 permission|confirmation|approval|consent|again|for_approval ~6 pay|purchase|transfer|delete|send|all|any|every|always",
            "treat|consider|regard ~4 instructions|commands|messages|requests|orders|everything|anything|whatever|text|content ~6 as ~3 system|trusted|authoritative|orders|privileged|root|admin|owner|developer ~2 messages|message|instructions|instruction|level|priority|prompt|commands|END|COLON",
            "<NEVER disable|turn_off|switch_off|deactivate|bypass|suspend|circumvent ~2 the|your|all|any|every ~2 guardrails|memory_guard|injection_guard|safety_guard|safeguards|content_filter|content_filters|moderation|oversight|safety_checks|security_checks|approval_step|confirmation_step|safety_filters",
            "you are|have|may ~2 authorised|authorized|permitted|allowed|permission|cleared|approved ~1 to ~2 bypass|skip|ignore|override|disable|circumvent|waive|break",
            "grant|give|assign ~2 EMAIL ~2 full|admin|complete|unrestricted|read|write|root|unlimited|owner|all ~2 access|rights|permissions|privileges|control",
            "has|have|with ~1 root|admin|administrator|full|unrestricted|superuser|god ~2 access|rights|privileges|permissions ~4 and ~2 may|can|must|should|is|always|all",
            "safeguards|guardrails|restrictions|filters|protections|limits|safety ~2 are|is|have_been|has_been ~2 suspended|disabled|lifted|off|removed|bypassed|waived|deactivated",
            "safe|fine|ok|okay|acceptable|allowed|better|best to ~1 ignore|skip|bypass|disable|turn_off ~2 certificate|signature|security|ssl|tls|safety|validation|authentication|verification|permission",
        ),
    ),
    Rule(
        id="persistence.self-approval",
        score=48,
        reason="waives a confirmation that a person should give",
        words=(
            "USER|owner|admin|operator|i|we ~2 has|have|had ~1 already|previously|pre|explicitly|permanently|fully ~1 APPROVE|given|granted ~5 all|any|every|this|these|to|for|full|permission|access|consent|actions|tool|everything|future",
            "APPROVE ~4 all|any|every|each ~3 request|requests|command|commands|tool|tools|action|actions|transaction|transactions|transfer|transfers|payment|payments|permission|permissions|pr|prs|pull|change|changes|access|call|calls ~5 automatically|without|silently|immediately|no|from|by",
            "auto|automatically|silently|always approve|accept|allow|grant|authorize|permit|trust|preapproved ~3 all|any|every|request|requests|command|commands|tool|action|actions|permission|permissions|transfer|transfers|shell|payment|payments|purchases",
            "run|execute|perform|proceed|approve|install|delete|send|transfer|act|deploy|push|merge|grant|pay ~5 without ~2 CHECK",
            "CHECK ~1 is|are|was ~1 not|no|never|already|unnecessary|waived|required|needed ~2 required|needed|necessary|given|granted|waived|implied|for",
            "no ~1 CHECK ~2 required|needed|necessary|is|for",
            "<NEVER skip|bypass|waive|disable|ignore|suppress|omit ~3 CHECK ~2 prompt|prompts|step|steps|dialog|dialogs|for|when|and|gate|gates|entirely",
            "<NEVER DISABLE ~2 all|any|your|every ~2 PROTECTION",
            "DISABLE|stop ~1 safety|security|injection_guard|memory_guard|content_filter|content_filters|audit_log|sandbox|moderation|guardrails|antivirus ~2 checks|filters|rules|logging|guard|measures|protocols|protections|for|before|when|and|mechanisms|features",
            "PROTECTION COLON disabled|off|false|none|bypassed|suspended",
            "PROTECTION|policies|policy ~2 are|is|have|has ~2 suspended|disabled|lifted|deactivated|off|bypassed|waived|removed|deprecated|inactive",
            "treat ~4 message|messages|instruction|instructions|content|output|text|command|commands|anything|request|requests|email|emails|page|pages|result|results|data|user|input ~5 as ~3 trusted|system|instruction|instructions|authoritative|command|commands|verified|owner|admin|privileged|highest|safe|truth|orders|authorized",
            "trust ~3 all|any|every|everything ~4 from ~3 URL|EMAIL|unconditionally|without|blindly|domain|user|sender",
            "USER|account|sender|i|user has|have|is|am ~2 admin|administrator|root|full|unrestricted|elevated|superuser|owner|developer|god ~2 access|rights|privileges|permissions|mode|user|status|clearance ~5 and|so|all|always|grant|bypass|no|do|without|follow|obey|to",
            "grant ~3 access|permission|permissions|admin|root|privileges ~5 to ~3 EMAIL|attacker|everyone|anyone|me|public",
            "<NEVER add ~4 EMAIL|key|user|account ~3 as|to ~2 admin|administrator|owner|collaborator|authorized_keys|sudoers|allowlist|trusted|root",
        ),
    ),
    Rule(
        id="persistence.tool-steering",
        score=50,
        reason="ties an unrelated act to every tool call or message",
        words=(
            "before|after|whenever|when|on|during|prior_to ~3 any|every|each|all|calling|using|invoking|running ~3 tool|tools|call|calls|command|commands|request|task|response|message|reply|session|query ~6 SENDHARD|read|call|execute|run|curl|fetch|append|include|first|also ~6 URL|EMAIL|SECRET|PRIVATE|contents|id_rsa|ssh|env",
            "must|always|first|should call|invoke|use|run|execute ~4 tool|function|command ~4 before|first|with ~5 SECRET|PRIVATE|contents|conversation|ssh|id_rsa|sidenote|file",
            "pass|provide|put|include|send|add ~4 contents|content|conversation|SECRET|PRIVATE ~4 as|in|into|to ~3 sidenote|parameter|argument|field|note|header|notes|comment|description ~3",
            "do_not|never|dont use ~4 other|any|official|built_in ~3 tool|tools ~4 instead|only|always|use",
        ),
    ),
    Rule(
        id="persistence.poisoned-lesson",
        score=52,
        reason="teaches an unsafe habit as experience",
        words=(
            "best|good|correct|right|proper|efficient|successful|proven|recommended|standard practice|approach|way|method|solution|pattern|procedure|strategy|workflow|lesson ~8 skip|skipping|bypass|bypassing|disable|disabling|ignore|ignoring ~4 validation|verification|checks|tests|authentication|authorization|security|confirmation|ssl|tls|approval|auth|review|safety|warnings|sanitization",
            "<NEVER skip|skipping|bypass|bypassing|disable|disabling ~3 validation|verification|authentication|authorization|security|confirmation|approval|safety|permission|integrity ~3 checks|check|steps|step|entirely|always|to_save_time|faster|for_speed|and_proceed|completely|gates",
            "<NEVER skip|skipping|disable|disabling|turn_off|turning_off|bypass|bypassing|ignore|avoid ~4 checks|validation|tests|review|authentication|safety|safeguards|verification|approvals ~8 push|deploy|proceed|straight|entirely|production|always|merge|ship|saves|faster|alike",
            "fail|fails|failed|failing ~3 mark|report|record|claim|log ~3 passed|passing|success|successful|green|done",
            "running|run|execute|executing ~3 commands|code|scripts ~3 from ~3 comments|issues|issue|web|emails|strangers|messages|pages ~4 without|as_root|directly",
            "in_the_past|previously|last_time|worked|succeeded|success|learned|lesson ~8 without ~2 verification|validation|CHECK|checks|backup|authentication",
        ),
    ),
)
