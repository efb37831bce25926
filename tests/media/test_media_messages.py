from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Media
from adstudio.media.messages import (
    VERBS,
    Done,
    Failed,
    Probed,
    Progress,
    arguments,
    died,
    read_message,
    write_message,
)
from adstudio.media.probe import Probe
from adstudio.media.processing import UNKNOWN

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


@pytest.mark.parametrize(
    "message",
    [
        Progress(0.25, "listening"),
        Progress(UNKNOWN, "…", ODD),
        Done(ODD, note="done"),
        Done(data=bytes(range(256)), note="it could not be kept"),
        Done(data=b""),
        Done(probed=PROBED),
        Failed("“x” is no film\nat all"),
    ],
)
def test_messages_are_read_as_they_were_written(message):
    line = write_message(message)
    assert line.isascii()
    assert "\n" not in line
    assert read_message(line) == message
    assert read_message(line.encode() + b"\r\n") == message


@pytest.mark.parametrize(
    "line",
    [
        *("", "\n", "hello", "[]", "1", "null", "{}", '"done"', '{"progress": "x"}', '{"progress": null}', "{" * 5000),
        *('{"progress": NaN}', '{"progress": true}', '{"progress": 1e999}', '{"error": 5}', '{"done": 5}'),
        *('{"done": null, "data": "?"}', '{"done": null, "data": 7}', '{"progress": 0.5, "what": 3}', "[" * 100_000),
        *('{"done": null, "probe": {}}', '{"done": null, "probe": 3, "media": 4}', '{"progress": 0, "partial": []}'),
        b"\xff\xfe", b"\x00", write_message(Done(probed=PROBED)).replace("24000/1001", "1/0"),
        write_message(Done(probed=PROBED)).replace("5000", '"5000"'),
    ],
)  # fmt: skip
def test_garbage_is_no_message(line):
    assert read_message(line) is None


@given(st.text() | st.binary())
def test_nothing_in_the_stream_does_harm(line):
    read_message(line)


def test_progress_stays_in_its_bounds():
    assert read_message('{"progress": 7, "what": ""}') == Progress(1.0, "")
    assert read_message('{"progress": -3, "what": ""}') == Progress(UNKNOWN, "")


def test_a_name_is_never_an_option(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = arguments("peaks", Path("-v.mp4"), fingerprint="--x")
    assert given == ["peaks", "--fingerprint=--x", "--", str(tmp_path / "-v.mp4")]


def test_content_that_came_along_or_is_gone(tmp_path):
    assert Done(data=b"abc").content() == b"abc"
    with pytest.raises(BadInputError):
        Done(tmp_path / "none").content()


@pytest.mark.parametrize("verb", VERBS)
def test_a_process_that_died_is_told_in_a_sentence(verb):
    assert died(verb).sentence.endswith(".")
