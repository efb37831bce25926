"""A timeline on a small film, and a hand for its mouse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pending_events import run_pending_events
from PySide6.QtWidgets import QMainWindow
from timeline_hand import Hand
from timeline_scripts import small_script

from adstudio.core.script import Script
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile
from adstudio.ui.actions.actions import Actions
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.session.context import Context, Theme
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.session import Session
from adstudio.ui.timeline.timeline import Timeline


@pytest.fixture
def window(qtbot):
    """A window to be the parent of what a desk holds."""
    found = QMainWindow()
    qtbot.addWidget(found)
    return found


@pytest.fixture
def desk(window):
    """A desk as the program makes it."""
    preferences = Preferences(window)
    found = Context(Session(window), Actions(window), preferences, Theme(preferences), Jobs(window))
    yield found
    found.session.close_project()
    found.jobs.shut_down()
    found.session.idle.stop()


@pytest.fixture
def open_script(desk, window, qtbot, tmp_path: Path) -> Callable[..., Timeline]:
    """Opens a script in a timeline of 1000 × 400 pixels of canvas, ten milliseconds a pixel from the film's start."""

    def opened(script: Script, *, ms_per_px: float = 60.0) -> Timeline:
        timeline = Timeline(desk)
        window.setCentralWidget(timeline)
        window.resize(1088, 412)
        window.show()
        desk.session.open_project(ProjectFile.create(tmp_path / "film.adproj", script), RestorePoint.LAST_STEP)
        timeline.canvas.show_view(replace(timeline.view, ms_per_px=ms_per_px, left=0.0).scrolled_to(0.0))
        run_pending_events()
        return timeline

    return opened


@pytest.fixture
def timeline(open_script) -> Timeline:
    """The small film, 60 ms a pixel: 1000 pixels for its minute."""
    return open_script(small_script())


@pytest.fixture
def hand(timeline) -> Hand:
    return Hand(timeline)
