"""Rules of the family "role": text that poses as another speaker or as the frame."""

from __future__ import annotations

from typing import Final

from ethos_memory.guard.rule import Rule

__all__ = ["RULES"]

RULES: Final = (
    Rule(
        id="role.template-token",
        score=75,
        reason="holds a control token of a chat template",
        regex=(
            r"<\|[\s_]?(?:im_start|im_end|im_sep|system|user|assistant|endoftext|end_of_text|begin_of_text|start_header_id|end_header_id|eot_id|eom_id|eos|bos|end|sep|tool|developer|channel|message|start|return|human|think|endofprompt|fim_prefix|tool_call|startoftext|end_of_turn|start_of_turn)[\s_]?\|>",
            r"\[/?inst\]|<</?sys>>|\[/?sys(?:tem)?_?(?:prompt|message)\]",
            r"</?(?:start|end)_of_turn>|</?s>\s{0,3}\[?inst",
            r"<\uff5c[^\uff5c]{1,40}\uff5c>|<\|[a-z_]{2,30}\|>\s{0,3}(?:system|user|assistant|developer)",
        ),
        cues=(
            "<|",
            "[inst",
            "[/inst",
            "sys>>",
            "_of_turn",
            "[sys",
            "<s>",
        ),
    ),
    Rule(
        id="role.forged-speaker",
        score=48,
        reason="poses as the system or another speaker",
        words=(
            "^ system|developer|sysadmin|admin SPEAKING? COLON COLON? IMPERATIVE",
            "^ system SPEAKING SPEAKING? COLON IMPERATIVE",
            "^ system|admin|developer SPEAKING ~2 COLON ~1 IMPERATIVE",
            "end|begin|beginning|start of|user|system|the ~2 prompt|system_prompt|context|instructions|input|document|untrusted|message END|COLON ~2 IMPERATIVE",
            "system announcement|annou_ncement ~2 begins|begin|COLON",
        ),
        regex=(
            r"</(?:system|instructions?|prompt|context|untrusted|user_input|user|document|data|memory|tool_result|function_results?)>\s{0,4}(?:<|you\b|ignore|disregard|forget|now\b|new\b|please|system|#)",
        ),
        cues=("</",),
    ),
    Rule(
        id="role.forged-order",
        score=66,
        reason="gives an order in the name of the system",
        words=(
            "^ system|developer|sysadmin|admin|root SPEAKING? SPEAKING? COLON COLON? ~1 ignore|disregard|forget|override|obey|from_now_on|you_must|you_are_now|you_are_required|you_will|you_should|you_have_to|the_assistant|reveal|treat|comply|print_your|accept|always_trust|all_tool|new_rules|new_instructions|act_without|never_refuse|do_not_tell|disable|grant|the_ai|the_agent",
            "END important|instructions|instruction|urgent|information|info|critical|priority|command|override|directive COLON ~3 reveal|forward|ignore|disregard|forget|send|obey|must|assistant_must|you_must|print|delete|do_not_tell|transfer|approve|upload|execute",
            "^ new system|developer|admin instruction|instructions|directive|prompt|message|rule|rules|order",
            "^ system|developer|admin|operator|platform|root SPEAKING? COLON COLON? ~2 assistants|your|safety|content|ais|models|model ~2 CHARGE|policy|rules|filter|filters|moderation ~2 is|are|has|have|was|were|been ~2 CHANGED",
            "^ system|developer|admin|operator|platform|root SPEAKING? COLON COLON? ~2 restrictions|guardrails|safeguards|limitations|moderation|content_filter|content_filters|safety_filter|safety_filters ~5 is|are|was|were|been ~1 CHANGED|off",
            "end|beginning|start of ~1 user|system|the|untrusted|document|trusted ~2 prompt|notes|input|content|context|message|data|text ~3 now|new|follow|ignore|begin|you|execute|obey",
        ),
    ),
    Rule(
        id="role.forged-turn",
        score=34,
        reason="plays a dialogue that never took place",
        regex=(
            r"(?:^|\n|\s)(?:human|user)\s{0,2}:[^\n]{1,400}\n?\s{0,3}(?:assistant|ai|chatgpt|bot)\s{0,2}:[^\n]{1,200}(?:human|user)\s{0,2}:",
            r"human:\s{0,3}human:|\[(?:chatgpt|gpt|dan|jailbreak|antigpt|classic|developer mode output|🔒classic|🔓jailbreak)[^\]\n]{0,20}\]\s{0,2}:?|[\[\"*](?:chatgpt|dan|antigpt|gpt)\s{0,2}:",
        ),
        cues=(
            "human:",
            "[chatgpt",
            "chatgpt:",
            "[gpt",
            "[dan",
            "antigpt",
            "[classic",
            "dan:",
        ),
    ),
    Rule(
        id="hidden.markup",
        score=45,
        reason="hides text from a reader of the page by its style",
        regex=(
            r"(?:display\s{0,2}:\s{0,2}none|visibility\s{0,2}:\s{0,2}hidden|font-size\s{0,2}:\s{0,2}0(?:\.\d)?(?:px|pt|em|%)?\b|opacity\s{0,2}:\s{0,2}0(?:\.0)?\b|color\s{0,2}:\s{0,2}(?:white|#fff(?:fff)?|transparent)\b|left\s{0,2}:\s{0,2}-\d{3,5}px)[^\n<>]{0,80}>[^<\n]{12,400}",
        ),
        cues=(
            "display:",
            "visibility:",
            "font-size:",
            "opacity:",
            "color:",
            "display :",
        ),
        quotable=False,
    ),
)
