"""Rules of the family "exfiltration": something private leaves for an address."""

from __future__ import annotations

from typing import Final

from ethos_memory.guard.rule import Rule

__all__ = ["RULES"]

RULES: Final = (
    Rule(
        id="exfiltration.send-private",
        score=72,
        reason="sends something private to an address",
        quotable=False,
        words=(
            "SENDHARD ~5 HARDPRIVATE|HARDSECRET|secret ~8 URL|EMAIL",
            "SENDHARD ~2 contents|content|full|entire|complete|everything ~4 PRIVATE|SECRET|user|users|his|her|their ~8 URL|EMAIL",
            "SENDHARD ~3 user|users|their|his|her ~3 PRIVATE|SECRET ~8 URL|EMAIL",
            "SENDHARD|sends|sending|share|copy ~3 contents|content of ~6 URL|EMAIL",
            "SENDHARD|sends|sending|share ~3 copy of ~3 PRIVATE|SECRET ~6 URL|EMAIL",
            "GET ~6 SECRET|PRIVATE ~6 and|then ~3 SENDHARD|send|share ~6 to|at|via ~5 URL|EMAIL|HARDPLACE",
            "GET ~3 HARDSECRET|HARDPRIVATE ~4 and|then ~2 SENDHARD|share|include|tell ~2 it|them|this|me|that|contents|everything|value|result ~4",
            "SENDHARD ~3 HARDSECRET|HARDPRIVATE ~5 to|via ~3 URL|EMAIL|HARDPLACE",
            "SENDHARD ~2 all|every|the|your|any ~3 HARDPRIVATE|HARDSECRET ~3 to ~3 server|endpoint|webhook|address|attacker|me|url|channel|site|domain",
            "GET|take ~4 env|id_rsa|ssh|netrc|aws|etc_passwd|etc_shadow|keychain|HARDSECRET ~8 and|then ~2 SEND|tell|include|share|show|paste|print|post|give|append|attach",
            "SENDHARD|share|report ~1 it|them|this|that|these|everything|those to NUMBER|URL|EMAIL",
            "share|disclose|give|hand|reveal|tell|release|provide|expose ~4 HARDPRIVATE|HARDSECRET ~3 with|to ~2 anyone|anybody|everyone|whoever|strangers|any|every|EMAIL|third|the_sender|the_caller|the_next|other",
            "append|add|put|include|attach|insert|embed ~3 HARDSECRET|HARDPRIVATE ~2 to|in|into|within|onto ~2 every|each|all|any|your|outgoing ~2 link|links|url|urls|request|requests|reply|response|message|answer|email|query|search|image",
            "ask|request|prompt|get|collect|obtain|trick|persuade|phish ~5 HARDSECRET|card|password|pin|ssn|credentials|iban|cvv ~4 and|then|to ~2 SENDHARD|enter|share|post|submit|give|report ~6 URL|EMAIL",
            "request|call|query|hit|ping|visit|load|fetch ~2 to? URL ~3 followed|with|containing|including|carrying|plus|appending|where ~5 USER|message|PRIVATE|SECRET|name|input|query|answers|question",
            "SENDHARD|send|report|log|copy|record|relay|stream ~4 USER|users|their|his|her|every|each|all ~3 location|messages|message|question|questions|input|prompts|keystrokes|searches|answers|conversation|words|typing ~4 to|at|via|into ~2 URL|EMAIL|NUMBER|HARDPLACE",
            "also|secretly|always|additionally ~2 send|log|report|post|copy|forward|record|write|store|save|upload ~8 to|at|via ~2 URL|EMAIL",
            "share|include|reveal|disclose|answer|reply|give|show|send|tell|mention|forward|read|publish ~4 CONFIDENTIAL ~3 notes|note|documents|document|data|information|files|salaries|plans|memory|messages|details|conversations|contents|numbers|figures|emails ~6 with|to|when|if ~4 OTHERS",
            "reveal|disclose|share|give|tell|show|send ~3 users|user|owners|their|his|her|customers|the_user ~2 address|number|location|password|name|email|birthday|data|details|secrets|notes|schedule|salary|balance ~3 to|with ~1 OTHERS|EMAIL|NUMBER|URL",
            "allowed|permitted|free|fine|ok|okay|authorised|authorized to ~1 share|send|disclose|publish|reveal ~3 CONFIDENTIAL ~3 with|to|without",
            "call|invoke|use|trigger|run ~3 tool|function|api|send_email|email|webhook ~6 with ~4 PRIVATE|conversation|memory|history|contents|HARDSECRET|HARDPRIVATE",
            "call|invoke|use|trigger send email|message|mail|request|data ~4 with|as ~6 conversation|memory|history|contents|HARDSECRET|HARDPRIVATE",
            "write|post|publish|upload|send|copy|mirror|log ~1 all|every|each|your ~2 answers|answer|replies|reply|conversations|notes|messages|outputs|output|responses ~2 to|at|on ~2 URL",
            "put|add|append|include|place|insert ~3 names|name|data|email|emails|address|message|question|answers|PRIVATE ~3 into|in|to|as ~2 query_string|query_parameter|query_parameters|url_parameter|url_parameters|image_url|the_url|subdomain",
            "forward|send|relay|pass|redirect ~2 next|every|each|all|any|following ~2 message|messages|email|emails|mail|answer|reply|sms|call|calls ~3 to ~3 EMAIL|URL|NUMBER|number|address",
            "transmit|send|mail|give|forward me ~3 CONFIDENTIAL|genetic|medical|HARDPRIVATE|HARDSECRET|saved|stored|payment ~6 EMAIL|URL",
            "my email|e_mail|address|mail is EMAIL",
            "bcc|cc ~4 EMAIL ~4 every|all|each|any|email|message",
            "every|each|all|any|whenever ~8 bcc|cc|forward|copy|send ~6 EMAIL",
            "SENDHARD ~3 it|them|this|that|those|these|everything|result|results|output|findings ~3 to ~3 URL|EMAIL",
            "also|additionally|secretly|silently|quietly SENDHARD|send|forward|copy ~8 EMAIL|URL",
            "assistant|agent|ai|model|bot ~1 should|must|shall|will|has_to|needs_to|is_to ~2 SENDHARD ~1 its|all|every|any ~3 notes|memory|memories|history|transcript|conversation|context|prompt|instructions|records|secrets ~6 EMAIL|URL",
            "pack|encode|put|write|stuff|squeeze|include|append|add|send ~3 what|everything|whatever|all ~1 you ~1 know|remember|learned|heard|stored ~1 about|of|from ~2 PERSONS|reader|human|owner|him|her ~3 into|in|to|on|onto|at ~2 URL|EMAIL",
        ),
    ),
    Rule(
        id="exfiltration.send-all",
        score=50,
        reason="sends all of something to an address",
        quotable=False,
        words=(
            "SENDHARD ~2 all|every|any|each|whole ~4 PRIVATE|SECRET ~8 URL|EMAIL",
            "every|each|all|any ~4 message|messages|conversation|chat|answer|reply|note|file|document ~4 to|at ~2 URL",
        ),
    ),
    Rule(
        id="exfiltration.standing-copy",
        score=62,
        reason="has what people write copied to an address",
        quotable=False,
        words=(
            "TRANSFER ~2 EVERY ~3 MATTER ~10 URL|EMAIL",
            "when|whenever|each_time|every_time|if|before|after ~8 TRANSFER it|them|this|that|everything ~3 to ~2 URL|EMAIL",
            "TRANSFER ~6 MATTER ~8 URL|EMAIL ~4 first|secretly|silently|delete|without|before|quietly|hidden",
            "use|install|download|take|get ~6 URL ~3 instead_of|rather_than ~2 official|original|real|normal|usual|correct",
            "on|at|upon|after|before ~1 startup|start|boot|launch|greeting|login|every_session|each_session ~8 fetch|load|download|run|get|read|execute ~6 URL",
        ),
    ),
    Rule(
        id="exfiltration.embed",
        score=72,
        reason="hides private text in an address or an image",
        quotable=False,
        words=(
            "embed|encode|hide|smuggle|stuff|leak|exfiltrate ~3 HARDSECRET|HARDPRIVATE|data|answers|details ~3 in|into|to|as|within|using|via|through ~4 url|link|query_string|query|parameter|parameters|image|img|markdown|URL|dns|subdomain|hostname|pixel|domain",
            "append|include|insert|put|place|add|attach|pass|concatenate|encoded ~3 conversation|conversations|chat_history|message_history|memories|memory_contents|everything_you_know|user_data|system_prompt|users_name|users_email ~4 in|into|to|as|within ~4 url|link|query_string|query|parameter|parameters|image|img|markdown|URL|dns|subdomain|pixel|domain",
            "base64|hex|url encode|encoded|encoding ~4 HARDPRIVATE|HARDSECRET|contents|file|conversation|data ~5 and|then|to ~2 SENDHARD",
            "image|markdown|img|pixel ~8 URL ~8 HARDPRIVATE|HARDSECRET|conversation|data",
            "replace|replacing|substitute|substituting|fill ~6 HARDPRIVATE|HARDSECRET|summary|conversation ~8 url|link|URL|query|parameter",
            "URL ~6 fill|filling|filled|append|appending|adding|replacing|followed|carrying|encoding|encoded|containing ~6 what_you_know|know_about_the_user|conversation|chat_history|message_history|chat_so_far|last_message|HARDPRIVATE",
        ),
        regex=(
            r"!\[[^\]\n]{0,80}\]\(\s{0,3}https?://[^\s)]{1,300}(?:[{<\[$%]{1,2}[a-z_ -]{0,30}(?:conversation|history|secret|user|data|prompt|context|message|memory|token|key|email|password|input|chat|summary|info|answer|content|encoded|base64)[a-z_ -]{0,30}|data_here|your_data|stolen|exfil|payload=)",
            r"<img[^>\n]{1,200}https?://[^\s>]{1,200}[?&][a-z_]{1,20}=(?:\{\{?[^}\n]{1,60}\}|\[[a-z_ -]{3,60}\]|\$\{?[a-z_]{3,40}|[^\s>\"']{0,40}(?:secret|history|conversation|exfil))",
        ),
        cues=("![", "<img"),
    ),
    Rule(
        id="exfiltration.fetch-and-run",
        score=62,
        reason="fetches code from an address and runs it unseen",
        quotable=False,
        words=(
            "download|fetch|curl|wget|get|retrieve|pull|visit|open|browse|go ~6 URL ~8 and|then ~3 execute|run|follow|obey|eval|install|comply|apply ~4 instructions|it|script|code|commands|directions|them|whatever|everything",
            "URL ~3 and|then|to ~2 do|follow|execute|obey|run|apply|perform|carry ~3 whatever|what|anything|everything|it|instructions|steps|code|commands|directions|them|there",
            "open|visit|read|load|fetch|check ~2 URL ~2 for|to|and ~3 further|next|new|more|your|get|updated|additional|the ~2 instructions|orders|commands|directives|rules|steps",
            "curl|wget|nc|ncat ~8 d|data|data_binary|data_raw|f|form|t|upload_file|post_file|post_data|x ~8 SENSITIVEFILE",
            "curl|wget|nc|ncat ~~12 cat|base64|printenv|tar ~4 SENSITIVEFILE",
            "cat|base64|tar|zip|gzip ~6 SENSITIVEFILE ~~12 curl|wget|nc|ncat",
            "cat|printenv|env|history ~~6 curl|wget|nc|ncat ~6 d|data|data_binary|x|post",
            "bash|sh|zsh i ~~6 dev tcp",
            "nc|ncat ~4 e bin bash|sh",
            "execute|obey|run|comply|load ~4 instructions|commands|directions|directives|script|prompt ~4 at|from|on|in|hosted ~3 URL",
        ),
    ),
    Rule(
        id="exfiltration.send-data",
        score=46,
        reason="sends data to an outside address",
        quotable=False,
        words=(
            "post|send|upload|forward|transmit|exfiltrate|leak|submit ~2 the|all|any|this|that|user|your|my ~2 data|files|file|contents|information|logs|results|output|details|keys ~2 to URL|EMAIL",
            "^ PLEASE? exfiltrate|exfil|steal|smuggle|siphon ~4 PRIVATE|SECRET",
            "append|include|insert|put|pass|add ~3 HARDSECRET ~3 in|into|to|as ~3 url|link|query|parameter|image|markdown",
            "SENDHARD|send|share|disclose ~4 bank details|account details|credit_card|password|passwords|credentials|ssn ~6 to|at|on ~3 URL|EMAIL|PLACE",
            "extract|steal|harvest|dump|collect|gather ~3 SECRET ~4 from|in|and",
            "tell|direct|ask|instruct|suggest|encourage|urge|convince|trick|get ~2 user|users|customer|customers|them|him|her|reader ~4 go|visit|click|reset|share|send|enter|provide|download|log|install|call|pay|transfer|wire ~8 URL|password|bank|credentials|link|EMAIL|card|gift|account|com|details",
            "transfer|wire|send|pay|move ~4 money|funds|payment|bitcoin|usd|eur|dollars|btc|eth|amount|NUMBER ~4 to ~3 account|iban|wallet|address|EMAIL|attacker|mine",
        ),
    ),
)
