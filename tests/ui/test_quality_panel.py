"""The quality checks in the window: the command’s findings, renewed at rest, with go-to, read by screen readers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, small_script, window_on
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QLabel, QListWidget

from adstudio.cli.program import run_command
from adstudio.core.script import Eventuality, Script
from adstudio.core.steps import Replace, Several
from adstudio.editing import pins
from adstudio.presets.library import preset_named, save_own
from adstudio.store.project import ProjectFile
from adstudio.ui.app.window import Window
from adstudio.ui.panels.quality import NOTHING, OF_PROJECT, QualityPanel
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Picker

UNSEEN = "Error, P1: 5 of 5 lines were written by a machine, and nobody has looked at them."


@pytest.fixture
def desk(qapp, tmp_path: Path) -> Iterator[Context]:
    with desk_on(tmp_path) as found:
        yield found


@pytest.fixture
def panel(desk: Context, qtbot) -> QualityPanel:
    panel = QualityPanel(desk)
    qtbot.addWidget(panel)
    qtbot.waitUntil(lambda: bool(rows(panel)))
    return panel


def view_of(panel: QualityPanel) -> QListWidget:
    (view,) = (each for each in panel.findChildren(QListWidget) if each.accessibleName() == "Quality checks")
    return view


def rows(panel: QualityPanel) -> list[str]:
    """What a screen reader reads of each row."""
    view = view_of(panel)
    return [view.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(view.count())]


def mark_seen(desk: Context) -> None:
    names = [line.id for line in desk.session.script.eventualities]
    desk.session.edits.attempt(lambda script: pins.set_seen(script, names, on=True))


def choose(panel: QualityPanel, house: str) -> None:
    picker = panel.findChild(Picker)
    picker.setCurrentIndex(picker.findData(house))
    picker.activated.emit(picker.currentIndex())


def test_what_is_found_is_listed_and_goes_once_it_is_settled(desk: Context, panel: QualityPanel, qtbot) -> None:
    assert rows(panel) == [UNSEEN]
    assert panel.count == 1
    mark_seen(desk)
    qtbot.waitUntil(lambda: rows(panel) == [NOTHING])
    assert panel.count == 0
    assert desk.session.undo()
    qtbot.waitUntil(lambda: rows(panel) == [UNSEEN])


def test_nothing_is_checked_in_the_turn_of_the_key(desk: Context, panel: QualityPanel, qtbot, monkeypatch) -> None:
    checked: list[bool] = []
    check = panel._inspector.findings
    monkeypatch.setattr(panel._inspector, "findings", lambda *args: (checked.append(True), check(*args))[1])
    mark_seen(desk)
    assert checked == []
    qtbot.waitUntil(lambda: checked == [True])
    # Looking, and resting again, check nothing anew.
    desk.session.cursor.select_line("a", go=True)
    desk.session.idle.settle()
    panel.check()
    assert checked == [True]


def test_the_first_check_leaves_off_at_a_key_and_goes_on_at_rest(desk: Context, qtbot) -> None:
    panel = QualityPanel(desk)
    qtbot.addWidget(panel)
    prepare, done = panel._inspector.prepare, list[str]()

    def pieces(*args) -> Iterator[None]:
        for _ in prepare(*args):
            done.append("a piece")
            if done == ["a piece"] * 2:
                desk.session.idle.begin()
            yield
        done.append("all")

    panel._inspector.prepare = pieces
    desk.session.idle.settle()
    qtbot.waitUntil(lambda: len(done) == 2)
    assert rows(panel) == []
    qtbot.waitUntil(lambda: rows(panel) == [UNSEEN])
    assert done.count("all") == 1
    assert len(done) > 5


def test_another_house_finds_other_things_and_the_plan_stays(desk: Context, panel: QualityPanel, qtbot) -> None:
    """Without margins in the project `c` fills its gap, from 14 to 17 s; the next dialogue begins at 18 s."""
    mark_seen(desk)
    qtbot.waitUntil(lambda: rows(panel) == [NOTHING])
    plan = desk.session.plan
    choose(panel, "uk")
    assert "Warning, T4: “c in 3000 ms” starts less than 0.1 s after dialogue; at least 0.3 s is required." in rows(
        panel
    )
    assert desk.session.plan is plan
    (counts,) = (each for each in panel.findChildren(QLabel) if "warning" in each.text())
    assert counts.text() == f"{panel.count} warnings"
    assert desk.preferences.text("qc_preset") == "uk"
    choose(panel, "")
    assert rows(panel) == [NOTHING]


def test_the_houses_are_the_presets_and_ones_own(qapp, tmp_path: Path, qtbot) -> None:
    save_own(replace(preset_named("us"), name="Ours", title="Ours", shipped=False))
    with desk_on(tmp_path) as desk:
        panel = QualityPanel(desk)
        qtbot.addWidget(panel)
        picker = panel.findChild(Picker)
        names = [picker.itemText(row) for row in range(picker.count())]
        assert names[:3] == [OF_PROJECT, "House", "UK"]
        assert names[-1] == "Ours"


def test_a_chosen_preset_that_has_gone_is_no_fault(desk: Context, qtbot) -> None:
    desk.preferences.store("qc_preset", "gone")
    panel = QualityPanel(desk)
    qtbot.addWidget(panel)
    qtbot.waitUntil(lambda: rows(panel) == [UNSEEN])
    assert panel.findChild(Picker).currentText() == OF_PROJECT


def test_return_and_the_key_go_to_the_line_and_say_what_it_is(desk: Context, panel: QualityPanel, qtbot) -> None:
    said: list[str] = []
    asked: list[int] = []
    desk.session.cursor.seek_asked.connect(asked.append)
    desk.session.messages.said.connect(lambda text, *_: said.append(text))
    mark_seen(desk)
    choose(panel, "uk")
    first = next(row for row, text in enumerate(rows(panel)) if "“c in" in text)
    view_of(panel).itemActivated.emit(view_of(panel).item(first))
    assert desk.session.cursor.selection.current == "c"
    assert asked == [desk.session.plan.by_element["c"].start]
    desk.actions.refresh()
    view_of(panel).setCurrentRow(-1)
    for row, text in enumerate(rows(panel)):
        desk.actions["plan.next_finding"].trigger()
        assert (view_of(panel).currentRow(), said[-1]) == (row, text)
    desk.actions["plan.next_finding"].trigger()
    assert view_of(panel).currentRow() == 0


def test_no_problems_never_means_that_the_quality_checks_found_none(qtbot, tmp_path: Path) -> None:
    """The two lists name one another: F9 where only the checks found something says so, and how to go there."""
    with window_on(tmp_path) as window:
        editor, said = window.editor, list[str]()
        window.session.messages.said.connect(lambda text, *_: said.append(text))
        expected = "No problems in the plan. The quality checks found 1 error (Shift+F7)."
        qtbot.waitUntil(lambda: editor.problems.nothing == expected)
        (shown,) = (each for each in editor.problems.findChildren(QListWidget))
        qtbot.waitUntil(lambda: shown.item(0).text() == expected)
        window.activateWindow()
        editor.table.view.setFocus()
        QTest.keyClick(editor.table.view, Qt.Key.Key_F9)
        assert said[-1] == expected
        names = [line.id for line in window.session.script.eventualities]
        window.session.edits.attempt(lambda script: pins.set_seen(script, names, on=True))
        qtbot.waitUntil(lambda: shown.item(0).text() == "Nothing needs your attention.")
        QTest.keyClick(editor.table.view, Qt.Key.Key_F9)
        assert said[-1] == "Nothing needs your attention."


def test_without_findings_the_key_can_do_nothing(desk: Context, panel: QualityPanel, qtbot) -> None:
    mark_seen(desk)
    qtbot.waitUntil(lambda: rows(panel) == [NOTHING])
    assert not desk.actions["plan.next_finding"].isEnabled()


def test_a_row_has_its_rule_with_source_and_values(desk: Context, panel: QualityPanel) -> None:
    choose(panel, "uk")
    view = view_of(panel)
    (row,) = (row for row, text in enumerate(rows(panel)) if "“c in" in text and "T4" in text)
    tip = view.item(row).toolTip()
    assert "T4: Too close to dialogue (ITC Guidance on Standards for Audio Description, 2000)" in tip
    assert "Pause before dialogue, min.: 0.5 s (proposal)" in tip
    assert view.item(row).text().startswith("△ T4: “c in 3000 ms” starts")


def test_an_engine_s_answer_is_checked_too(desk: Context, panel: QualityPanel, qtbot) -> None:
    mark_seen(desk)
    qtbot.waitUntil(lambda: rows(panel) == [NOTHING])
    outcome = desk.session.current_plan.outcome
    last = outcome.plan.deliveries[-1]
    later = replace(last, start=last.start + 5_000, end=last.end + 5_000)
    plan = replace(outcome.plan, deliveries=(*outcome.plan.deliveries[:-1], later))
    desk.session.current_plan.accept_outcome(replace(outcome, plan=plan))
    qtbot.waitUntil(lambda: any("T5" in each and "after the film" in each for each in rows(panel)))


def test_another_project_is_another_script(desk: Context, panel: QualityPanel, qtbot, tmp_path: Path) -> None:
    seen = tuple(replace(line, seen=True) for line in small_script().eventualities)
    script = replace(small_script(), eventualities=seen)
    desk.session.open_project(ProjectFile.create(tmp_path / "other.adproj", script))
    qtbot.waitUntil(lambda: rows(panel) == [NOTHING])
    desk.session.close_project()
    assert rows(panel) == []


def test_the_window_finds_what_the_command_finds(desk: Context, panel: QualityPanel, qtbot, tmp_path, capfd) -> None:
    choose(panel, "childrens")
    path = tmp_path / "same.adproj"
    ProjectFile.create(path, desk.session.script, plan=desk.session.plan).close()
    assert run_command(["qc", str(path), "--preset", "childrens", "--json"]) == 1
    report = json.loads(capfd.readouterr().out)
    found = [f"{each['level'].capitalize()}, {each['rule']}: {each['what']}" for each in report["findings"]]
    assert len(found) > 3
    assert rows(panel) == found


def test_the_tab_counts_errors_and_warnings(qapp, tmp_path: Path, qtbot) -> None:
    with window_on(tmp_path) as window:
        dock = window.findChild(QDockWidget, "checks")
        qtbot.waitUntil(lambda: dock.windowTitle() == "Quality checks · 1")
        assert dock.accessibleName() == "Quality checks"
        _mark_all(window)
        qtbot.waitUntil(lambda: dock.windowTitle() == "Quality checks")


def _mark_all(window: Window) -> None:
    def seen(script: Script) -> Several:
        steps: list[Replace[Eventuality]] = [Replace(line, replace(line, seen=True)) for line in script.eventualities]
        return Several("Seen", tuple(steps))

    window.session.edits.attempt(seen)
