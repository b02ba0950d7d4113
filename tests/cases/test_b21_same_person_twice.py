"""B21: the same person, twice.

An account is (platform, account id): the platform without case, the id as exact text,
and nothing else is guessed. An operator's edit counts from the next call.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from ethos_memory.errors import InvalidAccountError
from ethos_memory.identity_map import IdentityMap

BY_HAND = Path(__file__).parent / "files" / "10-identity-map-hand-edited.json"
ROS = "a1b2c3d4e5f6"
MARTA = "77aa88bb99cc"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with the map that was edited by hand."""
    (tmp_path / "users").mkdir()
    map_of(tmp_path).write_bytes(BY_HAND.read_bytes())
    return tmp_path


def map_of(home: Path) -> Path:
    return home / "users" / "identity-map.json"


def test_numbers_and_casings_are_one_account(home: Path) -> None:
    """The number in the file, the number in the call, and either's text."""
    known = IdentityMap(home, redact=str)
    assert known.resolve("telegram", 700100200, display_label="Ros") == ROS
    assert known.resolve("telegram", "700100200", display_label="Ros R.") == ROS
    assert known.resolve("discord", "987654321012345678", display_label="x") == ROS
    assert known.resolve("DISCORD", 987654321012345678) == ROS
    assert map_of(home).read_bytes() == BY_HAND.read_bytes()


def test_padding_is_refused(home: Path) -> None:
    """It is neither trimmed into a match nor another account."""
    known = IdentityMap(home, redact=str)
    with pytest.raises(InvalidAccountError):
        known.resolve("Telegram ", "700100200", display_label=None)
    assert map_of(home).read_bytes() == BY_HAND.read_bytes()


def test_a_colon_in_a_name_is_no_border(home: Path) -> None:
    """The pair is the key, never the two joined."""
    known = IdentityMap(home, redact=str)
    assert known.resolve("matrix", "@marta:example.org", display_label="x") == MARTA
    other = known.resolve("matrix:@marta", "example.org", display_label="x")
    assert other != MARTA


def test_a_hand_edit_counts_at_once_and_is_never_undone(home: Path) -> None:
    """By the running object's own next save least of all."""
    known = IdentityMap(home, redact=str)
    known.resolve("matrix", "@marta:example.org")
    edited = BY_HAND.read_text().replace(MARTA, ROS)
    map_of(home).write_text(edited)
    assert known.resolve("matrix", "@marta:example.org", display_label="x") == ROS
    new = known.resolve("slack", "U1", display_label="new")
    assert map_of(home).read_text().startswith(edited.rstrip("\n ]"))
    assert '"note": "same person, linked by hand on 5 March"' in edited
    again = IdentityMap(home, redact=str)
    assert again.resolve("matrix", "@marta:example.org") == ROS
    assert again.resolve("slack", "U1") == new
    assert again.resolve("telegram", 700100200) == ROS


def test_an_empty_or_missing_account_is_an_error(home: Path) -> None:
    """Else everybody without one would share a profile."""
    known = IdentityMap(home, redact=str)
    for platform, account_id in (("telegram", ""), ("", "1")):
        with pytest.raises(InvalidAccountError):
            known.resolve(platform, account_id, display_label="x")
    with pytest.raises(TypeError):
        known.resolve("telegram", None, display_label="x")  # type: ignore[arg-type]
    assert map_of(home).read_bytes() == BY_HAND.read_bytes()


def test_linking_survives_a_restart_and_new_accounts(home: Path) -> None:
    """Both accounts give the kept id; the loser's is told, its folder left alone."""
    profile = home / "users" / MARTA / "USER.md"
    profile.parent.mkdir()
    profile.write_text("Marta\n")
    known = IdentityMap(home, redact=str)
    assert known.link("matrix", "@marta:example.org", ROS) == MARTA
    known.resolve("slack", "U1", display_label="new")
    again = IdentityMap(home, redact=str)
    assert again.resolve("matrix", "@marta:example.org") == ROS
    assert again.resolve("telegram", "700100200") == ROS
    assert profile.read_text() == "Marta\n"
    text = map_of(home).read_text()
    assert text.startswith(BY_HAND.read_text().replace(MARTA, ROS).rstrip("\n ]"))


def test_new_ids_never_collide(home: Path) -> None:
    """The generator offers two that are taken first."""
    draw = itertools.chain([ROS, "0f9e8d7c6b5a"], itertools.repeat("123456789abc"))
    known = IdentityMap(home, redact=str, new_id=lambda: next(draw))
    assert known.resolve("slack", "U1") == "123456789abc"


@pytest.mark.parametrize(
    "label",
    [
        "Zoë \U0001f527",
        '"},{"userId":"x"',
        "a\nb\r\n- c",
        "x" * 10_000,
        "\udcff",
        "\x00",
    ],
)
def test_no_label_breaks_the_file(home: Path, label: str) -> None:
    """It is one short line, whatever somebody calls themselves."""
    known = IdentityMap(home, redact=str)
    user_id = known.resolve("slack", "U1", display_label=label)
    rows = json.loads(map_of(home).read_bytes())
    assert len(rows) == 6
    assert len(rows[-1]["displayLabel"]) <= 128
    assert rows[-1]["displayLabel"].isprintable()
    assert IdentityMap(home, redact=str).resolve("slack", "U1") == user_id
