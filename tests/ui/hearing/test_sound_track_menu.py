"""The menu of sound tracks: what it lists, which is checked and heard, and what a choice does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import small_script
from manual_jobs import ManualJobs
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMainWindow

from adstudio.core.film import Media
from adstudio.editing.labels import label_of
from adstudio.media import cache
from adstudio.media.messages import PROTOCOL, ListSoundTracks, SoundTracks
from adstudio.media.sound_tracks import Purpose, SoundTrack
from adstudio.store.media import fingerprint
from adstudio.store.project import ProjectFile
from adstudio.system.worker import Failed
from adstudio.ui.actions.actions import Actions
from adstudio.ui.hearing.sound_track_menu import SoundTrackMenu
from adstudio.ui.session.context import Context, Theme
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.session import Session

TRACKS = (
    SoundTrack(1, "Audio description", "eng", default=True, purpose=Purpose.DESCRIPTION),
    SoundTrack(2, "Main & more", "eng"),
    SoundTrack(3, "Commentary", "eng", purpose=Purpose.COMMENTARY),
)


class Films(QObject):
    """A loader of films that finds the file when the test says so."""

    found = Signal()
    source: tuple[Path, cache.Source] | None = None


class Hears:
    """A player of which only the sound track matters."""

    number: int | None = None

    def set_sound_track(self, number: int | None) -> None:
        self.number = number


@pytest.fixture
def window(qtbot):
    found = QMainWindow()
    qtbot.addWidget(found)
    return found


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
def films(window: QMainWindow) -> Films:
    return Films(window)


@pytest.fixture
def player() -> Hears:
    return Hears()


@pytest.fixture
def menu(desk: Context, films: Films, player: Hears, window: QMainWindow) -> SoundTrackMenu:
    return SoundTrackMenu(desk, player, films, window)  # type: ignore[arg-type] - they have all that is asked for


def open_film(desk: Context, films: Films, folder: Path, *, track: int | None = None, sound: bool = True) -> Path:
    video = folder / "film.mkv"
    video.write_bytes(b"a film" * 1000)
    script = small_script()
    media = Media(str(video), video.name, 6000, fingerprint(video), 30_000, has_audio=sound, sound_track=track)
    script = replace(script, film=replace(script.film, media=media))
    desk.session.open_project(ProjectFile.create(folder / "film.adproj", script))
    find(desk, films, video)
    return video


def find(desk: Context, films: Films, video: Path) -> None:
    media = desk.session.script.film.media
    assert media is not None
    films.source = video, cache.source_of(video, media.fingerprint, media.sound_track)
    films.found.emit()


def entries(menu: SoundTrackMenu) -> list[tuple[str, bool]]:
    return [(entry.text(), entry.isChecked()) for entry in menu.actions()]


def test_the_track_with_the_dialogue_is_checked_and_heard(desk, films, jobs, menu, player, tmp_path) -> None:
    assert not menu.menuAction().isEnabled()
    video = open_film(desk, films, tmp_path)
    assert jobs.companion.asked == [ListSoundTracks(video)]
    jobs.companion.answer(SoundTracks(TRACKS))
    assert entries(menu) == [
        ("&1 “Audio description” (eng)", False),
        ("&2 “Main && more” (eng)", True),
        ("&3 “Commentary” (eng)", False),
    ]
    assert menu.menuAction().isEnabled()
    assert player.number == 2


def test_a_choice_is_one_step_that_can_be_undone(desk, films, jobs, menu, player, tmp_path) -> None:
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    video = open_film(desk, films, tmp_path)
    jobs.companion.answer(SoundTracks(TRACKS))
    menu.actions()[0].trigger()
    media = desk.session.script.film.media
    assert (media.sound_track, player.number) == (1, 1)
    assert [checked for _, checked in entries(menu)] == [True, False, False]
    assert said[-1] == "Sound track 1 “Audio description” (eng)"
    step = desk.session.edits.document.past[-1]
    assert label_of(step, desk.session.script) == "Choose sound track"
    # The file is found again, with the sound of another track: its tracks are known.
    find(desk, films, video)
    assert len(jobs.companion.asked) == 1
    # The usual one is no choice of its own.
    menu.actions()[1].trigger()
    assert (desk.session.script.film.media.sound_track, player.number) == (None, 2)
    desk.session.undo()
    assert (desk.session.script.film.media.sound_track, player.number) == (1, 1)
    assert [checked for _, checked in entries(menu)] == [True, False, False]


def test_a_project_opens_with_the_track_that_was_chosen(desk, films, jobs, menu, player, tmp_path) -> None:
    open_film(desk, films, tmp_path, track=3)
    jobs.companion.answer(SoundTracks(TRACKS))
    assert [checked for _, checked in entries(menu)] == [False, False, True]
    assert player.number == 3
    desk.session.close_project()
    assert (entries(menu), player.number) == ([], None)


@pytest.mark.parametrize("answer", [SoundTracks(TRACKS[1:2]), SoundTracks(()), Failed("It crashed.")])
def test_nothing_to_choose(desk, films, jobs, menu, player, tmp_path, answer) -> None:
    open_film(desk, films, tmp_path)
    jobs.companion.answer(answer)
    assert not menu.menuAction().isEnabled()
    assert player.number is None


def test_a_choice_that_the_file_does_not_have_is_not_followed(desk, films, jobs, menu, player, tmp_path) -> None:
    open_film(desk, films, tmp_path, track=9)
    jobs.companion.answer(SoundTracks(TRACKS))
    assert player.number == 2


def test_a_film_without_sound_is_not_asked(desk, films, jobs, menu, tmp_path) -> None:
    open_film(desk, films, tmp_path, sound=False)
    assert jobs.companion.asked == []
    assert not menu.menuAction().isEnabled()
