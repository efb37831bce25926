"""He and she where the line spoken before names whom they mean."""

from __future__ import annotations

from adstudio.core.film import Film
from adstudio.core.fusions import usable_fusions, wording_of
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Fusion, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.text.ground.prose import parse_prose
from adstudio.drafting.text.text_drafting import Footage, from_prose, from_screenplay
from adstudio.drafting.text.wording.spoken_pronouns import with_pronouns
from adstudio.screenplay.file import parse_screenplay

KNOWN = (("Nora", "she"), ("Ruth", "she"), ("Tom", "he"))


def script_of(*texts: str, scenes: str = "") -> Script:
    names = scenes or "a" * len(texts)
    lines = tuple(
        Eventuality(f"e{at}", (Variant(text),), Span(at * 2000, at * 2000 + 1000), 500_000, scene=scene)
        for at, (text, scene) in enumerate(zip(texts, names, strict=True))
    )
    spans = tuple(Scene(name, Span(at * 50_000, at * 50_000 + 50_000)) for at, name in enumerate(dict.fromkeys(names)))
    return Script(Film("film", 100_000), scenes=spans, eventualities=lines)


def plan_of(script: Script, *starts: int) -> Plan:
    at = starts or tuple(range(0, 2000 * len(script.eventualities), 2000))
    lines = zip(script.eventualities, at, strict=True)
    return planned(*(Delivery(line.id, 0, start, start + 1500) for line, start in lines))


def planned(*deliveries: Delivery) -> Plan:
    return Plan(Status.OPTIMAL, "exact", deliveries=deliveries)


def said(*texts: str, starts: tuple[int, ...] = (), scenes: str = "") -> list[str]:
    script = script_of(*texts, scenes=scenes)
    plan = plan_of(script, *starts)
    changed = with_pronouns(script, plan, KNOWN)
    return [wording.text for each in plan.deliveries if (wording := wording_of(changed, each))]


def test_a_second_line_about_somebody_says_he_or_she():
    assert said("Nora opens her bag.", "Nora takes out a glove.") == ["Nora opens her bag.", "She takes out a glove."]
    assert said("Tom looks up.", "Tom's mouth falls open.") == ["Tom looks up.", "His mouth falls open."]
    assert said("Nora’s lips move.", "Nora’s eyes close.") == ["Nora’s lips move.", "Her eyes close."]


def test_the_name_is_said_again_after_two_pronouns():
    found = said(*(f"Nora climbs step {number}." for number in ("one", "two", "three", "four")))
    assert found == [
        "Nora climbs step one.",
        "She climbs step two.",
        "She climbs step three.",
        "Nora climbs step four.",
    ]


def test_the_name_is_said_again_after_a_change_of_subject_of_scene_or_a_pause():
    assert said("Nora sits.", "Tom stands.", "Nora waits.")[2] == "Nora waits."
    assert said("Nora sits.", "Nora waits.", scenes="ab")[1] == "Nora waits."
    assert said("Nora sits.", "Nora waits.", starts=(0, 20_000))[1] == "Nora waits."


def test_a_name_stays_where_another_could_be_meant():
    assert said("Nora hugs Ruth.", "Nora waits.")[1] == "Nora waits."
    assert said("Nora hugs an old woman.", "Nora waits.")[1] == "Nora waits."
    assert said("Nora hugs Tom.", "Nora waits.")[1] == "She waits."


def test_a_line_that_is_not_spoken_names_nobody():
    script = script_of("Nora sits.", "Tom stands.", "Tom waits.")
    plan = planned(Delivery("e0", 0, 0, 1500), Delivery("e2", 0, 4000, 5500))
    assert with_pronouns(script, plan, KNOWN) == script


def test_names_of_whom_nothing_is_known_stay():
    assert said("Kim sits.", "Kim waits.") == ["Kim sits.", "Kim waits."]


def test_fusions_still_hold_and_say_he_or_she_too():
    script = script_of("Nora sits.", "Nora reads.", "Nora nods.", "Nora waits.", "Nora leaves.")
    texts = tuple(line.variants[0].text for line in script.eventualities)
    fusions = (
        Fusion("e1-f2", ("e1", "e2"), (Variant("Nora reads and nods."),), texts[1:3]),
        Fusion("e3-f2", ("e3", "e4"), (Variant("Nora waits and leaves."),), texts[3:]),
    )
    script = script.with_changes(fusions=fusions)
    plan = planned(
        Delivery("e0", 0, 0, 600),
        Delivery("e1-f2", 0, 2000, 3200, members=("e1", "e2")),
        Delivery("e3", 0, 6000, 6600),
    )
    changed = with_pronouns(script, plan, KNOWN)
    assert [wording.text for each in plan.deliveries if (wording := wording_of(changed, each))] == [
        "Nora sits.",
        "She reads and nods.",
        "She waits.",
    ]
    assert [each.id for each in usable_fusions(changed)] == ["e1-f2", "e3-f2"]


def test_screenplays_and_prose_tell_whose_pronouns_are_which():
    text = "Nora Vale combs her hair. Tom Finch lifts his hat. She laughs."
    from_text = from_prose(parse_prose(f"[00:00:01] {text}"), Footage(50_000))
    played = parse_screenplay(
        f"INT. HALL - DAY\n\n{text}\n\nNORA\nGood morning to you.\n\nTOM\nGood morning.\n".encode(), "film.fountain"
    )
    assert dict(from_text.pronouns) == {"Nora": "she", "Tom": "he"}
    assert dict(from_screenplay(played, Footage(50_000), any_screenplay=True).pronouns) == {"Nora": "she", "Tom": "he"}
