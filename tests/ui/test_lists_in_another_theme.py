"""Another theme, or text of another size, only looks otherwise: what is chosen in a list stays chosen, and in sight."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, small_script, window_on
from pending_events import run_pending_events
from PySide6.QtCore import QItemSelectionModel, QModelIndex
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QDialog, QHeaderView, QWidget
from test_dialogs import MAKERS

from adstudio.core.script import Person, Variant
from adstudio.core.steps import Replace
from adstudio.editing import pins
from adstudio.editing.lines import delete_lines
from adstudio.ui.app.shortcuts_dialog import ShortcutsDialog
from adstudio.ui.app.window import Window
from adstudio.ui.cast.window import CastWindow
from adstudio.ui.files.import_script import ImportScriptDialog
from adstudio.ui.files.replace_dialogue import ReplaceDialogueDialog
from adstudio.ui.panels.row_list import RowList
from adstudio.ui.session.context import Context
from adstudio.ui.versions.compare_dialog import CompareDialog
from adstudio.ui.widgets.theme import Look

CUES = """1
00:00:09,000 --> 00:00:13,000
Hello?

2
00:00:16,000 --> 00:00:17,000
It is me.

3
00:00:19,000 --> 00:00:20,000
Yes.
"""
TABLE = "Start,End,Text\n00:00:01.000,00:00:03.000,A cat.\n00:00:15.000,00:00:16.500,A dog.\n"
NOWHERE = QModelIndex()
MOST_COLUMNS = 20
State = tuple[int, int, str, tuple[int, ...]]


def lists_in(root: QWidget) -> Iterator[QAbstractItemView]:
    """The lists and tables in which something can be chosen; not those that fold out."""
    for view in root.findChildren(QAbstractItemView):
        folds_out = isinstance(view, QHeaderView) or isinstance(view.parentWidget().parentWidget(), QComboBox)
        if folds_out or view.selectionMode() is QAbstractItemView.SelectionMode.NoSelection:
            continue
        if view.model() is not None and view.model().rowCount(NOWHERE) > 1 and view.selectionModel() is not None:
            yield view


def choose_last(view: QAbstractItemView) -> None:
    model = view.model()
    chosen = next(
        index
        for row in reversed(range(model.rowCount(NOWHERE)))
        for column in range(MOST_COLUMNS)
        if model.hasIndex(row, column)
        and (index := model.index(row, column)).flags() & index.flags().ItemIsSelectable
        and not hidden(view, column)
    )
    flags = QItemSelectionModel.SelectionFlag
    view.selectionModel().setCurrentIndex(chosen, flags.ClearAndSelect)
    view.scrollTo(chosen)


def hidden(view: QAbstractItemView, column: int) -> bool:
    is_hidden: Callable[[int], bool] | None = getattr(view, "isColumnHidden", None)
    return is_hidden is not None and is_hidden(column)


def state_of(view: QAbstractItemView) -> State:
    index = view.currentIndex()
    rows = tuple(sorted({each.row() for each in view.selectionModel().selectedIndexes()}))
    return index.row(), index.column(), str(index.data()), rows


def name_of(view: QAbstractItemView) -> str:
    return view.accessibleName() or type(view).__name__


def changed_by_themes(root: QWidget, desk: Context) -> tuple[list[str], list[str]]:
    """The names of the lists that were tried, and what became of those in which something else is chosen then."""
    tried: list[str] = []
    changed: list[str] = []
    for view in list(lists_in(root)):
        choose_last(view)
        run_pending_events()
        before = state_of(view)
        assert before[0] >= 0
        tried.append(name_of(view))
        for look in (Look.DARK, Look.CONTRAST, Look.LIGHT):
            desk.theme.wear(look)
            run_pending_events()
            if state_of(view) != before:
                changed.append(f"{name_of(view)}, {look.value}: {before} is {state_of(view)}")
        for size in (150, 100):
            desk.preferences.store("text_size", size)
            run_pending_events()
            if state_of(view) != before:
                changed.append(f"{name_of(view)}, {size} %: {before} is {state_of(view)}")
    return tried, changed


def file_of(desk: Context, name: str, text: str) -> Path:
    assert desk.session.project is not None
    found = desk.session.project.path.with_name(name)
    found.write_text(text, "utf-8")
    return found


def with_versions(desk: Context) -> CompareDialog:
    session = desk.session
    assert session.project is not None
    session.project.versions.keep(session.script, session.plan, name="First")
    line = session.script.eventuality("c")
    session.edits.do(Replace(line, replace(line, variants=(Variant("other words", duration=3_000),))))
    session.edits.do(delete_lines(session.script, ("e",)))
    return CompareDialog(desk, None, rename=print, delete=print, titled=str)


def with_other_dialogue(desk: Context) -> QDialog:
    made = ReplaceDialogueDialog(desk, None, desk.session.project.path)
    made.fields.take(file_of(desk, "other.srt", CUES))
    return made


def with_script(desk: Context) -> QDialog:
    made = ImportScriptDialog(desk, None, desk.session.project.path)
    made.take(file_of(desk, "script.csv", TABLE))
    return made


FILLED: dict[type[QDialog], Callable[[Context], QDialog]] = {
    CompareDialog: with_versions,
    ImportScriptDialog: with_script,
    ReplaceDialogueDialog: with_other_dialogue,
}
HAS_LISTS = {CompareDialog, ImportScriptDialog, ReplaceDialogueDialog, CastWindow, ShortcutsDialog}
"""Dialogs that must not be tried in vain."""


@pytest.fixture(params=MAKERS, ids=lambda kind: kind.__name__)
def dialog(request, qtbot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[QDialog, Context]]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    people = (Person("a", "Anna"), Person("t", "Tom", ("Tommy",)), Person("z", "Zoë"))
    with desk_on(tmp_path, replace(small_script(), people=people)) as desk:
        made = FILLED.get(request.param, MAKERS[request.param])(desk)
        qtbot.addWidget(made)
        made.show()
        desk.theme.wear(Look.LIGHT)
        run_pending_events()
        yield made, desk
        desk.theme.wear(Look.LIGHT)
        made.reject()


def test_what_is_chosen_in_a_dialog_stays_chosen(dialog: tuple[QDialog, Context]):
    made, desk = dialog
    tried, changed = changed_by_themes(made, desk)
    assert changed == []
    assert tried or type(made) not in HAS_LISTS


@pytest.fixture
def window(qapp, qtbot, tmp_path: Path) -> Iterator[Window]:
    with window_on(tmp_path) as made:
        yield made
        made.context.theme.wear(Look.LIGHT)


def test_what_is_chosen_in_the_panels_stays_chosen(window: Window):
    """Two lines locked to one time conflict; what that does to the plan is listed, and so is what is amiss."""
    session = window.session
    session.edits.do(pins.pin_start(session.script, "a", 2_000))
    session.edits.do(pins.pin_start(session.script, "b", 3_000))
    session.edits.do(pins.pin_start(session.script, "d", 3_000))
    run_pending_events()
    window.context.theme.wear(Look.LIGHT)
    tried, changed = changed_by_themes(window, window.context)
    assert changed == []
    assert {"Script", "Scenes", "Problems"} <= set(tried)


@pytest.mark.parametrize(
    ("left", "then"), [("ABC", "C"), ("AC", "C"), ("BC", "C"), ("C", "C"), ("AB", "A"), ("", None)]
)
def test_the_next_row_is_the_one_after_the_last_even_if_that_is_gone(qtbot, left: str, then: str | None):
    gone: list[int] = []
    rows = RowList("Rows", gone.append)
    qtbot.addWidget(rows)
    for each in "ABC":
        rows.add(each, each)
    rows.setCurrentRow(1)
    with rows.refilled():
        for each in left:
            rows.add(each, each)
    if then is not None:
        assert left[rows.go_to_next(len(left))] == then
