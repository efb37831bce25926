"""Scenes that a model drafted come into the script: a step each, never into a line in hand, never over human work."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from desks import desk_on
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from model_work import BY, done, drafted_line, film_script
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from adstudio.core.script import Origin, Script
from adstudio.core.timebase import Span
from adstudio.drafting.model.events import SceneDraft
from adstudio.drafting.run_state import Hold, LeftOut
from adstudio.editing import lines, pins, scenes, wordings
from adstudio.editing.change import EditRefused
from adstudio.editing.redraft import drafted_scene_id, is_human_work
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.ui.drafts.insertion_queue import InsertionQueue
from adstudio.ui.session.selection import Kind, Selection

FIRST = Span(0, 16_000)
SECOND = Span(16_000, 30_000)


@pytest.fixture
def desk(qapp, tmp_path):
    with desk_on(tmp_path, film_script()) as made:
        yield made


@pytest.fixture
def window(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def arrivals(desk, window) -> InsertionQueue:
    return InsertionQueue(desk.session, window)


@pytest.fixture
def heard(arrivals) -> list[tuple[str, LeftOut | None]]:
    found: list[tuple[str, LeftOut | None]] = []
    arrivals.arrived.connect(lambda scene, why: found.append((scene, why)))
    return found


def texts(script: Script, scene: str) -> list[str]:
    return [each.variants[0].text for each in script.eventualities if each.scene == scene]


def fresh(scene: str = "s1") -> SceneDraft:
    start = FIRST.start if scene == "s1" else SECOND.start
    return done(scene, drafted_line("x", start + 1_000, scene), drafted_line("y", start + 3_000, scene))


def test_a_scene_is_one_step_that_is_undone_as_one(desk, arrivals, heard, qtbot):
    session = desk.session
    before, plan = session.script, session.plan
    session.edits.attempt(lambda script: wordings.rewrite(script, "b", 0, "Mine."))
    mine = session.script
    arrivals.add(fresh(), FIRST, "qwen")
    assert arrivals.waiting == ("s1",)
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == [("s1", None)]
    assert texts(session.script, "s1") == ["x in 1500 ms", "y in 1500 ms", "Mine."]
    assert texts(session.script, "s2") == texts(before, "s2")
    new = session.script.eventualities[0]
    assert (new.provenance, new.confidence, new.origin) == (BY, 550, Origin.MACHINE)
    assert session.edits.document.past[-1].label == "Scene “Inside” drafted by qwen"
    # The plan is of the new lines at once.
    assert {each.element for each in session.plan.deliveries} <= {each.id for each in session.script.eventualities}
    assert new.id in session.plan.by_element
    session.undo()
    assert session.script == mine
    session.undo()
    assert session.script == before
    assert session.plan.deliveries == plan.deliveries
    session.redo()
    session.redo()
    assert texts(session.script, "s1") == ["x in 1500 ms", "y in 1500 ms", "Mine."]


def test_lines_of_no_scene_that_happen_in_it_go_or_are_its_own(qapp, tmp_path, window, qtbot):
    """A draft that was made before the film had scenes: what nobody worked on is not said a second time."""
    script = film_script()
    homeless = replace(script, eventualities=tuple(replace(each, scene=None) for each in script.eventualities))
    with desk_on(tmp_path, homeless) as desk:
        session = desk.session
        session.edits.attempt(lambda now: wordings.rewrite(now, "b", 0, "Mine."))
        arrivals = InsertionQueue(session, window)
        arrivals.add(fresh(), FIRST, "qwen")
        qtbot.waitUntil(lambda: not arrivals.waiting and len(session.edits.document.past) == 2)
        assert texts(session.script, "s1") == ["x in 1500 ms", "y in 1500 ms", "Mine."]
        left = [each.id for each in session.script.eventualities if each.scene is None]
        assert left == ["d", "e"]
        session.undo()
        assert all(each.scene is None for each in session.script.eventualities)


@pytest.mark.parametrize("way", ["redo", "edit", "let in"])
def test_what_can_be_redone_is_not_wiped_by_a_scene(desk, arrivals, heard, qtbot, way):
    session = desk.session
    for text in ("One.", "Two.", "Three."):
        session.edits.attempt(lambda script, to=text: wordings.rewrite(script, "d", 0, to))
    for _ in range(3):
        session.undo()
    held: list[dict[str, str]] = []
    arrivals.held.connect(held.append)
    arrivals.add(fresh(), FIRST, "qwen")
    qtbot.waitUntil(lambda: held == [{"s1": Hold.REDO}])
    QTest.qWait(300)
    assert len(session.edits.document.future) == 3
    assert not heard
    if way == "redo":
        for _ in range(2):
            session.redo()
        QTest.qWait(300)
        assert not heard
        session.redo()
    elif way == "edit":
        session.edits.attempt(lambda script: wordings.rewrite(script, "e", 0, "Mine."))
    else:
        arrivals.let_in()
    qtbot.waitUntil(lambda: bool(heard))
    assert texts(session.script, "s1") == ["x in 1500 ms", "y in 1500 ms"]
    assert held[-1] == {}
    assert drafted_scene_id(session.edits.document.past[-1]) == "s1"
    assert {drafted_scene_id(step) for step in session.edits.document.past[:-1]} <= {None}


def test_what_was_let_in_once_waits_the_next_time(desk, arrivals, heard, qtbot):
    session = desk.session
    session.edits.attempt(lambda script: wordings.rewrite(script, "d", 0, "One."))
    session.undo()
    arrivals.add(fresh("s1"), FIRST, "qwen")
    arrivals.let_in()
    qtbot.waitUntil(lambda: len(heard) == 1)
    session.undo()
    arrivals.add(done("s1", drafted_line("z", 2_000)), FIRST, "qwen")
    QTest.qWait(400)
    assert arrivals.waiting == ("s1",)
    assert session.redo()


def test_several_come_one_after_the_other(desk, arrivals, heard, qtbot):
    arrivals.add(fresh("s1"), FIRST, "qwen")
    arrivals.add(fresh("s2"), SECOND, "qwen")
    arrivals.add(done("s1", drafted_line("z", 2_000)), FIRST, "qwen")  # the newer one counts
    qtbot.waitUntil(lambda: len(heard) == 2)
    assert [each[0] for each in heard] == ["s2", "s1"]
    assert texts(desk.session.script, "s1") == ["z in 1500 ms"]
    assert len(desk.session.edits.document.past) == 2


def test_a_text_of_the_scene_that_has_the_keys_holds_it(desk, arrivals, heard, window, qtbot):
    field, elsewhere = QPlainTextEdit(window), QLineEdit(window)
    window.show()
    QTest.qWait(10)
    field.setFocus()
    desk.session.cursor.select_line("a")
    held: list[dict[str, str]] = []
    arrivals.held.connect(held.append)
    arrivals.add(fresh("s1"), FIRST, "qwen")
    arrivals.add(fresh("s2"), SECOND, "qwen")
    qtbot.waitUntil(lambda: bool(heard))
    assert [each[0] for each in heard] == ["s2"]
    qtbot.waitUntil(lambda: held == [{"s1": Hold.EDITING}])
    QTest.qWait(400)
    assert arrivals.waiting == ("s1",)
    elsewhere.setFocus()  # another text, but the line is still in hand
    QTest.qWait(300)
    assert arrivals.waiting == ("s1",)
    desk.session.cursor.select_line(desk.session.script.eventualities[-1].id)
    qtbot.waitUntil(lambda: len(heard) == 2)
    assert held[-1] == {}
    assert texts(desk.session.script, "s1") == ["x in 1500 ms", "y in 1500 ms"]


def test_a_text_that_is_read_only_holds_nothing(desk, arrivals, heard, window, qtbot):
    field = QPlainTextEdit(window)
    field.setReadOnly(True)
    window.show()
    field.setFocus()
    desk.session.cursor.select_line("a")
    arrivals.add(fresh(), FIRST, "qwen")
    qtbot.waitUntil(lambda: bool(heard))


def test_nothing_comes_in_while_something_is_dragged(desk, arrivals, heard, window, qtbot, monkeypatch):
    pressed = [Qt.MouseButton.LeftButton]
    monkeypatch.setattr("adstudio.ui.drafts.insertion_queue.QGuiApplication.mouseButtons", lambda: pressed[0])
    arrivals.add(fresh(), FIRST, "qwen")
    QTest.qWait(300)
    assert not heard
    pressed[0] = Qt.MouseButton.NoButton
    qtbot.waitUntil(lambda: bool(heard))


def test_nothing_comes_in_while_keys_follow_each_other(desk, arrivals, heard, qtbot):
    arrivals.add(fresh(), FIRST, "qwen")
    for number in range(12):
        desk.session.edits.attempt(
            lambda script, at=number: lines.nudge_salience(script, ["d"], 10_000 * (at % 2 * 2 - 1))
        )
        QTest.qWait(30)
        assert not heard
    qtbot.waitUntil(lambda: bool(heard))


def test_where_the_line_in_hand_goes_its_successor_is_in_hand(desk, arrivals, heard, qtbot):
    desk.session.cursor.select_line("b")  # it happens from 4 s
    arrivals.add(fresh(), FIRST, "qwen")  # at 1 s and 3 s
    qtbot.waitUntil(lambda: bool(heard))
    assert desk.session.cursor.line is not None
    assert desk.session.cursor.line.variants[0].text == "y in 1500 ms"
    desk.session.cursor.select_line("d")
    arrivals.add(done("s1", drafted_line("z", 2_000)), FIRST, "qwen")
    qtbot.waitUntil(lambda: len(heard) == 2)
    assert desk.session.cursor.selection == Selection(Kind.LINE, ("d",))


def test_a_scene_that_is_another_one_now_stays_as_it_is(desk, arrivals, heard, qtbot):
    session = desk.session
    session.edits.attempt(lambda script: scenes.split_scene(script, session.edits.ids, 8_000))
    before = session.script
    arrivals.add(fresh("s1"), FIRST, "qwen")
    arrivals.add(done("s9", drafted_line("z", 2_000)), FIRST, "qwen")
    qtbot.waitUntil(lambda: len(heard) == 2)
    assert heard == [("s1", LeftOut.RECUT), ("s9", LeftOut.SCENE_GONE)]
    assert session.script == before


def test_what_comes_out_as_it_was_is_no_step(desk, arrivals, heard, qtbot):
    session = desk.session
    arrivals.add(fresh(), FIRST, "qwen")
    qtbot.waitUntil(lambda: len(heard) == 1)
    arrivals.add(fresh(), FIRST, "qwen")
    qtbot.waitUntil(lambda: len(heard) == 2)
    assert heard[1] == ("s1", None)
    assert texts(session.script, "s1") == ["x in 1500 ms", "y in 1500 ms"]
    assert len(session.edits.document.past) == 1


def test_another_project_hears_nothing_of_it(desk, arrivals, heard):
    arrivals.add(fresh(), FIRST, "qwen")
    desk.session.close_project()
    assert arrivals.waiting == ()
    QTest.qWait(300)
    assert not heard


def go_through(session, arrivals) -> None:
    """All that is under way, as the event loop would."""
    arrivals._bring_in()
    session.idle.settle()
    while not session.idle.is_idle:
        session.idle.stop()
        session.idle.settle()


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.integers(0, 2**32))
def test_whatever_is_edited_while_drafts_come_human_lines_never_change(tmp_path_factory, qapp, seed):
    """Random edits and drafts, in any order: a draft leaves every line that somebody worked on as it was."""
    rng = random.Random(seed)
    with desk_on(tmp_path_factory.mktemp("p"), film_script()) as desk:
        session, window = desk.session, QWidget()
        arrivals = InsertionQueue(session, window)
        number = 0
        for _ in range(14):
            names = [each.id for each in session.script.eventualities]
            name = rng.choice(names) if names else ""
            edit = rng.randrange(8)
            number += 1
            try:
                if edit == 0 and name:
                    session.edits.attempt(lambda s, n=name, k=number: wordings.rewrite(s, n, 0, f"By hand {k}."))
                elif edit == 1 and name:
                    session.edits.attempt(lambda s, n=name: pins.pin_in(s, [n]))
                elif edit == 2 and name:
                    session.edits.attempt(lambda s, n=name: pins.set_accepted(s, [n], on=True))
                elif edit == 3 and name:
                    session.edits.attempt(lambda s, n=name: lines.delete_lines(s, [n]))
                elif edit == 4:
                    session.undo()
                elif edit == 5:
                    session.redo()
                else:
                    scene = rng.choice(["s1", "s2"])
                    span = FIRST if scene == "s1" else SECOND
                    count = rng.randrange(1, 5)
                    starts = sorted(rng.sample(range(span.start, span.end - 1_000, 500), count))
                    drafts = [drafted_line(f"n{number}-{at}", at, scene) for at in starts]
                    arrivals.add(done(scene, *drafts), span, "qwen")
                    go_through(session, arrivals)
                    before = session.script
                    arrivals._go_on()
                    # What is edited between two turns of it comes first.
                    for _ in range(rng.randrange(4)):
                        arrivals._bring_in()
                    after = session.script
                    kept = [each for each in before.eventualities if is_human_work(before, each)]
                    assert [each for each in after.eventualities if each in kept] == kept
                    assert [e for e in after.eventualities if e.scene != scene] == [
                        e for e in before.eventualities if e.scene != scene
                    ] or scene in arrivals.waiting
                cold = FilmPlanner(session.script, session.gaps).outcome.plan
                assert session.plan.objective == cold.objective
            except EditRefused:
                continue
        ids = [each.id for each in session.script.eventualities]
        assert len(ids) == len(set(ids))
        assert {each.element for each in session.plan.deliveries} <= set(ids)
        arrivals.clear()
        window.deleteLater()
