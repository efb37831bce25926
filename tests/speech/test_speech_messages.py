"""What the editor and its speech process say to each other comes through whole, within its limits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from adstudio.core.narration import MAX_PRONUNCIATIONS, Pronunciation
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.speech.engine import EngineVoices, Style, Voice
from adstudio.speech.ignored import Ignored, Note
from adstudio.speech.messages import (
    MOST_LINES,
    PROTOCOL,
    ListVoices,
    Placed,
    Render,
    Rendered,
    Said,
    Say,
    VoiceList,
)
from adstudio.system.codec import CodecError
from adstudio.system.worker import Failed

LEXICON = (Pronunciation("Siobhán", "ʃɪˈvɔːn", phonemes=True), Pronunciation("Zoë", "zoe-ee"))
REQUESTS = [
    Say("Anna walks in.\nשלום 😀 \ud800 \u2028 \0", Style("gmw/en", 200, -5, 30), "espeak-ng", "en-gb", LEXICON),
    Render(Span(1000, 2000), (Placed("One.", -5, Style("", 180)), Placed("", 1500)), "piper", "en", LEXICON),
    Render(Span(5, 5), ()),
    ListVoices("fr-CA"),
]
IGNORED = (Ignored(Note.NO_PHONEMES, "Siobhán"), Ignored(Note.NO_PITCH))
ANSWERS = [
    Said(Path("/tmp/Gün ter – ä/日本.wav"), 0, "pyttsx3", IGNORED),
    Rendered(Path("a.wav"), 1000, (Span(1, 2), Span(3, 3)), (0, 2), (1,), "piper", IGNORED),
    VoiceList(
        (EngineVoices("espeak-ng", (Voice("gmw/en", "English", "en-gb"),)), EngineVoices("piper", (), problem="x"))
    ),
    Failed("no"),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda r: type(r).__name__)
def test_a_request_comes_through_as_one_line(request_):
    line = PROTOCOL.request_line(request_)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert PROTOCOL.read_request(line) == request_


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda a: type(a).__name__)
def test_an_answer_comes_through_as_one_line(answer):
    line = PROTOCOL.event_line(answer)
    assert line.count(b"\n") == 1
    assert PROTOCOL.read_event(line) == answer


@pytest.mark.parametrize(
    "request_",
    [
        Say("a" * 100_001, Style()),
        Say("a", Style(rate=MAX_TIME_MS + 1)),
        Say("a", Style("v" * 301)),
        Say("a", Style(), "e" * 201),
        Say("a", Style(), lexicon=(Pronunciation("a", "b"),) * (MAX_PRONUNCIATIONS + 1)),
        ListVoices("l" * 201),
        Render(Span(0, 1), (Placed("a", 1),) * (MOST_LINES + 1)),
        Render(Span(0, 1), (Placed("a", MAX_TIME_MS + 1),)),
    ],
)
def test_limits(request_):
    with pytest.raises(CodecError):
        PROTOCOL.request_line(request_)


def test_the_editors_side_is_light():
    code = "import sys, adstudio.speech.messages; print([m for m in ('numpy', 'av', 'subprocess') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
