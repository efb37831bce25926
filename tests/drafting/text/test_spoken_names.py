"""Names and descriptions in the lines of a draft, by when the plan speaks them. Worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adstudio.characters.cast_mentions import CastMentions
from adstudio.characters.described_as import Description
from adstudio.characters.introductions import Introduction, NameTimes
from adstudio.core.cast import Person, Pronouns
from adstudio.core.film import Film
from adstudio.core.naming import NamingPolicy
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.provenance import (
    Contribution,
    DescriptionLine,
    DraftSource,
    ModelTask,
    ModelWork,
    Provenance,
    ScreenplayLine,
)
from adstudio.core.script import Eventuality, Fusion, Origin, Pin, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.text.wording.spoken_names import (
    MOST_GENERAL,
    Naming,
    named_and_planned,
    named_by_action,
    renamed,
    with_names,
)

NORA, TOM, ANNA = (
    Person("n", "Nora Vale", pronouns=Pronouns.SHE),
    Person("t", "Tom Finch", pronouns=Pronouns.HE),
    Person("a", "Anna", pronouns=Pronouns.SHE),
)
NAMING = Naming(
    CastMentions((NORA, TOM, ANNA), (), "en"),
    NameTimes(
        NamingPolicy.ONCE_SAID,
        {
            "n": Introduction(10_000, "c1", "Miss Vale"),
            "t": Introduction(20_000, "c2", "Tom"),
            "a": Introduction(10_000),
        },
    ),
    {"n": Description("the woman in the mustard coat"), "t": Description("the clerk"), "a": Description("the woman")},
)


def said(text: str, start: int = 0, *, first: dict[str, str] | None = None, full: bool = True) -> str:
    return renamed(text, start, NAMING, {} if first is None else first, ("line",), full=full)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Nora comes in.", "A woman in a mustard coat comes in."),
        ("Nora Vale, in a mustard coat, hurries along.", "A woman in a mustard coat hurries along."),
        ("Tom Finch, the clerk, writes in a ledger.", "A clerk writes in a ledger."),
        ("Outside the window Tom hurries past.", "Outside the window a clerk hurries past."),
        ("Tom’s hand adds: umbrella, red.", "A clerk’s hand adds: umbrella, red."),
        ("Tom looks up. Tom nods.", "A clerk looks up. The clerk nods."),
        ("At his feet, a red umbrella labelled N. Vale.", "At his feet, a red umbrella labelled N. Vale."),
        ("A sign says “Tom Finch”.", "A sign says “Tom Finch”."),
        ("The ledger: Tom Finch.", "The ledger: Tom Finch."),
        ("Rain falls.", "Rain falls."),
        ("Tommy waits.", "A clerk waits."),
        ("The rain-soaked Tom waits.", "The rain-soaked clerk waits."),
        ("Behind Ann, her friend Tom walks in.", "Behind Ann, her friend walks in."),
        ("She sits with her old friend, Tom.", "She sits with her old friend."),
        ("Her old friend, Tom, walks in.", "Her old friend walks in."),
        ("Her friend Tom’s hat falls.", "Her friend’s hat falls."),
        ("In the hall Tom waits.", "In the hall a clerk waits."),
        ("Tom Finch.", "Tom Finch."),
    ],
)
def test_before_a_name_may_be_said_a_line_says_what_they_are(text: str, wanted: str) -> None:
    assert said(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "Nora Vale, in a mustard coat and without an umbrella, hurries along the wall.",
            "A woman in a mustard coat and without an umbrella hurries along the wall.",
        ),
        (
            "Nora, in a mustard coat, without an umbrella, hurries along.",
            "A woman in a mustard coat without an umbrella hurries along.",
        ),
        ("Nora, wearing a mustard coat, slowly turns.", "A woman wearing a mustard coat slowly turns."),
        ("Tom, carrying a red umbrella, runs out.", "A clerk carrying a red umbrella runs out."),
        ("Tom Finch, the clerk, in a red tie, writes.", "A clerk in a red tie writes."),
        ("Tom, with a pencil behind his ear, writes.", "A clerk with a pencil behind his ear writes."),
        ("Tom, with long hair, sits and waits.", "A clerk with long hair sits and waits."),
        ("Tom, with his back to the wall, waits.", "A clerk with his back to the wall waits."),
        ("Outside, Nora, in a green coat, waits.", "Outside, a woman in a green coat waits."),
    ],
)
def test_what_somebody_unnamed_wears_or_carries_is_said_without_commas(text: str, wanted: str) -> None:
    assert said(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Tom, with a nod, sits.", "A clerk, with a nod, sits."),
        ("Tom, without looking up, writes.", "A clerk, without looking up, writes."),
        ("Tom, in silence, writes.", "A clerk, in silence, writes."),
        ("Tom, with his left hand, opens the drawer.", "A clerk, with his left hand, opens the drawer."),
        ("Tom, with the back of his hand, wipes it.", "A clerk, with the back of his hand, wipes it."),
        ("Tom, dripping, comes in.", "A clerk, dripping, comes in."),
        ("Tom, at last, comes in.", "A clerk, at last, comes in."),
        ("Tom, in a coat, a hat and gloves, sits.", "A clerk, in a coat, a hat and gloves, sits."),
        ("Tom, in a coat, boots and gloves, sits.", "A clerk, in a coat, boots and gloves, sits."),
        ("Beside Tom, in a suitcase, lies a glove.", "Beside a clerk, in a suitcase, lies a glove."),
        ("Tom nods. Tom, in a red tie, writes.", "A clerk nods. The clerk, in a red tie, writes."),
    ],
)
def test_commas_stay_around_what_is_no_such_modifier_and_beside_the_clerk(text: str, wanted: str) -> None:
    assert said(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A boy of about ten, Tom, runs in.", "A boy of about ten runs in."),
        ("A boy of about ten, Tom, soaked through, waits.", "A boy of about ten, soaked through, waits."),
        ("A tall woman, Nora, in a red coat, walks in.", "A tall woman in a red coat walks in."),
        ("A boy named Tom runs in.", "A boy runs in."),
        ("An old woman with a stick, called Nora Vale, walks in.", "An old woman with a stick walks in."),
        ("A boy — Tom, 10 — runs in.", "A boy runs in."),
        ("A boy -- Tom -- runs in.", "A boy runs in."),
        ("A boy, Tom, 10, runs in.", "A boy runs in."),
        ("A boy (Tom, 10) runs in.", "A boy runs in."),
        ("A boy, this is Tom, runs in.", "A boy runs in."),
        ("A boy, whose name is Tom, runs in.", "A boy runs in."),
        ("In the doorway stands a boy of about ten, Tom.", "In the doorway stands a boy of about ten."),
        ("At the desk is a pale clerk by the name of Tom Finch.", "At the desk is a pale clerk."),
        ("Rain. A boy in a wet coat, Tom, runs in.", "Rain. A boy in a wet coat runs in."),
        ("A man with a boy, Tom, comes in.", "A man with a boy comes in."),
        ("Her old friend, Tom, in a red tie, waits.", "Her old friend in a red tie waits."),
        ("The boy, Tom, and his dog wait.", "The boy and his dog wait."),
    ],
)
def test_a_name_behind_what_somebody_is_seen_to_be_is_cut_out(text: str, wanted: str) -> None:
    assert said(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Behind the guard in the hall, Tom waits.", "Behind the guard in the hall, a clerk waits."),
        ("Behind a guard in a cap, Tom, in a red tie, waits.", "Behind a guard in a cap, a clerk in a red tie waits."),
        ("A girl in a hat, Tom, and a dog wait.", "A girl in a hat, a clerk, and a dog wait."),
        ("Behind the guard, Tom waits.", "Behind the guard, a clerk waits."),
        ("Behind the guard, Tom, in a red tie, waits.", "Behind the guard, a clerk in a red tie waits."),
        ("Beside his sister, Tom sits.", "Beside his sister, a clerk sits."),
        ("The guard, Tom and a dog wait.", "The guard, a clerk and a dog wait."),
        ("A girl in a hat, Tom’s sister, waits.", "A girl in a hat, a clerk’s sister, waits."),
        ("A sign in the hall, Tom, falls.", "A sign in the hall, a clerk, falls."),
    ],
)
def test_a_name_beside_somebody_else_is_not_cut_out(text: str, wanted: str) -> None:
    assert said(text) == wanted


def test_whom_brackets_introduce_is_known_afterwards() -> None:
    runs_in = replace(line("a", "A boy runs in."), extract="A boy (TOM, 10) runs in.")
    script = film(runs_in, line("b", "Tom nods.", start=1000))
    spoken = plan(Delivery("a", 0, 0, 900), Delivery("b", 0, 1000, 1900))
    assert texts(with_names(script, spoken, NAMING)) == [["A boy runs in."], ["The clerk nods."]]


def test_once_it_may_be_said_the_name_stays() -> None:
    assert said("Nora watches Tom.", 10_000) == "Nora watches a clerk."
    assert said("Nora watches Tom.", 20_000) == "Nora watches Tom."


def test_who_was_described_before_is_known() -> None:
    assert said("Tom looks up.", first={"t": "another"}) == "The clerk looks up."
    assert said("Nora looks up.", first={"n": "another"}) == "The woman looks up."


def test_shorter_wordings_have_no_room_for_the_whole_description() -> None:
    assert said("Nora comes in.", full=False) == "A woman comes in."


def test_of_two_who_would_be_called_alike_one_is_told_apart_or_named() -> None:
    before = {"n": "x", "a": "y"}
    assert said("Nora hugs Anna.", first=before) == "The woman in the mustard coat hugs the woman."


def line(name: str, text: str, *shorter: str, start: int = 0, origin: Origin = Origin.MACHINE) -> Eventuality:
    variants = (Variant(text), *map(Variant, shorter))
    return Eventuality(
        name, variants, Span(start, start + 1000), 1, scene="s", origin=origin, provenance=Provenance(ScreenplayLine(1))
    )


def film(*lines: Eventuality, fusions: tuple[Fusion, ...] = (), language: str = "en") -> Script:
    scenes = (Scene("s", Span(0, 60_000)),)
    return Script(Film("film", 60_000, language=language), scenes=scenes, eventualities=lines, fusions=fusions)


def plan(*deliveries: Delivery) -> Plan:
    return Plan(Status.OPTIMAL, "exact", deliveries=deliveries)


def texts(script: Script) -> list[list[str]]:
    return [[variant.text for variant in each.variants] for each in (*script.eventualities, *script.fusions)]


def test_the_time_at_which_a_line_is_spoken_decides_for_all_its_wordings() -> None:
    script = film(
        line("a", "Tom slowly looks up.", "Tom looks up.", start=25_000), line("b", "Tom nods.", start=26_000)
    )
    early = with_names(script, plan(Delivery("a", 0, 18_000, 19_000), Delivery("b", 0, 21_000, 22_000)), NAMING)
    assert texts(early) == [["A clerk slowly looks up.", "A clerk looks up."], ["Tom nods."]]
    assert with_names(script, plan(), NAMING) is script


def many(*persons: str) -> Script:
    return film(*(line(f"l{at}", f"{name} nods.", start=at * 100) for at, name in enumerate(persons)))


def all_spoken(script: Script) -> Plan:
    return plan(*(Delivery(each.id, 0, at * 100, at * 100 + 90) for at, each in enumerate(script.eventualities)))


def two_men(script: Script, first: str, second: str) -> list[str]:
    described = {"t": Description(first), "a": Description(second)}
    found = with_names(script, all_spoken(script), replace(NAMING, described=described))
    return [each.variants[0].text for each in found.eventualities]


def test_of_two_who_would_be_called_alike_meanwhile_the_later_one_is_named() -> None:
    script = many("Tom", "Anna", "Tom")
    assert two_men(script, "the man", "the man") == ["A man nods.", "Anna nods.", "The man nods."]
    assert two_men(script, "the man", "the man with the hat") == [
        "A man nods.",
        "A man with a hat nods.",
        "The man nods.",
    ]


def test_who_would_be_no_more_than_a_man_in_many_lines_is_named() -> None:
    script = many(*["Tom"] * (MOST_GENERAL + 1))
    assert two_men(script, "the man", "the woman")[:2] == ["Tom nods.", "Tom nods."]
    assert two_men(many(*["Tom"] * MOST_GENERAL), "the man", "the woman")[:2] == ["A man nods.", "The man nods."]
    assert two_men(script, "the clerk", "the woman")[:2] == ["A clerk nods.", "The clerk nods."]


def test_a_line_that_is_not_spoken_introduces_nobody() -> None:
    script = film(line("a", "Tom looks up.", start=1000), line("b", "Tom nods.", start=2000))
    found = with_names(script, plan(Delivery("b", 0, 2000, 3000)), NAMING)
    assert texts(found) == [["The clerk looks up."], ["A clerk nods."]]


TOM_LOOKS_UP = line("a", "Tom looks up.")


@pytest.mark.parametrize(
    "fixed",
    [
        replace(TOM_LOOKS_UP, origin=Origin.HUMAN),
        replace(TOM_LOOKS_UP, worked=True),
        replace(TOM_LOOKS_UP, pin=Pin(start=1000)),
        replace(TOM_LOOKS_UP, variants=(Variant("Tom looks up.", duration=900),)),
    ],
)
def test_what_somebody_wrote_timed_or_locked_stays(fixed: Eventuality) -> None:
    assert texts(with_names(film(fixed), plan(Delivery("a", 0, 1000, 2000)), NAMING)) == [["Tom looks up."]]


@pytest.mark.parametrize(
    "source",
    [ScreenplayLine(1), DescriptionLine(1), ModelWork((Contribution("m", (ModelTask("describe", 1),)),), None), None],
)
def test_whatever_a_line_was_drafted_from_names_wait(source: DraftSource | None) -> None:
    """None: prepared lines."""
    each = replace(TOM_LOOKS_UP, provenance=Provenance(source))
    assert texts(with_names(film(each), plan(Delivery("a", 0, 1000, 2000)), NAMING)) == [["A clerk looks up."]]


def test_without_a_plan_the_time_of_the_action_decides_and_nobody_becomes_just_a_man() -> None:
    naming = replace(NAMING, described={**NAMING.described, "a": Description("the woman")})
    lines = (
        line("a", "Tom looks up."),
        line("b", "Anna nods.", start=2_000),
        line("c", "Tom nods.", start=4_000),
        line("d", "Tom laughs.", start=21_000),
        replace(line("e", "Tom sits."), occurrence=None),
    )
    found = named_by_action(film(*lines), naming)
    said = ["A clerk looks up.", "Anna nods.", "The clerk nods.", "Tom laughs.", "Tom sits."]
    assert [each.variants[0].text for each in found.eventualities] == said


def test_a_language_whose_articles_have_cases_is_left_alone() -> None:
    script = film(line("a", "Tom blickt auf."), language="de")
    assert with_names(script, plan(Delivery("a", 0, 1000, 2000)), NAMING) is script


def test_fusions_hold_for_the_lines_as_they_are_then() -> None:
    lines = (line("a", "Tom looks up."), line("b", "Tom nods.", start=1000))
    fusion = Fusion("f", ("a", "b"), (Variant("Tom looks up and nods."),), ("Tom looks up.", "Tom nods."))
    script = film(*lines, fusions=(fusion,))
    found = with_names(script, plan(Delivery("f", 0, 1000, 3000, members=("a", "b"))), NAMING)
    assert texts(found) == [["A clerk looks up."], ["The clerk nods."], ["A clerk looks up and nods."]]
    assert found.fusions[0].texts == ("A clerk looks up.", "The clerk nods.")


def test_a_fused_line_describes_whom_only_its_second_line_speaks_of() -> None:
    lines = (line("a", "Rain falls."), line("b", "Tom looks up.", start=1000), line("c", "Tom nods.", start=5000))
    fusion = Fusion(
        "f", ("a", "b"), (Variant("Rain falls, and Tom looks up."),), tuple(each.variants[0].text for each in lines[:2])
    )
    script = film(*lines, fusions=(fusion,))
    spoken = plan(Delivery("f", 0, 1000, 3000, members=("a", "b")), Delivery("c", 0, 5000, 6000))
    found = with_names(script, spoken, NAMING)
    assert [each.variants[0].text for each in found.fusions] == ["Rain falls, and a clerk looks up."]
    assert found.eventualities[2].variants[0].text == "The clerk nods."


def test_the_plan_follows_until_both_agree() -> None:
    script = film(line("a", "Tom looks up.", start=19_000))
    first = plan(Delivery("a", 0, 19_000, 20_000))

    def later(now: Script) -> Plan:
        """The longer wording no longer fits before the dialogue."""
        long = now.eventualities[0].variants[0].text.startswith("A clerk")
        return plan(Delivery("a", 0, 21_000, 22_000)) if long else first

    found, chosen = named_and_planned(script, first, NAMING, later)
    assert texts(found) == [["A clerk looks up."]]
    assert chosen.deliveries[0].start == 21_000
