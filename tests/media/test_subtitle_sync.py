"""Subtitles compared with the speech in their film in a process of its own, and what is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest
from worker_process import running

from adstudio.core.script import Cue, CueKind
from adstudio.media.messages import PROTOCOL, Compared, CompareSubtitles, SpeechDataDamaged
from adstudio.media.worker import compared

np = pytest.importorskip("numpy")

from adstudio.media.cache import Kind, Source, store  # noqa: E402 - needs numpy, like all of media
from adstudio.media.speech_activity import Activity, encode_activity  # noqa: E402

FRAME = 32
STARTS = (2_000, 7_000, 9_500, 15_000, 23_000, 30_500, 33_000, 41_000, 47_500, 52_000)
LENGTHS = (1_500, 900, 2_400, 3_000, 1_200, 1_800, 2_200, 900, 2_600, 3_500)


def activity() -> Activity:
    """A minute in which somebody speaks ten times."""
    heard = np.zeros(60_000 // FRAME, np.uint8)
    for start, length in zip(STARTS, LENGTHS, strict=True):
        heard[start // FRAME : (start + length) // FRAME] = 255
    return Activity(heard, len(heard) * FRAME)


def cues(late: int = 0) -> list[Cue]:
    return [
        Cue(f"c{n}", start + late, start + length + late, "Words.")
        for n, (start, length) in enumerate(zip(STARTS, LENGTHS, strict=True))
    ]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return store(Kind.ACTIVITY, Source("film", 1, 1), encode_activity(activity()), complete=True)


def answer(cues: list[Cue], activity: Path | bytes) -> Compared:
    at = (activity, b"") if isinstance(activity, Path) else (None, activity)
    found = compared(CompareSubtitles(tuple(cues), *at))
    assert isinstance(found, Compared)
    return found


def test_late_subtitles_are_found_by_file_and_by_content(kept: Path) -> None:
    for of in (kept, encode_activity(activity())):
        found = answer(cues(700), of)
        assert found.found.needs_sync
        assert found.found.ratio == 1
        assert abs(found.found.offset_ms + 700) <= 100
        assert found.speech == ()


def test_subtitles_in_step_and_too_few_of_them(kept: Path) -> None:
    assert answer(cues(), kept).found.in_sync
    assert not answer(cues(700)[:3], kept).found.sure


def test_without_cues_the_speech_comes_along(kept: Path) -> None:
    found = answer([], kept)
    assert len(found.speech) == len(STARTS)
    assert all(abs(span.start - start) <= 64 for span, start in zip(found.speech, STARTS, strict=True))


@pytest.mark.parametrize("content", [b"", b"nothing", b'{"length": 3}\nabc'])
def test_what_is_damaged_is_to_be_found_again(kept: Path, content: bytes) -> None:
    kept.write_bytes(content)
    asked = CompareSubtitles(tuple(cues()), kept)
    assert isinstance(compared(asked), SpeechDataDamaged)
    kept.unlink()
    assert isinstance(compared(asked), SpeechDataDamaged)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_whatever_is_found_can_be_sent(kept: Path, count: int) -> None:
    found = answer(cues()[:count], kept)
    assert PROTOCOL.read_event(PROTOCOL.event_line(found)) == found


def test_as_a_process_it_answers_once_and_ends(kept: Path) -> None:
    noisy = (Cue("s", 0, 500, "[door]", kind=CueKind.SOUND), *cues(700))
    with running(PROTOCOL, CompareSubtitles(noisy, kept)) as process:
        (found,) = process.events()
        assert process.wait() == 0
    assert isinstance(found, Compared)
    assert found.found.needs_sync
