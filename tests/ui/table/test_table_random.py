"""After any run of edits, undos, filters and orders the table shows exactly what a new table would."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from desks import desk_on, line
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from adstudio.core.film import Film
from adstudio.core.script import Cue, Script
from adstudio.core.steps import Step
from adstudio.editing import lines, pins, regions, wordings
from adstudio.ui.inspector.panel import Inspector
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.table.line_facts import Filter, lines_of
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.table.row_order import SORT_KEYS, Column

COUNT = 40


def script() -> Script:
    cues = tuple(Cue(f"c{n}", n * 6000 + 4500, n * 6000 + 5500, "Well.") for n in range(COUNT // 2))
    events = tuple(
        line(f"e{n}", n * 3000, n * 3000 + 1500, 0.1 + (n * 37 % 80) / 100, 2600, 1500) for n in range(COUNT)
    )
    return Script(Film("Film", COUNT * 3000 + 1000), cues=cues, eventualities=events)


def act(desk: Context, table: ScriptTable, dice: random.Random) -> None:
    session = desk.session
    ids = [each.id for each in session.script.eventualities]
    one, some = dice.choice(ids), tuple(dice.sample(ids, 3))
    at = dice.randrange(session.script.film.end)
    edits = {
        "in": lambda s: pins.pin_in(s, (one,)),
        "out": lambda s: pins.pin_out(s, some),
        "free": lambda s: pins.unpin(s, some),
        "start": lambda s: pins.pin_start(s, one, at),
        "accept": lambda s: pins.set_accepted(s, (one,), on=True),
        "salience": lambda s: lines.set_salience(s, (one,), dice.randrange(1_000_000)),
        "text": lambda s: wordings.rewrite(s, one, 0, dice.choice(["She goes.", "He comes in from the rain.", "No."])),
        "note": lambda s: pins.set_note(s, one, dice.choice(["", "look", "ask"])),
        "move": lambda s: lines.move_later(s, one),
        "new": lambda s: lines.new_line(s, session.edits.ids, at, "A door."),
        "delete": lambda s: lines.delete_lines(s, (one,)) if len(ids) > COUNT // 2 else None,
        "silence": lambda s: regions.draw_silence(s, session.edits.ids, at, at + 1500),
    }
    others = ["undo", "undo", "redo", "filter", "find", "sort", "select", "select several", "row"]
    what = dice.choice([*edits, *others])
    if what in edits and dice.randrange(3):
        session.edits.attempt(edits[what])
    elif what in edits:
        come_of_itself(desk, edits[what](session.script))
    elif what == "row":
        if table.model.ids:
            table.view.selectRow(dice.randrange(len(table.model.ids)))
    elif what == "undo":
        session.undo()
    elif what == "redo":
        session.redo()
    elif what == "filter":
        table.head.filters.chips[dice.choice(list(Filter))].click()
    elif what == "find":
        table.head.find_box.setText(dice.choice(["", "", "e1", "door", "look"]))
    elif what == "sort":
        table._sort(dice.choice([-1, *Column]), dice.choice(list(Qt.SortOrder)))
    elif what == "select":
        session.cursor.select(Selection(Kind.LINE, (one,)))
    else:
        session.cursor.select(Selection(Kind.LINE, some))


def come_of_itself(desk: Context, step: Step | None) -> None:
    """As a scene that a model has drafted does: planned ahead, and told when it has been painted."""
    if step is not None:
        while desk.session.current_plan.ahead is not step:
            desk.session.current_plan.look_ahead(step)
        desk.session.edits.do(step)


def check(desk: Context, table: ScriptTable) -> None:
    session, model = desk.session, table.model
    session.current_plan.catch_up()
    fresh = lines_of(session)
    finder = model.wanted.search.finder()
    wanted = []
    for event in session.script.eventualities:
        said = [*(variant.text for variant in event.variants), event.note]
        found = not model.wanted.search.text or any(map(finder.contains, said))
        passes = model.wanted.chip in fresh.filters(event) and found
        if passes or (event.id in model.selected and event.id in model.ids):
            wanted.append(event.id)
    if model.sorted_by is not None:
        key = SORT_KEYS[model.sorted_by]
        wanted.sort(key=lambda each: key(fresh.of(each)), reverse=model._descending)
    assert model.ids == wanted
    for row, identity in enumerate(model.ids):
        assert model.row_of(identity) == row
        assert model.line(identity) == fresh.of(identity)
    for each in Filter:
        assert model.counts[each] == sum(1 for e in session.script.eventualities if each in fresh.filters(e))
    rows = {model.ids[index.row()] for index in table.view.selectionModel().selectedRows()}
    assert rows == set(session.cursor.selection.lines()) & set(model.ids)


@pytest.mark.parametrize("seed", range(3))
def test_the_table_shows_what_a_new_one_would(qtbot, tmp_path: Path, qapp, seed: int):
    dice = random.Random(seed)
    with desk_on(tmp_path, script()) as desk:
        table, inspector = ScriptTable(desk), Inspector(desk)
        for widget in (table, inspector):
            qtbot.addWidget(widget)
            widget.show()
        for _ in range(80):
            act(desk, table, dice)
            if dice.random() < 0.5:
                QApplication.processEvents()
            check(desk, table)
