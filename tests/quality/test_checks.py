"""What a script is checked by, with the source of every value; and that nothing is worked out twice wrongly."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from pathlib import Path

import pytest
from quality_scripts import HOUSE, film, line, speech, spoken

from adstudio.core.quality_settings import QualitySettings
from adstudio.core.script import Cue, CueKind, Opening, Script, Silence, Variant
from adstudio.core.settings import GapSettings
from adstudio.core.timebase import Span
from adstudio.presets.library import preset_named, shipped_presets
from adstudio.presets.preset import PROPOSAL
from adstudio.presets.qc_keys import QC_KEYS
from adstudio.quality import introductions
from adstudio.quality.checks import OF_PROJECT, house_checks, project_checks
from adstudio.quality.inspection import Inspector, findings_of
from adstudio.quality.rules import RULES

PUBLICATIONS = (
    "Netflix",
    "W3C",
    "ITC",
    "ACB",
    "Amazon",
    "Vorgaben für Audiodeskription",
    "Sterner et al.",
    "Audio description guidelines",
)


def test_rules_have_stable_ids_and_sources() -> None:
    assert [rule.id for rule in RULES] == ["T1", "T2", "T3", "T4", "T5", "T6", "T8", "T9", "N1", "N4", "P1", "W1"]
    assert all(rule.title and (rule.source == PROPOSAL or rule.source.startswith(PUBLICATIONS)) for rule in RULES)


def test_every_value_is_used_by_a_rule_and_every_rule_finds_its_values() -> None:
    names = {field.name for field in fields(QualitySettings)}
    assert {name for rule in RULES for name in rule.values} == names
    for preset in shipped_presets():
        checks = house_checks(preset)
        for rule in RULES:
            values = checks.values_of(rule)
            assert len(values) == len(rule.values)
            assert all(each.source == PROPOSAL or each.source.startswith(PUBLICATIONS) for each in values)


def test_the_page_has_all_rules_and_all_values_that_ship() -> None:
    page = Path(__file__).resolve().parents[2].joinpath("docs", "quality-checks.md").read_text("utf-8")
    for rule in RULES:
        values = ", ".join(f"`{name}`" for name in rule.values) or "–"
        assert f"| {rule.id} | {rule.title} | {rule.level.value} | {rule.source} | {values} |" in page
        assert f"- **{rule.id}**" in page
    houses = [preset.quality_settings for preset in shipped_presets()]
    assert f"| value | {' | '.join(preset.name for preset in shipped_presets())} |" in page
    for key in QC_KEYS:
        assert f"| `{key.name}` | {' | '.join(key.text(getattr(each, key.name)) for each in houses)} |" in page


def test_a_project_is_checked_by_the_preset_that_its_settings_are() -> None:
    uk = preset_named("uk")
    script = replace(film(), settings=uk.settings)
    assert project_checks(script) == house_checks(uk)
    assert not project_checks(script).own


def test_settings_of_ones_own_ask_for_their_own_gaps() -> None:
    gaps = GapSettings(100, 200, 700, keep_sung=False)
    script = replace(film(), settings=replace(preset_named("uk").settings, gaps=gaps))
    checks = project_checks(script)
    assert (checks.preset, checks.own) == ("house", True)
    assert (checks.settings.collar_before, checks.settings.collar_after, checks.settings.least_gap) == (100, 200, 700)
    assert checks.sources["collar_before"] == checks.sources["least_gap"] == OF_PROJECT
    assert checks.settings.most_words_per_minute == HOUSE.settings.most_words_per_minute
    assert CueKind.SUNG not in checks.dialogue


@pytest.mark.parametrize("seed", range(20))
def test_step_after_step_finds_what_a_fresh_look_finds(seed: int) -> None:
    """Edits of every kind that the rules depend on, in any order; the inspector remembers, a fresh one does not."""
    rng = random.Random(seed)
    lines = [line(f"e{n}", rng.choice(("Anna sits.", "Then Anna, tired, sits down on a bench."))) for n in range(12)]
    cues = tuple(speech(f"c{n}", n * 5000, n * 5000 + 1500, "Come, Anna.", "ANNA") for n in range(10))
    script = film(*lines, cues=cues)
    starts = {each.id: 1500 + 4000 * place for place, each in enumerate(lines)}
    inspector, checks = Inspector(), HOUSE
    for _ in range(15):
        script, starts = _edited(rng, script, starts)
        if rng.random() < 0.2:
            checks = house_checks(preset_named(rng.choice(("uk", "us", "german", "house"))))
        plan = spoken(*((name, start, start + 2000) for name, start in starts.items()))
        assert inspector.findings(script, plan, checks) == findings_of(script, plan, checks)


def test_what_takes_long_is_prepared_in_pieces() -> None:
    """Whose words they are matters not: that they are looked at beforehand, and not all in one piece, does."""
    lines = [line(f"e{n}", f"In the hall Anna waits {n} times.") for n in range(500)]
    cues = tuple(speech(f"c{n}", n * 100, n * 100 + 50, f"No {n}, Anna.", "ANNA") for n in range(500))
    script, inspector = film(*lines, cues=cues), Inspector()
    plan = spoken(*((each.id, 100 * n + 60, 100 * n + 90) for n, each in enumerate(lines)))
    introductions._words.cache_clear()
    most = before = 0
    for _ in inspector.prepare(script, plan, HOUSE):
        looked_at = introductions._words.cache_info().misses
        most, before = max(most, looked_at - before), looked_at
    assert 0 < most < 500
    found = inspector.findings(script, plan, HOUSE)
    assert introductions._words.cache_info().misses == before == 1000
    assert found == findings_of(script, plan, HOUSE)


def _edited(rng: random.Random, script: Script, starts: dict[str, int]) -> tuple[Script, dict[str, int]]:
    place = rng.randrange(len(script.eventualities))
    which = script.eventualities[place]
    match rng.randrange(8):
        case 0:
            starts = {**starts, which.id: rng.randrange(0, 58_000)}
        case 1:
            words = Variant("Then Nora, very tired, sits down and looks.", duration=rng.randrange(500, 4000))
            script = script.with_eventuality(place, replace(which, variants=(words,)))
        case 2:
            script = script.with_eventuality(place, replace(which, seen=not which.seen, extended=not which.extended))
        case 3:
            cue = rng.randrange(len(script.cues))
            moved = replace(script.cues[cue], start=cue * 5000 + rng.randrange(2000), text="Who, Nora?")
            script = script.with_changes(cues=(*script.cues[:cue], moved, *script.cues[cue + 1 :]))
        case 4:
            script = script.with_changes(silences=(Silence("x1", Span(rng.randrange(50_000), 55_000)),))
        case 5:
            script = script.with_changes(openings=(Opening("o1", Span(rng.randrange(50_000), 55_000)),))
        case 6:
            rate = rng.choice((120, 180, 240))
            script = script.with_changes(settings=replace(script.settings, words_per_minute=rate))
        case _:
            gaps = GapSettings(rng.randrange(500), rng.randrange(500))
            script = script.with_changes(settings=replace(script.settings, gaps=gaps))
    return script, starts


def test_cues_beyond_the_film_and_without_a_time_are_no_obstacle() -> None:
    cues = (Cue("c1", 70_000, 80_000, "Late."), Cue("c2", -2000, -1000, "Early."))
    assert findings_of(film(line("a"), cues=cues), spoken(("a", 58_000, 60_000)), HOUSE) == ()
