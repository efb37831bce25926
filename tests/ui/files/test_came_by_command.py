"""A project with steps that a command made in it and left unsaved: what is asked on opening, and what is told then."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from desks import small_script
from PySide6.QtWidgets import QLabel, QListWidget, QPushButton

from adstudio.core.document import Document
from adstudio.core.script import SALIENCE_UNIT, Script
from adstudio.core.steps import Agent, ChangeKind, Insert, Several, StepOrigin
from adstudio.drafting.landing import land_weights
from adstudio.editing.machine_steps import as_command
from adstudio.editing.pins import pin_out, set_accepted
from adstudio.editing.scenes import set_reviewed
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import plan_film
from adstudio.store.project import ProjectFile
from adstudio.ui.panels.plan_changes import PlanChangesPanel
from adstudio.ui.panels.problems import ProblemsPanel

# In the first gap, of ten seconds, the worthier of `a` and `b` is spoken in six seconds, the other in four.
TURNED = {"a": 0.1, "b": 0.9}


def fail(error: Exception) -> None:
    raise error


def weighs(document: Document) -> None:
    """What the command does that weighs."""
    lines = tuple(
        replace(line, salience=round(TURNED[line.id] * SALIENCE_UNIT)) if line.id in TURNED else line
        for line in document.script.eventualities
    )
    assert land_weights(document, document.script.with_changes(eventualities=lines), "house") == 2


def planned(document: Document) -> None:
    script = document.script
    document.keep_plan(document.revision, plan_film(script, gaps_of(script).gaps))


def made(path: Path, saved: Callable[[Document], None], *unsaved: Callable[[Document], None]) -> Path:
    """A project in which something was saved, and more was done since."""
    ProjectFile.create(path, small_script()).close()
    with closing(ProjectFile.open(path)) as project:
        document = project.document(on_failure=fail)
        saved(document)
        planned(document)
        project.save()
        for each in unsaved:
            each(document)
    return path


def accepts(document: Document) -> None:
    script = document.script
    step = set_accepted(script, ["b"], on=True, plan=plan_film(script, gaps_of(script).gaps))
    assert step is not None
    document.apply(step)


def reviews(document: Document) -> None:
    accepts(document)
    script = document.script
    step = set_reviewed(script, ["s1"], on=True, plan=plan_film(script, gaps_of(script).gaps))
    assert step is not None
    document.apply(step)


def leaves_out(document: Document) -> None:
    step = pin_out(document.script, ["c"])
    assert step is not None
    document.apply(step)


def scene_comes() -> Several:
    line = replace(small_script().eventualities[-1], id="new")
    return Several("", (Insert(line),), StepOrigin(Agent.EDITOR, ChangeKind.SCENE_DRAFT, "house"))


@pytest.fixture
def panel(context, qtbot) -> PlanChangesPanel:
    panel = PlanChangesPanel(context)
    qtbot.addWidget(panel)
    return panel


def head(panel: PlanChangesPanel) -> str:
    return panel.findChild(QLabel).text()


def button(panel: PlanChangesPanel) -> QPushButton:
    return panel.findChild(QPushButton)


def spoken(script: Script, plan, line: str) -> tuple[str, int]:
    delivery = plan.by_element[line]
    return script.eventuality(line).variants[delivery.variant].text, delivery.start


def test_the_question_says_what_came_and_nothing_of_a_crash(context, files, folder, asked):
    path = made(folder / "h.adproj", accepts, weighs)
    asked.answers = [None]
    assert not files.open_path(path)
    (question,) = asked.asked
    assert question.startswith(
        "By a command, new salience for 2 lines by house added to h.adproj. This is not saved yet."
    )
    assert "not closed" not in question
    asked.answers = [1]
    assert files.open_path(path)
    assert context.session.script.eventuality("a").salience == 900_000
    assert not context.session.edits.document.changed


def test_opened_with_it_the_accepted_line_is_told_and_one_button_keeps_it(context, files, folder, asked, panel, said):
    path = made(folder / "h.adproj", accepts, weighs)
    asked.answers = [0]
    assert files.open_path(path)
    session = context.session
    assert session.edits.document.changed
    assert spoken(session.script, session.plan, "b")[0] == "b in 6000 ms"
    assert any("1 accepted line is no longer spoken as before" in each for each in said)
    assert head(panel) == "New salience for 2 lines by house: 2 reworded"
    rows = [panel.findChild(QListWidget).item(row).text() for row in range(panel.count)]
    assert len(rows) == 2
    assert any("b in 6000 ms" in row for row in rows)
    assert not button(panel).isHidden()
    assert button(panel).text() == "Keep 1 accepted line as before"
    button(panel).click()
    assert spoken(session.script, session.plan, "b") == ("b in 4000 ms", 6_000)
    assert session.undo()
    assert session.undo()
    assert not session.edits.document.changed, "the step of the command can be undone"


def test_it_is_a_problem_until_somebody_has_seen_to_it(context, files, folder, asked, qtbot):
    problems = ProblemsPanel(context)
    qtbot.addWidget(problems)
    path = made(folder / "h.adproj", accepts, weighs)
    asked.answers = [0]
    assert files.open_path(path)
    view, session = problems.findChild(QListWidget), context.session
    said = "▨ “b in 4000 ms”, accepted at 00:00:06:00, is now spoken as “b in 6000 ms”."
    assert view.item(0).text() == said
    context.actions.refresh()
    context.actions["plan.next_problem"].trigger()
    assert session.cursor.selection.current == "b"
    assert session.undo()
    qtbot.waitUntil(lambda: view.item(0).text() == "Nothing needs your attention.")
    assert session.redo()
    qtbot.waitUntil(lambda: view.item(0).text() == said)
    assert session.save()
    files.close()
    assert files.open_path(path)
    assert view.item(0).text() == said, "saving and closing hide nothing"
    session.edits.attempt(lambda script: pin_out(script, ["b"]))
    qtbot.waitUntil(lambda: view.item(0).text() == "Nothing needs your attention.")
    assert session.script.eventuality("b").accepted, "left out, as somebody wants it"


def test_lines_of_a_reviewed_scene_are_kept_by_it_too(context, files, folder, asked, panel):
    path = made(folder / "h.adproj", reviews, weighs)
    asked.answers = [0]
    assert files.open_path(path)
    assert button(panel).text() == "Keep 2 lines you had accepted, as before"
    button(panel).click()
    session = context.session
    assert spoken(session.script, session.plan, "a") == ("a in 6000 ms", 0)
    assert spoken(session.script, session.plan, "b") == ("b in 4000 ms", 6_000)


def test_a_better_plan_of_the_opened_state_does_not_take_the_offer_away(context, files, folder, asked, panel):
    path = made(folder / "h.adproj", accepts, weighs)
    asked.answers = [0]
    assert files.open_path(path)
    session = context.session
    deliveries = tuple(
        replace(each, start=each.start + 300, end=each.end + 300) if each.element == "c" else each
        for each in session.plan.deliveries
    )
    session.current_plan.accept_outcome(
        replace(session.current_plan.outcome, plan=replace(session.plan, deliveries=deliveries))
    )
    assert panel.count == 3
    assert button(panel).text() == "Keep 1 accepted line as before"


def test_behind_a_persons_unsaved_work_it_is_a_crash_and_what_came_last_is_told(context, files, folder, asked, panel):
    path = made(folder / "h.adproj", accepts, leaves_out, weighs)
    asked.answers = [0]
    assert files.open_path(path)
    (question,) = asked.asked
    assert question.startswith("h.adproj wasn’t closed properly.")
    assert "The most recent are new salience for 2 lines by house." in question
    assert head(panel) == "New salience for 2 lines by house: 2 reworded", "that c went out was a person's own step"


def test_a_persons_work_after_it_is_a_crash(context, files, folder, asked, panel):
    path = made(folder / "h.adproj", accepts, weighs, leaves_out)
    asked.answers = [0]
    assert files.open_path(path)
    assert "wasn’t closed properly" in asked.asked[0]
    assert head(panel) == "No action has changed the plan yet."
    assert button(panel).isHidden()


@pytest.mark.parametrize(
    ("step", "question"),
    [
        (as_command(scene_comes()), "By a command, 1 scene drafted by house added to"),
        (scene_comes(), "1 scene drafted by house added to"),
    ],
)
def test_scenes_that_came_are_named(files, folder, asked, step: Several, question: str):
    path = made(folder / "h.adproj", accepts, lambda document: document.apply(step))
    asked.answers = [None]
    assert not files.open_path(path)
    assert asked.asked[0].startswith(question)


def test_something_undone_is_no_commands_work(files, folder, asked):
    path = made(folder / "h.adproj", accepts, weighs, lambda document: document.undo(), weighs, Document.undo)
    with closing(ProjectFile.open(path, read_only=True)) as project:
        assert project.unsaved_steps == ()
