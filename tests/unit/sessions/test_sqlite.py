from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from ethos_memory.sessions import Sessions, SessionStore, SQLiteSessionStore
from session_store import open_store, say, texts

if TYPE_CHECKING:
    from pathlib import Path


def test_it_is_a_store_and_its_views_are_sessions(tmp_path: Path) -> None:
    """What the protocols say, the type checker and the running program see."""
    with open_store(tmp_path) as store:
        kept: SessionStore = store
        mine: Sessions = store.for_owner("user:ana")
        assert isinstance(kept, SessionStore)
        assert isinstance(mine, Sessions)
        assert isinstance(store.unsafe_everyone(), Sessions)


def test_closing_can_be_repeated_and_then_nothing_is_answered(tmp_path: Path) -> None:
    """A closed store is an error of its own, never a hidden reopening."""
    store = open_store(tmp_path)
    sessions = store.for_owner("user:ana")
    store.close()
    store.close()
    for call in (
        sessions.list,
        lambda: sessions.create("k"),
        lambda: store.count_owner("user:ana"),
        lambda: store.backup(tmp_path / "copy.db"),
    ):
        with pytest.raises(ValueError, match="closed"):
            call()
    assert [path.name for path in tmp_path.iterdir()] == ["memory-sessions.db"]


def test_an_error_inside_a_with_block_closes_the_store(tmp_path: Path) -> None:
    """And passes through."""
    with pytest.raises(KeyError), open_store(tmp_path) as store:
        raise KeyError
    with pytest.raises(ValueError, match="closed"):
        store.count_owner("user:ana")


def test_export_yields_every_conversation_whole_in_the_order_they_began(
    tmp_path: Path,
) -> None:
    """Of that owner alone; one that goes while it is read is left out."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        ids = [sessions.create(f"k{number}").id for number in range(3)]
        for id in ids:
            say(sessions, id, "user: hello", "assistant: hi")
        store.for_owner("user:ben").create("other")
        exported = store.export_owner("user:ana")
        first = next(exported)
        assert first.session == sessions.get(ids[0])
        assert texts(first.messages) == ["hello", "hi"]
        sessions.delete(ids[1])
        assert [found.session and found.session.id for found in exported] == [ids[2]]
        assert list(store.export_owner("user:nobody")) == []


def test_erasing_counts_what_went_and_can_be_repeated(tmp_path: Path) -> None:
    """Forks of the owner's sessions are the owner's, and go too."""
    with open_store(tmp_path) as store:
        sessions = store.for_owner("user:ana")
        id = sessions.create("k").id
        sessions.fork(id)
        other = store.for_owner("user:ben").create("k")
        assert store.count_owner("user:ana") == 2
        assert store.erase_owner("user:ana") == 2
        assert store.erase_owner("user:ana") == 0
        assert store.count_owner("user:ana") == 0
        assert store.for_owner("user:ben").get(other.id) == other


def test_erasing_works_in_either_journal(tmp_path: Path) -> None:
    """The older mode keeps no log that would have to be emptied."""
    with open_store(tmp_path, journal="delete") as store:
        say(sessions := store.for_owner("user:ana"), sessions.create("k").id, "user: x")
        assert store.erase_owner("user:ana") == 1
        assert sessions.search("x") == ()


def test_the_path_may_hold_any_sign(tmp_path: Path) -> None:
    """Signs that mean something in a URI mean nothing here."""
    for name in ("a?mode=memory.db", "a#b.db", "a%20b.db", "é 项目.db", "a'b\".db"):
        with SQLiteSessionStore(tmp_path / name) as store:
            store.for_owner("user:ana").create("k")
        with SQLiteSessionStore(tmp_path / name) as store:
            assert store.count_owner("user:ana") == 1
        assert (tmp_path / name).is_file()


def test_a_linked_folder_is_resolved_once(tmp_path: Path) -> None:
    """As a linked root is: only the last part of the path may be no link."""
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    with SQLiteSessionStore(tmp_path / "link" / "s.db") as store:
        store.for_owner("user:ana").create("k")
    assert (real / "s.db").is_file()


def test_an_existing_file_is_made_private_when_it_is_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A restored copy may be readable by all; another user's file is theirs."""
    path = tmp_path / "memory-sessions.db"
    open_store(tmp_path).close()
    path.chmod(0o644)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        open_store(tmp_path).close()
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
    open_store(tmp_path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_credentials_are_taken_out_by_the_guards_rules_by_default(
    tmp_path: Path,
) -> None:
    """Of titles, labels and metadata; messages are kept as they were said."""
    key = "ghp_" + "Ab1" * 12
    with SQLiteSessionStore(tmp_path / "s.db") as store:
        sessions = store.for_owner("user:ana")
        session = sessions.create(
            "k",
            title=f"use {key} please",
            platform=f"cli {key}",
            model=f"m {key}",
            provider=f"p {key}",
            working_dir=f"/home/{key}",
            metadata={"note": [f"token {key}"], key: {"password": "hunter2-Xk9!"}},
        )
        id = session.id
        assert sessions.append(id, "user", f"my key is {key}").content.endswith(key)
        renamed = sessions.update(id, title=f"again {key}", metadata={"a": key})
    shown = str(
        [
            (s.title, s.platform, s.model, s.provider, s.working_dir, s.metadata)
            for s in (session, renamed)
        ]
    )
    assert key not in shown
    assert "hunter2" not in shown
    assert session.title
    assert session.title.startswith("use [redacted")
    raw = (tmp_path / "s.db").read_bytes()
    assert raw.count(key.encode()) == 1
