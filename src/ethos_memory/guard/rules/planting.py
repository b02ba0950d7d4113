"""Rules of the family "planting": words, links or code are put into the reader's work."""

from __future__ import annotations

from typing import Final

from ethos_memory.guard.rule import Rule

__all__ = ["DANGEROUS", "PLANTED", "RULES"]

#: The rule whose hit makes the code that follows worth a look.
PLANTED: Final = "planting.code"

#: What code does that sends, runs, watches or destroys. Looked for only in code that a
#: line before it wants planted: by itself it is everyday code.
DANGEROUS: Final = (
    r"requests\.(?:post|put|get)|urlopen|urllib|http\.client|socket\b|smtplib|ftplib|paramiko|telnet"
    r"|subprocess|os\.(?:system|popen|remove|fork|environ|kill)|\bexec\(|\beval\(|pickle\.loads|base64"
    r"|rm -rf|shutil\.rmtree|\bdd if=|mkfs|chmod|crontab|curl |wget |\bnc |\bscp |\bssh "
    r"|pynput|keyboard|clipboard|imagegrab|pyautogui|screenshot|sounddevice|cv2|psutil|platform\."
    r"|winreg|wmi|ctypes|scapy|iptables|ipconfig|netstat|fernet|cryptograph|/etc/|\.ssh|cookie|mqtt"
)

RULES: Final = (
    Rule(
        id="planting.in-replies",
        score=63,
        reason="plants words of its own into the reader's replies",
        words=(
            "PLANT ~3 a|an|the|this|that|some|any|one ~4 PAYLOAD ~3 in|into|to|within|of|at|on|with ~3 your|every|each|all|its|any ~2 AIREPLY",
            "PLANT ~8 PAYLOAD ~8 in|into|to|within|of|at|on|with ~2 your|every|each|all|its ~2 AIREPLY",
            "in|within|into|throughout|at|during ~3 your|every|each|all|any ~2 AIREPLY ~2 PLANT|suggest|say|allude|hint|refer|encourage|promote|advise|urge|tell ~8 PAYLOAD",
            "in|within ~1 your AIREPLY ~1 mention|suggest|promote|hint|refer",
            "modify|alter|adjust|augment|enhance|tweak|enrich|change|adapt|revise your ~1 AIREPLY ~1 to|by|with",
            "add|integrate|incorporate|insert|weave|slip|sneak|work|drop ~2 sentence|statement|line|claim|teaser|plug|phrase|remark|mention|note|comment|reference|paragraph|hint ~8 your ~1 AIREPLY",
            "add|insert|append|include COLON? ~12 URL ~8 to|in|into|at ~3 your|every|each|all ~2 AIREPLY",
            "include|mention|insert|add ~1 in your AIREPLY ~1 that|a|an|our|the|about|how",
            "work|slip|weave|sneak|drop|insert|fit|smuggle ~3 mention|reference|plug|ad|advert|link|word|nod|advertisement|endorsement ~6 in|into|to|at ~3 every|each|your|all|the|any ~4 REPLY|paragraph|section|line",
            "tell|inform|warn|remind|notify|convince|advise|assure ~1 users|user|the_user|customers|readers|everyone|them|people|visitors|reader|customer|all_users that|their|your ~8 password|log_in|login|locked|suspended|compromised|expired|URL|call|pay|refund|click|visit|account",
            "state|claim|say|declare|assert|pretend ~1 in your AIREPLY that",
            "in your ~1 AIREPLY ~1 state|claim|declare|assert|pretend|insist|add that",
            "add|insert|put|append|include|attach ~2 footer|banner|image|pixel|signature|advert|ad|postscript|link|watermark|tagline|invitation ~4 ADVERT|advertising|promoting|URL ~8 to|in|into|at|on|of|for ~2 whatever|everything|every|each|all|any ~3 you|REPLY|page|document|write|produce|report",
            "add|insert|put|append|include|attach ~4 image|pixel|img|link ~3 URL ~4 every|each|all|any|whatever ~2 REPLY|page|document|report|message|file",
            "sign|close|end|finish|conclude|open|start ~1 each|every|all|your|any ~2 REPLY|mail|letter|e ~3 with|by ~8 PAYLOAD|URL|donate|invitation|wallet|webinar",
            "urge|urging|urges|encourage|encouraging|push|nudge|steer|lure ~3 reader|user|users|them|people|customers|readers ~3 to|towards|into ~2 donate|buy|click|visit|subscribe|invest|pay|call|download|sign|log|enter|wallet|purchase|vote",
            "change|alter|replace|swap|substitute|modify|falsify ~2 amount|iban|account_number|recipient|payee|wallet_address|total|figures|price|address|bank_account ~3 to|with|by|for ~3 NUMBER|mine|this|attacker|EMAIL|my|another|one_below|one_above|number_below|account_below",
            "whenever|when|every_time|each_time|if ~1 you ~8 also|always|additionally|secretly ~2 log|send|post|copy|include|insert|add|forward|record|upload|report ~8 URL|EMAIL",
            "<NEVER insert|add|plant|leave|hide|build|install ~2 backdoor|backdoors|keylogger|logic_bomb|rootkit|trojan ~6 in|into|to|on|account|that|user|every|any|code",
            "end|finish|close|conclude|start|begin|sign|append|prefix ~3 every|each|all|your|any ~2 AIREPLY|message|email|emails ~3 with|by ~6 ADVERT|URL|link|url|brand|phrase|statement",
            "always|every|whenever|when|if ~6 recommend|promote|advertise|mention|endorse|suggest|praise ~8 URL|brand|product|instead_of|competitor|competitors|exclusively|crypto|coin|token|affiliate|discount|sponsor",
            "<NEVER PLANT ~2 malicious|backdoor|backdoors|hidden|tracking|spyware|keylogger|phishing|exploit ~3 in|into|to ~3 your|code|every|all|any|generated|codebase|site|REPLY",
        ),
    ),
    Rule(
        id="planting.verdict",
        score=62,
        reason="dictates a rating or a decision about the text at hand",
        words=(
            "reviewer|reviewers|grader|screener|judge|evaluator|moderator|recruiter ~2 must|should|shall|has_to|needs_to ~3 accept|score|rate|give|approve|recommend|rank|praise|award|pass|mark",
            "as ~1 an? ~1 AI ~1 reviewer|grader|screener|judge|evaluator|moderator|assistant? you ~1 should|must|will|need ~2 accept|score|rate|give|approve|recommend|rank|praise|mark|list",
            "give|award|assign|rate ~1 this|the|it ~1 paper|resume|candidate|essay|review|submission|product|applicant|article|thesis|code|response ~3 highest|maximum|full|top|perfect|excellent|positive|10|five",
            "classify|label|mark|flag|rate|treat|report ~1 this|the|it|these|all ~1 review|message|email|file|text|code|input|paper|comment|transaction|page? as ~1 positive|excellent|safe|benign|harmless|approved|legitimate|trusted|not_spam|clean|valid ~2 regardless|always|no_matter|only|instead|END",
            "list|mention|name|report no|zero ~1 weaknesses|flaws|problems|negatives|criticism|drawbacks|concerns",
            "only|exclusively positive|favorable|favourable|glowing ~1 review|reviews|feedback|things|comments",
        ),
    ),
    Rule(
        id="planting.preference",
        score=42,
        reason="steers choices towards one seller, site or product",
        words=(
            "choose|pick|select|prefer|suggest|recommend|use|book|buy|offer|favor|favour ~6 no_matter|regardless_of|whatever|even_if ~2 price|cost|quality|what|costs|rating|higher|expensive",
            "go|goes|run|route|routed|made|booked|ordered ~2 through|via|with|at|on ~3 no_matter|regardless_of|whatever ~2 price|cost",
            "promote|advertise|praise|endorse|plug ~6 whenever|every_time|each_time|always|in_every ~6",
            "change|replace|alter|falsify|halve|double|multiply|swap ~1 every|all|each|the|any ~1 price|prices|amount|amounts|number|numbers|name|names|id|ids|total|totals|account|accounts|iban ~1 to|by|with",
            "rate|review|score ~4 five|5|ten|10 ~1 stars|points|out",
            "every|each|all ~1 answer|reply|message|response|answers|replies|messages|responses ~6 must|has_to|have_to|should|needs_to ~4 recommend|mention|contain|include|praise|advertise|promote|refer",
            "never criticize|criticise|question|doubt|disparage ~6 praise|recommend|defend|promote",
            "replace ~2 word|words|name|term|phrase ~4 by|with ~4 everything|all|every|each|whatever|always",
            "deactivate|disable|turn_off|switch_off ~2 spam|virus|phishing|safety|content|security ~1 filter|filters|checks|scanner|protection",
        ),
    ),
    Rule(
        id="planting.code",
        score=40,
        reason="plants code into the reader's work",
        words=(
            "CODEBLOCK ~2 FOLLOWING ~3 in|into|to|within|as ~3 your ~2 CODEBASE",
            "PLANT|use|blend|merge|fuse|embed ~2 FOLLOWING ~1 CODEBLOCK ~2 to|in|into|within ~2 every|each|all|any|your ~2 CODEBASE|script|scripts|file|files|function|page",
            "FOLLOWING|next ~1 CODEBLOCK ~10 your|the ~3 CODEBASE|answer|response|algorithm|solution",
            "your ~3 CODEBASE ~8 FOLLOWING CODEBLOCK",
            "PLANT|utilize|utilise|use|merge|leverage|employ|fuse|infuse|meld|adopt|combine|consider|execute|render|harness|deploy|implement|assimilate|unite|consolidate|apply|fold|embedding|integrating|incorporating|adding|including|using ~3 FOLLOWING code ~1 block|snippet|section|segment|excerpt|fragment|portion",
        ),
    ),
    Rule(
        id="planting.lie",
        score=40,
        reason="asks for a false statement about the text at hand",
        words=(
            "COLON|state|say|print|output|claim|display|declare ~3 your account|computer|device|password|pc|system has|is|was been|compromised|hacked|infected|locked|expired|suspended|blocked",
            "hypothetical|parallel|fictional|alternate|imaginary|dystopian|imagine ~12 might|could|would|may|say|we ~4 state|say|output|be|is",
            "spread|promote|generate|create|make_up|invent|fabricate ~3 false|fake|misleading|baseless|untrue|misinformation|disinformation|propaganda|rumor|rumors|lies|conspiracy ~4",
            "i admit to using",
        ),
    ),
)
