"""Polished lines taken over: one step each, the wording held, the plan kept; what is stale is left, and why."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[2] / "fakes"))
from polish_model import polished, polishing, station, worded

from adstudio.core.document import Document
from adstudio.core.narration import LineVoice, VoiceSettings
from adstudio.core.provenance import provenance_text
from adstudio.core.script import Approval, Cue, Origin, Pin, Variant
from adstudio.core.settings import GapSettings, Scope, Settings
from adstudio.core.timebase import Span
from adstudio.drafting.polish.proposals import Polished, stale, taken_over, taking
from adstudio.drafting.polish.time_budget import Room, length_of, most_words, rooms
from adstudio.editing.labels import label_of
from adstudio.editing.pins import pin_variant
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import plan_film


def planned(script):
    gaps = gaps_of(script).gaps
    return gaps, plan_film(script, gaps)


def proposals(script, folder, change=None, **how):
    outcome = polished(script, polishing(change) if change else polishing(), folder, **how)
    return [each for each in outcome.proposals if isinstance(each, Polished)]


def spoken(plan):
    return [(each.element, each.variant) for each in plan.deliveries]


def take_all(script, found):
    gaps, plan = planned(script)
    steps = []
    after, then, left = taken_over(script, gaps, plan, found, steps.append)
    return after, then, left, steps


def test_each_line_is_one_step_and_the_plan_speaks_the_same_lines(tmp_path):
    script = station()
    before = planned(script)[1]
    after, plan, left, steps = take_all(script, proposals(script, tmp_path))
    assert left == ()
    assert len(steps) == 4
    assert [label_of(step, after) for step in steps[:1]] == ["Polish “She parks”"]
    assert spoken(plan) == spoken(before) == spoken(planned(after)[1])
    line = after.eventuality("e1")
    assert line.variants[0].text == "She parks."
    assert (line.origin, line.accepted, line.seen) == (Origin.MACHINE, False, False)
    assert line.pin == Pin(variant=0)
    assert provenance_text(line.provenance).startswith("polished by model-1.2, polish 1, ")
    document = Document(script)
    for step in steps:
        document.apply(step)
    assert document.script == after
    for _ in steps:
        document.undo()
    assert document.script == script


def test_the_describer_who_takes_one_over_has_read_it_and_agrees(tmp_path):
    script = station()
    first = proposals(script, tmp_path)[0]
    step = taking(script, planned(script)[1], first, agreed=True)
    line = step.apply(script).eventuality("e1")
    assert (line.accepted, line.seen, line.origin) == (True, True, Origin.MACHINE)
    assert line.approval.duration is None, "there is no voice to keep a length of"


def test_what_is_agreed_to_keeps_the_length_that_its_own_voice_takes_then(tmp_path):
    script = station(voice=VoiceSettings("espeak-ng"))
    script = script.with_eventuality(0, replace(script.eventualities[0], voice=LineVoice(rate=100)))
    plan = planned(script)[1]
    proposal = replace(proposals(station(), tmp_path)[0], text="She parks.")
    line = taking(script, plan, proposal, agreed=True).apply(script).eventuality("e1")
    # Two words at 100 a minute.
    assert line.approval == Approval(0, plan.by_element["e1"].start, 1_200)


def crowded(**more):
    """One gap of 6 s for a and b of 3 s each and c of 2.7 s, all about its middle: a and b are worth most."""
    nine = "One two three four five six seven eight nine."
    ten = "One two three four five six seven eight nine ten."
    return station(
        scenes=station().scenes[:1],
        cues=(Cue("c1", 0, 10_000, "So."), Cue("c2", 16_000, 40_000, "Then.")),
        eventualities=(
            worded("a", 12_000, 0.50, ten),
            worded("b", 12_000, 0.50, ten),
            worded("c", 12_000, 0.50, nine),
        ),
        **more,
    )


def test_a_shorter_wording_does_not_let_the_plan_drop_its_line(tmp_path):
    script = crowded()
    gaps, before = planned(script)
    assert spoken(before) == [("a", 0), ("b", 0)]
    found = proposals(script, tmp_path, lambda _text, _most: "One two three four five.")
    after, plan, left, _ = take_all(script, found[:1])
    assert left == ()
    # At 1.5 s it is worth less than c: without a hold the plan would speak b and c.
    assert after.eventuality("a").pin == Pin(selected=True, variant=0)
    free = after.with_eventuality(0, replace(after.eventuality("a"), pin=Pin(variant=0)))
    assert spoken(plan_film(free, gaps)) == [("b", 0), ("c", 0)]
    assert spoken(plan) == spoken(before)


def test_a_line_that_the_plan_would_lose_to_the_freed_time_is_held(tmp_path):
    # b is short and c long: as soon as a is shorter, c fits beside it, and is worth more than b.
    script = crowded()
    a, b, c = script.eventualities
    b = replace(b, variants=(Variant("One two three four five six."),), salience=500_000)
    c = replace(
        c, variants=(Variant("One two three four five six seven eight nine ten eleven twelve."),), salience=400_000
    )
    script = script.with_changes(eventualities=(a, b, c), settings=replace(script.settings, min_pause=900))
    before = planned(script)[1]
    assert spoken(before) == [("a", 0), ("b", 0)]
    found = proposals(script, tmp_path, lambda _text, _most: "One two three.")
    after, plan, left, steps = take_all(script, [each for each in found if each.eventuality == "a"])
    assert (left, len(steps)) == ((), 1)
    assert {each.element for each in plan.deliveries} >= {"a", "b"}
    held = after.eventuality("b")
    assert held.pin == Pin(selected=True, variant=0)
    assert held.provenance.held_by_polishing
    assert not pin_variant(after, "b", None).apply(after).eventuality("b").provenance.held_by_polishing


def test_what_changed_meanwhile_is_not_taken_over(tmp_path):
    script = station()
    first, *_ = proposals(script, tmp_path)
    gaps, plan = planned(script)
    room = rooms(script, gaps, plan)["e1"]
    assert stale(script, plan, room, first) == ""
    line = script.eventuality("e1")
    reworded = script.with_eventuality(0, replace(line, variants=(Variant("Parks it."),)))
    assert stale(reworded, plan, room, first) == "The line was reworded meanwhile."
    gone = script.with_changes(eventualities=script.eventualities[1:])
    assert stale(gone, plan, None, first) == "The line is no longer in the script."
    out = script.with_eventuality(0, replace(line, pin=Pin(selected=False)))
    assert stale(out, planned(out)[1], None, first) == "The plan leaves the line out now."
    other = script.with_eventuality(0, replace(line, variants=(*line.variants, Variant("Parks her scooter."))))
    assert stale(other, planned(other)[1], room, first) == "The plan speaks another wording of the line now."
    cues = (Cue("b", 0, 1_850, "Ho!"), Cue("c", 2_250, 4_000, "Hey!"), *script.cues)
    tight = script.with_changes(cues=cues, settings=Settings(gaps=GapSettings(least=100)))
    gaps, plan = planned(tight)
    assert (
        stale(tight, plan, rooms(tight, gaps, plan)["e1"], first)
        == "It does not fit any more: it takes 0.6 s, and there are 0.4 s now."
    )
    assert taken_over(tight, gaps, plan, [first], lambda _step: None)[2] == (
        (first, "It does not fit any more: it takes 0.6 s, and there are 0.4 s now."),
    )


def test_a_line_pinned_as_early_as_may_be_is_not_made_too_short_whatever_pace_it_was_read_in():
    # It happens at 1–3 s and is held at 0.2 s: |2d + L − 4 000| ≤ 2 · 1 000 lets it last 1.6 s at the least.
    script = station(settings=Settings(delta_max=1_000))
    line = replace(script.eventuality("e1"), variants=(Variant("Parks.", duration=1_800),), pin=Pin(start=200))
    script = script.with_eventuality(0, line)
    gaps, plan = planned(script)
    room = rooms(script, gaps, plan)["e1"]
    assert room.least == 1_600
    # Read as slowly as before it would last 3.6 s, but until it is read again it is planned with 0.6 s.
    proposal = Polished("e1", 0, "She parks.", "Parks.", plan.by_element["e1"].span, room.most, 3_600)
    why = "It is too short for the time at which the line is pinned, which is as early as it may be."
    assert stale(script, plan, room, proposal) == why
    assert taken_over(script, gaps, plan, [proposal], lambda _step: None) == (script, plan, ((proposal, why),))


@pytest.mark.parametrize("pause", [0, 500])
def test_the_room_ends_at_the_next_line(pause):
    close = station(
        eventualities=(worded("e1", 1_000, 0.9, "Parks."), worded("e2", 2_000, 0.9, "Takes package.")),
        settings=Settings(min_pause=pause),
    )
    gaps, plan = planned(close)
    first, second = plan.deliveries
    assert rooms(close, gaps, plan)["e1"].most == second.start - pause - first.start


def test_the_room_ends_where_window_bounds_scene_or_share_end():
    script = station()
    line = script.eventuality("e3")  # happens 12–14 s, spoken 12.55–13.45 s, its gap 10–20 s

    def most(changed, **other_settings):
        other = script.with_eventuality(2, changed).with_changes(settings=Settings(**other_settings))
        gaps, plan = planned(other)
        return rooms(other, gaps, plan)["e3"].most

    assert most(line) == 20_000 - 12_550
    assert most(replace(line, within=Span(12_000, 15_000))) == 15_000 - 12_550
    # |2d + L − 26 000| ≤ 2 · 1 000 with d at 12 550.
    assert most(line, delta_max=1_000) == 26_000 + 2_000 - 2 * 12_550
    # Half of the gap may be spoken in, and nothing else is spoken there.
    assert most(line, max_share=500_000) == 5_000
    cut = replace(script.scenes[0], span=Span(0, 16_000))
    other = script.with_changes(scenes=(cut, script.scenes[1]), settings=Settings(scope=Scope.SCENE))
    gaps, plan = planned(other)
    assert rooms(other, gaps, plan)["e3"].most == 16_000 - 12_550


def test_what_the_share_of_a_gap_leaves_is_divided_among_its_lines():
    two = (worded("e1", 1_000, 0.9, "Parks."), worded("e2", 5_800, 0.9, "Takes package."))
    script = station(eventualities=two, settings=Settings(max_share=400_000))
    gaps, plan = planned(script)
    # Of the gap of 8 s 3.2 s may be spoken in; 0.3 + 0.6 s are, so that 2.3 s are left, 1.15 s for each.
    found = rooms(script, gaps, plan)
    assert [found["e1"].most, found["e2"].most] == [300 + 1_150, 1_500]  # e2 ends with the gap
    assert [found["e1"].between, found["e2"].between] == [300 + 2_300, 600 + 2_300]


def test_between_its_neighbours_a_line_may_start_earlier():
    script = station(eventualities=(worded("e1", 1_000, 0.9, "Parks."), worded("e2", 5_800, 0.9, "Takes package.")))
    gaps, plan = planned(script)
    # e1 is spoken 1.85–2.15 s, e2 6.5–7.1 s, their gap ends at 8 s.
    assert rooms(script, gaps, plan)["e2"] == Room(0, 8_000 - 6_500, 8_000 - 2_150)
    near = script.with_changes(settings=Settings(delta_max=500))
    gaps, plan = planned(near)
    # |2d + L − 13 600| ≤ 1 000 with d no less than 2 150 and d + L no more than 8 000.
    assert rooms(near, gaps, plan)["e2"] == Room(0, 8_000 - 6_500, 16_000 - 12_600)
    held = near.with_eventuality(1, replace(near.eventualities[1], pin=Pin(start=6_500)))
    gaps, plan = planned(held)
    assert rooms(held, gaps, plan)["e2"] == Room(0, 1_500, 1_500)


@st.composite
def films(draw):
    """Up to seven lines of up to nine words, all over a film of two gaps, some measured, the first perhaps pinned.

    And how long each becomes.
    """
    lines = tuple(
        worded(
            f"e{n}",
            draw(st.integers(0, 380)) * 100,
            draw(st.integers(1, 99)) / 100,
            *(_words(draw(st.integers(1, 9))) for _ in range(draw(st.integers(1, 2)))),
            scene=None,
        )
        for n in range(draw(st.integers(1, 7)))
    )
    length = st.none() | st.integers(300, 3_000)
    lines = tuple(
        replace(line, variants=tuple(replace(variant, duration=draw(length)) for variant in line.variants))
        for line in lines
    )
    lines = (replace(lines[0], pin=Pin(start=draw(st.none() | st.integers(0, 7_000)))), *lines[1:])
    settings = Settings(min_pause=draw(st.sampled_from([0, 200])), delta_max=draw(st.sampled_from([2_000, 10_000])))
    cues = (Cue("c1", 8_000, 12_000, "So."), Cue("c2", 20_000, 40_000, "Then."))
    film = station(scenes=(), cues=cues, eventualities=lines, settings=settings)
    return film, draw(st.lists(st.integers(0, 100), min_size=7, max_size=7))


def _words(count):
    return " ".join(["Word", *["word"] * (count - 1)]) + "."


@settings(max_examples=60, deadline=None)
@given(films())
def test_whatever_is_taken_over_the_plan_goes_on_speaking_what_it_spoke(made):
    script, shares = made
    gaps, plan = planned(script)
    assume(plan.bound is not None)
    before = {(each.element, each.variant) for each in plan.deliveries}
    for each, share in zip(plan.deliveries, shares, strict=False):
        now = rooms(script, gaps, plan)[each.element]
        delivery = plan.by_element[each.element]
        old = script.eventuality(each.element).variants[each.variant]
        text = _words(1 + most_words(script, old, now.between) * share // 101)
        proposal = Polished(each.element, each.variant, text, old.text, delivery.span, now.most, 0)
        assert now.most >= delivery.end - delivery.start
        assert now.between >= now.most
        lasts = length_of(script, old, text)
        short = script.duration(Variant(text)) < now.least
        script, plan, left = taken_over(script, gaps, plan, [proposal], lambda _step: None)
        assert bool(left) == (short or lasts > now.between)
    assert {(each.element, each.variant) for each in plan.deliveries} >= before
    assert plan.objective == plan.bound


def test_a_line_over_dialogue_keeps_the_time_it_has():
    script = station()
    line = replace(script.eventuality("e3"), pin=Pin(start=21_000, override=True))
    other = script.with_eventuality(2, line)
    gaps, plan = planned(other)
    assert rooms(other, gaps, plan)["e3"] == Room(0, 900, 900)
