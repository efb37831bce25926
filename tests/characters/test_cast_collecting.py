"""Collecting a cast: what sources name, which names are one person by which rule, and what is left apart."""

from __future__ import annotations

import pytest

from adstudio.characters.cast_collecting import collected
from adstudio.characters.cast_names import merge_rule, people_in, shown_name
from adstudio.characters.cast_sources import FoundPerson, in_cues
from adstudio.core.cast import CharacterSource, MergeRule, People, Person, Pronouns, SpeakerSource
from adstudio.core.cast_merging import person_from, without_merged
from adstudio.core.script import Cue

SCREENPLAY, SUBTITLES, LIST = (
    CharacterSource.SCREENPLAY,
    CharacterSource.SUBTITLES,
    CharacterSource.CAST_LIST,
)


def found(*names: str, source: CharacterSource = SCREENPLAY, count: int = 1) -> list[FoundPerson]:
    return [FoundPerson(shown_name(name), source, count) for name in names]


def names(people: People) -> list[str]:
    return [person.name for person in people]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("NORA (V.O.)", "Nora"),
        ("NORA (CONT'D)", "Nora"),
        ("NORA VALE (O.S.) (CONT’D)", "Nora Vale"),
        ("NORA (CONT", "Nora"),
        ("JEAN-LUC", "Jean-Luc"),
        ("Nora:", "Nora"),
        ("TJ", "TJ"),
        ("O'BRIEN", "O'brien"),
        ("МИРА", "Мира"),
        ("(V.O.)", ""),
        ("—", "—"),
        ("x" * 400, "x" * 60),
    ],
)
def test_marks_of_a_screenplay_are_no_part_of_a_name(written: str, shown: str) -> None:
    assert shown_name(written) in (shown, shown.replace("—", ""))


@pytest.mark.parametrize(
    ("written", "people"),
    [
        ("NORA & TOM", ("Nora", "Tom")),
        ("NORA/TOM", ("Nora", "Tom")),
        ("NORA AND TOM", ("Nora", "Tom")),
        ("ALL", ()),
        ("NORA AND OTHERS", ("Nora",)),
        ("“NORA & TOM”", ("Nora", "Tom")),
        ("NORA (V.O.) & TOM (CONT'D)", ("Nora", "Tom")),
        ("NORA (TO TOM & ANN)", ("Nora",)),
        ("MR. & MRS. VALE", ("Mr Vale", "Mrs. Vale")),
        ("ANDY", ("Andy",)),
        ("SANDRA", ("Sandra",)),
    ],
)
def test_several_people_who_speak_at_once_are_several(written: str, people: tuple[str, ...]) -> None:
    assert people_in(written) == people


@pytest.mark.parametrize(
    ("short", "full", "rule"),
    [
        ("Zoe", "Zoë", MergeRule.WRITTEN_ALIKE),
        ("Nora", "Nora Vale", MergeRule.PART_OF_NAME),
        ("Vale", "Nora Vale", MergeRule.PART_OF_NAME),
        ("Mrs Vale", "Nora Vale", MergeRule.TITLE_AND_SURNAME),
        ("Vale", "Mrs Vale", MergeRule.PART_OF_NAME),
        ("Señora Vale", "Nora Vale", MergeRule.TITLE_AND_SURNAME),
        ("Frau Dr. Vale", "Nora Vale", MergeRule.TITLE_AND_SURNAME),
        ("Mme Vale", "Nora Vale", MergeRule.TITLE_AND_SURNAME),
        ("Bill", "William Stone", MergeRule.NICKNAME),
        ("Bill Stone", "William Stone", MergeRule.NICKNAME),
        ("Captain Nora", "Nora Vale", None),  # a title with a first name may be anybody's
        ("Young Nora", "Nora", None),
        ("Nora", "Young Nora", None),
        ("Nora", "Old Nora Vale", None),
        ("Guard", "Guard 2", None),
        ("Guard 1", "Guard 2", None),
        ("Man", "Man In Hat", None),
        ("Clerk", "The Clerk Tom", None),
        ("Nora’s Mother", "Nora", None),
        ("Nora", "Nora’s Mother", None),
        ("Nora Vale", "Nora", None),  # the fuller is not the shorter's
        ("Tom", "Nora Vale", None),
        ("Bill Reed", "William Stone", None),
        ("Doctor", "Doctor Who", None),
        ("", "Nora", None),
    ],
)
def test_which_rule_lets_a_name_mean_a_fuller_one(short: str, full: str, rule: MergeRule | None) -> None:
    assert merge_rule(short, full) == rule


def test_three_names_of_one_person_are_merged_and_the_young_one_stays_apart() -> None:
    cast = collected((), found("NORA", "NORA VALE (V.O.)", "MRS VALE", "YOUNG NORA", "TOM"))
    assert sorted(names(cast.people)) == ["Nora Vale", "Tom", "Young Nora"]
    (nora,) = (person for person in cast.people if person.name == "Nora Vale")
    assert {(each.entry.name, each.rule) for each in nora.merged} == {
        ("Nora", MergeRule.PART_OF_NAME),
        ("Mrs Vale", MergeRule.TITLE_AND_SURNAME),
    }
    assert nora.pronouns is Pronouns.SHE  # as the title tells
    assert set(nora.names) == {"Nora Vale", "Nora", "Mrs Vale"}


def test_the_name_that_is_said_more_often_is_the_one_that_stays() -> None:
    cast = collected((), [*found("NORA", count=9), *found("NORA VALE", source=LIST, count=0)])
    assert names(cast.people) == ["Nora"]
    assert cast.people[0].merged[0].entry.name == "Nora Vale"
    assert cast.people[0].sources == {SCREENPLAY, LIST}


def test_a_name_that_may_be_two_peoples_is_nobody_elses() -> None:
    cast = collected((), found("NORA VALE", "TOM VALE", "VALE"))
    assert len(cast.people) == 3
    assert cast.mergers == ()


def test_pronouns_keep_people_apart() -> None:
    tom = FoundPerson("Tom Vale", LIST, pronouns=Pronouns.HE)
    assert names(collected((), [tom, *found("MRS VALE")]).people) == ["Tom Vale", "Mrs Vale"]


def test_one_source_does_not_call_one_person_by_name_and_short_form() -> None:
    assert len(collected((), found("ELEANOR", "NORA")).people) == 2
    both = [*found("WILLIAM STONE", source=LIST, count=0), *found("BILL", source=SCREENPLAY)]
    (bill,) = collected((), both).people
    assert (bill.name, bill.merged[0].rule) == ("Bill", MergeRule.NICKNAME)


def test_what_a_cast_list_says_goes_before_other_rules() -> None:
    listed = FoundPerson("Nora Vale", LIST, aliases=("The Fox",))
    (nora,) = collected((), [listed, *found("THE FOX")]).people
    assert {each.rule for each in nora.merged} <= {MergeRule.CAST_LIST}
    assert "The Fox" in nora.names


def test_collecting_again_changes_nothing_and_what_was_split_stays_split() -> None:
    first = collected((), found("NORA", "NORA VALE"))
    again = collected(first.people, found("NORA", "NORA VALE"))
    assert (again.people, again.added, again.mergers) == (first.people, (), ())
    (person,) = first.people
    split = (without_merged(person, person.merged[0]), person_from(person.merged[0].entry, {person.id}))
    assert collected(split, found("NORA", "NORA VALE")).people == split


def test_a_split_entry_is_as_it_was_and_takes_back_what_it_gave() -> None:
    cast = collected((), found("NORA VALE", "MRS VALE"))
    (person,) = cast.people
    (merged,) = person.merged
    assert (person.pronouns, merged.gave) == (Pronouns.SHE, ("pronouns",))
    rest = without_merged(person, merged)
    assert (rest.pronouns, rest.merged) == (Pronouns.UNKNOWN, ())
    assert person_from(merged.entry, {rest.id}).pronouns is Pronouns.SHE


def test_what_the_describer_wrote_is_never_changed() -> None:
    nora = Person("p", "Nora Vale", ("The Fox",), "the clerk", Pronouns.THEY)
    said = FoundPerson("NORA VALE", LIST, aliases=("Foxy",), described_as="a woman", pronouns=Pronouns.SHE)
    (found_again,) = collected((nora,), [said]).people
    assert (found_again.name, found_again.described_as, found_again.pronouns) == (
        "Nora Vale",
        "the clerk",
        Pronouns.THEY,
    )
    assert found_again.aliases == ("The Fox", "Foxy")


def test_speakers_of_subtitles_are_counted_however_they_are_written() -> None:
    cues = [
        Cue(str(n), n, n + 1, "Hm.", speaker) for n, speaker in enumerate(["TOM", "Nora", "NORA", "Nora & Tom", None])
    ]
    assert [(each.name, each.count) for each in in_cues(cues)] == [("Nora", 3), ("Tom", 2)]


def test_the_speakers_of_cues_are_known_from_where_their_names_are() -> None:
    named = [
        ("NORA", SpeakerSource.LABEL),
        ("Nora", SpeakerSource.DESCRIBER),
        ("Nora", SpeakerSource.VOICE),
        ("Guard", SpeakerSource.DIARISATION),
        ("Guard", SpeakerSource.DIARISATION),
        ("Tom", SpeakerSource.SCREENPLAY),
        ("Bill", SpeakerSource.CAST),
    ]
    cues = [Cue(str(n), n, n + 1, "Hm.", name, speaker_source=source) for n, (name, source) in enumerate(named)]
    people = collected((), in_cues(cues)).people
    assert [(person.name, person.sources) for person in people] == [
        ("Nora", {SUBTITLES, CharacterSource.DESCRIBER}),
        ("Guard", {CharacterSource.DIARISATION}),
        ("Tom", {SCREENPLAY}),
        ("Bill", {SUBTITLES}),
    ]
    assert sum(each.count for each in in_cues(cues)) == len(cues)


def test_a_cast_has_an_end() -> None:
    cast = collected((), found(*(f"P{chr(65 + n // 26)}{chr(65 + n % 26)}x" for n in range(402))))
    assert len(cast.people) == 400
    assert len(cast.oddities) == 2


def test_a_large_cast_is_merged_whole() -> None:
    first = [f"F{chr(97 + n // 26)}{chr(97 + n % 26)}n" for n in range(100)]
    both = [*found(*(f"{name} Vo{name[1:]}q" for name in first), source=LIST, count=0), *found(*first)]
    cast = collected((), both)
    assert (len(cast.people), len(cast.mergers)) == (100, 100)
    assert {merger.rule for merger in cast.mergers} == {MergeRule.PART_OF_NAME}
