"""A describer's day on the sample film, through the display: real keys and mouse, a real kill -9, a real recovery."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from display import Program

HERE = Path(__file__).parent


@pytest.fixture
def travel(on_display: Callable[..., Program], tmp_path: Path, sample_folder: Path) -> Callable[[str], Program]:
    """Starts a part of the journey in a folder that holds the sample film and what lies beside it."""
    if shutil.which("xdotool") is None:
        pytest.skip("xdotool is not installed; packaging/test.sh installs it")
    for name, beside in (("film.mp4", "film.mp4"), ("dialogue.srt", "film.srt"), ("candidates.json", None)):
        (tmp_path / (beside or "film.candidates.json")).write_bytes((sample_folder / name).read_bytes())
    return lambda part: on_display(HERE / "travel.py", tmp_path, part)


def test_a_day_at_the_editor(travel: Callable[[str], Program], tmp_path: Path):
    first = travel("first")
    assert first.wait(300) == -signal.SIGKILL, first.said()
    second = travel("second")
    assert second.wait(120) == 0, second.said()
    assert "ARRIVED" in second.said()
    for said in (first.said(), second.said()):
        assert "Traceback" not in said
        assert "QObject" not in said
    assert len(list((tmp_path / "shots").glob("*.png"))) >= 18
