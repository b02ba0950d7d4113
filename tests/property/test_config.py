"""Laws of reading a config."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ethos_memory.config import parse_config, parse_personality
from ethos_memory.errors import CorruptFileError

LAW = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
PIECES = st.sampled_from(
    [
        *("channel_filter", "telegram", "ownerUserId", "gateway", "private_chats"),
        *("memory", "memoryGuard.accepted", "vault", "theme", "123", "@a:b"),
        *("memory.provider", "provider", "options", "memoryOptions", "path"),
        *(":", ": ", " ", "  ", "\t", "\n", "\n  ", "\n    ", "\n- ", "- ", ".", ","),
        *("#", " # x", "'", '"', "{", "}", "[", "]", "&a ", "*a", "!", "!!str ", "<<"),
        *("|", ">", "?", "%", "---", "\r", "\ufeff", "\u2028", "\x00", "\ud800"),
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=5), max_size=25).map("".join)


@LAW
@given(TEXTS)
def test_nothing_else_is_raised(text: str) -> None:
    """Whatever stands in a config, it is understood or refused by name."""
    for parse in (parse_config, parse_personality):
        with suppress(CorruptFileError):
            parse(text)


@LAW
@given(st.binary(max_size=60))
def test_bytes_raise_nothing_else(data: bytes) -> None:
    for parse in (parse_config, parse_personality):
        with suppress(CorruptFileError):
            parse(data)


@LAW
@given(TEXTS)
def test_a_personalitys_provider_is_never_overlooked(around: str) -> None:
    """A config with its line in it names that provider, or is refused."""
    line = "memory.provider: vault"
    for text in (f"{around}\n{line}\n", f"{line}\n{around}\n"):
        with suppress(CorruptFileError):
            choice = parse_personality(text)
            assert choice is not None
            assert choice.name == "vault"


IDS = st.text(
    st.characters(min_codepoint=33, exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]),
    min_size=1,
    max_size=20,
).filter(lambda text: text[0] not in "\"'" and text != "#" and text[:2] != "##")


@LAW
@given(IDS, TEXTS)
def test_an_owner_is_never_overlooked(owner: str, around: str) -> None:
    """A config with an owner's line in it names that owner, or is refused."""
    line = f"channel_filter.telegram.ownerUserId: {owner}"
    for text in (f"{around}\n{line}\n", f"{line}\n{around}\n"):
        with suppress(CorruptFileError):
            owners = dict(parse_config(text).owners)
            assert owners.get("telegram") == owner


@LAW
@given(IDS)
def test_an_id_is_kept_as_it_is(owner: str) -> None:
    flat = parse_config(f"channel_filter.telegram.ownerUserId: {owner}\n")
    assert flat.owners == {"telegram": owner}
    if owner[0] not in "[]{}|>&*!-":
        text = f"channel_filter:\n  telegram:\n    ownerUserId: {owner}\n"
        with suppress(CorruptFileError):
            assert parse_config(text).owners == {"telegram": owner}
