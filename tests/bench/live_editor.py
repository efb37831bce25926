"""Re-planning in the editor: what each kind of edit costs, the whole of it and the exact engine's share.

    python tests/bench/live_editor.py [--edits 200] [--measured] [--cpu]

A film of two hours with 3,240 eventualities and 120 scenes. `replan` is what the user's step waits for, `rest` what is
done when the hand rests, `exact` the LivePlanner alone on the same problems. `--cpu` counts the process's own time, for
a machine that has other work.
"""

import argparse
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter, process_time

from films import film
from rich.console import Console
from rich.table import Table

from adstudio.core.film import Film
from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Pin, Rules, Scene, Script, Variant
from adstudio.core.settings import Near
from adstudio.core.steps import Insert, Move, Remove, Replace, Step
from adstudio.core.timebase import Span
from adstudio.planning.film.conflict_messages import conflict_message
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.planning.film.reason_messages import ReasonWriter
from adstudio.planning.live.alternatives import LivePlanner

HOUSE = {"min_pause": 300, "delta_early": 1_500, "delta_late": 4_000, "near": Near(500, 2_000, 800_000), "reach": 1}
clock: Callable[[], float] = perf_counter
console = Console(width=120)
State = tuple[Script, tuple[Span, ...]]


def script_of(*, measured: bool) -> State:
    problem = film(measured=measured)
    lines = tuple(
        Eventuality(e.id, tuple(Variant("", duration=length) for length in e.durations), e.occurrence, e.salience)
        for e in problem.elements
    )
    scenes = tuple(Scene(f"s{n}", Span(n * 60_000, (n + 1) * 60_000)) for n in range(120))
    return Script(Film("f", 7_200_000), scenes=scenes, eventualities=lines), problem.gaps


def now() -> float:
    return clock()


def ms(seconds: float) -> str:
    return f"{seconds * 1000:,.1f}"


def share(values: Sequence[float], at: float) -> float:
    return sorted(values)[min(len(values) - 1, int(at * len(values)))]


def anywhere(rng: random.Random, script: Script) -> Eventuality:
    return rng.choice(script.eventualities)


def behind(script: Script, line: Eventuality) -> str | None:
    at = script.eventuality_index[line.id] + 1
    return script.eventualities[at].id if at < len(script.eventualities) else None


def changed(line: Eventuality, **fields: object) -> Step:
    return Replace(line, replace(line, **fields))


Edit = Callable[[random.Random, Script, int], Step]


def reweigh(rng: random.Random, script: Script, number: int) -> Step:
    return changed(anywhere(rng, script), salience=rng.randint(1, 99) * 10_000)


def reword(rng: random.Random, script: Script, number: int) -> Step:
    line = anywhere(rng, script)
    lengths = [max(300, (v.duration or 0) + rng.randint(-2, 2) * 300) for v in line.variants]
    return changed(line, variants=tuple(Variant("", duration=length) for length in lengths))


def pin(rng: random.Random, script: Script, number: int) -> Step:
    line = anywhere(rng, script)
    return changed(line, pin=Pin() if line.pin.held else Pin(selected=rng.random() < 0.5))


def write(rng: random.Random, script: Script, number: int) -> Step:
    line = anywhere(rng, script)
    return Insert(replace(line, id=f"n{number}", pin=Pin()), line.id)


def delete(rng: random.Random, script: Script, number: int) -> Step:
    line = anywhere(rng, script)
    return Remove(line, behind(script, line))


def move(rng: random.Random, script: Script, number: int) -> Step:
    at = rng.randrange(5, len(script.eventualities) - 5)
    line = script.eventualities[at]
    return Move(line, behind(script, line), script.eventualities[at - rng.randint(1, 4)].id)


def seen(rng: random.Random, script: Script, number: int) -> Step:
    line = anywhere(rng, script)
    return changed(line, seen=not line.seen)


EDITS: dict[str, Edit] = {
    "reweight": reweigh,
    "reword": reword,
    "hold in or out": pin,
    "write a line": write,
    "delete": delete,
    "move": move,
    "mark as seen": seen,
}


def edits_of(rng: random.Random, start: State, edit: Edit, count: int) -> Iterator[State]:
    script, gaps = start
    for number in range(count):
        script = edit(rng, script, number).apply(script)
        yield script, gaps


def silences(rng: random.Random, start: State, count: int) -> Iterator[State]:
    """One gap after another loses its second half."""
    script, gaps = start
    for at in rng.sample(range(len(gaps)), min(count, len(gaps))):
        shorter = Span(gaps[at].start, gaps[at].end - gaps[at].length // 2)
        gaps = (*gaps[:at], shorter, *gaps[at + 1 :])
        yield script, gaps


def jumps(rng: random.Random, start: State, count: int) -> Iterator[State]:
    """Undo and redo, some steps at once."""
    past = [start, *edits_of(rng, start, reweigh, 30)]
    for _ in range(count):
        yield rng.choice(past)


def held(script: Script, plan: Plan, every: int) -> Script:
    """Every so many lines accepted and kept where they are."""
    spoken = plan.by_element
    lines = [
        replace(e, pin=Pin(selected=True, variant=d.variant, start=d.start))
        if (d := spoken.get(e.id)) is not None and number % every == 0
        else e
        for number, e in enumerate(script.eventualities)
    ]
    return replace(script, eventualities=tuple(lines))


def clashing(script: Script) -> Script:
    """Two lines held at the same time: a conflict that stands while the work goes on."""
    lines = list(script.eventualities)
    for place in (1600, 1601):
        lines[place] = replace(lines[place], pin=Pin(start=3_600_000, override=True))
    return replace(script, eventualities=tuple(lines))


def ruled(script: Script, scenes: int) -> Script:
    lines = [
        [e.id for e in script.eventualities if e.occurrence and scene.span.contains(e.occurrence)]
        for scene in script.scenes
    ]
    few = [names for names in lines if len(names) > 6][:scenes]
    return replace(
        script,
        rules=Rules(
            alternatives=tuple((names[0], names[1], names[2]) for names in few),
            requires=tuple((names[3], names[0]) for names in few),
        ),
    )


def run(table: Table, name: str, start: State, states: Iterator[State]) -> None:
    planner = FilmPlanner(*start)
    planner.settle()
    live: LivePlanner | None = LivePlanner(planner.problem) if planner.problem.plain else None
    waits: list[float] = []
    rests: list[float] = []
    alone: list[float] = []
    for script, gaps in states:
        began = now()
        planner.replan(script, gaps)
        waits.append(now() - began)
        began = now()
        planner.settle()
        rests.append(now() - began)
        if live is not None:
            live.settle()
            began = now()
            live.replan(planner.problem)
            alone.append(now() - began)
    table.add_row(
        name,
        ms(statistics.median(waits)),
        ms(share(waits, 0.95)),
        ms(max(waits)),
        ms(share(rests, 0.95)),
        ms(share([a + b for a, b in zip(waits, rests, strict=True)], 0.95)),
        ms(statistics.median(alone)) if alone else "–",
        ms(share(alone, 0.95)) if alone else "–",
    )


def reasons(table: Table, name: str, start: State, count: int) -> None:
    """Selecting lines one after the other: the reason of each in words, as the inspector says it at once."""
    rng = random.Random(6)
    planner = FilmPlanner(*start)
    planner.settle()
    film = start[0].film
    times: list[float] = []
    for _ in range(count):
        line = anywhere(rng, start[0])
        began = now()
        writer = ReasonWriter(planner.problem, planner.outcome.plan, film.timecode, partial(conflict_message, *start))
        found = planner.reason(line.id)
        if found is not None:
            writer.why(found)
        times.append(now() - began)
    table.add_row(name, ms(statistics.median(times)), ms(share(times, 0.95)), ms(max(times)))


def typing(table: Table, start: State, count: int) -> None:
    rng = random.Random(5)
    planner = FilmPlanner(*start)
    planner.settle()
    times: list[float] = []
    for _ in range(count):
        line = anywhere(rng, start[0])
        longer = (Variant("", duration=rng.randint(3, 18) * 300), *line.variants[1:])
        began = now()
        planner.reason_with(replace(line, variants=longer))
        times.append(now() - began)
    table.add_row("a wording while typing (peek)", ms(statistics.median(times)), ms(share(times, 0.95)), ms(max(times)))
    for name, ask in (("one more second of a gap", lambda: planner.gap_value(rng.choice(start[1]))),):
        times = []
        for _ in range(count):
            began = now()
            ask()
            times.append(now() - began)
        table.add_row(name, ms(statistics.median(times)), ms(share(times, 0.95)), ms(max(times)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--measured", action="store_true", help="durations as a voice takes them")
    parser.add_argument("--cpu", action="store_true", help="processor time in place of the clock")
    asked = parser.parse_args()
    if asked.cpu:
        global clock  # noqa: PLW0603 - one choice for the whole run
        clock = process_time
    start = script_of(measured=asked.measured)
    table = Table(title="One edit in a film of 2 h, 3,240 eventualities, ms (goal: p95 5)")
    table.add_column("edit")
    for heading in ("replan p50", "p95", "max", "rest p95", "both p95", "exact p50", "p95"):
        table.add_column(heading, justify="right")
    began = now()
    planner = FilmPlanner(*start)
    table.add_row("opened, from cold", ms(now() - began))
    for name, edit in EDITS.items():
        run(table, name, start, edits_of(random.Random(1), start, edit, asked.edits))
    run(table, "a silence drawn", start, silences(random.Random(2), start, asked.edits))
    run(table, "undo and redo, up to 30 steps", start, jumps(random.Random(3), start, asked.edits))
    typing(table, start, asked.edits)
    script, gaps = start
    fill = replace(script.settings, max_share=850_000)
    for name, settings in (
        ("why in or out, in words (goal: max 100)", script.settings),
        ("why, filled to 85 %", fill),
        ("why, all house rules", replace(fill, **HOUSE)),
    ):
        reasons(table, name, (replace(script, settings=settings), gaps), asked.edits)
    for name, other in (
        ("reweight, half of the lines held", held(script, planner.outcome.plan, 2)),
        ("reweight, while two pins conflict", clashing(script)),
        ("reweight, rules in 1 scene", ruled(script, 1)),
        ("reweight, rules in 20 scenes", ruled(script, 20)),
        ("reweight, max_share 0.8", replace(script, settings=replace(script.settings, max_share=800_000))),
    ):
        run(table, name, (other, gaps), edits_of(random.Random(4), (other, gaps), reweigh, asked.edits))
    console.print(table)


if __name__ == "__main__":
    main()
