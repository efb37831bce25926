"""Words of cues in their film's sound: which are known, what contradicts a cue, where split cues change speaker."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from adstudio.characters.alignment import Alignment, WordSpan, logistic
from adstudio.characters.cue_sound import NoSoundError, cue_sounds
from adstudio.characters.pronunciation import CueWord, arpabet, cue_words
from adstudio.characters.word_messages import words_summary
from adstudio.characters.word_times import (
    ContradictedCue,
    Departure,
    contradicted,
    find_words,
    split_at_words,
)
from adstudio.core.film import Film
from adstudio.core.script import Cue, CueKind, Script
from adstudio.core.timebase import Span
from adstudio.core.word_times import CueWords, SpokenWord
from adstudio.editing.word_times import set_word_times
from adstudio.media.silero import SAMPLE_RATE, Silero
from adstudio.speech.sound import encoded


class Evenly:
    """An aligner that has each word last 100 ms from `first` on, with the next of these confidences."""

    def __init__(self, confidences: Sequence[int], first: int = 300) -> None:
        self._left, self._first = list(confidences), first
        self.lengths: list[int] = []
        self.prepared: list[str] = []

    def prepare(self, words: Sequence[CueWord]) -> None:
        self.prepared += [word.text for word in words]

    def align(self, sound: np.ndarray, words: Sequence[CueWord]) -> Alignment | None:
        self.lengths.append(len(sound) * 1000 // SAMPLE_RATE)
        confidence = self._left.pop(0)
        starts = range(self._first, self._first + 100 * len(words), 100)
        return Alignment(tuple(WordSpan(at, at + 100) for at in starts), confidence)


@pytest.fixture
def sound(tmp_path):
    """A minute of a tone in a file."""
    tone = np.sin(np.arange(60 * SAMPLE_RATE) / 7).astype(np.float32) * 0.3
    path = tmp_path / "sound.wav"
    path.write_bytes(encoded(tone, SAMPLE_RATE))
    return path


def said(identity: str, *words: tuple[str, int, int], cue: tuple[int, int] = (1000, 2000)) -> CueWords:
    text = " ".join(word for word, *_ in words)
    return CueWords(identity, text, *cue, tuple(SpokenWord(*word, 900) for word in words))


def test_words_are_counted_from_the_start_of_the_film(sound):
    (found,) = find_words(Evenly([900]), sound, None, [Cue("c1", 10_000, 11_000, "Good evening.")], "en").words
    assert [(word.text, word.start, word.end) for word in found.words] == [
        ("Good", 10_000, 10_100),
        ("evening.", 10_100, 10_200),
    ]
    assert {word.confidence for word in found.words} == {900}


def test_words_that_are_not_found_near_the_cue_are_looked_for_further_around_it(sound):
    aligner = Evenly([100, 800])
    (found,) = find_words(aligner, sound, None, [Cue("c1", 10_000, 11_000, "Good evening.")], "en").words
    assert aligner.lengths == [1_600, 4_000]
    assert found.words[0].start == 10_000 - 1_500 + 300


def test_what_is_said_beside_a_cue_is_hardly_looked_at(sound):
    cues = [Cue("c1", 9_000, 9_900, "Yes?"), Cue("c2", 10_000, 11_000, "No."), Cue("c3", 11_050, 12_000, "Oh.")]
    aligner = Evenly([100, 100] * 3)
    find_words(aligner, sound, None, cues, "en")
    assert aligner.lengths[:3] == [1_450, 2_650, 1_450]


def test_a_cue_that_is_not_sure_has_no_words_and_is_listed(sound):
    found = find_words(Evenly([100, 100]), sound, None, [Cue("c1", 10_000, 11_000, "Good evening.")], "en")
    assert found.unknown == ("c1",)
    assert found.words[0].words == ()


def test_sound_that_says_none_of_the_cues_is_said_to_be_other_sound_and_gives_no_words(sound):
    cues = [Cue(f"c{n}", 5_000 * n, 5_000 * n + 900, "Good evening.") for n in range(1, 10)]
    found = find_words(Evenly([900, 900, *[100] * 14]), sound, None, cues, "en")
    assert found.other_sound
    assert not any(each.words for each in found.words)


def test_cues_past_the_end_of_the_sound_are_said_to_be_so_and_the_film_is_not_judged_by_them(sound):
    heard = [Cue(f"c{n}", 20_000 + 4_000 * n, 21_000 + 4_000 * n, "Good evening.") for n in range(9)]
    behind = [Cue(f"d{n}", 60_000 + 4_000 * n, 61_000 + 4_000 * n, "Good night.") for n in range(20)]
    found = find_words(Evenly([900] * 9 + [10] * 40), sound, None, [*heard, *behind], "en", end=150_000)
    assert not found.other_sound, "twenty of 29 are not found, for they cannot be"
    assert found.sound_end == pytest.approx(60_000, abs=100)
    assert found.past_sound == found.unknown == tuple(cue.id for cue in behind)
    summary = words_summary(found, 0)
    assert "20 cues past the end of the film’s sound, at 00:0" in summary
    assert "music" not in summary, "no reason is made up"
    whole = find_words(Evenly([900] * 9), sound, None, heard, "en", end=150_000)
    assert whole.sound_end is None
    assert whole.past_sound == ()


def test_words_where_nobody_speaks_are_not_known(sound):
    cues = [Cue("c1", 10_000, 11_000, "Good evening.")]
    assert find_words(Evenly([900]), sound, None, cues, "en", detector=Silero()).unknown == ("c1",)


def test_sounds_music_songs_and_cues_without_length_are_not_looked_for(sound):
    kinds = [CueKind.SOUND, CueKind.MUSIC, CueKind.SUNG]
    cues = [Cue(f"c{n}", 1000, 2000, "la la", None, kind) for n, kind in enumerate(kinds)]
    cues += [Cue("c8", 2000, 2000, "Hello"), Cue("c9", 3000, 2000, "Hello"), Cue("c10", 3000, 4000, "…")]
    assert find_words(Evenly([]), sound, None, cues, "en").words == ()


class Knowing(Evenly):
    """An aligner that is as sure of a text as it is given here, and of all others quite sure."""

    def __init__(self, **sure: int) -> None:
        super().__init__([])
        self._sure = sure

    def align(self, sound: np.ndarray, words: Sequence[CueWord]) -> Alignment | None:
        self._left = [self._sure.get("_".join(word.text for word in words), 950)]
        return super().align(sound, words)


def test_a_part_of_a_subtitle_that_is_not_said_is_not_vouched_for_by_the_others(sound):
    cues = [Cue("c1a", 10_000, 11_000, "Good evening"), Cue("c1b", 11_024, 12_000, "No idea")]
    found = find_words(Knowing(No_idea=120), sound, None, cues, "en")
    assert found.unknown == ("c1b",)
    (first, _) = found.words
    assert [word.confidence for word in first.words] == [950, 950]
    assert split_at_words(cues, {each.id: each for each in found.words}) == {}, "half of a change of speakers is none"


def test_parts_are_no_surer_together_than_each_by_itself(sound):
    cues = [Cue("c1a", 10_000, 11_000, "Good evening"), Cue("c1b", 11_024, 12_000, "No idea")]
    found = find_words(Knowing(No_idea=700, Good_evening_No_idea=800), sound, None, cues, "en")
    assert [each.words[0].confidence for each in found.words] == [800, 700]


def test_words_that_are_known_are_not_looked_for_again_unless_their_cue_has_changed(sound):
    cues = [Cue("c1", 1000, 2000, "Good"), Cue("c2", 5000, 6000, "New")]
    known = {"c1": said("c1", ("Good", 1100, 1300)), "c2": said("c2", ("Old", 5100, 5300), cue=(5000, 6000))}
    aligner = Evenly([900])
    found = find_words(aligner, sound, None, cues, "en", known=known)
    assert aligner.prepared == ["New"]
    assert found.words[0] == known["c1"]


def test_words_without_time_to_be_pronounced_are_half_as_sure(sound):
    class Squeezed(Evenly):
        def align(self, sound: np.ndarray, words: Sequence[CueWord]) -> Alignment | None:
            return Alignment((WordSpan(300, 360, squeezed=True),), 900)

    (found,) = find_words(Squeezed([]), sound, None, [Cue("c1", 10_000, 11_000, "Evening")], "en").words
    assert found.words[0].confidence == 450


def test_a_film_without_sound_is_refused(tmp_path):
    import av

    path = tmp_path / "silent.mp4"
    with av.open(str(path), "w") as file:
        stream = file.add_stream("mpeg4", rate=25)
        stream.width = stream.height = 32
        frame = av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8))
        for packet in (*stream.encode(frame), *stream.encode(None)):
            file.mux(packet)
    with pytest.raises(NoSoundError):
        list(cue_sounds(path, None, [Span(0, 1000)]))


def test_stretches_of_sound_are_as_long_as_asked_and_silent_behind_the_end(sound):
    spans = [Span(59_500, 61_000), Span(2_000, 2_500), Span(-300, 400), Span(10_000, 80_000)]
    found = dict(cue_sounds(sound, None, spans))
    assert [len(found[k]) for k in range(4)] == [24_000, 8_000, 6_400, 480_000]
    assert np.abs(found[0][:7_900]).max() > 0.2
    assert not found[0][8_100:].any()
    assert np.allclose(found[1], 0.3 * np.sin(np.arange(32_000, 40_000) / 7), atol=1e-3)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (((1_100, 1_900),), None),
        (((749, 1_900),), (Departure.STARTS_LATE, 251)),
        (((751, 1_900),), None),
        (((1_701, 1_900),), (Departure.STARTS_EARLY, 701)),
        (((1_100, 2_251),), (Departure.ENDS_EARLY, 251)),
        (((600, 2_900),), (Departure.ENDS_EARLY, 900)),
        ((), None),
    ],
)
def test_a_cue_is_contradicted_by_words_well_outside_of_it_and_by_a_long_wait(words, expected):
    cue = Cue("c1", 1000, 2000, "word")
    of_cue = said("c1", *(("word", start, end) for start, end in words))
    found = list(contradicted([cue], {"c1": of_cue}))
    assert [(each.departure, each.by) for each in found] == ([] if expected is None else [expected])


def test_parts_of_a_subtitle_change_at_their_words():
    cues = [Cue("c4a", 1000, 2000, "Yes?"), Cue("c4b", 2024, 3000, "No.")]
    words = {"c4a": said("c4a", ("Yes?", 1100, 1500)), "c4b": said("c4b", ("No.", 1700, 2000))}
    assert split_at_words(cues, words) == {"c4a": (1000, 1500), "c4b": (1700, 3000)}


def test_parts_whose_words_touch_are_24_ms_apart():
    cues = [Cue("c4a", 1000, 2000, "Yes?"), Cue("c4b", 2024, 3000, "No.")]
    words = {"c4a": said("c4a", ("Yes?", 1100, 1500)), "c4b": said("c4b", ("No.", 1500, 2000))}
    assert split_at_words(cues, words) == {"c4a": (1000, 1488), "c4b": (1512, 3000)}


def test_only_parts_of_one_subtitle_with_known_words_are_retimed():
    words = {"c4a": said("c4a", ("Yes?", 1100, 1500)), "c4b": said("c4b", ("No.", 1700, 2000))}
    for first, second in (("c4a", "c5b"), ("c4a", "c4c"), ("c3", "c4"), ("c4b", "c4a"), ("va", "vb")):
        cues = [Cue(first, 1000, 2000, "Yes?"), Cue(second, 2024, 3000, "No.")]
        assert split_at_words(cues, {first: words["c4a"], second: words["c4b"]}) == {}
    cues = [Cue("c4a", 1000, 2000, "Yes?"), Cue("c4b", 2024, 3000, "No.")]
    assert split_at_words(cues, {"c4a": words["c4a"], "c4b": said("c4b")}) == {}


def test_found_words_are_one_step_that_can_be_undone_and_retimed_parts_stay_fresh():
    cues = (Cue("c4a", 1000, 2000, "Yes?"), Cue("c4b", 2024, 3000, "No."), Cue("c5", 4000, 5000, "Changed"))
    before = Script(Film("f", 10_000), cues=cues, word_times=(said("c1", ("Gone", 100, 200), cue=(0, 500)),))
    found = [
        said("c4a", ("Yes?", 1100, 1500), cue=(1000, 2000)),
        said("c4b", ("No.", 1700, 2000), cue=(2024, 3000)),
        said("c5", ("Stale", 4100, 4200), cue=(4000, 5000)),
    ]
    step = set_word_times(before, found, {"c4a": (1000, 1500), "c4b": (1700, 3000)})
    assert step is not None
    after = step.apply(before)
    assert [(cue.start, cue.end) for cue in after.cues] == [(1000, 1500), (1700, 3000), (4000, 5000)]
    assert sorted(after.words_by_cue) == ["c4a", "c4b"]
    assert [each.id for each in after.word_times] == ["c4a", "c4b"]
    assert step.inverse().apply(after) == before
    assert set_word_times(after, after.word_times, {}) is None


def test_words_are_those_of_the_cue_with_what_is_pronounced_of_them():
    assert cue_words("– 8:15 to Wexcombe … C’est la vie! & six-forty") == (
        CueWord("8:15", ("8", "15")),
        CueWord("to", ("to",)),
        CueWord("Wexcombe", ("wexcombe",)),
        CueWord("C’est", ("c'est",)),
        CueWord("la", ("la",)),
        CueWord("vie!", ("vie",)),
        CueWord("six-forty", ("six", "forty")),
    )


def test_a_hostile_cue_has_no_endless_words():
    assert len(cue_words("a " * 10_000)) == 400
    assert cue_words("x" * 5_000) == ()


def test_ipa_becomes_the_sounds_of_the_acoustic_model():
    assert arpabet("wˈɛkskuːm") == ("W", "EH", "K", "S", "K", "UW", "M")
    assert arpabet("dʒˈɔɪ ʃɪvˈɔːn") == ("JH", "OY", "SH", "IH", "V", "AO", "N")
    assert arpabet("ǃ5☃") == ()


def test_confidences_are_thousandths():
    assert [logistic(value) for value in (-1e9, 0.0, 1e9)] == [0, 500, 1000]


def test_a_contradiction_says_when_the_words_are_spoken():
    cue = Cue("c1", 1000, 2000, "word")
    assert list(contradicted([cue], {"c1": said("c1", ("word", 500, 900))})) == [
        ContradictedCue("c1", Departure.STARTS_LATE, 500, Span(500, 900))
    ]
