"""N1: a name before the dialogue says it. What is not certain is not found."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quality_scripts import HOUSE, checks, film, found, line, speech, spoken

from adstudio.core.cast import Person
from adstudio.core.film import Film
from adstudio.core.script import Cue, CueKind, Script
from adstudio.core.timebase import Span
from adstudio.presets.library import preset_named
from adstudio.quality.checks import Checks, house_checks
from adstudio.quality.findings import EarlyName
from adstudio.quality.inspection import Inspector

CALLED = speech("c2", 10_000, 12_000, "Come here, Anna!", "TOM")
"""The first that the dialogue says of Anna."""
ANNA = speech("c1", 4000, 5000, "I am late.", "ANNA")
"""Anna speaks, but nobody has called her by her name."""


def names(script: Script, *starts: int, by: Checks = HOUSE) -> list[EarlyName]:
    """What is found where the lines start so, each for a tenth of a second."""
    lines = zip(script.eventualities, starts, strict=True)
    plan = spoken(*((each.id, start, start + 100) for each, start in lines))
    return [each.facts for each in found(script, plan, by) if isinstance(each.facts, EarlyName)]


@pytest.mark.parametrize(
    ("start", "wanted"), [(9999, [EarlyName("Anna", 9999, "c2", 10_000)]), (10_000, []), (20_000, [])]
)
def test_a_name_waits_until_the_dialogue_says_it(start: int, wanted: list[EarlyName]) -> None:
    script = film(line("a", "Tired, Anna sits down."), cues=(ANNA, CALLED))
    assert names(script, start) == wanted


def test_every_line_before_it_is_in_one_finding() -> None:
    script = film(line("a", "Tired, Anna sits."), line("b", "Anna’s hand."), line("c", "Anna."), cues=(ANNA, CALLED))
    plan = spoken(("a", 1000, 2000), ("b", 6000, 7000), ("c", 13_000, 14_000))
    (finding,) = found(script, plan)
    assert (finding.rule.id, finding.level.value, finding.lines) == ("N1", "warning", ("a", "b"))
    assert finding.span == Span(1000, 2000)


def test_a_name_that_the_dialogue_never_says_is_nothing_to_wait_for() -> None:
    assert names(film(line("a", "Tired, Anna sits down."), cues=(ANNA,)), 1000) == []


def test_members_of_the_cast_are_known_by_any_part_of_their_names() -> None:
    """“Miss Vale” introduces Nora Vale, by either name; who else she is nobody knows."""
    cues = (speech("c1", 10_000, 12_000, "Good evening, Miss Vale."),)
    script = film(line("a", "In a coat, Nora Vale runs."), line("b", "Again Nora runs."), cues=cues)
    script = replace(script, people=(Person.named("Nora Vale"),))
    assert names(script, 1000, 3000) == [EarlyName("Nora Vale", 1000, "c1", 10_000)]
    assert names(script, 10_000, 13_000) == []


def test_a_name_after_a_title_is_one_without_a_cast() -> None:
    cues = (speech("c1", 10_000, 12_000, "Good evening, Miss Vale."),)
    script = film(line("a", "In a coat, Nora Vale runs."), cues=cues)
    assert names(script, 1000) == [EarlyName("Vale", 1000, "c1", 10_000)]


def test_a_sentence_after_a_title_is_no_name() -> None:
    cues = (speech("c1", 10_000, 12_000, "Thank you, Doctor. Ask Dr. Finch."),)
    script = film(line("a", "On a sign: Ask Here."), line("b", "In the hall Finch waits."), cues=cues)
    assert names(script, 1000, 3000) == [EarlyName("Finch", 3000, "c1", 10_000)]


def test_the_cast_is_known_by_further_names_short_forms_and_titles() -> None:
    cues = (speech("c1", 10_000, 12_000, "Good evening, Tommy."),)
    lines = (line("a", "Doc comes in."), line("b", "Mr Finch nods."), line("c", "Thomas sits."))
    cast = (Person("t", "Tom Finch", aliases=("Doc",)),)
    assert names(replace(film(*lines, cues=cues), people=cast), 1000, 3000, 5000) == [
        EarlyName("Doc", 1000, "c1", 10_000)
    ]


def test_the_describer_sets_from_when_on_a_name_may_be_said() -> None:
    script = film(line("a", "Nora sits."), line("b", "Nora waits."), cues=(speech("c1", 10_000, 12_000, "Nora!"),))
    at_once, later = (replace(script, people=(Person("n", "Nora", first_named=time),)) for time in (0, 2000))
    assert names(at_once, 1000, 3000) == []
    assert names(later, 1000, 3000) == [EarlyName("Nora", 1000, "", 2000)]


def test_a_member_of_the_cast_whose_name_is_a_word_needs_more_than_a_capital() -> None:
    cues = (speech("c1", 10_000, 12_000, "Look, Rose!"),)
    script = film(line("a", "Rose petals fall."), line("b", "Rose smiles."), cues=cues)
    script = replace(script, people=(Person("r", "Rose"),))
    assert names(script, 1000, 3000) == [EarlyName("Rose", 3000, "c1", 10_000)]


def test_two_people_introduced_at_once_are_two_findings() -> None:
    cues = (ANNA, speech("c2", 10_000, 12_000, "Look, Anna, there is Tom!", "TOM"))
    script = film(line("a", "Together Anna and Tom walk in."), cues=cues)
    assert names(script, 1000) == [EarlyName("Anna", 1000, "c2", 10_000), EarlyName("Tom", 1000, "c2", 10_000)]


def test_of_two_people_of_one_name_the_first_counts() -> None:
    cues = (speech("c1", 10_000, 11_000, "Quick, Tom!"), speech("c2", 20_000, 21_000, "Look, Nora!"))
    script = film(line("a", "With a hat, Vale walks."), line("b", "With a hat, Vale walks."), cues=cues)
    script = replace(script, people=(Person.named("Nora Vale"), Person.named("Tom Vale")))
    assert names(script, 9000, 12_000) == [EarlyName("Vale", 9000, "c1", 10_000)]


@pytest.mark.parametrize(
    ("text", "said", "speaker"),
    [
        ("A man sits. The Man waits.", "Who is that Man?", "MAN"),  # a role
        ("Hope sits down.", "I hope so, Hope.", "HOPE"),  # the word is written small elsewhere
        ("Will sits down.", "Will you come?", "WILL"),  # only ever first in a sentence
        ("The Doctor comes in.", "Thank you, Doctor.", "DOCTOR"),  # a title
        ("With a bag, Anna sits.", "Where is he?", "TOM"),  # nobody that the project knows
        ("A sign: anna.", "Come, Anna.", "ANNA"),  # not as a name
    ],
)
def test_what_may_be_no_name_is_not_found(text: str, said: str, speaker: str) -> None:
    cues = (speech("c1", 2000, 3000, "Yes.", speaker), speech("c2", 10_000, 12_000, said))
    assert names(film(line("a", text), cues=cues), 5000) == []


def test_only_what_is_said_or_sung_introduces() -> None:
    sound = Cue("c2", 10_000, 12_000, "[Tom calls Anna]", kind=CueKind.SOUND)
    later = speech("c3", 20_000, 21_000, "Come here, Anna!")
    script = film(line("a", "Tired, Anna sits down."), cues=(ANNA, sound, later))
    assert names(script, 15_000) == [EarlyName("Anna", 15_000, "c3", 20_000)]


def test_dialogue_in_capitals_says_names_too() -> None:
    shouted = speech("c2", 10_000, 12_000, "COME HERE, ANNA!")
    script = film(line("a", "Tired, Anna sits down."), cues=(ANNA, shouted))
    assert names(script, 9000) == [EarlyName("Anna", 9000, "c2", 10_000)]
    assert names(script, 10_000) == []


def test_an_extended_line_is_looked_at_where_it_stops_the_film() -> None:
    script = film(line("a", "Tired, Anna sits.", extended=True, occurrence=Span(9000, 9500)), cues=(ANNA, CALLED))
    (finding,) = found(script, spoken())
    assert finding.facts == EarlyName("Anna", 9000, "c2", 10_000)


def test_houses_that_name_people_early_do_not_ask() -> None:
    script = film(line("a", "Tired, Anna sits down."), cues=(ANNA, CALLED))
    german = house_checks(preset_named("german"))
    assert not german.settings.names_after_introduction
    assert names(script, 9000, by=german) == []
    assert names(script, 9000, by=checks(names_after_introduction=False)) == []


def test_where_every_noun_has_a_capital_names_are_not_looked_for() -> None:
    script = film(line("a", "Müde sitzt Anna da."), cues=(ANNA, replace(CALLED, text="Komm her, Anna!")))
    assert names(script, 9000) != []
    assert names(replace(script, film=Film("Film", 60_000, language="de-AT")), 9000) == []


def test_the_cast_is_looked_for_beforehand_a_few_texts_at_a_time() -> None:
    """What has been prepared finds the same, and many cues are many pieces of work."""
    cues = tuple(speech(f"c{at}", at * 100, at * 100 + 50, "Come here, Anna!") for at in range(100, 300))
    script = replace(film(line("a", "Tired, Anna sits.")), cues=cues, people=(Person("p", "Anna"),))
    plan, inspector = spoken(("a", 1000, 2000)), Inspector()
    assert sum(1 for _ in inspector.prepare(script, plan, HOUSE)) > 20
    assert inspector.findings(script, plan, HOUSE) == tuple(found(script, plan))
