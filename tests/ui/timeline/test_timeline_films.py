"""The waveform, the shots and the thumbnails come one after the other from the background, and failures are told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from manual_jobs import ManualJobs
from PySide6.QtWidgets import QMainWindow
from timeline_scripts import small_script

from adstudio.core.film import Media
from adstudio.editing.sound_track import choose_sound_track
from adstudio.media import cache
from adstudio.media.messages import PROTOCOL, FilmProgress, Processed, ProcessFilm
from adstudio.media.peaks import Peaks, encode_peaks
from adstudio.media.shots import Shots, encode_shots
from adstudio.media.thumbnails import Thumbnails, encode_thumbnails
from adstudio.store.content import RestorePoint
from adstudio.store.media import fingerprint
from adstudio.store.project import ProjectFile
from adstudio.system.worker import Failed
from adstudio.ui.actions.actions import Actions
from adstudio.ui.session.context import Context, Theme
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.session import Session
from adstudio.ui.timeline.film_loader import FilmLoader
from adstudio.ui.timeline.timeline import Timeline


@pytest.fixture
def jobs(window: QMainWindow) -> ManualJobs:
    return ManualJobs(window, PROTOCOL)


@pytest.fixture
def desk(window: QMainWindow, jobs: ManualJobs):
    preferences = Preferences(window)
    found = Context(Session(window), Actions(window), preferences, Theme(preferences), jobs)
    yield found
    found.session.close_project()
    found.session.idle.stop()


@pytest.fixture
def film(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    video = tmp_path / "Gün ter – 日本 #1 %20 &.mp4"
    video.write_bytes(b"a film" * 1000)
    return video


def open_film(desk: Context, video: Path) -> None:
    media = Media(str(video), video.name, video.stat().st_size, fingerprint(video), 60_000, has_audio=True)
    script = small_script()
    script = replace(script, film=replace(script.film, media=media))
    path = video.with_suffix(".adproj")
    desk.session.open_project(ProjectFile.create(path, script), RestorePoint.LAST_STEP)


PEAKS = Peaks(np.full(6_000, 100, np.uint8), 60_000)
SHOTS = Shots((0, 20_000, 60_000))


def test_one_thing_after_the_other(desk, jobs, film, qtbot) -> None:
    timeline = Timeline(desk)
    qtbot.addWidget(timeline)
    open_film(desk, film)
    qtbot.waitUntil(lambda: len(jobs.all) == 1)
    peaks = jobs.all[0]
    assert peaks.request == ProcessFilm(cache.Kind.PEAKS, film, fingerprint(film))
    content = encode_peaks(replace(PEAKS, complete=False))
    partial = cache.store(cache.Kind.PEAKS, cache.source_of(film), content, complete=False)
    peaks.say(FilmProgress(0.4, partial))
    assert timeline.films.data.peaks is not None
    assert not timeline.films.data.peaks.complete
    assert timeline.films.data.doing == {"Sound": "40 %"}
    assert peaks.reported == [0.4]
    peaks.line(b"some library wrote this\n")
    peaks.say(Processed(data=encode_peaks(PEAKS)))
    peaks.end(0, "")
    assert timeline.films.data.peaks is not None
    assert timeline.films.data.peaks.duration == 60_000
    assert len(jobs.all) == 2
    jobs.all[1].say(Processed(data=encode_shots(SHOTS)))
    jobs.all[1].end(0, "")
    assert timeline.rows.shots.starts == (0, 20_000)
    assert jobs.all[2].request.kind is cache.Kind.THUMBNAILS
    jobs.all[2].say(Processed(data=encode_thumbnails(Thumbnails((), complete=True))))
    jobs.all[2].end(0, "")
    assert len(jobs.all) == 3
    assert timeline.films.data.doing == {}


def test_what_fails_is_told_and_the_rest_goes_on(desk, jobs, film, qtbot) -> None:
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    loader = FilmLoader(desk, desk.session)
    open_film(desk, film)
    qtbot.waitUntil(lambda: len(jobs.all) == 1)
    jobs.all[0].say(Failed("The sound cannot be read."))
    jobs.all[0].end(3, "")
    jobs.all[1].end(-1, "killed")  # died without a word
    jobs.all[2].say(Processed(data=b"no thumbnails at all"))
    jobs.all[2].end(0, "")
    assert said[0] == "The sound cannot be read."
    assert len(said) == 3
    assert loader.data.peaks is None


def test_another_sound_track_has_a_waveform_of_its_own(desk, jobs, film, qtbot) -> None:
    loader = FilmLoader(desk, desk.session)
    found: list[int | None] = []
    loader.found.connect(lambda: found.append(loader.source and loader.source[1].track))
    open_film(desk, film)
    qtbot.waitUntil(lambda: len(jobs.all) == 1)
    jobs.all[0].say(Processed(data=encode_peaks(PEAKS)))
    jobs.all[0].end(0, "")
    assert loader.data.peaks is not None
    desk.session.edits.attempt(lambda script: choose_sound_track(script, 2))
    assert loader.data.peaks is None
    qtbot.waitUntil(lambda: len(jobs.all) == 3)
    assert jobs.all[2].request == ProcessFilm(cache.Kind.PEAKS, film, fingerprint(film), 2)
    assert found == [None, 2]


def test_stopped_by_hand_nothing_more_is_started(desk, jobs, film, qtbot) -> None:
    FilmLoader(desk, desk.session)
    open_film(desk, film)
    qtbot.waitUntil(lambda: len(jobs.all) == 1)
    jobs.all[0].stop()
    jobs.all[0].end(-15, "")
    qtbot.wait(30)
    assert len(jobs.all) == 1


def test_answers_for_a_film_that_was_closed_are_dropped(desk, jobs, film, qtbot) -> None:
    loader = FilmLoader(desk, desk.session)
    open_film(desk, film)
    qtbot.waitUntil(lambda: len(jobs.all) == 1)
    desk.session.close_project()
    assert jobs.all[0].stopped
    jobs.all[0].say(Processed(data=encode_peaks(PEAKS)))
    jobs.all[0].end(0, "")
    assert loader.data.peaks is None
    assert len(jobs.all) == 1


def test_without_the_video_nothing_is_started(desk, jobs, film, qtbot) -> None:
    loader = FilmLoader(desk, desk.session)
    open_film(desk, film)
    film.unlink()
    qtbot.waitUntil(lambda: not loader.data.doing)
    assert jobs.all == []
    assert json.dumps(loader.data.doing) == "{}"
