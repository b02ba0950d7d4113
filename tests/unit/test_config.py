from __future__ import annotations

import os
import traceback
from typing import TYPE_CHECKING, Any

import pytest
from attrs.exceptions import FrozenInstanceError

from ethos_memory.config import MAX_CONFIG_BYTES, Config, parse_config
from ethos_memory.disk import Root
from ethos_memory.errors import CorruptFileError
from ethos_memory.guard import GuardPolicy
from ethos_memory.policy import AudiencePolicy

if TYPE_CHECKING:
    from pathlib import Path

FINGERPRINT = "0123456789abcdef" * 4


def refusal(text: str | bytes) -> CorruptFileError:
    """Return the error, and check that nothing of the file is in it anywhere."""
    with pytest.raises(CorruptFileError) as caught:
        parse_config(text)
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None
    assert "SECRET" not in "".join(traceback.format_exception(error)[-1:])
    assert "SECRET" not in repr(error)
    assert error.path == "config.yaml"
    return error


def test_a_flat_config_is_read() -> None:
    config = parse_config(
        "# Ethos\n"
        "theme: dark\n"
        "channel_filter.telegram.enable: true\n"
        "channel_filter.telegram.ownerUserId: 123456789\n"
        "channel_filter.Matrix.ownerUserId: @ana:hs.example\n"
        "gateway.private_chats.telegram: -100200, -100300\n"
        "gateway.private_chats.matrix: !room:hs.example,#room:hs.example\n"
        "memory: vector\n"
        "memoryVault.path: ~/vault\n"
        "memoryVault.agentDir: Agent\n"
        "memoryVector.embedder: my.package:embed\n"
        "memoryPostgres.dsn: postgresql://me:SECRET@db/ethos?a=b#c\n"
        f"memoryGuard.accepted: {FINGERPRINT},{FINGERPRINT.upper()}\n"
        "memoryGuard.flagAt: 20\n"
        "memoryGuard.userWithholdAt: 100\n"
    )
    assert config == Config(
        owners={"telegram": "123456789", "matrix": "@ana:hs.example"},
        private_chats={
            "telegram": ("-100200", "-100300"),
            "matrix": ("!room:hs.example", "#room:hs.example"),
        },
        memory="vector",
        vault_path="~/vault",
        vault_agent_dir="Agent",
        vector_embedder="my.package:embed",
        postgres_dsn="postgresql://me:SECRET@db/ethos?a=b#c",
        guard={
            "accepted": (FINGERPRINT, FINGERPRINT),
            "flag_at": 20,
            "user_withhold_at": 100,
        },
    )


def test_a_nested_config_says_the_same() -> None:
    nested = parse_config(
        "channel_filter:\n"
        "  telegram:\n"
        "    enable: true\n"
        "    ownerUserId: 0123  # the owner\n"
        "    recipientAllowlist:\n"
        "      - 5\n"
        "      - name: x\n"
        "  Matrix:\n"
        "    ownerUserId: @ana:hs.example\n"
        "  slack: {ownerUserId: U1}\n"
        "gateway:\n"
        "  bots:\n"
        "    - token: abc\n"
        "  private_chats:\n"
        "    telegram:\n"
        "      - -100200\n"
        "      - '-100300'\n"
        "    matrix:\n"
        "    - !room:hs.example # home\n"
        "    - #room:hs.example\n"
        "    - # nothing\n"
        "    slack: C1, C2\n"
        "memoryVault:\n"
        "  path: /srv/it's a vault\n"
        "memoryGuard:\n"
        f"  accepted: [{FINGERPRINT}]\n"
        "  flagAt: 20\n"
    )
    assert nested == Config(
        owners={"telegram": "0123", "matrix": "@ana:hs.example", "slack": "U1"},
        private_chats={
            "telegram": ("-100200", "-100300"),
            "matrix": ("!room:hs.example", "#room:hs.example"),
            "slack": ("C1", "C2"),
        },
        vault_path="/srv/it's a vault",
        guard={"accepted": (FINGERPRINT,), "flag_at": 20},
    )


@pytest.mark.parametrize(
    "text",
    [
        "channel_filter.telegram.ownerUserId: {}\n",
        "channel_filter.telegram.ownerUserId:{}\n",
        "channel_filter.telegram:\n  ownerUserId: {}\n",
        "channel_filter:\n  telegram.ownerUserId: {}\n",
        "channel_filter:\n    telegram:\n        ownerUserId: {}\n",
        "channel_filter:\n\n  # a remark\n  telegram:\n# more\n    ownerUserId: {}\n",
        '"channel_filter":\n  \'telegram\':\n    "ownerUserId": {}\n',
    ],
)
@pytest.mark.parametrize(
    ("value", "owner"),
    [
        ("123", "123"),
        ("0123", "0123"),
        ("1_000", "1_000"),
        ("0x10", "0x10"),
        ("1e5", "1e5"),
        ("+491701234567", "+491701234567"),
        ("ana@example.org", "ana@example.org"),
        ("@ana:hs.example", "@ana:hs.example"),
        ("!room:hs.example", "!room:hs.example"),
        ("#room:hs.example", "#room:hs.example"),
        ("%41", "%41"),
        ("a#b", "a#b"),
        ("a:b", "a:b"),
        ("yes", "yes"),
        ("null", "null"),
        ("~", "~"),
        ("2026-09-01", "2026-09-01"),
        ("919800000000@s.whatsapp.net", "919800000000@s.whatsapp.net"),
        ("'123'", "123"),
        ('"123"', "123"),
        ('"@ana:hs"  # me', "@ana:hs"),
        ("123 # me", "123"),
        ("123\t# me", "123"),
        ("", ""),
        ('""', ""),
        ("''", ""),
        ("# nobody", ""),
        ("#", ""),
        ("@ana:it's", "@ana:it's"),
    ],
)
def test_a_value_is_text_however_it_is_nested(
    text: str, value: str, owner: str
) -> None:
    """Numbers, signs and words of YAML are ids; quotes and remarks come off."""
    assert parse_config(text.format(value)).owners == {"telegram": owner}


@pytest.mark.parametrize(
    ("value", "chats"),
    [
        ("1", ("1",)),
        ("1,2", ("1", "2")),
        (" 1 , 2 ,", ("1", "2")),
        ("'1, 2'", ("1", "2")),
        ("[1, 2]", ("1", "2")),
        ('["1", "2"]', ("1", "2")),
        ("[]", ()),
        ("", ()),
        ("!a:hs, @b:hs", ("!a:hs", "@b:hs")),
    ],
)
@pytest.mark.parametrize(
    "text",
    [
        "gateway.private_chats.telegram: {}\n",
        "gateway.private_chats:\n  telegram: {}\n",
        "gateway:\n  private_chats:\n    telegram: {}\n",
    ],
)
def test_rooms_are_a_list_or_a_text_with_commas(
    text: str, value: str, chats: tuple[str, ...]
) -> None:
    assert parse_config(text.format(value)).private_chats == {"telegram": chats}


def test_a_list_may_hang_below_its_key() -> None:
    """YAML allows a list that is not indented."""
    text = "gateway.private_chats.telegram:\n- 1\n- 2\nmemory: vault\n"
    config = parse_config(text)
    assert config.private_chats == {"telegram": ("1", "2")}
    assert config.memory == "vault"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_mark_make_no_difference(end: str, mark: str) -> None:
    """Files from Windows: a mark in front of the first key would hide it."""
    lines = ["channel_filter.telegram.ownerUserId: 1", "memory: vault", "gateway:", ""]
    config = parse_config((mark + end.join(lines)).encode())
    assert (config.owners, config.memory) == ({"telegram": "1"}, "vault")


@pytest.mark.parametrize(
    "text", ["", "\n", "---\n", "# only a remark\n", "\ufeff", "\t"]
)
def test_an_empty_config_means_the_defaults(text: str) -> None:
    config = parse_config(text)
    assert config == Config()
    assert (config.memory, config.vault_agent_dir) == ("markdown", "Ethos")
    assert (dict(config.owners), config.vault_path) == ({}, None)


@pytest.mark.parametrize(
    "text",
    [
        "modelRouting.ops: opus\n",
        "memoryCapture:\n  apiKey: &k SECRET\n  again: *k\n",
        "memoryCapture.enabled: 'unclosed\n",
        "systemPrompt: |\n  You are.\n  memory: no\n\tand: a tab\nmemory: vault\n",
        "personalities:\n  ops:\n    memory: mem0\n",
        "list:\n- a\n- b\n",
        "two words: x\ntwo words: y\n",
        "gateway: on\n",
        "gateway.port: 'x\n",
        "channel_filter.telegram.dmPolicy: pairing\n",
        "memoryVault.exclude: a,b\n",
        "memoryVault.later: 5\n",
        "memory.later: 5\n",
        "memoryOptions:\nmemoryGuard:\n",
    ],
)
def test_what_is_not_ours_is_left_alone(text: str) -> None:
    """Ethos's own settings are its own, whatever they look like."""
    config = parse_config(text)
    assert config.memory in {"markdown", "vault"}
    assert config.owners == {}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        # no setting at all
        ("channel_filter.telegram.ownerUserId SECRET\n", 1),
        ("memory: vault\n\njust SECRET words\n", 3),
        ("memory: vault\n---\nmemory: vault\n", 2),
        ("%YAML 1.2\n", 1),
        (": SECRET\n", 1),
        ('"": SECRET\n', 1),
        ('"memory: SECRET\n', 1),
        # keys that nest, merge or point elsewhere
        ('{"channel_filter.telegram.ownerUserId": "SECRET"}\n', 1),
        ("? channel_filter\n", 1),
        ("<<: *SECRET\n", 1),
        ("&a channel_filter: SECRET\n", 1),
        # settings that slipped to the right
        ("  memory: vault\n", 1),
        ("- memory: vault\n", 1),
        ("theme: dark\n channel_filter.telegram.ownerUserId: SECRET\n", 2),
        ("a:\n  b: c\n  gateway.private_chats.x: SECRET\n", 3),
        ("memory: vault\n  channel_filter: SECRET\n", 1),
        # quotes
        ("channel_filter.telegram.ownerUserId: 'SECRET\n", 1),
        ('channel_filter.telegram.ownerUserId: "SEC"RET\n', 1),
        ('channel_filter.telegram.ownerUserId: "SECRET"#x\n', 1),
        ("gateway.private_chats.telegram: ['SECRET, 2]\n", 1),
        # blocks that are no YAML, or more than a plain one
        ("a: b\nchannel_filter:\n  telegram:\n\townerUserId: SECRET\n", 4),
        ("channel_filter:\n  telegram: [SECRET\n", 3),
        ("channel_filter:\n  a: &x\n    ownerUserId: SECRET\n  b: *x\n", 2),
        ("channel_filter:\n  b: *SECRET\n", 2),
        ("channel_filter:\n  a:\n    ownerUserId: !!str SECRET\n", 3),
        ("channel_filter:\n  a:\n    <<: {ownerUserId: SECRET}\n", 3),
        ("channel_filter:\n  a:\n    ? [SECRET]\n    : x\n", 3),
        ("channel_filter:\n  a:\n    c: SECRET\n b: x\n", 4),
        ("channel_filter:\n  a: \x00SECRET\n", 1),
        ("channel_filter:\n  a: " + "[" * 5_000 + "\n", 1),
        # an owner that is none
        ("channel_filter.telegram.ownerUserId: ' SECRET'\n", 1),
        ("channel_filter.telegram.ownerUserId: SEC\x07RET\n", 1),
        ("channel_filter:\n  telegram:\n    ownerUserId: [SECRET]\n", 3),
        ("channel_filter:\n  telegram:\n    ownerUserId:\n      SECRET: 1\n", 4),
        ("channel_filter. x.ownerUserId: SECRET\n", 1),
        ("channel_filter: SECRET\n", 1),
        ("channel_filter.telegram: SECRET\n", 1),
        ("channel_filter:\n  telegram: SECRET\n", 2),
        ("channel_filter:\n- SECRET\n", 2),
        # twice
        (
            "channel_filter.t.ownerUserId: 1\nchannel_filter.T.ownerUserId: SECRET\n",
            2,
        ),
        (
            "channel_filter:\n  a:\n    ownerUserId: 1\n    ownerUserId: SECRET\n",
            4,
        ),
        ("channel_filter: {a: {ownerUserId: 1, ownerUserId: SECRET}}\n", 1),
        ("gateway.private_chats.a: 1\ngateway.private_chats.A: SECRET\n", 2),
        ("memory: vault\nmemory: vault\n", 2),
        # misspelt
        ("channel_filter.telegram.owneruserid: SECRET\n", 1),
        ("channel_filter.telegram.owner_user_id: SECRET\n", 1),
        ("channelFilter.telegram.ownerUserId: SECRET\n", 1),
        ("channel-filter:\n  telegram:\n    ownerUserId: SECRET\n", 3),
        ("gateway.privateChats.telegram: SECRET\n", 1),
        ("Memory: vault\n", 1),
        ("memory_guard.accepted: SECRET\n", 1),
        # values that cannot be
        ("memory: SECRET\n", 1),
        ("memory:\n", 1),
        ("memory: Markdown\n", 1),
        ("memory:\n  \u2028\n", 1),
        ("memory:\n  provider: SECRET\n", 2),
        ("memory: postgresql://me:SECRET@db\n", 1),
        ("memory: a/b/c\n", 1),
        ("memory: a/\n", 1),
        ("memory: -a\n", 1),
        (f"memory: {'a' * 65}\n", 1),
        # of a personality
        ("memory.provider: vault\n", 1),
        ("memory.options: x\n", 1),
        ("theme: dark\nmemory.options.path: SECRET\n", 2),
        # no setting of ours, in a block that is ours alone
        ("memoryGuard.later: SECRET\n", 1),
        ("memoryGuard:\n  flagAt: 5\n  later: SECRET\n", 3),
        ("memoryGuard: SECRET\n", 1),
        ("memoryVector.model: SECRET\n", 1),
        ("memoryPostgres: SECRET\n", 1),
        ("memoryPostgres.password: SECRET\n", 1),
        # options
        ("memoryOptions: SECRET\n", 1),
        ("memoryOptions:\n- SECRET\n", 2),
        ("memory: mem0\nmemoryOptions.two words: SECRET\n", 2),
        ("memory: mem0\nmemoryOptions.a.b: SECRET\n", 2),
        ("memory: mem0\nmemoryOptions:\n  a:\n    b: SECRET\n", 4),
        ("memory: mem0\nmemoryOptions:\n  a: [SECRET]\n", 3),
        ("memory: mem0\nmemoryOptions.a: 1\nmemoryOptions:\n  a: SECRET\n", 4),
        ("memory: mem0\nmemory_options.a: SECRET\n", 2),
        ("memory: mem0\nMemoryOptions:\n  a: SECRET\n", 3),
        ("theme: dark\n memoryOptions.a: SECRET\n", 2),
        ("memoryOptions.b: 1\nmemoryOptions.a: SECRET\n", 1),
        ("a: b\nmemoryOptions.b: SECRET\nmemory: vault\n", 2),
        ("memoryVault:\n  path:\n    a: SECRET\n", 3),
        ("gateway.private_chats.telegram: SEC\x07RET\n", 1),
        ("gateway.private_chats.telegram:\n  a: SECRET\n", 2),
        ("gateway.private_chats.telegram:\n  - [SECRET]\n", 2),
        ("memoryGuard.accepted: SECRET\n", 1),
        ("memoryGuard.flagAt: SECRET\n", 1),
        ("memoryGuard.flagAt: 0\n", 1),
        ("memoryGuard.flagAt: 101\n", 1),
        ("memoryGuard.flagAt: ٣\n", 1),
        ("memoryGuard.flagAt:\n  - 5\n", 2),
    ],
)
def test_what_cannot_be_understood_is_refused(text: str, line: int) -> None:
    """An error names file and line, never content; it never means "no owner"."""
    assert refusal(text).reason.startswith(f"line {line}: ")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"memory: vault\nchannel_filter.x.ownerUserId: SECRET\xff\n", 2),
        ("memory: SECRET".encode("utf-16"), 1),
        (b"\xff\xfe\x00broken", 1),
        ("a: b\nname: Grüße SECRET".encode("cp1252"), 2),
    ],
)
def test_bytes_that_are_no_text_are_refused(data: bytes, line: int) -> None:
    assert refusal(data).reason == f"line {line}: not UTF-8 text"


def test_a_config_feeds_the_policy_and_the_guard() -> None:
    """The values go where they are used as they are."""
    config = parse_config(
        'channel_filter.Telegram.ownerUserId: ""\n'
        "gateway.private_chats.telegram: 1,2\n"
        f"memoryGuard.accepted: {FINGERPRINT}\n"
        "memoryGuard.withholdAt: 70\n"
        "memoryGuard.userFlagAt: 10\n"
    )
    policy = AudiencePolicy(config.owners, config.private_chats)
    assert policy.owners == {"telegram": ""}
    assert policy.private_chats == {"telegram": frozenset({"1", "2"})}
    guard = GuardPolicy(**config.guard)
    assert (guard.withhold_at, guard.user_flag_at) == (70, 10)
    assert guard.accepted == frozenset({FINGERPRINT})


@pytest.mark.parametrize("name", ["mem0", "mem0/mem0", "a", "9.x_y-z", "a" * 64])
def test_a_package_may_keep_the_memory(name: str) -> None:
    """Its options are text, whatever they look like; who it is shows at opening."""
    config = parse_config(
        f"memoryOptions:\n  url: redis://me:SECRET@db/0\n  ttl: 007\nmemory: {name}\n"
        "memoryOptions.empty:\n"
    )
    assert config.memory == name
    assert config.options == {
        "url": "redis://me:SECRET@db/0",
        "ttl": "007",
        "empty": "",
    }
    assert "SECRET" not in repr(config)


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("", "markdown", ()),
        ("memory: markdown\nmemoryVault.path: /v\n", "markdown", ()),
        ("memory: vault\nmemoryVault.path: /v\n", "vault", (("path", "/v"),)),
        ("memory: vault\nmemoryVault.agentDir: Ethos\n", "vault", ()),
        ("memory: vault\nmemoryVault.agentDir: A\n", "vault", (("agentDir", "A"),)),
        ("memory: vector\nmemoryVector.embedder: e\n", "vector", (("embedder", "e"),)),
        ("memory: postgres\nmemoryPostgres.dsn: D\n", "postgres", (("dsn", "D"),)),
        ("memory: x\nmemoryOptions:\n  b: 1\n  a:\n", "x", (("a", ""), ("b", "1"))),
    ],
)
def test_a_config_makes_one_choice(
    text: str, name: str, options: tuple[tuple[str, str], ...]
) -> None:
    """With the settings of that provider alone."""
    choice = parse_config(text).choice
    assert (choice.name, choice.pairs) == (name, options)


def test_a_missing_setting_is_said_of_the_providers_own_line() -> None:
    choice = parse_config("theme: x\nmemory: vault\n", file="/home/c.yaml").choice
    with pytest.raises(CorruptFileError) as caught:
        choice.required("path")
    assert caught.value.path == "/home/c.yaml"
    assert caught.value.reason == "line 2: memory: vault needs memoryVault.path"


def test_a_config_is_frozen_and_shows_nothing_private() -> None:
    config = parse_config(
        "channel_filter.telegram.ownerUserId: SECRET\n"
        "gateway.private_chats.telegram: SECRET\n"
        "memoryPostgres.dsn: postgresql://SECRET\n"
    )
    assert "SECRET" not in repr(config)
    with pytest.raises(TypeError):
        config.owners["telegram"] = "2"  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        config.memory = "vault"  # type: ignore[misc]


@pytest.mark.parametrize("named", ["${PG_DSN}", "env:PG_DSN", "PG_DSN"])
def test_a_dsn_may_name_a_variable(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = parse_config(f"memoryPostgres.dsn: {named}\n")
    assert config.resolve_postgres_dsn({"PG_DSN": "host=db"}) == "host=db"
    monkeypatch.setenv("PG_DSN", "host=other")
    assert config.resolve_postgres_dsn() == "host=other"
    for environ in ({}, {"PG_DSN": ""}):
        with pytest.raises(CorruptFileError, match=r"line 1: .*\.dsn: .* not set"):
            config.resolve_postgres_dsn(environ)


@pytest.mark.parametrize("dsn", ["host=db user=me", "postgresql://db/$x"])
def test_a_dsn_that_names_no_variable_is_kept(dsn: str) -> None:
    config = parse_config(f"memoryPostgres.dsn: {dsn}\n")
    assert config.resolve_postgres_dsn({}) == dsn
    assert Config().resolve_postgres_dsn({}) is None


def test_a_home_without_a_config_has_the_defaults(tmp_path: Path) -> None:
    """Nothing is created by looking."""
    assert Config.load(tmp_path) == Config()
    assert Config.load(tmp_path / "absent") == Config()
    assert list(tmp_path.iterdir()) == []


def test_a_config_is_loaded_from_a_path_or_an_open_root(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_bytes(b"memory: vault\r\n")
    root = Root(tmp_path)
    assert Config.load(root).memory == "vault"
    assert Config.load(root).memory == "vault"
    root.close()
    assert Config.load(str(tmp_path)).memory == "vault"


def broken_files() -> dict[str, Any]:
    return {
        "a folder": lambda path: path.mkdir(),
        "a pipe": os.mkfifo,
        "a dangling link": lambda path: path.symlink_to("missing.yaml"),
        "too large": lambda path: path.write_text("# x\n" * MAX_CONFIG_BYTES),
        "no text": lambda path: path.write_bytes(b"\xff"),
        "no setting": lambda path: path.write_text("SECRET"),
    }


@pytest.mark.parametrize("kind", broken_files())
def test_a_file_that_cannot_be_read_is_named(kind: str, tmp_path: Path) -> None:
    """And it is never taken for an absent one."""
    path = tmp_path / "config.yaml"
    broken_files()[kind](path)
    with pytest.raises(CorruptFileError) as caught:
        Config.load(tmp_path)
    assert caught.value.path == str(path)
    assert caught.value.__context__ is None
    assert "SECRET" not in str(caught.value)


def test_a_disk_that_refuses_is_no_absent_config(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.yaml").write_text("memory: vault\n")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("ethos_memory.disk.Folder.read", refuse)
    with pytest.raises(CorruptFileError, match="Permission denied"):
        Config.load(tmp_path)


def test_a_home_that_is_no_folder_has_no_defaults(tmp_path: Path) -> None:
    """It cannot be told what its config says."""
    home = tmp_path / "home"
    home.write_text("")
    with pytest.raises(CorruptFileError, match="not a folder") as caught:
        Config.load(home)
    assert caught.value.path == str(home / "config.yaml")


def test_a_linked_config_is_read_where_links_are_trusted(tmp_path: Path) -> None:
    home, dots = tmp_path / "home", tmp_path / "dots"
    home.mkdir()
    dots.mkdir()
    (dots / "ethos.yaml").write_text("memory: vault\n")
    (home / "config.yaml").symlink_to(dots / "ethos.yaml")
    with pytest.raises(CorruptFileError, match="trusted_links"):
        Config.load(home)
    assert Config.load(home, trusted_links=[dots]).memory == "vault"
