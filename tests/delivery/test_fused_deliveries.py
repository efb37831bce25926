"""A fused line is one line wherever a plan is handed in, spoken, checked, compared or measured."""

from __future__ import annotations

import json
from dataclasses import replace

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Fusion, Pin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.dapt.validator import check_dapt
from adstudio.delivery.findings import FindingKind, export_findings
from adstudio.delivery.formats import FORMATS
from adstudio.delivery.joined_lines import link_state
from adstudio.delivery.lines import script_lines
from adstudio.evaluation.gap_rows import spoken_lines
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.plan_changes import compare, respoken
from adstudio.quality.checks import project_checks
from adstudio.quality.findings import Misplaced, Overlap
from adstudio.quality.inspection import findings_of
from adstudio.quality.messages import finding_message
from adstudio.recording.importing import numbered_lines
from adstudio.store.known_lengths import lasts_as_planned
from adstudio.store.version_rows import VersionContent
from adstudio.versions.comparing import line_state

SCRIPT = Script(
    Film("Shop", 30_000),
    cues=(Cue("c1", 12_000, 14_000, "Good morning.", "SHOPKEEPER"),),
    eventualities=(
        Eventuality("a", (Variant("She parks."),), Span(0, 2000), 500_000, scene="s", seen=True, note="which car?"),
        Eventuality("b", (Variant("She crosses the road."),), Span(3000, 5000), 400_000, scene="s"),
        Eventuality("c", (Variant("She enters a shop."),), Span(8000, 9000), 300_000, scene="s", joined=True),
        Eventuality("d", (Variant("She leaves."),), Span(16_000, 17_000), 300_000, scene="s"),
    ),
    fusions=(
        Fusion(
            "f",
            ("a", "b"),
            (Variant("She parks and crosses the road."), Variant("She parks and crosses.")),
            ("She parks.", "She crosses the road."),
        ),
    ),
)
FUSED = Delivery("f", 1, 1000, 2200, members=("a", "b"))
PLAN = Plan(Status.OPTIMAL, "exact", deliveries=(FUSED, Delivery("d", 0, 16_000, 16_600)))
APART = Plan(
    Status.OPTIMAL,
    "exact",
    deliveries=(Delivery("a", 0, 1000, 1600), Delivery("b", 0, 3000, 4200), Delivery("d", 0, 16_000, 16_600)),
)
UNLINKED = replace(SCRIPT, eventualities=tuple(replace(line, joined=False) for line in SCRIPT.eventualities))


def test_a_fusion_is_one_line_of_the_script() -> None:
    first, second = script_lines(UNLINKED, PLAN)
    assert (first.number, first.text, first.span) == (1, "She parks and crosses.", Span(1000, 2200))
    assert (first.element, first.members, first.elements) == ("f", ("a", "b"), ("a", "b"))
    assert (first.notes, first.seen, first.words, first.room) == ("which car?", False, 4, 9800)
    assert (second.number, second.element, second.members) == (2, "d", ())


def test_every_format_has_it_once() -> None:
    for form in ("srt", "vtt", "dapt", "csv", "json", "reframed"):
        text = FORMATS[form](UNLINKED, PLAN).decode()
        assert text.count("She parks and crosses.") == 1, form
        assert "She parks." not in text, form
    lines = json.loads(FORMATS["json"](UNLINKED, PLAN))["lines"]
    assert [(line["element"], line.get("members")) for line in lines] == [("f", ["a", "b"]), ("d", None)]
    assert "members" not in json.loads(FORMATS["json"](UNLINKED, APART))["lines"][0]
    assert not check_dapt(FORMATS["dapt"](UNLINKED, PLAN), "script.ttml")
    found = json.loads(FORMATS["plan"](UNLINKED, PLAN))
    assert found["deliveries"][0] == {"element": "f", "variant": 1, "start": 1.0, "end": 2.2}
    # The middle of the fusion is 0.9 s before that of its occurrence, 0 to 5 s; that of d 0.2 s.
    assert found["near_event"] == {"1": 1.0, "2": 1.0, "4": 1.0}


def test_findings_name_the_lines_it_stands_for() -> None:
    found = {finding.kind: finding for finding in export_findings(UNLINKED, PLAN)}
    assert found[FindingKind.UNSEEN].lines == ("b", "d")
    assert found[FindingKind.UNACCEPTED].lines == ("a", "b", "d")
    assert FindingKind.WORDLESS not in found
    assert FindingKind.LOCKED_MISSING not in found


def test_a_member_that_is_locked_in_is_spoken() -> None:
    held = replace(UNLINKED.eventualities[1], pin=Pin(selected=True))
    script = replace(UNLINKED, eventualities=(UNLINKED.eventualities[0], held, *UNLINKED.eventualities[2:]))
    assert FindingKind.LOCKED_MISSING not in {finding.kind for finding in export_findings(script, PLAN)}
    assert script_lines(script, PLAN)[0].pinned


def test_quality_checks_speak_of_the_fused_text() -> None:
    late = replace(PLAN, deliveries=(replace(FUSED, start=11_500, end=12_700), PLAN.deliveries[1]))
    checks = project_checks(UNLINKED)
    (found,) = (each for each in findings_of(UNLINKED, late, checks) if isinstance(each.facts, Overlap))
    assert found.lines == ("a",)
    assert "“She parks and crosses”" in finding_message(UNLINKED, late, found)
    # Nothing is out of order, said twice, or left out although it is locked.
    assert not [each for each in findings_of(UNLINKED, PLAN, checks) if isinstance(each.facts, Misplaced)]


def test_a_line_after_it_is_linked_with_it() -> None:
    plan = replace(PLAN, deliveries=(FUSED, Delivery("c", 0, 2500, 3500)))
    (line,) = script_lines(SCRIPT, plan)
    assert (line.text, line.elements) == ("She parks and crosses. She enters a shop.", ("a", "b", "c"))
    state = link_state(SCRIPT, plan, gaps_of(SCRIPT).gaps, SCRIPT.eventualities[2])
    assert (state.before, state.obstacle) == (FUSED, "")


def test_recordings_are_of_lines_of_ones_own() -> None:
    places = numbered_lines(UNLINKED, PLAN)
    assert [(place.number, place.line) for place in places] == [(1, "a"), (2, "d")]


def test_versions_and_the_comparison_with_a_reference_have_it_once() -> None:
    side = VersionContent(UNLINKED, PLAN)
    first, second = line_state(side, "a"), line_state(side, "b")
    assert (first.text, first.spoken, first.start) == ("She parks and crosses.", True, 1000)
    assert (second.text, second.spoken, second.start) == ("She crosses the road.", True, 1000)
    said = [(line.id, line.description.text) for line in spoken_lines(UNLINKED, PLAN)]
    assert said == [("a", "She parks and crosses."), ("d", "She leaves.")]


def test_what_a_plan_changes_is_about_lines() -> None:
    changes = compare(APART, PLAN)
    assert (changes.added, changes.dropped, changes.reworded) == ((), (), ("a", "b"))
    assert compare(PLAN, APART).reworded == ("a", "b")
    assert respoken(APART, PLAN) == {"a", "b"}


def test_it_lasts_as_planned() -> None:
    length = SCRIPT.duration(SCRIPT.fusions[0].variants[1])
    plan = replace(PLAN, deliveries=(replace(FUSED, end=FUSED.start + length),))
    assert lasts_as_planned(SCRIPT, plan)
    assert not lasts_as_planned(SCRIPT, replace(plan, deliveries=(replace(FUSED, end=FUSED.start + length + 1),)))
