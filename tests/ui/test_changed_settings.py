"""The whole editor: two lines are accepted, then gaps may only be filled to 88 %; what is shown at once and later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from desks import window_on
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QLabel, QListWidget, QPushButton

from adstudio.core.steps import SetSettings
from adstudio.editing import pins, rules, scenes
from adstudio.planning.film.live_plan import ProofState
from adstudio.ui.app.window import Window
from adstudio.ui.panels.plan_changes import PlanChangesPanel
from adstudio.ui.table.cell_content import RowChange


@pytest.fixture
def window(qapp, tmp_path: Path) -> Iterator[Window]:
    with window_on(tmp_path) as made:
        yield made


@dataclass(frozen=True)
class Shown:
    """What the window says of the change: the report, its rows, the problems, the review, the marks, the line."""

    head: str
    rows: tuple[str, ...]
    keep: str
    problems: tuple[str, ...]
    progress: str
    marks: frozenset[tuple[str, RowChange]]
    line: str


def shown(window: Window) -> Shown:
    editor = window.editor
    changes = window.findChild(PlanChangesPanel)
    button, change = changes.findChild(QPushButton), editor.inspector.line.change
    return Shown(
        changes.findChild(QLabel).text(),
        rows(changes.findChild(QListWidget)),
        "" if button.isHidden() else button.text(),
        rows(editor.problems.findChild(QListWidget))[: editor.problems.count],
        editor.scenes.widget()._progress.text(),
        frozenset(editor.table.model.news.items()),
        "" if change.isHidden() else change.sentence.text(),
    )


def rows(view: QListWidget) -> tuple[str, ...]:
    return tuple(view.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(view.count()))


def fills(window: Window, share: int) -> None:
    settings = window.session.script.settings
    window.session.edits.do(SetSettings(settings, replace(settings, max_share=share)))


def settle(window: Window, qtbot) -> None:
    """Wait until the second engine has answered everything."""
    plan, opinions = window.session.current_plan, window.editor.opinions
    qtbot.waitUntil(lambda: not plan.outcome.open and not opinions.working)


OF_A = "“a in 6000 ms”, accepted at 00:00:00:00, is now spoken as “a in 4000 ms”."
OF_B = "“b in 4000 ms”, accepted at 00:00:06:00, is now spoken 2.0 s earlier."


def test_what_is_shown_at_once_is_shown_after_every_answer_and_until_it_is_put_back(window: Window, qtbot):
    session = window.session
    session.edits.attempt(lambda script: pins.set_accepted(script, ("a", "b"), on=True, plan=session.plan))
    session.edits.attempt(lambda script: scenes.set_reviewed(script, ("s1",), on=True, plan=session.plan))
    session.cursor.select_line("b")
    before = session.plan
    said: list[str] = []
    session.messages.said.connect(said.append)
    # Of the first gap's ten seconds 8.8 may be used: both in short are worth 0.9 · 4 + 0.5 · 4 = 5.6, a alone 5.4.
    fills(window, 880_000)
    qtbot.waitUntil(lambda: shown(window).progress == "Reviewed 0/2")
    at_once = shown(window)
    assert at_once.head.startswith("Set “Maximum gap fill” to 88 %: ")
    assert at_once.keep == "Keep 2 accepted lines as before"
    assert at_once.problems == (OF_A, OF_B)
    assert {("a", RowChange.REWORDED), ("b", RowChange.MOVED)} <= at_once.marks
    assert at_once.line == "Accepted at 00:00:06:00; it is now spoken 2.0 s earlier."
    assert len(said) == 1
    assert said[0].endswith("; 2 accepted lines changed.")
    qtbot.waitUntil(lambda: not session.current_plan.outcome.open and not window.editor.opinions.working)
    assert shown(window) == at_once, "whatever the second engine found"
    assert len(said) == 1
    # Another act has a report of its own; the problem stays.
    session.edits.attempt(lambda script: pins.pin_out(script, ("e",)))
    qtbot.waitUntil(lambda: shown(window).problems == at_once.problems)
    assert shown(window).head.startswith("Lock “e in 3000 ms” out: ")
    assert not {"a", "b"} & {name for name, _ in shown(window).marks}
    # With all of the gap again there is room for both as accepted, and they come back by themselves.
    fills(window, 1_000_000)
    qtbot.waitUntil(lambda: shown(window).progress == "Reviewed 1/2")
    assert shown(window).problems == ()
    assert {each.element: each for each in session.plan.deliveries}["b"] == before.by_element["b"]


def test_under_rules_a_late_plan_is_merged_into_the_report(window: Window, qtbot):
    session = window.session
    dock = window.findChild(QDockWidget, "changes")
    session.edits.attempt(lambda script: pins.set_accepted(script, ("a", "b"), on=True, plan=session.plan))
    session.edits.attempt(lambda script: rules.make_alternatives(script, ("d", "e")))
    qtbot.waitUntil(lambda: session.current_plan.outcome.proof.state is ProofState.IN_PARTS)
    before = session.plan
    fills(window, 880_000)
    act = session.current_plan.last_act
    assert act.before is before
    qtbot.waitUntil(lambda: not session.current_plan.outcome.open and not window.editor.opinions.working)
    assert session.current_plan.last_act == act
    found = shown(window)
    assert found.head.startswith("Set “Maximum gap fill” to 88 %: ")
    assert (OF_A in found.problems, OF_B in found.problems) == (True, True)
    assert {name for name, _ in found.marks} == session.current_plan.changes.elements
    assert dock.windowTitle() == f"Plan changes · {len(found.rows)}"
