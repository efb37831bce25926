"""Replacing the dialogue: what differs is found by words and times, and the change is one step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.cast import SpeakerSource
from adstudio.core.film import Film, SourceFile
from adstudio.core.script import Cue, CueKind, Script
from adstudio.core.steps import SetFilm, Several
from adstudio.editing.change import EditRefused
from adstudio.editing.dialogue_replacement import DialogueDiff, Shift, dialogue_diff, replace_dialogue, shift_of
from adstudio.editing.ids import Ids

OLD, NEW = SourceFile("/f/old.srt", "old.srt", 1, "blake2b:01"), SourceFile("/f/new.srt", "new.srt", 2, "blake2b:02")


def cue(name: str, start: float, text: str, length: float = 1.0, speaker: str | None = None) -> Cue:
    return Cue(name, round(start * 1000), round((start + length) * 1000), text, speaker)


HERE = (
    cue("c1", 1, "Who is there?", speaker="ANNA"),
    cue("c2", 5, "It is me."),
    cue("c3", 9, "Come in."),
    cue("c4", 13, "Thank you."),
)


def script(*cues: Cue) -> Script:
    return Script(Film("Film", 600_000, subtitles=OLD, encoding="cp1252"), cues=cues)


def names(cues: tuple[Cue, ...]) -> list[str]:
    return [each.text for each in cues]


def test_the_same_dialogue_does_not_differ():
    diff = dialogue_diff(HERE, tuple(replace(each, id=f"x{each.id}") for each in HERE))
    assert not diff
    assert diff.unchanged == 4
    # The names of speakers are known from elsewhere where the file has none.
    assert not dialogue_diff(HERE, tuple(replace(each, id="x", speaker=None) for each in HERE))


def test_how_a_speaker_is_known_is_no_difference_of_the_dialogue():
    labelled = tuple(replace(each, speaker_source=SpeakerSource.LABEL) for each in HERE if each.speaker)
    for present in (
        tuple(replace(each, speaker_source=None) for each in labelled),
        tuple(replace(each, speaker_source=SpeakerSource.DESCRIBER) for each in labelled),
        tuple(replace(each, speaker_source=SpeakerSource.VOICE, speaker_confidence=700) for each in labelled),
    ):
        diff = dialogue_diff(present, labelled)
        assert not diff
        assert diff.cues == present


def test_each_difference_is_found():
    new = (
        cue("n1", 1, "Who is there?"),
        cue("n2", 5.4, "It is me."),  # later
        cue("n3", 7, "Really."),  # new
        cue("n4", 9.1, "Come in, please."),  # other words at nearly the same time
    )
    diff = dialogue_diff(HERE, new)
    assert diff.unchanged == 1
    assert [(old.id, each.start) for old, each in diff.retimed] == [("c2", 5400)]
    assert [(old.id, each.text) for old, each in diff.reworded] == [("c3", "Come in, please.")]
    assert names(diff.added) == ["Really."]
    assert names(diff.removed) == ["Thank you."]
    assert [each.id for each in diff.cues] == ["c1", "c2", "", "c3"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("It’s me!", "It's me!"), ("Cafe\u0301.", "Caf\u00e9."), ("Come\nin.", "Come in."), ("STOP!", "Stop!")],
)
def test_words_are_the_same_in_another_spelling(old, new):
    """Other apostrophes, composed letters, line breaks or capitals: the cue is the same, and takes the new spelling."""
    diff = dialogue_diff((cue("c1", 1, old),), (cue("n1", 400, new),))
    assert (diff.added, diff.removed) == ((), ())
    assert [(each.id, each.text) for each in diff.cues] == [("c1", new)]


def test_what_was_set_by_hand_stays_where_the_words_are_the_same():
    sung = replace(HERE[1], kind=CueKind.SUNG)
    diff = dialogue_diff((HERE[0], sung), (cue("n1", 1, "Who is there?"), cue("n2", 6, "It is me.")))
    assert [(each.kind, each.speaker) for each in diff.cues] == [(CueKind.SPEECH, "ANNA"), (CueKind.SUNG, None)]
    # Other words are another cue: nothing of the present one holds for it.
    other = dialogue_diff((sung,), (cue("n2", 5, "Rain."),))
    assert other.cues[0].kind is CueKind.SPEECH


def test_cues_without_words_are_recognised_by_their_time():
    detected = tuple(cue(f"d{n}", 4 * n, "") for n in range(4))
    diff = dialogue_diff(detected, (cue("n0", 0, ""), cue("n1", 4.2, "Yes."), cue("n2", 100, "")))
    assert (diff.unchanged, len(diff.reworded), len(diff.removed), len(diff.added)) == (1, 1, 2, 1)


def test_a_word_that_everybody_says_all_the_time_is_recognised_by_its_time():
    yes = tuple(cue(f"c{n}", 2 * n, "Yes.") for n in range(60))
    diff = dialogue_diff(yes, yes[1:])
    assert (diff.unchanged, diff.removed) == (59, yes[:1])


@pytest.mark.parametrize(
    ("new_start", "shift"),
    [
        (lambda at: at + 2, Shift(2000, 2000)),
        (lambda at: at - 3600, Shift(-3_600_000, -3_600_000)),
        (lambda at: at + 0.4, None),  # within what an editor of subtitles may have moved
        (lambda at: at, None),
    ],
)
def test_another_time_base_is_told(new_start, shift):
    here = tuple(cue(f"c{n}", 4000 + 10 * n, f"Sentence {n}.") for n in range(40))
    moved = tuple(cue(f"n{n}", new_start(4000 + 10 * n), f"Sentence {n}.") for n in range(40))
    assert shift_of(dialogue_diff(here, moved)) == shift


def test_another_frame_rate_drifts():
    here = tuple(cue(f"c{n}", 10 * n, f"Sentence {n}.") for n in range(100))
    slow = tuple(replace(each, start=each.start * 25 // 24, end=each.end * 25 // 24) for each in here)
    shift = shift_of(dialogue_diff(here, slow))
    # At 25/24 the tenth sentence, the middle of the first fifth, is 100/24 s late, the last fifth's middle 900/24 s.
    assert shift is not None
    assert shift.drifts
    assert abs(shift.first - 100_000 / 24) <= 500
    assert abs(shift.last - 900_000 / 24) <= 500


def test_a_few_cues_that_were_moved_are_no_time_base():
    here = tuple(cue(f"c{n}", 10 * n, f"Sentence {n}.") for n in range(40))
    new = (*here[:30], *(replace(each, start=each.start + 3000, end=each.end + 3000) for each in here[30:]))
    assert shift_of(dialogue_diff(here, new)) is None


def test_it_is_one_step_with_its_file_and_undone_as_one():
    before = script(*HERE)
    step = replace_dialogue(before, Ids(before), (cue("n1", 5.5, "It is me."), cue("c1", 20, "Stop.")), NEW, "utf-8")
    assert isinstance(step, Several)
    assert step.label == "Replace dialogue"
    after = step.apply(before)
    assert [(each.start, each.text) for each in after.cues] == [(5500, "It is me."), (20_000, "Stop.")]
    # An id of the file is none of the script's.
    assert after.cues[0].id == "c2"
    assert after.cues[1].id not in {each.id for each in HERE}
    assert (after.film.subtitles, after.film.encoding) == (NEW, "utf-8")
    assert after.film.other_sources == (OLD,)
    assert step.inverse().apply(after) == before


def test_the_same_dialogue_in_another_file_only_names_the_file():
    before = script(*HERE)
    assert replace_dialogue(before, Ids(before), HERE, OLD, "cp1252") is None
    step = replace_dialogue(before, Ids(before), HERE, NEW, "cp1252")
    assert isinstance(step, SetFilm)
    # Back to the former one: it is a source once, not twice.
    after = step.apply(before)
    again = replace_dialogue(after, Ids(after), HERE, OLD, "cp1252")
    assert again is not None
    once_more = replace_dialogue(again.apply(after), Ids(after), HERE, NEW, "cp1252")
    assert once_more is not None
    assert once_more.apply(again.apply(after)).film.other_sources == (OLD, NEW)


def test_no_cue_at_all_is_refused():
    before = script(*HERE)
    with pytest.raises(EditRefused, match="no cue"):
        replace_dialogue(before, Ids(before), (), NEW)


texts = st.sampled_from(["", "Yes.", "No.", "Go!", "Who is there?", "Rain\nfalls.", "Anna…"])
dialogues = st.lists(st.tuples(st.integers(0, 300), st.integers(-5, 30), texts), max_size=40).map(
    lambda found: tuple(
        Cue(f"c{n}", 100 * start, 100 * (start + length), text)
        for n, (start, length, text) in enumerate(sorted(found, key=lambda each: each[0]))
    )
)


@given(dialogues, dialogues)
def test_whatever_differs_the_new_dialogue_is_there_and_undo_brings_the_old_one_back(here, new):
    before = script(*here)
    diff = dialogue_diff(here, new)
    assert isinstance(diff, DialogueDiff)
    assert diff.unchanged + len(diff.retimed) + len(diff.reworded) + len(diff.added) == len(new)
    assert diff.unchanged + len(diff.retimed) + len(diff.reworded) + len(diff.removed) == len(here)
    if not new:
        return
    step = replace_dialogue(before, Ids(before), new, OLD, "cp1252")
    after = before if step is None else step.apply(before)
    assert [(each.start, each.end, each.text) for each in after.cues] == [
        (each.start, each.end, each.text) for each in new
    ]
    assert len({each.id for each in after.cues}) == len(new)
    if step is not None:
        assert step.inverse().apply(after) == before
