"""From bytes to a document: strict about whose account it is, and about nothing else."""

from __future__ import annotations

import json
import pickle
import traceback

import pytest

from ethos_memory.errors import CorruptFileError
from ethos_memory.identity_map.document import EMPTY, MERGED_PLATFORM
from ethos_memory.identity_map.parsing import parse, value_span
from unit.identity_map.samples import ANA, BO, entry, map_bytes, parsed

SECRET = "700100200-secret"
GOOD = map_bytes(entry("telegram", SECRET, ANA))


def test_an_account_is_found_by_platform_and_id() -> None:
    """Platforms fold to lower case; numbers are the text they look like."""
    document = parsed(
        entry("telegram", 700100200, ANA),
        entry("Discord", "987654321012345678", ANA, note="kept"),
        entry("matrix", "@marta:example.org", BO),
    )
    assert document.user_id(("telegram", "700100200")) == ANA
    assert document.user_id(("discord", "987654321012345678")) == ANA
    assert document.user_id(("matrix", "@marta:example.org")) == BO
    assert document.user_id(("matrix:@marta", "example.org")) is None


@pytest.mark.parametrize(
    "account_id", ["é", "e\u0301", "a b", "x" * 512, "~", "徐", "\\", '"', "a\u200db"]
)
@pytest.mark.parametrize("is_escaped", [True, False])
def test_an_account_id_is_exact_text(account_id: str, *, is_escaped: bool) -> None:
    """However the file writes it, no id is normalised."""
    data = json.dumps([entry("signal", account_id, ANA)], ensure_ascii=is_escaped)
    document = parse(data.encode(), path="map")
    assert list(document.accounts) == [("signal", account_id)]


@pytest.mark.parametrize(
    "frame",
    ["{}", "\ufeff{}", " \r\n{}\t", "[]"],
)
def test_bytes_around_the_list_do_not_matter(frame: str) -> None:
    """A byte-order mark and blanks are an editor's business."""
    data = frame.replace("{}", "[ ]").encode()
    assert not parse(data, path="map").user_ids


def test_rows_tell_their_bytes() -> None:
    """Each row is exactly one object of the file, also after wide characters."""
    first, second = entry("a", "徐\U0001f527", ANA), entry("b", "2", BO)
    document = parsed(first, second)
    assert [document.members(row) for row in (0, 1)] == [first, second]


DAMAGED = {
    "cut": GOOD[: len(GOOD) * 6 // 10],
    "cut after an entry": GOOD[: GOOD.rindex(b"}") + 1],
    "cut after a comma": GOOD[: GOOD.rindex(b"}") + 1] + b",",
    "open": b"[",
    "object": b"{}",
    "Ethos's documented object": json.dumps({f"telegram:{SECRET}": ANA}).encode(),
    "null": b"null",
    "text": b'"x"',
    "empty": b"",
    "blank": b"   ",
    "only a mark": b"\xef\xbb\xbf",
    "NULs": bytes(500),
    "garbage after": GOOD + b"garbage",
    "two lists": GOOD + GOOD,
    "trailing comma": GOOD.replace(b"\n]", b",\n]"),
    "no comma": GOOD[:-2] + GOOD[1:],
    "UTF-16": GOOD.decode().encode("utf-16"),
    "not UTF-8": map_bytes(entry("x", "é" + SECRET, ANA)).replace(b"\xc3", b"\xff"),
    "latin-1": map_bytes(entry("x", "é" + SECRET, ANA)).decode().encode("latin-1"),
    "comment": b"// " + GOOD,
    "no object": b"[1]",
    "NaN": GOOD.replace(b'"someone"', b"NaN"),
    "field twice": GOOD.replace(b'"displayLabel"', b'"userId"'),
    "deep": b"[" * 100_000,
    "long number": b'[{"platform": "x", "platformUserId": ' + b"7" * 5_000 + b"}]",
    "control character": GOOD.replace(b"someone", b"some\x00one"),
}
for name in ("platform", "platformUserId", "userId"):
    odd: tuple[object, ...] = (
        None,
        True,
        1.5,
        [],
        {},
        "",
        " x",
        "x\n",
        "\ud800",
        "y" * 513,
    )
    for value in odd:
        bad = {**entry("telegram", SECRET, ANA), name: value}
        DAMAGED[f"{name}: {value!r:.20}"] = json.dumps([bad]).encode()
    less = entry("telegram", SECRET, ANA)
    del less[name]
    DAMAGED[f"no {name}"] = json.dumps([less]).encode()
DAMAGED |= {
    "number for a platform": map_bytes(entry("7", 1, ANA)).replace(b'"7"', b"7"),
    "number for a user id": map_bytes(entry("x", SECRET, "1")).replace(b'"1"', b"1"),
    "user id of no scope": map_bytes(entry("x", SECRET, "ros/../x")),
    "user id of a device": map_bytes(entry("x", SECRET, "con")),
    "record of no id": map_bytes(entry(MERGED_PLATFORM, "../x", ANA)),
    "one account, two people": map_bytes(
        entry("Telegram", "7", ANA), entry("x", "1", ANA), entry("telegram", 7, BO)
    ),
    "one merged id, two people": map_bytes(
        entry(MERGED_PLATFORM, "x", ANA), entry(MERGED_PLATFORM, "x", BO)
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_is_refused_without_a_word_of_it(name: str) -> None:
    """One bad entry is enough: to skip it would give its person a fresh id."""
    with pytest.raises(CorruptFileError) as caught:
        parse(DAMAGED[name], path="/home/users/identity-map.json")
    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert "/home/users/identity-map.json" in shown
    assert caught.value.__context__ is None
    for secret in (SECRET, ANA, BO):
        assert secret not in shown
        assert secret not in repr(pickle.loads(pickle.dumps(caught.value)).__dict__)


@pytest.mark.parametrize("name", DAMAGED)
def test_damage_behind_known_rows_is_seen(name: str) -> None:
    """That the beginning is known does not excuse the rest."""
    known = parsed(entry("known", "1", ANA))
    head = known.data[: known.ends[-1]]
    with pytest.raises(CorruptFileError):
        parse(
            head + b",\n" + DAMAGED[name].removeprefix(b"["), path="m", previous=known
        )


def test_the_entry_is_named() -> None:
    """A person who made a slip of the hand is told where."""
    data = map_bytes(entry("x", "1", ANA), entry("x", "2", "n/a"))
    with pytest.raises(CorruptFileError, match=r"entry 2 has a userId that no scope"):
        parse(data, path="map")
    data = map_bytes(entry("x", "1", ANA), entry("x", "1", BO))
    with pytest.raises(CorruptFileError, match="entry 2 is the account of entry 1"):
        parse(data, path="map")


@pytest.mark.parametrize("label", [None, 7, [], "\ud800", "x" * 10_000])
def test_what_is_only_shown_may_be_odd(label: object) -> None:
    """A label or a time never costs anybody their profile."""
    data = json.dumps([{**entry("x", "1", ANA), "displayLabel": label}]).encode()
    assert parse(data, path="map").user_id(("x", "1")) == ANA
    bare: dict[str, object] = {"platform": "x", "platformUserId": "1", "userId": ANA}
    assert parse(map_bytes(bare), path="map").user_id(("x", "1")) == ANA


def test_an_entry_twice_is_no_damage() -> None:
    """The same account with the same id says the same thing twice."""
    document = parsed(entry("X", "1", ANA), entry("y", "2", BO), entry("x", 1, ANA))
    assert document.rows(document.accounts["x", "1"]) == (0, 2)


def test_hand_written_user_ids_are_taken_as_they_are() -> None:
    """The grammar is that of scopes; a minted id is only one kind."""
    assert parsed(entry("x", "1", "Ana_B-2")).user_id(("x", "1")) == "Ana_B-2"


def test_a_known_beginning_gives_the_same_document() -> None:
    """Reading on from an earlier state is a short cut, and nothing else."""
    old = parsed(entry("a", "1", ANA), entry(MERGED_PLATFORM, "x", ANA))
    data = map_bytes(
        entry("a", "1", ANA),
        entry(MERGED_PLATFORM, "x", ANA),
        entry("A", 1, ANA),
        entry("徐", "2", BO),
    )
    whole, continued = parse(data, path="m"), parse(data, path="m", previous=old)
    for name in ("accounts", "merged", "repeats", "user_ids", "starts", "ends", "data"):
        assert getattr(continued, name) == getattr(whole, name)
    assert old.user_ids == [ANA, ANA]
    assert not old.repeats
    assert old.accounts == {("a", "1"): 0}


def test_an_unchanged_file_is_the_same_document() -> None:
    """Equal bytes are not looked at again."""
    document = parsed(entry("a", "1", ANA))
    assert (
        parse(bytes(bytearray(document.data)), path="m", previous=document) is document
    )


def test_another_beginning_is_read_anew() -> None:
    """An edit before the end leaves nothing of the earlier state."""
    old = parsed(entry("a", "1", ANA))
    data = map_bytes(entry("a", "2", BO))
    assert parse(data, path="m", previous=old).accounts == {("a", "2"): 0}
    assert parse(b"[]", path="m", previous=old).accounts == {}


def test_a_missing_file_is_an_empty_list() -> None:
    """What stands for it is a file that could be read."""
    assert parse(b"[ ]\n", path="map").user_ids == []
    assert json.loads(EMPTY.data) == []


@pytest.mark.parametrize(
    "text",
    [
        '{"userId": "u1"}',
        '{"a": {"userId": "no"}, "userId" : "u1" , "b": [1, {"userId": 2}]}',
        '{\n"x": "\\"userId\\": ",\t"userId"\n:\r\n"u1"}',
        '{"é": "徐", "user\\u0049d": "u1"}',
    ],
)
def test_a_value_is_found_by_its_field(text: str) -> None:
    """Only the entry's own field counts, however it is written."""
    rest = ', "platform": "p", "platformUserId": "1"}'
    document = parse(f"[{text[:-1]}{rest}]".encode(), path="map")
    start, end = value_span(document, 0, "userId")
    assert document.data[start:end] == b'"u1"'
