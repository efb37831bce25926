"""Whether a screen reader runs is asked of the desktop; where nothing answers, none does."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ASK = """
import os
from PySide6.QtCore import QCoreApplication
application = QCoreApplication([])
from adstudio.ui.app.screen_reader import will_connect
print(will_connect())
"""
LAUNCHER = Path("/usr/libexec/at-spi-bus-launcher")
STATUS = (
    "gdbus call --session --dest org.a11y.Bus --object-path /org/a11y/bus "
    "--method org.freedesktop.DBus.Properties.Set org.a11y.Status {} '<{}>'"
)


def asked(*before: str) -> str:
    """What it says on a session bus of its own, after these commands on it."""
    for program in ("dbus-run-session", "gdbus", LAUNCHER):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: apt-get install dbus libglib2.0-bin at-spi2-core")
    script = "\n".join([*before, f'"{sys.executable}" -c "$0"', "kill %1 2> /dev/null", "true"])
    command = ["dbus-run-session", "--", "bash", "-c", script, ASK]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
    return next(line for line in done.stdout.splitlines() if line in ("True", "False"))


SERVICE = (f"{LAUNCHER} --launch-immediately &", "gdbus wait --session --timeout 50 org.a11y.Bus")


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ((), "False"),
        ((*SERVICE, STATUS.format("IsEnabled", "false")), "False"),
        ((*SERVICE, STATUS.format("IsEnabled", "true")), "True"),
        ((*SERVICE, STATUS.format("ScreenReaderEnabled", "true")), "True"),
    ],
)
def test_the_desktop_says_whether_one_runs(before: tuple[str, ...], found: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", raising=False)
    assert asked(*before) == found
