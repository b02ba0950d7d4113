"""Erasure: a `forget` that is killed anywhere is finished by the next call."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

#: Forks one process for each call that changes the disk, and kills it there.
DRIVER = '''
import json, os, shutil, sys
from pathlib import Path
from unit.person.homes import contents, open_home, settle

base = Path(sys.argv[1])
with open_home(base / "home") as memory:
    ana, bo = settle(memory, "anamark"), settle(memory, "bo")
    for id in (ana.user_id, ana.old_id):
        (base / "home/users" / id / "notes.md").write_text("anamark")


def forget(home, user_id):
    with open_home(home) as memory:
        return memory.forget(user_id)


def die_at(number):
    """Replace every call that changes a folder or writes bytes."""
    left = [number]

    def wrapped(call):
        def counted(*args, **more):
            left[0] -= 1
            if not left[0]:
                os._exit(9)
            return call(*args, **more)
        return counted

    for name in ("unlink", "rename", "rmdir", "write", "pwrite", "ftruncate"):
        setattr(os, name, wrapped(getattr(os, name)))


def others(home):
    shared = ("identity-", "memory-sessions.db")
    return {
        name: data.hex() for name, data in contents(home).items()
        if ana.user_id not in name and ana.old_id not in name
        and not Path(name).name.startswith(shared)
    }


told = {"killed": 0, "faults": []}
before = others(base / "home")
for number in range(1, 500):
    home = base / f"{number}"
    shutil.copytree(base / "home", home)
    child = os.fork()
    if not child:
        die_at(number)
        forget(home, ana.user_id)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status not in (0, 9):
        told["faults"].append(f"{number}: ended with {status}")
    report = forget(home, ana.user_id)
    if report.remains or forget(home, ana.user_id):
        told["faults"].append(f"{number}: not finished")
    found = contents(home)
    audit = found.pop("users/identity-audit.jsonl").decode()
    text = b"".join([*found.values(), "".join(found).encode()])
    if any(trace in text for trace in ana.traces):
        told["faults"].append(f"{number}: left over")
    if "anamark" in audit or '"forget"' not in audit or '"erase"' not in audit:
        told["faults"].append(f"{number}: journal")
    if others(home) != before:
        told["faults"].append(f"{number}: others")
    with open_home(home) as memory:
        if memory.identity_map.find("slack", "sl-bo").user_id != bo.user_id:
            told["faults"].append(f"{number}: map")
    shutil.rmtree(home)
    if not status:
        break
    told["killed"] += 1
print(json.dumps(told))
'''


def test_a_forget_killed_at_any_step_is_finished_by_the_next(tmp_path: Path) -> None:
    """Nothing of the person is left, nothing of anybody else is lost, all is audited."""
    tests = Path(__file__).parents[1]
    ran = subprocess.run(
        [sys.executable, "-c", DRIVER, str(tmp_path)],
        cwd=tests,
        env={"PYTHONPATH": f"{tests}:{tests.parent / 'src'}"},
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    )
    told = json.loads(ran.stdout)
    assert told["faults"] == []
    assert told["killed"] >= 10
