"""The machine's own engine, where it has one."""

from __future__ import annotations

import shutil

import pytest

from adstudio.speech.espeak import Espeak, find_espeak


@pytest.fixture(scope="session")
def espeak() -> Espeak:
    if shutil.which("espeak-ng") is None:
        pytest.skip("espeak-ng is not installed")
    return find_espeak()
