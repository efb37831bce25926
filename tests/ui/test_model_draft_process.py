"""The process that drafts by a model, as the editor hears it: half lines, garbage, floods, sudden deaths."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from model_work import ALLOWED, HOUSE, Scripted, done, drafted_line, ends, film_script, says
from PySide6.QtCore import QObject

from adstudio.core.progress import Progress, Stage
from adstudio.drafting.events import PROTOCOL, Failed, ModelFinished
from adstudio.drafting.model.events import Found, Moved, SceneDraft, SceneState, Spent, Telling
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.request import DraftRequest, ModelDraft
from adstudio.llm.messages import Usage
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.drafts.draft_process import CRASHED, GARBLED, TICK_MS, DraftProcess

S1, S2 = film_script().scenes
USAGE = Usage(900, 300, 50, 0, 0)


def text_of(event) -> str:
    return PROTOCOL.event_line(event).decode("latin-1").strip()


class Heard(QObject):
    def __init__(self, drafter: DraftProcess) -> None:
        super().__init__()
        self.moved: list[frozenset[str]] = []
        self.drafts: list[SceneDraft] = []
        self.ends: list[object] = []
        drafter.moved.connect(self.moved.append)
        drafter.drafted.connect(self.drafts.append)
        drafter.ended.connect(self.ends.append)


@pytest.fixture
def jobs(qapp):
    made = Jobs()
    yield made
    made.shut_down()
    made.deleteLater()


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    return Scripted(tmp_path, monkeypatch)


@pytest.fixture
def drafter(jobs) -> DraftProcess:
    return DraftProcess(jobs, jobs)


@pytest.fixture
def heard(drafter) -> Heard:
    return Heard(drafter)


def start(drafter: DraftProcess, *scenes) -> None:
    model = ModelDraft(HOUSE.connection(ALLOWED), "House", ModelOptions())
    ids = tuple(scene.id for scene in scenes or (S1, S2))
    drafter.start("Drafting", DraftRequest(script=film_script(), scenes=ids, model=model))


def test_a_run_from_beginning_to_end(drafter, heard, worker, qtbot):
    first, second = done("s1", drafted_line("x", 1_000)), done("s2", state=SceneState.FAILED, why="it was lost")
    worker.course = [
        *says(Progress(Stage.DETECTING_CUTS, 0.5), Moved("s1", SceneState.WAITING), Moved("s2", SceneState.WAITING)),
        *says(Moved("s1", SceneState.DESCRIBING), Telling("s1", 1, "…"), Telling("s1", 0, "She w")),
        *says(Telling("s1", 0, "She waits.")),
        *says(Found("s1", 0, "e01", "She waits.", 0, 1), Found("s1", 0, "e01", "She waits.", 0, 1), Spent(USAGE, 1)),
        worker.gate(),
        *ends(first), *ends(second), *says(ModelFinished({SceneState.DONE: 1, SceneState.FAILED: 1}, "", 4, USAGE)),
    ]  # fmt: skip
    start(drafter)
    qtbot.waitUntil(lambda: drafter.state.description("s1") == "She waits.\n\n…")
    course = drafter.state
    assert course.scenes["s1"].state is SceneState.DESCRIBING
    assert (course.scenes["s1"].found, course.scenes["s1"].newest) == (1, "She waits.")
    assert course.usage == USAGE
    worker.go_on()
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.drafts == [first, second]
    assert heard.ends == [ModelFinished({SceneState.DONE: 1, SceneState.FAILED: 1}, "", 4, USAGE)]
    assert not drafter.busy
    assert course.description("s1") == "What is seen in s1."
    assert [course.scenes[each].state for each in ("s1", "s2")] == [SceneState.DONE, SceneState.FAILED]
    assert course.unhappy == ("s2",)


def test_deltas_come_at_a_pace_that_can_be_seen(drafter, heard, worker, qtbot):
    """Nine hundred pieces arrive; nobody is told more often than once in a tick, and the newest is what counts."""
    pieces = [Telling(scene, 0, "word " * n) for n in range(1, 451) for scene in ("s1", "s2")]
    worker.course = [*says(*pieces), *says(ModelFinished({}, "", 0, USAGE))]
    start(drafter)
    began = os.times().elapsed
    qtbot.waitUntil(lambda: bool(heard.ends))
    ticks = (os.times().elapsed - began) * 1000 / TICK_MS
    assert len(heard.moved) <= ticks + 2
    assert drafter.state.description("s1") == "word " * 450


def test_garbage_and_half_lines_are_passed_over(drafter, heard, worker, qtbot):
    draft = done("s1", drafted_line("x", 1_000))
    whole = text_of(draft)
    worker.course = [
        ["say", 'some library says hello\n\n\xff\xfe\n[1, 2]\n{"type": "Moved"}\n{"type":"Telling","scene"}\n'],
        ["say", whole[:40]], ["say", whole[40:] + "\n"],
        ["say", text_of(done("s9", drafted_line("y", 1_000))) + "\n"],
        ["say", '{"type":"ModelFinished","states":{"done":1},"halted":"","asked":1,"tot'],
    ]  # fmt: skip
    start(drafter, S1)
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.drafts == [draft]  # a scene that was not asked for is not heard of
    assert heard.ends == [Failed(CRASHED)]  # its last line never ended
    assert drafter.state.scenes["s1"].state is SceneState.DONE


def test_it_dies_in_the_middle(drafter, heard, worker, qtbot):
    worker.course = [*says(Moved("s1", SceneState.DESCRIBING), Telling("s1", 0, "She")), *ends(done("s2")), ["exit", 3]]
    start(drafter)
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends == [Failed(CRASHED)]
    assert drafter.state.scenes["s1"].state is SceneState.FAILED
    assert drafter.state.scenes["s1"].why == CRASHED.rstrip(".")
    assert drafter.state.scenes["s2"].state is SceneState.DONE
    assert drafter.state.description("s1") == "She"


@pytest.mark.parametrize("noise", ["noise\n", '{"unknown": 1}\n'])
def test_endless_output_is_stopped(drafter, heard, worker, qtbot, noise):
    worker.course = [["flood", noise]]
    start(drafter)
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends == [Failed(GARBLED)]
    assert not drafter.busy


def test_a_sentence_why_it_could_not_begin(drafter, heard, worker, qtbot):
    worker.course = [*says(Failed("there is no key for Gemini")), ["exit", 3]]
    start(drafter)
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends == [Failed("there is no key for Gemini")]
    assert {each.why for each in drafter.state.scenes.values()} == {"there is no key for Gemini"}


def test_stopping_closes_its_input_and_waits_for_it(drafter, heard, worker, jobs, qtbot):
    ended = [done(each, state=SceneState.STOPPED) for each in ("s1", "s2")]
    worker.course = [
        *says(Moved("s1", SceneState.SHOWING)), ["until let go", ""], *ends(ended[0]), *ends(ended[1]),
        *says(ModelFinished({SceneState.STOPPED: 2}, "", 1, USAGE)), ["exit", 130],
    ]  # fmt: skip
    start(drafter)
    qtbot.waitUntil(lambda: drafter.state.scenes["s1"].state is SceneState.SHOWING)
    jobs.running[0]._process.terminate = lambda: None  # as where a signal does not come through
    drafter.stop()
    assert drafter.stopping
    assert drafter.busy
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends == [ModelFinished({SceneState.STOPPED: 2}, "", 1, USAGE)]
    assert not drafter.busy


def test_stopped_before_anything_was_said(drafter, heard, worker, qtbot):
    worker.course = [["until let go", ""], worker.gate()]
    start(drafter)
    drafter.stop()
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends == [None]
    assert {each.state for each in drafter.state.scenes.values()} == {SceneState.STOPPED}


def test_forgotten_it_is_not_heard_any_more_and_goes(drafter, heard, worker, jobs, qtbot):
    worker.course = [*says(Moved("s1", SceneState.SHOWING)), worker.gate(), *ends(done("s1"))]
    start(drafter)
    qtbot.waitUntil(lambda: drafter.state.scenes["s1"].state is SceneState.SHOWING)
    drafter.forget()
    assert not drafter.busy
    qtbot.waitUntil(lambda: not jobs.running)
    assert (heard.ends, heard.drafts) == ([], [])


def test_with_the_window_every_process_ends(drafter, worker, jobs, qtbot):
    worker.course = [*says(Moved("s1", SceneState.SHOWING)), worker.gate()]
    start(drafter)
    qtbot.waitUntil(lambda: drafter.state.scenes["s1"].state is SceneState.SHOWING)
    child = jobs.running[0]._process.processId()
    jobs.shut_down()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
