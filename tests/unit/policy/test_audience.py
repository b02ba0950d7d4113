from __future__ import annotations

import itertools
from typing import Any

import pytest
from attrs import evolve
from attrs.exceptions import FrozenInstanceError
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos_memory.errors import InvalidAccountError
from ethos_memory.policy import AudiencePolicy, View
from ethos_memory.scope import ScopeId
from ethos_memory.turn import Account, Turn

OPS = "personality:ops"
HOME = "-100200"
POLICY = AudiencePolicy(
    owners={"telegram": 111, "discord": ""},
    private_chats={"telegram": [HOME], "slack": {"C1"}, "discord": ("55",)},
)
OWNER = Account("telegram", "111")
GUEST = Account("telegram", "222")
FREE = Account("slack", "U1")  # a platform without an owner
PUBLIC = Account("discord", "9")  # its owner is nobody

# DESIGN section 8, written once more: turn, memory, profile, tools, learn.
NOTHING: tuple[bool, str, str, bool] = (False, "", "none", False)
TABLE: list[tuple[str, dict[str, Any], tuple[bool, str, str, bool]]] = [
    # direct, sender is the owner, or the platform has no owner
    ("direct", {"account": OWNER, "user_id": "u1"}, (True, "u1 ops", "all", True)),
    ("direct", {"account": FREE, "user_id": "u3"}, (True, "u3 ops", "all", True)),
    ("direct", {"account": OWNER}, (True, "ops", "all", True)),
    ("direct", {"account": FREE}, (True, "ops", "all", True)),
    # direct, someone else (or no account)
    ("direct", {"account": GUEST, "user_id": "u2"}, (False, "u2", "profile", True)),
    ("direct", {"account": PUBLIC, "user_id": "u4"}, (False, "u4", "profile", True)),
    ("direct", {"user_id": "u1"}, (False, "u1", "profile", True)),
    ("direct", {"account": GUEST}, (False, "", "profile", True)),
    ("direct", {}, (False, "", "profile", True)),
    # the user id of the owner does not make its sender the owner
    ("direct", {"account": GUEST, "user_id": "u1"}, (False, "u1", "profile", True)),
    # group not in private_chats; any unknown surface; was_shared
    ("group", {"account": OWNER, "user_id": "u1"}, NOTHING),
    ("group", {"account": OWNER, "user_id": "u1", "chat_id": "-100201"}, NOTHING),
    ("group", {"account": FREE, "user_id": "u3", "chat_id": HOME}, NOTHING),
    ("group", {"user_id": "u1", "chat_id": HOME}, NOTHING),
    ("group", {}, NOTHING),
    ("channel", {"account": OWNER, "user_id": "u1"}, NOTHING),
    ("", {"account": OWNER, "user_id": "u1"}, NOTHING),
    # group in private_chats: exact platform and chat id
    (
        "group",
        {"account": OWNER, "user_id": "u1", "chat_id": HOME},
        (True, "u1 ops", "all", True),
    ),
    (
        "group",
        {"account": OWNER, "user_id": "u1", "chat_id": -100200},
        (True, "u1 ops", "all", True),
    ),
    (
        "group",
        {"account": GUEST, "user_id": "u2", "chat_id": HOME},
        (True, "u2", "all", True),
    ),
    ("group", {"account": GUEST, "chat_id": HOME}, (True, "", "all", True)),
    (
        "group",
        {"account": FREE, "user_id": "u3", "chat_id": "C1"},
        (True, "u3 ops", "all", True),
    ),
    (
        "group",
        {"account": PUBLIC, "user_id": "u4", "chat_id": "55"},
        (True, "u4", "all", True),
    ),
    # web
    ("web", {"user_id": "u1"}, (True, "u1 ops", "all", True)),
    ("web", {}, (True, "ops", "all", True)),
    ("web", {"account": GUEST, "user_id": "u2"}, (True, "u2 ops", "all", True)),
    # cli: the identity map is never asked, so neither is the turn
    ("cli", {}, (True, "ops", "all", True)),
    ("cli", {"account": GUEST, "user_id": "u2"}, (True, "ops", "all", True)),
    # phone
    ("phone", {}, (False, "ops", "none", False)),
    ("phone", {"account": OWNER, "user_id": "u1"}, (False, "ops", "none", False)),
]


def row_of(view: View) -> tuple[bool, str, str, bool]:
    assert view.memory in {None, ScopeId.parse(OPS)}
    profile = " ".join(scope.id for scope in view.profile)
    kinds = ["personality" if scope.id == "ops" else "user" for scope in view.profile]
    assert [scope.kind for scope in view.profile] == kinds
    return view.memory is not None, profile, view.tools, view.learn


@pytest.mark.parametrize(("surface", "known", "row"), TABLE)
def test_a_turn_falls_on_its_row(
    surface: str, known: dict[str, Any], row: tuple[bool, str, str, bool]
) -> None:
    """The table of DESIGN section 8 is the whole policy."""
    assert row_of(POLICY.view(Turn("ops", surface, **known))) == row


@pytest.mark.parametrize(("surface", "known", "row"), TABLE)
def test_a_session_that_was_shared_sees_nothing(
    surface: str, known: dict[str, Any], row: tuple[bool, str, str, bool]
) -> None:
    """A session that ever ran in a group beats every surface and every sender."""
    turn = Turn("ops", surface, was_shared=True, **known)
    assert row_of(POLICY.view(turn)) == NOTHING


SURFACES = st.sampled_from(
    ["direct", "group", "web", "cli", "phone", "supergroup", "", "DIRECT"]
)
ACCOUNTS = st.none() | st.builds(
    Account,
    st.sampled_from(["telegram", "Telegram", "discord", "slack", "matrix"]),
    st.sampled_from(["111", "222", "@ana:hs"]),
)
TURNS = st.builds(
    Turn,
    st.just("ops"),
    SURFACES,
    account=ACCOUNTS,
    user_id=st.none() | st.sampled_from(["u1", "u2"]),
    chat_id=st.sampled_from(["", HOME, "C1", "55", 55]),
    was_shared=st.booleans(),
)
POLICIES = st.builds(
    AudiencePolicy,
    owners=st.dictionaries(
        st.sampled_from(["telegram", "discord", "slack"]),
        st.sampled_from(["", "111", 222, "@ana:hs"]),
    ),
    private_chats=st.dictionaries(
        st.sampled_from(["telegram", "discord", "slack"]),
        st.sets(st.sampled_from([HOME, "C1", 55])),
    ),
)


@given(POLICIES, TURNS)
@settings(max_examples=200, deadline=None)
def test_nobody_sees_what_is_another_persons(
    policy: AudiencePolicy, turn: Turn
) -> None:
    """Every turn has a view, and no scope in it is anybody else's."""
    view = policy.view(turn)
    mine = {ScopeId.personality("ops")}
    if turn.user_id is not None:
        mine.add(ScopeId.user(turn.user_id))
    assert {*view.profile, view.memory} - {None} <= mine
    assert view.reason.endswith(".")
    assert policy.view(turn) == view


@given(POLICIES, TURNS)
@settings(max_examples=200, deadline=None)
def test_a_stranger_never_sees_the_personalitys_copy(
    policy: AudiencePolicy, turn: Turn
) -> None:
    """On a platform with an owner, bots show the copy to that account alone."""
    account = turn.account
    if account is None or turn.surface not in {"direct", "group"}:
        return
    owner = policy.owners.get(account.platform)
    if owner is not None and owner != account.account_id:
        assert ScopeId.personality("ops") not in policy.view(turn).profile


@given(POLICIES, TURNS)
@settings(max_examples=200, deadline=None)
def test_what_is_unknown_never_widens_the_view(
    policy: AudiencePolicy, turn: Turn
) -> None:
    """A shared session and a room without an account see nothing private."""
    for shared in (
        evolve(turn, was_shared=True),
        evolve(turn, surface="anything", account=None),
        evolve(turn, surface="anything", chat_id="unlisted"),
    ):
        assert row_of(policy.view(shared)) == NOTHING


def test_a_policy_without_settings_trusts_direct_senders_and_no_room() -> None:
    """No owner is configured, so everyone who writes directly is one."""
    view = AudiencePolicy().view(
        Turn("ops", "direct", account=GUEST, user_id="u2", chat_id=HOME)
    )
    assert row_of(view) == (True, "u2 ops", "all", True)
    group = Turn("ops", "group", account=GUEST, user_id="u2", chat_id=HOME)
    assert row_of(AudiencePolicy().view(group)) == NOTHING


def test_platforms_fold_and_ids_do_not() -> None:
    """`Telegram` is `telegram`; `@Ana:hs` is not `@ana:hs`."""
    policy = AudiencePolicy(
        owners={"MATRIX": "@Ana:hs"}, private_chats={"Matrix": ["!Room:hs"]}
    )
    seen = {
        (name, room): row_of(
            policy.view(
                Turn("ops", "group", account=Account("matriX", name), chat_id=room)
            )
        )
        for name, room in itertools.product(
            ["@Ana:hs", "@ana:hs"], ["!Room:hs", "!room:hs"]
        )
    }
    assert seen == {
        ("@Ana:hs", "!Room:hs"): (True, "ops", "all", True),
        ("@ana:hs", "!Room:hs"): (True, "", "all", True),
        ("@Ana:hs", "!room:hs"): NOTHING,
        ("@ana:hs", "!room:hs"): NOTHING,
    }


@pytest.mark.parametrize("owner", [" 111", "111 ", "    ", "1\n1", "x" * 600])
def test_a_padded_or_odd_owner_is_refused(owner: str) -> None:
    """An owner that could never match is a mistake, and never means "no owner"."""
    with pytest.raises(InvalidAccountError) as caught:
        AudiencePolicy(owners={"telegram": owner})
    assert owner not in str(caught.value)


@pytest.mark.parametrize("platform", ["", " telegram", "telegram ", "tele\tgram"])
def test_a_padded_platform_is_refused(platform: str) -> None:
    """Padding is refused before the table is asked."""
    with pytest.raises(InvalidAccountError):
        AudiencePolicy(owners={platform: "111"})
    with pytest.raises(InvalidAccountError):
        AudiencePolicy(private_chats={platform: ["1"]})


@pytest.mark.parametrize("owner", [None, True, 1.5, ["111"], b"111"])
def test_an_owner_of_another_type_is_refused(owner: Any) -> None:
    """`None` is not taken for "no owner"."""
    with pytest.raises(TypeError):
        AudiencePolicy(owners={"telegram": owner})


@pytest.mark.parametrize("chats", ["-100200", b"1", 55, None, [None], [True]])
def test_chats_that_are_no_collection_of_ids_are_refused(chats: Any) -> None:
    """A lone text would otherwise list each of its characters as a room."""
    with pytest.raises(TypeError):
        AudiencePolicy(private_chats={"telegram": chats})


@pytest.mark.parametrize("chat", ["", " 5", "5\n"])
def test_an_empty_or_padded_chat_is_refused(chat: str) -> None:
    """An empty id would make every room without one private."""
    with pytest.raises(InvalidAccountError):
        AudiencePolicy(private_chats={"telegram": [chat]})


@pytest.mark.parametrize("value", [None, "telegram", [("telegram", "1")]])
def test_settings_that_are_no_mapping_are_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        AudiencePolicy(owners=value)
    with pytest.raises(TypeError):
        AudiencePolicy(private_chats=value)


def test_two_platforms_that_fold_alike_are_refused() -> None:
    """One of two owners would be dropped in silence."""
    with pytest.raises(InvalidAccountError):
        AudiencePolicy(owners={"Telegram": "1", "telegram": "2"})
    with pytest.raises(InvalidAccountError):
        AudiencePolicy(private_chats={"Telegram": ["1"], "telegram": ["2"]})


def test_a_policy_is_frozen_and_keeps_its_own_copy() -> None:
    """Later changes to what was passed change nothing."""
    owners, chats = {"telegram": "111"}, {"5"}
    policy = AudiencePolicy(owners=owners, private_chats={"telegram": chats})
    owners["telegram"] = "222"
    chats.add("6")
    assert policy.owners == {"telegram": "111"}
    assert policy.private_chats == {"telegram": frozenset({"5"})}
    with pytest.raises(TypeError):
        policy.owners["telegram"] = "222"  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        policy.owners = {}  # type: ignore[misc]


def test_a_repr_and_a_reason_hold_no_ids() -> None:
    """Account and chat ids are private."""
    policy = AudiencePolicy(
        owners={"telegram": "4711"}, private_chats={"telegram": ["0815"]}
    )
    turn = Turn("ops", "group", account=Account("telegram", "4711"), chat_id="0815")
    text = repr(policy) + policy.view(turn).reason
    assert "4711" not in text
    assert "0815" not in text
