"""Sounds for the tests of recording."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from recording_inputs import silence, tone, wav


@pytest.fixture
def spoken(tmp_path: Path) -> Path:
    """A second of silence, 1.2 s of sound, and half a second of silence."""
    path = tmp_path / "spoken.wav"
    path.write_bytes(wav(np.concatenate((silence(1000), tone(1200), silence(500)))))
    return path
