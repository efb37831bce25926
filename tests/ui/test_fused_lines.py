"""A fused line in the window: one on the timeline, in the table with what it stands for, and what is done to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, line
from pending_events import run_pending_events
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit

from adstudio.core.film import Film
from adstudio.core.plan import Delivery
from adstudio.core.script import Approval, Cue, Eventuality, Fusion, Pin, Scene, Script, Variant
from adstudio.core.steps import Replace
from adstudio.core.timebase import Span
from adstudio.delivery.lines import script_lines
from adstudio.editing.ids import Ids
from adstudio.editing.labels import label_of
from adstudio.editing.lines import delete_lines
from adstudio.editing.pins import pin_out, set_accepted
from adstudio.editing.results import result_of
from adstudio.ui.commands.answers import where
from adstudio.ui.commands.commands import connect_commands
from adstudio.ui.hearing.film_level import chosen_envelope
from adstudio.ui.inspector.overview import FilmPage, SeveralPage
from adstudio.ui.inspector.panel import Inspector
from adstudio.ui.inspector.wordings import WordingRow
from adstudio.ui.panels.plan_status import lines as spoken_lines
from adstudio.ui.session.breath_messages import fused_words
from adstudio.ui.session.context import Context
from adstudio.ui.session.reason_texts import reason_text
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.table.cell_content import shown, spoken
from adstudio.ui.table.cell_painting import PADDING
from adstudio.ui.table.line_facts import Filter, Line, lines_of
from adstudio.ui.table.model import ScriptModel
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.table.row_order import Column
from adstudio.ui.table.view import ScriptView
from adstudio.ui.timeline.drags import Drag, DragHandle, Moved, step_of
from adstudio.ui.timeline.film_loader import FilmLoader
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.widgets.input_dialog import InputDialog


def script() -> Script:
    """A gap of 4 s, into which `a` and `b` (3 s each) only fit as the fusion of both; `c` in another."""
    lines = (
        line("a", 0, 2_000, 0.5, 3_000, scene="s"),
        line("b", 2_000, 4_000, 0.5, 3_000, scene="s"),
        line("c", 8_000, 10_000, 0.5, 2_000, scene="s"),
    )
    return Script(
        Film("Fused", 12_000),
        scenes=(Scene("s", Span(0, 12_000)),),
        cues=(Cue("c1", 4_000, 8_000, "Who is there?"),),
        eventualities=lines,
        fusions=(
            Fusion(
                "f",
                ("a", "b"),
                (Variant("a and b in one", duration=3_600), Variant("both", duration=2_000)),
                ("a in 3000 ms", "b in 3000 ms"),
            ),
        ),
    )


FUSED = Delivery("f", 0, 200, 3_800, members=("a", "b"))


@pytest.fixture
def desk(qapp, tmp_path: Path):
    with desk_on(tmp_path, script()) as made:
        yield made


def row(desk: Context, identity: str) -> Line:
    return lines_of(desk.session).of(identity)


def rows_of(desk: Context) -> Rows:
    session, rows = desk.session, Rows()
    rows.update(session.script, session.current_plan.outcome, session.gaps)
    return rows


def lines_now(desk: Context) -> list[Eventuality]:
    return [*desk.session.script.eventualities]


def test_the_table_has_it_with_the_first_line_and_the_others_say_so(desk: Context):
    assert desk.session.plan.deliveries[0] == FUSED
    first, second = row(desk, "a"), row(desk, "b")
    assert (first.text, first.length, first.room, shown(first, Column.STATE)) == (
        "a and b in one", 3_600, 400, "Spoken · 2 in one",
    )  # fmt: skip
    assert shown(second, Column.TEXT) == "b in 3000 ms (said in line 1)"
    assert (second.text, shown(second, Column.STATE), shown(second, Column.SECONDS)) == (
        "b in 3000 ms", "Said in line 1", "–",
    )  # fmt: skip
    assert spoken(second, Column.TEXT) == "b in 3000 ms. Said in line 1."
    # The middle of the fusion is that of its occurrence: 2 s.
    assert (first.drift, second.drift, first.timecodes) == (0, 0, ("00:00:00:05", "00:00:03:20"))


def test_after_an_undo_a_fused_line_still_names_the_line_that_says_it(tmp_path: Path):
    """`z` is spoken before the fused ones: left out and back, or deleted and back, it numbers them anew."""
    made = script()
    later = tuple(
        replace(each, occurrence=Span(each.occurrence.start + 8_000, each.occurrence.end + 8_000))
        for each in made.eventualities
    )
    made = made.with_changes(
        film=replace(made.film, end=20_000),
        scenes=(Scene("s", Span(0, 20_000)),),
        cues=(Cue("c0", 4_000, 8_000, "Yes?"), Cue("c1", 12_000, 16_000, "Who is there?")),
        eventualities=(line("z", 0, 2_000, 0.5, 2_000, scene="s"), *later),
    )
    with desk_on(tmp_path, made) as desk:
        model, edits = ScriptModel(desk.session), desk.session.edits

        def said_in() -> tuple[str, ...]:
            model.follow(frozenset())
            exported = {n: each.number for each in script_lines(made, desk.session.plan) for n in each.elements}
            assert exported["a"] == exported["b"] == model.line("b").number
            return model.text("b"), shown(model.line("b"), Column.NUMBER), shown(model.line("b"), Column.STATE)

        second = ("b in 3000 ms (said in line 2)", "2", "Said in line 2")
        first = ("b in 3000 ms (said in line 1)", "1", "Said in line 1")
        for edit in (lambda script: pin_out(script, ("z",)), lambda script: delete_lines(script, ("z",))):
            assert said_in() == second
            edits.attempt(edit)
            assert said_in() == first
            assert desk.session.undo()
            assert said_in() == second


def test_rows_are_as_high_as_all_that_they_say(qtbot, desk: Context):
    """“(said in line 1)” counts too, also in a row that has not been worked out yet."""
    for worked_out in (False, True):
        model = ScriptModel(desk.session)
        if worked_out:
            model.line("b")
        assert model.text("b") == "b in 3000 ms (said in line 1)"
    model = ScriptModel(desk.session)
    view = ScriptView(desk, model)
    qtbot.addWidget(view)
    view.setColumnWidth(Column.TEXT, view.fontMetrics().horizontalAdvance("b in 3000 ms (said") + 2 * PADDING)
    view.heights.fit_all()
    one, two = (view.heights.wrapper.height(lines) for lines in (1, 2))
    assert [view.rowHeight(number) for number in range(3)] == [one, two, one]


def test_the_timeline_has_one_line_with_threads_to_both_actions(desk: Context):
    rows = rows_of(desk)
    assert rows.narration.keys == ("a", "c")
    assert rows.spoken_text(desk.session.script.eventuality("a")) == "a and b in one"
    assert (rows.shown_as("b"), rows.said_in("a"), rows.drift("b")) == ("a", ("a", "b"), 0)
    assert rows.mark("b").spoken
    assert chosen_envelope(desk, desk.session.plan.deliveries)


def test_the_inspector_says_what_it_is_said_with(desk: Context):
    assert fused_words(desk.session, desk.session.script.eventuality("b")).startswith(
        "Line 1 says 2 items as one: “a and b in one”"
    )
    assert fused_words(desk.session, desk.session.script.eventuality("c")) == ""
    text = reason_text(desk.session, "a")
    assert text.short.startswith("Said in one breath with “b in 3000 ms”.")
    assert [change.element for change in text.lines.changes] == ["b"]


def test_a_drag_makes_it_a_line_of_its_own(desk: Context):
    session = desk.session
    drag = Drag(DragHandle.DELIVERY, Lane.NARRATION, ("a",), (FUSED.span,), 1_000)
    step = step_of(drag, Moved((Span(300, 3_900),)), Ids(session.script), session.plan)
    assert step is not None
    assert session.edits.attempt(step)
    own, other = lines_now(desk)
    assert (own.id, own.variants[0].text, own.pin) == ("a", "a and b in one", Pin(start=300))
    assert other.id == "c"
    assert session.plan.by_element["a"] == Delivery("a", 0, 300, 3_900)
    session.undo()
    assert session.script == script()
    assert session.plan.deliveries[0] == FUSED


@pytest.mark.parametrize(
    ("action", "pin"),
    [
        ("line.pin_start", Pin(start=200)),
        ("line.pin_wording", Pin(variant=0)),
        ("plan.keep", Pin(selected=True, variant=0, start=200)),
        ("line.merge", Pin()),
    ],
)
def test_what_locks_it_as_it_is_spoken_makes_it_a_line_of_its_own(qtbot, desk: Context, action: str, pin: Pin):
    connect_commands(desk, desk.actions.window, FilmLoader(desk, desk.actions.window))
    chosen = ("a", "b") if action == "line.merge" else ("b",)
    desk.session.cursor.select(Selection(Kind.LINE, chosen))
    desk.actions.refresh()
    desk.actions[action].trigger()
    own, _ = lines_now(desk)
    assert (own.id, own.variants[0].text, own.pin) == ("a", "a and b in one", pin)
    assert desk.session.plan.deliveries[0].span == FUSED.span


def test_accepting_it_is_said_in_plain_words_and_leaves_nothing_out(desk: Context):
    """What the fused line said is said by the line of one's own: nothing was left out or reworded by that."""
    session = desk.session
    assert session.edits.attempt(lambda script: set_accepted(script, ("a", "b", "c"), on=True, plan=session.plan))
    step = session.edits.document.past[-1]
    said = result_of(step, session.script, session.plan, session.current_plan.last_act.before)
    assert said == "Accepted: 2 lines, with 1 fused line made your own"
    assert not session.current_plan.changes
    session.undo()
    assert session.edits.attempt(lambda script: set_accepted(script, ("a",), on=True, plan=session.plan))
    said = result_of(session.edits.document.past[-1], session.script, session.plan)
    assert said == "Accepted: “a and b in…”, with 1 fused line made your own"


def test_accepting_it_accepts_what_is_spoken(desk: Context):
    session = desk.session
    assert session.edits.attempt(lambda script: set_accepted(script, ("a",), on=True, plan=session.plan))
    own, _ = lines_now(desk)
    assert (own.accepted, own.approval) == (True, Approval(0, 200))
    assert not session.current_plan.departures


def test_a_line_that_is_left_out_leaves_the_other_by_itself(desk: Context):
    session = desk.session
    assert session.edits.attempt(lambda script: pin_out(script, ("b",)))
    assert [each.element for each in session.plan.deliveries] == ["a", "c"]
    assert shown(row(desk, "a"), Column.STATE) == "Spoken"


def test_other_words_in_the_table_are_those_of_a_line_of_ones_own(qtbot, desk: Context):
    table = ScriptTable(desk)
    qtbot.addWidget(table)
    table.resize(1200, 500)
    table.show()
    qtbot.waitExposed(table)
    table.activateWindow()
    table.view.setFocus()
    table.view.setCurrentIndex(table.model.index(0, Column.TEXT))
    QTest.keyClick(table.view, Qt.Key.Key_Return)
    field = next(each for each in table.view.viewport().findChildren(QPlainTextEdit) if each.isVisible())
    assert field.toPlainText() == "a and b in one"
    field.selectAll()
    QTest.keyClicks(field, "Both at once.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    run_pending_events()
    own, other = lines_now(desk)
    assert [each.text for each in own.variants] == ["Both at once.", "both"]
    assert (own.id, own.origin.value, other.id) == ("a", "human", "c")


def test_other_words_of_one_line_end_the_fusion(desk: Context):
    session = desk.session
    old = session.script.eventuality("b")
    new = replace(old, variants=(Variant("other", duration=900),))
    session.edits.do(Replace(old, new))
    assert [each.element for each in session.plan.deliveries] == ["a", "b", "c"]


def test_every_place_of_the_window_counts_items_and_lines_as_exports_do(qtbot, desk: Context):
    """Three items, of which `a` and `b` are one line: the export has two."""
    session = desk.session
    assert len(script_lines(session.script, session.plan)) == 2
    table, page, several = ScriptTable(desk), FilmPage(desk), SeveralPage(desk)
    for widget in (table, page, several):
        qtbot.addWidget(widget)
    assert spoken_lines(session) == "2 lines"
    assert table.head.counts.text() == "3 items"
    assert table.head.filters.chips[Filter.PLACED].accessibleName() == "Spoken: 3 items"
    page.fill()
    assert (page.values["Items"].text(), page.values["Spoken"].text(), page.values["Left out"].text()) == (
        "3", "3, in 2 lines", "0",
    )  # fmt: skip
    assert where(session).detail.endswith("3 of 3 items described in 2 lines; the film ends at 00:00:12:00.")
    # What is spoken once lasts once: 3.6 s, not twice that.
    session.cursor.select(Selection(Kind.LINE, ("a", "b")))
    several.show_now()
    assert (several.title.text(), several.numbers.text()) == ("2 items", "2 spoken, 3.6 s · 0 left out")


def test_finding_and_replacing_are_about_what_is_spoken(qtbot, desk: Context):
    """“in one” is only in the fused wording: it is found in its row, and replaced in a line of one's own."""
    session, table = desk.session, ScriptTable(desk)
    qtbot.addWidget(table)
    table.head.find_box.setText("in one")
    qtbot.waitUntil(lambda: table.model.ids == ["a"])
    desk.actions["edit.replace"].trigger()
    bar = table.finding._bar
    bar.by.setText("at once")
    qtbot.waitUntil(lambda: bar.count.text() == "1 in 1 line")
    table.finding.replace_all()
    assert [each.variants[0].text for each in lines_now(desk)] == ["a and b at once", "c in 2000 ms"]
    assert [each.element for each in session.plan.deliveries] == ["a", "c"]
    assert session.undo()
    assert [each.id for each in lines_now(desk)] == ["a", "b", "c"]


def test_reviewing_the_scene_says_what_becomes_of_fused_lines(qtbot, desk: Context):
    connect_commands(desk, desk.actions.window, FilmLoader(desk, desk.actions.window))
    desk.session.cursor.select(Selection(Kind.SCENE, ("s",)))
    desk.actions["scene.reviewed"].trigger()
    assert [each.id for each in lines_now(desk)] == ["a", "c"]
    labels = [label_of(step, desk.session.script) for step in desk.session.edits.document.past]
    assert labels[-1].endswith("as reviewed, with 1 fused line made your own")
    step = desk.session.edits.document.past[-1]
    assert result_of(step, desk.session.script) == "Reviewed: scene 1, with 1 fused line made your own"


@pytest.fixture
def inspector(qtbot, desk: Context) -> Inspector:
    found = Inspector(desk)
    qtbot.addWidget(found)
    found.resize(340, 900)
    found.show()
    qtbot.waitExposed(found)
    found.activateWindow()
    return found


def test_the_inspector_has_the_wordings_of_what_is_spoken(desk: Context, inspector: Inspector):
    """`a` and `b` are said in 3.6 of the 4 s of their gap; the shorter wording would leave 2 s of it."""
    desk.session.cursor.select_line("a")
    wordings = inspector.line.wordings
    assert [row.text.toPlainText() for row in wordings.rows] == ["a and b in one", "both"]
    assert [row.numbers.text() for row in wordings.rows] == ["5 words · 0.4 s to spare", "1 word · 2.0 s to spare"]
    assert [row.mark.accessibleName() for row in wordings.rows] == ["Wording 1, spoken now", "Wording 2"]
    assert wordings._title.text() == "Wordings of fused line 1"
    desk.session.cursor.select_line("b")
    assert [row.text.toPlainText() for row in wordings.rows] == ["b in 3000 ms"]
    assert [row.mark.accessibleName() for row in wordings.rows] == ["Wording 1"]
    assert wordings._title.text() == "Wordings"


def test_what_is_typed_into_its_wordings_is_one_step_that_makes_it_a_line_of_its_own(
    desk: Context, inspector: Inspector
):
    session = desk.session
    session.cursor.select_line("a")
    field = inspector.line.wordings.rows[0].text
    field.setFocus()
    field.selectAll()
    for words in ("Both ", "at once."):
        QTest.keyClicks(field, words)
        inspector.flush()
    own, other = lines_now(desk)
    assert ([each.text for each in own.variants], own.id, other.id) == (["Both at once.", "both"], "a", "c")
    assert [row.text.toPlainText() for row in inspector.line.wordings.rows] == ["Both at once.", "both"]
    assert inspector.line.wordings._title.text() == "Wordings"
    session.undo()
    assert session.script == script()


@pytest.mark.parametrize(
    ("edit", "texts"),
    [
        (lambda rows: rows[1].remove_wording(), ["a and b in one"]),
        (lambda rows: rows[1].hold.click(), ["a and b in one", "both"]),
        (lambda rows: rows[1].length.entered.emit(1_500), ["a and b in one", "both"]),
    ],
)
def test_what_is_done_to_one_of_its_wordings_is_done_to_that(
    desk: Context, inspector: Inspector, edit: Callable[[list[WordingRow]], object], texts: list[str]
):
    desk.session.cursor.select_line("a")
    edit(inspector.line.wordings.rows)
    own, other = lines_now(desk)
    assert ([each.text for each in own.variants], own.id, other.id) == (texts, "a", "c")


def test_keys_act_on_the_wordings_that_are_shown(qtbot, desk: Context, monkeypatch: pytest.MonkeyPatch):
    connect_commands(desk, desk.actions.window, FilmLoader(desk, desk.actions.window))
    session = desk.session
    found: dict[str, list[str]] = {}
    for action in ("line.wording_next", "line.wording_add", "line.split"):
        monkeypatch.setattr(InputDialog, "ask_item", lambda _p, _t, _q, items, at, **_: (items[at], True))
        session.cursor.select(Selection(Kind.LINE, ("a",)))
        desk.actions.refresh()
        desk.actions[action].trigger()
        found[action] = [variant.text for each in lines_now(desk) for variant in each.variants]
        session.undo()
        assert session.script == script()
    assert found == {
        "line.wording_next": ["a and b in one", "both", "c in 2000 ms"],
        "line.wording_add": ["a and b in one", "both", "a and b in one", "c in 2000 ms"],
        "line.split": ["a", "and b in one", "c in 2000 ms"],
    }
