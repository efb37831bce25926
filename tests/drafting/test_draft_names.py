"""Drafts from a screenplay name people once the film has, where the house does.

The sample film’s dialogue says “Miss Vale” at 11.2 s and never names Tom.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from whole_draft import draft

from adstudio.core.fusions import wording_of
from adstudio.core.script import Pin, Script
from adstudio.drafting.draft import Draft, plan_of
from adstudio.drafting.naming import naming_of_draft
from adstudio.drafting.request import Sources
from adstudio.drafting.scene_again import drafted_again
from adstudio.presets.library import preset_named
from adstudio.quality.checks import house_checks
from adstudio.quality.inspection import findings_of

SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "sample"
SAID = 11_200


FILES = {"screenplay": "screenplay.fountain", "description": "description.txt", "candidates": "candidates.json"}


def sample(house: str, source: str = "screenplay") -> Draft:
    sources = Sources(
        # Only a screenplay says who speaks where no label does.
        subtitles=SAMPLE / ("dialogue.srt" if source == "screenplay" else "dialogue.sdh.srt"),
        end=164_000,
        settings=preset_named(house).settings,
        **{source: SAMPLE / FILES[source]},
    )
    return draft(sources, Path("film.adproj"))


def spoken(draft: Draft) -> list[tuple[int, str]]:
    found = ((each.start, wording_of(draft.script, each)) for each in draft.plan.deliveries)
    return [(start, wording.text) for start, wording in found if wording is not None]


def early(script: Script, draft: Draft, house: str) -> list[str]:
    checks = house_checks(preset_named(house))
    return [each.rule.id for each in findings_of(script, draft.plan, checks) if each.rule.id == "N1"]


@pytest.fixture(scope="module")
def us() -> Draft:
    return sample("us")


def test_before_the_film_names_her_she_is_a_woman(us: Draft) -> None:
    before = [text for start, text in spoken(us) if start < SAID]
    after = [text for start, text in spoken(us) if start >= SAID]
    assert any(text.startswith("A woman") for text in before)
    assert not any("Nora" in text for text in before)
    assert any("Nora" in text for text in after)


def test_whom_the_film_never_names_may_be_named_at_once(us: Draft) -> None:
    assert any("Tom" in text for start, text in spoken(us) if start < SAID)


def test_no_name_of_the_draft_is_too_early_for_the_checks(us: Draft) -> None:
    assert early(us.script, us, "us") == []


def test_the_plan_is_that_of_the_wordings_that_it_speaks(us: Draft) -> None:
    for each in us.plan.deliveries:
        wording = wording_of(us.script, each)
        assert wording is not None
        assert each.end - each.start == us.script.duration(wording)


def test_a_house_that_names_people_early_does() -> None:
    draft = sample("german")
    assert any("Nora" in text for start, text in spoken(draft) if start < SAID)


def test_who_is_who_is_found_in_the_screenplay(us: Draft) -> None:
    naming = naming_of_draft(us.script)
    names = {person.name: person for person in naming.cast.index.people}
    assert names["Nora"].aliases == ("Nora Vale",)
    assert naming.described[names["Tom"].id].full == "the clerk"
    assert naming.described[names["Nora"].id].full == "the woman in the mustard coat"


def test_a_scene_drafted_again_has_the_same_lines(us: Draft) -> None:
    scene = us.script.scenes[0]
    again = drafted_again(us.script, scene.id, screenplay=SAMPLE / "screenplay.fountain")
    texts = [each.variants[0].text for each in us.script.eventualities if each.scene == scene.id]
    assert [each.variants[0].text for each in again.lines] == texts


@pytest.mark.parametrize("source", ["description", "candidates"])
def test_a_description_and_prepared_lines_name_her_once_the_film_has(source: str) -> None:
    made = sample("us", source)
    assert {"Nora", "Tom"} <= {person.name for person in made.script.people}
    before = [line for line in made.script.eventualities if line.occurrence and line.occurrence.start < 10_000]
    texts = [variant.text for line in before for variant in line.variants]
    assert any(text.startswith(("A woman", "The woman")) for text in texts)
    assert not any("Nora" in text for text in texts)
    assert any("Nora" in text for start, text in spoken(made) if start >= SAID)
    assert early(made.script, made, "us") == []
    assert set(made.described) >= {line.id for line in before if "woman" in line.variants[0].text}


def test_prepared_lines_stay_as_they_are_where_nobody_is_known_or_names_come_first() -> None:
    german, us = sample("german", "candidates"), preset_named("us").settings
    files = Sources(subtitles=SAMPLE / "dialogue.srt", end=164_000, settings=us, candidates=SAMPLE / "candidates.json")
    for made in (german, draft(files, Path("film.adproj"))):
        assert made.described == ()
        assert any(line.variants[0].text.startswith("Nora Vale") for line in made.script.eventualities)


def test_a_name_that_a_later_plan_brings_before_the_film_is_found_by_the_checks(us: Draft) -> None:
    """Wordings are the script’s, and do not change with each plan: N1 says which line has become too early."""
    moved = next(line for line in us.script.eventualities if line.variants[0].text.startswith("Nora"))
    pinned = replace(moved, pin=Pin(True, 0, 3_000, override=True))
    lines = tuple(pinned if line is moved else line for line in us.script.eventualities)
    script = us.script.with_changes(eventualities=lines, fusions=())
    plan = plan_of(script)
    assert next(each.start for each in plan.deliveries if each.element == moved.id) == 3_000
    assert early(script, replace(us, script=script, plan=plan), "us") == ["N1"]
    assert early(script, replace(us, script=script, plan=plan), "german") == []
