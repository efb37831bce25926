"""What the tests of the store share: the example scripts of the core's tests, and a place for a project."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "core"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "film.adproj"
