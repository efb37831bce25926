"""How early or late lines are, and which are far from their action: in table, inspector, timeline and plan status."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import desk_on, line
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.core.settings import Near, Settings
from adstudio.core.steps import SetSettings
from adstudio.core.timebase import Span
from adstudio.editing.occurrences import set_occurrence
from adstudio.editing.pins import pin_start, unpin_start
from adstudio.ui.inspector.panel import Inspector
from adstudio.ui.panels.plan_status import PlanStatus
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind
from adstudio.ui.table.line_facts import Filter
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.table.row_order import Column
from adstudio.ui.timeline.item_descriptions import sentence
from adstudio.ui.timeline.items import Item
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.paint_lines import signs
from adstudio.ui.timeline.timeline import Timeline
from adstudio.ui.widgets.glyphs import Glyph

SPOKEN = Qt.ItemDataRole.AccessibleTextRole


def script() -> Script:
    """Five lines of 1 s that happen at 10, 20, … s for 1 s, each free to be spoken up to 8 s early or late."""
    lines = tuple(line(name, 10_000 * n, 10_000 * n + 1_000, 0.5, 1_000) for n, name in enumerate("abcde", 1))
    return Script(Film("Film", 80_000), Settings(delta_max=8_000), eventualities=lines)


@pytest.fixture
def desk(tmp_path: Path, qapp):
    """The lines are 0.5 s late, 1.5 s early, 4.0 s late, 4.5 s early and 6.0 s late: the last two are far."""
    with desk_on(tmp_path, script()) as desk:
        for name, start in (("a", 10_500), ("b", 18_500), ("c", 34_000), ("d", 35_500), ("e", 56_000)):
            desk.session.edits.attempt(lambda script, name=name, start=start: pin_start(script, name, start))
        assert len(desk.session.plan.deliveries) == 5
        yield desk


@pytest.fixture
def table(desk: Context, qtbot) -> ScriptTable:
    table = ScriptTable(desk)
    qtbot.addWidget(table)
    table.show()
    return table


def cell(table: ScriptTable, identity: str, role: int = Qt.ItemDataRole.DisplayRole) -> object:
    return table.model.index(table.model.row_of(identity), Column.DRIFT).data(role)


def test_the_table_says_how_early_or_late_each_line_is(table: ScriptTable):
    said = {name: cell(table, name) for name in "abcde"}
    assert said == {"a": "0.5 s late", "b": "1.5 s early", "c": "4.0 s late", "d": "4.5 s early", "e": "6.0 s late"}
    table.model.read_column = Column.DRIFT  # where the keys are: of the others a screen reader asks the text alone
    assert cell(table, "c", SPOKEN) == "4.0 s late"
    assert cell(table, "e", SPOKEN) == "6.0 s late, far from its action"
    assert [table.model.line(name).far for name in "abcde"] == [False, False, False, True, True]


def test_near_limits_say_what_is_far(desk: Context, table: ScriptTable):
    session = desk.session
    near = Settings(delta_max=8_000, near=Near(2_000, 400, 800_000))
    session.edits.do(SetSettings(session.script.settings, near))
    # a is 0.5 s late, beyond 0.4; b 1.5 s early, within 2.0.
    assert [table.model.line(name).far for name in "abcde"] == [True, False, True, True, True]
    assert table.model.counts[Filter.FAR] == 4


def test_a_line_that_comes_near_again_passes_the_filter_no_more(desk: Context, table: ScriptTable):
    assert table.model.counts[Filter.FAR] == 2
    desk.session.edits.attempt(lambda script: set_occurrence(script, "e", Span(56_000, 57_000)))
    assert table.model.counts[Filter.FAR] == 1
    assert cell(table, "e") == "on time"


def test_the_farthest_are_listed_first_and_gone_to_by_a_key(desk: Context, table: ScriptTable):
    asked: list[int] = []
    desk.session.cursor.seek_asked.connect(asked.append)
    desk.actions["plan.farthest"].trigger()
    assert table.model.ids == ["e", "d"]
    assert table.head.order.currentText() == "Farthest first"
    assert desk.session.cursor.selection.ids == ("e",)
    assert asked == [56_000]
    table.show_all()
    assert table.model.ids == ["e", "d", "c", "b", "a"]


def test_where_nothing_is_far_every_spoken_line_is_listed(desk: Context, table: ScriptTable):
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    for name in "de":
        desk.session.edits.attempt(lambda script, name=name: unpin_start(script, (name,)))
    desk.actions["plan.farthest"].trigger()
    assert table.model.ids == ["c", "b", "a", "d", "e"]
    assert said[-1] == "No line is far from its action."


def test_the_inspector_says_it_in_words_and_with_an_arrow(desk: Context, qtbot):
    inspector = Inspector(desk)
    qtbot.addWidget(inspector)
    inspector.show()
    found = {}
    for name in "ade":
        desk.session.cursor.select_line(name)
        found[name] = inspector.line.drift.text()
    assert found == {
        "a": "0.5 s late",
        "d": "← 4.5 s early, far from its action",
        "e": "→ 6.0 s late, far from its action",
    }
    assert inspector.line.drift.accessibleDescription() == "6.0 s late, far from its action"


def test_the_timeline_marks_it_by_shape_and_in_words(desk: Context, qtbot):
    timeline = Timeline(desk)
    qtbot.addWidget(timeline)
    timeline.resize(1200, 500)
    timeline.show()
    rows, sheet = timeline.rows, timeline.canvas
    found = {name: sentence(rows, Item(Kind.LINE, name, Lane.NARRATION)) for name in "bde"}
    assert "1.5 s early, action" in found["b"]
    assert "4.5 s early, far from its action" in found["d"]
    assert "6.0 s late, far from its action" in found["e"]
    marks = {name: signs(rows, rows.script.eventuality(name)) for name in "bde"}
    assert not {Glyph.EARLY, Glyph.LATE} & set(marks["b"])
    assert Glyph.EARLY in marks["d"]
    assert Glyph.LATE in marks["e"]
    sheet.grab()


def test_the_status_tells_how_many_are_near(desk: Context, qtbot):
    panel = PlanStatus(desk)
    qtbot.addWidget(panel)
    panel.show()
    panel.resize(panel.sizeHint())
    figures = panel.findChildren(QLabel)[2]
    # Of 0.5, 1.5, 4.0, 4.5 and 6.0 s one is within 1 s, two within 2 and three within 4.
    assert figures.text().endswith("near action: 20 % within 1 s, 40 % within 2 s, 60 % within 4 s")
    panel.resize(figures.fontMetrics().horizontalAdvance(figures.text()), panel.height())
    assert figures.text().endswith("· near action: 40 % within 2 s")
    assert "20 % within 1 s" in figures.accessibleDescription()


def test_without_lines_nothing_is_said_of_near(tmp_path: Path, qapp, qtbot):
    with desk_on(tmp_path, Script(Film("Film", 80_000))) as desk:
        panel = PlanStatus(desk)
        qtbot.addWidget(panel)
        assert "within" not in panel.findChildren(QLabel)[2].text()
