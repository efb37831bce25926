from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.film import Media
from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span
from adstudio.gaps.subtitle_sync import SyncEstimate
from adstudio.media.cache import Kind
from adstudio.media.messages import (
    ACTIVITY,
    LARGEST_IMAGE,
    PROTOCOL,
    Compared,
    CompareSubtitles,
    FilmProgress,
    GrabFrame,
    Image,
    LoadImage,
    Probed,
    ProbeVideo,
    Processed,
    ProcessFilm,
    SpeechDataDamaged,
)
from adstudio.media.probe import Probe
from adstudio.media.worker import DATA
from adstudio.system.codec import CodecError
from adstudio.system.worker import Failed

ODD = Path("/tmp/Gün ter – ä/日本/#1 %20 &\udcff\n.mp4")
PROBED = Probed(
    Probe(
        duration=5000,
        rate=Fraction(24_000, 1001),
        declared_rate=Fraction(24),
        variable_rate=True,
        has_video=True,
        has_audio=False,
        width=1920,
        height=1080,
        start=1400,
        first_picture=0,
        container="mpegts",
        oddities=(Oddity("the video has no sound"),),
    ),
    Media(str(ODD), "", 99, "blake2b:ab", 5000, Fraction(24_000, 1001), variable_rate=True, width=1920, height=1080),
)
CUES = (Cue("c", 100, 50, "reversed"), Cue("d", 100, 200, "Ha!", "Tom", CueKind.SUNG))


@pytest.mark.parametrize(
    "event",
    [
        FilmProgress(0.25),
        FilmProgress(None, ODD),
        Processed(ODD, note="done"),
        Processed(data=bytes(range(256)), note="it could not be cached"),
        Processed(data=b""),
        PROBED,
        Image(b"\xff\xd8"),
        Compared(SyncEstimate(-700, Fraction(24, 25), 0.1, 0.9, sure=True, max_shift_ms=900), (Span(1, 2),)),
        SpeechDataDamaged("“x” is damaged"),
        Failed("“x” is no film\nat all"),
    ],
)
def test_events_are_read_as_they_were_written(event):
    line = PROTOCOL.event_line(event)
    assert line.index(b"\n") == len(line) - 1
    assert PROTOCOL.read_event(line) == event
    assert PROTOCOL.read_event(line.removesuffix(b"\n") + b"\r\n") == event


@pytest.mark.parametrize(
    "request_",
    [
        ProbeVideo(ODD),
        ProcessFilm(Kind.PEAKS, ODD, "blake2b:ab"),
        GrabFrame(Path("-v.mp4"), 5_000),
        LoadImage(ODD),
        CompareSubtitles(CUES, ODD),
        CompareSubtitles((), None, b"speech"),
    ],
)
def test_requests_are_read_as_they_were_written(request_):
    assert PROTOCOL.read_request(PROTOCOL.request_line(request_)) == request_


@pytest.mark.parametrize(
    "line",
    [
        PROTOCOL.event_line(PROBED).replace(b"24000/1001", b"1/0"),
        PROTOCOL.event_line(PROBED).replace(b"5000", b'"5000"'),
        PROTOCOL.event_line(FilmProgress(0.5)).replace(b"0.5", b"1e999"),
        PROTOCOL.event_line(Image(b"x" * LARGEST_IMAGE)).replace(b'"data":"', b'"data":"AAAA'),
    ],
)
def test_garbage_is_no_event(line):
    with pytest.raises(CodecError):
        PROTOCOL.read_event(line)


def test_content_that_came_along_or_is_gone(tmp_path):
    assert Processed(data=b"abc").content() == b"abc"
    with pytest.raises(BadInputError):
        Processed(tmp_path / "none").content()


def test_each_kind_of_work_has_a_name():
    assert set(ACTIVITY) == set(DATA)
