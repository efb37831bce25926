"""Scenes drafted by a model in the whole window: started or not, watched, held, stopped, asked for again."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from drafts_seen import OVER, USAGE, cell, state_of, texts
from model_work import ALLOWED, HOUSE, Scripted, done, drafted_line, ends, film_script, know_the_house, says
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyle, QStyleOptionComboBox

from adstudio.connections.saved_connections import SavedConnection, write_connections
from adstudio.core.cast import Person
from adstudio.core.film import SourceFile
from adstudio.core.policy import Consent, Host, Policy
from adstudio.core.provenance import DescriptionLine, Provenance
from adstudio.core.steps import Replace, SetFilm
from adstudio.core.timebase import Span
from adstudio.drafting.model.context import GivenTexts
from adstudio.drafting.model.estimate import Estimate
from adstudio.drafting.model.events import Delayed, Found, Moved, SceneState, Spent, Telling
from adstudio.drafting.model.request_store import JobState, JobStore, default_place, name_of_film
from adstudio.drafting.run_state import Hold, LeftOut, RunState, StopReason
from adstudio.editing.scenes import set_reviewed
from adstudio.editing.wordings import rewrite
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.messages import Usage
from adstudio.store.project import ProjectFile
from adstudio.ui.drafts.messages import (
    HELD,
    LEFT_OUT,
    LEFT_OUT_SHORT,
    STOP_CAUSES,
    WILL_WAIT,
    estimate_words,
    progress_words,
    standing_words,
    stop_words,
)
from adstudio.ui.drafts.model_drafting import ABANDONED
from adstudio.ui.drafts.model_options import NO_COST, ModelOptionsButton
from adstudio.ui.drafts.model_request import (
    NO_CONNECTION,
    NO_SCENES,
    NO_VIDEO,
    OFFLINE,
    READ_ONLY,
    UNKNOWN,
    estimated,
    find_obstacle,
)
from adstudio.ui.drafts.panel import REPORT
from adstudio.ui.drafts.scenes_page import NEW, NOTHING_LEFT, NOTHING_SELECTED, SELECTED, UNREVIEWED
from adstudio.ui.drafts.scenes_table import Column
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.selection import Kind
from adstudio.ui.table.row_order import Column as ScriptColumn
from adstudio.ui.widgets.formatting import as_sentence

RECUT = LEFT_OUT[LeftOut.RECUT]


def two_scenes(worker: Scripted) -> None:
    """Both are described and found; the first comes, and behind a gate the second, in which something is missing."""
    partial = done("s2", drafted_line("z", 20_000, "s2"), state=SceneState.PARTIAL, why="one was lost")
    worker.course = [
        *says(Moved("s1", SceneState.WAITING), Moved("s2", SceneState.WAITING), Moved("s2", SceneState.FINDING)),
        *says(Telling("s2", 0, "A man waits."), Found("s2", 0, "e01", "A man waits.", 20_000, 21_000), Spent(USAGE, 1)),
        *ends(done("s1", drafted_line("x", 1_000), drafted_line("y", 3_000))),
        worker.gate(), *ends(partial), *says(OVER),
    ]  # fmt: skip


def test_one_press_and_the_scenes_fill(window, page, worker, said, qtbot):
    two_scenes(worker)
    assert page.start_button.text() == "Draft 2 scenes"
    assert page.progress.whole.startswith("About 4 to 8 requests, some ")
    assert page.progress.whole.endswith(
        " · costs nothing by the token · the machine’s lines in them are replaced, yours kept"
    )
    assert state_of(page) == ["· not drafted"] * 2
    page.start_button.setFocus()
    qtbot.keyClick(page.start_button, Qt.Key.Key_Return)
    assert said[-1] == "Drafting 2 scenes by House. You can work on meanwhile."
    assert page.stop_button.hasFocus()
    assert not page.start_button.isVisible()
    qtbot.waitUntil(lambda: texts(window) == ["x in 1500 ms", "y in 1500 ms"])
    assert state_of(page) == ["✓ done", "◕ finding"]
    assert cell(page, 1, Column.FOUND) == "1"
    assert cell(page, 1, Column.NEWEST) == "A man waits."
    assert page.progress.whole == "1 of 2 scenes drafted · 900 tokens in (300 of them cached) · 50 out"
    page.table.selectRow(1)
    assert page.detail.heading.text() == "Outside · ◕ finding"
    assert page.detail.text.toPlainText() == "A man waits.\n\n– A man waits."
    qtbot.waitUntil(lambda: "Drafts · 1" in [dock.windowTitle() for dock in window.editor.tabs])
    worker.go_on()
    qtbot.waitUntil(lambda: not window.editor.drafts.drafts.busy)
    qtbot.waitUntil(lambda: texts(window, "s2") == ["z in 1500 ms"])
    assert said.count("1 of 2 scenes drafted; 1 partial.") == 1
    assert state_of(page) == ["✓ done", "△ partial"]
    assert cell(page, 1, Column.NEWEST) == "one was lost"
    assert page.rows.data(page.rows.index(1, 0), Qt.ItemDataRole.AccessibleTextRole) == (
        "Outside, partial, 1 item: one was lost"
    )
    assert page.retry_button.isVisible()
    assert page.progress.whole == "1 of 2 scenes drafted; 1 partial."
    qtbot.waitUntil(lambda: not page.start_button.isEnabled())
    window.session.undo()
    assert texts(window, "s2") == ["d in 4000 ms", "e in 3000 ms"]


def test_what_failed_is_asked_once_more(window, page, worker, said, qtbot, tmp_path):
    worker.course = [*ends(done("s1")), *ends(done("s2", state=SceneState.BLOCKED, why="it was withheld")), *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: said[-1] == "1 of 2 scenes drafted; 1 blocked.")
    worker.course = [*ends(done("s2", drafted_line("z", 20_000, "s2"))), *says(OVER)]
    assert page.retry_button.text() == "Retry 1 scene"
    page.retry_button.click()
    qtbot.waitUntil(lambda: texts(window, "s2") == ["z in 1500 ms"])
    request = worker.requests[1]
    assert request.model.options.again
    assert request.scenes == ("s2",)
    assert request.script.eventualities == (), "a model is not told of the lines that there are"
    assert request.script.cues == window.session.script.cues
    assert request.model.connection.salt == window.session.project.identity
    assert not page.retry_button.isVisible()


def test_which_scenes_are_asked_for(window, page, worker, said, qtbot):
    session = window.session
    session.edits.attempt(lambda script: set_reviewed(script, ("s2",), on=True))
    page.renew()
    assert [scene.id for scene in page._wanted] == ["s1"]
    assert state_of(page) == ["· not drafted", "· reviewed"]
    worker.course = [*ends(done("s1", drafted_line("x", 1_000))), *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: texts(window) == ["x in 1500 ms"])
    qtbot.waitUntil(lambda: page.which.itemText(NEW) == "0 not drafted")
    page.drafts.said = ""
    page.renew()
    assert page.progress.whole == NOTHING_LEFT
    page.which.setCurrentIndex(UNREVIEWED)
    page.which.activated.emit(UNREVIEWED)
    assert page.start_button.text() == "Draft 1 scene"
    page.which.setCurrentIndex(SELECTED)
    page.table.clearSelection()
    page.which.activated.emit(SELECTED)
    assert page.progress.whole == NOTHING_SELECTED
    page.table.selectAll()
    assert page.start_button.text() == "Draft 2 scenes"  # chosen, so the reviewed one too


def test_what_is_selected_in_the_list_is_what_is_drafted(window, page, said, qtbot):
    page.table.setFocus()
    page.table.selectRow(1)
    assert page.which.currentText() == "1 selected"
    assert page.start_button.text() == "Draft 1 scene"
    qtbot.keyClick(page.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert page.start_button.text() == "Draft 2 scenes"
    assert window.session.cursor.selection.kind is Kind.NOTHING  # the lines of the film are not meant


def test_where_the_same_scenes_are_meant_there_is_one_button(window, page, worker, qtbot):
    failed = [done(scene, state=SceneState.FAILED, why="it is down") for scene in ("s1", "s2")]
    worker.course = [*ends(failed[0]), *ends(failed[1]), *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    assert (page.start_button.isVisible(), page.retry_button.text()) == (False, "Retry 2 scenes")
    page.table.selectRow(0)
    assert (page.start_button.isVisible(), page.start_button.text()) == (True, "Draft 1 scene")
    assert page.retry_button.isVisible()


def test_the_scene_in_hand_by_its_key(window, page, worker, said, qtbot):
    worker.course = [*ends(done("s2", drafted_line("z", 20_000, "s2"))), *says(OVER)]
    window.session.cursor.select_line("d")
    window.session.cursor.show_playhead(20_000)
    window.actions_.refresh()
    qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: texts(window, "s2") == ["z in 1500 ms"])
    assert texts(window) == ["a in 6000 ms", "b in 6000 ms", "c in 3000 ms"]


def test_what_keeps_it_from_being_started_and_what_leads_out(window, page, said):
    opened: list[str] = []
    page._open_models = opened.append
    session = window.session
    session.project.set_policy(Policy())
    page.renew()
    assert page.progress.whole == OFFLINE
    assert not page.start_button.isEnabled()
    page.out_button.click()
    assert opened == ["policy"]
    page.draft_current_scene()
    assert said[-1] == OFFLINE
    session.project.set_policy(Policy("on premises", (Host("other", 9),)))
    page.renew()
    assert page.progress.whole == (
        "This project may not send anything to 127.0.0.1:9: its sharing policy allows other:9."
    )
    session.project.set_policy(ALLOWED)
    write_connections([])
    page.renew()
    assert page.progress.whole == NO_CONNECTION
    assert page.model.currentText() == "No model yet"
    page.out_button.click()
    assert opened == ["policy", "connections"]
    know_the_house()
    page.renew()
    assert page.start_button.isEnabled()
    film = session.script.film
    session.edits.do(SetFilm(film, replace(film, media=None)))
    page.renew()
    assert page.progress.whole == NO_VIDEO


def test_a_project_that_is_opened_to_read_is_drafted_by_nobody(window, page, worker, said, tmp_path):
    session = window.session
    path = session.project.path
    session.close_project()
    session.open_project(ProjectFile.open(path, read_only=True))
    page.renew()
    assert page.progress.whole == READ_ONLY
    assert not page.start_button.isEnabled()
    assert page.out_button.text() == "Save as…"
    page.draft_current_scene()
    page.start()
    assert said[-1] == READ_ONLY
    assert worker.requests == []
    session.go_on_in(ProjectFile.create(tmp_path / "mine.adproj", session.script, policy=ALLOWED))
    assert page.start_button.isEnabled()


def test_all_of_why_a_scene_failed_is_beside_the_list(window, page, worker, qtbot):
    why = f"/a/{'long/' * 30}film.mp4 has no pictures that can be decoded"
    worker.course = [*ends(done("s1", state=SceneState.FAILED, why=why)), *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: state_of(page)[0] == "✕ failed" and not page.drafts.busy)
    page.table.selectRow(0)
    assert page.detail.text.toPlainText().startswith(f"{why}.")


def test_the_way_out_leads_to_the_page_and_back(window, page, qtbot):
    """The page of the models' settings opens; what is said there counts here at once."""
    from adstudio.ui.ai_settings.window import AiSettingsWindow

    session = window.session
    session.project.set_policy(Policy())
    page.renew()
    page.out_button.click()
    models = window.findChild(AiSettingsWindow)
    assert models.isVisible()
    assert models.list.currentItem().text() == "Privacy"
    session.project.set_policy(ALLOWED)
    session.storage.models_changed.emit()
    assert page.start_button.isEnabled()
    models.close()


def test_what_a_cloud_provider_is_sent_was_confirmed(tmp_path):
    gemini = SavedConnection("G", "gemini", "gemini-3.1-flash-lite")
    policy = Policy("cloud", (), Consent("gemini", frozenset({"text", "clips"}), "2026-11-28"))
    script = film_script()
    project = ProjectFile.create(tmp_path / "p.adproj", script, policy=policy)
    try:
        assert find_obstacle(project, script, gemini) is None
        named = replace(script, people=(Person.named("Anna"),))
        assert find_obstacle(project, named, gemini) is None
        seen = find_obstacle(project, replace(script, people=(Person.named("Anna", b"\xff\xd8"),)), gemini)
        assert seen.sentence == "Sending this project’s photos of people with their names to gemini was not confirmed."
        assert seen.page == "policy"
        assert find_obstacle(project, replace(script, scenes=()), gemini).sentence == NO_SCENES
    finally:
        project.close()


def test_a_policy_that_changes_stops_the_run(window, page, worker, said, qtbot):
    worker.course = [*says(Moved("s1", SceneState.DESCRIBING)), ["until let go", ""], *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: state_of(page)[0] == "◑ describing")
    window.session.project.set_policy(Policy())
    page.renew()
    assert f"Drafting stopped: {STOP_CAUSES[StopReason.OFFLINE]}." in said
    qtbot.waitUntil(lambda: not window.editor.drafts.drafts.busy)
    assert page.progress.whole == OFFLINE
    # In the rows too, and not that somebody stopped it.
    assert state_of(page) == ["■ stopped"] * 2
    assert [cell(page, row, Column.NEWEST) for row in (0, 1)] == [stop_words(StopReason.OFFLINE)] * 2
    why = as_sentence(stop_words(StopReason.OFFLINE))
    assert said[-1] == f"0 of 2 scenes drafted; 2 stopped. {why}"
    page.table.selectRow(0)
    assert page.detail.text.toPlainText() == why


def test_stopped_with_the_keys(window, page, worker, said, qtbot):
    worker.course = [*says(Moved("s1", SceneState.DESCRIBING)), ["until let go", ""], *says(OVER)]
    page.start_button.setFocus()
    qtbot.keyClick(page.start_button, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: state_of(page)[0] == "◑ describing")
    page.start()
    assert said[-1] == "A model is at work already: wait for it, or stop it."
    qtbot.keyClick(page.stop_button, Qt.Key.Key_Return)
    assert page.progress.whole == "Stopping…"
    qtbot.waitUntil(lambda: not window.editor.drafts.drafts.busy)
    assert said[-1] == "0 of 2 scenes drafted; 2 stopped."
    assert state_of(page) == ["■ stopped"] * 2


def test_a_server_that_does_not_answer_is_told_of(window, page, worker, qtbot):
    worker.course = [
        *says(Moved("s1", SceneState.DESCRIBING), Delayed("s1", "127.0.0.1:9 cannot be reached")),
        worker.gate(), *says(Telling("s1", 0, "She")), worker.gate("end"), *ends(done("s1")), *says(OVER),
    ]  # fmt: skip
    page.start()
    told = "t is tried again: 127.0.0.1:9 cannot be reached"
    qtbot.waitUntil(lambda: cell(page, 0, Column.NEWEST) == f"i{told}")
    assert page.rows.data(page.rows.index(0, Column.STATE), Qt.ItemDataRole.ToolTipRole) == f"I{told}."
    page.table.selectRow(0)
    qtbot.waitUntil(lambda: page.detail.text.toPlainText() == f"I{told}.")
    assert page.progress.whole == "No answer at the moment; trying again · 0 of 2 scenes drafted"
    worker.go_on()
    qtbot.waitUntil(lambda: cell(page, 0, Column.NEWEST) == "")
    qtbot.waitUntil(lambda: page.progress.whole == "0 of 2 scenes drafted")
    qtbot.waitUntil(lambda: page.detail.text.toPlainText() == "She")
    worker.go_on("end")
    qtbot.waitUntil(lambda: not page.drafts.busy)


def test_a_line_that_is_being_written_holds_its_scene(window, page, worker, said, qtbot):
    session = window.session
    two_scenes(worker)
    table = window.editor.table.view
    session.cursor.select_line("c")
    table.setFocus()
    table.edit_cell(ScriptColumn.TEXT)
    qtbot.waitUntil(lambda: table.editing)
    page.start()
    worker.go_on()
    qtbot.waitUntil(lambda: texts(window, "s2") == ["z in 1500 ms"])  # the other scene comes in
    qtbot.waitUntil(lambda: state_of(page)[0] == "◉ waits for you")
    assert table.editing
    editor = window.focusWidget()
    qtbot.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(editor, "Mine")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: texts(window) == ["x in 1500 ms", "y in 1500 ms", "Mine"])
    assert state_of(page)[0] == "✓ done"


def test_what_can_be_redone_keeps_a_scene_waiting(window, page, worker, said, qtbot):
    session = window.session
    session.edits.attempt(lambda script: rewrite(script, "d", 0, "Mine."))
    session.undo()
    two_scenes(worker)
    page.start()
    qtbot.waitUntil(lambda: state_of(page)[0] == "◉ waits for you")
    assert cell(page, 0, Column.NEWEST) == HELD[Hold.REDO]
    tip = page.rows.data(page.rows.index(0, Column.STATE), Qt.ItemDataRole.ToolTipRole)
    assert tip == f"Its lines are there: {HELD[Hold.REDO]}."
    assert session.edits.document.can_redo
    assert (page.in_button.isVisible(), page.in_button.text()) == (True, "Bring in 1")
    page.in_button.setFocus()
    qtbot.keyClick(page.in_button, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: texts(window) == ["x in 1500 ms", "y in 1500 ms"])
    assert state_of(page)[0] == "✓ done"
    assert not page.in_button.isVisible()
    page.drafts.stop()


def test_who_asks_while_something_can_be_redone_is_told_at_once_that_scenes_will_wait(
    window, page, worker, said, qtbot
):
    session = window.session
    session.edits.attempt(lambda script: rewrite(script, "d", 0, "Mine."))
    session.undo()
    worker.course = [
        *says(Moved("s1", SceneState.WAITING), Moved("s2", SceneState.WAITING)), worker.gate(),
        *ends(done("s1", drafted_line("x", 1_000))), worker.gate("end"), *ends(done("s2")), *says(OVER),
    ]  # fmt: skip
    page.start()
    assert said[-1] == f"Drafting 2 scenes by House. {WILL_WAIT}"
    assert page.progress.whole == f"{WILL_WAIT} 0 of 2 scenes drafted"
    assert not page.in_button.isVisible()  # there is nothing yet to bring in
    session.redo()
    qtbot.waitUntil(lambda: page.progress.whole == "0 of 2 scenes drafted")
    session.undo()
    qtbot.waitUntil(lambda: page.progress.whole == f"{WILL_WAIT} 0 of 2 scenes drafted")
    worker.go_on()
    # What has come tells itself that it waits, and why.
    qtbot.waitUntil(lambda: state_of(page)[0] == "◉ waits for you")
    assert cell(page, 0, Column.NEWEST) == HELD[Hold.REDO]
    qtbot.waitUntil(lambda: page.progress.whole == "1 of 2 scenes drafted")
    assert page.in_button.isVisible()
    assert session.edits.document.can_redo
    worker.go_on("end")
    qtbot.waitUntil(lambda: not page.drafts.busy)
    assert page.progress.whole == "2 scenes drafted; 1 of them waits for you."


def test_where_answers_are_kept_that_is_said_and_they_can_be_asked_anew(window, page, worker, said, qtbot):
    worker.course = [*ends(done("s1", drafted_line("x", 1_000))), *says(OVER)]
    page.table.selectRow(0)
    page.start()
    qtbot.waitUntil(lambda: texts(window) == ["x in 1500 ms"] and not page.drafts.busy)
    page.drafts.said = ""
    page.which.setCurrentIndex(SELECTED)
    page._show_plan()
    assert page.progress.whole.startswith("At most 4 requests (what is kept is not asked again), some ")
    page.anew.click()
    assert page.progress.whole.startswith("About 2 to 4 requests, some ")
    page.start()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    assert [each.model.options.anew for each in worker.requests] == [False, True]
    assert not page.anew.isChecked()


def test_a_scene_that_is_undone_is_told_as_taken_out(window, page, worker, said, qtbot):
    worker.course = [*ends(done("s1", drafted_line("x", 1_000))), *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: texts(window) == ["x in 1500 ms"] and not page.drafts.busy)
    window.actions_["edit.undo"].trigger()
    qtbot.waitUntil(lambda: said[-1] == "Undone: Scene “Inside” drafted by qwen-test")
    assert state_of(page)[0] == "↶ taken out"
    window.actions_["edit.redo"].trigger()
    qtbot.waitUntil(lambda: said[-1] == "Redone: Scene “Inside” drafted by qwen-test")
    assert state_of(page)[0] == "✓ done"


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (Estimate(3, 9, Usage(412_000, 0, 940, 60, 430_000), 6, 1_400),
         "About 6 to 1,400 requests, some 412 k tokens in, 1 k out · $0.43"),
        (Estimate(1, 1, Usage(900, 0, 50, 0, None), 1, 1),
         "About 1 request, some 900 tokens in, 50 out · at a price that is not known"),
    ],
)  # fmt: skip
def test_what_it_will_take_is_told_as_the_command_tells_it(estimate, words):
    assert estimate_words(estimate) == words


def test_what_a_screenplay_tells_counts_in_the_panel_as_for_the_command(qapp):
    """25 sentences are three lots of ten elements, and nobody has to be asked for a description."""
    script = film_script()
    first, *others = script.eventualities
    lines = (replace(first, extract=25 * "He waits. "), *(replace(each, extract="") for each in others))
    script = replace(
        script, film=replace(script.film, screenplay=SourceFile("film.fountain", "", 0, "")), eventualities=lines
    )
    assert estimated(script, script.scenes[:1], HOUSE, ()).startswith("About 3 to 5 requests, some ")


def test_what_a_description_tells_is_not_described_anew_and_the_panel_says_so(window, page, worker, qtbot, tmp_path):
    script = window.session.script
    first, *others = script.eventualities
    lines = (replace(first, extract="He waits.", provenance=Provenance(DescriptionLine(3))), *others)
    told = " · described by your own text in 1 of them, which is kept"
    script = replace(script, eventualities=lines)
    assert estimated(script, script.scenes, HOUSE, ()).endswith(told)
    assert estimated(script, script.scenes[:1], HOUSE, ()).endswith(" · described by your own text, which is kept")
    assert "told by" not in estimated(script, script.scenes[1:], HOUSE, ())
    window.session.edits.attempt(lambda _: Replace(first, lines[0]))
    worker.course = says(OVER)
    page.start()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    (request,) = worker.requests
    assert request.given == GivenTexts({}, {"s1": "He waits."})


@pytest.mark.parametrize("failed", [False, True])
def test_in_a_small_window_the_number_of_scenes_is_seen(window, page, worker, qtbot, failed):
    window.resize(900, 640)
    if failed:
        worker.course = [
            *ends(done("s1", drafted_line("x", 1_000))),
            *ends(done("s2", state=SceneState.FAILED)),
            *says(OVER),
        ]
        page.start()
        qtbot.waitUntil(lambda: page.retry_button.isVisible() and page.which.itemText(NEW) == "1 not drafted")
    for place, number in ((NEW, 1 if failed else 2), (SELECTED, 0), (UNREVIEWED, 2)):
        page.which.setCurrentIndex(place)
        page.which.activated.emit(place)
        QTest.qWait(20)
        option = QStyleOptionComboBox()
        page.which.initStyleOption(option)
        shown, edit = option.currentText, QStyle.SubControl.SC_ComboBoxEditField
        assert shown.startswith(f"{number} ")
        room = page.which.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, edit, page.which)
        assert page.which.fontMetrics().horizontalAdvance(shown) <= room.width()


def test_how_many_are_drafted_counts_no_scene_that_failed(qapp):
    course = RunState(film_script().scenes)
    course.update(Moved("s1", SceneState.FAILED, "it is gone"))
    assert standing_words(course) == "0 of 2 scenes drafted, 1 failed."
    assert progress_words(course) == "0 of 2 scenes drafted · 1 failed"


def test_what_was_written_meanwhile_stays(window, page, worker, qtbot):
    two_scenes(worker)
    page.start()
    window.session.edits.attempt(lambda script: rewrite(script, "d", 0, "Mine."))
    worker.go_on()
    qtbot.waitUntil(lambda: "Mine." in texts(window, "s2") and "z in 1500 ms" in texts(window, "s2"))
    assert "e in 3000 ms" not in texts(window, "s2")


def test_before_a_project_is_closed_it_is_said_what_becomes_of_the_run(window, page, worker, qtbot, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr("adstudio.ui.files.project_files.ask", lambda _, __, told, ___: asked.append(told))
    two_scenes(worker)
    page.start()
    qtbot.waitUntil(lambda: texts(window) == ["x in 1500 ms", "y in 1500 ms"])
    assert not window.files.may_leave()
    assert asked[0].endswith(f"\n\n{ABANDONED}")
    assert page.drafts.busy
    worker.go_on()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    assert not window.files.may_leave()
    assert ABANDONED not in asked[1]


def test_space_opens_a_choice_and_does_not_play(window, page, qtbot):
    played: list[object] = []
    window.actions_["play.toggle"].triggered.connect(played.append)
    page.which.setFocus()
    qtbot.keyClick(page.which, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: page.which.view().isVisible())
    page.which.hidePopup()
    assert played == []


def test_closing_the_window_leaves_no_process(window, page, worker, qtbot):
    worker.course = [*says(Moved("s1", SceneState.DESCRIBING)), worker.gate(), *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: state_of(page)[0] == "◑ describing")
    child = next(job for job in window.jobs.running if job.title.startswith("Drafting"))._process.processId()
    window.session.edits.document.mark_saved()
    window.close()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_closing_the_project_ends_the_run(window, page, worker, qtbot):
    worker.course = [*says(Moved("s1", SceneState.DESCRIBING)), worker.gate(), *ends(done("s1")), *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: state_of(page)[0] == "◑ describing")
    window.session.close_project()
    assert not window.editor.drafts.drafts.busy
    assert page.rows.rowCount() == 0
    qtbot.waitUntil(lambda: not any(job.title.startswith("Drafting") for job in window.jobs.running))


def test_behind_another_tab_nothing_is_painted(window, page, worker, qtbot):
    two_scenes(worker)
    renewed: list[object] = []
    window.editor.bring(window.editor.problems)
    QTest.qWait(100)
    assert page.is_unseen
    page.start()
    page.rows.dataChanged.connect(lambda *_: renewed.append(1))
    qtbot.waitUntil(lambda: page.drafts.run.scenes["s2"].state is SceneState.FINDING)
    page._moved(frozenset({"s1", "s2"}))
    assert not renewed
    page.progress.show_text("old")
    worker.go_on()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    window.editor.bring(window.editor.drafts)
    qtbot.waitUntil(lambda: page.progress.whole == "1 of 2 scenes drafted; 1 partial.")
    qtbot.waitUntil(lambda: state_of(page) == ["✓ done", "△ partial"])


def test_everything_has_a_name_and_the_keys_reach_it(window, page):
    for widget in (page.model, page.which, page.start_button, page.table, page.detail.text, page.bar, page.progress):
        assert QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    page.start_button.setFocus()
    order = []
    for _ in range(12):
        order.append(window.focusWidget())
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    assert page.table in order
    assert page.detail.text in order
    assert order.index(page.table) < order.index(page.detail.text)


def test_return_goes_to_the_scene_in_the_film(window, page, qtbot):
    sought: list[int] = []
    window.session.cursor.seek_asked.connect(sought.append)
    page.table.setFocus()
    page.table.selectRow(1)
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert sought == [16_000]
    assert window.session.cursor.selection.kind is Kind.SCENE


def test_the_two_pages_have_their_own_strip(window, page):
    window.editor.drafts.show_page(REPORT)
    assert page.is_unseen
    assert window.editor.drafts.report.isVisible()
    assert window.editor.drafts.focusProxy() is window.editor.drafts.report


def test_other_bounds_meanwhile_are_told(window, page, worker, said, qtbot):
    session = window.session
    two_scenes(worker)
    page.start()
    scene = session.script.scene_by_id["s2"]
    assert scene.span == Span(16_000, 30_000)
    from adstudio.editing.scenes import split_scene

    session.edits.attempt(lambda script: split_scene(script, session.edits.ids, 20_000))
    worker.go_on()
    qtbot.waitUntil(lambda: f"Scene Outside was drafted, but {RECUT}." in said)
    # It is told so wherever it is told at all, and can be asked for again.
    assert state_of(page) == ["✓ done", f"△ {LEFT_OUT_SHORT[LeftOut.RECUT]}", "· not drafted"]
    assert (cell(page, 1, Column.FOUND), cell(page, 1, Column.NEWEST)) == ("", RECUT)
    heard = page.rows.data(page.rows.index(1, 0), Qt.ItemDataRole.AccessibleTextRole)
    assert heard == f"Outside, {LEFT_OUT_SHORT[LeftOut.RECUT]}: {RECUT}"
    page.table.selectRow(1)
    assert page.detail.heading.text() == f"Outside · △ {LEFT_OUT_SHORT[LeftOut.RECUT]}"
    assert page.detail.text.toPlainText().startswith(as_sentence(RECUT))
    assert page.drafts.said == f"1 of 2 scenes drafted; 1 {LEFT_OUT_SHORT[LeftOut.RECUT]}."
    assert (page.retry_button.isVisible(), page.retry_button.text()) == (True, "Retry 1 scene")
    page.table.clearSelection()
    page.which.setCurrentIndex(NEW)
    page._show_plan()
    assert page.which.currentText() == "2 not drafted"
    worker.course = [*ends(done("s2", drafted_line("w", 17_000, "s2"))), *says(OVER)]
    page.retry()
    qtbot.waitUntil(lambda: texts(window, "s2") == ["w in 1500 ms"])
    qtbot.waitUntil(lambda: state_of(page) == ["✓ drafted", "✓ done", "· not drafted"])
    assert worker.requests[1].scenes == ("s2",)
    assert HOUSE.name == page.model.currentText()


def test_the_model_that_is_chosen_is_chosen_in_both_panels(window, page):
    write_connections([HOUSE, replace(HOUSE, name="Other")])
    page.renew()
    assert page.model.named == HOUSE
    polish = window.editor.polish.model
    polish.read()
    polish.setCurrentIndex(1)
    polish.activated.emit(1)
    page.renew()
    assert page.model.named.name == polish.named.name == "Other"
    write_connections([HOUSE])
    page.renew()
    assert page.model.named == HOUSE, "the other one is gone"
    write_connections([])
    page.renew()
    assert page.model.named is None
    assert not page.model.isEnabled()


def test_another_film_stops_the_run_and_undo_brings_back_what_was_allowed(window, page, worker, said, qtbot):
    worker.course = [*says(Moved("s1", SceneState.DESCRIBING)), ["until let go", ""], *says(OVER)]
    page.start()
    qtbot.waitUntil(lambda: state_of(page)[0] == "◑ describing")
    film = window.session.script.film
    other = replace(film.media, fingerprint="another", path="/nowhere/other.mp4")
    window.session.edits.do(SetFilm(film, replace(film, media=other)))
    assert f"Drafting stopped: {STOP_CAUSES[StopReason.POLICY]}." in said
    qtbot.waitUntil(lambda: not window.editor.drafts.drafts.busy)
    assert [cell(page, row, Column.NEWEST) for row in (0, 1)] == [stop_words(StopReason.POLICY)] * 2
    assert page.progress.whole == (
        "The project’s sharing settings were confirmed for another film, and have to be confirmed again for this one."
    )
    assert not page.start_button.isEnabled()
    assert window.session.undo()
    assert page.start_button.isEnabled()
    assert window.session.redo()
    assert not page.start_button.isEnabled()
    page.draft_current_scene()
    assert len(worker.requests) == 1, "nobody is asked"


PRICED = SavedConnection("Cloud", "gemini", "gemini-3.1-flash-lite")
UNPRICED_MODEL = SavedConnection("Odd", "openai", "gpt-9", "https://api.openai.com/v1")


COSTS = Capabilities(known=True, usd_in=1.0, usd_out=1.0)


@pytest.fixture
def own_jobs(monkeypatch, tmp_path):
    """Nothing was asked before."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def priced(monkeypatch, page, own_jobs):
    """All models cost something."""
    monkeypatch.setattr(SavedConnection, "capabilities", property(lambda _self: COSTS))
    page.renew()


def has_cost(window, micro_usd: int | None) -> None:
    """The film has cost so much."""
    film = name_of_film(window.session.script)
    with JobStore(default_place()) as jobs:
        jobs.announce("key", film, "s1", "describe 1")
        jobs.claim("key")
        jobs.finish("key", JobState.DONE, text="x", usage=Usage(1, 0, 1, 0, micro_usd))


def set_limit(page, text: str) -> None:
    page.more.limit_field.setText(text)
    page.more.flush()


def test_how_long_it_thinks_and_what_it_may_cost_are_asked_for_behind_a_button(window, page, worker, qtbot, priced):
    more = page.more
    assert more.toolTip() == "How the model is asked. Thinks: not at all; no limit of cost."
    before = page.progress.whole
    more.setFocus()
    qtbot.keyClick(more, Qt.Key.Key_Return)
    qtbot.waitUntil(more.popup.isVisible)
    assert more.thinking_pick.hasFocus() or more.popup.focusWidget() is more.thinking_pick
    more.thinking_pick.setCurrentIndex(more.thinking_pick.findData("high"))
    more.thinking_pick.activated.emit(0)
    for typed in ("0", "five", "-1", "1000000", "1e3"):
        more.limit_field.setText(typed)
        more.limit_field.editingFinished.emit()
        assert f"“{typed}” is no limit" in more.wrong.text(), typed
        assert more.most_micro_usd is None
    more.limit_field.setText("2,5")
    qtbot.keyClick(more.popup, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not more.popup.isVisible())
    assert (more.thinking, more.most_micro_usd) == ("high", 2_500_000)
    assert more.accessibleName() == "How the model is asked"
    assert more.accessibleDescription() == "Thinks: long; stops at $2.50 for the film."
    assert page.progress.whole.endswith(" · stops at $2.50 for the film")
    assert page.progress.whole.partition(" tokens")[0] != before
    assert more.limit_field.text() == "2.50"
    worker.course = says(OVER)
    page.start()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    (request,) = worker.requests
    assert (request.model.options.thinking, request.model.options.most_micro_usd) == ("high", 2_500_000)


def test_the_limit_is_the_projects_own_and_the_thinking_is_remembered_for_the_next_one(window, page):
    preferences = Preferences(page)
    preferences.store("draft_thinking", "low")
    preferences.store("draft_most_cost", "7")  # as older versions kept it, for all projects
    now = ["a1"]
    again = ModelOptionsButton(preferences, lambda: None, lambda: now[0])
    assert (again.thinking, again.most_micro_usd) == ("low", None)
    again.limit_field.setText("1200")
    again.flush()
    for other in ("b2", ""):
        now[0] = other
        again.show_model(PRICED)
        assert (again.thinking, again.most_micro_usd, again.limit_field.text()) == ("low", None, "")
        assert again.limit_field.isEnabled() is bool(other)
        assert again.summary == ""
        again.flush()
    now[0] = "a1"
    again.show_model(PRICED)
    assert (again.thinking, again.most_micro_usd) == ("low", 1_200_000_000)
    assert again.limit_field.text() == "1200.00"
    again.flush()
    assert again.most_micro_usd == 1_200_000_000
    for odd in ("for ever", ""):
        preferences.store("draft_thinking", odd)
        preferences.store("draft_most_cost/a1", odd)
        assert (again.thinking, again.most_micro_usd) == ("off", None)
    again.deleteLater()


def test_without_a_price_no_limit_can_be_kept_and_that_is_said(window, page):
    Preferences(page).store("draft_most_cost/a1", "3")
    more = ModelOptionsButton(Preferences(page), lambda: None, lambda: "a1")
    for named, kept in ((PRICED, 3_000_000), (UNPRICED_MODEL, None), (PRICED, 3_000_000)):
        more.show_model(named)
        assert more.most_micro_usd == kept
        assert more.limit_field.isEnabled() is (kept is not None)
        assert ("price of this model is not known" in more.explained.text()) is (kept is None)
        assert more.summary == (" · stops at $3.00 for the film" if kept else " · no limit can be kept")
        more.flush()
    assert more.limit_field.text() == "3.00", "it is there again"
    more.deleteLater()


def test_what_costs_nothing_is_not_stopped_by_a_limit(window, page, worker, qtbot, own_jobs):
    set_limit(page, "0.002")
    has_cost(window, 3_000)
    page.renew()
    assert page.start_button.isEnabled()
    assert "costs nothing by the token" in page.progress.whole
    assert "stops at" not in page.progress.whole + page.more.toolTip()
    assert page.more.explained.text() == NO_COST
    assert page.more.limit_field.text() == "0.002", "it stands for other models"
    worker.course = says(OVER)
    page.start()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    (request,) = worker.requests
    assert request.model.options.most_micro_usd is None


def test_from_the_polished_lines_the_way_leads_to_the_limit_too(window, page, priced, qtbot):
    set_limit(page, "0.002")
    has_cost(window, 3_000)
    polish = window.editor.polish
    window.actions_["plan.polish"].trigger()
    polish.renew()
    assert page.is_unseen
    assert polish.out_button.text() == "Limit…"
    polish.out_button.click()
    qtbot.waitUntil(lambda: not page.is_unseen)
    assert page.more.popup.focusWidget() is page.more.limit_field
    page.more.limit_field.setText("0.01")
    page.more.popup.close()
    assert polish.out_button.text() == ""


def test_with_the_limit_reached_before_nothing_can_be_started_and_the_way_leads_to_it(window, page, worker, priced):
    set_limit(page, "0.002")
    assert page.start_button.isEnabled()
    has_cost(window, 3_000)
    page.renew()
    assert not page.start_button.isEnabled()
    assert page.progress.whole == "The film has cost $0.003 of the $0.002 that it may: raise the limit to go on."
    page.draft_current_scene()
    assert worker.requests == []
    assert (page.out_button.isVisible(), page.out_button.text()) == (True, "Limit…")
    page.out_button.click()
    assert page.more.popup.isVisible()
    assert page.more.popup.focusWidget() is page.more.limit_field
    assert page.more.limit_field.selectedText() == "0.002"
    page.more.limit_field.setText("0.01")
    page.more.popup.close()
    assert page.start_button.isEnabled()
    assert not page.out_button.isVisible()
    assert page.progress.whole.endswith(" · stops at $0.01 for the film")


def test_a_limit_that_cannot_be_kept_is_told_before_anything_is_asked(window, page, priced):
    set_limit(page, "5")
    has_cost(window, None)
    page.renew()
    assert not page.start_button.isEnabled()
    assert page.progress.whole == UNKNOWN
    set_limit(page, "")
    assert page.start_button.isEnabled()


def test_when_the_limit_is_reached_the_scenes_left_are_told_apart_and_the_way_leads_to_it(
    window, page, worker, said, qtbot, priced
):
    set_limit(page, "2.5")
    why = "the film has cost $2.49 of the $2.50 that were set as its limit: raise it to go on"
    over = replace(OVER, halted=why)
    worker.course = [
        *ends(done("s1", drafted_line("x", 1_000))),
        *ends(done("s2", state=SceneState.LIMITED, why=why)),
        *says(over),
    ]
    page.start()
    qtbot.waitUntil(lambda: said[-1].startswith("Limit reached: 1 of 2 scenes drafted; 1 left at the limit. The film "))
    assert said[-1].endswith("raise it to go on.")
    assert page.progress.whole == said[-1]
    assert state_of(page)[1] == "▣ limit reached"
    assert not page.rows.view(1).is_trouble
    assert cell(page, 1, Column.NEWEST) == why
    page.table.selectRow(1)
    assert page.detail.text.toPlainText().startswith("The film has cost $2.49")
    assert page.retry_button.isVisible()
    assert (page.out_button.isVisible(), page.out_button.text()) == (True, "Limit…")
    # By what it has cost nothing more may be asked: the sentence stays, and nothing can be tried again until it may.
    has_cost(window, 2_500_000)
    page.renew()
    assert not page.retry_button.isEnabled()
    page.table.clearSelection()
    page.renew()
    assert page.progress.whole == said[-1]
    page.out_button.click()
    assert page.more.popup.focusWidget() is page.more.limit_field
    page.more.limit_field.setText("5")
    page.more.popup.close()
    assert page.retry_button.isEnabled()


def test_the_choices_make_nothing_wider_in_a_small_window(window, page, qtbot):
    window.resize(900, 640)
    QTest.qWait(50)
    assert window.width() == 900
    page.more.open()
    assert page.more.popup.width() <= 400
    page.more.popup.close()
    assert page.more.width() + page.progress.minimumWidth() + 8 <= 80, "they take the room that the sentence had"
