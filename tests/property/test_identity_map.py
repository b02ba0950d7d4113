"""Laws of the identity map."""

from __future__ import annotations

import json
import string
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from ethos_memory.errors import CorruptFileError, InvalidScopeError
from ethos_memory.identity_map import IdentityMap
from ethos_memory.identity_map.label import MAX_LABEL_CHARACTERS, clean_label
from ethos_memory.identity_map.parsing import parse
from ethos_memory.identity_map.splice import Entry, spliced
from ethos_memory.scope import ScopeId
from ethos_memory.turn import Account

if TYPE_CHECKING:
    from ethos_memory.identity_map.document import Document

Row: TypeAlias = dict[str, Any]

#: Any text a platform could use for an id, wide characters and quotes among them.
NAMES = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=8
).filter(lambda text: text == text.strip())
PLATFORMS = st.sampled_from(["telegram", "Slack", "é", "a:b"])


def is_user_id(text: str) -> bool:
    """Tell whether a scope can have this id; Windows device names cannot."""
    try:
        ScopeId.user(text)
    except InvalidScopeError:
        return False
    return True


USER_IDS = st.text(
    string.ascii_letters + string.digits + "_-", min_size=1, max_size=4
).filter(is_user_id)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)
LAYOUTS: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [{"indent": 2}, {"indent": None}, {"separators": (",", ":")}, {"indent": "\t"}]
)
#: Made once: each look for the zones of this machine takes a while.
TIMES = st.datetimes(timezones=st.timezones())


def key_of(row: Row) -> tuple[str, str]:
    """Return the account of a row."""
    account = Account(row["platform"], row["platformUserId"])
    return account.platform, account.account_id


@st.composite
def rows(draw: st.DrawFn) -> list[Row]:
    """Draw the entries of a valid map, with unknown fields in any place."""
    found = draw(
        st.lists(st.tuples(PLATFORMS, NAMES | st.integers(), USER_IDS), max_size=5)
    )
    unique = {}
    for platform, account_id, user_id in found:
        fields = draw(st.dictionaries(st.text(max_size=4), JSON, max_size=2))
        row = {
            **fields,
            "userId": user_id,
            "platform": platform,
            "platformUserId": account_id,
            "displayLabel": "x",
        }
        unique[key_of(row)] = row
    return list(unique.values())


@st.composite
def files(draw: st.DrawFn) -> tuple[list[Row], bytes]:
    """Draw a valid map and its file, in any layout."""
    entries = draw(rows())
    text = json.dumps(entries, ensure_ascii=draw(st.booleans()), **draw(LAYOUTS))
    text = draw(st.sampled_from(["", "\ufeff", " \n"])) + text
    text += draw(st.sampled_from(["", "\n", "\r\n "]))
    return entries, text.encode()


def users(document: Document) -> dict[tuple[str, str], str]:
    """Return whose each account is."""
    return {key: document.user_ids[row] for key, row in document.accounts.items()}


@given(files())
@settings(max_examples=60, deadline=None)
def test_every_valid_file_is_understood(file: tuple[list[Row], bytes]) -> None:
    """In any layout, with any unknown fields, each row by its own bytes."""
    entries, data = file
    document = parse(data, path="map")
    assert users(document) == {key_of(row): row["userId"] for row in entries}
    assert [document.members(row) for row in range(len(entries))] == entries


@given(files(), st.data())
@settings(max_examples=100, deadline=None)
def test_a_splice_is_what_it_says(file: tuple[list[Row], bytes], data: Any) -> None:
    """Rows not named keep their bytes; the rest is as if it had been encoded anew."""
    entries, text = file
    document = parse(text, path="map")
    numbers = st.integers(0, max(len(entries) - 1, 0))
    dropped = frozenset(data.draw(st.sets(numbers))) if entries else frozenset()
    relinked = {
        row: user_id
        for row, user_id in data.draw(st.dictionaries(numbers, st.just("new"))).items()
        if entries and row not in dropped
    }
    keys = data.draw(
        st.lists(st.tuples(st.just("new"), NAMES), max_size=2, unique=True)
    )
    now = data.draw(TIMES)
    added = tuple(
        Entry(key, "new", label=data.draw(NAMES), first_seen_at=now) for key in keys
    )
    after = spliced(document, relinked=relinked, dropped=dropped, added=added)
    wanted = [
        {**row, "userId": relinked.get(number, row["userId"])}
        for number, row in enumerate(entries)
        if number not in dropped
    ]
    found = json.loads(after.decode("utf-8-sig"))
    assert found[: len(wanted)] == wanted
    assert [
        (row["platform"], row["platformUserId"]) for row in found[len(wanted) :]
    ] == keys
    for number in set(range(len(entries))) - dropped - set(relinked):
        assert text[document.starts[number] : document.ends[number]] in after
    assert users(parse(after, path="map", previous=document)) == users(
        parse(after, path="map")
    )


@given(files(), st.data())
@settings(max_examples=100, deadline=None)
def test_damage_is_refused_or_harmless(
    file: tuple[list[Row], bytes], data: Any
) -> None:
    """Cut or changed bytes raise the one error, or give what Python's JSON gives."""
    _, text = file
    at = data.draw(st.integers(0, len(text)))
    damaged = (
        text[:at]
        + data.draw(st.binary(max_size=3))
        + text[at + data.draw(st.integers(0, 5)) :]
    )
    try:
        document = parse(damaged, path="map")
    except CorruptFileError:
        return
    found = json.loads(damaged.decode("utf-8-sig"))
    assert users(document) == {key_of(row): row["userId"] for row in reversed(found)}


@given(st.text())
@settings(max_examples=200)
def test_a_label_is_one_short_line(label: str) -> None:
    """Trimmed, printable by its line, and the same when it is cleaned again."""
    clean = clean_label(label, str)
    assert len(clean) <= MAX_LABEL_CHARACTERS
    assert len(clean.splitlines()) <= 1
    assert clean == clean.strip()
    assert clean_label(clean, str) == clean
    clean.encode()


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("resolve"), st.integers(0, 3)),
        st.tuples(st.just("link"), st.integers(0, 3), st.sampled_from("abc")),
        st.tuples(st.just("unlink"), st.integers(0, 3)),
        st.tuples(st.just("forget"), st.sampled_from("abc")),
        st.tuples(st.just("merge"), st.sampled_from("abc"), st.sampled_from("abc")),
    ),
    max_size=12,
)


def model_step(
    model: dict[str, str], known: IdentityMap, verb: str, *args: Any
) -> None:
    """Do the same to a dict and to a map, and compare the answers."""
    if verb in {"resolve", "unlink", "link"}:
        account, rest = str(args[0]), args[1:]
        answer = getattr(known, verb)("x", account, *rest)
        if verb == "link":
            assert answer == model.get(account)
            model[account] = rest[0]
        elif verb == "unlink" or account not in model:
            assert answer not in {*model.values(), "a", "b", "c"}
            model[account] = answer
        else:
            assert answer == model[account]
        return
    whose = args[-1]
    mine = [account for account, user_id in model.items() if user_id == whose]
    if verb == "forget":
        assert known.forget(whose) == len(mine)
        for account in mine:
            del model[account]
    elif args[0] != whose:
        assert {one.account_id for one in known.merge(*args)} == set(mine)
        model.update(dict.fromkeys(mine, args[0]))


@given(OPERATIONS)
@settings(max_examples=40, deadline=None)
def test_any_run_of_operations_is_that_of_a_dict(steps: list[tuple[Any, ...]]) -> None:
    """Seen by the object that did them and by one that opens the file anew."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        known = IdentityMap(home, redact=str, durability="fast")
        model: dict[str, str] = {}
        for step in steps:
            model_step(model, known, *step)
            for one in (known, IdentityMap(home, redact=str)):
                accounts = one.accounts()
                assert {a.account.account_id: a.user_id for a in accounts} == model
                for user_id in "abc":
                    # Nobody is reached through somebody else's records.
                    assert not set(one.merged_ids(user_id)) & {*model.values(), user_id}
