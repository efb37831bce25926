"""The panels: they follow the session, say what is, and take the hand to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, line, small_script
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QListView, QListWidget, QPushButton

from adstudio.core.progress import Progress, Stage
from adstudio.core.script import Pin
from adstudio.editing import pins, rules, scenes, wordings
from adstudio.ui.inspector.panel import Inspector
from adstudio.ui.panels.plan_changes import PlanChangesPanel
from adstudio.ui.panels.plan_status import PlanStatus, planned_apart
from adstudio.ui.panels.problems import ProblemsPanel
from adstudio.ui.panels.scenes import SceneRows, ScenesPanel
from adstudio.ui.panels.tasks import TasksPanel
from adstudio.ui.panels.undo_history import HistoryPanel
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.widgets.stage_list import StageList
from adstudio.ui.widgets.theme import time_font


@pytest.fixture
def desk(qapp, tmp_path: Path):
    with desk_on(tmp_path) as made:
        made.session.cursor.seek_asked.connect(made.session.cursor.show_playhead)
        yield made


def texts(view: QListView) -> list[str]:
    model = view.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def spoken_texts(view: QListView) -> list[str]:
    model = view.model()
    role = Qt.ItemDataRole.AccessibleTextRole
    return [str(model.index(row, 0).data(role)) for row in range(model.rowCount())]


def test_history_names_every_step_and_travels(desk: Context, qtbot):
    panel = HistoryPanel(desk)
    qtbot.addWidget(panel)
    view = panel.findChild(QListView)
    session = desk.session
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    session.edits.attempt(lambda script: pins.pin_in(script, ("e",)))
    told = spoken_texts(view)
    assert [text.rsplit(", ", 1)[1] for text in told] == ["done", "done", "current state"]
    assert told[0].startswith("Opened")
    assert all(len(text) > len(", done") for text in told)
    panel.go_to(0)
    assert not session.script.eventuality("a").pin.held
    assert [text.rsplit(", ", 1)[1] for text in spoken_texts(view)] == ["current state", "undone", "undone"]
    panel.go_to(2)
    assert session.script.eventuality("e").pin.selected is True
    panel.go_to(1)
    session.edits.attempt(lambda script: pins.pin_in(script, ("c",)))
    assert len(texts(view)) == 3  # what was undone is gone


def test_changes_are_listed_and_accepted_lines_can_be_kept(desk: Context, qtbot):
    panel = PlanChangesPanel(desk)
    qtbot.addWidget(panel)
    session, view = desk.session, panel.findChild(QListWidget)
    button = panel.findChild(QPushButton)
    session.edits.attempt(lambda script: pins.set_accepted(script, ("b",), on=True))
    before = session.plan.by_element["b"]
    session.edits.attempt(lambda script: pins.pin_out(script, ("a",)))
    told = spoken_texts(view)
    assert any("left out" in text for text in told)
    assert any("reworded" in text for text in told)
    assert not button.isHidden()
    button.click()
    assert session.plan.by_element["b"].variant == before.variant
    assert session.plan.by_element["b"].start == before.start
    desk.actions.refresh()
    desk.actions["plan.next_change"].trigger()
    assert session.cursor.selection.kind is Kind.LINE


def test_problems_are_conflicts_first_and_lead_to_their_line(desk: Context, qtbot):
    panel = ProblemsPanel(desk)
    qtbot.addWidget(panel)
    view, session = panel.findChild(QListWidget), desk.session
    assert texts(view) == ["Nothing needs your attention."]
    session.edits.attempt(lambda script: pins.pin_start(script, "a", 4_000))
    session.edits.attempt(lambda script: pins.pin_start(script, "b", 5_000))
    # a takes at least 4 s, from 4 s on; b is put at 5 s.
    told = "“a in 6000 ms” at 00:00:04:00 runs 3.0 s into “b in 6000 ms” at 00:00:05:00, even in its shortest wording."
    qtbot.waitUntil(lambda: texts(view) == [f"▨ {told} Unlock or move one of them, or make room."])
    desk.actions.refresh()
    desk.actions["plan.next_problem"].trigger()
    assert session.cursor.selection.current in ("a", "b")
    session.undo()
    qtbot.waitUntil(lambda: texts(view) == ["Nothing needs your attention."])


def test_a_problem_with_a_rule_names_it_and_the_way_out(desk: Context, qtbot):
    panel = ProblemsPanel(desk)
    qtbot.addWidget(panel)
    view, session = panel.findChild(QListWidget), desk.session
    session.edits.attempt(lambda script: rules.make_alternatives(script, ("d", "e")))
    session.edits.attempt(lambda script: pins.pin_in(script, ("d", "e")))
    told = (
        "▨ “d in 4000 ms” is locked in and “e in 3000 ms” is locked in, "
        "but the rule “Only one of these” allows only one of "
        "“d in 4000 ms” and “e in 3000 ms”. Unlock one of them, or remove the rule."
    )
    qtbot.waitUntil(lambda: texts(view)[0] == told)


def test_scenes_and_the_inspector_count_a_scene_s_lines_alike(desk: Context, qtbot):
    session = desk.session
    panel, inspector = ScenesPanel(desk), Inspector(desk)
    for widget in (panel, inspector):
        qtbot.addWidget(widget)
        widget.show()
    session.edits.attempt(lambda script: pins.pin_out(script, ("d",)))
    view = panel.findChild(QListView)
    qtbot.waitUntil(lambda: ", 1 of 2 items described, " in spoken_texts(view)[1])
    assert panel._model.detail(1).endswith("  ·  1/2 spoken")
    session.cursor.select(Selection(Kind.SCENE, ("s2",)))
    qtbot.waitUntil(lambda: inspector.scene.numbers.text() == "1 of 2 items described")


def test_a_narrow_list_of_scenes_drops_the_word_before_the_figures(desk: Context, qtbot, monkeypatch):
    panel = ScenesPanel(desk)
    qtbot.addWidget(panel)
    drawn: list[str] = []
    detail = SceneRows.detail
    monkeypatch.setattr(SceneRows, "detail", lambda *row, **short: drawn.append(detail(*row, **short)) or drawn[-1])
    panel.resize(600, 300)
    panel.show()
    qtbot.waitUntil(lambda: bool(drawn))
    assert all(text.endswith(" spoken") for text in drawn)
    view, figures = panel.findChild(QListView), QFontMetrics(time_font(panel.font().pointSizeF() * 0.9))
    view.setFixedWidth(figures.horizontalAdvance(drawn[0]))
    drawn.clear()
    view.viewport().repaint()
    # The second scene's, whose two lines are spoken.
    assert drawn[-1].endswith("  ·  2/2")
    assert drawn[-2] == f"{drawn[-1]} spoken"


def test_scenes_follow_the_selection_both_ways(desk: Context, qtbot):
    session = desk.session
    session.edits.attempt(lambda script: scenes.make_sequence(script, session.edits.ids, ("s2",), "The street"))
    panel = ScenesPanel(desk)
    qtbot.addWidget(panel)
    panel.show()
    view = panel.findChild(QListView)
    assert texts(view) == ["Inside", "Outside"]
    assert spoken_texts(view)[1].endswith("2 of 2 items described, not reviewed, sequence The street")
    session.cursor.select(Selection(Kind.SCENE, ("s2",)))
    assert [index.row() for index in view.selectionModel().selectedRows()] == [1]
    flags = QItemSelectionModel.SelectionFlag
    view.selectionModel().setCurrentIndex(view.model().index(0, 0), flags.ClearAndSelect)
    assert session.cursor.selection == Selection(Kind.SCENE, ("s1",))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(1, 0)).center())
    assert (session.cursor.selection.ids, session.cursor.playhead) == (("s2",), 16_000)
    session.edits.attempt(lambda script: scenes.set_reviewed(script, ("s2",), on=True))
    assert next(label.text() for label in panel.findChildren(QLabel)) == "Reviewed 1/2"
    session.cursor.select_line("a")
    assert view.selectionModel().selectedRows() == []


def test_only_a_scene_whose_row_is_another_is_told_so(desk: Context, qtbot):
    session = desk.session
    panel = ScenesPanel(desk)
    qtbot.addWidget(panel)
    panel.show()
    view = panel.findChild(QListView)
    told: list[int] = []
    view.model().dataChanged.connect(lambda first, last: told.extend(range(first.row(), last.row() + 1)))
    session.edits.attempt(lambda script: pins.pin_out(script, ("d",)))
    qtbot.waitUntil(lambda: ", 1 of 2 items described, " in spoken_texts(view)[1])
    assert told == [1]
    session.edits.attempt(lambda script: pins.set_note(script, "a", "look"))
    qtbot.waitUntil(lambda: session.idle.is_idle)
    QTest.qWait(20)
    assert told == [1]


def test_a_scene_with_a_heading_is_higher_and_so_it_is_when_headings_come_later(desk: Context, qtbot):
    session = desk.session
    panel = ScenesPanel(desk)
    qtbot.addWidget(panel)
    panel.show()
    view = panel.findChild(QListView)
    high = lambda row: view.visualRect(view.model().index(row, 0)).height()
    assert high(0) == high(1) > 0
    plain = high(0)
    session.edits.attempt(lambda script: scenes.make_sequence(script, session.edits.ids, ("s2",), "The street"))
    qtbot.waitUntil(lambda: high(1) > plain)
    assert high(0) == plain
    session.undo()
    qtbot.waitUntil(lambda: high(1) == plain)


def test_the_plans_state_in_one_line(desk: Context, qtbot):
    panel = PlanStatus(desk)
    qtbot.addWidget(panel)
    panel.resize(1600, 30)
    panel.show()
    session = desk.session

    def told() -> str:
        return " ".join(label.text() for label in panel.findChildren(QLabel) if not label.isHidden())

    assert "✓" in told()
    assert "Proven optimal" in panel._proof.toolTip()
    # a, b, c, d and e are spoken: 6 + 4 + 3 + 4 + 3 of 10 + 4 + 8 seconds.
    assert "5 lines · 20.0 s of 22.0 s free time used" in told()
    session.edits.attempt(lambda script: wordings.rewrite(script, "a", 0, '<b>&"'))
    session.edits.attempt(lambda script: pins.pin_start(script, "a", 4_000))
    session.edits.attempt(lambda script: pins.pin_start(script, "b", 3_900))
    assert "in conflict" in told()
    assert "&lt;b&gt;&amp;&quot;" in told()


def test_eight_lines_that_cannot_hold_are_said_in_a_few_words(qapp, qtbot, tmp_path: Path):
    # Each is put into the dialogue of 10 to 14 s: every one fails by itself.
    held = tuple(replace(line(f"x{n}", 8_000 + n, 9_000 + n, 0.5, 2_000), pin=Pin(start=11_000 + n)) for n in range(8))
    with desk_on(tmp_path, replace(small_script(), eventualities=held)) as desk:
        panel = PlanStatus(desk)
        qtbot.addWidget(panel)
        conflict, proof, figures = panel.findChildren(QLabel)
        panel.show()
        panel.resize(panel.sizeHint())
        assert conflict.text().count("<a ") == 3  # two lines and the way to all of them
        assert "8 lines in conflict" in conflict.text()
        assert "“x7 in" not in conflict.text()
        assert "“x7 in" in conflict.accessibleDescription()
        wide = panel.sizeHint().width()
        for width in range(wide, panel.minimumSizeHint().width() - 1, -8):
            panel.resize(width, 30)
            assert "8 lines in conflict" in conflict.text()
            assert proof.text().startswith("<span")
            assert figures.text().startswith("0 lines")
        assert conflict.text().count("<a ") == 1
        assert "free time used" in panel.toolTip()
        asked: list[bool] = []
        panel.problems_asked.connect(lambda: asked.append(True))
        conflict.linkActivated.emit("#problems")
        assert asked == [True]
        conflict.linkActivated.emit("x1")
        assert desk.session.cursor.selection.ids == ("x1",)


def test_what_a_scene_planned_for_itself_means_is_said(desk: Context, qtbot):
    status, panel = PlanStatus(desk), ProblemsPanel(desk)
    qtbot.addWidget(status)
    qtbot.addWidget(panel)
    view, session = panel.findChild(QListWidget), desk.session
    _, proof, _ = status.findChildren(QLabel)
    assert "scene" not in proof.accessibleDescription()
    session.edits.attempt(lambda script: rules.make_alternatives(script, ("a", "b")))
    words = planned_apart(session.script)
    assert "rules" in words
    assert proof.accessibleDescription().endswith(words)
    assert proof.toolTip().endswith(words)
    qtbot.waitUntil(lambda: texts(view) == ["Nothing needs your attention.", f"· {words}"])
    assert panel.count == 0
    session.undo()
    qtbot.waitUntil(lambda: texts(view) == ["Nothing needs your attention."])


def test_tasks_come_and_go_with_a_way_to_stop_them(desk: Context, qtbot):
    panel = TasksPanel(desk)
    qtbot.addWidget(panel)
    assert "Nothing is running" in panel.findChild(QLabel).text()
    ends: list[int] = []
    job = desk.jobs.start("Sleeping", ["sleep", "60"], lambda _: None, lambda code, _: ends.append(code))
    job.report(0.5, "half way")
    (stop,) = panel.findChildren(QPushButton)
    assert stop.accessibleName() == "Stop: Sleeping"
    stop.click()
    qtbot.waitUntil(lambda: bool(ends))
    qtbot.waitUntil(lambda: not panel.findChildren(QPushButton))


def test_a_task_shows_its_stages(desk: Context, qtbot):
    panel = TasksPanel(desk)
    qtbot.addWidget(panel)
    ends: list[int] = []
    stages = (Stage.DETECTING_CUTS, Stage.COMPRESSING, Stage.SCORING)
    job = desk.jobs.start("Drafting", ["sleep", "60"], lambda _: None, lambda code, _: ends.append(code), stages)
    job.report_progress(Progress(Stage.COMPRESSING, 0.25))
    (shown,) = panel.findChildren(StageList)
    assert shown.accessibleName() == "Stages: Drafting"
    assert shown.lines == ["–  Detecting cuts · not needed", "▸  Shortening · 25 %", "○  Ranking importance · to come"]
    job.report_progress(Progress(Stage.SCORING))
    assert shown.lines[1:] == ["✓  Shortening · done", "▸  Ranking importance · now"]
    job.stop()
    qtbot.waitUntil(lambda: bool(ends))
    qtbot.waitUntil(lambda: not panel.findChildren(StageList))


def test_the_heading_of_plan_changes_names_the_wording_that_was_spoken(desk: Context, qtbot):
    panel = PlanChangesPanel(desk)
    qtbot.addWidget(panel)
    session = desk.session
    spoken = next(each for each in session.plan.deliveries if each.variant > 0)
    text = session.script.eventuality(spoken.element).variants[spoken.variant].text
    session.edits.attempt(lambda script: pins.pin_out(script, (spoken.element,)))
    assert panel.findChild(QLabel).text().startswith(f"Lock “{text}” out")
    assert f"left out: “{text}”" in " ".join(texts(panel.findChild(QListWidget)))
