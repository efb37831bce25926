"""The undo list: what was done and undone, by name; it says no more than what changed."""

from __future__ import annotations

import pytest
from desks import desk_on

from adstudio.editing.lines import set_salience
from adstudio.editing.pins import pin_in, pin_out
from adstudio.ui.panels import undo_history
from adstudio.ui.panels.undo_history import HistoryPanel
from adstudio.ui.session.context import Context


@pytest.fixture
def desk(qtbot, tmp_path):
    with desk_on(tmp_path) as made:
        yield made


def rows(panel: HistoryPanel) -> list[str]:
    model = panel._steps
    return [str(model.data(model.index(row))).strip() for row in range(model.rowCount())]


def hold(desk: Context, make, *names: str) -> None:
    assert desk.session.edits.attempt(lambda script: make(script, names))


def test_the_list_follows_doing_undoing_and_doing_something_else(desk, qtbot):
    panel = HistoryPanel(desk)
    qtbot.addWidget(panel)
    assert rows(panel) == ["▸ Opened"]
    hold(desk, pin_in, "a")
    hold(desk, pin_out, "b")
    first, second = (label.removeprefix("▸ ") for label in rows(panel)[1:])
    assert rows(panel) == ["Opened", first, f"▸ {second}"]
    desk.session.undo()
    assert rows(panel) == ["Opened", f"▸ {first}", second]
    hold(desk, pin_out, "c")
    third = rows(panel)[2].removeprefix("▸ ")
    assert third not in (first, second)
    assert rows(panel) == ["Opened", first, f"▸ {third}"]
    panel.go_to(0)
    assert rows(panel) == ["▸ Opened", first, third]
    panel.go_to(2)
    assert rows(panel) == ["Opened", first, f"▸ {third}"]


def test_another_project_has_another_list(desk, qtbot, tmp_path):
    panel = HistoryPanel(desk)
    qtbot.addWidget(panel)
    hold(desk, pin_in, "a")
    desk.session.close_project()
    assert rows(panel) == ["▸ Opened"]


def test_only_what_is_new_is_given_a_name(desk, qtbot, monkeypatch):
    panel = HistoryPanel(desk)
    qtbot.addWidget(panel)
    named = []
    real = undo_history.label_of
    monkeypatch.setattr(undo_history, "label_of", lambda step, script: named.append(step) or real(step, script))
    for salience in range(100_000, 600_000, 100_000):
        assert desk.session.edits.attempt(lambda script, to=salience: set_salience(script, ("a",), to))
    assert len(named) == 5
    while desk.session.undo():
        pass
    assert len(named) == 5
