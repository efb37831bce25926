"""Space on a display: real keys, a real mouse, a program of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from display import Program


def test_space_presses_what_was_tabbed_to_and_plays_elsewhere(on_display: Callable[..., Program], tmp_path: Path):
    if shutil.which("xdotool") is None:
        pytest.skip("xdotool is not installed; packaging/test.sh installs it")
    program = on_display(Path(__file__).parent / "press.py", tmp_path, XDG_CONFIG_HOME=str(tmp_path / "config"))
    assert program.wait(120) == 0, program.said()
    assert "PRESSED" in program.said()
    assert "Traceback" not in program.said()
