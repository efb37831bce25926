"""Panels that are built once they are seen or asked for: nobody but the processor notices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import small_script, window_on
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from adstudio.core.narration import Pronunciation
from adstudio.store.project import ProjectFile
from adstudio.ui.actions.actions import Actions
from adstudio.ui.app.lazy_panel import LazyPanel
from adstudio.ui.app.window import Window
from adstudio.ui.drafts.panel import DraftsPanel
from adstudio.ui.polish.panel import PolishPanel
from adstudio.ui.voice.lexicon_panel import LexiconPanel
from adstudio.ui.widgets.theme import UNIT

LAZY = {"drafts": DraftsPanel, "polish": PolishPanel, "lexicon": LexiconPanel}


@pytest.fixture
def window(qapp, tmp_path: Path):
    with window_on(tmp_path) as made:
        yield made


def built(window: Window) -> set[str]:
    return {name for name, kind in LAZY.items() if window.findChildren(kind)}


def dock(window: Window, name: str) -> QDockWidget:
    found = window.findChild(QDockWidget, name)
    assert found is not None
    return found


def test_what_lies_behind_other_tabs_is_built_when_it_comes_to_the_front(window: Window, qtbot):
    assert built(window) == set()
    window.actions_["view.layout_review"].trigger()
    qtbot.waitUntil(lambda: all(dock(window, name).isVisible() for name in LAZY))
    assert built(window) == set()
    seen: set[str] = set()
    for name, kind in LAZY.items():
        dock(window, name).raise_()
        seen.add(name)
        assert built(window) == seen
        (panel,) = window.findChildren(kind)
        assert dock(window, name).widget() is panel
        assert panel.isVisible()
        qtbot.waitUntil(lambda panel=panel: not panel.visibleRegion().isEmpty())
        assert window.rect().contains(QRect(panel.mapTo(window, panel.rect().topLeft()), panel.size()))


def test_a_tab_may_be_as_low_before_its_panel_is_built_as_after(window: Window, qtbot):
    window.actions_["view.layout_review"].trigger()
    qtbot.waitUntil(lambda: all(dock(window, name).isVisible() for name in LAZY))
    heights = {"drafts": 18 * UNIT, "polish": 14 * UNIT, "lexicon": 9 * UNIT}
    assert {name: dock(window, name).minimumSizeHint().height() for name in LAZY} == heights
    _ = window.editor.drafts, window.editor.polish, window.editor.lexicon
    assert built(window) == set(LAZY)
    assert {name: dock(window, name).minimumSizeHint().height() for name in LAZY} == heights


def test_the_keyboard_goes_to_a_panel_that_was_just_built(window: Window, qtbot):
    window.actions_["view.layout_review"].trigger()
    qtbot.waitUntil(lambda: dock(window, "polish").isVisible())
    dock(window, "polish").raise_()
    window.editor.table.view.setFocus()
    visited: dict[str, bool] = {}
    for _ in range(8):
        window.actions_["view.next_panel"].trigger()
        visited[window.editor.focus_order.current] = window.editor.polish.isAncestorOf(window.focusWidget())
    assert [name for name, inside in visited.items() if inside] == ["Polish"]
    assert "Drafts" not in visited


@pytest.mark.parametrize(
    ("action", "name"), [("plan.by_model", "drafts"), ("plan.polish", "polish"), ("scene.polish", "polish")]
)
def test_an_action_of_a_panel_that_is_not_built_is_done_at_once(window: Window, qtbot, action: str, name: str):
    window.session.cursor.select_line("a", go=True)
    assert window.actions_[action].isEnabled()
    assert built(window) == set()
    window.actions_[action].trigger()
    assert built(window) == {name}
    qtbot.waitUntil(lambda: window.findChildren(LAZY[name])[0].isAncestorOf(window.focusWidget()))


def test_the_same_actions_can_be_done_before_a_panel_is_built_as_after(window: Window):
    def possible() -> list[bool]:
        window.actions_.refresh()
        return [window.actions_[name].isEnabled() for name in ("scene.by_model", "plan.polish", "scene.polish")]

    early = [possible()]
    window.session.close_project()
    early.append(possible())
    _ = window.editor.drafts, window.editor.polish
    late = [possible()]
    assert early == [[True, True, True], [False, False, False]]
    assert late == early[1:]


def test_the_title_counts_the_words_of_a_lexicon_that_is_not_built(window: Window, tmp_path: Path, qtbot):
    script = replace(small_script(), lexicon=(Pronunciation("Siobhan", "shiv-AWN"),))
    assert dock(window, "lexicon").windowTitle() == "Pronunciation"
    window.session.open_project(ProjectFile.create(tmp_path / "words.adproj", script))
    qtbot.waitUntil(lambda: dock(window, "lexicon").windowTitle() == "Pronunciation · 1")
    assert built(window) == set()
    window.editor.lexicon.fields.show_word("Siobhan")
    window.editor.lexicon.remove()
    qtbot.waitUntil(lambda: dock(window, "lexicon").windowTitle() == "Pronunciation")


def test_a_panel_that_cannot_be_built_is_tried_again(qapp, qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    dock = QDockWidget("One", window)
    dock.setWidget(QWidget())
    tries: list[int] = []

    def build() -> QWidget:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("not now")
        return QWidget()

    lazy = LazyPanel(dock, build, 20)
    with pytest.raises(OSError, match="not now"):
        assert lazy.panel
    assert lazy.built is None
    assert lazy.panel is lazy.panel is lazy.built is dock.widget()
    assert tries == [1, 1]


def test_an_action_is_connected_for_the_time_being_and_then_once(qapp, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    actions, done = Actions(window), list[str]()
    actions.connect_lazily(
        "plan.polish", lambda: actions.connect("plan.polish", lambda: done.append("done")), lambda: True
    )
    for _ in range(2):
        actions["plan.polish"].trigger()
    assert done == ["done", "done"]
    with pytest.raises(ValueError, match="connected already"):
        actions.connect("plan.polish", lambda: None)
