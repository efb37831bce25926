"""Subtitles out of step are found in the background, told once, and moved only when the describer says so."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from desks import small_script
from manual_jobs import ManualCompanion, ManualJobs
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow

from adstudio.core.film import Media
from adstudio.core.script import Cue, Script
from adstudio.core.timebase import Span
from adstudio.editing.cues import set_cue_times
from adstudio.editing.labels import label_of
from adstudio.editing.lines import set_salience
from adstudio.gaps.subtitle_sync import SyncEstimate
from adstudio.media import cache
from adstudio.media.messages import (
    ACTIVITY,
    PROTOCOL,
    Compared,
    CompareSubtitles,
    FilmProgress,
    Processed,
    ProcessFilm,
    SpeechDataDamaged,
    crashed,
)
from adstudio.store.media import fingerprint
from adstudio.store.project import ProjectFile
from adstudio.system.worker import Failed
from adstudio.ui.actions.actions import Actions
from adstudio.ui.panels.problems import ProblemsPanel
from adstudio.ui.session.context import Context, Theme
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.session import Session
from adstudio.ui.sync.banner import SyncBanner
from adstudio.ui.sync.monitor import TITLE, SyncMonitor

LATE = Compared(SyncEstimate(-700, Fraction(1), 0.0, 0.0, sure=True, max_shift_ms=700))
HOLDS = Compared(SyncEstimate(0, Fraction(1), 0.0, 0.0, sure=True))


def late(**fields: object) -> Compared:
    return replace(LATE, found=replace(LATE.found, **fields))


UNSURE = replace(HOLDS, found=replace(HOLDS.found, sure=False))
SENTENCE = "The subtitles are 0.7 s late against the speech in the film."


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
def watch(desk: Context, films: Films) -> SyncMonitor:
    return SyncMonitor(desk, films)  # type: ignore[arg-type] - it has all of a loader that is asked for


@pytest.fixture
def said(desk: Context) -> list[str]:
    found: list[str] = []
    desk.session.messages.said.connect(found.append)
    return found


@pytest.fixture
def film(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    video = tmp_path / "film.mp4"
    video.write_bytes(b"a film" * 1000)
    return video


def open_film(desk: Context, films: Films, video: Path, script: Script | None = None, *, sound: bool = True) -> None:
    """Open a project on a film, of which everything else has been made."""
    script = script or small_script()
    media = Media(str(video), video.name, video.stat().st_size, fingerprint(video), 30_000, has_audio=sound)
    path = video.with_name(f"{len(list(video.parent.iterdir()))}.adproj")
    desk.session.open_project(ProjectFile.create(path, replace(script, film=replace(script.film, media=media))))
    films.source = video, cache.source_of(video, media.fingerprint)
    films.finished.emit()


def heard(jobs: ManualJobs) -> None:
    """The film's speech has been found; it could not be kept."""
    jobs.all[-1].say(Processed(data=b"speech"))
    jobs.all[-1].end(0, "")


def worker(watch: SyncMonitor) -> ManualCompanion:
    companion = watch._comparison._jobs.companion
    assert isinstance(companion, ManualCompanion)
    return companion


def rest(desk: Context) -> None:
    desk.session.idle.stop()
    desk.session.idle.became_idle.emit()


def starts(desk: Context) -> list[int]:
    return [cue.start for cue in desk.session.script.cues]


@pytest.fixture
def offered(desk: Context, films: Films, film: Path, jobs: ManualJobs, watch: SyncMonitor) -> SyncMonitor:
    """A film whose subtitles are 0.7 s late, which has been found."""
    open_film(desk, films, film)
    heard(jobs)
    worker(watch).answer(LATE)
    assert watch.offer is not None
    return watch


def test_the_speech_is_found_in_the_background_and_the_cues_compared(desk, films, film, jobs, watch, said) -> None:
    open_film(desk, films, film)
    job = jobs.all[0]
    assert job.title == TITLE
    assert job.request == ProcessFilm(cache.Kind.ACTIVITY, film, fingerprint(film))
    job.say(FilmProgress(0.4))
    assert job.reported == [0.4]
    assert worker(watch).asked == []
    heard(jobs)
    (asked,) = worker(watch).asked
    assert asked == CompareSubtitles(desk.session.script.cues, None, b"speech")
    worker(watch).answer(LATE)
    assert watch.offer is not None
    assert watch.offer.sentence == SENTENCE
    assert said == [SENTENCE]
    assert not desk.session.edits.document.past
    assert starts(desk) == [10_000, 18_000]
    assert not watch.working


def test_what_was_kept_is_not_found_again(desk, films, film, jobs, watch) -> None:
    kept = cache.store(cache.Kind.ACTIVITY, cache.source_of(film), b"speech", complete=True)
    open_film(desk, films, film)
    assert jobs.all == []
    assert worker(watch).asked[0].activity == kept


def test_what_was_kept_but_is_damaged_is_found_again_once(desk, films, film, jobs, watch) -> None:
    cache.store(cache.Kind.ACTIVITY, cache.source_of(film), b"damaged", complete=True)
    open_film(desk, films, film)
    worker(watch).answer(SpeechDataDamaged("damaged"))
    assert len(jobs.all) == 1
    heard(jobs)
    worker(watch).answer(SpeechDataDamaged("damaged"))
    assert len(jobs.all) == 1
    assert watch.offer is None
    assert not watch.working


@pytest.mark.parametrize("found", [HOLDS, UNSURE, Failed("no")])
def test_nothing_is_said_where_it_holds_or_nobody_knows(desk, films, film, jobs, watch, said, found) -> None:
    open_film(desk, films, film)
    heard(jobs)
    worker(watch).answer(found)
    assert watch.offer is None
    assert said == []
    assert not desk.actions["gap.in_step"].isEnabled()


def test_without_sound_nothing_is_listened_to(desk, films, film, jobs, watch) -> None:
    open_film(desk, films, film, sound=False)
    assert jobs.all == []
    assert worker(watch).asked == []


def test_it_is_mended_in_one_step_that_can_be_undone_and_is_not_offered_again(desk, offered, said) -> None:
    spoken = len(desk.session.plan.deliveries)
    desk.actions["gap.in_step"].trigger()
    assert starts(desk) == [9_300, 17_300]
    (step,) = desk.session.edits.document.past
    assert label_of(step, desk.session.script) == "Sync subtitles: 0.70 s earlier"
    assert said[-1] == "Moved 2 cues 0.7 s earlier; Ctrl+Z takes that back."
    assert desk.session.gaps[0].end == 9_300
    assert spoken
    assert offered.offer is None
    rest(desk)
    worker(offered).answer(HOLDS)
    assert offered.offer is None
    desk.session.undo()
    assert starts(desk) == [10_000, 18_000]
    rest(desk)
    worker(offered).answer(LATE)
    assert offered.offer is None
    desk.session.redo()
    assert starts(desk) == [9_300, 17_300]


def test_a_drift_is_told_with_its_cause_and_taken_out(desk, films, film, jobs, watch, said) -> None:
    open_film(desk, films, film)
    heard(jobs)
    worker(watch).answer(late(ratio=Fraction(24, 25), offset_ms=400, max_shift_ms=900))
    cause = "they were timed for 24 fps while the film plays at 25 fps, and 0.4 s early at its start."
    assert said == [f"The subtitles drift against the speech in the film: {cause}"]
    watch.fix()
    assert starts(desk) == [10_000, 17_680]
    assert said[-1] == "Moved 2 cues into sync; Ctrl+Z takes that back."


def test_left_alone_it_is_not_said_again(desk, offered, said) -> None:
    offered.dismiss()
    assert offered.offer is None
    assert desk.session.edits.attempt(lambda script: set_cue_times(script, "c1", end=13_900))
    rest(desk)
    assert len(worker(offered).asked) == 2
    worker(offered).answer(late(offset_ms=-710))
    assert offered.offer is None
    assert desk.session.edits.attempt(lambda script: set_cue_times(script, "c1", end=13_800))
    rest(desk)
    worker(offered).answer(late(offset_ms=2_000, max_shift_ms=2_000))  # something else
    assert offered.offer is not None


def test_only_other_cues_are_looked_at_again(desk, offered) -> None:
    assert desk.session.edits.attempt(lambda script: set_salience(script, ("a",), 10_000))
    rest(desk)
    assert len(worker(offered).asked) == 1
    assert offered.offer is not None
    assert desk.session.edits.attempt(lambda script: set_cue_times(script, "c1", end=13_900))
    assert offered.offer is None  # it may be true no more


def test_an_answer_about_older_cues_is_dropped_and_the_new_ones_are_asked_about(desk, films, film, jobs, watch) -> None:
    open_film(desk, films, film)
    heard(jobs)
    assert desk.session.edits.attempt(lambda script: set_cue_times(script, "c1", end=13_900))
    rest(desk)
    assert len(worker(watch).asked) == 1
    worker(watch).answer(LATE)
    assert watch.offer is None
    assert len(worker(watch).asked) == 2
    worker(watch).answer(HOLDS)
    assert watch.offer is None


def test_a_process_that_dies_is_not_asked_the_same_again(desk, films, film, jobs, watch, said) -> None:
    open_film(desk, films, film)
    heard(jobs)
    worker(watch).ended.emit(-1, "killed")
    rest(desk)
    assert len(worker(watch).asked) == 1
    assert watch.offer is None
    assert not watch.working
    assert desk.session.edits.attempt(lambda script: set_cue_times(script, "c1", end=13_900))
    rest(desk)
    assert len(worker(watch).asked) == 2


def test_listening_that_fails_is_told_and_one_that_was_stopped_is_not(desk, films, film, jobs, watch, said) -> None:
    open_film(desk, films, film)
    jobs.all[0].say(Failed("The sound cannot be read."))
    jobs.all[0].end(3, "")
    assert said == ["The sound cannot be read."]
    open_film(desk, films, film)
    jobs.all[1].end(-1, "killed")  # without a word
    assert said[-1] == crashed(ACTIVITY[cache.Kind.ACTIVITY])
    open_film(desk, films, film)
    jobs.all[2].stop()
    jobs.all[2].end(-15, "")
    assert len(said) == 2
    assert worker(watch).asked == []


def test_another_project_forgets_everything(desk, films, film, jobs, offered) -> None:
    desk.session.close_project()
    assert offered.offer is None
    open_film(desk, films, film)
    desk.session.close_project()
    assert jobs.all[-1].stopped
    jobs.all[-1].say(Processed(data=b"speech"))
    jobs.all[-1].end(0, "")
    assert len(worker(offered).asked) == 1


def test_another_film_is_listened_to_anew(desk, films, film, jobs, offered, tmp_path: Path) -> None:
    other = tmp_path / "other.mp4"
    other.write_bytes(b"another" * 1000)
    films.source = other, cache.source_of(other)
    films.finished.emit()
    assert offered.offer is None
    assert jobs.all[-1].request.video == other


def test_where_there_are_no_subtitles_the_heard_speech_is_offered(desk, films, film, jobs, watch, said) -> None:
    open_film(desk, films, film, replace(small_script(), cues=()))
    heard(jobs)
    worker(watch).answer(replace(UNSURE, speech=(Span(1_000, 3_000), Span(8_000, 9_000), Span(40_000, 41_000))))
    assert said == ["The project has no subtitles, but speech was detected in 2 places in the film."]
    watch.fix()
    assert desk.session.script.cues == (Cue("cue-1", 1_000, 3_000, ""), Cue("cue-2", 8_000, 9_000, ""))
    assert Span(3_000, 8_000) in desk.session.gaps
    assert said[-1] == "Took 2 stretches of speech as dialogue."
    desk.session.undo()
    assert desk.session.script.cues == ()
    rest(desk)
    worker(watch).answer(replace(UNSURE, speech=(Span(1_000, 3_000),)))
    assert watch.offer is None


def test_no_speech_no_offer(desk, films, film, jobs, watch) -> None:
    open_film(desk, films, film, replace(small_script(), cues=()))
    heard(jobs)
    worker(watch).answer(UNSURE)
    assert watch.offer is None


# What is seen of it


@pytest.fixture
def banner(qtbot, desk: Context, watch: SyncMonitor) -> SyncBanner:
    found = SyncBanner(watch, desk.theme)
    qtbot.addWidget(found)
    return found


def test_the_strip_says_it_and_does_it_by_keyboard(desk, banner, offered) -> None:
    assert banner.isVisible()
    assert banner.sentence == banner.accessibleDescription() == SENTENCE
    assert banner.fix.accessibleName() == "Sync subtitles to audio"
    assert banner.dismiss.accessibleName() == "Leave it as it is"
    QTest.keyClick(banner.fix, Qt.Key.Key_Return)
    assert starts(desk) == [9_300, 17_300]
    assert not banner.isVisible()


def test_the_hand_leaves_the_strip_with_it(qtbot, banner, offered) -> None:
    left: list[bool] = []
    banner.left.connect(lambda: left.append(True))
    banner.activateWindow()
    banner.enter()
    qtbot.waitUntil(banner.fix.hasFocus)
    QTest.keyClick(banner.fix, Qt.Key.Key_Return)
    assert left == [True]


def test_the_strip_can_be_dismissed(desk, banner, offered) -> None:
    QTest.keyClick(banner.dismiss, Qt.Key.Key_Return)
    assert not banner.isVisible()
    assert starts(desk) == [10_000, 18_000]


def test_it_stands_among_the_problems_and_leads_to_the_strip(qtbot, desk, watch, offered, banner) -> None:
    panel = ProblemsPanel(desk, watch)
    qtbot.addWidget(panel)
    asked: list[bool] = []
    panel.offer_asked.connect(lambda: asked.append(True))
    assert panel.count == 1
    assert panel._list.item(0).text() == f"▨ {SENTENCE} Sync subtitles to audio, or leave it."
    desk.actions["plan.next_problem"].trigger()
    assert asked == [True]
    watch.dismiss()
    assert panel.count == 0
