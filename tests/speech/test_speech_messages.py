"""What the editor and its speech process say to each other comes through whole, and garbage harms neither."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.timebase import Span
from adstudio.speech.engine import SpeechRequestError, Voice
from adstudio.speech.messages import (
    LONGEST_LINE,
    AnswerBuffer,
    Failed,
    ListVoices,
    Placed,
    Rendered,
    Said,
    Say,
    Stretch,
    VoiceList,
    answer_line,
    identity_in,
    read_answer,
    read_request,
    request_line,
)

REQUESTS = [
    Say("1", "Anna walks in.\nשלום 😀 \ud800 \u2028 \0", 200, "gmw/en", "en-gb"),
    Stretch("2", Span(1000, 2000), (Placed("One.", -5), Placed("", 1500)), 180),
    Stretch("3", Span(5, 5), (), 180),
    ListVoices("4", "fr-CA"),
]
ANSWERS = [
    Said("1", Path("/tmp/Gün ter – ä/日本.wav"), 0),
    Rendered("2", Path("a.wav"), 1000, (Span(1, 2), Span(3, 3)), (0, 2), (1,)),
    VoiceList("3", "espeak-ng", (Voice("gmw/en", "English", "en-gb"),)),
    Failed("", "no"),
]
GARBAGE = [
    *(b"", b"\n", b"x", b"{}", b"[]", b"null", b'{"id": 1}', b'{"id": "1"}', b"\xff\xfe", b"[" * 100_000),
    *(b'{"id": "1", "wav": "a", "ms": "1"}', b'{"id": "1", "wav": "a", "ms": true}', b'{"id": "1", "error": 5}'),
    *(b'{"id": "1", "wav": "a", "ms": 1, "overlaps": [[1]]}', b'{"id": "1", "voices": [["a"]], "engine": "e"}'),
    *(b'{"id": "1", "wav": "a", "ms": 1, "overlaps": 7}', b'{"id": "1", "wav": "a", "ms": ' + b"9" * 5000 + b"}"),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda r: type(r).__name__)
def test_a_request_comes_through_as_one_line(request_):
    line = request_line(request_)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert read_request(line) == request_


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda a: type(a).__name__)
def test_an_answer_comes_through_as_one_line(answer):
    line = answer_line(answer)
    assert line.count(b"\n") == 1
    assert read_answer(line) == answer


def test_the_keys_are_those_of_the_contract():
    assert json.loads(request_line(REQUESTS[1])) == {
        "id": "2",
        "stretch": [1000, 2000],
        "lines": [{"text": "One.", "start": -5}, {"text": "", "start": 1500}],
        "rate": 180,
        "voice": "",
        "language": "en",
    }
    assert json.loads(answer_line(ANSWERS[0])) == {"id": "1", "wav": "/tmp/Gün ter – ä/日本.wav", "ms": 0}
    assert json.loads(answer_line(ANSWERS[3])) == {"id": "", "error": "no"}


@pytest.mark.parametrize("line", GARBAGE, ids=lambda line: repr(line[:30]))
def test_garbage_is_no_answer_and_no_request(line: bytes):
    assert read_answer(line) is None
    with pytest.raises(SpeechRequestError, match="could not be read") as caught:
        read_request(line)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": "7", "text": 5, "rate": 200}',
        b'{"id": "7", "text": "a"}',
        b'{"id": "7", "text": "a", "rate": 200.5}',
        b'{"id": "7", "text": "a", "rate": 1e999}',
        b'{"id": "7", "text": "a", "rate": 200, "voice": null}',
        b'{"id": "7", "stretch": [2, 1], "lines": [], "rate": 200}',
        b'{"id": "7", "stretch": [1, 2, 3], "lines": [], "rate": 200}',
        b'{"id": "7", "stretch": [1, 2], "rate": 200}',
        b'{"id": "7", "stretch": [1, 2], "lines": ["a"], "rate": 200}',
        b'{"id": "7", "stretch": [1, 2], "lines": [{"text": "a"}], "rate": 200}',
        b'{"id": "7", "stretch": [1, 2], "lines": [' + b'{"text": "a", "start": 1},' * 1000 + b"{}" + b"]}",
    ],
)
def test_a_bad_request_is_refused_with_its_id(line: bytes):
    with pytest.raises(SpeechRequestError):
        read_request(line)
    assert identity_in(line) == "7"


def test_answers_arrive_in_any_pieces():
    whole = b"".join(answer_line(answer) for answer in ANSWERS)
    for size in (1, 2, 7, 50, len(whole)):
        buffer = AnswerBuffer()
        found = [a for at in range(0, len(whole), size) for a in buffer.feed(whole[at : at + size])]
        assert found == ANSWERS


def test_garbage_between_answers_is_passed_over():
    buffer = AnswerBuffer()
    first, last = answer_line(ANSWERS[0]), answer_line(ANSWERS[3])
    assert buffer.feed(first + b"Audio saved to x\n\n\xff\n" + last) == (ANSWERS[0], ANSWERS[3])


def test_a_line_without_end_is_not_kept():
    buffer = AnswerBuffer()
    for _ in range(5):
        assert buffer.feed(b"x" * LONGEST_LINE) == ()
        assert len(buffer._rest) <= LONGEST_LINE
    # the rest of that line is not taken for an answer
    assert buffer.feed(answer_line(ANSWERS[0]) + answer_line(ANSWERS[3])) == (ANSWERS[3],)


@given(st.lists(st.binary(max_size=40), max_size=10))
def test_any_bytes_leave_the_buffer_usable(chunks: list[bytes]):
    buffer = AnswerBuffer()
    for chunk in chunks:
        buffer.feed(chunk)
    assert buffer.feed(b"\n" + answer_line(ANSWERS[0])) == (ANSWERS[0],)


def test_the_editors_side_is_light():
    code = "import sys, adstudio.speech.messages; print([m for m in ('numpy', 'av', 'subprocess') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
