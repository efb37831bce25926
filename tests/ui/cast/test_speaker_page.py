"""The cues by speaker: filtered, assigned by digits and names, each as one step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from desks import desk_on, small_script
from PySide6.QtCore import Qt

from adstudio.core.cast import Person, SpeakerSource
from adstudio.core.script import Cue, CueKind
from adstudio.ui.cast.speaker_table import ALL, NOBODY, NOT_IN_CAST, Column, SpeakerPage

CUES = (
    Cue("c1", 1_000, 2_000, "Who is there?", "ANNA", speaker_source=SpeakerSource.LABEL),
    Cue("c2", 3_000, 4_000, "It is me."),
    Cue("c3", 5_000, 6_000, "Me too.", speaker_source=None),
    Cue("c4", 7_000, 8_000, "[BARKS]", "DOG", CueKind.SOUND),
    Cue("c5", 9_000, 9_500, "And me.", "STRANGER", speaker_source=SpeakerSource.VOICE, speaker_confidence=712),
)


@pytest.fixture
def page(qtbot, tmp_path):
    script = replace(small_script(), cues=CUES, people=(Person("a", "Anna"), Person("t", "Tom", ("Tommy",))))
    with desk_on(tmp_path, script) as context:
        made = SpeakerPage(context)
        qtbot.addWidget(made)
        context.session.current_plan.changed.connect(lambda _: made.renew())
        made.resize(900, 600)
        made.show()
        made.renew()
        yield made


def ids(page):
    return [cue.id for cue in page.rows.cues]


def speakers(page):
    return [cue.speaker for cue in page._context.session.script.cues]


def test_the_filter_shows_the_cues_of_one_speaker_or_of_nobody(page):
    assert ids(page) == ["c1", "c2", "c3", "c5"], "sounds are nobody's speech"
    assert page.counts.text() == "4 cues shown; the speaker of 2 of 4 is known"
    for chosen, shown in ((NOBODY, ["c2", "c3"]), (NOT_IN_CAST, ["c5"]), ("a", ["c1"]), ("t", []), (ALL, ids(page))):
        page.show_filter(chosen)
        assert ids(page) == shown
        assert page.filter.currentData() == chosen


def test_digits_assign_and_go_on_to_the_next(page, qtbot):
    page.show_cue("c2")
    qtbot.keyClick(page.table, Qt.Key.Key_2)
    qtbot.keyClick(page.table, Qt.Key.Key_1)
    assert speakers(page) == ["ANNA", "Tom", "Anna", "DOG", "STRANGER"]
    assert page.rows.text(1, Column.KNOWN_BY) == "you"
    assert page.rows.text(3, Column.KNOWN_BY) == "voice, 71 %"
    assert page.table.currentIndex().row() == 3
    qtbot.keyClick(page.table, Qt.Key.Key_0)
    assert speakers(page)[4] is None
    qtbot.keyClick(page.table, Qt.Key.Key_9)
    assert page.problem.text() == "There is no character with the number 9."
    session = page._context.session
    assert len(session.edits.document.past) == 3
    assert session.undo()
    assert speakers(page)[4] == "STRANGER"


def test_where_a_cue_leaves_the_list_the_next_one_takes_its_place(page, qtbot):
    page.show_filter(NOBODY)
    page.select_row(0)
    qtbot.keyClick(page.table, Qt.Key.Key_2)
    assert ids(page) == ["c3"]
    assert page.table.currentIndex().row() == 0
    qtbot.keyClick(page.table, Qt.Key.Key_2)
    assert ids(page) == []
    qtbot.keyClick(page.table, Qt.Key.Key_2)
    assert speakers(page)[1:3] == ["Tom", "Tom"]


def test_a_typed_name_is_assigned_to_one_cue_or_to_all_shown(page, qtbot):
    page.show_cue("c3")
    page.speaker.setCurrentText("tommy")
    qtbot.keyClick(page.speaker, Qt.Key.Key_Return)
    assert page.rows.text(2, Column.SPEAKER) == "Tom", "by a further name"
    page.show_filter(NOT_IN_CAST)
    page.speaker.setCurrentText("Anna")
    page.all_button.click()
    assert ids(page) == []
    assert speakers(page)[4] == "Anna"
    page.show_filter(ALL)
    page.speaker.setCurrentText("x" * 61)
    page.assign_button.click()
    assert "1 to 60" in page.problem.text()


def test_return_goes_to_the_cue_in_the_film(page, qtbot):
    page.show_cue("c5")
    with qtbot.waitSignal(page._context.session.cursor.seek_asked) as sought:
        qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert sought.args == [9_000]
    assert page._context.session.cursor.selection.ids == ("c5",)


def test_rows_and_cells_can_be_read_aloud(page):
    assert page.rows.title(1) == "Not known: It is me."
    assert page.rows.spoken(1, Column.SPEAKER) == "speaker not known"
    assert page.rows.title(0) == "Anna: Who is there?"
    assert page.numbers.text() == "1 Anna   2 Tom   0 not known"


def test_what_would_match_is_closed_once_a_name_was_taken_and_the_typed_name_stays(page, qtbot):
    page.show_cue("c2")
    page.speaker.setFocus()
    popup = page.speaker.completer().popup()
    qtbot.keyClicks(page.speaker.edit, "T")
    qtbot.keyClicks(popup, "om")
    assert popup.isVisible()
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert not popup.isVisible()
    assert speakers(page)[1] == "Tom"
    assert page.speaker.currentText() == "Tom"


def test_return_takes_the_match_that_was_gone_to(page, qtbot):
    page.show_cue("c2")
    page.speaker.setFocus()
    popup = page.speaker.completer().popup()
    qtbot.keyClicks(page.speaker.edit, "t")
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert not popup.isVisible()
    assert speakers(page)[1] == "Tom"
