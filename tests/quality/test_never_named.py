"""N4: who is seen, and of whom nobody says who that is."""

from __future__ import annotations

from dataclasses import replace

from quality_scripts import film, found, line, speech, spoken

from adstudio.core.cast import FaceBox, NamedFace, Person
from adstudio.core.script import Cue, Script
from adstudio.core.timebase import Span
from adstudio.quality.checks import project_checks
from adstudio.quality.findings import NeverNamed
from adstudio.quality.inspection import findings_of

TOM = Person("t", "Tom Finch", described_as="the clerk")


def facts(script: Script, *starts: int) -> list[NeverNamed]:
    lines = zip(script.eventualities, starts, strict=True)
    plan = spoken(*((each.id, start, start + 1000) for each, start in lines))
    return [each.facts for each in found(script, plan) if isinstance(each.facts, NeverNamed)]


def script(*texts: str, cues: tuple[Cue, ...] = (), people: tuple[Person, ...] = (TOM,)) -> Script:
    lines = (line(f"l{at}", text) for at, text in enumerate(texts))
    return replace(film(*lines, cues=cues), people=people)


def test_somebody_whom_lines_only_describe_is_found_once() -> None:
    (each,) = [
        each
        for each in found(
            script("The clerk writes.", "Rain.", "The clerk nods."),
            spoken(("l0", 5000, 6000), ("l1", 7000, 8000), ("l2", 9000, 10_000)),
        )
        if each.rule.id == "N4"
    ]
    assert (each.lines, each.span, each.level.value) == (("l0", "l2"), Span(5000, 6000), "warning")
    assert each.facts == NeverNamed("Tom Finch", 5000, 2)


def test_one_line_or_dialogue_that_names_them_is_enough() -> None:
    assert facts(script("The clerk writes.", "Tom nods."), 5000, 9000) == []
    said = speech("c1", 20_000, 21_000, "Good evening, Mr. Finch.")
    assert facts(script("The clerk writes.", cues=(said,)), 5000) == []


def test_a_face_that_the_describer_named_is_seen() -> None:
    face = NamedFace("f", 3000, FaceBox(0, 0, 10, 10), "t")
    assert facts(replace(script("Rain."), named_faces=(face,)), 5000) == [NeverNamed("Tom Finch", 3000, 0)]
    nobody = replace(face, person=None)
    assert facts(replace(script("Rain."), named_faces=(nobody,)), 5000) == []


def test_a_face_that_was_found_to_be_theirs_is_seen() -> None:
    rain = script("Rain.")
    findings = findings_of(rain, spoken(("l0", 5000, 6000)), project_checks(rain), {"t": 1200})
    assert [each.facts for each in findings if each.rule.id == "N4"] == [NeverNamed("Tom Finch", 1200, 0)]


def test_the_time_that_the_cast_sets_counts() -> None:
    assert facts(script("Rain.", people=(replace(TOM, first_seen=2000),)), 5000) == [NeverNamed("Tom Finch", 2000, 0)]


def test_who_is_not_seen_or_has_no_name_is_not_found() -> None:
    assert facts(script("Rain."), 5000) == []
    guard = replace(Person("g", "GUARD"), first_seen=1000)
    assert facts(script("The guard nods.", people=(guard,)), 5000) == []


def test_a_description_that_two_share_shows_nobody() -> None:
    assert facts(script("The clerk nods.", people=(TOM, Person("a", "Anna", described_as="the clerk"))), 5000) == []
