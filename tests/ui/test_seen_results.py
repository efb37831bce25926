"""Keys whose result is only seen are answered for a screen reader, and for nobody else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from desks import window_on
from PySide6.QtGui import QAccessible

from adstudio.ui.app.seen_results import SWITCHES
from adstudio.ui.app.window import Window
from adstudio.ui.widgets.formatting import timecode


@pytest.fixture
def window(qapp, tmp_path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with window_on(tmp_path) as made:
        QAccessible.setActive(True)
        yield made
        QAccessible.setActive(False)


@pytest.fixture
def heard(window: Window, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr(window.editor.seen_results, "_announce", found.append)
    return found


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_says_how_it_is_now(window: Window, heard: list[str], name: str):
    action = window.actions_[name]
    if not action.isEnabled():
        pytest.skip("nothing to switch in this film")
    for _ in range(2):
        action.trigger()
        assert heard[-1].endswith(": on" if action.isChecked() else ": off")
    assert len(heard) == 2
    assert {each.rpartition(": ")[2] for each in heard} == {"on", "off"}
    assert "&" not in heard[0]


def test_moving_the_playhead_says_where_it_is_once_it_is_there(window: Window, heard: list[str], qtbot):
    for _ in range(3):
        window.actions_["play.second_forward"].trigger()
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == [timecode(window.session.script.film, window.session.cursor.playhead)]
    assert heard == ["00:00:03:00"]


def test_playing_and_pausing_are_said(window: Window, heard: list[str], qtbot):
    window.actions_["play.forward"].trigger()
    window.actions_["play.forward"].trigger()
    qtbot.waitUntil(lambda: len(heard) == 1)
    window.actions_["play.back"].trigger()
    qtbot.waitUntil(lambda: len(heard) == 2)
    window.actions_["play.stop"].trigger()
    qtbot.waitUntil(lambda: len(heard) == 3)
    assert heard[:2] == ["Playing at 2 times the speed", "Playing backwards"]
    assert heard[2].startswith("00:00:")


def test_zoom_and_layout_are_said(window: Window, heard: list[str]):
    window.actions_["view.zoom_in"].trigger()
    window.actions_["view.layout_review"].trigger()
    assert heard[0].endswith(" s in view")
    assert heard[1:] == ["Layout: review"]


def test_without_a_screen_reader_nothing_is_said(window: Window, heard: list[str]):
    QAccessible.setActive(False)
    for name in ("view.snap", "view.zoom_in", "view.layout_review", "play.second_forward"):
        window.actions_[name].trigger()
    assert heard == []
    assert not window.editor.seen_results._landed.isActive()
