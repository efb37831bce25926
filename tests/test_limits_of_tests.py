"""A test that may take longer than others is not ended by what ends the others."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LONG = """
import time
import pytest

@pytest.mark.timeout({limit})
def test_long():
    time.sleep(2)
"""


@pytest.mark.parametrize(("limit", "ended_by_force"), [(60, False), (0, True)])
def test_its_own_limit_holds_instead_of_the_usual_one(tmp_path: Path, limit: int, ended_by_force: bool) -> None:
    shutil.copy(TESTS / "conftest.py", tmp_path)
    (tmp_path / "test_long.py").write_text(LONG.format(limit=limit), "utf-8")
    here = [sys.executable, "-m", "pytest", "-c", TESTS.parent / "pyproject.toml", "--rootdir", tmp_path]
    limits = ["-o", "timeout=0.5", "-o", "faulthandler_timeout=1"]
    run = subprocess.run(
        [*here, *limits, "-p", "no:cacheprovider", tmp_path], capture_output=True, text=True, check=False
    )
    assert ("1 passed" in run.stdout, "Timeout (0:00:01)!" in run.stderr) == (not ended_by_force, ended_by_force)
