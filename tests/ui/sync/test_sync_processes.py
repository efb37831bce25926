"""The comparison by real processes: from what was kept of the speech, damaged, and killed in the middle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, small_script
from PySide6.QtCore import QObject, Signal

from adstudio.core.film import Film, Media
from adstudio.core.script import Cue, Script
from adstudio.media import cache
from adstudio.store.media import fingerprint
from adstudio.ui.session.context import Context
from adstudio.ui.sync.monitor import SyncMonitor

np = pytest.importorskip("numpy")

from adstudio.media.speech_activity import Activity, encode_activity  # noqa: E402 - needs numpy

STARTS = (2_000, 7_000, 9_500, 15_000, 23_000, 30_500, 33_000, 41_000, 47_500, 52_000)
LENGTHS = (1_500, 900, 2_400, 3_000, 1_200, 1_800, 2_200, 900, 2_600, 3_500)
FRAME, LATE = 32, 700


class ReadyFilms(QObject):
    finished = Signal()

    def __init__(self, parent: QObject, video: Path) -> None:
        super().__init__(parent)
        self.source = video, cache.source_of(video)


@pytest.fixture
def film(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    video = tmp_path / "film.mp4"
    video.write_bytes(b"no film at all" * 1000)
    return video


@pytest.fixture
def desk(qapp, tmp_path: Path, film: Path):
    heard = zip(STARTS, LENGTHS, strict=True)
    cues = tuple(Cue(f"c{n}", a + LATE, a + length + LATE, "Words.") for n, (a, length) in enumerate(heard))
    media = Media(str(film), film.name, film.stat().st_size, fingerprint(film), 60_000, has_audio=True)
    script = Script(Film("Late", 60_000, media=media), cues=cues, eventualities=small_script().eventualities)
    with desk_on(tmp_path, replace(script)) as made:
        yield made


@pytest.fixture
def watch(desk: Context, film: Path) -> SyncMonitor:
    return SyncMonitor(desk, ReadyFilms(desk.actions.window, film))  # type: ignore[arg-type] - all that is asked for


def keep(film: Path, content: bytes) -> None:
    cache.store(cache.Kind.ACTIVITY, cache.source_of(film), content, complete=True)


def activity() -> bytes:
    heard = np.zeros(60_000 // FRAME, np.uint8)
    for start, length in zip(STARTS, LENGTHS, strict=True):
        heard[start // FRAME : (start + length) // FRAME] = 255
    return encode_activity(Activity(heard, len(heard) * FRAME))


def test_late_subtitles_are_found_mended_and_then_in_step(qtbot, desk: Context, watch: SyncMonitor, film: Path) -> None:
    keep(film, activity())
    watch._films.finished.emit()
    qtbot.waitUntil(lambda: watch.offer is not None)
    assert watch.offer is not None
    assert watch.offer.sentence == "The subtitles are 0.7 s late against the speech in the film."
    watch.fix()
    starts = [cue.start for cue in desk.session.script.cues]
    assert all(abs(found - heard) <= 100 for found, heard in zip(starts, STARTS, strict=True))
    qtbot.waitUntil(lambda: watch._compared_cues is desk.session.script.cues and not watch.working)
    assert watch.offer is None


def test_a_damaged_cache_is_made_anew_and_what_cannot_be_is_told(qtbot, desk: Context, watch, film: Path) -> None:
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    keep(film, b"damaged")
    watch._films.finished.emit()
    qtbot.waitUntil(lambda: bool(said) and not watch.working)
    assert str(film) in said[0]
    assert watch.offer is None


def test_a_process_that_is_killed_leaves_the_editor_as_it_was(qtbot, desk: Context, watch, film: Path) -> None:
    keep(film, activity())
    watch._films.finished.emit()
    assert watch.working
    watch._comparison._process._process.kill()
    qtbot.waitUntil(lambda: not watch.working)
    assert watch.offer is None
    assert not desk.session.edits.document.past


def test_closing_in_the_middle_ends_the_process(desk: Context, watch, film: Path) -> None:
    keep(film, activity())
    watch._films.finished.emit()
    assert watch._comparison.running
    desk.session.close_project()
    assert not watch._comparison.running
    assert not watch.working
