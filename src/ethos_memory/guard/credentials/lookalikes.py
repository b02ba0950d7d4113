"""What only looks like a secret: a template, a reference, a number, a plain word.

Templates are to be filled in; references name a secret or say where it is kept;
numbers have a unit; plain words are what people say of passwords.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from ethos_memory.guard.credentials.values import is_wordy, segments

__all__ = [
    "is_code",
    "is_listed_word",
    "is_notation",
    "is_plain_word",
    "is_reference",
    "is_stand_in",
    "is_template",
]

#: Longest part of a value that is judged; a secret's beginning says what it is.
MAX_JUDGED: Final = 512

#: Words that people write where a value belongs. Alone or joined they are a template.
_TEMPLATE_TEXT: Final = """
    a access account actual admin api apikey app auth bar base64 baz bot change client
    code credential credentials database db default demo enter env example fake field
    file fill foo from generated goes here id in insert is it jwt key keys login me my
    mypassword name new none null of old openai or own pass passphrase passwd password passwords
    paste personal pin private pwd random real replace sample secret secrets secure some
    service string super test testing text that the this to todo token tokens
    undefined user username value webhook with xx xxx you
    """
_TEMPLATE: Final = frozenset(_TEMPLATE_TEXT.split())

#: A value that holds one of these is a template or a stand-in.
_STAND_IN: Final = (
    r"xxxx|\*\*\*|\.\.\.|…|••|[{<]{2}|\$\{|\$\(|%\(|#\{|your|example|placehold|"
    r"change[_-]?me|change[_-]?this|redacted|dummy|insert[_-]|replace[_-]|%[sd]\b|[_-]here\b|here\Z|"
    r"\ue000"
)
_NAMED_STAND_IN: Final = (
    r"\$[A-Za-z_][a-z_]{2,64}|\$[A-Z][A-Z0-9_]{1,64}|%[A-Z_]{2,64}%|"
    r"[{\[(<][^\n]{0,512}[}\])>]|[{\[<].{0,512}|![a-zA-Z]{3,32}|@[A-Za-z.]{2,64}|"
    r"[^\w\s]{1,512}"
)

#: Where a secret is kept, by the beginning of the reference.
_PLACES: Final = (
    "./", "../", "~/", "\\", "arn:", "op:", "vault:", "env:", "file:", "ssm:",
    "ref:", "secret:", "secrets:", "secretref", "keyvault", "keychain:", "data:",
)  # fmt: skip
_PLACE: Final = (
    r"[A-Za-z]:\\|[^\n]{0,64}://|[\w.+-]{1,64}@[\w-]{1,64}\.[a-z.]{2,32}\Z|"
    r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d{1,5})?\Z|"
    r"[^\n]{1,256}\.(?:md|txt|json|ya?ml|toml|ini|conf|cfg|env|pem|key|crt|pub|kdbx|gpg|"
    r"py|ts|tsx|js|jsx|go|rs|rb|sh|sql|html?|gguf|safetensors|onnx|bin|pdf|png|com|org|"
    r"net|io|dev|app)\Z"
)

#: Objects in code that hold settings or requests.
_ROOTS_TEXT: Final = """
    app args body cfg config context credentials ctx data deno env environ event form
    import input json kwargs key keys options opts os params payload process props rails
    req request res response result secrets self session settings state system this
    token user vars window document cls import.meta
    """
_ROOTS: Final = frozenset(_ROOTS_TEXT.split())
_CALL: Final = r"[(\[!*&+-]{0,3}[A-Za-z_$][\w.$?:]{0,128}[\[(]"
_CONSTANT: Final = r"[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,80}"

_NOTATION: Final = (
    r"(?:sha|md|blake)[-_]?\d[\w]{0,6}[-:=]|h1:|"  # a checksum
    r"v?\d{1,5}\.[\d.]{1,20}(?:[-+.]?[a-z]{1,8}\.?\d{0,4})?\Z|"  # a version
    r"(?:19|20)\d\d[-./]?[01]\d[-./]?[0-3]\d(?:t\d|\W|\Z)|"  # a date
    r"\d{1,2}[./]\d{1,2}[./]\d{2,4}\Z|"
    r"[~<>^=≤≥≈]{0,2}\d[\d.,:/x×_–—-]{0,24}(?:%|[µmkgt]?[bsmwglvx]|[kmgt]ib|[hdwyckf]|px|"
    r"r?em|pt|[kmg]?hz|[kc]m|kg|ml|min|hrs?|th|st|nd|rd|[ap]m|usd|eur|bits?|bytes?|"
    r"chars?|days?|hours?|weeks?|months?|years?|minutes?|seconds?|characters?|digits?|"
    r"tokens?)?\+?\Z"
)
_ALGORITHM: Final = (
    r"(?:aes|argon|base|bcrypt|blake|chacha|curve|dh|ecdh|ecdsa|ed|eddsa|es|"
    r"fido|hmac|hs|iso|ldap|md|nist|ntlm|oauth|oidc|otp|pbkdf|poly|ps|rfc|rs|rsa|"
    r"saml|scrypt|secp|sha|sso|ssl|tls|totp|utf|webauthn|wpa)\d{0,5}[a-z]{0,2}\d?|"
    r"[vpxks]\d{1,5}|\d?fa|1password|\d{1,4}(?:bits?|bytes?)"
)
_OF_ALGORITHM: Final = (
    r"\d{1,5}|cbc|gcm|psk|enterprise|personal|key|bits?|bytes?|url|encoding|only|s|"
    r"[a-z]{2,16}(?:ed|ing|able|free|less)"
)

#: What is said of a password, and where it is kept: never the password.
_SAID_OF_TEXT: Final = """
    above absent again alike also always asterisks automatic available bad below better
    bitwarden blank broken bytes case changed clear complex compromised confidential correct
    corrupt current dashlane default different easier easy elsewhere empty enough
    enpass entirely envelope essential exact expired fake false field fine first for
    forgotten from gone good guessable hard harder hash hidden here identical important
    inside incorrect insecure int integer invalid irrelevant kaputt keepass keepassxc
    keychain known lastpass later leaked length likely longer lost mandatory masked
    maximum mine minimum missing must
    necessary needless never newer nordpass none nothing nowhere null number obsolete
    older onepassword only optional other outdated password personal plain plaintext
    pointless private proper public random ready required reset right rotten
    sacred safe same secret secure sensitive separate shared short shorter simple
    special stale standard static still str string stronger strong stupid sticker
    temporary text their theirs there trivial true typed undefined unique unknown
    unset unsafe useless username users valid vault varchar very visible weak weaker
    wrong yours postit aucun aucune brak ingen keine keins nenhum nenhuma nessuna nessuno
    ninguna ninguno żadne
    """
_SAID_OF: Final = frozenset(_SAID_OF_TEXT.split())
_SAID_ENDING: Final = (
    "ed", "ing", "able", "ible", "ful", "less", "ous", "ive", "al", "ly", "ent", "ant",
    "ary", "ory", "ic", "ten", "den", "ness", "tion", "ment", "ity", "'s",
)  # fmt: skip

#: No one-word secret is shorter; shorter adjectives are too many to list.
MIN_PLAIN_WORD: Final = 5


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def is_stand_in(value: str) -> bool:
    """Tell whether a value says that it is none: ``<your-key>``, ``XXXX``, ``${X}``."""
    judged = value[:MAX_JUDGED]
    if _pattern(_STAND_IN).search(judged.lower()):
        return True
    return _pattern(_NAMED_STAND_IN).fullmatch(judged) is not None


def is_template(value: str) -> bool:
    """Tell whether a value is to be filled in: a stand-in, or ``my-secret-token``."""
    folded = value[:MAX_JUDGED].lower()
    if is_stand_in(value) or len(set(folded)) == 1:
        return True
    return all(part in _TEMPLATE for part in segments(folded))


def is_code(value: str) -> bool:
    """Tell whether a value is an expression: ``process.env.X``, ``getpass()``."""
    judged = value[:MAX_JUDGED].rstrip(";,!?")
    if _pattern(_CALL).match(judged) or _pattern(_CONSTANT).fullmatch(judged):
        return True
    parts = judged.replace("?.", ".").replace("::", ".").split(".")
    if len(parts) == 1 or not all(part.isidentifier() for part in parts):
        return False
    return parts[0].lower() in _ROOTS or not any(map(str.isdigit, judged))


def _is_path(value: str) -> bool:
    if not _pattern(r"[\w./@:+=-]{1,512}").fullmatch(value):
        return False
    is_base64 = _pattern(r"[A-Za-z0-9+/]{20,512}={0,2}").fullmatch(value)
    return not is_base64 or all(map(is_wordy, value.split("/")))


def is_reference(value: str) -> bool:
    """Tell whether a value says where a secret is: a path, an address, an e-mail."""
    judged = value[:MAX_JUDGED]
    if judged.lower().startswith(_PLACES) or _pattern(_PLACE).match(judged):
        return True
    return "/" in judged and _is_path(judged)


def is_notation(value: str) -> bool:
    """Tell whether a value is a date, a version, a size, a checksum, an algorithm."""
    judged = value[:MAX_JUDGED].lower()
    if judged.isdigit():
        return False
    if _pattern(_NOTATION).match(judged):
        return True
    names = [part for part in segments(judged) if _pattern(_ALGORITHM).fullmatch(part)]
    rest = (part for part in segments(judged) if part not in names)
    return bool(names) and all(_pattern(_OF_ALGORITHM).fullmatch(part) for part in rest)


def is_listed_word(value: str) -> bool:
    """Tell whether a word is said of passwords and is therefore none itself."""
    word = value.lower()
    return word in _SAID_OF or word in _TEMPLATE or word.endswith(_SAID_ENDING)


def _words_of_name(value: str) -> list[str]:
    """Return the words of a name with inner capitals, none of a plain word."""
    words = _pattern(r"[A-Z]?[a-z]{2,64}|[A-Z]{2,64}").findall(value)
    return words if len(words) > 1 else []


def is_plain_word(value: str) -> bool:
    """Tell whether a word of letters alone can be somebody's password."""
    return (
        value.isalpha()
        and len(value) >= MIN_PLAIN_WORD
        and not is_listed_word(value)
        and not any(map(is_listed_word, _words_of_name(value)))
        and not is_template(value)
    )
