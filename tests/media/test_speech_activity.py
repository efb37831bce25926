from __future__ import annotations

import contextlib
import shutil
import subprocess
import wave

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from media_clips import even, last_of, make_clip, tone

from adstudio.core.errors import OutsideFailureError
from adstudio.core.script import CueKind
from adstudio.media import silero
from adstudio.media.cache import DamagedCacheError, Kind, cached, source_of
from adstudio.media.opening import MediaError
from adstudio.media.silero import FRAME, Silero, model_file
from adstudio.media.speech_activity import (
    ACTIVITY,
    Activity,
    cues_of,
    encode_activity,
    make_activity,
    parse_activity,
)
from adstudio.media.voice_audio import mixed

pytest.importorskip("onnxruntime")

TOLERANCE = 150  # ms: the detector judges 32 ms at a time, and voices fade


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def sentence(tmp_path_factory):
    """A spoken sentence, at 16 kHz without silence around it."""
    if shutil.which("espeak-ng") is None:
        pytest.skip("espeak-ng is not installed")
    path = tmp_path_factory.mktemp("voice") / "a.wav"
    said = "The last train left an hour ago and nobody will come for you tonight."
    subprocess.run(["espeak-ng", "-v", "en-us", "-w", str(path), said], check=True)
    with wave.open(str(path)) as file:
        rate = file.getframerate()
        heard = np.frombuffer(file.readframes(file.getnframes()), np.int16) / 32768
    loud = np.flatnonzero(abs(heard) > 0.02)
    heard = heard[loud[0] : loud[-1]]
    at = np.arange(0, len(heard) - 1, rate / 16_000)
    return np.interp(at, np.arange(len(heard)), heard).astype(np.float32)


def film_sound(sentence, starts, seconds, *, rate=16_000, channels=1):
    """Silence in which the sentence is said at these seconds, and where."""
    voice = np.interp(np.arange(0, len(sentence) - 1, 16_000 / rate), np.arange(len(sentence)), sentence)
    sound = np.zeros(round(seconds * rate), np.float32)
    for start in starts:
        sound[round(start * rate) :][: len(voice)] += voice[: len(sound) - round(start * rate)]
    return np.tile(sound, (channels, 1)), [(1000 * s, 1000 * s + len(sentence) / 16) for s in starts]


def activity_of(path):
    return last_of(make_activity(path))


def assert_heard(activity, said, tolerance=TOLERANCE):
    """Speech in each of these stretches from one end to the other, and nowhere else."""
    spans = activity.spans
    for start, end in said:
        mine = [span for span in spans if span.end > start - 1000 and span.start < end + 1000]
        assert mine
        assert abs(mine[0].start - start) <= tolerance, spans
        assert abs(mine[-1].end - end) <= tolerance, spans
        spans = tuple(span for span in spans if span not in mine)
    assert spans == ()


@pytest.mark.parametrize(("rate", "channels"), [(8000, 1), (16_000, 1), (22_050, 2), (48_000, 2), (48_000, 6)])
def test_speech_lies_where_it_is_said(tmp_path, sentence, rate, channels):
    sound, said = film_sound(sentence, [2, 8], 14, rate=rate, channels=channels)
    path = make_clip(tmp_path / "a.wav", sound=sound, audio_codec="pcm_s16le", sample_rate=rate)
    activity = activity_of(path)
    assert (activity.duration, activity.complete, activity.has_sound) == (14_000, True, True)
    assert_heard(activity, said)


def test_it_lies_right_in_a_film_whose_sound_begins_late(tmp_path, sentence):
    sound, said = film_sound(sentence, [1], 6, rate=48_000, channels=2)
    path = make_clip(tmp_path / "a.mkv", even(25, 14), sound=sound, audio_codec="pcm_s16le", sound_at=7.3)
    activity = activity_of(path)
    assert activity.duration == 13_300
    assert_heard(activity, [(start + 7300, end + 7300) for start, end in said])


def test_it_lies_right_in_a_film_whose_clock_does_not_start_at_0(tmp_path, sentence):
    sound, said = film_sound(sentence, [2], 7, rate=48_000, channels=2)
    times = [t + 900_000 for t in even(25, 7)]
    path = make_clip(tmp_path / "a.ts", times, sound=sound, sound_at=10, audio_codec="mp2")
    assert_heard(activity_of(path), said)


@pytest.mark.parametrize("hole", [0.5, 60])
def test_it_lies_right_behind_a_hole_in_the_sound(tmp_path, sentence, hole):
    sound, said = film_sound(sentence, [1, 9], 14)
    behind = 6 * 16_000 // 1024 * 1024

    def at(start):
        return hole if start >= behind else 0

    path = make_clip(tmp_path / "a.mkv", sound=sound, audio_codec="pcm_s16le", sample_rate=16_000, sound_at=at)
    activity = activity_of(path)
    assert activity.duration == 14_000 + 1000 * hole
    assert_heard(activity, [said[0], tuple(time + 1000 * hole for time in said[1])])


def test_a_voice_in_one_channel_and_one_that_is_turned_over(tmp_path, sentence):
    sound, said = film_sound(sentence, [1], 6, channels=2)
    for left, right in ((1, 0), (0, 1), (1, -1)):
        both = sound * np.array([[left], [right]], np.float32)
        path = make_clip(tmp_path / f"{left}{right}.wav", sound=both, audio_codec="pcm_s16le", sample_rate=16_000)
        assert_heard(activity_of(path), said)


def test_the_centre_of_six_channels_is_heard_through_noise_in_the_others(tmp_path, sentence):
    sound, said = film_sound(sentence, [1], 6, rate=48_000, channels=6)
    noise = np.random.default_rng(1).normal(0, 0.02, sound.shape).astype(np.float32)
    noise[3:] *= 10
    sound[[0, 1, 3, 4, 5]] = 0
    path = make_clip(tmp_path / "a.wav", sound=sound + noise, audio_codec="pcm_s16le")
    assert_heard(activity_of(path), said, tolerance=250)


def test_mixing():
    left, right = np.array([0.5, -0.5, 0.25]), np.array([0.5, -0.5, -0.25])
    assert mixed(np.stack((left, right)), ("FL", "FR")).tolist() == [0.5, -0.5, 0.0]
    assert mixed(np.stack((left, -left)), ("FL", "FR")).tolist() == [0.5, -0.5, 0.25]
    six = np.arange(1, 7)[:, np.newaxis] / 16.0
    assert mixed(six, ("FL", "FR", "FC", "LFE", "BL", "BR")).tolist() == [(0.5 + 1 + 3) / 16]
    assert mixed(np.array([[0, 128, 255]], np.uint8), ("FC",)).tolist() == [-1, 0, 127 / 128]
    assert mixed(np.array([[np.nan, np.inf, -4.0]]), ("FC",)).tolist() == [0, 1, -1]
    assert mixed(np.array([[0.5], [0.25]]), ("X1", "X2")).tolist() == [0.375]


def test_silence_tones_and_noise_are_no_speech(tmp_path):
    noise = np.random.default_rng(1).normal(0, 0.1, (1, 6 * 16_000)).astype(np.float32)
    for number, sound in enumerate((tone(6, [], rate=16_000), tone(6, [(1, 3)], rate=16_000), noise)):
        path = make_clip(tmp_path / f"{number}.wav", sound=sound, audio_codec="pcm_s16le", sample_rate=16_000)
        activity = activity_of(path)
        assert (activity.spans, activity.has_sound, activity.duration) == ((), True, 6000)


def test_a_film_without_sound(tmp_path):
    activity = activity_of(make_clip(tmp_path / "a.mp4", even(25, 1)))
    assert (activity.has_sound, activity.spans, activity.duration, activity.complete) == (False, (), 0, True)
    assert cues_of(activity) == ()


@pytest.mark.parametrize("samples", [1, 300, 4000, 12_345])
def test_less_than_a_second_of_sound(tmp_path, samples):
    path = make_clip(tmp_path / "a.wav", sound=np.zeros((1, samples), np.float32), audio_codec="pcm_s16le",
                     sample_rate=16_000)  # fmt: skip
    activity = activity_of(path)
    assert (activity.duration, activity.spans) == (round(samples / 16), ())
    assert len(activity.probabilities) == -(-activity.duration // 32)


def test_a_damaged_film_gives_what_can_be_heard_and_no_film_a_sentence(tmp_path, sentence):
    sound, said = film_sound(sentence, [1], 12, rate=48_000, channels=2)
    whole = make_clip(tmp_path / "a.mkv", even(25, 12), sound=sound)
    data = whole.read_bytes()
    cut = tmp_path / "b.mkv"
    cut.write_bytes(data[: len(data) * 3 // 4])
    activity = activity_of(cut)
    assert 4000 < activity.duration < 12_000
    assert_heard(activity, said)
    cut.write_bytes(b"no film at all" * 100)
    with pytest.raises(MediaError, match="cannot be read as a film"):
        activity_of(cut)
    with pytest.raises(MediaError):
        activity_of(tmp_path / "none.mp4")


def test_what_there_is_so_far_can_be_taken_and_the_work_left(tmp_path, sentence):
    sound, said = film_sound(sentence, [2, 12, 22, 32], 45)
    path = make_clip(tmp_path / "a.wav", sound=sound, audio_codec="pcm_s16le", sample_rate=16_000)
    stages = make_activity(path)
    stage = next(stages)
    early = stage.take()
    assert not early.complete
    assert 0 < stage.fraction < 1
    assert_heard(early, [each for each in said if each[1] < early.duration - 1000])
    stages.close()  # type: ignore[attr-defined]


def test_it_is_found_once_and_kept(tmp_path, sentence):
    sound, said = film_sound(sentence, [2], 25)
    path = make_clip(tmp_path / "a.wav", sound=sound, audio_codec="pcm_s16le", sample_rate=16_000)
    heard: list[float] = []
    first = ACTIVITY.of_film(path, on_fraction=heard.append)
    assert heard[-1] == 1
    assert_heard(first, said)
    kept = cached(Kind.ACTIVITY, source_of(path))
    assert kept is not None
    again = ACTIVITY.of_film(path, on_fraction=lambda _: pytest.fail("it was kept"))
    assert again.spans == first.spans
    kept.write_bytes(kept.read_bytes()[:-1] + b"!!")
    assert ACTIVITY.of_film(path).spans == first.spans


def test_the_detector_gives_what_the_model_gives_frame_by_frame(sentence):
    """The variant for sequences beside the plain one, run as its authors' wrapper does."""
    from importlib import import_module
    from pathlib import Path

    plain = import_module("onnxruntime").InferenceSession(str(model_file(Path("data", "silero_vad.onnx"))))
    samples = np.concatenate((sentence, np.zeros(8000, np.float32), sentence))
    samples = samples[: len(samples) // FRAME * FRAME]
    state, context, expected = np.zeros((2, 1, 128), np.float32), np.zeros(64, np.float32), []
    for first in range(0, len(samples), FRAME):
        frame = np.concatenate((context, samples[first : first + FRAME]))
        given = {"input": frame[np.newaxis], "state": state, "sr": np.array(16_000, np.int64)}
        speech, state = plain.run(None, given)
        context = frame[-64:]
        expected.append(float(speech[0, 0]))
    model = Silero()
    blocks = [model.probabilities(samples[first : first + 40 * FRAME]) for first in range(0, len(samples), 40 * FRAME)]
    assert np.concatenate(blocks) == pytest.approx(expected, abs=1e-5)
    assert max(expected) > 0.9


@pytest.mark.parametrize("missing", ["silero_vad", "onnxruntime"])
def test_without_its_parts_it_is_told_what_to_do(monkeypatch, missing):
    if missing == "silero_vad":
        monkeypatch.setattr(silero, "find_spec", lambda _: None)
    else:
        monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    with pytest.raises(OutsideFailureError, match=r"not installed: run packaging/setup\.sh again"):
        Silero()


def test_a_damaged_model_is_told(monkeypatch, tmp_path):
    broken = tmp_path / "a.onnx"
    broken.write_bytes(b"nothing")
    monkeypatch.setattr(silero, "model_file", lambda: broken)
    with pytest.raises(OutsideFailureError, match="is damaged"):
        Silero()


def likely(*runs):
    """Probabilities (0..255), so many frames each."""
    return Activity(np.concatenate([np.full(count, value, np.uint8) for value, count in runs]), 0)


def spans(*runs):
    found = likely(*runs)
    ready = Activity(found.probabilities, 32 * len(found.probabilities))
    return [(span.start, span.end) for span in ready.spans]


def test_the_rule_that_makes_spans_of_probabilities():
    """Silero's own rule by hand: 32 ms a frame; from 0.5 on, until below 0.35 for 100 ms; pads of 30 ms."""
    assert spans((0, 10), (255, 10), (0, 10)) == [(320 - 30, 640 + 30)]
    assert spans((0, 10), (127, 20), (0, 10)) == []  # 0.498
    assert spans((0, 10), (128, 10), (90, 20), (0, 10)) == [(290, 1310)]  # 0.353 goes on, 0.35 does not end it
    assert spans((0, 10), (255, 7), (0, 10)) == []  # 224 ms
    assert spans((0, 10), (255, 8), (0, 10)) == [(290, 606)]  # 256 ms
    assert spans((255, 10), (0, 4), (255, 10), (0, 9)) == [(0, 798)]  # 96 ms from the first to the last low frame
    assert spans((255, 10), (0, 5), (255, 10), (0, 9)) == [(0, 350), (450, 830)]
    assert spans((0, 10), (255, 10)) == [(290, 640)]  # not beyond the end
    assert spans((0, 40)) == []


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 255), st.integers(1, 30)), min_size=1, max_size=12), st.integers(0, 31))
def test_spans_are_in_order_apart_and_inside(runs, short):
    probabilities = likely(*runs).probabilities
    activity = Activity(probabilities, 32 * len(probabilities) - short)
    end = 0
    for span in activity.spans:
        assert end <= span.start < span.end <= activity.duration
        end = span.end
    again = parse_activity(encode_activity(activity))
    assert (again.spans, again.duration) == (activity.spans, activity.duration)


def test_what_was_kept_and_is_damaged_is_refused():
    good = encode_activity(Activity(np.zeros(3, np.uint8), 90))
    assert parse_activity(good).duration == 90
    for bad in (
        b"",
        b"{}\n",
        good[:-1],
        good + b"x",
        good.replace(b"90", b"-9"),
        good.replace(b"true", b"1"),
        b"[" * 99,
    ):
        with pytest.raises(DamagedCacheError):
            parse_activity(bad)


def test_cues_without_words():
    activity = Activity(np.repeat(np.array([0, 255, 0, 255], np.uint8), 20), 2560)
    assert [(cue.id, cue.start, cue.end, cue.text, cue.kind) for cue in cues_of(activity)] == [
        ("v1", 610, 1310, "", CueKind.SPEECH), ("v2", 1890, 2560, "", CueKind.SPEECH)
    ]  # fmt: skip
    assert [(cue.start, cue.end) for cue in cues_of(activity, 2000)] == [(610, 1310), (1890, 2000)]
    assert [(cue.start, cue.end) for cue in cues_of(activity, 1890)] == [(610, 1310)]


def occupied(stretches, length):
    found = np.zeros(length // 10, bool)
    for start, end in stretches:
        found[round(start / 10) : round(end / 10)] = True
    return found


def measures(found, wanted):
    common = (found & wanted).sum()
    return common / found.sum(), common / wanted.sum(), (found ^ wanted).sum() / wanted.sum()


def test_against_an_annotated_conversation(shared_data):
    """Half a minute of a telephone call, and who speaks when, annotated by people."""
    folder = shared_data / "media" / "vad"
    lines = [line.split() for line in (folder / "pyannote_sample.rttm").read_text().splitlines()]
    wanted = [(1000 * float(line[3]), 1000 * (float(line[3]) + float(line[4]))) for line in lines]
    activity = activity_of(folder / "pyannote_sample.wav")
    precision, recall, error = measures(
        occupied([(span.start, span.end) for span in activity.spans], 30_000), occupied(wanted, 30_000)
    )
    assert precision > 0.98
    assert recall > 0.98
    assert error < 0.03


def test_a_voice_behind_long_music_is_heard(shared_data):
    """An announcer who speaks over an orchestra from 40.2 to 58.7 s; without forgetting, nothing of it is found."""
    activity = activity_of(shared_data / "media" / "shadow-radio.mp3")
    heard = occupied([(span.start, span.end) for span in activity.spans], 174_000)
    assert heard[4030:5860].mean() > 0.8
    assert heard[:1400].sum() == 0


def test_the_sample_folders_dialogue(sample_folder):
    """Every line that is spoken there was made at a known time."""
    from adstudio.subtitles.dialogue import dialogue
    from adstudio.subtitles.reading import read_subtitles

    said = [c for c in dialogue(read_subtitles(sample_folder / "dialogue.srt")).cues if c.kind is CueKind.SPEECH]
    activity = activity_of(sample_folder / "film.mp4")
    length = activity.duration
    precision, recall, _ = measures(
        occupied([(span.start, span.end) for span in activity.spans], length),
        occupied([(cue.start, cue.end) for cue in said], length),
    )
    assert precision > 0.9
    assert recall > 0.9
    with contextlib.suppress(StopIteration):
        missed = next(c for c in said if not any(s.start < c.end and c.start < s.end for s in activity.spans))
        pytest.fail(f"nothing is heard of {missed}")
