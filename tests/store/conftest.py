"""What the tests of the store share: the example scripts of the core's tests, and a disk of one megabyte."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "core"))


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if shutil.which("mount") is None:
        pytest.skip("there is no mount command here")
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("mounting is refused here (it needs root)")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "film.adproj"
