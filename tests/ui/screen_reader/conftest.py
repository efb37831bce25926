"""What the tests with a screen reader share: the sample film with its draft, as a project to work in."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def drafted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample film's project."""
    folder = tmp_path_factory.mktemp("sample")
    made = [sys.executable, "-m", "adstudio", "demo", "--headless", "--out", folder / "demo"]
    subprocess.run(made, check=True, capture_output=True)
    return folder / "demo/sample.adproj"


@pytest.fixture
def project(drafted: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(drafted, tmp_path / "sample.adproj"))
