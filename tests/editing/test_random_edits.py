"""Any edits in any order: every step fits, goes back exactly, and leaves a sound document."""

from __future__ import annotations

import inspect
import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from types import ModuleType

from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.document import Document
from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, RuleConflict, Status
from adstudio.core.script import (
    Cue,
    CueKind,
    Eventuality,
    Fusion,
    Item,
    Opening,
    Penalty,
    Pin,
    Rules,
    Scene,
    Script,
    Sequence,
    Silence,
    Variant,
)
from adstudio.core.settings import GapSettings, Settings
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing import cues, edges, lines, occurrences, regions, rules, scenes, splitting, wordings
from adstudio.editing import pins as holds
from adstudio.editing.change import EditRefused
from adstudio.editing.fit import fit_of
from adstudio.editing.ids import Ids, inserted_ids
from adstudio.editing.labels import label_of
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.files.problem_file import parse_problem, problem_json
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.film.room import Rooms
from adstudio.store.codec import decode, decode_step, encode, encode_step

END = 20_000
TEXTS = ("She parks her motorbike. She runs.", "Tom waits.", "Rain", "A, b; c — d.", "彼女は走る。", "א ב ג")

times = st.integers(-50, 210).map(lambda n: n * 100) | st.integers(-5000, END + 5000)
inside = st.integers(0, END)
spans = st.tuples(inside, inside).map(lambda pair: Span(min(pair), max(pair)))
texts = st.sampled_from((*TEXTS, "", "  "))
rates = st.sampled_from([Fraction(1), Fraction(9, 10), Fraction(1, 2)])
saliences = st.integers(-(10**12), 10**12) | st.integers(-(10**6), 10**6)
pins = st.builds(Pin, st.sampled_from([None, True]), st.none(), st.none() | inside) | st.just(Pin(selected=False))
wordings_of = st.lists(
    st.builds(Variant, st.sampled_from(TEXTS), rates, st.none() | st.integers(1, 3000)), min_size=1, max_size=3
)

wordings_of_fusions = st.lists(st.builds(Variant, st.sampled_from(TEXTS), rates), min_size=1, max_size=2).map(tuple)


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    count = draw(st.integers(1, 6))
    cuts = sorted(set(draw(st.lists(st.integers(1, END - 1), max_size=3))))
    bounds = [0, *cuts, END]
    parts = [
        Scene(f"s{n}", Span(a, b), draw(st.sampled_from(["", "Yard"])), draw(st.sampled_from([None, "q"])))
        for n, (a, b) in enumerate(itertools.pairwise(bounds))
    ]
    if draw(st.integers(0, 3)) == 0:
        parts = []
    ids = st.sampled_from([None, *(scene.id for scene in parts)])
    eventualities = tuple(
        Eventuality(
            f"e{n}",
            tuple(draw(wordings_of)),
            draw(st.none() | spans),
            draw(st.integers(-(10**10), 10**10)),
            draw(ids),
            draw(pins),
            draw(st.none() | spans),
            joined=draw(st.booleans()),
            confidence=draw(st.none() | st.integers(0, 1000)),
        )
        for n in range(count)
    )
    eventualities = tuple(
        replace(e, pin=replace(e.pin, variant=draw(st.none() | st.integers(0, len(e.variants) - 1))))
        for e in eventualities
    )
    return Script(
        Film("Film", END),
        Settings(gaps=GapSettings(draw(st.integers(0, 300)), draw(st.integers(0, 300)), draw(st.integers(0, 1500)))),
        sequences=(Sequence("q", "Arrival"),),
        scenes=tuple(parts),
        cues=tuple(
            Cue(f"c{n}", start, draw(inside), draw(texts), None, draw(st.sampled_from(CueKind)))
            for n, start in enumerate(sorted(draw(st.lists(inside, max_size=4))))
        ),
        silences=tuple(Silence(f"x{n}", span) for n, span in enumerate(sorted(draw(st.lists(spans, max_size=2))))),
        openings=tuple(Opening(f"o{n}", span) for n, span in enumerate(sorted(draw(st.lists(spans, max_size=2))))),
        eventualities=eventualities,
        rules=draw(rules_between([line.id for line in eventualities])),
        fusions=tuple(
            Fusion(
                f"f{n}", (one.id, other.id), draw(wordings_of_fusions), (one.variants[0].text, other.variants[0].text)
            )
            for n, (one, other) in enumerate(itertools.pairwise(eventualities))
            if draw(st.booleans())
        ),
    )


@st.composite
def rules_between(draw: st.DrawFn, lines: list[str]) -> Rules:
    """Now and then rules of every kind, whatever sense they make together."""
    if len(lines) < 3 or draw(st.booleans()):
        return Rules()
    groups = st.lists(st.sampled_from(lines), min_size=2, max_size=4, unique=True).map(tuple)
    pairs = st.lists(st.sampled_from(lines), min_size=2, max_size=2, unique=True)
    first, second = draw(pairs)
    return Rules((draw(groups),), ((first, second),), (draw(groups),), (Penalty(*draw(pairs), 500_000),))


class RandomEditor:
    """Draws what an edit is given: mostly things of the script, now and then some that it does not have."""

    def __init__(self, script: Script, ids: Ids, data: st.DataObject) -> None:
        self.script, self.ids, self.data = script, ids, data

    def line(self) -> str:
        return self._one(self.script.eventualities)

    def lines(self) -> list[str]:
        """Some lines, or a run of neighbours."""
        order = self.script.eventualities
        if order and self.data.draw(st.booleans()):
            first = self.data.draw(st.integers(0, len(order) - 1))
            return [line.id for line in order[first : first + self.data.draw(st.integers(1, 3))]]
        return [self._one(order) for _ in range(self.data.draw(st.integers(0, 3)))]

    def cue(self) -> str:
        return self._one(self.script.cues)

    def stretch(self) -> str:
        return self._one((*self.script.silences, *self.script.openings))

    def scene(self) -> str:
        return self._one(self.script.scenes)

    def sequence(self) -> str:
        return self._one(self.script.sequences)

    def wording(self) -> int:
        return self.data.draw(st.sampled_from([0, 0, 0, 1, 1, 2, 3, -1]))

    def pair(self) -> tuple[str, str]:
        """Two lines, more often than not such as it costs to say both of."""
        penalties = self.script.rules.penalties
        if penalties and self.data.draw(st.booleans()):
            return penalties[0].second, penalties[0].first
        return self.line(), self.line()

    def offset(self) -> int:
        """A place in some text, often between two words."""
        return self.data.draw(st.sampled_from([2, 3, 4, 9, 23, 24, 25, 29, -1, 0, 60]))

    def time(self) -> int:
        return self.data.draw(times)

    def plan(self) -> Plan:
        """No real plan, but one that speaks of lines of the script, or of fusions of lines that are there."""
        names = [line.id for line in self.script.eventualities if self.data.draw(st.booleans())]
        spoken: list[tuple[str, tuple[str, ...]]] = [(name, ()) for name in names]
        for fusion in self.script.fusions:
            if set(fusion.members) <= set(names) and self.data.draw(st.booleans()):
                names = [name for name in names if name not in fusion.members]
                spoken = [each for each in spoken if each[0] not in fusion.members] + [(fusion.id, fusion.members)]
        return Plan(
            Status.OPTIMAL,
            "",
            deliveries=tuple(
                Delivery(name, 0, n * 1000, n * 1000 + 500, members=members) for n, (name, members) in enumerate(spoken)
            ),
        )

    def _one(self, items: tuple[Item, ...]) -> str:
        return self.data.draw(st.sampled_from([*(item.id for item in items)] * 5 + ["gone"]))


ONOFF = st.booleans()
EDITS: dict[Callable[..., Step | None], Callable[[RandomEditor], Step | None]] = {
    holds.pin_in: lambda h: holds.pin_in(h.script, h.lines()),
    holds.pin_out: lambda h: holds.pin_out(h.script, h.lines()),
    holds.unpin_placement: lambda h: holds.unpin_placement(h.script, h.lines()),
    holds.unpin: lambda h: holds.unpin(h.script, h.lines()),
    holds.pin_variant: lambda h: holds.pin_variant(h.script, h.line(), h.data.draw(st.none() | st.integers(-1, 3))),
    holds.pin_start: lambda h: holds.pin_start(h.script, h.line(), h.time(), h.plan()),
    holds.pin_starts: lambda h: holds.pin_starts(h.script, {name: h.time() for name in h.lines()}),
    holds.pin_spoken_variant: lambda h: holds.pin_spoken_variant(h.script, h.plan(), h.line()),
    holds.pin_as_planned: lambda h: holds.pin_as_planned(h.script, h.plan(), h.lines()),
    holds.unpin_start: lambda h: holds.unpin_start(h.script, h.lines()),
    holds.set_override: lambda h: holds.set_override(h.script, h.lines(), on=h.data.draw(ONOFF)),
    holds.set_accepted: lambda h: holds.set_accepted(h.script, h.lines(), on=h.data.draw(ONOFF), plan=h.plan()),
    holds.set_seen: lambda h: holds.set_seen(h.script, h.lines(), on=h.data.draw(ONOFF)),
    holds.set_note: lambda h: holds.set_note(h.script, h.line(), h.data.draw(texts)),
    lines.new_line: lambda h: lines.new_line(h.script, h.ids, h.time(), h.data.draw(texts)),
    lines.delete_lines: lambda h: lines.delete_lines(h.script, h.lines()),
    lines.set_salience: lambda h: lines.set_salience(h.script, h.lines(), h.data.draw(saliences)),
    lines.nudge_salience: lambda h: lines.nudge_salience(h.script, h.lines(), h.data.draw(saliences)),
    lines.join: lambda h: lines.join(h.script, h.lines(), h.plan() if h.data.draw(ONOFF) else None),
    lines.unjoin: lambda h: lines.unjoin(h.script, h.lines()),
    lines.move_lines: lambda h: lines.move_lines(h.script, h.lines(), h.line() if h.data.draw(ONOFF) else None),
    lines.move_earlier: lambda h: lines.move_earlier(h.script, h.line()),
    lines.move_later: lambda h: lines.move_later(h.script, h.line()),
    splitting.split_line: lambda h: splitting.split_line(h.script, h.ids, h.line(), h.offset(), h.wording()),
    splitting.merge_lines: lambda h: splitting.merge_lines(h.script, h.lines()),
    occurrences.set_occurrence: lambda h: occurrences.set_occurrence(
        h.script,
        h.line(),
        h.data.draw(st.none() | spans | st.just(Span(-9000, 90_000))),
    ),
    occurrences.confirm_occurrences: lambda h: occurrences.confirm_occurrences(h.script, h.lines()),
    occurrences.set_occurrence_start: lambda h: occurrences.set_occurrence_start(h.script, h.line(), h.time()),
    occurrences.set_occurrence_end: lambda h: occurrences.set_occurrence_end(h.script, h.line(), h.time()),
    occurrences.move_occurrence: lambda h: occurrences.move_occurrence(h.script, h.lines(), h.time() - 10_000),
    occurrences.set_spoiler_free: lambda h: occurrences.set_spoiler_free(h.script, h.lines(), on=h.data.draw(ONOFF)),
    wordings.rewrite_spoken: lambda h: wordings.rewrite_spoken(h.script, h.plan(), h.line(), h.data.draw(texts)),
    wordings.rewrite: lambda h: wordings.rewrite(h.script, h.line(), h.wording(), h.data.draw(texts)),
    wordings.add_wording: lambda h: wordings.add_wording(
        h.script,
        h.line(),
        h.data.draw(texts),
        h.data.draw(st.none() | st.integers(-1, 4)),
        h.data.draw(st.none() | rates),
    ),
    wordings.remove_wording: lambda h: wordings.remove_wording(h.script, h.line(), h.wording()),
    wordings.confirm_wording: lambda h: wordings.confirm_wording(h.script, h.line(), h.wording()),
    wordings.set_duration: lambda h: wordings.set_duration(
        h.script, h.line(), h.wording(), h.data.draw(st.none() | st.integers(-5, 5000))
    ),
    regions.draw_silence: lambda h: regions.draw_silence(h.script, h.ids, h.time(), h.time(), h.data.draw(texts)),
    regions.draw_opening: lambda h: regions.draw_opening(h.script, h.ids, h.time(), h.time(), h.data.draw(texts)),
    regions.move_region: lambda h: regions.move_region(h.script, h.stretch(), h.time()),
    regions.resize_region: lambda h: regions.resize_region(
        h.script,
        h.stretch(),
        start=h.data.draw(st.none() | times),
        end=h.data.draw(st.none() | times),
    ),
    regions.delete_regions: lambda h: regions.delete_regions(h.script, [h.stretch(), h.stretch()]),
    regions.set_region_note: lambda h: regions.set_region_note(h.script, h.stretch(), h.data.draw(texts)),
    edges.set_gap_edge: lambda h: edges.set_gap_edge(
        h.script,
        h.ids,
        h.data.draw(st.sampled_from([*gaps_of(h.script).gaps] or [Span(0, 1)])),
        h.data.draw(st.sampled_from(edges.Edge)),
        h.time(),
    ),
    cues.set_cue_times: lambda h: cues.set_cue_times(
        h.script, h.cue(), start=h.data.draw(st.none() | times), end=h.data.draw(st.none() | times)
    ),
    cues.retime_cues: lambda h: cues.retime_cues(
        h.script,
        h.data.draw(st.integers(-20_000, 20_000)),
        h.data.draw(st.sampled_from([Fraction(1), Fraction(24, 25), Fraction(1001, 1000)])),
    ),
    cues.cues_from_speech: lambda h: cues.cues_from_speech(h.script, h.ids, h.data.draw(st.lists(spans, max_size=3))),
    cues.set_cue_kind: lambda h: cues.set_cue_kind(h.script, [h.cue(), h.cue()], h.data.draw(st.sampled_from(CueKind))),
    scenes.split_scene: lambda h: scenes.split_scene(h.script, h.ids, h.time()),
    scenes.scenes_to_cuts: lambda h: scenes.scenes_to_cuts(h.script, h.data.draw(st.lists(times, max_size=4)), 9000),
    scenes.merge_scene: lambda h: scenes.merge_scene(h.script, h.scene()),
    scenes.rename_scene: lambda h: scenes.rename_scene(h.script, h.scene(), h.data.draw(texts)),
    scenes.set_reviewed: lambda h: scenes.set_reviewed(
        h.script, [h.scene(), h.scene()], on=h.data.draw(ONOFF), plan=h.plan()
    ),
    scenes.make_sequence: lambda h: scenes.make_sequence(h.script, h.ids, [h.scene()], h.data.draw(texts)),
    scenes.assign_to_sequence: lambda h: scenes.assign_to_sequence(
        h.script, [h.scene()], h.sequence() if h.data.draw(ONOFF) else None
    ),
    scenes.scenes_from_shots: lambda h: scenes.scenes_from_shots(
        h.script, h.ids, h.data.draw(st.lists(times, max_size=5)), h.data.draw(st.integers(-5, 9000))
    ),
    rules.make_alternatives: lambda h: rules.make_alternatives(h.script, h.lines()),
    rules.make_together: lambda h: rules.make_together(h.script, h.lines()),
    rules.make_requires: lambda h: rules.make_requires(h.script, h.line(), h.line()),
    rules.make_penalty: lambda h: rules.make_penalty(h.script, h.line(), h.line(), h.data.draw(st.integers(-1, 10**6))),
    rules.remove_rule: lambda h: rules.remove_rule(
        h.script,
        h.data.draw(st.sampled_from([*rules.list_rules(h.script.rules), RuleConflict("requires", ("a", "b"))])),
    ),
    rules.remove_rules_between: lambda h: rules.remove_rules_between(h.script, h.lines()),
}


def test_every_edit_is_tried() -> None:
    found: set[object] = set()
    for module in (holds, lines, splitting, occurrences, wordings, regions, edges, cues, scenes, rules):
        found |= set(edits_of(module))
    assert found == set(EDITS)


def edits_of(module: ModuleType) -> set[object]:
    return {
        each
        for name, each in inspect.getmembers(module, inspect.isfunction)
        if each.__module__ == module.__name__
        and not name.startswith("_")
        and inspect.signature(each).return_annotation == "Step | None"
    }


@settings(max_examples=150, deadline=None)
@given(scripts(), st.data())
def test_random_edits(script: Script, data: st.DataObject) -> None:
    document, ids = Document(script), Ids(script)
    ever = all_ids(script)
    for _ in range(data.draw(st.integers(1, 8))):
        if data.draw(st.integers(0, 5)) == 0:
            (document.undo if data.draw(ONOFF) else document.redo)()
            continue
        before = document.script
        edit = data.draw(st.sampled_from([*EDITS.values()]))
        try:
            step = edit(RandomEditor(before, ids, data))
        except EditRefused:
            continue
        if step is None:
            continue
        assert label_of(step, before)
        document.apply(step)
        after = document.script
        assert after != before
        assert step.inverse().apply(after) == before
        assert decode_step(encode_step(step)) == step
        inserted = set(inserted_ids(step))
        assert not inserted & ever
        ever |= inserted
        require_sound(after)
    while document.undo():
        pass
    assert document.script == script
    while document.redo():
        pass
    require_sound(document.script)
    assert decode(encode(document.script), Script) == document.script
    asked = document.script
    for line in asked.eventualities:
        problem = film_problem(asked, gaps_of(asked).gaps)
        fit = fit_of(Rooms(asked, problem, RandomEditor(asked, ids, data).plan()), line.id, 0)
        assert fit.room >= 0
        assert fit.fits is (fit.too_long == 0 and fit.duration >= fit.least)


def all_ids(script: Script) -> set[str]:
    return {item.id for items in collections(script) for item in items}


def collections(script: Script) -> tuple[tuple[Item, ...], ...]:
    return (
        script.sequences,
        script.scenes,
        script.cues,
        script.silences,
        script.openings,
        script.eventualities,
    )


def require_sound(script: Script) -> None:
    for items in collections(script):
        assert len({item.id for item in items}) == len(items)
    film = Span(0, END)
    for stretch in (*script.silences, *script.openings, *script.scenes):
        assert film.contains(stretch.span)
    # A sync may leave cues outside the film, so that another one can bring them back.
    assert [cue.start for cue in script.cues] == sorted(cue.start for cue in script.cues)
    for timed in (script.silences, script.openings, script.scenes):
        assert [item.span.start for item in timed] == sorted(item.span.start for item in timed)
    for first, second in zip(script.scenes, script.scenes[1:], strict=False):
        assert first.span.end == second.span.start
    for scene in script.scenes:
        assert scene.sequence is None or scene.sequence in {sequence.id for sequence in script.sequences}
    for line in script.eventualities:
        require_sound_line(script, line, film)
    require_sound_rules(script.rules, set(script.eventuality_index))
    problem = film_problem(script, gaps_of(script).gaps)
    parse_problem(json.dumps(problem_json(problem)).encode(), "problem")


def require_sound_line(script: Script, line: Eventuality, film: Span) -> None:
    pin = line.pin
    assert line.occurrence is None or film.contains(line.occurrence)
    assert line.within is None or film.contains(line.within)
    assert pin.start is None or 0 <= pin.start <= END
    assert pin.variant is None or 0 <= pin.variant < len(line.variants)
    assert not (pin.selected is False and pin.start is not None)
    assert not pin.override or pin.start is not None
    assert line.scene is None or line.scene in script.scene_by_id
    assert line.salience is None or abs(line.salience) <= 10**10
    assert not line.accepted or line.seen


def require_sound_rules(found: Rules, there: set[str]) -> None:
    for rule in rules.list_rules(found):
        assert set(rule.of) <= there
        assert len(set(rule.of)) == len(rule.of) >= 2
