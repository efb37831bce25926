"""The engines that find words in sound, on the sample film and on speech whose words' times its synthesiser reports."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import spoken_words

from adstudio.characters.alignment_process import AlignmentProcess
from adstudio.characters.mel_filters import mel_filters
from adstudio.characters.pronunciation import cue_words, english_sounds
from adstudio.characters.word_times import find_words
from adstudio.core.errors import OutsideFailureError
from adstudio.core.script import Cue, CueKind
from adstudio.sample_film import sample_paths
from adstudio.speech.sound import Sound, encoded
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles
from adstudio.system.locations import resource

FILM = sample_paths(Path(resource("sample")))
needs_sphinx = pytest.mark.skipif(find_spec("pocketsphinx") is None, reason="pocketsphinx is not installed")
needs_espeak = pytest.mark.skipif(not spoken_words.is_installed(), reason="libespeak-ng is not installed")


@pytest.fixture(scope="module")
def cues() -> tuple[Cue, ...]:
    return tuple(cue for cue in dialogue(read_subtitles(FILM.sdh_srt)).cues if cue.kind is CueKind.SPEECH)


@needs_sphinx
def test_every_cue_of_the_sample_film_is_found_where_it_is(cues):
    with AlignmentProcess("en-GB") as aligner:
        found = find_words(aligner, FILM.film, None, cues, "en-GB")
    assert len(cues) == 24
    assert found.unknown == ()
    assert not found.other_sound
    # The film's maker lays each line's speech 20 ms into its cue.
    starts = [abs(each.words[0].start - each.start - 20) for each in found.words]
    assert sorted(starts)[len(starts) // 2] <= 30
    assert sum(start <= 100 for start in starts) >= 22


@needs_sphinx
def test_the_text_of_another_film_is_not_found(cues):
    texts = [cue.text for cue in cues]
    turned = [*texts[5:], *texts[:5]]
    other = [Cue(cue.id, cue.start, cue.end, text) for cue, text in zip(cues, turned, strict=True)]
    with AlignmentProcess("en") as aligner:
        found = find_words(aligner, FILM.film, None, other, "en")
    assert found.other_sound
    assert not any(each.words for each in found.words)


@needs_espeak
def test_another_language_is_found_by_the_likeness_to_synthetic_speech():
    text = "Guten Abend, Frau Weber. Haben Sie wieder etwas verloren?"
    said = spoken_words.spoken(text, "de", 150, 40).trimmed()
    speech = Sound(said.samples, said.rate).at_rate(16_000).samples
    sound = np.concatenate((np.zeros(8_000, np.float32), speech, np.zeros(8_000, np.float32)))
    words = cue_words(text, "de")
    with AlignmentProcess("de") as aligner:
        aligner.prepare(words)
        found = aligner.align(sound, words)
        other = aligner.align(sound, cue_words("Hundert rote Äpfel liegen unten im tiefen Keller, sagte Onkel Otto."))
    assert found is not None
    assert other is not None
    assert found.confidence > 900
    assert other.confidence < 400
    true = {at: 500 + sample * 1000 // said.rate for at, sample in said.words}
    places = [text.index(word.text) for word in words]
    errors = [abs(span.start - true[at]) for span, at in zip(found.words, places, strict=True) if at in true]
    assert len(errors) >= 6
    assert sorted(errors)[len(errors) // 2] <= 30


GERMAN = "Das rote Tuch hängt nicht mehr hier.", "Dann hat sie es wohl doch mitgenommen."


@pytest.fixture(scope="module")
def german(tmp_path_factory):
    """Two people speak one after the other: the sound, and when the second begins and ends (ms)."""
    voices = zip(GERMAN, ("de+f2", "de+m3"), strict=True)
    said = [spoken_words.spoken(text, voice, 160, 40).trimmed() for text, voice in voices]
    first, second = (Sound(each.samples, each.rate).at_rate(16_000).samples for each in said)
    pause = np.zeros(8_000, np.float32)
    path = tmp_path_factory.mktemp("german") / "two.wav"
    path.write_bytes(encoded(np.concatenate((pause, first, pause[:3_200], second, pause)), 16_000))
    start = 500 + len(first) // 16 + 200
    return path, start, start + len(second) // 16


@needs_espeak
@pytest.mark.parametrize(
    ("text", "is_known"), [(GERMAN[1], True), ("Der Zug nach Altenburg fährt von Gleis sieben.", False)]
)
def test_of_two_speakers_in_a_subtitle_only_who_says_the_text_is_known(german, text, is_known):
    path, start, end = german
    cues = (Cue("c1a", 500, start - 124, GERMAN[0]), Cue("c1b", start - 100, end, text))
    with AlignmentProcess("de") as aligner:
        found = find_words(aligner, path, None, cues, "de")
    first, second = found.words
    assert first.words
    assert bool(second.words) is is_known
    if is_known:
        assert second.words[0].start == pytest.approx(start, abs=90)


def test_a_language_that_nobody_speaks_is_refused_with_a_sentence():
    with AlignmentProcess("xx-none") as aligner, pytest.raises(OutsideFailureError, match=r"no voice|not installed"):
        aligner.prepare(cue_words("Hello"))


@needs_sphinx
def test_a_sound_without_room_for_the_words_has_no_times():
    with AlignmentProcess("en") as aligner:
        assert aligner.align(np.zeros(160, np.float32), cue_words("Good evening")) is None
        found = aligner.align(np.zeros(3_200, np.float32), cue_words("An extraordinarily complicated announcement"))
    assert found is None or found.confidence < 400


@needs_espeak
def test_words_that_no_dictionary_has_are_pronounced_by_the_synthesiser():
    assert english_sounds(["wexcombe", "8"]) == {"wexcombe": ("W", "EH", "K", "S", "K", "UW", "M"), "8": ("EY", "T")}


def test_mel_filters_are_those_of_librosa():
    # By hand: 8,000 Hz are 15 + ln 8 / 0.06875 = 45.246 mel, so bands are 1.1036 mel apart. The first peaks at 73.6 Hz,
    # the last at 1000 · exp(0.06875 · (44.142 - 15)) = 7,416 Hz; a column is 40 Hz.
    filters = mel_filters(40, 400, 16_000)
    assert filters.shape == (40, 201)
    assert np.argmax(filters[0]) == 2
    assert np.argmax(filters[-1]) == 185
    areas = filters.sum(axis=1) * 40
    assert np.allclose(areas[10:], 1, atol=0.15)
