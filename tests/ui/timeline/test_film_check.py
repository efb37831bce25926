"""The editor finds out in the background whether its video is the film that may be shared, and says if it is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from manual_jobs import ManualJobs
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMainWindow
from timeline_scripts import small_script

from adstudio.core.film import Media
from adstudio.core.policy import OFFLINE, Host, Lapse, Policy
from adstudio.media import cache
from adstudio.media.messages import PROTOCOL, FilmHashed, FilmProgress, HashFilm
from adstudio.store.film_contents import hash_film, known_content
from adstudio.store.media import fingerprint
from adstudio.store.project import ProjectFile
from adstudio.system.worker import Failed
from adstudio.ui.actions.actions import Actions
from adstudio.ui.ai_settings.messages import changes_shown
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.session.context import Context, Theme
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.session import Session
from adstudio.ui.timeline.film_check import FilmCheck

HOUSE = Policy("on premises", (Host("gpu.house", 8000),))
CLOSED_TO_IT = "Nothing of the film is shared: the video is not the one for which"
pytestmark = pytest.mark.attack(2)


class Films(QObject):
    """A loader of films that is finished when the test says so."""

    finished = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.source: tuple[Path, cache.Source] | None = None


@pytest.fixture
def window(qtbot):
    found = QMainWindow()
    qtbot.addWidget(found)
    return found


@pytest.fixture
def jobs(window: QMainWindow) -> ManualJobs:
    return ManualJobs(window, PROTOCOL)


def desk_with(window: QMainWindow, jobs: Jobs) -> Context:
    preferences = Preferences(window)
    return Context(Session(window), Actions(window), preferences, Theme(preferences), jobs)


@pytest.fixture
def desk(window: QMainWindow, jobs: ManualJobs):
    found = desk_with(window, jobs)
    yield found
    found.session.close_project()
    found.session.idle.stop()


@pytest.fixture
def films(window: QMainWindow) -> Films:
    return Films(window)


@pytest.fixture
def check(desk: Context, films: Films) -> FilmCheck:
    return FilmCheck(desk, films)  # type: ignore[arg-type] - it has all of a loader that is asked for


@pytest.fixture
def said(desk: Context) -> list[str]:
    found: list[str] = []
    desk.session.messages.said.connect(found.append)
    return found


@pytest.fixture
def film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind in ("CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    video = tmp_path / "film.mp4"
    video.write_bytes(b"film" * (2 << 20))
    return video


def swap(video: Path) -> None:
    """Another film of the same size and samples in its place."""
    before = fingerprint(video)
    path = video.with_name("other.mp4")
    data = bytearray(video.read_bytes())
    data[2 << 20 : (2 << 20) + 5] = b"other"
    path.write_bytes(data)
    path.replace(video)
    assert fingerprint(video) == before


def open_film(desk: Context, films: Films, video: Path, policy: Policy = HOUSE) -> ProjectFile:
    media = Media(str(video), video.name, video.stat().st_size, fingerprint(video), 60_000)
    script = small_script()
    path = video.with_suffix(".adproj")
    if not path.exists():
        ProjectFile.create(path, replace(script, film=replace(script.film, media=media)), policy=policy).close()
    desk.session.close_project()
    project = ProjectFile.open(path)
    desk.session.open_project(project)
    films.source = video, cache.source_of(video, media.fingerprint)
    films.finished.emit()
    return project


def answer(jobs: ManualJobs, video: Path) -> None:
    """As the process does."""
    hash_film(video)
    jobs.all[-1].say(FilmHashed())
    jobs.all[-1].end(0, "")


def test_the_film_is_read_in_the_background_and_the_permission_bound_to_it(desk, jobs, films, check, film, said):
    project = open_film(desk, films, film)
    (job,) = jobs.all
    assert (job.request, project.policy.content) == (HashFilm(film), "")
    job.say(FilmProgress(0.25))
    assert job.reported == [0.25]
    answer(jobs, film)
    assert (project.policy, project.policy.content) == (HOUSE, known_content(film))
    assert [change.policy for change in changes_shown(project.policies)] == [HOUSE], "a person did one thing"
    films.finished.emit()
    open_film(desk, films, film)
    assert (len(jobs.all), said) == (1, []), "an unchanged film is read once"


def test_a_film_that_turns_out_to_be_another_is_said_and_may_be_allowed(desk, jobs, films, check, film, said):
    open_film(desk, films, film)
    answer(jobs, film)
    swap(film)
    changes: list[None] = []
    desk.session.storage.models_changed.connect(lambda: changes.append(None))
    project = open_film(desk, films, film)
    assert (len(jobs.all), project.policy.lapse, said) == (2, None, [])
    answer(jobs, film)
    assert project.policy.lapse is Lapse.CHANGED_FILM
    assert [sentence.startswith(CLOSED_TO_IT) for sentence in said] == [True]
    assert changes, "whoever shows the permission shows that it does not apply"
    project = open_film(desk, films, film)
    assert (len(jobs.all), len(said)) == (2, 2), "said again whenever it is opened, without reading it again"
    assert desk.session.storage.set_policy(HOUSE)
    assert (project.policy.lapse, project.policy.content) == (None, known_content(film))
    assert len(changes_shown(project.policies)) == 2
    assert (len(jobs.all), len(said)) == (2, 2)


def test_only_a_film_that_may_be_shared_is_read(desk, jobs, films, check, film):
    open_film(desk, films, film, OFFLINE)
    assert jobs.all == []
    desk.session.storage.set_policy(HOUSE)
    assert [job.request for job in jobs.all] == [HashFilm(film)]
    desk.session.storage.set_policy(OFFLINE)
    answer(jobs, film)
    assert desk.session.project.policy == OFFLINE


def test_what_cannot_be_read_is_tried_once(desk, jobs, films, check, film, said, caplog):
    project = open_film(desk, films, film)
    jobs.all[0].say(Failed("it cannot be read"))
    jobs.all[0].end(1, "")
    films.finished.emit()
    assert (len(jobs.all), project.policy, said) == (1, HOUSE, [])
    assert "it cannot be read" in caplog.text


def test_another_project_ends_the_reading(desk, jobs, films, check, film):
    open_film(desk, films, film)
    desk.session.close_project()
    assert jobs.all[0].stopped
    assert not check.working


def test_for_real(window, film, qtbot):
    desk = desk_with(window, Jobs(window))
    films = Films(window)
    check = FilmCheck(desk, films)  # type: ignore[arg-type] - it has all of a loader that is asked for
    project = open_film(desk, films, film)
    assert check.working
    qtbot.waitUntil(lambda: not check.working)
    assert project.policy.content == known_content(film) != ""
    desk.jobs.shut_down()
    desk.session.close_project()
    desk.session.idle.stop()
