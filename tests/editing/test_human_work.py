"""Every edit that there is, and whether it makes a line a person's work, which no redraft takes away or resets."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction
from typing import get_args

import pytest

from adstudio import editing
from adstudio.core import steps
from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.provenance import Contribution, DraftSource, ModelTask, ModelWork, Provenance, ScreenplayLine
from adstudio.core.script import Eventuality, Origin, Scene, Script, Variant
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing import (
    cast,
    cues,
    dialogue_replacement,
    edges,
    lines,
    measured_lengths,
    named_faces,
    occurrences,
    pins,
    polish,
    redraft,
    regions,
    replacing,
    revert,
    rules,
    scenes,
    sound_track,
    speakers,
    splitting,
    takes,
    voicing,
    word_times,
    wordings,
)
from adstudio.editing.ids import Ids
from adstudio.editing.labels import label_of
from adstudio.editing.redraft import is_human_work, redraft_scene
from adstudio.editing.search import Search

Edit = Callable[[Script], Step | None]
BY_MODEL = ModelWork((Contribution("m", (ModelTask("candidates", 1),)),), 0)


def drafted(identity: str, text: str, start: int, *, source: DraftSource | None = BY_MODEL) -> Eventuality:
    """A line as a draft makes it; candidates' lines bear neither a provenance nor a confidence."""
    return Eventuality(
        identity,
        (Variant(text), Variant(f"{text.split(maxsplit=1)[0]} acts.", Fraction(1, 2))),
        Span(start, start + 1000),
        500_000,
        scene="s1",
        confidence=550 if source else None,
        provenance=Provenance(source),
    )


def script(*, source: DraftSource | None = BY_MODEL) -> Script:
    return Script(
        Film("f", 60_000),
        scenes=(Scene("s1", Span(0, 60_000)),),
        eventualities=tuple(
            drafted(f"e{n}", f"{name} parks the car, and waits.", n * 5000, source=source)
            for n, name in enumerate(("Anna", "Tom", "Eve"))
        ),
    )


PLAN = Plan(Status.OPTIMAL, "", deliveries=(Delivery("e1", 0, 5000, 6000),))
TAKE = takes.NewTake("e1", 0, "0f" * 32, 1200)
FIRST = takes.fresh_take_id(Variant(""))
"""The id of a wording's first take."""
WORK: dict[Callable[..., Step | None], Edit] = {
    lines.new_line: lambda s: lines.new_line(s, Ids(s), 9000, "She sings."),
    lines.set_salience: lambda s: lines.set_salience(s, ["e1"], 600_000),
    lines.nudge_salience: lambda s: lines.nudge_salience(s, ["e1"], 100_000),
    lines.join: lambda s: lines.join(s, ["e1"]),
    lines.move_lines: lambda s: lines.move_lines(s, ["e1"], "e0"),
    lines.move_earlier: lambda s: lines.move_earlier(s, "e1"),
    lines.move_later: lambda s: lines.move_later(s, "e1"),
    voicing.change_line_voice: lambda s: voicing.change_line_voice(s, ["e1"], lambda v: replace(v, pitch=5)),
    takes.add_take: lambda s: takes.add_take(s, TAKE),
    takes.add_takes: lambda s: takes.add_takes(s, [TAKE]),
    takes.add_spoken_takes: lambda s: takes.add_spoken_takes(s, PLAN, [TAKE]),
    voicing.set_duck: lambda s: voicing.set_duck(s, ["e1"], 120),
    voicing.set_extended: lambda s: voicing.set_extended(s, ["e1"], on=True),
    pins.pin_in: lambda s: pins.pin_in(s, ["e1"]),
    pins.pin_out: lambda s: pins.pin_out(s, ["e1"]),
    pins.pin_variant: lambda s: pins.pin_variant(s, "e1", 1),
    pins.pin_start: lambda s: pins.pin_start(s, "e1", 7000),
    pins.pin_starts: lambda s: pins.pin_starts(s, {"e1": 7000}),
    pins.pin_as_planned: lambda s: pins.pin_as_planned(s, PLAN, ["e1"]),
    pins.pin_spoken_variant: lambda s: pins.pin_spoken_variant(s, PLAN, "e1"),
    pins.set_accepted: lambda s: pins.set_accepted(s, ["e1"], on=True),
    pins.set_note: lambda s: pins.set_note(s, "e1", "check the name"),
    splitting.split_line: lambda s: splitting.split_line(s, Ids(s), "e1", 15),
    splitting.merge_lines: lambda s: splitting.merge_lines(s, ["e1", "e2"]),
    occurrences.set_occurrence: lambda s: occurrences.set_occurrence(s, "e1", Span(6000, 7000)),
    occurrences.confirm_occurrences: lambda s: occurrences.confirm_occurrences(s, ["e1"]),
    occurrences.set_occurrence_start: lambda s: occurrences.set_occurrence_start(s, "e1", 5500),
    occurrences.set_occurrence_end: lambda s: occurrences.set_occurrence_end(s, "e1", 5500),
    occurrences.move_occurrence: lambda s: occurrences.move_occurrence(s, ["e1"], 300),
    occurrences.set_spoiler_free: lambda s: occurrences.set_spoiler_free(s, ["e1"], on=True),
    wordings.rewrite: lambda s: wordings.rewrite(s, "e1", 0, "Tom parks."),
    wordings.rewrite_spoken: lambda s: wordings.rewrite_spoken(s, PLAN, "e1", "Tom parks."),
    wordings.add_wording: lambda s: wordings.add_wording(s, "e1", "Tom waits."),
    wordings.remove_wording: lambda s: wordings.remove_wording(s, "e1", 1),
    wordings.set_duration: lambda s: wordings.set_duration(s, "e1", 0, 4200),
    replacing.replace_matches: lambda s: replacing.replace_matches(
        s, Search("Tom"), "Jim", ["e1"], replacing.Where.WORDINGS, lambda _: 0
    ),
    polish.apply_polish: lambda s: polish.apply_polish(s, "e1", 0, "Tom leaves the car."),
    rules.make_alternatives: lambda s: rules.make_alternatives(s, ["e1", "e2"]),
    rules.make_together: lambda s: rules.make_together(s, ["e1", "e2"]),
    rules.make_requires: lambda s: rules.make_requires(s, "e1", "e2"),
    rules.make_penalty: lambda s: rules.make_penalty(s, "e1", "e2", 5),
}
"""What makes `e1`, or what it has become, a person's work."""
UNUSED: Edit = lambda s: takes.add_take(s, TAKE, choose=False)
ONWARD: dict[Callable[..., Step | None], tuple[Edit, Edit]] = {
    pins.set_override: (WORK[pins.pin_start], lambda s: pins.set_override(s, ["e1"], on=True)),
    takes.choose_take: (UNUSED, lambda s: takes.choose_take(s, "e1", 0, FIRST)),
    takes.trim_take: (WORK[takes.add_take], lambda s: takes.trim_take(s, "e1", 0, FIRST, 100, 900)),
    takes.set_take_level: (WORK[takes.add_take], lambda s: takes.set_take_level(s, "e1", 0, FIRST, -15)),
    takes.rename_take: (WORK[takes.add_take], lambda s: takes.rename_take(s, "e1", 0, FIRST, "slower")),
    wordings.confirm_wording: (WORK[wordings.rewrite], lambda s: wordings.confirm_wording(s, "e1", 1)),
}
"""Those that need another before."""
LETS_GO = frozenset(
    (
        *(
            pins.unpin_placement,
            pins.unpin,
            pins.unpin_start,
            lines.unjoin,
            rules.remove_rules_between,
            rules.remove_rule,
        ),
        *(pins.set_seen, lines.delete_lines, revert.revert, takes.remove_take),
    )
)
"""What takes a hold, a tie or typing back, and so leaves the line to the machine again; a look; what leaves no line."""
OF_NO_LINE = frozenset(
    (
        *(regions.draw_silence, regions.draw_opening, regions.move_region, regions.resize_region),
        *(regions.delete_regions, regions.set_region_note, edges.set_gap_edge, cues.retime_cues),
        *(cues.set_cue_times, cues.set_cue_kind, cues.cues_from_speech),
        *(scenes.split_scene, scenes.merge_scene, scenes.rename_scene, scenes.set_reviewed, scenes.make_sequence),
        *(scenes.assign_to_sequence, scenes.scenes_from_shots, scenes.scenes_to_cuts),
        *(voicing.set_voice, voicing.set_pronunciation, voicing.import_pronunciations, voicing.set_speaking_rate),
        measured_lengths.take_measured,
        *(dialogue_replacement.replace_dialogue, sound_track.choose_sound_track),
        *(cast.add_person, cast.change_person, cast.rename_person, cast.set_aliases, cast.add_portrait),
        *(cast.choose_portrait, cast.remove_portrait),
        *(cast.move_person, cast.merge_people, cast.split_person, cast.delete_person, cast.set_people),
        cast.set_speaker,
        *(speakers.set_speakers, word_times.set_word_times),
        *(named_faces.name_faces, named_faces.unname_faces),
    )
)
"""What a redraft does not touch: dialogue, cast, scenes, stretches; what only accepted lines have, which it leaves."""
OF_MACHINES = frozenset((redraft.redraft_scene,))


def test_every_edit_is_listed() -> None:
    found: set[object] = set()
    for each in pkgutil.iter_modules(editing.__path__):
        module = importlib.import_module(f"{editing.__name__}.{each.name}")
        found |= {
            edit
            for name, edit in inspect.getmembers(module, inspect.isfunction)
            if edit.__module__ == module.__name__
            and not name.startswith("_")
            and inspect.signature(edit).return_annotation == "Step | None"
        }
    helping = {edit for edit in found if getattr(edit, "__module__", "").endswith((".change", ".fusions"))}
    listed = {*WORK, *ONWARD, *LETS_GO, *OF_NO_LINE, *OF_MACHINES}
    assert found - helping == listed, "say here whether the new edit is work that a redraft must keep"


def test_every_kind_of_step_and_every_field_of_a_line_is_thought_of() -> None:
    names = {kind.__name__ for kind in get_args(steps.Step)}
    assert names == {
        *("Insert", "Remove", "Replace", "Move", "Several"),
        # Of these a redraft changes nothing; a rule ties the lines that it names.
        *("SetFilm", "SetSettings", "SetRules", "SetPeople", "SetPrompts", "SetVoice", "SetLexicon"),
    }
    tell = {"origin", "pin", "weighed", "accepted", "note", "joined", "within", "worked", "confidence"}
    tell |= {"voice", "duck", "extended"}
    recorded_elsewhere = {"variants": "origin, worked", "occurrence": "confidence, worked", "salience": "weighed"}
    # A line is approved with its scene: that is no work on the line itself.
    machine = {"id", "scene", "seen", "extract", "provenance", "approval"}
    assert {field.name for field in fields(Eventuality)} == tell | recorded_elsewhere.keys() | machine


def require_human_work_stays(before: Script, after: Script) -> None:
    """A line that was edited is a person's work, and stays as it is whatever is drafted in its scene."""
    old = {line.id: line for line in before.eventualities}
    mine = [line for line in after.eventualities if old.get(line.id) != line]
    # A rule changes no line.
    mine = mine or [after.eventuality("e1")]
    for line in mine:
        assert is_human_work(after, line), line
    for fresh in (before.eventualities, (drafted("x", "Somebody else comes.", 2000),)):
        step = redraft_scene(after, Ids(after), "s1", fresh)
        redone = after if step is None else step.apply(after)
        for line in mine:
            assert redone.eventuality(line.id) == line
        found = [line.id for line in redone.eventualities if line in mine]
        assert found == [line.id for line in mine], "in the order that they were put in"


@pytest.mark.parametrize("source", [BY_MODEL, ScreenplayLine(3), None], ids=["model", "text", "file"])
@pytest.mark.parametrize("edit", WORK, ids=lambda edit: edit.__name__)
def test_a_redraft_keeps_it(edit: Callable[..., Step | None], source: DraftSource | None) -> None:
    before = script(source=source)
    step = WORK[edit](before)
    if edit is occurrences.confirm_occurrences and not source:
        assert step is None, "nobody doubts when it happens"
        return
    assert step is not None
    after = step.apply(before)
    assert step.inverse().apply(after) == before
    require_human_work_stays(before, after)


@pytest.mark.parametrize("edit", ONWARD, ids=lambda edit: edit.__name__)
def test_a_redraft_keeps_what_was_edited_on(edit: Callable[..., Step | None]) -> None:
    first, then = ONWARD[edit]
    before = script()
    for each in (first, then):
        step = each(before)
        assert step is not None
        after = step.apply(before)
        require_human_work_stays(before, after)
        before = after


def test_bounds_lifted_are_work_too() -> None:
    bound = script()
    bound = bound.with_eventuality(1, replace(bound.eventualities[1], within=Span(5000, 60_000)))
    for edit in (
        lambda s: occurrences.set_spoiler_free(s, ["e1"], on=False),
        lambda s: occurrences.set_occurrence(s, "e1", None),
    ):
        step = edit(bound)
        assert step is not None
        require_human_work_stays(bound, step.apply(bound))


def test_what_is_let_go_is_the_machines_again_but_stays_a_persons_where_more_was_done() -> None:
    before = script()
    pinned = lines.move_earlier(before, "e1")
    assert pinned is not None
    moved = pinned.apply(before)
    held = pins.pin_in(before, ["e1"])
    assert held is not None
    freed = pins.unpin(held.apply(before), ["e1"])
    assert freed is not None
    assert freed.apply(held.apply(before)) == before
    held = pins.pin_in(moved, ["e1"])
    assert held is not None
    freed = pins.unpin(held.apply(moved), ["e1"])
    assert freed is not None
    assert is_human_work(freed.apply(held.apply(moved)), moved.eventuality("e1"))


def test_a_line_moved_by_a_person_is_one_step_named_as_a_move() -> None:
    before = script()
    step = lines.move_later(before, "e0")
    assert step is not None
    assert label_of(step, before) == "Move “Anna parks the car…” before “Eve parks the car…”"
    after = step.apply(before)
    assert [line.id for line in after.eventualities] == ["e1", "e0", "e2"]
    assert [line.worked for line in after.eventualities] == [False, True, False], "others are only passed"
    human = after.with_eventuality(1, replace(after.eventualities[1], origin=Origin.HUMAN, worked=False))
    step = lines.move_later(human, "e0")
    assert step is not None
    assert not step.apply(human).eventuality("e0").worked, "it is a person’s already"
