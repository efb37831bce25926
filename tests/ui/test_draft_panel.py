"""The report of a draft: told plainly, read again, leading to its lines, its rules set one by one or together."""

from __future__ import annotations

import pytest
from desks import desk_on
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from adstudio.core.errors import Oddity
from adstudio.core.script import Penalty
from adstudio.drafting.report import Found, Report
from adstudio.drafting.text.align.match import Match, SceneMatch
from adstudio.drafting.text.score.rules import SuggestedPenalty, SuggestedRequirement
from adstudio.editing.lines import delete_lines
from adstudio.ui.drafts.report_page import MOST_SHOWN, NO_DRAFT, SET, ReportPage, report_rows, set_rules, summary

REPORT = Report(
    lines=5,
    spoken=4,
    unsure=("b",),
    lost=("e",),
    words=Match(30, 60, 40),
    scenes=SceneMatch(3, 4, 2, 2),
    cues=2,
    speakers=1,
    repetitions=(SuggestedPenalty(Penalty("a", "b", 400_000), "“a” and “b” say nearly the same."),),
    needs=(
        SuggestedRequirement("e", "d", "“She” in “e” is understood only after “d”."),
        SuggestedRequirement("d", "a", "Lines of two scenes, which no rule can tie."),
    ),
    found=(
        Found("/x/film.srt", Oddity("two cues overlap", 7)),
        Found("/x/film.fountain", Oddity("nothing says when this line is seen", 12), ("d", "e")),
        Found("/x/film.fountain", Oddity("it is short")),
    ),
)


@pytest.fixture
def desk(qapp, tmp_path):
    with desk_on(tmp_path) as made:
        yield made


@pytest.fixture
def panel(desk, qtbot):
    made = ReportPage(desk.session, desk.actions, desk.theme)
    qtbot.addWidget(made)
    made.resize(900, 400)
    made.show()
    return made


def rows(panel: ReportPage) -> dict[str, list[str]]:
    tree = panel.tree
    sections = [tree.topLevelItem(place) for place in range(tree.topLevelItemCount())]
    return {each.text(0): [each.child(n).text(0) for n in range(each.childCount())] for each in sections}


def row(panel: ReportPage, text: str):
    (found,) = panel.tree.findItems(text, Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive)
    return found


def test_nothing_was_drafted_yet(panel):
    assert rows(panel) == {NO_DRAFT: []}
    panel.tree.itemActivated.emit(row(panel, NO_DRAFT), 0)
    assert not any(each.isVisible() for each in panel.findChildren(QPushButton))


def test_it_is_told_plainly(panel):
    panel.tell(REPORT)
    (head,) = panel.findChildren(QLabel)
    assert head.text() == (
        "5 lines drafted: 4 with a place in the film, 1 of them a guess; 1 without one; the plan speaks 4."
    )
    words = "50 % of the screenplay’s dialogue is in the film; 75 % of the film’s dialogue is in the screenplay."
    assert rows(panel) == {
        "How far film and screenplay agree": [
            words,
            "3 of the screenplay’s 4 scenes were found in the film.",
            "1 of 2 cues of dialogue now have their speaker from the screenplay.",
        ],
        "Lines whose time is a guess · 1": ["00:00:04:00  “b in 6000 ms”"],
        "Lines without a place in the film · 1": ["00:00:26:00  “e in 3000 ms”"],
        "Rules that the lines suggest · 3": [
            "“a” and “b” say nearly the same.",
            "“She” in “e” is understood only after “d”.",
            "Lines of two scenes, which no rule can tie.",
        ],
        "Odd in film.srt · 1": ["line 7: two cues overlap"],
        "Odd in film.fountain · 2": ["line 12: nothing says when this line is seen", "it is short"],
    }


def test_summaries():
    assert summary(Report(0, 0)) == "Nothing was drafted: every line is yours to write."
    assert summary(Report(2, 1)) == "2 lines drafted, each with a place in the film; the plan speaks 1."


def test_a_row_leads_to_its_lines(desk, panel, qtbot):
    sought: list[int] = []
    desk.session.cursor.seek_asked.connect(sought.append)
    panel.tell(REPORT)
    item = row(panel, "line 12")
    panel.tree.setCurrentItem(item)
    panel.tree.setFocus()
    qtbot.keyClick(panel.tree, Qt.Key.Key_Return)
    assert desk.session.cursor.selection.lines() == ("d", "e")
    assert sought == [desk.session.plan.by_element["d"].start]
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    desk.session.edits.do(delete_lines(desk.session.script, ["b"]))
    panel.tree.itemActivated.emit(row(panel, "00:00:04:00"), 0)
    assert said[-1] == "Those lines are not in the script any more."


def test_one_rule_is_one_step(desk, panel, qtbot):
    panel.tell(REPORT)
    session = desk.session
    one, all_ = panel._set, panel._set_all
    assert not one.isEnabled()
    item = row(panel, "“She”")
    panel.tree.setCurrentItem(item)
    assert one.isEnabled()
    assert all_.text() == "Set all 3"
    qtbot.mouseClick(one, Qt.MouseButton.LeftButton)
    assert session.script.rules.requires == (("e", "d"),)
    assert item.text(1) == SET
    assert not one.isEnabled()
    assert all_.text() == "Set all 2"
    # Its own button is for the mouse, and has the reason in its name.
    button = panel.tree.itemWidget(row(panel, "“a” and"), 1)
    assert button.accessibleName() == "Set this rule: “a” and “b” say nearly the same."
    button.click()
    assert session.script.rules.penalties == (Penalty("a", "b", 400_000),)
    doubled = row(panel, "“a” and")
    assert panel.tree.itemWidget(doubled, 1) is None
    assert doubled.text(1) == SET
    session.undo()
    assert not session.script.rules.penalties
    qtbot.waitUntil(lambda: panel.tree.itemWidget(doubled, 1) is not None)
    assert doubled.text(1) == ""
    assert session.script.rules.requires == (("e", "d"),)


def test_all_rules_are_one_step_and_what_cannot_be_is_told(desk, panel):
    panel.tell(REPORT)
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    panel.set_all()
    rules = desk.session.script.rules
    assert rules.requires == (("e", "d"),)
    assert rules.penalties == (Penalty("a", "b", 400_000),)
    assert said[-1] == "2 rules set. 1 could not be: their lines are gone, or tied by another rule."
    assert len(desk.session.edits.document.past) == 1
    desk.session.undo()
    assert not desk.session.script.rules


def test_rules_that_cannot_be_set_make_no_step(desk):
    nothing, refused = set_rules(desk.session.script, REPORT.needs[1:])
    assert (nothing, refused) == (None, 1)


def test_another_project_has_no_draft(desk, panel):
    panel.tell(REPORT)
    assert panel.report is REPORT
    desk.session.close_project()
    assert panel.report is None
    assert rows(panel) == {NO_DRAFT: []}


def test_many_oddities_are_counted(desk):
    many = tuple(Found("/x/a.srt", Oddity("odd", number + 1)) for number in range(MOST_SHOWN + 3))
    (section,) = report_rows(Report(1, 1, found=many), desk.session.script)
    assert section.what == f"Odd in a.srt · {MOST_SHOWN + 3:,}"
    assert [each.what for each in section.below[-2:]] == [f"line {MOST_SHOWN:,}: odd", "and 3 more"]
