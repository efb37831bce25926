"""A scene drafted again: asked, run by a worker that the test scripts, laid over the script as it is then, told."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, line, small_script
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar

from adstudio.characters.cast_sources import FoundPerson
from adstudio.core.cast import CharacterSource, Person, Portrait
from adstudio.core.film import Film
from adstudio.core.progress import Progress, Stage
from adstudio.core.provenance import Provenance, ScreenplayLine
from adstudio.core.script import Cue, Eventuality, Origin, Scene, Script
from adstudio.core.steps import Insert
from adstudio.core.timebase import Span
from adstudio.drafting.events import PROTOCOL, DraftEvent, Failed, ModelFinished
from adstudio.drafting.model.events import SceneDraft, SceneState
from adstudio.drafting.request import DraftRequest
from adstudio.editing.scenes import merge_scene, split_scene
from adstudio.editing.wordings import rewrite
from adstudio.store.media import source_file
from adstudio.ui.drafts.redraft_banner import CUT_ANEW, STOPPED, UNKNOWN_TEXT, RedraftBanner
from adstudio.ui.session.selection import Kind, Selection

WORKER = """
import json, pathlib, sys, time
first, last, gate = json.loads(sys.stdin.readline())
print(first, end="", flush=True)
while not pathlib.Path(gate).exists():
    time.sleep(0.02)
print(*last, sep="", end="", flush=True)
"""


class Scripted:
    """The worker: says that it is compressing, waits until it is let go, and gives its answer."""

    def __init__(self, gate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = gate
        self.answer: Sequence[DraftEvent] = ()
        self.requests: list[DraftRequest] = []
        self._event_line = PROTOCOL.event_line
        monkeypatch.setattr(PROTOCOL, "command", lambda: [sys.executable, "-I", "-c", WORKER])
        monkeypatch.setattr(PROTOCOL, "request_line", self._line)

    def _line(self, request: DraftRequest) -> bytes:
        self.requests.append(request)
        first, *last = (self._event_line(each).decode() for each in (Progress(Stage.COMPRESSING, 0.5), *self.answer))
        return json.dumps([first, last, str(self.gate)]).encode() + b"\n"

    def go_on(self) -> None:
        self.gate.touch()


def drafted(*lines: Eventuality) -> list[DraftEvent]:
    return [SceneDraft("s1", SceneState.DONE, lines), ModelFinished({SceneState.DONE: 1})]


@pytest.fixture
def screenplay(tmp_path: Path) -> Path:
    path = tmp_path / "small.fountain"
    path.write_text("INT. HALL - DAY\n\nAnna waits.\n", "utf-8")
    return path


@pytest.fixture
def desk(qapp, tmp_path: Path, screenplay: Path):
    script = small_script()
    with desk_on(
        tmp_path, replace(script, film=replace(script.film, screenplay=source_file(screenplay, tmp_path / "p.adproj")))
    ) as made:
        yield made


@pytest.fixture
def banner(desk, qtbot):
    made = RedraftBanner(desk)
    qtbot.addWidget(made)
    return made


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    made = Scripted(tmp_path / "go on", monkeypatch)
    made.answer = drafted(line("n1", 1_000, 2_000, 0.6, 2_000), line("n2", 5_000, 6_000, 0.4, 2_000))
    return made


@pytest.fixture
def said(desk) -> list[str]:
    heard: list[str] = []
    desk.session.messages.said.connect(heard.append)
    return heard


def run(desk, banner, worker, qtbot, *, meanwhile: Callable[[], object] = lambda: None) -> None:
    desk.session.cursor.select(Selection(Kind.SCENE, ("s1",)))
    desk.actions.refresh()
    desk.actions["scene.redraft"].trigger()
    qtbot.waitUntil(lambda: "shortening" in banner.sentence)
    meanwhile()
    worker.go_on()
    qtbot.waitUntil(lambda: not banner._drafter.busy)


def texts(script: Script, scene: str = "s1") -> list[str]:
    return [each.variants[0].text for each in script.eventualities if each.scene == scene]


def in_scene(script: Script) -> Script:
    """The small script's first three lines belong to its first scene."""
    return replace(
        script, eventualities=tuple(replace(e, scene="s1" if e.id in "abc" else "s2") for e in script.eventualities)
    )


@pytest.fixture
def with_lines(desk):
    from adstudio.core.steps import Replace

    session = desk.session
    for old, new in zip(session.script.eventualities, in_scene(session.script).eventualities, strict=True):
        session.edits.do(Replace(old, new))
    return len(session.edits.document.past)


def test_it_is_one_step_that_keeps_what_is_human(desk, banner, worker, qtbot, said, with_lines):
    session = desk.session
    session.edits.attempt(lambda script: rewrite(script, "b", 0, "My own words."))
    run(desk, banner, worker, qtbot)
    assert texts(session.script) == ["n1 in 2000 ms", "My own words.", "n2 in 2000 ms"]
    assert banner.sentence == "Scene “Inside”: 2 lines drafted again, 1 of yours kept."
    assert said[-1] == banner.sentence
    assert len(session.edits.document.past) == with_lines + 2
    assert texts(session.script, "s2") == ["d in 4000 ms", "e in 3000 ms"]
    session.undo()
    assert texts(session.script) == ["a in 6000 ms", "My own words.", "c in 3000 ms"]
    # What was told goes with the next step.
    assert banner.isHidden()
    assert len(worker.requests) == 1


def test_work_that_is_done_meanwhile_is_kept(desk, banner, worker, qtbot, with_lines):
    session = desk.session

    def type_on() -> None:
        session.edits.attempt(lambda script: rewrite(script, "c", 0, "Typed meanwhile."))

    run(desk, banner, worker, qtbot, meanwhile=type_on)
    assert texts(session.script) == ["n1 in 2000 ms", "n2 in 2000 ms", "Typed meanwhile."]
    assert session.script.eventuality("c").origin is Origin.HUMAN
    assert "1 of yours kept" in banner.sentence


def test_what_is_being_typed_is_taken_first(desk, banner, worker, qtbot, with_lines):
    session = desk.session
    session.flush_asked.connect(lambda: session.edits.attempt(lambda script: rewrite(script, "a", 0, "Half a wor")))
    run(desk, banner, worker, qtbot)
    assert "Half a wor" in texts(session.script)


def test_a_scene_that_is_gone_or_cut_anew_is_left_alone(desk, banner, worker, qtbot, with_lines):
    session = desk.session
    before = texts(session.script)
    session.edits.do(None)
    run(
        desk,
        banner,
        worker,
        qtbot,
        meanwhile=lambda: session.edits.attempt(lambda script: split_scene(script, session.edits.ids, 8_000)),
    )
    assert banner.sentence == CUT_ANEW
    assert set(texts(session.script)) <= set(before)
    worker.gate.unlink()
    gone = session.script.scenes[-1].id
    session.cursor.select(Selection(Kind.SCENE, (gone,)))
    banner.redraft()
    qtbot.waitUntil(lambda: "shortening" in banner.sentence)
    session.edits.attempt(lambda script: merge_scene(script, script.scenes[-2].id))
    worker.go_on()
    qtbot.waitUntil(lambda: not banner._drafter.busy)
    assert banner.sentence == "That scene is no longer in the film."


def test_stopping_leaves_the_scene_as_it_was(desk, banner, worker, qtbot, with_lines):
    banner.show()
    before = desk.session.script
    desk.session.cursor.select(Selection(Kind.SCENE, ("s1",)))
    banner.redraft()
    qtbot.waitUntil(lambda: "shortening" in banner.sentence)
    assert banner.sentence == "Drafting scene “Inside” again: shortening"
    bar = banner.findChild(QProgressBar)
    assert (bar.value(), bar.maximum()) == (500, 1000)
    assert [job.title for job in desk.jobs.running] == ["Drafting scene “Inside” again"]
    assert desk.jobs.running[0].stages[0].stage is Stage.ALIGNING
    banner.redraft()
    assert len(worker.requests) == 1
    qtbot.mouseClick(banner.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not desk.jobs.running)
    assert banner.sentence == STOPPED
    assert desk.session.script is before
    banner.close_button.click()
    assert banner.isHidden()


def test_the_same_lines_change_nothing(desk, banner, worker, qtbot, with_lines):
    lines = tuple(each for each in desk.session.script.eventualities if each.scene == "s1")
    worker.answer = drafted(*lines)
    steps = len(desk.session.edits.document.past)
    run(desk, banner, worker, qtbot)
    assert banner.sentence == "Scene “Inside” comes out as it was: nothing has changed."
    assert len(desk.session.edits.document.past) == steps


def test_a_screenplay_that_has_moved_is_asked_for_and_remembered(
    desk, banner, worker, qtbot, monkeypatch, screenplay, tmp_path, with_lines
):
    moved = tmp_path / "elsewhere.fountain"
    screenplay.rename(moved)
    banner.redraft()
    assert banner.sentence == f"small.fountain is not in {tmp_path} any more: choose the screenplay again."
    assert not banner.screenplay.isHidden()
    assert banner.stop.isHidden()
    monkeypatch.setattr("adstudio.ui.drafts.redraft_banner.ask_open", lambda *_: None)
    banner.screenplay.click()
    assert not worker.requests
    monkeypatch.setattr("adstudio.ui.drafts.redraft_banner.ask_open", lambda *_: moved)
    banner.screenplay.click()
    asked = worker.requests[0]
    assert (asked.sources.screenplay, asked.sources.description) == (moved, None)
    assert asked.script is not None
    assert (asked.script.cues, asked.scenes) == (desk.session.script.cues, ("s1",))
    worker.go_on()
    qtbot.waitUntil(lambda: not banner._drafter.busy)
    assert desk.session.script.film.screenplay.path == str(moved)
    assert [source.path for source in desk.session.script.sources] == [str(moved), str(screenplay)]
    desk.session.undo()
    assert desk.session.script.film.screenplay.path == str(screenplay)
    assert texts(desk.session.script) == ["a in 6000 ms", "b in 6000 ms", "c in 3000 ms"]


def test_whom_another_screenplay_lets_speak_joins_the_cast_in_the_same_step(
    desk, banner, worker, qtbot, monkeypatch, screenplay, tmp_path, with_lines
):
    ida = FoundPerson("Ida", CharacterSource.SCREENPLAY, 2)
    worker.answer = [replace(each, people=(ida,)) if isinstance(each, SceneDraft) else each for each in worker.answer]
    anna = Person("p", "Anna", described_as="the cook", portraits=(Portrait(b"\x89PNG"),))
    desk.session.edits.do(Insert(anna))
    other = tmp_path / "other.fountain"
    for text in (screenplay.read_text("utf-8"), "INT. HALL - DAY\n\nIda waits.\n"):
        other.write_text(text, "utf-8")
        monkeypatch.setattr("adstudio.ui.drafts.redraft_banner.ask_open", lambda *_: other)
        desk.session.cursor.select(Selection(Kind.SCENE, ("s1",)))
        banner.ask()
        banner.screenplay.click()
        worker.go_on()
        qtbot.waitUntil(lambda: not banner._drafter.busy)
        # The same text under another name tells nobody anew.
        found = [person.name for person in desk.session.script.people]
        assert found == (["Anna"] if "Anna waits" in text else ["Anna", "Ida"])
        desk.session.undo()
        assert desk.session.script.people == (anna,)
    asked = worker.requests[-1].script
    assert asked is not None
    assert asked.people == (replace(anna, portraits=()),), "names go by the cast, which is sent without its pictures"


def test_a_film_whose_text_is_not_known(desk, banner, worker, qtbot, monkeypatch, tmp_path, with_lines):
    from adstudio.core.steps import SetFilm

    film = desk.session.script.film
    desk.session.edits.do(SetFilm(film, replace(film, screenplay=None)))
    banner.redraft()
    assert banner.sentence == UNKNOWN_TEXT
    prose = tmp_path / "prose.txt"
    prose.write_text("A door opens.")
    monkeypatch.setattr("adstudio.ui.drafts.redraft_banner.ask_open", lambda *_: prose)
    banner.description.click()
    assert worker.requests[0].sources.description == prose
    worker.go_on()
    qtbot.waitUntil(lambda: not banner._drafter.busy)
    # A description is not a screenplay.
    assert desk.session.script.film.screenplay is None
    assert [source.path for source in desk.session.script.sources] == [str(prose)]
    assert "2 lines drafted again" in banner.sentence


def test_what_fails_is_told_and_another_file_can_be_chosen(desk, banner, worker, qtbot, said, with_lines):
    worker.answer = [Failed("small.fountain holds no screenplay: choose another file")]
    before = desk.session.script
    run(desk, banner, worker, qtbot)
    assert banner.sentence == "small.fountain holds no screenplay: choose another file."
    assert not banner.screenplay.isHidden()
    assert desk.session.script is before


def test_another_project_forgets_it(desk, banner, worker, qtbot, with_lines):
    desk.session.cursor.select(Selection(Kind.SCENE, ("s1",)))
    banner.redraft()
    qtbot.waitUntil(lambda: "shortening" in banner.sentence)
    desk.session.close_project()
    assert banner.isHidden()
    qtbot.waitUntil(lambda: not desk.jobs.running)
    assert banner.isHidden()


SPOKEN = (
    Cue("c1", 4_000, 7_000, "Who left the window open all night long?"),
    Cue("c2", 13_000, 16_000, "It was closed when I went to bed."),
)
FOUNTAIN = """INT. HALL - NIGHT

Anna opens the heavy door and steps into the dark hall.

ANNA
Who left the window open all night long?

She shuts the window.

TOM
It was closed when I went to bed.
"""


def test_the_real_process(qapp, qtbot, tmp_path, monkeypatch):
    pytest.importorskip("spacy")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text = tmp_path / "hall.fountain"
    text.write_text(FOUNTAIN, "utf-8")
    script = Script(
        Film("Hall", 24_000, screenplay=source_file(text, text)),
        scenes=(Scene("s1", Span(0, 24_000), "Hall"),),
        cues=SPOKEN,
    )
    with desk_on(tmp_path, script) as desk:
        banner = RedraftBanner(desk)
        qtbot.addWidget(banner)
        banner.redraft()
        qtbot.waitUntil(lambda: not banner._drafter.busy)
        assert "drafted again." in banner.sentence
        assert texts(desk.session.script)[0].startswith("Anna opens the heavy door")
        sources = {each.provenance for each in desk.session.script.eventualities}
        assert sources == {Provenance(ScreenplayLine(3)), Provenance(ScreenplayLine(8))}
