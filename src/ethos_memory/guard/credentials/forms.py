"""Credentials that a fixed form gives away, as data: addresses, headers, commands.

Each row is a pattern that begins with one of its needles or stands close to it; the
group ``value`` is the secret. Every quantifier is bounded.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error
from functools import cache
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.guard.credentials.lookalikes import is_stand_in, is_template
from ethos_memory.guard.credentials.needles import any_of
from ethos_memory.guard.credentials.secret import Hit
from ethos_memory.guard.credentials.values import (
    is_generated,
    is_strong,
    is_token_like,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["FORMS", "Form", "find_forms"]


def _is_basic(value: str) -> bool:
    """Tell whether a value is ``user:password`` in base64; words are not."""
    try:
        login = b64decode(value + "=" * (-len(value) % 4), validate=True)
    except Base64Error:
        return False
    return b":" in login and all(0x20 <= byte < 0x7F for byte in login)  # noqa: PLR2004 - printable ASCII


def _is_header(value: str) -> bool:
    return not is_template(value) and is_token_like(value, is_explicit=True)


def _is_random(value: str) -> bool:
    return not is_stand_in(value) and is_generated(value)


def _is_password(value: str) -> bool:
    return not is_template(value)


def _is_known_password(value: str) -> bool:
    return not is_template(value) and is_strong(value)


@frozen
class Form:
    """A place in a text where a secret stands.

    Attributes:
        kind: What it is, in lower-case words.
        needles: In lower case; without one of them the pattern is not tried.
        pattern: Bounded throughout; the group ``value`` is the secret.
        accept: Whether the value can be a secret.
        is_plain: True when the value may be letters alone.
        run: The shortest run of letters, digits and ``_.+/=-`` that the value holds.
    """

    kind: str
    needles: tuple[str, ...]
    pattern: str
    accept: Callable[[str], bool] = field(default=_is_random, kw_only=True)
    is_plain: bool = field(default=False, kw_only=True)
    run: int = field(default=0, kw_only=True)


FORMS: Final = (
    Form(
        "telegram token",
        (":",),
        r"(?P<value>[0-9](?<![0-9][0-9])[0-9]{7,9}:[A-Za-z0-9_-]{34,36})(?![A-Za-z0-9_-])",
        run=34,
    ),
    Form(
        "discord token",
        (".",),
        r"(?P<value>[MNO](?<![A-Za-z0-9_.-][MNO])[A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25,40})(?![A-Za-z0-9_-])",
        run=56,
    ),
    Form(
        "discord webhook",
        ("/api/webhooks/",),
        r"/api/webhooks/(?P<value>\d{16,21}/[A-Za-z0-9_-]{40,100})",
    ),
    Form(
        "slack webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<value>[A-Za-z0-9/_-]{20,128})",
    ),
    Form(
        "teams webhook",
        ("webhook.office.com/", "/incomingwebhook/"),
        r"/IncomingWebhook/(?P<value>[A-Za-z0-9/@-]{30,160})",
    ),
    Form(
        "azure client secret",
        ("q~",),
        r"(?<![A-Za-z0-9_~.-])(?P<value>[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,36})",
        run=14,
    ),
    Form(
        "azure key",
        ("jqqj99", "aaca", "acdb", "+asta", "+amcd", "azcd"),
        r"(?<![A-Za-z0-9])(?P<value>[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}|"
        r"[A-Za-z0-9+/]{40,80}(?:ACDb|\+ASt|\+AMC|AzCd|AzSe|\+ACR)[A-Za-z0-9+/]{1,12}={0,2})",
        run=40,
    ),
    Form(
        "mailgun key",
        ("-",),
        r"(?P<value>[0-9a-f](?<![A-Za-z0-9-][0-9a-f])[0-9a-f]{31}-[0-9a-f]{8}-[0-9a-f]{8})(?![A-Za-z0-9-])",
        run=50,
    ),
    Form(
        "1password key",
        ("a3-",),
        r"(?<![A-Z0-9-])(?P<value>A3-[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3})(?![A-Z0-9-])",
    ),
    Form(
        "facebook token",
        ("|",),
        r"(?<![0-9A-Za-z])(?P<value>[0-9]{13,17}\|[A-Za-z0-9_-]{26,28})(?![A-Za-z0-9_-])",
        run=26,
    ),
    Form(
        "vault token",
        (".atlasv1.",),
        r"(?<![A-Za-z0-9])(?P<value>[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{30,100})",
    ),
    Form(
        "one-time password seed",
        ("otpauth://",),
        r"(?i:[?&]secret=(?P<value>[A-Z2-7]{12,128}))",
        accept=_is_password,
        is_plain=True,
    ),
    Form(
        "url password",
        ("://",),
        r"://[^\s/:@?#\"'<>]{0,128}:(?P<value>[^\s/\"'<>]{1,256})@(?=[^\s@/]{2})",
        accept=_is_password,
        is_plain=True,
    ),
    Form(
        "url token",
        ("://",),
        r"://(?P<value>[A-Za-z0-9_.~-]{16,256})(?::|%3A)?@[A-Za-z0-9]",
        accept=_is_header,
        run=14,
    ),
    Form(
        "url token",
        ("sig=", "auth=", "jwt=", "ticket=", "hmac=", "signature=", "security-token="),
        r"(?i:[?&;](?:sig|signature|x-amz-signature|x-amz-security-token|"
        r"x-goog-signature|auth|hmac|ticket|jwt)=)(?P<value>[A-Za-z0-9%+/=_.~-]{12,2048})",
    ),
    Form(
        "bearer token",
        ("bearer",),
        r"(?i:\bbearer[\s:=]{1,3}[\"'`]?)(?P<value>[A-Za-z0-9._~+/=|:-]{12,4096})",
        accept=_is_header,
    ),
    Form(
        "access token",
        ("authorization",),
        r"(?i:\bauthorization[\"'`]?\s{0,2}[:=]\s{0,2}[\"'`]?(?:(?!basic|bearer)[a-z-]{3,16} )?)"
        r"(?P<value>[A-Za-z0-9._~+/=|-]{8,4096})",
        accept=_is_header,
    ),
    Form(
        "basic login",
        ("basic", '"auth"'),
        r"(?i:\bbasic\s{1,3}|\"auth\"\s{0,4}:\s{0,4}\")(?P<value>[A-Za-z0-9+/]{6,512}={0,2})",
        accept=_is_basic,
        is_plain=True,
    ),
    Form(
        "session cookie",
        ("cookie",),
        r"(?i:\b(?:phpsessid|jsessionid|connect\.sid|laravel_session|sessionid|session|sid|"
        r"auth|auth_token|li_at)=)(?P<value>[^\s;\"']{16,1024})",
        accept=_is_header,
    ),
    Form(
        "password",
        ("curl", "wget"),
        r"\s(?:-u|--user)[ =]{0,4}[\"']?[^\s:\"']{0,64}[\"']?:[\"']?(?P<value>[^\s\"']{3,128})",
        accept=_is_password,
        is_plain=True,
    ),
    Form(
        "password",
        ("mysql", "mariadb", "sshpass", "mongo"),
        r"\s-p ?[\"']?(?P<value>[^\s\"'{<-][^\s\"'{<]{3,128})",
        accept=_is_known_password,
    ),
    Form(
        "password",
        ("machine ",),
        r"\bmachine\s{1,4}[^\s]{1,128}\s{1,8}login\s{1,4}[^\s]{1,128}\s{1,8}password\s{1,4}(?P<value>[^\s]{3,128})",
        accept=_is_password,
    ),
)


@cache
def _pattern(form: Form) -> re.Pattern[str]:
    return re.compile(form.pattern)


#: The shortest runs that forms ask for.
_RUNS: Final = tuple(sorted({form.run for form in FORMS}))


@cache
def _needles(*, has_digit: bool, longest: int) -> tuple[tuple[str, Form], ...]:
    return tuple(
        (needle, form)
        for form in FORMS
        for needle in form.needles
        if (has_digit or form.is_plain) and form.run <= longest
    )


@cache
def _any(*, has_digit: bool, longest: int) -> re.Pattern[str]:
    needles = _needles(has_digit=has_digit, longest=longest)
    return any_of(needle for needle, _ in needles)


def find_forms(
    text: str, folded: str, *, has_digit: bool, longest: int
) -> Iterator[Hit]:
    """Find the secrets whose place gives them away.

    Args:
        text: What is searched.
        folded: The same in lower case, position by position.
        has_digit: Whether the text holds a digit; few kinds of secret have none.
        longest: How long the longest run is that a token can be.
    """
    longest = max(run for run in _RUNS if run <= longest)
    if _any(has_digit=has_digit, longest=longest).search(folded) is None:
        return
    needles = _needles(has_digit=has_digit, longest=longest)
    present = [form for needle, form in needles if needle in folded]
    for form in dict.fromkeys(present):
        for match in _pattern(form).finditer(text):
            if form.accept(match["value"]):
                yield Hit(form.kind, match.start("value"), end=match.end("value"))
