"""Who speaks a cue: the cascade, other programs' turns, and the paper's score."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from adstudio.characters import turn_files
from adstudio.characters.speaker_scores import speaker_score
from adstudio.characters.speakers import CuesByTurns, Evidence, NamedCue, Turn, cues_by_turns, name_speakers
from adstudio.characters.turn_files import names_of, read_turns, read_words
from adstudio.characters.voice_embeddings import clusters
from adstudio.characters.word_messages import words_json
from adstudio.characters.word_times import FoundWords
from adstudio.core.cast import Person, SpeakerSource
from adstudio.core.errors import BadInputError
from adstudio.core.film import Film, Media
from adstudio.core.script import Cue, CueKind, Script
from adstudio.core.timebase import Span
from adstudio.core.word_times import CueWords, SpokenWord
from adstudio.editing.speakers import set_speakers

LABEL, VOICE, DESCRIBER = SpeakerSource.LABEL, SpeakerSource.VOICE, SpeakerSource.DESCRIBER
NOTHING = Evidence({}, {}, {})


def cue(number: int, speaker: str | None = None, source: SpeakerSource | None = None) -> Cue:
    return Cue(f"c{number}", 1000 * number, 1000 * number + 900, "Words.", speaker, CueKind.SPEECH, source)


def voice(angle: float) -> np.ndarray:
    """A vector of length 1 at an angle in degrees: two that are 53.1° apart have a cosine distance of 0.4."""
    return np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))], np.float32)


def names(found: tuple[NamedCue, ...]) -> dict[str, tuple[str, SpeakerSource | None]]:
    return {each.cue: (each.speaker, each.source) for each in found}


# The cascade


def test_labels_and_the_describer_go_before_the_screenplay_and_that_before_a_model():
    cues = [cue(1, "NORA", LABEL), cue(2, "Tom", DESCRIBER), cue(3), cue(4), cue(5)]
    evidence = Evidence({"c1": "TOM", "c2": "NORA", "c3": "TOM"}, {"c3": "Nora", "c4": "Nora"}, {})
    assert names(name_speakers(cues, (), evidence)) == {
        "c1": ("NORA", LABEL),
        "c2": ("Tom", DESCRIBER),
        "c3": ("TOM", SpeakerSource.SCREENPLAY),
        "c4": ("Nora", SpeakerSource.MODEL),
    }


def test_names_that_a_machine_gave_before_are_found_anew():
    assert name_speakers([cue(1, "Nora", VOICE)], (), NOTHING) == ()


def test_a_name_is_carried_to_the_same_voice_and_a_stranger_stays_unknown():
    cues = [cue(1, "Nora"), cue(2), cue(3, "Tom"), cue(4), cue(5)]
    voices = {"c1": voice(0), "c2": voice(8), "c3": voice(80), "c4": voice(75), "c5": voice(-140)}
    assert names(name_speakers(cues, (), Evidence({}, {}, voices))) == {
        "c1": ("Nora", None),
        "c2": ("Nora", VOICE),
        "c3": ("Tom", None),
        "c4": ("Tom", VOICE),
    }


def test_a_correction_teaches_the_cues_of_its_voice():
    voices = {f"c{number}": voice(number) for number in range(1, 6)}
    before = [cue(1, "Tom", LABEL), *(cue(number) for number in range(2, 6))]
    assert {each.speaker for each in name_speakers(before, (), Evidence({}, {}, voices))} == {"Tom"}
    corrected = [cue(1, "Nora", DESCRIBER), *(cue(number, "Tom", VOICE) for number in range(2, 6))]
    assert {each.speaker for each in name_speakers(corrected, (), Evidence({}, {}, voices))} == {"Nora"}


def test_names_are_those_of_the_cast():
    people = (Person("p1", "Nora Vale", aliases=("NORA",)),)
    cues = [cue(1, "nora"), cue(2)]
    found = name_speakers(cues, people, Evidence({"c2": "Nora"}, {}, {}))
    assert [each.speaker for each in found] == ["Nora Vale", "Nora Vale"]


def test_the_only_voice_without_a_name_is_the_only_person_without_a_cue():
    people = (Person.named("Nora"), Person.named("Tom"))
    cues = [cue(1, "Nora"), cue(2), cue(3)]
    voices = {"c1": voice(0), "c2": voice(100), "c3": voice(103)}
    assert names(name_speakers(cues, people, Evidence({}, {}, voices))) == {
        "c1": ("Nora", None),
        "c2": ("Tom", SpeakerSource.CAST),
        "c3": ("Tom", SpeakerSource.CAST),
    }
    three = (*people, Person.named("Guard"))
    assert names(name_speakers(cues, three, Evidence({}, {}, voices))) == {"c1": ("Nora", None)}


def test_without_any_name_nobody_is_named():
    voices = {"c1": voice(0), "c2": voice(5)}
    assert name_speakers([cue(1), cue(2)], (Person.named("Nora"),), Evidence({}, {}, voices)) == ()


def test_turns_of_another_program_take_the_place_of_voices():
    cues = [cue(1, "Nora"), cue(2), cue(3), cue(4), cue(5)]
    turns = (
        Turn(Span(1000, 2900), "SPEAKER_00"),
        Turn(Span(3000, 3900), "SPEAKER_01"),
        Turn(Span(4000, 4400), "Guard", named=True),
        Turn(Span(5000, 5100), "SPEAKER_00"),
    )
    voices = {"c1": voice(0), "c3": voice(1)}
    assert names(name_speakers(cues, (), Evidence({}, {}, voices, turns))) == {
        "c1": ("Nora", None),
        "c2": ("Nora", SpeakerSource.DIARISATION),
        "c4": ("Guard", SpeakerSource.DIARISATION),
    }


def test_a_tie_between_names_of_one_turn_is_unknown():
    cues = [cue(1, "Nora"), cue(2, "Tom"), cue(3)]
    found = name_speakers(cues, (), Evidence({}, {}, {}, (Turn(Span(0, 9000), "1"),)))
    assert "c3" not in names(found)


def test_average_linkage_joins_what_is_close_on_average():
    # 0° and 40° are 0.23 apart; 90° is 0.36 from 40° but 1 from 0°, on average 0.68.
    assert clusters([voice(0), voice(40), voice(90)], 0.4) == [0, 0, 1]
    assert clusters([voice(0), voice(40), voice(90)], 0.7) == [0, 0, 0]
    assert clusters([voice(170), voice(0), voice(175), voice(5)], 0.4) == [0, 1, 0, 1]
    assert clusters([], 0.4) == []


# The step


def test_found_names_are_one_step_that_leaves_the_describers_alone_and_takes_old_guesses_back():
    cues = (cue(1, "Nora", DESCRIBER), cue(2, "Tom", VOICE), cue(3), cue(4, "ANNA"))
    before = Script(Film("f", 10_000), cues=cues)
    step = set_speakers(before, dict.fromkeys(("c1", "c3", "c4"), ("Tom", VOICE, 800)))
    assert step is not None
    after = step.apply(before)
    assert [(each.speaker, each.speaker_source, each.speaker_confidence) for each in after.cues] == [
        ("Nora", DESCRIBER, None),
        (None, None, None),
        ("Tom", VOICE, 800),
        ("ANNA", None, None),
    ]
    assert step.inverse().apply(after) == before


# The paper's score, by hand


@pytest.mark.parametrize(
    ("predicted", "counts", "precision", "recall", "f1"),
    [
        ({}, (0, 0, 4), 0, 0, 0),
        ({"1": "Nora", "2": "Tom", "3": "Nora Vale", "4": "guard"}, (4, 0, 0), 1, 1, 1),
        # One right, one wrong, two unnamed: P 1/2, R 1/4, F1 2 · 1/8 / (3/4) = 1/3.
        ({"1": "Nora", "2": "Nora"}, (1, 1, 3), 0.5, 0.25, 1 / 3),
        # Three right, one wrong: the wrong one is both a false positive and a false negative.
        ({"1": "NORA", "2": "Tom Finch", "3": "Nora", "4": "Tom"}, (3, 1, 1), 0.75, 0.75, 0.75),
        # Who is nobody's of the cast is wrong; segments that are not known do not count.
        ({"1": "Bill", "9": "Tom"}, (0, 1, 4), 0, 0, 0),
    ],
)
def test_f1_is_the_papers(predicted, counts, precision, recall, f1):
    gold = {"1": "Nora Vale", "2": "Tom", "3": "Nora", "4": "Guard"}
    score = speaker_score(gold, predicted, ["Nora Vale", "Tom Finch", "Guard"])
    assert (score.true_positives, score.false_positives, score.false_negatives) == counts
    assert (score.precision, score.recall) == (precision, recall)
    assert score.f1 == pytest.approx(f1)


def test_a_name_that_two_of_the_cast_share_means_neither_and_generic_names_only_as_a_whole():
    cast = ["Nora Vale", "Peter Vale", "Tall Man", "Old Man"]
    assert speaker_score({"1": "Peter Vale"}, {"1": "Vale"}, cast).true_positives == 0
    assert speaker_score({"1": "Tall Man"}, {"1": "man"}, cast).true_positives == 0
    assert speaker_score({"1": "Tall Man"}, {"1": "TALL MAN"}, cast).true_positives == 1


# Files of other programs


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "turns"
    path.write_text(text, encoding="utf-8")
    return path


def test_rttm_is_read_with_its_oddities(tmp_path):
    found = read_turns(
        written(
            tmp_path,
            ";; made by hand\n"
            "SPKR-INFO film 1 <NA> <NA> <NA> unknown A <NA> <NA>\n"
            "SPEAKER film 1 2.5 1.25 <NA> <NA> Nora <NA> <NA>\n"
            "SPEAKER film 1 0.5 1 <NA> <NA> speaker_0 <NA> <NA>\n"
            "SPEAKER film 1 nan 1 <NA> <NA> A <NA> <NA>\n"
            "SPEAKER film 1 1e99 1 <NA> <NA> A <NA> <NA>\n"
            "SPEAKER film 1 5 -1 <NA> <NA> A <NA> <NA>\n"
            "nonsense\n",
        )
    )
    assert found.turns == (Turn(Span(500, 1500), "speaker_0"), Turn(Span(2500, 3750), "Nora", named=True))
    assert [oddity.line for oddity in found.oddities] == [5, 6, 7, 8]


def test_a_speaker_line_without_a_speaker_is_an_oddity(tmp_path: Path) -> None:
    fields = ["SPEAKER", "film", "1", "2.5", "1.25", "<NA>", "<NA>", "Nora", "<NA>", "<NA>"]
    lines = [" ".join(fields[:number]) for number in range(1, len(fields) + 1)]
    found = read_turns(written(tmp_path, "\n".join(lines)))
    # The name is the eighth field: lines 8, 9 and 10 have it.
    assert found.turns == (Turn(Span(2500, 3750), "Nora", named=True),) * 3
    assert [oddity.line for oddity in found.oddities] == [1, 2, 3, 4, 5, 6, 7]
    assert [oddity.what[:20] for oddity in found.oddities[:2]] == ["the line has 1 field", "the line has 2 field"]
    # A file of words: speakers are not looked for.
    assert read_words(written(tmp_path, "SPEAKER film 1 2\nfilm 1 0.5 0.25 good\n")).oddities == ()


TWO_RECORDINGS = {
    "RTTM": "SPEAKER {0} 1 1 2 <NA> <NA> Nora <NA> <NA>\nSPEAKER {1} 1 4 2 <NA> <NA> Tom <NA> <NA>\n",
    "CTM": "{0} 1 1 2 good 0.9 lex Nora\n{1} 1 4 2 evening 0.9 lex Tom\n",
}


@pytest.mark.parametrize("text", TWO_RECORDINGS.values(), ids=TWO_RECORDINGS)
@pytest.mark.parametrize(
    ("recordings", "film", "file", "used"),
    [
        (("other", "the-film"), ("The Film",), "turns", 4),
        (("the_film.wav", "other"), ("The Film",), "turns", 1),
        (("other", "the_film"), ("Untitled", "the film"), "turns", 4),
        (("other", "the_film"), ("Untitled",), "other.rttm", 1),
        # The film's name goes before the file's.
        (("other", "the_film"), ("The Film",), "other.rttm", 4),
        # A whole id goes before one without its ending.
        (("film.1", "film"), ("Film",), "turns", 4),
        (("film.1", "film.2"), ("Film",), "turns", None),
        (("one", "two"), ("Film", "…"), "turns", None),
    ],
)
def test_of_several_recordings_the_films_counts(tmp_path: Path, text, recordings, film, file, used) -> None:
    path = tmp_path / file
    path.write_text(text.format(*recordings))
    if used is None:
        with pytest.raises(BadInputError, match="about 2 recordings") as refused:
            read_turns(path, names=film)
        assert all(f"“{each}”" in str(refused.value) for each in recordings)
        return
    turns = read_turns(path, names=film)
    assert [turn.span for turn in turns.turns] == [Span(1000 * used, 1000 * used + 2000)]
    (oddity,) = turns.oddities
    rest = recordings[0] if used == 4 else recordings[1]
    assert oddity.what.endswith(f"is used; not used: “{rest}”")
    if text is TWO_RECORDINGS["CTM"]:
        words = read_words(path, names=film)
        assert [word.start for word in words.words] == [1000 * used]
        assert words.oddities == turns.oddities


def test_a_recording_is_called_as_its_film_or_its_video() -> None:
    assert names_of(Film("Night train", 10_000)) == ("Night train",)
    media = Media("/films/train.final.mp4", "train.final.mp4", 0, "", 10_000)
    assert names_of(Film("Night train", 10_000, media=media)) == ("Night train", "train.final")


def test_ctm_gives_words_and_speakers_where_it_has_them(tmp_path):
    path = written(tmp_path, "film 1 0.50 0.25 good 0.98\nfilm 1 0.80 0.40 evening 0.5 lex spk1\n")
    assert read_words(path).words == (SpokenWord("good", 500, 750, 980), SpokenWord("evening", 800, 1200, 500))
    assert read_turns(path).turns == (Turn(Span(800, 1200), "spk1"),)


def test_webvtt_gives_its_voices_as_names(tmp_path):
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Nora Vale>Yes?\n\n00:03.000 --> 00:04.000\nNobody.\n"
    assert read_turns(written(tmp_path, text)).turns == (Turn(Span(1000, 2000), "Nora Vale", named=True),)


@pytest.mark.parametrize("shape", ["list", "segments"])
def test_json_gives_segments(tmp_path, shape):
    segments = [{"start": 1, "end": "2.5", "speaker": "SPEAKER_01"}, {"start": 3, "end": 2, "speaker": "B"}, 7]
    found = read_turns(written(tmp_path, json.dumps(segments if shape == "list" else {shape: segments})))
    assert found.turns == (Turn(Span(1000, 2500), "SPEAKER_01"),)
    assert len(found.oddities) == 2


@pytest.mark.parametrize(
    ("tag", "named"),
    [
        *((tag, False) for tag in ("S0", "spk_0", "SPEAKER_00", "Speaker A", "speaker-b", "Guest-1", "12", "<NA>")),
        *((tag, False) for tag in ("A", "B", "c", "male_1", "Female 2", "female", "M1", "F_3", "unknown")),
        *(
            (tag, False)
            for tag in ("spk_0_1", "Spk.1", "speaker#2", "SPK-A", "Sprecher_1", "[A]", "(Speaker 2)", "Voice")
        ),
        *((tag, True) for tag in ("Mo", "Al", "Nora", "Guard 2", "Man 1", "Guest", "Seven of Nine", "R2-D2", "Я")),
    ],
)
def test_numbers_and_letters_that_programs_give_voices_are_no_names(tmp_path: Path, tag: str, named: bool) -> None:
    segments = [{"start": 1, "end": 2, "speaker": tag}]
    assert read_turns(written(tmp_path, json.dumps(segments))).turns == (Turn(Span(1000, 2000), tag, named=named),)
    webvtt = written(tmp_path, f"WEBVTT\n\n00:01.000 --> 00:02.000\n<v {tag.strip('<>')}>Yes?\n")
    assert [turn.named for turn in read_turns(webvtt).turns] == [named or tag == "<NA>"]


WORDS = (SpokenWord("Good", 1100, 1300, 700), SpokenWord("evening,", 1300, 1750))
GOOD, EVENING = {"start": 1.1, "end": 1.3}, {"start": "1.3", "end": 1.75}


@pytest.mark.parametrize(
    "shape",
    [
        [GOOD | {"word": " Good", "confidence": 0.7}, EVENING | {"word": "evening,"}],
        [GOOD | {"text": "Good", "score": 0.7}, EVENING | {"text": "evening,", "confidence": None}],
        {"text": "Good …", "words": [GOOD | {"text": "Good", "confidence": 0.7}, EVENING | {"text": "evening,"}]},
        {
            "text": "Good evening,",
            "segments": [
                {"start": 1.1, "end": 1.3, "text": " Good", "words": [GOOD | {"word": " Good", "probability": 0.7}]},
                {"start": 1.3, "end": 1.75, "text": " evening,", "words": [EVENING | {"word": " evening,"}]},
            ],
        },
        {
            "segments": [{"start": 1.1, "end": 1.75, "text": "Good evening,", "speaker": "SPEAKER_00"}],
            "word_segments": [GOOD | {"word": "Good", "score": 0.7, "speaker": "A"}, EVENING | {"word": "evening,"}],
        },
    ],
)
def test_words_are_read_under_the_keys_that_programs_give_them(tmp_path: Path, shape: object) -> None:
    found = read_words(written(tmp_path, json.dumps(shape)))
    assert found.words == WORDS
    assert found.oddities == ()


def test_our_own_words_are_read_again(tmp_path: Path) -> None:
    cue = CueWords("c1", "Good evening,", 1000, 2000, WORDS)
    unknown = CueWords("c2", "Hm.", 3000, 4000)
    ours = words_json(Film("f", 10_000), FoundWords((cue, unknown), ("c2",)), (), {})
    found = read_words(written(tmp_path, json.dumps(ours)))
    assert found.words == WORDS
    assert found.oddities == ()


@pytest.mark.parametrize(
    "text",
    [
        "SPEAKER film 1 0.5 1 <NA> <NA> A <NA> <NA>\n",
        '[{"start": 1, "end": 2, "speaker": "Nora", "text": "Good evening."}]',
        '{"segments": [{"start": 1, "end": 2, "text": "Good."}]}',
        '{"words": [{"word": "good"}]}',
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Nora>Yes?\n",
    ],
)
def test_a_file_without_words_is_refused_in_a_sentence_about_words(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInputError, match="has no words with times: give CTM, or JSON") as refused:
        read_words(written(tmp_path, text))
    assert "RTTM" not in str(refused.value)
    with pytest.raises(BadInputError, match="file of words"):
        read_words(tmp_path / "missing")


@pytest.mark.parametrize("read", [read_turns, read_words])
def test_a_file_that_begins_past_the_films_end_is_refused(tmp_path: Path, read) -> None:
    path = written(tmp_path, "film 1 11000 250 good 0.98 lex Nora\nfilm 1 11500 400 evening 0.5 lex Nora\n")
    with pytest.raises(BadInputError, match="begins at 11,000 s, but the film ends at 164 s"):
        read(path, 164_000)
    assert read(path, 11_000_001)


def test_only_turns_at_a_cue_count_for_it_though_an_earlier_one_is_longer() -> None:
    turns = (
        Turn(Span(0, 60_000), "B"),
        Turn(Span(1000, 1100), "A"),
        Turn(Span(5000, 5900), "A"),
        Turn(Span(9900, 20_000), "A"),
    )
    # c5 is covered by both to 900 ms; c9 by B alone, as A begins where c9 ends; c10 by both again.
    assert cues_by_turns([cue(5), cue(9), cue(10)], turns) == CuesByTurns({"B": ["c9"]}, ("c5", "c10"))
    assert cues_by_turns([cue(70)], turns) == CuesByTurns({})


@pytest.mark.parametrize("tags", [("A", "B"), ("B", "A")])
@pytest.mark.parametrize(
    ("first", "second", "clear"),
    [
        # Of the cue from 1000 to 1900. Over all of it, both: 900 of 1800 are half.
        ([(0, 9000)], [(0, 9000)], False),
        # One after the other, 540 and 360 of 900: just three fifths; 530 and 370 are less.
        ([(1000, 1540)], [(1540, 1900)], True),
        ([(1000, 1530)], [(1530, 1900)], False),
        # One over the other: 900 and 600 of 1500 are three fifths, 900 and 610 of 1510 less.
        ([(500, 2500)], [(1100, 1700)], True),
        ([(500, 2500)], [(1100, 1710)], False),
        # What one voice's own turns cover twice counts once: 450 and 450, not 900 and 450.
        ([(1000, 1450), (1000, 1450)], [(1450, 1900)], False),
        ([(1000, 1400), (1100, 1300), (1350, 1450)], [(1450, 1900)], False),
    ],
)
def test_a_cue_is_whose_turns_have_three_fifths_of_what_covers_it(tags, first, second, clear) -> None:
    lead, other = tags
    turns = [Turn(Span(*span), tag) for tag, spans in ((lead, first), (other, second)) for span in spans]
    for ordered in (turns, turns[::-1]):
        assert cues_by_turns([cue(1)], ordered) == (CuesByTurns({lead: ["c1"]}) if clear else CuesByTurns({}, ("c1",)))


def test_overlapping_turns_over_the_whole_film_name_nobody() -> None:
    cues = [cue(1), cue(2), cue(3, "Nora")]
    turns = tuple(Turn(Span(0, 9000), name, named=True) for name in ("Tom", "Nora", "Guard"))
    assert names(name_speakers(cues, (), Evidence({}, {}, {}, turns))) == {"c3": ("Nora", None)}
    assert cues_by_turns(cues, turns) == CuesByTurns({}, ("c1", "c2", "c3"))


@pytest.mark.parametrize("text", ["", "{}", "[", "[" * 100_000, '{"segments": 5}', "WEBVTT\n", "\0\0\0", "a b c\n" * 5])
def test_a_file_that_says_nothing_is_refused(tmp_path, text):
    for read in (read_turns, read_words):
        with pytest.raises(BadInputError):
            read(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('[{"start": ' + "1" * 10_000 + "}]", "a number that is too large"),
        ('[{"start": 1,}]', "line 1, column 14"),
    ],
)
def test_json_that_cannot_be_read_is_refused_in_our_own_words(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "turns.json"
    path.write_text(text)
    with pytest.raises(BadInputError, match=said) as refused:
        read_turns(path)
    assert "recursion" not in str(refused.value)
    assert "set_int_max" not in str(refused.value)


def test_what_lies_past_the_films_end_is_left_out_and_said(tmp_path: Path) -> None:
    rows = [{"start": start, "end": start + 1, "speaker": "Nora", "word": "Well"} for start in (1, 9, 10, 30)]
    turns = read_turns(written(tmp_path, json.dumps(rows)), 10_000)
    assert [turn.span.start for turn in turns.turns] == [1_000, 9_000]
    assert [oddity.what for oddity in turns.oddities] == [
        "2 turns lie after the film’s end at 10 s, and count for nothing: check that the file is of this cut"
    ]
    (one,) = read_turns(written(tmp_path, json.dumps(rows)), 10_001).oddities
    assert one.what.startswith("1 turn lies after the film’s end at 10.001 s, and counts for nothing:")
    words = read_words(written(tmp_path, json.dumps(rows)), 10_000)
    assert [word.start for word in words.words] == [1_000, 9_000]
    assert len(words.oddities) == 1
    assert read_turns(written(tmp_path, json.dumps(rows))).oddities == ()


@pytest.mark.parametrize(("count", "oddities"), [(3, []), (4, ["only the first 3 {} are read"])])
def test_what_is_beyond_the_most_that_is_read_is_said(tmp_path: Path, monkeypatch, count, oddities) -> None:
    monkeypatch.setattr(turn_files, "MOST_TURNS", 3)
    path = written(tmp_path, "film 1 1 2 good 0.9 lex Nora\n" * count)
    for read, what in ((read_turns, "turns"), (read_words, "words")):
        assert [oddity.what for oddity in read(path).oddities] == [oddity.format(what) for oddity in oddities]


def test_a_name_of_many_digits_is_read_at_once(tmp_path: Path) -> None:
    segments = [{"start": 1, "end": 2, "speaker": f"{'1' * 50}!"}]
    (turn,) = read_turns(written(tmp_path, json.dumps(segments))).turns
    assert turn.named
