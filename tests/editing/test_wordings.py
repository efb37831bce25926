"""Wordings, and the numbers beside them as they are typed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from editing_scripts import SCRIPT, changed, done, with_pin

from adstudio.core.narration import LengthSource
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Origin, Pin, Script, Variant
from adstudio.core.settings import Settings
from adstudio.core.timebase import Span
from adstudio.editing import wordings
from adstudio.editing.change import EditRefused
from adstudio.editing.fit import Fit, fit_of
from adstudio.editing.labels import label_of
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.film.room import Rooms

HALF = Fraction(1, 2)


def test_a_rewritten_line_is_the_describers() -> None:
    step = wordings.rewrite(SCRIPT, "e1", 1, "Parked.")
    line = done(step).eventuality("e1")
    assert line.variants == (SCRIPT.eventuality("e1").variants[0], Variant("Parked.", HALF))
    assert (line.origin, line.seen, line.accepted) == (Origin.HUMAN, True, False)
    assert step is not None
    assert label_of(step, SCRIPT) == "Rewrite “She parks. She unmasks” and lock wording"
    assert wordings.rewrite(SCRIPT, "e2", 0, "Tom waits.") is None


def rewritten_pin(script: Script, identity: str, variant: int) -> Pin:
    return done(wordings.rewrite(script, identity, variant, "Something else."), script).eventuality(identity).pin


def test_what_was_just_written_is_held_beside_wordings_of_the_draft() -> None:
    assert rewritten_pin(SCRIPT, "e1", 1) == Pin(variant=1)
    assert rewritten_pin(SCRIPT, "e1", 0) == Pin(variant=0)
    # The rest of what is held stays.
    assert rewritten_pin(with_pin("e1", Pin(selected=True, start=500)), "e1", 0) == Pin(True, 0, 500)
    # The only wording needs no hold, one that is held already stays the one that is held.
    assert rewritten_pin(SCRIPT, "e2", 0) == Pin()
    assert rewritten_pin(held(1), "e1", 0) == Pin(variant=1)


def test_a_line_of_the_describers_own_leaves_the_choice_among_his_wordings() -> None:
    own = changed(SCRIPT, "e1", origin=Origin.HUMAN)
    assert rewritten_pin(own, "e1", 0) == Pin()
    # A draft's line that the describer has had a hand in still has the draft's other wordings.
    assert rewritten_pin(changed(own, "e1", extract="She parks."), "e1", 0) == Pin(variant=0)


@pytest.mark.parametrize("text", ["", "  \n", "x" * 10_001])
def test_a_wording_needs_words_and_not_too_many(text: str) -> None:
    with pytest.raises(EditRefused):
        wordings.rewrite(SCRIPT, "e1", 0, text)
    with pytest.raises(EditRefused):
        wordings.add_wording(SCRIPT, "e1", text)


def test_a_wording_that_is_gone() -> None:
    for edit in (
        lambda: wordings.rewrite(SCRIPT, "e1", 2, "x"),
        lambda: wordings.remove_wording(SCRIPT, "e1", -1),
        lambda: wordings.set_duration(SCRIPT, "e2", 1, 5),
    ):
        with pytest.raises(EditRefused, match="That wording no longer exists"):
            edit()


def held(variant: int | None) -> Script:
    return with_pin("e1", Pin(variant=variant))


def test_added_wordings() -> None:
    line = done(wordings.add_wording(SCRIPT, "e1", "She parks and takes off her helmet.")).eventuality("e1")
    # 7 of 9 words: 7.8 tenths, so 0.8.
    assert line.variants[2] == Variant("She parks and takes off her helmet.", Fraction(4, 5))
    assert line.origin is Origin.HUMAN
    line = done(wordings.add_wording(held(1), "e1", "Go.", place=1, rate=HALF), held(1)).eventuality("e1")
    assert (line.variants[1], line.pin.variant) == (Variant("Go.", HALF), 2)
    assert done(wordings.add_wording(held(0), "e1", "Go.", place=1), held(0)).eventuality("e1").pin.variant == 0
    assert done(wordings.add_wording(SCRIPT, "e2", "a b c d e f")).eventuality("e2").variants[1].rate == 1
    full = changed(SCRIPT, "e1", variants=(Variant("x"),) * 50)
    with pytest.raises(EditRefused, match="at most 50 wordings"):
        wordings.add_wording(full, "e1", "y")


@pytest.mark.parametrize(
    ("was", "removed", "then"), [(0, 0, None), (1, 0, 0), (0, 1, 0), (1, 1, None), (None, 0, None)]
)
def test_removed_wordings(was: int | None, removed: int, then: int | None) -> None:
    line = done(wordings.remove_wording(held(was), "e1", removed), held(was)).eventuality("e1")
    assert line.variants == (SCRIPT.eventuality("e1").variants[1 - removed],)
    assert line.pin == Pin(variant=then)
    with pytest.raises(EditRefused, match="A line needs a wording"):
        wordings.remove_wording(SCRIPT, "e2", 0)


def test_durations() -> None:
    line = done(wordings.set_duration(SCRIPT, "e1", 0, 2500)).eventuality("e1")
    assert (line.variants[0].duration, line.origin) == (2500, Origin.MACHINE)
    assert done(wordings.set_duration(SCRIPT, "e1", 1, None)).eventuality("e1").variants[1].duration is None
    assert wordings.set_duration(SCRIPT, "e1", 1, 900) is None
    for ms in (0, -1, 600_001):
        with pytest.raises(EditRefused):
            wordings.set_duration(SCRIPT, "e1", 0, ms)


GAPS = gaps_of(SCRIPT).gaps
PLAN = Plan(
    Status.OPTIMAL,
    "exact",
    deliveries=(Delivery("e1", 1, 1000, 1900), Delivery("e2", 0, 5000, 5600), Delivery("e4", 0, 33_000, 33_900)),
)


def test_the_gaps_of_the_example() -> None:
    # c2 has two words: at 160 a minute they take 0.75 s.
    assert (Span(0, 10_000), Span(14_000, 20_000), Span(20_750, 25_000), Span(27_000, 60_000)) == GAPS


def fit(identity: str, wording: int | str, script: Script = SCRIPT, plan: Plan = PLAN) -> Fit:
    return fit_of(Rooms(script, film_problem(script, GAPS), plan), identity, wording)


def test_the_room_of_a_spoken_line_is_between_its_neighbours() -> None:
    # From the film's start to e2's.
    own = {"source": LengthSource.OWN}
    assert fit("e1", 1) == Fit(4, 900, Span(0, 10_000), 5000, **own)
    assert fit("e1", 0) == Fit(9, 2700, Span(0, 10_000), 5000)
    # From e1's end to the gap's.
    assert fit("e2", "Tom waits for her") == Fit(4, 1200, Span(0, 10_000), 8100)
    assert fit("e2", "") == Fit(0, 0, Span(0, 10_000), 8100)
    found = fit("e1", "word " * 17)
    assert (found.duration, found.fits, found.spare, found.too_long) == (5100, False, -100, 100)
    assert (fit("e1", 1).fits, fit("e1", 1).spare, fit("e1", 1).too_long) == (True, 4100, 0)


def test_pauses_bounds_and_pinned_starts_take_room() -> None:
    paused = replace(SCRIPT, settings=Settings(min_pause=200))
    assert fit("e1", 1, paused).room == 4800
    assert fit("e2", 0, paused).room == 7900
    assert fit("e2", 0, changed(SCRIPT, "e2", within=Span(5000, 6500))).room == 1500
    assert fit("e2", 0, with_pin("e2", Pin(start=5000))).room == 5000
    assert fit("e1", 1, with_pin("e1", Pin(start=1000))).room == 4000


def test_the_window_about_the_occurrence_takes_room() -> None:
    # e4 happens about 34 s, so 2d + L ≤ 2 · 44 s; from 27 s on it may last 34 s, but its gap ends after 33.
    assert fit("e4", 0).room == 33_000
    near = replace(SCRIPT, settings=Settings(delta_max=10_000, delta_late=1_000))
    # 2d + L ≤ 2 · 35 s.
    assert fit("e4", 0, near).room == 70_000 - 2 * 27_000
    early = replace(SCRIPT, settings=Settings(delta_early=1_000))
    # d + L ≤ 60 s and 2d + L ≥ 2 · 33 s leave more than the gap has.
    assert fit("e4", 0, early).room == 33_000


def test_an_overridden_line_has_room_up_to_the_next_line() -> None:
    over = replace(PLAN, deliveries=(PLAN.deliveries[0], Delivery("e2", 0, 11_000, 11_600), PLAN.deliveries[2]))
    assert fit("e2", 0, with_pin("e2", Pin(start=11_000, override=True)), over) == Fit(2, 600, None, 22_000)


def test_a_line_that_is_left_out_has_the_widest_place_within_reach() -> None:
    left = replace(PLAN, deliveries=(PLAN.deliveries[0], PLAN.deliveries[2]))
    # e2 happens about 5.5 s, so 2d + L ≤ 31 s: from 14 s on it may last 3 s, and 1.9–10.0 is wider.
    assert fit("e2", 0, plan=left) == Fit(2, 600, Span(0, 10_000), 8100)
    early = replace(PLAN, deliveries=(Delivery("e1", 1, 9000, 9900),))
    assert fit("e2", 0, plan=early) == Fit(2, 600, Span(14_000, 20_000), 3000)
    none = replace(PLAN, deliveries=(Delivery("e1", 1, 19_000, 19_900),))
    assert fit("e2", 0, plan=none) == Fit(2, 600, None, 0)
    assert fit("e3", 0) == Fit(1, 300, None, 0)


def test_what_is_said_to_fit_is_planned_and_what_is_not_is_not() -> None:
    from adstudio.planning.film.film_plan import plan_film

    # Alone in its film, held in: e2 has 1.9–10.0 and more words than that is too much.
    for words, fits in ((33, True), (34, False)):
        script = changed(SCRIPT, "e2", variants=(Variant("word " * words),), pin=Pin(selected=True))
        script = replace(script, eventualities=(script.eventuality("e2"),))
        gaps = (Span(0, 10_000),)
        found = fit_of(Rooms(script, film_problem(script, gaps), Plan(Status.OPTIMAL, "exact")), "e2", 0)
        assert (found.room, found.fits) == (10_000, fits)
        assert (plan_film(script, gaps).status is Status.OPTIMAL) is fits


def test_a_line_or_wording_that_is_gone() -> None:
    with pytest.raises(EditRefused):
        fit("e9", 0)
    with pytest.raises(EditRefused):
        fit("e2", 1)
