"""Credentials that their own prefix gives away, as data.

A row is a provider's published form: what it begins with, which characters follow and
how many. The numbers are the providers' own, widened where they have changed before.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from ethos_memory.guard.credentials.lookalikes import is_stand_in
from ethos_memory.guard.credentials.secret import OPAQUE, Hit
from ethos_memory.guard.credentials.values import is_generated, is_mixed

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SHAPES", "Shape", "find_shapes"]

#: Longest run that is taken for one token: a JWT or an Atlassian token fits.
MAX_RUN: Final = 4096

#: A line this wide may have been wrapped, so that its token goes on in the next line.
WRAP_COLUMNS: Final = 60

#: A token is wrapped over this many lines at most.
MAX_LINES: Final = 8

_BASE62: Final = "A-Za-z0-9"
_WORD: Final = r"A-Za-z0-9_\-"
_HEX: Final = "a-fA-F0-9"
_BASE58: Final = "1-9A-HJ-NP-Za-km-z"


@frozen
class Shape:
    """A token that a fixed prefix gives away.

    Attributes:
        kind: What it is, in lower-case words.
        needles: What it begins with, case-sensitive.
        body: The characters that may follow, as inside a class of a pattern.
        low: How many follow at least.
        high: How many follow at most; a longer run is another thing.
        is_plain: True when the body may be letters alone.
        holds: What else must stand in the body.
    """

    kind: str
    needles: tuple[str, ...]
    body: str = field(default=_WORD, kw_only=True)
    low: int = field(kw_only=True)
    high: int = field(default=MAX_RUN, kw_only=True)
    is_plain: bool = field(default=False, kw_only=True)
    holds: str = field(default="", kw_only=True)


SHAPES: Final = (
    Shape("github token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), low=30),
    Shape("github token", ("github_pat_",), low=22),
    Shape(
        "gitlab token",
        ("glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glcbt-", "gloas-", "glsoat-"),
        body=_WORD + ".",
        low=18,
    ),
    Shape("anthropic key", ("sk-ant-",), low=20),
    Shape("openai key", ("sk-proj-", "sk-svcacct-", "sk-admin-"), low=20),
    Shape("openrouter key", ("sk-or-",), low=20),
    Shape("api key", ("sk-",), low=20),
    Shape(
        "aws access key",
        ("AKIA", "ASIA"),
        body="A-Z0-9",
        low=16,
        high=16,
        is_plain=True,
    ),
    Shape("aws access key", ("ABIA", "ACCA"), body="A-Z0-9", low=16, high=16),
    Shape("google api key", ("AIza",), low=33, high=39),
    Shape("google token", ("ya29.",), body=_WORD + ".", low=20),
    Shape("google client secret", ("GOCSPX-",), low=20),
    Shape("google token", ("1//0",), low=30),
    Shape(
        "slack token",
        ("xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxs-", "xoxr-", "xoxc-", "xoxd-"),
        body=_WORD + "%",
        low=20,
    ),
    Shape("slack token", ("xoxe.", "xoxe-", "xapp-"), body=_WORD + ".", low=20),
    Shape(
        "stripe key",
        ("sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"),
        low=10,
    ),
    Shape("webhook secret", ("whsec_",), body="A-Za-z0-9+/=_-", low=20),
    Shape("twilio key", ("SK",), body=_HEX, low=32, high=32),
    Shape("sendgrid key", ("SG.",), body=_WORD + ".", low=40, high=90, holds="."),
    Shape("mailgun key", ("key-",), body="a-f0-9", low=32, high=32),
    Shape("npm token", ("npm_",), body=_BASE62, low=30),
    Shape("pypi token", ("pypi-",), low=40),
    Shape(
        "hugging face token", ("hf_", "api_org_"), body=_BASE62, low=30, is_plain=True
    ),
    Shape("groq key", ("gsk_",), body=_BASE62, low=32),
    Shape("xai key", ("xai-",), low=40),
    Shape("perplexity key", ("pplx-",), low=32),
    Shape("replicate token", ("r8_",), low=30),
    Shape("tavily key", ("tvly-",), low=20),
    Shape("fireworks key", ("fw_",), body=_BASE62, low=22),
    Shape("digitalocean token", ("dop_v1_", "doo_v1_", "dor_v1_"), body=_HEX, low=40),
    Shape("heroku key", ("HRKU-",), low=30),
    Shape(
        "shopify token",
        ("shpat_", "shpca_", "shppa_", "shpss_", "shptka_"),
        body=_HEX,
        low=32,
    ),
    Shape("square token", ("sq0atp-", "sq0csp-", "sq0idp-"), low=20),
    Shape("square token", ("EAAA",), body="A-Za-z0-9+=_-", low=56, high=70),
    Shape("facebook token", ("EAA",), body=_BASE62, low=80),
    Shape("linear key", ("lin_api_", "lin_oauth_"), low=30),
    Shape("notion token", ("secret_",), body=_BASE62, low=40, high=50),
    Shape("notion token", ("ntn_",), body=_BASE62, low=40),
    Shape("databricks token", ("dapi",), body="a-f0-9-", low=32, high=36),
    Shape("age key", ("AGE-SECRET-KEY-",), body="A-Z0-9", low=50),
    Shape("atlassian token", ("ATATT3", "ATCTT3"), body=_WORD + "=", low=60),
    Shape("figma token", ("figd_",), low=30),
    Shape("doppler token", ("dp.pt.", "dp.st.", "dp.ct."), body=_WORD + ".", low=30),
    Shape("grafana token", ("glsa_", "glc_"), body="A-Za-z0-9_=+/", low=30),
    Shape("sonar token", ("squ_", "sqp_", "sqa_"), body=_HEX, low=40),
    Shape("sourcegraph token", ("sgp_",), low=32),
    Shape("aws bedrock key", ("ABSK",), body="A-Za-z0-9+/=", low=100),
    Shape("vault token", ("hvs.", "hvb.", "hvr."), low=24),
    Shape("pulumi token", ("pul-",), body="a-f0-9", low=40, high=40),
    Shape("supabase key", ("sbp_", "sb_secret_"), low=20),
    Shape("netlify token", ("nfp_", "nfc_", "nfo_"), body=_BASE62, low=30),
    Shape(
        "planetscale secret", ("pscale_tkn_", "pscale_pw_"), body=_WORD + ".", low=30
    ),
    Shape("postman key", ("PMAK-",), body="a-f0-9-", low=50),
    Shape("new relic key", ("NRAK-", "NRRA-"), body="A-Z0-9", low=26),
    Shape("sentry token", ("sntrys_", "sntryu_"), body="A-Za-z0-9_=+/", low=40),
    Shape(
        "fly token",
        ("FlyV1 fm", "fm1a_", "fm1r_", "fm2_", "fo1_"),
        body="A-Za-z0-9_=+/,-",
        low=30,
    ),
    Shape("resend key", ("re_",), low=24, high=48),
    Shape("rubygems key", ("rubygems_",), body=_HEX, low=40),
    Shape("docker token", ("dckr_pat_", "dckr_oat_"), low=20),
    Shape("buildkite token", ("bkua_",), body=_HEX, low=40),
    Shape("circleci token", ("CCIPAT_", "CCIPRJ_"), low=30),
    Shape("alibaba key", ("LTAI",), body=_BASE62, low=16, high=24),
    Shape("airtable token", ("pat",), body=_BASE62 + ".", low=60, high=96, holds="."),
    Shape("dropbox token", ("sl.",), low=100),
    Shape("mapbox token", ("sk.eyJ",), body=_WORD + ".", low=40),
    Shape("bitcoin key", ("xprv",), body=_BASE58, low=100, high=112),
    Shape("nostr key", ("nsec1",), body="a-z0-9", low=58, high=58),
    Shape("1password token", ("ops_eyJ",), low=100),
    Shape("json web token", ("eyJ",), body=_WORD + ".", low=20, holds="."),
    Shape("brevo key", ("xkeysib-", "xsmtpsib-"), low=60),
)


@cache
def _body(characters: str) -> re.Pattern[str]:
    return re.compile(f"[{characters}]{{1,{MAX_RUN}}}")


@cache
def _next_line(characters: str) -> re.Pattern[str]:
    return re.compile(rf"[ \t]?\r?\n[ \t>|]{{0,8}}([{characters}]{{4,{MAX_RUN}}})")


#: What may stand left of a token: no part of a word, no marker.
def _is_free(text: str, at: int) -> bool:
    left = text[at - 1 : at]
    return not (left.isascii() and left.isalnum()) and left not in ("_", OPAQUE)


def _is_line_wide(text: str, end: int) -> bool:
    begin = max(text.rfind("\n", max(0, end - WRAP_COLUMNS), end), 0)
    return end - begin >= WRAP_COLUMNS


def _extent(text: str, begin: int, shape: Shape) -> tuple[int, str]:
    """Return where a token's body ends, and the body without its line breaks."""
    match = _body(shape.body).match(text, begin)
    if match is None:
        return begin, ""
    body, end = match.group(), match.end()
    for _ in range(MAX_LINES):
        if len(body) >= shape.low and not _is_line_wide(text, end):
            break
        more = _next_line(shape.body).match(text, end)
        if more is None or not is_mixed(more.group(1)):
            break
        if len(body) + len(more.group(1)) > shape.high:
            break
        body, end = body + more.group(1), more.end()
    return end, body


def _is_token(body: str, shape: Shape) -> bool:
    whole = body.rstrip(".")
    if not shape.low <= len(whole) <= shape.high or shape.holds not in whole:
        return False
    if is_stand_in(whole):
        return False
    return is_generated(whole) or (shape.is_plain and whole.isupper())


def _find(text: str, prefix: str, shape: Shape) -> Iterator[Hit]:
    at = text.find(prefix)
    while at >= 0:
        end = at + len(prefix)
        if _is_free(text, at):
            stop, body = _extent(text, end, shape)
            if _is_token(body, shape):
                end = stop - (len(body) - len(body.rstrip(".")))
                yield Hit(shape.kind, at, end=end)
        at = text.find(prefix, end)


#: An AWS secret key has no prefix; it stands this close to the access key it goes with.
_AWS_REACH: Final = 120
_AWS_PARTNER: Final = r"(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])"


@cache
def _aws_partner() -> re.Pattern[str]:
    return re.compile(_AWS_PARTNER)


def _beside(text: str, hit: Hit) -> Iterator[Hit]:
    reach = min(len(text), hit.end + _AWS_REACH)
    match = _aws_partner().search(text, hit.end, reach)
    if match is not None and is_generated(match.group()):
        yield Hit("aws secret key", match.start(), end=match.end())


@cache
def _prefixes(*, has_digit: bool) -> tuple[tuple[str, Shape], ...]:
    return tuple(
        (prefix, shape)
        for shape in SHAPES
        if has_digit or shape.is_plain
        for prefix in shape.needles
    )


@cache
def _start() -> re.Pattern[str]:
    """Return a pattern for any prefix where a token may begin, see `_is_free`."""
    tails: dict[str, list[str]] = {}
    for prefix, _ in _prefixes(has_digit=True):
        tails.setdefault(prefix[0], []).append(re.escape(prefix[1:]))
    heads = (f"{re.escape(head)}(?:{'|'.join(rest)})" for head, rest in tails.items())
    return re.compile(f"(?<![A-Za-z0-9_{OPAQUE}])(?:{'|'.join(heads)})")


def find_shapes(text: str, *, has_digit: bool) -> Iterator[Hit]:
    """Find tokens by their prefix. One that a page's line breaks is found whole.

    Args:
        text: What is searched.
        has_digit: Whether the text holds a digit; few kinds of token have none.
    """
    if has_digit and _start().search(text) is None:
        return
    prefixes = _prefixes(has_digit=has_digit)
    present = [(prefix, shape) for prefix, shape in prefixes if prefix in text]
    for prefix, shape in present:
        for hit in _find(text, prefix, shape):
            yield hit
            if hit.kind == "aws access key":
                yield from _beside(text, hit)
