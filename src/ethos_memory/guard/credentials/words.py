"""What people call a password, a key or a PIN, and how they say what it is.

A keyword is found by a literal in the text in lower case, then matched whole from
there. Adding a language is one row in `KEYWORDS` and its verbs in `LINK`.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from attrs import field, frozen

__all__ = ["CONDITION", "HEADS", "KEYWORDS", "LINK", "NO_SECRETS", "Family", "Keyword"]

#: How a value is judged: a password may be anything, a token must look generated, a
#: bare key must look random, a key with a name of its own less so, a PIN is digits, a phrase is words, a login is a pair.
Family: TypeAlias = Literal[
    "password", "token", "key", "joined", "pin", "code", "phrase", "login"
]


#: The ASCII words behind which letters alone are taken for the secret. Each costs a
#: search of every line, so that only the most spoken languages have one.
_PLAIN: Final = (
    "pass", "pwd", "secret", "phrase", "mnemonic", "seed words", "contrase", "senha",
    "kennwort", "wachtwoord", "parol",
)  # fmt: skip


@frozen
class Keyword:
    """A word that a secret follows.

    Attributes:
        needle: What is looked for in the text in lower case.
        pattern: The whole word from the needle on, in lower case.
        family: How a value is judged.
        kind: What the secret is called in its marker.
        is_glued: True when the word may end a longer one, as in ``dbpassword``.
    """

    needle: str
    pattern: str
    family: Family
    kind: str
    is_glued: bool = field(default=False, kw_only=True)

    @property
    def is_common(self) -> bool:
        """Whether letters alone are looked for behind it without a colon or quote."""
        return self.needle in ("pass", "secret", "phrase", "mnemonic")

    @property
    def needles(self) -> tuple[str]:
        """The needle, as shapes and forms have theirs."""
        return (self.needle,)

    @property
    def is_plain(self) -> bool:
        """Whether the secret may be letters alone."""
        if self.needle.isascii() and self.needle not in _PLAIN:
            return False
        return self.family in ("password", "phrase") or self.kind == "secret"


_ENDING: Final = r"\w{0,5}"

KEYWORDS: Final = (
    Keyword(
        "pass",
        r"pass(?:words?|wd|w(?:ort|örter)|phrases?|codes?|ord(?:et)?|[ -]phrase)?",
        "password",
        "password",
        is_glued=True,
    ),
    Keyword("pwd", r"pwd", "password", "password", is_glued=True),
    Keyword("pw", r"pw", "password", "password"),
    Keyword("psk", r"psk", "password", "password"),
    Keyword("shared key", r"shared key", "password", "password"),
    Keyword("kennwort", r"kennwort", "password", "password", is_glued=True),
    Keyword("schlüssel", r"schlüssel", "token", "key", is_glued=True),
    Keyword("mot de passe", r"mot de passe", "password", "password"),
    Keyword("mdp", r"mdp", "password", "password"),
    Keyword("contrase", r"contrase(?:ñ|n|n\u0303)as?", "password", "password"),
    Keyword("clave", r"clave(?: wi-?fi| secreta| de acceso)?", "password", "password"),
    Keyword("clave", r"clave (?:de )?(?:la )?api", "token", "api key"),
    Keyword("clé", r"clé (?:d['’])?(?:api|accès|secrète)", "token", "api key"),
    Keyword("chave", r"chave (?:de |da )?(?:api|acesso)", "token", "api key"),
    Keyword("chiave", r"chiave (?:api|di accesso|segreta)", "token", "api key"),
    Keyword("senha", r"senha", "password", "password"),
    Keyword("palavra-passe", r"palavra-passe", "password", "password"),
    Keyword("parol", rf"parol[aăa]{_ENDING}", "password", "password"),
    Keyword("wachtwoord", r"wachtwoord", "password", "password", is_glued=True),
    Keyword("lösenord", rf"lösenord{_ENDING}", "password", "password", is_glued=True),
    Keyword("adgangskode", rf"adgangskode{_ENDING}", "password", "password"),
    Keyword("salasana", rf"salasana{_ENDING}", "password", "password", is_glued=True),
    Keyword("hasł", rf"hasł[oa]{_ENDING}", "password", "password"),
    Keyword("hesl", rf"hesl[oa]{_ENDING}", "password", "password"),
    Keyword("jelsz", rf"jelsz[óa]{_ENDING}", "password", "password"),
    Keyword("lozink", rf"lozink{_ENDING}", "password", "password"),
    Keyword("şifre", rf"şifre{_ENDING}", "password", "password"),
    Keyword("sandi", r"sandi", "password", "password"),
    Keyword("mật khẩu", r"mật khẩu", "password", "password"),
    Keyword("nenosiri", r"nenosiri", "password", "password"),
    Keyword("κωδικ", rf"κωδικ[όο]ς?{_ENDING}", "password", "password"),
    Keyword("парол", rf"парол{_ENDING}", "password", "password"),
    Keyword("токен", rf"токен{_ENDING}", "token", "token"),
    Keyword("ключ", rf"ключ{_ENDING}", "token", "key"),
    Keyword("パスワード", r"パスワード", "password", "password", is_glued=True),
    Keyword("暗証番号", r"暗証番号", "pin", "pin", is_glued=True),
    Keyword("トークン", r"トークン", "token", "token", is_glued=True),
    Keyword("キー", r"キー", "token", "key", is_glued=True),
    Keyword("密码", r"密码", "password", "password", is_glued=True),
    Keyword("密碼", r"密碼", "password", "password", is_glued=True),
    Keyword("口令", r"口令", "password", "password", is_glued=True),
    Keyword("密钥", r"密钥", "token", "key", is_glued=True),
    Keyword("密鑰", r"密鑰", "token", "key", is_glued=True),
    Keyword("令牌", r"令牌", "token", "token", is_glued=True),
    Keyword("비밀번호", r"비밀번호", "password", "password", is_glued=True),
    Keyword("암호", r"암호", "password", "password", is_glued=True),
    Keyword("패스워드", r"패스워드", "password", "password", is_glued=True),
    Keyword("토큰", r"토큰", "token", "token", is_glued=True),
    Keyword("كلمة", r"كلمة (?:ال)?(?:مرور|سر)", "password", "password"),
    Keyword("الرقم السري", r"الرقم السري", "password", "password"),
    Keyword("סיסמ", r"סיסמ[האת]{1,2}", "password", "password", is_glued=True),
    Keyword("رمز", r"رمز (?:عبور)?", "password", "password"),
    Keyword("گذرواژه", r"گذرواژه", "password", "password"),
    Keyword("पासवर्ड", r"पासवर्ड", "password", "password"),
    Keyword("পাসওয়ার্ড", r"পাসওয়ার্ড", "password", "password"),
    Keyword("கடவுச்சொல்", r"கடவுச்சொல்", "password", "password"),
    Keyword("รหัสผ่าน", r"รหัสผ่าน", "password", "password", is_glued=True),
    Keyword("token", r"tokens?", "token", "token"),
    Keyword("secret", r"secrets?", "token", "secret"),
    Keyword("key", r"keys?", "key", "api key"),
    Keyword("pin", r"pin(?:[ -]?(?:code|number|kod|nummer|koden))?s?", "pin", "pin"),
    Keyword("пин", r"пин(?:-?код)?", "pin", "pin"),
    Keyword("otp", r"otp(?: code)?", "pin", "one-time code"),
    Keyword("code", r"codes?", "code", "access code"),
    Keyword("phrase", r"phrases?", "phrase", "seed phrase"),
    Keyword("mnemonic", r"mnemonics?", "phrase", "seed phrase"),
    Keyword("seed words", r"seed words", "phrase", "seed phrase"),
    Keyword("login", r"logins?", "login", "password"),
    Keyword("cred", r"cred(?:ential)?s", "login", "password"),
    Keyword("wifi", r"wifi", "login", "password"),
    Keyword("wi-fi", r"wi-fi", "login", "password"),
    Keyword("wlan", r"wlan", "login", "password"),
    Keyword("zugangsdaten", r"zugangsdaten", "login", "password"),
    Keyword("identifiants", r"identifiants", "login", "password"),
)

_KEY_HEADS: Final = """
    api access secret private auth signing encryption master account deploy role app
    application admin client storage openai anthropic stripe subscription webhook
    integration bot license licence activation write shared billing service
"""
_CODE_HEADS: Final = """
    backup recovery 2fa mfa factor two-factor one-time door gate alarm entry access
    security safe unlock verification lock garage emergency scratch login sim puk
    keypad voicemail
"""
_NO_KEYS: Final = """
    public primary foreign cache sort partition index object session dedupe group
    idempotency row lookup map hot short translation i18n composite redis dict json
    yaml config sorting react join unique compound bucket schema sequence natural
    package event message routing
"""
_NO_TOKENS: Final = """
    page next continuation cursor sync design css color max min num total input
    output prompt completion special stop pad bos eos unk sep cls mask erc20 no any
    each per hash hashed without footer invalid public publickey csrf xsrf
"""

#: What makes a bare ``key`` an API key, a ``code`` an access code, a ``phrase`` a seed
#: phrase, and lets a ``token`` stand glued: how the words directly before it end.
HEADS: Final[dict[str, tuple[str, ...]]] = {
    "key": tuple(_KEY_HEADS.split()),
    "code": tuple(_CODE_HEADS.split()),
    "phrase": ("seed", "recovery", "mnemonic", "secret", "backup", "wallet"),
    "token": ("api", "auth", "access", "bot", "refresh", "bearer"),
}

#: Names that end like a secret's and hold none: the word directly before the keyword.
NO_SECRETS: Final[dict[str, tuple[str, ...]]] = {
    "key": tuple(_NO_KEYS.split()),
    "token": tuple(_NO_TOKENS.split()),
    "password": ("no", "any", "each", "per", "hash", "hashed", "without", "invalid"),
}

#: What may follow a keyword inside a name: ``PASSWORD_PROD``, ``api_key_2``.
_TAIL: Final = (
    r"(?:[_-](?:prod|production|dev|development|staging|stage|test|live|main|primary|"
    r"secondary|local|backup|new|old|default|v?\d{1,2}|base64|b64|plain)|[_-]?(?:string|value|text))?"
)
_CLOSE: Final = r"[\\\"'`“”„»’*_\])]{0,5}"
_PREPOSITIONS: Final = (
    r"for|of|to|on|at|in|from|für|zum|zur|vom|von|des|der|du|de|del|della|da|do|pour|"
    r"para|per|van|voor|til|för|av|na|dla|do|pro|для|от|к|на|du|im|i|till|untuk|"
    r"của|cho|به|برای|के|का"
)
_FILL: Final = (
    r"(?:[ \t]{1,2}(?:and|or|&|,)[ \t]{1,2}\w{2,16})?"
    rf"(?:[ \t]{{1,2}}(?:{_PREPOSITIONS})\b[^\n.:;=!?\"“|\ue000]{{1,48}}?|"
    r"[ \t]{0,2}[(（][^()（）\n\ue000]{1,40}[)）]|"
    r"[ \t]{1,2}(?:i|we|you|he|she)[ \t]{1,2}(?:use|set|chose|gave|sent)[^\n.:;=!?\"|\ue000]{0,32}?|"
    r"(?:の|를|을|의)[^\n。:：;=\ue000]{0,16}?)?"
)
_ADVERB: Final = (
    r"(?:[ \t]{1,2}(?:now|still|currently|just|simply|always|jetzt|aktuell|"
    r"ahora|maintenant|set[ \t]to|changed[ \t]to|called))?"
)
_VERBS: Final = (
    r"is|was|are|were|equals|reads|begins with|starts with|became|becomes|will be|"
    r"has been|lautet|ist|sind|war|heißt|heisst|es|son|era|será|est|sont|était|é|è|sono|"
    r"sarà|zijn|er|är|var|on|ovat|to|jest|brzmi|je|este|eshte|είναι|это|был|стал|"
    r"adalah|ialah|là|คือ|है|ہے|হল|ஆகும்|هي|هو|است|הוא|היא|ni|dir|olarak"
)
#: A word before the keyword that makes the sentence a condition, not a statement.
CONDITION: Final = r"\b(?:if|whether|when|while|until|unless|once|that|ensure|check|verify|sure|make)\b"

#: Verbs that nothing but the value follows.
_SAYS: Final = r"lautet|heißt|heisst|brzmi|reads|equals"

#: What the four ways behind a filling begin with; without it none of them is tried.
_NEXT: Final = r"(?=[ \t?:=：＝v,>→⇒|는은이가はが是为為就ค-])"

LINK: Final = (
    rf"{_TAIL}{_CLOSE}(?:{_FILL}{_NEXT}(?:"
    r"[ \t]{0,8}(?P<sep>\??[:=：＝]{1,4}>?|(?<=[\"'][ \t])value=|(?<=[\"']),(?=[ \t]{0,2}[\"'])|[-=]?>|→|⇒|\|)(?:\*\*|__)?"
    r"(?:(?<=[:：*_])[ \t]{0,4}\r?\n[ \t]{0,8}(?:[-*>] {0,2})?|[ \t]{0,8})|"
    rf",?[ \t]{{1,3}}(?:c['’]est|(?P<says>{_SAYS})|(?P<verb>{_VERBS}))\b{_ADVERB}[:：]?[ \t]{{1,3}}|"
    r"[ \t]{1,3}(?P<rule>[—–])[ \t]{1,3}|"
    r"[ \t]{0,2}(?P<joint>는|은|이|가|は、?|が|是|为|為|就是|คือ)[:：]?[ \t]{0,2})|"
    r"[ \t]{1,3}(?P<dash>-)[ \t]{1,3}|"
    r"(?P<gap>[ \t]{1,3})(?=[^\s0-9]{0,48}+[0-9]))"
    r"(?:\*\*|__)?"
)
