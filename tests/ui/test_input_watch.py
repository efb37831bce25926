"""Input in any window is noted for background processes; that something is painted or moved is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QWidget

from adstudio.system.locations import user_cache
from adstudio.ui.background.input_watch import InputWatch


@pytest.fixture
def noted(qapp, qtbot, tmp_path: Path, monkeypatch):
    """Whether anything has been noted since the last time."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("adstudio.system.background_priority.RENEWAL_S", 0.0)
    watch = InputWatch(qapp)

    def found() -> bool:
        path = user_cache("last-input")
        if not path.exists() or path.stat().st_mtime == 0:
            return False
        os.utime(path, (0, 0))
        return True

    yield found
    qapp.focusWindowChanged.disconnect(watch._watch)
    watch.deleteLater()


@pytest.mark.parametrize("kind", [QWidget, QDialog])
def test_keys_and_clicks_in_any_window_are_noted(noted, qtbot, kind):
    window = kind()
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(lambda: window.windowHandle().isActive())
    noted()
    window.resize(300, 200)
    window.repaint()
    qtbot.wait(10)
    assert not noted()
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_A)
    assert noted()
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton)
    assert noted()
    assert not noted()


def test_a_key_that_is_a_shortcut_is_noted(noted, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    pressed = []
    QShortcut("P", window, lambda: pressed.append("P"))
    window.show()
    window.activateWindow()
    qtbot.waitUntil(lambda: window.windowHandle().isActive())
    noted()
    QTest.keyPress(window.windowHandle(), Qt.Key.Key_P)
    assert pressed == ["P"]
    assert noted()
