"""The suite in somebody else's project: plain pytest, no plugin, no settings of ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import ethos_memory

SOUND = """
import pytest
from ethos_memory import TransientProvider
from ethos_memory.testing import Capabilities, ProviderContract

class Broken(TransientProvider):
    def list(self, *args, **options):
        return super().list(*args, **options)[::-1]

class TestSound(ProviderContract):
    capabilities = Capabilities(durable=False)

    @pytest.fixture
    def provider(self):
        return TransientProvider()

class TestBroken(TestSound):
    @pytest.fixture
    def provider(self):
        return Broken()
"""


def test_it_runs_and_shows_what_is_wrong(tmp_path: Path) -> None:
    """Warnings are errors there as well, and a failed comparison shows its values."""
    (tmp_path / "test_theirs.py").write_text(SOUND)
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    source = str(Path(ethos_memory.__file__).parents[1])
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-k",
            "listed",
        ],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={"PYTHONPATH": source, "PATH": ""},
        text=True,
    )
    assert run.returncode == 1
    failed = [line for line in run.stdout.splitlines() if line.startswith("FAILED")]
    assert failed
    assert all("TestBroken" in line for line in failed)
    assert "a_b.md" in run.stdout
    assert "warning" not in run.stdout.lower()
