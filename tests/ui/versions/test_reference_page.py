"""The plan beside a reference AD in the window: opened, mended, filtered, gone through by key, read aloud."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from manual_jobs import ManualJobs
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAccessible, QTextCursor
from PySide6.QtTest import QTest
from test_accessible_controls import faults

from adstudio.core.script import Origin, Variant
from adstudio.core.steps import Replace
from adstudio.core.timebase import Span
from adstudio.editing.lines import delete_lines
from adstudio.evaluation.row_scores import GapScore
from adstudio.evaluation.row_scores_events import PROTOCOL, GapsScored
from adstudio.system.worker import Failed
from adstudio.ui.session.selection import Kind
from adstudio.ui.versions import reference_page
from adstudio.ui.versions.compare_dialog import REFERENCE, VERSIONS, CompareDialog
from adstudio.ui.versions.gap_scoring import COMPUTING, ENGLISH, STOPPED, GapScoring
from adstudio.ui.versions.gap_table import NO_SCORE, Column
from adstudio.ui.versions.reference_files import MOST, PREFERENCE, remember, remembered
from adstudio.ui.versions.reference_page import CHOOSE, ReferencePage, Shown

# The film's gaps are 0–10, 14–18 and 22–30 s; the plan speaks “c in 3000 ms” in the second.
SRT = """1
00:00:01,000 --> 00:00:03,000
A man waits.

2
00:00:04,000 --> 00:00:05,500
He sighs.

3
00:00:14,000 --> 00:00:17,000
C in 3000 ms!
"""
OVER = "\n4\n00:00:11,500 --> 00:00:13,000\nHe turns.\n"


@pytest.fixture(autouse=True)
def scorers(monkeypatch) -> list[ManualJobs]:
    """The jobs of each page that score gaps: nothing is started."""
    found: list[ManualJobs] = []

    def scoring(_: object, parent: QObject) -> GapScoring:
        found.append(ManualJobs(parent, PROTOCOL))
        return GapScoring(found[-1], parent)

    monkeypatch.setattr(reference_page, "GapScoring", scoring)
    return found


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    path = tmp_path / "référence.srt"
    path.write_text(SRT, "utf-8")
    return path


@pytest.fixture
def asked(monkeypatch, reference: Path) -> list[Path | None]:
    """What is answered when a file is asked for; the last answer stays."""
    answers: list[Path | None] = [reference]
    monkeypatch.setattr(reference_page, "ask_open", lambda *_: answers.pop(0) if len(answers) > 1 else answers[0])
    return answers


def dialog_of(context, versions) -> CompareDialog:
    context.actions["file.compare_reference"].trigger()
    assert versions.dialog is not None
    return versions.dialog


def read(page: ReferencePage, qtbot) -> None:
    qtbot.waitUntil(lambda: not page.busy, timeout=60_000)


def page_of(context, versions, qtbot) -> ReferencePage:
    page = dialog_of(context, versions).reference
    read(page, qtbot)
    return page


def show(page: ReferencePage, shown: Shown) -> None:
    page.shown_field.setCurrentIndex(page.shown_field.findData(shown))


def rows(page: ReferencePage, *columns: Column) -> list[tuple[str, ...]]:
    return [tuple(page.model.text(row, column) for column in columns) for row in range(page.model.count())]


SIDES = (Column.GAP, Column.SPEAKING, Column.REFERENCE, Column.PLAN)


def test_plan_and_reference_are_side_by_side_gap_by_gap(context, versions, qtbot, asked):
    page = page_of(context, versions, qtbot)
    show(page, Shown.ALL)
    first, second, third = rows(page, *SIDES)
    assert first[:3] == ("00:00:00:00", "Both", "A man waits. He sighs.")
    assert second == ("00:00:14:00", "Same words", "C in 3000 ms!", "c in 3000 ms")
    assert third[:3] == ("00:00:22:00", "Plan only", "")
    # Three words and two in two seconds and one and a half.
    assert page.model.text(0, Column.REFERENCE_SIZE) == "5 words, 3.5 s"
    assert page.model.text(1, Column.LENGTH) == "4.0 s"
    assert page.model.text(1, Column.PLAN_BY) == "machine"
    assert page.summary.text() == (
        "3 gaps: both speak in 2 (1 with the same words), only the reference in 0, only the plan in 1, neither in 0."
        f" {COMPUTING}"
    )
    assert versions.dialog.windowTitle() == REFERENCE


def test_filters_show_only_some_gaps(context, versions, qtbot, asked, reference):
    reference.write_text(SRT + OVER, "utf-8")
    page = page_of(context, versions, qtbot)
    shown = {}
    for each in Shown:
        show(page, each)
        shown[each] = [row[0] for row in rows(page, Column.SPEAKING)]
    # From 11.5 to 13 s the fourth line lies in no gap, so it has a row of its own.
    assert shown == {
        Shown.ALL: ["Both", "Reference only", "Same words", "Plan only"],
        Shown.DIFFERING: ["Both", "Reference only", "Plan only"],
        Shown.REFERENCE: ["Reference only"],
        Shown.PLAN: ["Plan only"],
    }
    assert "In no gap: 1 line of the reference." in page.summary.text()
    show(page, Shown.REFERENCE)
    assert rows(page, Column.LENGTH) == [("no gap",)]


def test_the_keyboard_goes_to_a_gap(context, versions, qtbot, asked):
    page = page_of(context, versions, qtbot)
    session = context.session
    show(page, Shown.ALL)
    page.table.selectRow(1)
    with qtbot.waitSignal(session.cursor.seek_asked) as sought:
        QTest.keyClick(page.table, Qt.Key.Key_Return)
    assert sought.args == [14_000]
    chosen = session.cursor.selection
    assert (chosen.kind, chosen.gap) == (Kind.GAP, Span(14_000, 18_000))
    show(page, Shown.PLAN)
    page.go.click()
    assert session.cursor.selection.gap == Span(22_000, 30_000)


def test_a_row_reads_as_a_sentence(context, versions, qtbot, asked):
    page = page_of(context, versions, qtbot)
    show(page, Shown.ALL)

    def spoken(row: int) -> list[str]:
        shown = [column for column in Column if not page.table.isColumnHidden(column)]
        texts = (page.model.index(row, column).data(Qt.ItemDataRole.AccessibleTextRole) for column in shown)
        return [text for text in texts if text]

    page.window().resize(2400, 900)
    assert spoken(1) == [
        "Gap 00:00:14:00 to 00:00:18:00, 4.0 s",
        "4.0 s",
        "reference and plan say the same words",
        "Reference: C in 3000 ms!",
        "4 words, 3.0 s",
        "Plan: c in 3000 ms",
        "4 words, 3.0 s",
        "machine",
    ]
    assert "Reference: silent" in spoken(2)
    page.table.resize(300, 300)
    # Where columns have no room, the texts say what they would.
    assert "Plan: c in 3000 ms (4 words, 3.0 s, machine)" in spoken(1)
    assert page.table.isColumnHidden(Column.PLAN_BY)
    page.table.selectRow(2)
    assert "Reference: silent" in page.texts.toPlainText()
    assert page.texts.accessibleDescription().startswith(
        "Gap 00:00:22:00 to 00:00:30:00, 8.0 s. Reference: silent. Plan ("
    )


def test_every_control_has_a_name_a_role_and_no_ampersand(context, versions, qtbot, asked):
    page = page_of(context, versions, qtbot)
    assert list(faults(page.window(), "compare")) == []
    assert QAccessible.queryAccessibleInterface(page.table).role() == QAccessible.Role.Table


def test_what_is_edited_meanwhile_is_compared_anew(context, versions, qtbot, asked):
    page = page_of(context, versions, qtbot)
    show(page, Shown.DIFFERING)
    assert [row[0] for row in rows(page, Column.GAP)] == ["00:00:00:00", "00:00:22:00"]
    line = context.session.script.eventuality("c")
    new = replace(line, variants=(Variant("Other words", duration=3_000),), origin=Origin.HUMAN)
    page.table.selectRow(1)
    context.session.edits.do(Replace(line, new))
    qtbot.waitUntil(lambda: page.model.count() == 3)
    assert rows(page, *SIDES, Column.PLAN_BY)[1] == ("00:00:14:00", "Both", "C in 3000 ms!", "Other words", "person")
    # The row that was chosen still is.
    assert page.gap is not None
    assert page.gap.span.start == 22_000


def test_what_is_read_in_a_gap_stays_where_it_is_while_others_are_compared_anew(context, versions, qtbot, asked):
    page = page_of(context, versions, qtbot)
    show(page, Shown.ALL)
    page.table.selectRow(0)
    cursor = page.texts.textCursor()
    cursor.setPosition(5)
    cursor.setPosition(9, QTextCursor.MoveMode.KeepAnchor)
    page.texts.setTextCursor(cursor)
    line = context.session.script.eventuality("c")
    context.session.edits.do(Replace(line, replace(line, variants=(Variant("Other words", duration=3_000),))))
    qtbot.waitUntil(lambda: page.model.text(1, Column.PLAN) == "Other words")
    assert (page.texts.textCursor().anchor(), page.texts.textCursor().position()) == (5, 9)
    page.table.selectRow(1)
    assert "Other words" in page.texts.toPlainText()
    assert page.texts.textCursor().position() == 0


def test_rows_are_compared_some_at_a_time(context, versions, qtbot, asked, monkeypatch):
    """Of three rows one at a time, each has a turn of its own."""
    page = page_of(context, versions, qtbot)
    turns = sum(1 for _ in page._compare())
    monkeypatch.setattr(reference_page, "_AT_ONCE", 1)
    assert sum(1 for _ in page._compare()) == turns + 3


def test_numbers_are_aligned_right(context, versions, qtbot, asked):
    page = page_of(context, versions, qtbot)
    sides = {each: page.model.index(0, each).data(Qt.ItemDataRole.TextAlignmentRole) for each in Column}
    right = {each for each, side in sides.items() if side & Qt.AlignmentFlag.AlignRight}
    texts = {Column.SPEAKING, Column.REFERENCE, Column.PLAN, Column.PLAN_BY, Column.VERSION, Column.VERSION_BY}
    assert right == set(Column) - texts


def test_a_plan_that_says_nothing_is_compared_too(context, versions, qtbot, asked):
    session = context.session
    session.edits.do(delete_lines(session.script, tuple(line.id for line in session.script.eventualities)))
    page = page_of(context, versions, qtbot)
    assert [row[0] for row in rows(page, Column.SPEAKING)] == ["Reference only", "Reference only"]
    assert page.model.spoken(0, Column.PLAN) == "Plan: silent"
    assert "both speak in 0, only the reference in 2, only the plan in 0, neither in 1." in page.summary.text()


def test_a_damaged_version_is_refused_with_a_sentence(context, versions, qtbot, asked):
    session = context.session
    session.project.versions.keep(session.script, session.plan, name="First")
    page = page_of(context, versions, qtbot)
    session.project._file.connection.execute("UPDATE version SET content = x'00' WHERE number = 1")
    page.version_field.setCurrentIndex(1)
    read(page, qtbot)
    assert "is damaged" in page.problem.text()
    show(page, Shown.ALL)
    assert rows(page, Column.PLAN, Column.VERSION)[1] == ("c in 3000 ms", "")
    page.version_field.setCurrentIndex(0)
    read(page, qtbot)
    assert page.problem.text() == ""


def test_a_version_is_compared_too(context, versions, qtbot, asked):
    session = context.session
    session.project.versions.keep(session.script, session.plan, name="First · sent")
    line = session.script.eventuality("c")
    session.edits.do(Replace(line, replace(line, variants=(Variant("Other words", duration=3_000),))))
    page = page_of(context, versions, qtbot)
    assert page.table.isColumnHidden(Column.VERSION)
    page.version_field.setCurrentIndex(1)
    read(page, qtbot)
    show(page, Shown.ALL)
    assert not page.table.isColumnHidden(Column.VERSION)
    assert rows(page, Column.PLAN, Column.VERSION, Column.VERSION_BY)[1] == ("Other words", "c in 3000 ms", "machine")
    page.table.selectRow(1)
    assert page.texts.toPlainText().splitlines()[2] == "First · sent (4 words, 3.0 s, machine): c in 3000 ms"
    page.version_field.setCurrentIndex(0)
    read(page, qtbot)
    assert page.table.isColumnHidden(Column.VERSION)


def test_times_an_hour_off_are_read_once_mended(context, versions, qtbot, asked, reference):
    reference.write_text(SRT.replace("00:00:", "01:00:"), "utf-8")
    page = page_of(context, versions, qtbot)
    assert "01:00:00:00" in page.problem.text()
    assert page.mend.text() == "Count from 01:00:00:00"
    assert page.model.count() == 0
    page.mend.click()
    read(page, qtbot)
    assert page.problem.text() == ""
    assert page.mend.isHidden()
    assert page.model.text(0, Column.REFERENCE) == "A man waits. He sighs."


def choose_column(page: ReferencePage, number: int, name: str) -> None:
    picker = page.columns._pickers[number]
    picker.setCurrentIndex(picker.findData(name))
    picker.activated.emit(picker.currentIndex())


def chosen_columns(page: ReferencePage) -> list[str]:
    return [picker.currentData() for picker in page.columns._pickers.values()]


def test_columns_are_asked_for_where_they_are_unclear(context, versions, qtbot, asked, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("A,B,C\n0:02,A man waits here.,He opens the door.\n", "utf-8")
    asked[0] = table
    page = page_of(context, versions, qtbot)
    assert page.columns.isVisible()
    for number, name in ((1, "in"), (2, "skip"), (3, "text")):
        choose_column(page, number, name)
    read(page, qtbot)
    assert page.problem.text() == ""
    assert "He opens the door." in page.model.text(0, Column.REFERENCE)
    # It could be the other one: the choice is there to be changed.
    assert page.columns.isVisible()
    for number, name in ((2, "text"), (3, "skip")):
        choose_column(page, number, name)
    read(page, qtbot)
    assert "A man waits here." in page.model.text(0, Column.REFERENCE)


def test_each_file_has_its_own_choice_of_columns(context, versions, qtbot, asked, tmp_path):
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    for path in (first, second):
        path.write_text("A,B,C\n0:02,A man waits here.,He opens the door.\n", "utf-8")
    asked[0] = first
    page = page_of(context, versions, qtbot)
    guessed = chosen_columns(page)
    for number, name in ((1, "in"), (2, "skip"), (3, "text")):
        choose_column(page, number, name)
    read(page, qtbot)
    asked[0] = second
    page.open.click()
    read(page, qtbot)
    assert chosen_columns(page) == guessed
    page.reference_field.setCurrentIndex(1)
    page.reference_field.activated.emit(1)
    read(page, qtbot)
    assert chosen_columns(page) == ["in", "skip", "text"]
    assert "He opens the door." in page.model.text(0, Column.REFERENCE)


def test_what_cannot_be_read_is_refused_with_a_sentence(context, versions, qtbot, asked, tmp_path):
    (tmp_path / "empty.srt").touch()
    asked[0] = tmp_path / "empty.srt"
    page = page_of(context, versions, qtbot)
    assert page.problem.text().endswith("is empty: choose the file of a script.")
    assert page.model.count() == 0
    assert not page.go.isEnabled()


def test_without_a_reference_it_asks_for_one_and_says_what_is_to_be_done(context, versions, qtbot, asked):
    asked[0] = None
    page = page_of(context, versions, qtbot)
    assert page.summary.text() == CHOOSE
    assert not page.remove.isEnabled()
    assert page.model.count() == 0


def test_several_references_are_open_and_remembered_with_the_project(context, versions, qtbot, asked, reference):
    other = reference.with_name("other.vtt")
    other.write_text("WEBVTT\n\n00:23.000 --> 00:24.000\nNight.\n", "utf-8")
    page = page_of(context, versions, qtbot)
    asked[0] = other
    page.open.click()
    read(page, qtbot)
    show(page, Shown.ALL)
    assert rows(page, Column.REFERENCE)[2] == ("Night.",)
    page.reference_field.setCurrentIndex(1)
    page.reference_field.activated.emit(1)
    read(page, qtbot)
    assert rows(page, Column.REFERENCE)[0] == ("A man waits. He sighs.",)
    project = context.session.project.path
    assert remembered(context.preferences, project) == (other, reference)
    versions.dialog.close()
    # Opened again, nothing is asked, and the last one opened is shown.
    asked[0] = None
    page = page_of(context, versions, qtbot)
    assert [each.path for each in page.references.all] == [other, reference]
    assert page.reference_field.currentText() == "other.vtt"
    page.remove.click()
    read(page, qtbot)
    assert page.reference_field.currentText() == "référence.srt"
    assert remembered(context.preferences, project) == (reference,)


def test_only_paths_are_remembered_and_of_what_makes_no_sense_nothing(context, reference):
    project = context.session.project.path
    remember(context.preferences, project, [reference] * (MOST + 3))
    assert len(remembered(context.preferences, project)) == MOST
    for text in (
        "[",
        "[1]",
        f'{{"{project.as_posix()}": 3}}',
        f'{{"{project.as_posix()}": [1]}}',
    ):
        context.preferences.store(PREFERENCE, text)
        assert remembered(context.preferences, project) == ()


def test_a_reference_that_is_away_for_a_while_is_not_forgotten(context, versions, qtbot, asked, reference, tmp_path):
    """As on a stick: the last one that is there is read, and the other once it is back."""
    project, stick = context.session.project.path, tmp_path / "stick" / "away.srt"
    remember(context.preferences, project, [stick, reference])
    page = page_of(context, versions, qtbot)
    assert page.reference_field.path == reference
    assert page.problem.text() == ""
    page.open.click()  # the same once more, which is remembered
    read(page, qtbot)
    assert remembered(context.preferences, project) == (reference, stick)
    page.reference_field.setCurrentIndex(1)
    page.reference_field.activated.emit(1)
    read(page, qtbot)
    assert "away.srt" in page.problem.text()
    stick.parent.mkdir()
    stick.write_text(SRT, "utf-8")
    for place in (0, 1):
        page.reference_field.setCurrentIndex(place)
        page.reference_field.activated.emit(place)
        read(page, qtbot)
    assert page.problem.text() == ""


def test_both_pages_are_in_one_dialog(context, versions, qtbot, asked):
    page = page_of(context, versions, qtbot)
    dialog = versions.dialog
    context.actions["file.compare_versions"].trigger()
    assert versions.dialog is dialog
    assert (dialog.windowTitle(), dialog.table.isVisible(), page.table.isVisible()) == (VERSIONS, True, False)
    assert dialog.focusWidget() is dialog.table
    context.actions["file.compare_reference"].trigger()
    assert (dialog.windowTitle(), dialog.table.isVisible(), page.table.isVisible()) == (REFERENCE, False, True)
    assert dialog.focusWidget() is page.table
    dialog.close()
    assert versions.dialog is None


def test_closing_the_project_ends_the_reading(context, versions, qtbot, asked):
    page = dialog_of(context, versions).reference
    assert page.references.reading
    context.session.close_project()
    assert not page.references.reading
    assert versions.dialog is None


def test_scores_are_shown_once_they_are_there(context, versions, qtbot, asked, scorers):
    page = page_of(context, versions, qtbot)
    show(page, Shown.ALL)
    (job,) = scorers[0].all
    assert [(gap.reference, len(gap.plan)) for gap in job.request.gaps] == [
        (("A man waits.", "He sighs."), 2),
        (("C in 3000 ms!",), 1),
        ((), 2),
    ]
    assert page.summary.text().endswith(COMPUTING)
    assert page.table.isColumnHidden(Column.METEOR)
    job.say(GapsScored((GapScore(10.0, 20.0), GapScore(100.0, 50.0), None)))
    job.end(0, "")
    # Three gaps are shown in the film, two are scored: (10 + 100) / 2 and (20 + 50) / 2.
    assert page.summary.text().endswith("On average over 2 gaps: METEOR 55.0, CIDEr 35.0.")
    page.table.resize(2_000, 300)
    assert not page.table.isColumnHidden(Column.METEOR)
    assert rows(page, Column.METEOR, Column.CIDER) == [("10.0", "20.0"), ("100.0", "50.0"), (NO_SCORE, NO_SCORE)]
    assert page.model.spoken(1, Column.METEOR) == "METEOR 100.0"
    assert page.model.spoken(2, Column.CIDER) == "no CIDEr"
    page.table.selectRow(1)
    assert page.place.text().endswith(" · METEOR 100.0, CIDEr 50.0")
    page.table.resize(300, 300)
    assert page.model.spoken(1, Column.PLAN).endswith("(4 words, 3.0 s, machine, METEOR 100.0, CIDEr 50.0)")
    # What is said in a gap has changed since: its scores are not shown any more, and are computed only on demand.
    line = context.session.script.eventuality("c")
    context.session.edits.do(Replace(line, replace(line, variants=(Variant("Other words", duration=3_000),))))
    qtbot.waitUntil(lambda: page.model.text(1, Column.PLAN) == "Other words")
    assert page.model.text(1, Column.METEOR) == NO_SCORE
    assert page.summary.text().endswith("1 gap changed since the scores were computed.")
    assert len(scorers[0].all) == 1
    page.score.click()
    assert scorers[0].all[1].request.gaps[1].plan == ("Other words",)


def test_scoring_is_stopped_by_a_button_and_by_closing(context, versions, qtbot, asked, scorers):
    page = page_of(context, versions, qtbot)
    page.score.click()
    assert scorers[0].all[0].stopped
    assert page.summary.text().endswith(STOPPED)
    page.score.click()
    assert not scorers[0].all[1].stopped
    versions.dialog.close()
    assert scorers[0].all[1].stopped


def test_why_there_are_no_scores_is_said_in_one_note(context, versions, qtbot, asked, scorers):
    page = page_of(context, versions, qtbot)
    scorers[0].all[0].say(Failed("METEOR needs Java, which is not installed"))
    scorers[0].all[0].end(3, "")
    assert page.summary.text().endswith("No scores: METEOR needs Java, which is not installed.")
    assert page.table.isColumnHidden(Column.METEOR)
    page.scoring.compute((), "de-AT")
    assert ENGLISH in page.summary.text()
    assert len(scorers[0].all) == 1


def test_another_reference_is_scored_anew(context, versions, qtbot, asked, scorers, reference):
    other = reference.with_name("other.vtt")
    other.write_text("WEBVTT\n\n00:23.000 --> 00:24.000\nNight.\n", "utf-8")
    page = page_of(context, versions, qtbot)
    asked[0] = other
    page.open.click()
    read(page, qtbot)
    first, second = scorers[0].all
    assert first.stopped
    assert second.request.gaps[2].reference == ("Night.",)
