"""From the press of a button to planned lines: the editor, its real process, and a server that answers by a script."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from adstudio.connections.saved_connections import SavedConnection, write_connections
from adstudio.core.film import Film, Media
from adstudio.core.policy import Policy
from adstudio.core.provenance import provenance_text
from adstudio.core.script import Cue, Origin, Scene, Script
from adstudio.core.timebase import Span
from adstudio.drafting.model.events import SceneState
from adstudio.drafting.model.request_store import default_place
from adstudio.llm.policy_enforcement import host_of
from adstudio.store.media import fingerprint
from adstudio.store.project import ProjectFile
from adstudio.ui.app.window import Window

HERE = Path(__file__).parent
FAKES = Path(__file__).parents[1] / "fakes"
EDITOR = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from adstudio.core.policy import Policy
from adstudio.core.script import Film, Scene, Script
from adstudio.core.timebase import Span
from adstudio.connections.model_access import Connection
from adstudio.drafting.events import PROTOCOL
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.request import DraftRequest, ModelDraft
from adstudio.ui.drafts.draft_process import DraftProcess
from adstudio.ui.background.jobs import Jobs
application = QCoreApplication([])
child = "import sys, pathlib; pathlib.Path(sys.argv[1]).touch(); sys.stdin.read(); pathlib.Path(sys.argv[2]).touch()"
PROTOCOL.command = lambda: [sys.executable, "-c", child, *sys.argv[1:]]
jobs = Jobs()
drafter = DraftProcess(jobs, jobs)
scene = Scene("s1", Span(0, 1000))
script = Script(Film("F", 1000), scenes=(scene,))
model = ModelDraft(Connection("vllm", "m"), "house", ModelOptions())
drafter.start("Drafting", DraftRequest(script=script, scenes=("s1",), model=model))
application.exec()
"""


@contextlib.contextmanager
def served(pause: str) -> Iterator[str]:
    """The address of a server that answers by a script, with a pause (s) before each piece of an answer."""
    command = [sys.executable, str(FAKES / "scripted_server.py"), "--pause", pause]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[1].removesuffix("/v1") + "/v1"
        finally:
            process.terminate()


def film(path: Path) -> Path:
    sys.path.insert(0, str(FAKES))
    try:
        from model_films import small_film
    finally:
        sys.path.remove(str(FAKES))
    return small_film(path, 24)


@pytest.fixture
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    with served(getattr(request, "param", "0")) as found:
        yield found


@pytest.fixture
def window(qapp, tmp_path, monkeypatch, address) -> Iterator[Window]:
    for kind in ("CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    write_connections([SavedConnection("Here", "vllm", "Qwen3.5-27B-scripted", address)])
    video = film(tmp_path / "film.mp4")
    media = Media(str(video), video.name, video.stat().st_size, fingerprint(video), 24_000, Fraction(1))
    scenes = tuple(Scene(f"s{n}", Span(6_000 * (n - 1), 6_000 * n), f"Room {n}") for n in range(1, 5))
    cues = (Cue("c1", 1_000, 3_000, "Where is the train?", "ANNA"),)
    script = Script(Film("Film", 24_000, media=media), scenes=scenes, cues=cues)
    made = Window()
    made.resize(1600, 1000)
    made.show()
    policy = Policy("on premises", (host_of(address),))
    made.session.open_project(ProjectFile.create(tmp_path / "small.adproj", script, policy=policy))
    made.editor.timeline.films._soon.stop()
    made.actions_["plan.by_model"].trigger()
    QTest.qWait(50)
    yield made
    made.session.edits.document.mark_saved()
    made.close()
    made.deleteLater()


def test_a_film_is_drafted_while_one_works(window: Window, qtbot):
    session, page = window.session, window.editor.drafts.page
    assert page.start_button.text() == "Draft 4 scenes"
    page.start_button.click()
    qtbot.waitUntil(lambda: not window.editor.drafts.drafts.busy)
    qtbot.waitUntil(lambda: not window.editor.drafts.drafts.insertions.waiting)
    course = window.editor.drafts.drafts.run
    assert {each.state for each in course.scenes.values()} <= {SceneState.DONE, SceneState.PARTIAL}
    assert course.usage.tokens_in > 0
    lines = session.script.eventualities
    assert {line.scene for line in lines} == {"s1", "s2", "s3", "s4"}
    assert all(line.provenance.by_model and line.origin is Origin.MACHINE for line in lines)
    assert all(len(line.variants) > 1 for line in lines)
    assert session.plan.deliveries
    assert {each.element for each in session.plan.deliveries} <= {line.id for line in lines}
    assert len(session.edits.document.past) == 4
    for _ in range(4):
        session.undo()
    assert session.script.eventualities == ()
    # Asked for again, every answer is there already: the server is not needed.
    asked = course.usage
    page.renew()
    page.start_button.click()
    # What was undone could still be redone, so they wait until that is given up.
    qtbot.waitUntil(lambda: len(page.drafts.held) == 4)
    page.in_button.click()
    qtbot.waitUntil(lambda: len(session.edits.document.past) == 4)
    assert [line.variants for line in session.script.eventualities] == [line.variants for line in lines]
    qtbot.waitUntil(lambda: not window.editor.drafts.drafts.busy)
    assert window.editor.drafts.drafts.run.usage in (asked, type(asked)())


@pytest.mark.parametrize("address", ["0.03"], indirect=True)
def test_stopped_in_the_middle_and_retried_every_scene_is_drafted_wherever_it_is_told(window: Window, qtbot):
    """What had come of the answers that were broken off is used, and their lines are a model's like all others."""
    session, page = window.session, window.editor.drafts.page
    page.start_button.click()

    def kept() -> bool:
        place = default_place()
        if not place.exists():
            return False
        with contextlib.closing(sqlite3.connect(place, timeout=10)) as jobs:
            try:
                query = "SELECT 1 FROM job WHERE state = 'running' AND stage LIKE 'candidates%' AND length(text) > 0"
                return jobs.execute(query).fetchone() is not None
            except sqlite3.OperationalError:  # it is just being made
                return False

    qtbot.waitUntil(kept)
    page.stop_button.click()
    qtbot.waitUntil(lambda: not page.drafts.busy)
    assert page.retry_button.isVisible()
    page.retry_button.click()
    qtbot.waitUntil(lambda: not page.drafts.busy and not page.drafts.insertions.waiting)
    lines = session.script.eventualities
    assert any("then vllm Qwen3.5-27B-scripted, candidates" in provenance_text(line.provenance) for line in lines), (
        "gone on with"
    )
    assert all(line.provenance.by_model for line in lines)
    qtbot.waitUntil(lambda: page.which.itemText(0) == "0 not drafted")
    assert not page.retry_button.isVisible()
    assert page.bar.value() == page.bar.maximum()


def test_an_editor_that_is_killed_leaves_no_process(tmp_path):
    there, gone = tmp_path / "there", tmp_path / "gone"
    environment = dict(os.environ, TMPDIR=str(tmp_path), QT_QPA_PLATFORM="offscreen")
    with subprocess.Popen([sys.executable, "-c", EDITOR, str(there), str(gone)], env=environment) as editor:
        deadline = time.monotonic() + 30
        while not there.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        editor.send_signal(signal.SIGKILL)
    while not gone.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert gone.exists()
