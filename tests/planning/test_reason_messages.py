"""Why a line is in or out, in words: one small film for each kind of reason, worked out by hand."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from adstudio.core.plan import Conflict, HoldConflict
from adstudio.core.script import Penalty, Pin, Rules
from adstudio.core.settings import Near
from adstudio.core.timebase import Span, clock
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.film.reason_messages import ALL_NAMED, NO_SALIENCE, ReasonWriter
from adstudio.planning.film.shortfall_messages import NO_ACTION, NO_GAPS
from adstudio.planning.live.explain import Explanation, explain, gap_value, planner_for, reason
from adstudio.planning.problem import Element, Problem
from adstudio.planning.solve import solve


def line(name: str, at: float, salience: float, *seconds: float, pin: Pin = Pin(), lasts: float = 2) -> Element:
    """A line whose action lasts 2 s and has its middle at `at`; each wording takes so many seconds."""
    first, last = round((at - lasts / 2) * 1000), round((at + lasts / 2) * 1000)
    lengths = tuple(round(each * 1000) for each in seconds)
    return Element(name, Span(first, last), round(salience * 1_000_000), lengths, pin=pin, texts=(name,) * len(lengths))


def film(*lines: Element, gaps: tuple[tuple[float, float], ...] = ((0, 10),), **settings: object) -> Problem:
    spans = tuple(Span(round(a * 1000), round(b * 1000)) for a, b in gaps)
    return replace(Problem("film", Span(0, 100_000), spans, lines), **settings)


def locks(conflict: Sequence[Conflict]) -> str:
    """Which locks conflict, as bare facts."""
    return " ".join(f"{cause.element} {cause.hold}" for cause in conflict if isinstance(cause, HoldConflict))


def why(problem: Problem, name: str, **writer: Any) -> str:
    plan = solve_exact(problem)
    planner = planner_for(problem, plan)
    words = ReasonWriter(problem, plan, clock, locks, **writer)
    return words.why(reason(planner, problem.index[name]))


def second(problem: Problem, place: int = 0) -> str:
    plan = solve_exact(problem)
    return ReasonWriter(problem, plan, clock, locks).gap(gap_value(planner_for(problem, plan), place))


def test_in_and_nothing_would_take_its_place():
    assert why(film(line("A lamp", 5, 0.5, 3.2)), "A lamp") == "Without it, its 3.2 s would stay silent."


def test_in_and_others_would_come_in():
    # In 6 s, A in full is worth 5.4; A in short and B 3.6 + 1.4 = 5.0; B and C 1.8.
    crowded = film(line("A lamp", 2, 0.9, 6, 4), line("B door", 3, 0.7, 2), line("C cat", 4, 0.2, 2), gaps=((0, 6),))
    assert why(crowded, "A lamp") == (
        "Without it the plan would bring in 2.0 s of “B door” and 2.0 s of “C cat”."
        " That matters less to the story than this line."
    )
    assert why(crowded, "B door") == "Locking it in would cost 2.0 s of “A lamp”, which would be shortened."


def test_in_and_another_would_be_longer():
    # 9 s: B's 3 s are worth 2.1, A's two more seconds 1.8.
    crowded = film(line("A lamp", 2, 0.9, 8, 6), line("B door", 3, 0.7, 3), gaps=((0, 9),))
    assert why(crowded, "B door") == (
        "Without it the plan would lengthen “A lamp” by 2.0 s. That matters less to the story than this line."
    )


def test_out_and_what_would_go_first():
    crowded = film(line("A lamp", 2, 0.9, 4), line("B door", 3, 0.7, 3), gaps=((0, 5),))
    assert why(crowded, "B door") == "Locking it in would cost 4.0 s of “A lamp”, which would go."


def test_out_and_one_would_go_and_another_be_shortened():
    # 8 s: A and B in full, 3.6 + 2.0. C takes 5 s, so 3 s are left: A's 4 s have to go, and B's 4 s to be 3 s.
    crowded = film(line("A lamp", 2, 0.9, 4), line("C cat", 3, 0.3, 5), line("B door", 4, 0.5, 4, 3), gaps=((0, 8),))
    assert why(crowded, "C cat") == (
        "Locking it in would cost 4.0 s of “A lamp”, which would go, and 1.0 s of “B door”, which would be shortened."
    )


def test_out_and_another_would_come_in_with_it():
    # 7 s: A's 6 s are worth 3.6, C's 4 s and D's 3 s 1.2 + 0.6.
    crowded = film(line("A lamp", 2, 0.6, 6), line("C cat", 3, 0.3, 4), line("D hand", 4, 0.2, 3), gaps=((0, 7),))
    assert why(crowded, "C cat") == (
        "Locking it in would cost 6.0 s of “A lamp”, which would go. It would also bring in 3.0 s of “D hand”."
    )


def test_out_and_in_which_wording_it_would_be():
    # 5 s: A's 3 s and 2 s of B, if it came, are worth 1.8 + 0.2; A in full is worth 3.0.
    crowded = film(line("A lamp", 2, 0.6, 5, 3), line("B door", 3, 0.1, 4, 2), gaps=((0, 5),))
    assert why(crowded, "B door") == (
        "Locking it in would cost 2.0 s of “A lamp”, which would be shortened. It would be spoken in wording 2 (2.0 s)."
    )


def test_what_would_go_is_cut_and_named_in_full_on_request():
    five = [line(name, 5, 0.5, 2) for name in ("A lamp", "B door", "C cat", "D hand", "E boy")]
    crowded = film(*five, line("F view", 5, 0.1, 10))
    assert why(crowded, "F view") == (
        "Locking it in would cost 2.0 s of “A lamp”, 2.0 s of “B door” and 3 more (6.0 s), which would go."
    )
    assert why(crowded, "F view", most=ALL_NAMED) == (
        "Locking it in would cost 2.0 s of “A lamp”, 2.0 s of “B door”, 2.0 s of “C cat”, 2.0 s of “D hand” and"
        " 2.0 s of “E boy”, which would go."
    )


def test_locks_are_said_first():
    held = line("B door", 3, 0.7, 3, pin=Pin(selected=True))
    crowded = film(line("A lamp", 2, 0.9, 4), held, gaps=((0, 5),))
    assert why(crowded, "B door") == (
        "Locked in. Without it the plan would bring in 4.0 s of “A lamp”."
        " That matters more to the story than this line."
    )
    timed = film(line("B door", 3, 0.7, 3, pin=Pin(start=1_000)), gaps=((0, 5),))
    assert why(timed, "B door") == "Time locked. Without it, its 3.0 s would stay silent."
    free = film(line("A lamp", 2, 0.9, 4, pin=Pin(selected=False)), gaps=((0, 5),))
    assert why(free, "A lamp") == "Locked out. It would fit and cost no other line anything."


def test_a_line_that_only_fits_where_others_move_is_not_said_to_fit():
    free = film(line("A lamp", 2, 0.9, 4, pin=Pin(selected=False)), gaps=((0, 5),))
    assert why(free, "A lamp", has_room=lambda _: True) == why(free, "A lamp")
    assert why(free, "A lamp", has_room=lambda _: False) == (
        "Locked out. It would only fit if other lines were moved; they would lose nothing."
    )
    idle = film(line("A lamp", 2, 0.0, 4))
    assert why(idle, "A lamp", has_room=lambda _: False) == NO_SALIENCE


def test_locked_lines_in_the_way():
    held = film(
        line("A lamp", 2, 0.9, 4, pin=Pin(start=0)),
        line("B door", 5, 0.7, 3),
        line("C cat", 8, 0.7, 4, pin=Pin(start=6_000)),
    )
    assert why(held, "B door") == ("Locked lines keep it out: A lamp start B door selected C cat start")
    # Neither is in the way by itself: A could be earlier, C later.
    loose = film(*(replace(each, pin=Pin()) for each in held.elements))
    assert "no room" not in why(loose, "B door")


def test_a_line_of_no_salience_costs_nothing_either_way():
    idle = film(line("A lamp", 2, 0.0, 4))
    assert why(idle, "A lamp") == NO_SALIENCE
    held = film(line("A lamp", 2, 0.0, 4, pin=Pin(selected=True)))
    assert why(held, "A lamp") == "Locked in. Leaving it out would cost nothing: its salience is 0."
    against = film(line("A lamp", 2, -0.5, 4))
    assert why(against, "A lamp") == "It would fit, and would make the plan worse: its salience is below 0."


def test_a_line_of_no_salience_says_that_first_and_then_what_it_would_cost():
    # In 4 s one of both has room: of 0.9 a second, or of nothing.
    crowded = film(line("A lamp", 2, 0.9, 4), line("B door", 3, 0.0, 4), gaps=((0, 4),))
    assert why(crowded, "B door") == f"{NO_SALIENCE} Locking it in would cost 4.0 s of “A lamp”, which would go."
    rated = film(line("A lamp", 2, 0.9, 4), line("B door", 3, 0.1, 4), gaps=((0, 4),))
    assert why(rated, "B door") == "Locking it in would cost 4.0 s of “A lamp”, which would go."


def test_a_line_of_no_salience_that_is_locked_out_is_out_for_that():
    out = film(line("A lamp", 2, 0.0, 4, pin=Pin(selected=False)))
    assert why(out, "A lamp") == "Locked out. It would fit, and would add nothing: its salience is 0."


def test_a_line_far_from_its_action_says_how_far_and_what_it_counts():
    # Its middle is at 12 s at the earliest, 3.2 s after its action's.
    far = film(line("A lamp", 8.8, 0.5, 4), gaps=((10, 14),), near=Near(500, 2_000, 800_000))
    assert why(far, "A lamp") == (
        "Spoken 3.2 s after its action, so 80 % of its salience counts. Without it, its 4.0 s would stay silent."
    )


def test_a_line_that_would_push_another_from_its_action():
    # A has its middle at its action's from 0 to 4 s. B comes first in the script: with it A is 1 s late.
    lines = line("B door", 1, 0.1, 1), line("A lamp", 2, 0.9, 4)
    pushed = film(*lines, gaps=((0, 5),), near=Near(0, 0, 500_000))
    assert why(pushed, "B door") == (
        "Locking it in would move “A lamp” far from its action, so that 50 % of its salience counts."
        " It would be spoken far from its action, so 50 % of its salience counts."
    )


def test_limits_that_keep_a_line_out():
    beside = line("A lamp", 2, 0.5, 3, 2.9)
    assert why(film(beside, gaps=((0, 3.1),), max_share=850_000), "A lamp") == (
        "No gap can take it: the gap at 00:00:00.000 could take 2.6 s, 85 % of 3.1 s; its shortest wording takes 2.9 s."
    )
    # 2.86 s are less than 2.88 s, and look so.
    assert why(film(line("A lamp", 2, 0.5, 2.88), gaps=((0, 2.86),)), "A lamp") == (
        "No gap can take it: the gap at 00:00:00.000 has 2.8 s; it takes 2.9 s."
    )
    # In the gap of 4 s its middle is at 11.45 s at the earliest, 9.45 s after the action's.
    late = film(beside, gaps=((10, 14),), delta_late=4_000)
    assert why(late, "A lamp") == (
        "No gap can take it: the gap at 00:00:10.000 would put it 9.5 s after its action, where at most 4 s is allowed."
    )
    # Its middle is at 9 s at the latest.
    early = film(line("A lamp", 20, 0.5, 3, 2), gaps=((0, 10),), delta_early=1_500)
    assert why(early, "A lamp") == (
        "No gap can take it: the gap at 00:00:00.000 would put it 11.0 s before its action, where at most 1.5 s is"
        " allowed."
    )
    # Of three wordings the locked one counts.
    held = film(line("A lamp", 2, 0.5, 3, 2.5, 2, pin=Pin(variant=1)), gaps=((0, 2.2),))
    assert why(held, "A lamp") == (
        "No gap can take it: the gap at 00:00:00.000 has 2.2 s; the locked wording takes 2.5 s."
    )
    # Too long for what the cap leaves, and there too far.
    both = film(line("A lamp", 2, 0.5, 3), gaps=((10, 13.2),), max_share=500_000, delta_late=5_000)
    assert why(both, "A lamp") == (
        "No gap can take it: the gap at 00:00:10.000 could take 1.6 s, 50 % of 3.2 s, and would put it 9.5 s after its"
        " action, where at most 5 s is allowed; it takes 3.0 s."
    )


def test_out_of_reach_is_counted_in_gaps():
    # Its action lies in the first gap. The second is long enough and one away, the third is two away.
    lamp = line("A lamp", 0.5, 0.5, 3, lasts=1)
    assert why(film(lamp, gaps=((0, 1), (2, 6)), reach=0), "A lamp") == (
        "No gap can take it: the gap at 00:00:00.000 has 1.0 s; it takes 3.0 s."
    )
    held = replace(lamp, within=Span(2_000, 9_000))
    assert why(film(held, gaps=((0, 1), (2, 6)), reach=0), "A lamp") == (
        "No gap can take it: the gap at 00:00:02.000 is 1 gap from its action, where only that of the action is"
        " allowed."
    )
    further = replace(lamp, within=Span(4_000, 9_000))
    assert why(film(further, gaps=((0, 1), (2, 3), (4, 8)), reach=1), "A lamp") == (
        "No gap can take it: the gap at 00:00:04.000 is 2 gaps from its action, where at most 1 is allowed."
    )


def test_bounds_that_keep_a_line_out():
    bound = replace(line("A lamp", 5, 0.5, 3), within=Span(8_000, 20_000))
    # In the gap it starts at 7 s at the latest, 1 s before its limits.
    assert why(film(bound), "A lamp") == (
        "No gap can take it: the gap at 00:00:00.000 would put it 1.0 s outside its limits."
    )


def test_nowhere_at_all():
    assert why(film(line("A lamp", 5, 0.5, 3), gaps=()), "A lamp") == NO_GAPS
    timeless = Element("A lamp", None, 0, (1_000,), texts=("A lamp",))
    assert why(film(timeless), "A lamp") == NO_ACTION


def test_a_second_brings_a_line_in_words():
    # 5 s: A and 1 s; with one more second B's 2 s fit.
    crowded = film(line("A lamp", 2, 0.9, 4), line("B door", 3, 0.7, 2), gaps=((0, 5),))
    assert second(crowded) == "One more second of its gap would bring in 2.0 s of “B door”."
    longer = film(line("A lamp", 2, 0.9, 6, 5), gaps=((0, 5),))
    assert second(longer) == "One more second of its gap would lengthen “A lamp” by 1.0 s."
    # 3 s at 0.5 are worth more than 2 s at 0.6, and there is room for one of them.
    rather = film(line("A lamp", 2, 0.6, 2), line("B door", 2, 0.5, 3), gaps=((0, 2),))
    assert second(rather) == (
        "One more second of its gap would bring in 3.0 s of “B door”, but cost 2.0 s of “A lamp”, which would go."
    )
    assert second(film(line("A lamp", 2, 0.6, 2))) == "One more second of its gap would bring nothing."
    # Of 85 % of a second more, B's 2 s get what they lack: 85 % of 7 s are 5.95 s, of 8 s 6.8 s.
    capped = film(line("A lamp", 2, 0.9, 4), line("B door", 3, 0.7, 2.5), gaps=((0, 7),), max_share=850_000)
    assert second(capped) == "One more second of its gap would bring in 2.5 s of “B door”."


def test_a_second_may_cost_a_gap_in_reach():
    # Its action is between the gaps, and reaches both; were the first a second longer, only that, which is too short.
    between = film(line("A lamp", 2, 0.5, 3, lasts=1), gaps=((0, 1), (3, 6)), reach=0)
    assert second(between) == "One more second of its gap would cost 3.0 s of “A lamp”, which would go."
    locked = film(line("A lamp", 2, 0.5, 3, lasts=1, pin=Pin(selected=True)), gaps=((0, 1), (3, 6)), reach=0)
    assert second(locked) == "With one more second of its gap, the locked lines could not all be placed."


def ruled(problem: Problem, name: str) -> str:
    found = explain(problem, solve, name)
    assert isinstance(found, Explanation)
    return ReasonWriter(problem, found.plan, clock, locks).why(found.reasons[0])


def test_lines_in_rules():
    lamp, door = line("A lamp", 2, 0.9, 4), line("B door", 6, 0.7, 3)
    either = film(lamp, door, rules=Rules(alternatives=(("A lamp", "B door"),)))
    assert ruled(either, "B door") == "Locking it in would cost 4.0 s of “A lamp”, which would go."
    assert ruled(either, "A lamp") == (
        "Without it the plan would bring in 3.0 s of “B door”. That matters less to the story than this line."
    )
    needed = film(replace(lamp, pin=Pin(selected=True)), door, rules=Rules(requires=(("A lamp", "B door"),)))
    assert ruled(needed, "B door") == "No plan is possible without it."
    both = film(replace(lamp, pin=Pin(selected=True)), door, rules=Rules(alternatives=(("A lamp", "B door"),)))
    assert ruled(both, "B door") == "Rules and locks keep it out."
    # The door is worth 2.1, and saying both costs 3.
    repeated = film(lamp, door, rules=Rules(penalties=(Penalty("A lamp", "B door", 3_000_000),)))
    assert ruled(repeated, "B door") == ("It would fit, and would make the plan worse: a rule marks it as repetitive.")
