"""Styles: what project and line say together, and that pitch, rate and volume are what they are called."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from script_engines import WRITE_SOUND, ScriptEngine

from adstudio.core.narration import NO_VOICE, LineVoice, Pronunciation, VoiceSettings
from adstudio.speech.cache import SpeechCache
from adstudio.speech.engine import Capabilities, Notation, SpeechError, SpeechRequestError, Style
from adstudio.speech.espeak import Espeak
from adstudio.speech.ignored import Ignored, Note, ignored_message
from adstudio.speech.sound import Sound
from adstudio.speech.speaker import Speaker
from adstudio.speech.style import resolved_voice

NARRATOR = VoiceSettings("piper", "joe", pitch=-5, volume=30)


@pytest.mark.parametrize(
    ("narrator", "line", "expected"),
    [
        (NO_VOICE, None, ("", Style("", 160, 0, 0))),
        (NARRATOR, None, ("piper", Style("joe", 160, -5, 30))),
        (NARRATOR, LineVoice(), ("piper", Style("joe", 160, -5, 30))),
        (NARRATOR, LineVoice("ann", 200, 10, -20), ("piper", Style("ann", 200, 10, -20))),
        (NARRATOR, LineVoice(pitch=0, volume=0), ("piper", Style("joe", 160, 0, 0))),
        (NARRATOR, LineVoice(voice=""), ("piper", Style("", 160, -5, 30))),
    ],
)
def test_a_line_says_what_it_has_otherwise(
    narrator: VoiceSettings, line: LineVoice | None, expected: tuple[str, Style]
):
    assert resolved_voice(narrator, 160, line) == expected


def test_a_voice_that_was_not_chosen_is_the_best_of_the_language(tmp_path: Path):
    speaker = Speaker(ScriptEngine(WRITE_SOUND), SpeechCache(tmp_path))
    assert speaker.say("One.", Style("", 200)).key == speaker.say("One.", Style("one", 200)).key


def test_a_change_of_volume_synthesises_nothing_and_changes_no_length(tmp_path: Path):
    engine = ScriptEngine(WRITE_SOUND)
    speaker = Speaker(engine, SpeechCache(tmp_path))
    said = [speaker.say("One.", Style("v", 200, 0, volume)) for volume in (0, 60, -200)]
    assert engine.asked == ["One."]
    assert {(spoken.key, spoken.sound.ms) for spoken in said} == {(said[0].key, 500)}


@pytest.mark.parametrize(("tenths", "factor"), [(0, 1.0), (60, 1.9952623), (-60, 0.5011872), (-200, 0.1)])
def test_volume_is_in_tenths_of_a_decibel(tenths: int, factor: float):
    sound = Sound(np.array([0.0, 0.25, -0.1], np.float32), 8000)
    assert sound.with_gain(tenths).samples == pytest.approx(sound.samples * factor)


def test_a_louder_line_is_never_cut():
    sound = Sound(np.array([0.5, -0.8], np.float32), 8000)
    louder = sound.with_gain(100)
    assert louder.peak == pytest.approx(1.0)
    assert louder.samples == pytest.approx(sound.samples / 0.8)
    assert Sound(np.zeros(3, np.float32), 8000).with_gain(100).peak == 0


@pytest.mark.parametrize(
    ("style", "what"),
    [
        (Style("v", 39), "speaking rate"),
        (Style("v", 601), "speaking rate"),
        (Style("v", 200, -51), "pitch"),
        (Style("v", 200, 51), "pitch"),
        (Style("v", 200, 0, -201), "volume"),
        (Style("v", 200, 0, 101), "volume"),
    ],
)
def test_a_style_beyond_its_bounds_is_refused_in_a_sentence(tmp_path: Path, style: Style, what: str):
    engine = ScriptEngine(WRITE_SOUND)
    with pytest.raises(SpeechRequestError, match=f"not a valid {what}: choose") as caught:
        Speaker(engine, SpeechCache(tmp_path)).say("One.", style)
    assert "\n" not in str(caught.value)
    assert engine.asked == []


def test_an_engine_with_one_pitch_speaks_in_it_and_that_is_said(tmp_path: Path):
    engine = ScriptEngine(WRITE_SOUND, capabilities=Capabilities(pitch=False))
    speaker = Speaker(engine, SpeechCache(tmp_path))
    plain, lower = (speaker.say("One.", Style("v", 200, pitch)) for pitch in (0, -20))
    assert plain.ignored == ()
    assert lower.ignored == (Ignored(Note.NO_PITCH),)
    assert lower.key == plain.key


@pytest.mark.parametrize(
    ("asked", "spoken", "ignored"),
    [
        (Style("v", 80, -30), Style("v", 80, -30), ()),
        (Style("v", 79, 0), Style("v", 80, 0), (Ignored(Note.TOO_SLOW, limit=80),)),
        (Style("v", 200, -31), Style("v", 200, -30), (Ignored(Note.TOO_LOW, limit=-30),)),
        (
            Style("v", 40, -50),
            Style("v", 80, -30),
            (Ignored(Note.TOO_LOW, limit=-30), Ignored(Note.TOO_SLOW, limit=80)),
        ),
    ],
)
def test_an_engine_goes_as_far_as_it_can_and_that_is_said(
    tmp_path: Path, asked: Style, spoken: Style, ignored: tuple[Ignored, ...]
):
    engine = ScriptEngine(WRITE_SOUND, capabilities=Capabilities(slowest=80, lowest=-30))
    said = Speaker(engine, SpeechCache(tmp_path)).say("One.", asked)
    assert said.style == spoken
    assert said.ignored == ignored
    messages = [ignored_message(each, "the script") for each in said.ignored]
    assert all(str(abs(each.limit)) in message for each, message in zip(ignored, messages, strict=True))


def test_the_lexicon_is_part_of_the_key_where_it_changes_the_text(tmp_path: Path):
    engine = ScriptEngine(WRITE_SOUND, capabilities=Capabilities(Notation.ESPEAK))
    speaker = Speaker(engine, SpeechCache(tmp_path))
    anna, zoe = Pronunciation("Anna", "Ahna"), Pronunciation("Zoë", "zoːiː", phonemes=True)
    keys = [speaker.say("Anna sits.", Style("v"), "en", lexicon).key for lexicon in ((), (zoe,), (anna,), (anna, zoe))]
    assert (keys[0], keys[2]) == (keys[1], keys[3])
    assert keys[0] != keys[2]
    assert engine.asked == ["Anna sits.", "Ahna sits."]
    speaker.say("Zoë", Style("v"), "en", (zoe,))
    assert engine.asked[-1] == "[[zo:i:]]"


@pytest.mark.parametrize("text", ["\x01\x02\x1b", "\u202e\u200b", "\ue000\ud800"])
def test_a_line_of_control_characters_is_refused_in_a_sentence(tmp_path: Path, text: str):
    with pytest.raises(SpeechRequestError, match="cannot be spoken: write the text"):
        Speaker(ScriptEngine(WRITE_SOUND), SpeechCache(tmp_path)).say(text, Style("v"))


def test_a_line_of_ten_thousand_characters_is_refused_in_a_sentence(tmp_path: Path):
    engine = ScriptEngine(WRITE_SOUND)
    with pytest.raises(SpeechRequestError, match=r"10,000 characters, and the limit is 2,000: split it"):
        Speaker(engine, SpeechCache(tmp_path)).say("word " * 2_000, Style("v"))
    assert engine.asked == []


def test_a_language_without_a_voice_is_refused_in_a_sentence(tmp_path: Path, espeak: Espeak):
    with pytest.raises(SpeechError, match="espeak-ng has no voice for the language “xx”"):
        Speaker(espeak, SpeechCache(tmp_path)).say("One.", Style(), "xx")


# The pitch that is heard


def fundamental(sound: Sound) -> float:
    """The frequency at which a sound repeats, between 60 and 300 Hz, by autocorrelation of its loudest part."""
    samples = sound.samples[: sound.rate // 2] if len(sound.samples) < sound.rate else sound.samples
    found: list[float] = []
    width = sound.rate // 20
    for start in range(0, len(samples) - 2 * width, width):
        piece = np.asarray(samples[start : start + 2 * width], np.float64)
        if np.abs(piece).max() < 0.4 * sound.peak:
            continue
        piece -= piece.mean()
        same = np.correlate(piece, piece, "full")[len(piece) - 1 :]
        low, high = sound.rate // 300, sound.rate // 60
        lag = low + int(np.argmax(same[low:high]))
        if same[lag] > 0.6 * same[0]:
            found.append(sound.rate / lag)
    return float(np.median(found))


TEXT = "Nor a moon nor a warm mooring nor a morning moan."


def test_espeak_speaks_as_much_higher_as_it_is_asked_to(espeak: Espeak, tmp_path: Path):
    speaker = Speaker(espeak, SpeechCache(tmp_path))
    said = {pitch: speaker.say(TEXT, Style("gmw/en", 150, pitch)).sound for pitch in (-30, -15, 0, 15, 30, 50)}
    own = fundamental(said[0])
    for pitch, sound in said.items():
        assert fundamental(sound) / own == pytest.approx(1 + pitch / 100, abs=0.04)
        # neither faster nor slower
        assert sound.ms == pytest.approx(said[0].ms, rel=0.03)


def test_a_rate_is_as_long_as_its_words(espeak: Espeak, tmp_path: Path):
    speaker = Speaker(espeak, SpeechCache(tmp_path))
    lengths = [speaker.say(TEXT, Style("gmw/en", rate)).sound.ms for rate in (100, 150, 200, 300)]
    assert all(slower > 1.25 * faster for slower, faster in pairwise(lengths))
