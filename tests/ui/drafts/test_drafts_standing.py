"""How scenes drafted by a model stand, wherever it is told: rows, bar, sums and the pane beside say the same."""

from __future__ import annotations

import pytest
from drafts_seen import OVER, cell, state_of, texts
from model_work import ALLOWED, done, drafted_line, ends, film_script, says
from PySide6.QtCore import Qt

from adstudio.drafting.model.events import Moved, SceneState
from adstudio.drafting.run_state import Hold, LeftOut
from adstudio.editing.scenes import merge_scene
from adstudio.editing.wordings import rewrite
from adstudio.store.project import ProjectFile
from adstudio.ui.drafts.messages import HELD, LEFT_OUT, LEFT_OUT_SHORT, TAKEN_OUT
from adstudio.ui.drafts.scenes_page import NEW, SELECTED, UNREVIEWED
from adstudio.ui.drafts.scenes_table import Column


def test_why_a_scene_waits_is_told_whole_beside_the_list(window, page, worker, said, qtbot):
    session = window.session
    session.edits.attempt(lambda script: rewrite(script, "d", 0, "Mine."))
    session.undo()
    worker.course = [*ends(done("s1", drafted_line("x", 1_000))), *ends(done("s2")), *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: state_of(page) == ["◉ waits for you", "✓ done"] and not page.drafts.busy)
    page.table.selectRow(0)
    assert page.detail.text.toPlainText().startswith(f"Its lines are there: {HELD[Hold.REDO]}.\n\nWhat is seen in s1.")
    # What has come waits, and is not to be drafted once more; and it is not as if it were in the script.
    page.table.clearSelection()
    page.which.setCurrentIndex(NEW)
    page._show_plan()
    assert (page.which.currentText(), page.start_button.text()) == ("1 not drafted", "Draft 1 scene")
    assert page.progress.whole == said[-1] == "2 scenes drafted; 1 of them waits for you."
    page.in_button.click()
    qtbot.waitUntil(lambda: texts(window) == ["x in 1500 ms"])
    qtbot.waitUntil(lambda: page.progress.whole == "2 scenes drafted.")
    window.actions_["edit.undo"].trigger()
    qtbot.waitUntil(lambda: page.progress.whole == "1 of 2 scenes drafted; 1 taken out.")
    assert page.which.currentText() == "2 not drafted"
    page.table.selectRow(0)
    assert page.detail.text.toPlainText().startswith(TAKEN_OUT)


@pytest.mark.parametrize("come", [False, True])
def test_scenes_that_are_joined_meanwhile_are_no_drafted_ones(window, page, worker, said, qtbot, come):
    """Whether the first had come before or not: of what is one scene now not all has been drafted."""
    session = window.session
    first = ends(done("s1", drafted_line("x", 1_000)))
    before, behind = (first, []) if come else ([], first)
    second = ends(done("s2", drafted_line("z", 20_000, "s2")))
    worker.course = [*before, *says(Moved("s2", SceneState.FINDING)), worker.gate(), *behind, *second, *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: state_of(page)[1] == "◕ finding")
    qtbot.waitUntil(lambda: not come or texts(window) == ["x in 1500 ms"])
    session.edits.attempt(lambda script: merge_scene(script, "s1"))
    assert [scene.id for scene in session.script.scenes] == ["s1"]
    worker.go_on()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    qtbot.waitUntil(lambda: f"Scene s2 was drafted, but {LEFT_OUT[LeftOut.SCENE_GONE]}." in said)
    told = f"△ {LEFT_OUT_SHORT[LeftOut.RECUT]}"
    qtbot.waitUntil(lambda: state_of(page) == [f"{told} · 1 line from before" if come else told])
    out = ", ".join(f"1 {LEFT_OUT_SHORT[each]}" for each in (LeftOut.RECUT, LeftOut.SCENE_GONE))
    qtbot.waitUntil(lambda: page.drafts.said == f"0 of 2 scenes drafted; {out}.")
    assert page.retry_button.text() == "Retry 1 scene"
    session.undo()
    qtbot.waitUntil(lambda: state_of(page) == ["✓ done" if come else told, told])
    qtbot.waitUntil(lambda: page.retry_button.text() == ("Retry 1 scene" if come else "Retry 2 scenes"))


def bar_of(page) -> float:
    return page.bar.value() / page.bar.maximum()


@pytest.mark.parametrize("state", [SceneState.FAILED, SceneState.STOPPED, SceneState.BLOCKED])
def test_the_bar_shows_how_much_is_drafted(window, page, worker, said, qtbot, state):
    assert bar_of(page) == 0
    lost = done("s2", state=state, why="nobody knows why")
    worker.course = [*ends(done("s1", drafted_line("x", 1_000))), *ends(lost), *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    assert bar_of(page) == 0.5
    worker.course = [*ends(lost), *says(OVER)]
    page.retry()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    assert bar_of(page) == 0
    assert page.bar.accessibleName() == "Scenes drafted"


@pytest.mark.parametrize(
    ("state", "told"),
    [(SceneState.FAILED, "✕ failed"), (SceneState.STOPPED, "■ stopped"), (SceneState.BLOCKED, "⊘ blocked")],
)
def test_lines_from_before_are_told_where_a_later_run_brought_none(window, page, worker, said, qtbot, state, told):
    worker.course = [*ends(done("s1", drafted_line("x", 1_000), drafted_line("y", 3_000))), *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: texts(window) == ["x in 1500 ms", "y in 1500 ms"] and not page.drafts.busy)
    lost = [ends(done(scene, state=state, why="it is gone")) for scene in ("s1", "s2")]
    worker.course = [*lost[0], *lost[1], *says(OVER)]
    page.which.setCurrentIndex(UNREVIEWED)
    page._show_plan()
    page.start()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    qtbot.waitUntil(lambda: state_of(page) == [f"{told} · 2 lines from before", told])
    assert [cell(page, row, Column.FOUND) for row in (0, 1)] == ["2", ""]
    why = "it was stopped; it is gone" if state is SceneState.STOPPED else "it is gone"
    assert [cell(page, row, Column.NEWEST) for row in (0, 1)] == [why] * 2
    assert page.rows.data(page.rows.index(0, 0), Qt.ItemDataRole.AccessibleTextRole) == (
        f"Inside, {told[2:]} · 2 lines from before: {why}"
    )
    page.table.selectRow(0)
    assert page.detail.heading.text() == f"Inside · {told} · 2 lines from before"
    page.drafts._drafter.forget()
    page.renew()
    assert state_of(page) == ["✓ drafted", "· not drafted"]
    assert [cell(page, row, Column.FOUND) for row in (0, 1)] == ["2", ""]


def test_who_retries_can_have_all_asked_anew(window, page, worker, said, qtbot):
    failed = [done(scene, state=SceneState.FAILED, why="it is down") for scene in ("s1", "s2")]
    worker.course = [*ends(failed[0]), *ends(failed[1]), *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    assert (page.start_button.isVisible(), page.retry_button.isVisible()) == (False, True)
    assert page.anew.isVisible()
    page.anew.click()
    assert page.progress.whole.startswith("About "), "what asking them anew will take"
    page.retry_button.click()
    assert not page.anew.isVisible(), "nothing can be chosen while it goes on"
    qtbot.waitUntil(lambda: not page.drafts.busy)
    assert [(each.model.options.again, each.model.options.anew) for each in worker.requests] == [
        (False, False), (True, True)
    ]  # fmt: skip
    assert not page.anew.isChecked()
    page.retry_button.click()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    assert not worker.requests[2].model.options.anew


@pytest.mark.parametrize("choice", [SELECTED, UNREVIEWED])
def test_another_project_begins_with_its_own_choice(window, page, tmp_path, choice):
    session = window.session
    page.table.selectRow(1)
    page.which.setCurrentIndex(choice)
    page._show_plan()
    page.anew.click()
    session.go_on_in(ProjectFile.create(tmp_path / "copy.adproj", session.script, policy=ALLOWED))
    assert page.which.currentIndex() == choice, "it is the same work under another name"
    session.edits.document.mark_saved()
    session.close_project()
    session.open_project(ProjectFile.create(tmp_path / "other.adproj", film_script(), policy=ALLOWED))
    window.editor.timeline.films._soon.stop()
    assert page.which.currentText() == "2 not drafted"
    assert page.start_button.text() == "Draft 2 scenes"
    assert not page.table.selectionModel().hasSelection()
    assert not page.anew.isChecked()
