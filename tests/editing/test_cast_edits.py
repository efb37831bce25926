"""Edits of the cast: each one step that goes back exactly, and refusals that say what to do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.cast import FaceBox, MergeRule, NamedFace, Person, Portrait, Pronouns, SpeakerSource
from adstudio.core.film import Film
from adstudio.core.script import Cue, Script
from adstudio.core.steps import Step
from adstudio.editing.cast import (
    add_person,
    add_portrait,
    belongings,
    change_person,
    choose_portrait,
    delete_person,
    merge_people,
    move_person,
    remove_portrait,
    rename_person,
    set_aliases,
    set_people,
    set_speaker,
    split_person,
)
from adstudio.editing.change import EditRefused
from adstudio.editing.labels import label_of

BOX = FaceBox(0, 0, 10, 10)
NORA = Person("n", "Nora", described_as="the clerk", portraits=(Portrait(b"1"),), first_seen=10)
VALE = Person("v", "Mrs Vale", pronouns=Pronouns.SHE, portraits=(Portrait(b"2"),))
TOM = Person("t", "Tom")
SCRIPT = Script(
    Film("f", 60_000),
    people=(NORA, VALE, TOM),
    cues=(
        Cue("c1", 0, 1, "a", "NORA", speaker_source=SpeakerSource.LABEL),
        Cue("c2", 2, 3, "b", "Mrs Vale", speaker_source=SpeakerSource.VOICE, speaker_confidence=700),
        Cue("c3", 4, 5, "c", "Tom"),
        Cue("c4", 6, 7, "d"),
    ),
    named_faces=(NamedFace("f1", 1, BOX, "v"), NamedFace("f2", 2, BOX, "t"), NamedFace("f3", 3, BOX, "v")),
)


def done(step: Step | None, script: Script = SCRIPT) -> Script:
    assert step is not None
    after = step.apply(script)
    assert step.inverse().apply(after) == script
    assert label_of(step, script)
    return after


def test_a_merge_brings_names_pictures_and_faces_and_a_split_gives_all_back() -> None:
    merged = done(merge_people(SCRIPT, ["v"], "n"))
    nora, tom = merged.people
    assert (nora.names, nora.pronouns, tom) == (("Nora", "Mrs Vale"), Pronouns.SHE, TOM)
    assert [portrait.image for portrait in nora.all_portraits] == [b"1", b"2"]
    assert nora.merged[0].rule is MergeRule.DESCRIBER
    assert [face.person for face in merged.named_faces] == ["n", "t", "n"]
    assert merged.person_named("mrs vale") is nora
    split = done(split_person(merged, "n", "v"), merged)
    assert split.people == SCRIPT.people


def test_several_are_merged_as_one_step() -> None:
    merged = done(merge_people(SCRIPT, ["n", "v", "t", "v"], "n"))
    (nora,) = merged.people
    assert nora.names == ("Nora", "Mrs Vale", "Tom")
    assert [face.person for face in merged.named_faces] == ["n", "n", "n"]
    step = merge_people(SCRIPT, ["v", "t"], "n")
    assert step is not None
    assert label_of(step, SCRIPT) == "Merge 2 characters into “Nora”"


def test_entries_that_were_merged_go_along_and_can_be_split_by_themselves() -> None:
    once = done(merge_people(SCRIPT, ["t"], "v"))
    twice = done(merge_people(once, ["v"], "n"), once)
    (nora,) = twice.people
    assert [each.entry.name for each in nora.merged] == ["Mrs Vale", "Tom"]
    split = done(split_person(twice, "n", "t"), twice)
    assert split.people[1] == TOM
    assert split.people[0].names == ("Nora", "Mrs Vale")


def test_a_new_name_keeps_what_the_cues_say() -> None:
    renamed = done(rename_person(SCRIPT, "n", "Eleanor Vale"))
    assert renamed.people[0].aliases == ("Nora",)
    assert renamed.person_named("NORA") is renamed.people[0]
    back = done(rename_person(renamed, "n", "Nora"), renamed)
    assert back.people[0].aliases == ()  # no cue says Eleanor Vale
    assert rename_person(SCRIPT, "n", " Nora ") is None


def test_everything_of_a_person_goes_and_what_the_subtitles_say_stays() -> None:
    own = belongings(SCRIPT, "v")
    assert ([face.id for face in own.faces], [cue.id for cue in own.cues]) == (["f1", "f3"], ["c2"])
    rest = done(delete_person(SCRIPT, "v"))
    assert rest.people == (NORA, TOM)
    assert [face.id for face in rest.named_faces] == ["f2"]
    assert rest.cues[1] == Cue("c2", 2, 3, "b")
    assert belongings(SCRIPT, "n").cues == ()
    assert done(delete_person(SCRIPT, "n")).cues[0].speaker == "NORA"


def test_the_describer_says_who_speaks() -> None:
    spoken = done(set_speaker(SCRIPT, ["c2", "c4"], " Tom "))
    assert [(cue.speaker, cue.speaker_source) for cue in spoken.cues[1::2]] == [("Tom", SpeakerSource.DESCRIBER)] * 2
    assert spoken.cues[1].speaker_confidence is None
    assert done(set_speaker(SCRIPT, ["c1"], None)).cues[0] == Cue("c1", 0, 1, "a")
    assert set_speaker(SCRIPT, ["c4"], None) is None


def test_people_come_change_and_move() -> None:
    added = done(add_person(SCRIPT, "  The   guard "))
    assert added.people[-1].name == "The guard"
    assert done(set_aliases(SCRIPT, "t", ["Tommy", "tommy", "Tom"])).people[2].aliases == ("Tommy",)
    assert done(add_portrait(SCRIPT, "n", Portrait(b"3"))).people[0].face == b"3"
    assert done(add_portrait(SCRIPT, "n", Portrait(b"3"), first=False)).people[0].face == b"1"
    two = done(add_portrait(SCRIPT, "n", Portrait(b"3")))
    assert [each.image for each in done(choose_portrait(two, "n", b"1"), two).people[0].portraits] == [b"1", b"3"]
    assert choose_portrait(two, "n", b"3") is None
    assert done(remove_portrait(two, "n", b"3"), two).people == SCRIPT.people
    assert remove_portrait(two, "n", b"gone") is None
    assert [each.id for each in done(move_person(SCRIPT, "t", -1)).people] == ["n", "t", "v"]
    assert [each.id for each in done(move_person(SCRIPT, "n", 1)).people] == ["v", "n", "t"]
    assert move_person(SCRIPT, "n", -1) is None
    assert change_person(SCRIPT, "n", {"colour": ""}) is None
    assert done(set_people(SCRIPT, (TOM,))).people == (TOM,)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda: add_person(SCRIPT, " "), "name is 1 to 60"),
        (lambda: add_person(SCRIPT, "tom"), "“Tom” is already in the cast: merge the two"),
        (lambda: rename_person(SCRIPT, "n", "Tom"), "already in the cast"),
        (lambda: set_aliases(SCRIPT, "n", ["Tom"]), "already in the cast"),
        (lambda: choose_portrait(SCRIPT, "n", b"gone"), "no longer there"),
        (lambda: set_aliases(SCRIPT, "n", [f"a{n}" for n in range(31)]), "at most 30"),
        (lambda: change_person(SCRIPT, "n", {"described_as": "x" * 121}), "at most 120"),
        (lambda: merge_people(SCRIPT, ["n"], "n"), "with itself"),
        (lambda: merge_people(SCRIPT, ["gone"], "n"), "no longer in the cast"),
        (lambda: split_person(SCRIPT, "n", "v"), "no longer merged"),
        (lambda: delete_person(SCRIPT, "gone"), "no longer in the cast"),
        (lambda: set_speaker(SCRIPT, ["gone"], "Tom"), "no longer in the script"),
        (lambda: set_speaker(SCRIPT, ["c1"], "a\nb" * 60), "name is 1 to 60"),
        (lambda: set_people(SCRIPT, (TOM, replace(TOM, id="x"))), "two people are called"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(edit: object, said: str) -> None:
    with pytest.raises(EditRefused, match=f"(?i){said}"):
        edit()  # pyright: ignore[reportCallIssue]


def test_a_split_whose_name_somebody_has_now_is_refused() -> None:
    merged = done(merge_people(SCRIPT, ["v"], "n"))
    taken = done(add_person(merged, "Mrs Vale"), merged)
    with pytest.raises(EditRefused, match="already in the cast"):
        split_person(taken, "n", "v")


@given(st.lists(st.tuples(st.sampled_from(["merge", "split", "delete"]), st.integers(0, 3), st.integers(0, 3))))
def test_merges_splits_and_deletions_in_any_order_go_back_exactly(acts: list[tuple[str, int, int]]) -> None:
    script = SCRIPT
    for act, one, other in acts:
        ids = [person.id for person in script.people]
        if not ids:
            break
        first, second = ids[one % len(ids)], ids[other % len(ids)]
        merged = script.person_by_id[first].merged
        try:
            if act == "merge":
                step = merge_people(script, [first], second)
            elif act == "delete":
                step = delete_person(script, first)
            else:
                step = split_person(script, first, merged[0].entry.id) if merged else None
        except EditRefused:
            continue
        if step is not None:
            script = done(step, script)
