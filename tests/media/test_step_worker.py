"""The process that compares subtitles with the speech in their film: lines in and out, and what is damaged."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span
from adstudio.media.subtitle_sync_worker import MODULE, UNREADABLE, compared, read_compared, request_line, serve

np = pytest.importorskip("numpy")

from adstudio.media.cache import Kind, Source, keep  # noqa: E402 - needs numpy, like all of media
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
    return keep(Kind.ACTIVITY, Source("film", 1, 1), encode_activity(activity()), complete=True)


def test_late_subtitles_are_found_by_file_and_by_content(kept: Path) -> None:
    for of in (kept, encode_activity(activity())):
        answer = read_compared(compared(request_line(of, cues(700))))
        assert answer.found is not None
        assert answer.found.mends
        assert answer.found.ratio == 1
        assert abs(answer.found.offset_ms + 700) <= 100
        assert answer.speech == ()


def test_subtitles_in_step_and_too_few_of_them(kept: Path) -> None:
    holds = read_compared(compared(request_line(kept, cues()))).found
    assert holds is not None
    assert holds.holds
    few = read_compared(compared(request_line(kept, cues(700)[:3]))).found
    assert few is not None
    assert not few.sure


def test_without_cues_the_speech_comes_along(kept: Path) -> None:
    answer = read_compared(compared(request_line(kept, ())))
    assert len(answer.speech) == len(STARTS)
    assert all(abs(span.start - start) <= 64 for span, start in zip(answer.speech, STARTS, strict=True))


@pytest.mark.parametrize("content", [b"", b"nothing", b'{"length": 3}\nabc'])
def test_what_is_damaged_is_to_be_found_again(kept: Path, content: bytes) -> None:
    kept.write_bytes(content)
    answer = read_compared(compared(request_line(kept, cues())))
    assert answer.found is None
    assert answer.damaged
    assert answer.error
    kept.unlink()
    assert read_compared(compared(request_line(kept, cues()))).damaged


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"hello",
        b"[]",
        b"3",
        b'{"cues": []}',
        b'{"activity": "/nowhere", "cues": [[1]]}',
        b'{"activity": "/nowhere", "cues": [["1", 2, "speech", ""]]}',
        b'{"activity": "/nowhere", "cues": [[1e9, 2, "speech", ""]]}',
        b'{"activity": "/nowhere", "cues": [[1, 2, "shouting", ""]]}',
        b'{"data": "\xff", "cues": []}',
        b"[" * 100_000,
    ],
)
def test_a_bad_request_gets_a_sentence(line: bytes) -> None:
    answer = read_compared(compared(line))
    assert answer.found is None
    assert answer.error


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"null",
        b'{"offset": 1}',
        b'{"offset": 1.5, "ratio": "1", "sure": true, "furthest": 1, "speech": []}',
        b'{"offset": 1, "ratio": "1/0", "sure": true, "furthest": 1, "speech": []}',
        b'{"offset": 1, "ratio": "2", "sure": true, "furthest": 1, "speech": []}',
        b'{"offset": 1, "ratio": "1", "sure": 1, "furthest": 1, "speech": []}',
        b'{"offset": 1, "ratio": "1", "sure": true, "furthest": 1, "speech": [[2, 1]]}',
        b'{"offset": 1, "ratio": "1", "sure": true, "furthest": 1, "speech": [3]}',
        b"[" * 100_000,
    ],
)
def test_an_answer_that_makes_no_sense_is_none(line: bytes) -> None:
    assert read_compared(line).found is None
    assert read_compared(line).error == UNREADABLE


def test_an_answer_survives_the_way() -> None:
    line = json.dumps({"offset": -700, "ratio": "24/25", "sure": True, "furthest": 900, "speech": [[1, 2]]}).encode()
    answer = read_compared(line)
    assert answer.found is not None
    assert (answer.found.offset_ms, answer.found.ratio, answer.found.furthest_ms) == (-700, Fraction(24, 25), 900)
    assert answer.speech == (Span(1, 2),)


def test_an_input_that_ends_early_gets_no_answer() -> None:
    for asked in (b"", b'{"activity": "half a li'):
        answers = io.BytesIO()
        serve(io.BytesIO(asked), answers)
        assert answers.getvalue() == b""


def test_as_a_process_it_answers_once_and_ends(kept: Path) -> None:
    noisy = [Cue("s", 0, 500, "[door]", kind=CueKind.SOUND), *cues(700)]
    done = subprocess.run(
        [sys.executable, "-I", "-m", MODULE],
        input=request_line(kept, noisy) + b"more\n",
        capture_output=True,
        timeout=60,
        check=True,
        env=dict(os.environ),
    )
    assert done.stdout.count(b"\n") == 1
    found = read_compared(done.stdout).found
    assert found is not None
    assert found.mends
