"""Items and lines are counted by one function, as exports write them, be they fused, linked, wordless or extended."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from adstudio.core.film import Film
from adstudio.core.fusions import items_said
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Fusion, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.delivery.findings import FindingKind, export_findings, finding_message
from adstudio.delivery.formats import FORMATS
from adstudio.delivery.lines import script_lines
from adstudio.delivery.spoken_counts import SpokenCounts, described_in_lines, spoken_counts
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.scene_line_counts import SceneLines, lines_by_scene


def item(name: str, start: int, **changes: object) -> Eventuality:
    made = Eventuality(name, (Variant(f"{name} happens."),), Span(start, start + 500), 500_000, scene="s")
    return replace(made, **changes)


SCRIPT = Script(
    Film("Film", 40_000),
    scenes=(Scene("s", Span(0, 40_000)),),
    cues=(Cue("c1", 20_000, 22_000, "Who is there?"),),
    eventualities=(
        item("a", 0),
        item("b", 1_000),
        item("c", 3_000),
        item("d", 4_000, joined=True),
        item("e", 6_000, variants=(Variant(" "),)),
        # Linked, but in another gap than the line before: exported by itself.
        item("g", 24_000, joined=True),
        item("h", 30_000),
        item("i", 32_000, extended=True, accepted=True),
    ),
    fusions=(Fusion("f", ("a", "b"), (Variant("a and b happen."),), ("a happens.", "b happens.")),),
)
PLAN = Plan(
    Status.OPTIMAL,
    "exact",
    deliveries=(
        Delivery("f", 0, 0, 1_500, members=("a", "b")),
        Delivery("c", 0, 3_000, 3_500),
        Delivery("d", 0, 4_000, 4_500),
        Delivery("e", 0, 6_000, 6_000),
        Delivery("g", 0, 24_000, 24_500),
    ),
)
# Spoken are a and b (fused), c and d (linked), and g; e has no words, h is left out, i is extended.
COUNTS = SpokenCounts(items=8, spoken=5, lines=3)


def test_fused_and_linked_items_are_one_line_and_wordless_ones_none():
    assert spoken_counts(SCRIPT, PLAN) == COUNTS
    assert spoken_counts(SCRIPT, PLAN, gaps_of(SCRIPT).gaps) == COUNTS
    assert items_said(SCRIPT, PLAN) == {"a", "b", "c", "d", "g"}
    assert described_in_lines(COUNTS) == "5 of 8 items described in 3 lines"


def test_one_item_in_one_line_is_said_in_the_singular():
    alone = SCRIPT.with_changes(eventualities=SCRIPT.eventualities[:1], fusions=())
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("a", 0, 0, 500),))
    assert described_in_lines(spoken_counts(alone, plan)) == "1 of 1 item described in 1 line"


@pytest.mark.parametrize("form", ["csv", "srt", "json"])
def test_exports_hold_as_many_lines_as_are_counted(form: str):
    assert len(script_lines(SCRIPT, PLAN)) == COUNTS.lines
    text = FORMATS[form](SCRIPT, PLAN).decode("utf-8-sig")
    found = {
        "csv": len(list(csv.reader(io.StringIO(text)))) - 1,
        "srt": text.count(" --> "),
        "json": text.count('"text": "a and b') + text.count('"text": "c happens. d') + text.count('"text": "g happens'),
    }
    assert found[form] == COUNTS.lines


def test_what_is_not_seen_is_counted_in_the_lines_that_are_written():
    found = {finding.kind: finding for finding in export_findings(SCRIPT, PLAN)}
    unseen = found[FindingKind.UNSEEN]
    assert (unseen.lines, unseen.count, unseen.of) == (("a", "b", "c", "d", "g"), 3, 3)
    assert finding_message(SCRIPT, unseen) == "3 of 3 lines have not been seen."
    half = tuple(replace(each, seen=each.id in "bcd") for each in SCRIPT.eventualities)
    (unseen,) = (
        each
        for each in export_findings(SCRIPT.with_changes(eventualities=half), PLAN)
        if each.kind is FindingKind.UNSEEN
    )
    # Of the fused line a was not seen, and g.
    assert (unseen.lines, unseen.count, unseen.of) == (("a", "g"), 2, 3)


def test_scenes_count_what_is_said():
    assert lines_by_scene(SCRIPT, items_said(SCRIPT, PLAN)) == {"s": SceneLines(8, 5)}
