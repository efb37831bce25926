"""Where lengths come from, as it is shown; what a plan is proven for; accepted lines that last otherwise now."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import desk_on
from PySide6.QtWidgets import QLabel, QListView, QListWidget, QPushButton, QTableView

from adstudio.core.narration import LengthSource, VoiceSettings
from adstudio.core.steps import SetVoice
from adstudio.editing.pins import set_accepted
from adstudio.editing.wordings import set_duration
from adstudio.planning.film.spoken_lengths import length_departures, spoken_lengths
from adstudio.speech.length_model import FEATURES, LengthModel
from adstudio.speech.voice_lengths import VoiceLengths, manner_of
from adstudio.ui.panels.plan_status import PlanStatus
from adstudio.ui.panels.problems import ProblemsPanel
from adstudio.ui.session.context import Context
from adstudio.ui.table.cell_content import shown
from adstudio.ui.table.cell_content import spoken as spoken_cell
from adstudio.ui.table.line_facts import lines_of
from adstudio.ui.table.model import ScriptModel
from adstudio.ui.table.row_order import Column


@pytest.fixture
def desk(qapp, tmp_path: Path):
    with desk_on(tmp_path) as made:
        yield made


def texts(view: QListView) -> list[str]:
    model = view.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def voiced(desk: Context, lengths: dict[str, int]) -> None:
    """The project has a voice that was measured to take so long for its wordings, by their texts."""
    session = desk.session
    session.edits.do(SetVoice(session.script.voice, VoiceSettings("espeak-ng", "en-gb")))
    session.refresh_lengths(
        VoiceLengths().with_measured(manner_of(session.script.narrator), "1.51", lengths),
    )


def without_own_lengths(desk: Context) -> None:
    """No wording has a length that somebody set: at 200 words a minute, its four words take 1.2 s."""
    for line in desk.session.script.eventualities:
        for number in range(len(line.variants)):
            desk.session.edits.attempt(lambda script, i=line.id, n=number: set_duration(script, i, n, None))


def test_the_plan_is_proven_only_where_every_length_is_measured(desk: Context, qtbot):
    status = PlanStatus(desk)
    qtbot.addWidget(status)
    proof = status.findChildren(QLabel)[1]
    without_own_lengths(desk)
    qtbot.waitUntil(lambda: "Proven optimal" in proof.accessibleName())
    texts = [variant.text for line in desk.session.script.eventualities for variant in line.variants]
    spoken = len(desk.session.plan.deliveries)
    voiced(desk, {})
    qtbot.waitUntil(lambda: f"Optimal for predicted lengths, {spoken} lines not measured yet" in proof.accessibleName())
    assert "✓" not in proof.text()
    voiced(desk, dict.fromkeys(texts, 1_200))
    qtbot.waitUntil(lambda: "Proven optimal" in proof.accessibleName())
    desk.session.edits.attempt(lambda script: set_accepted(script, ["c"], on=True, plan=desk.session.plan))
    voiced(desk, dict.fromkeys(texts, 1_900))
    said = "Optimal for accepted lengths, 1 accepted line measured differently"
    qtbot.waitUntil(lambda: said in proof.accessibleName())


def test_an_accepted_line_that_takes_longer_is_a_problem_with_one_way_out(desk: Context, qtbot):
    without_own_lengths(desk)
    texts_of = {variant.text: 1_200 for line in desk.session.script.eventualities for variant in line.variants}
    voiced(desk, texts_of)
    session = desk.session
    session.edits.attempt(lambda script: set_accepted(script, ["c"], on=True, plan=session.plan))
    panel = ProblemsPanel(desk)
    qtbot.addWidget(panel)
    view = panel.findChild(QListWidget)
    assert not desk.actions["plan.take_measured"].isEnabled()
    voiced(desk, {**texts_of, "c in 3000 ms": 1_900})
    qtbot.waitUntil(lambda: texts(view) == ["▨ “c in 3000 ms” was accepted at 1.2 s, but the voice takes 1.9 s."])
    assert session.plan.by_element["c"].end - session.plan.by_element["c"].start == 1_200
    desk.actions.refresh()
    desk.actions["plan.take_measured"].trigger()
    assert session.plan.by_element["c"].end - session.plan.by_element["c"].start == 1_900
    qtbot.waitUntil(lambda: texts(view) == ["Nothing needs your attention."])
    session.undo()
    qtbot.waitUntil(lambda: len(texts(view)) == 1 and "1.9 s" in texts(view)[0])
    button = next(each for each in panel.findChildren(QPushButton) if "measured" in each.text())
    button.click()
    assert session.plan.by_element["c"].end - session.plan.by_element["c"].start == 1_900


def test_an_accepted_length_that_was_only_predicted_is_not_said_to_be_measured(desk: Context, qtbot):
    without_own_lengths(desk)
    session = desk.session
    voiced(desk, {})
    session.edits.attempt(lambda script: set_accepted(script, ["c"], on=True, plan=session.plan))
    manner = manner_of(session.script.narrator)
    model = LengthModel((1_500.0, *(0.0 for _ in FEATURES[1:])))
    session.refresh_lengths(VoiceLengths().with_model(manner, model))
    assert session.script.planned_length(session.script.eventuality("c"), 0) == (1_200, LengthSource.ACCEPTED)
    found = spoken_lengths(session.script, session.plan)
    assert (found.unmeasured, found.otherwise) == (len(session.plan.deliveries), 0)


def test_measured_lengths_are_used_however_little_they_differ_and_that_is_no_problem(desk: Context, qtbot):
    without_own_lengths(desk)
    session = desk.session
    lengths = {variant.text: 1_200 for line in session.script.eventualities for variant in line.variants}
    voiced(desk, lengths)
    session.edits.attempt(lambda script: set_accepted(script, ["c"], on=True, plan=session.plan))
    panel = ProblemsPanel(desk)
    qtbot.addWidget(panel)
    voiced(desk, {**lengths, "c in 3000 ms": 1_250})
    assert length_departures(session.script) == ()
    assert spoken_lengths(session.script, session.plan).otherwise == 1
    desk.actions.refresh()
    desk.actions["plan.take_measured"].trigger()
    assert spoken_lengths(session.script, session.plan).measured
    desk.actions.refresh()
    assert not desk.actions["plan.take_measured"].isEnabled()


def test_a_predicted_length_is_marked_where_it_is_shown(desk: Context, qtbot):
    without_own_lengths(desk)
    session = desk.session
    assert shown(lines_of(session).of("c"), Column.SECONDS) == "1.2 s"
    assert spoken_cell(lines_of(session).of("c"), Column.SECONDS) == "1.2 s"
    voiced(desk, {"a in 6000 ms": 1_300})
    row = lines_of(session).of("c")
    assert (shown(row, Column.SECONDS), spoken_cell(row, Column.SECONDS)) == ("≈ 1.2 s", "1.2 s, by the speaking rate")
    row = lines_of(session).of("a")
    assert (shown(row, Column.SECONDS), spoken_cell(row, Column.SECONDS)) == ("1.3 s", "1.3 s, measured")


def test_rows_are_renewed_where_only_the_source_of_a_length_has_changed(desk: Context, qtbot):
    without_own_lengths(desk)
    model = ScriptModel(desk.session)
    desk.session.current_plan.changed.connect(lambda event: model.follow(event.respoken))
    qtbot.addWidget(table := QTableView())
    table.setModel(model)
    column = int(Column.SECONDS)
    row = model.ids.index("c")
    assert model.index(row, column).data() == "1.2 s"
    session = desk.session
    session.edits.do(SetVoice(session.script.voice, VoiceSettings("espeak-ng", "en-gb")))
    assert model.index(row, column).data() == "≈ 1.2 s"
    voiced(desk, {"c in 3000 ms": 1_200})
    qtbot.waitUntil(lambda: model.index(row, column).data() == "1.2 s")
