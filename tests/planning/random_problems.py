"""Random planning problems, small and awkward, and brute force over all of their plans on the millisecond grid."""

import functools
import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from adstudio.core.script import Penalty, Pin, Rules
from adstudio.core.settings import Near
from adstudio.core.timebase import Span
from adstudio.planning.problem import NO_SHARE_LIMIT, Element, FusedElement, Problem


def random_gaps(rng: random.Random, end: int, grid: int, most: int = 6) -> tuple[Span, ...]:
    gaps: list[Span] = []
    at = rng.randrange(0, 3) * grid
    while at < end and len(gaps) < most:
        stop = min(end, at + rng.randint(1, 12) * grid)
        if stop > at:
            gaps.append(Span(at, stop))
        at = stop + rng.randint(1, 8) * grid
    return tuple(gaps)


def random_pin(rng: random.Random, variants: int, end: int, grid: int) -> Pin:
    kind = rng.random()
    variant = rng.randrange(variants) if rng.random() < 0.3 else None
    start = rng.randrange(0, end, grid) if rng.random() < 0.9 else rng.randrange(0, end)
    if kind < 0.25:
        return Pin(selected=True, variant=variant)
    if kind < 0.4:
        return Pin(selected=False, variant=variant)
    if kind < 0.6:
        return Pin(variant=rng.randrange(variants))
    if kind < 0.8:
        return Pin(start=start, variant=variant, selected=True if rng.random() < 0.5 else None)
    return Pin(start=start, variant=variant, override=True, selected=True if rng.random() < 0.5 else None)


def random_rules(rng: random.Random, ids: list[str]) -> Rules:
    def pick(count: int) -> tuple[str, ...]:
        return tuple(rng.sample(ids, count))

    pairs = range(rng.randint(0, 2))
    if len(ids) < 3:
        return Rules()
    return Rules(
        alternatives=tuple(pick(rng.randint(2, min(4, len(ids)))) for _ in pairs if rng.random() < 0.7),
        requires=tuple((a, b) for a, b in (pick(2) for _ in pairs) if rng.random() < 0.7),
        together=tuple(pick(rng.randint(2, 3)) for _ in pairs if rng.random() < 0.5),
        penalties=tuple(
            Penalty(a, b, rng.randint(0, 3_000_000)) for a, b in (pick(2) for _ in pairs) if rng.random() < 0.7
        ),
    )


def random_house(rng: random.Random, delta_max: int) -> dict[str, Any]:
    """What a house asks of a plan: mostly all five, within their limits, and seldom too narrow for any line."""
    early = rng.choice((None, 0, 700, 1_500, 3_000, 12_000))
    late = rng.choice((None, 900, 2_000, 4_000, 15_000) if early == 0 else (None, 0, 900, 4_000, 8_000, 15_000))
    least, most = delta_max if early is None else early, delta_max if late is None else late
    near = Near(
        rng.randint(0, min(least, rng.choice((0, 400, 1_500, 12_000)))),
        rng.randint(0, min(most, rng.choice((0, 400, 1_500, 12_000)))),
        rng.choice((1, 333_333, 500_000, 800_000, 800_000, 999_999, 1_000_000)),
    )
    return {
        "delta_early": early,
        "delta_late": late,
        "near": near if rng.random() < 0.85 else None,
        "reach": rng.choice((None, 0, 0, 1, 1, 2)),
        "max_share": rng.choice((NO_SHARE_LIMIT, 900_000, 850_000, 850_000, 600_000, 600_000, 333_333)),
    }


def random_problem(
    seed: int,
    *,
    elements: int = 8,
    grid: int = 300,
    pins: float = 0.25,
    rules: bool = False,
    share: bool = False,
    house: bool = False,
    fusions: bool = False,
) -> Problem:
    rng = random.Random(seed)
    end = rng.randint(4, 40) * 4 * grid
    found: list[Element] = []
    at = 0
    for number in range(rng.randint(elements // 2 if house else 1, elements)):
        at = max(0, min(end - grid, at + rng.randint(-2, 8) * grid))
        occurrence = Span(at, at + rng.randint(0, 6) * grid + rng.choice((0, 0, 1)))
        full = rng.randint(1, 8 if house else 14)
        lengths = sorted(
            {max(1, round(full * rate)) for rate in (1, 0.9, 0.8, 0.6, 0.5)[: rng.randint(1, 5)]}, reverse=True
        )
        salience = rng.choice(
            (rng.randint(0, 1_000_000), rng.randint(0, 10) * 100_000, rng.randint(-300_000, 20_000_000))
        )
        within = None
        if rng.random() < 0.2:
            first = rng.randrange(0, end)
            within = Span(first, first + rng.randint(1, 30) * grid)
        absent = rng.random() < 0.05
        pin = random_pin(rng, len(lengths), end, grid) if rng.random() < pins else Pin()
        found.append(
            Element(
                id=f"e{number + 1}",
                occurrence=None if absent else occurrence,
                salience=0 if absent else salience,
                durations=tuple(words * grid for words in lengths),
                within=within,
                pin=pin,
            )
        )
    ids = [element.id for element in found]
    problem = Problem(
        scene="s1",
        span=Span(0, end),
        gaps=random_gaps(rng, end, grid, most=9 if house else 6),
        elements=tuple(found),
        delta_max=rng.choice((10_000, 3_000, 60_000, 1_050)),
        min_pause=rng.choice((0, 0, 150, 190, 600)),
        max_share=rng.choice((500_000, 700_000, 333_333)) if share else NO_SHARE_LIMIT,
        rules=random_rules(rng, ids) if rules else Rules(),
    )
    problem = replace(problem, **random_house(rng, problem.delta_max)) if house else problem
    return replace(problem, fusions=random_fusions(rng, problem, grid)) if fusions else problem


def random_fusions(rng: random.Random, problem: Problem, grid: int, share: float = 0.9) -> tuple[FusedElement, ...]:
    """Fusions of neighbours, overlapping ones too: most are shorter than their members and say as much."""
    found: list[FusedElement] = []
    for first in range(len(problem.elements) - 1):
        if rng.random() > share:
            continue
        members = problem.elements[first : first + rng.choice((2, 2, 3))]
        spans = [member.occurrence for member in members if member.occurrence is not None] or [Span(0, grid)]
        together = sum(member.durations[0] for member in members) // grid
        full = max(1, rng.randint(together // 3, together + 1))
        lengths = sorted({max(1, round(full * rate)) for rate in (1, 0.8, 0.6)[: rng.randint(1, 3)]}, reverse=True)
        worth = sum(member.salience * member.durations[0] for member in members) // (full * grid)
        within = None
        if rng.random() < 0.15:
            start = rng.randrange(0, problem.span.end)
            within = Span(start, start + rng.randint(1, 30) * grid)
        found.append(
            FusedElement(
                id=f"f{first + 1}",
                of=tuple(member.id for member in members),
                occurrence=Span(min(span.start for span in spans), max(span.end for span in spans)),
                salience=worth * rng.randint(1, 3) if rng.random() < 0.8 else rng.randint(-100_000, 1_000_000),
                durations=tuple(words * grid for words in lengths),
                within=within,
            )
        )
    return tuple(found)


def some_joined(rng: random.Random, gaps: tuple[Span, ...]) -> tuple[Span, ...]:
    """The gaps as they were before some of them were cut in two."""
    joined: list[Span] = []
    for gap in gaps:
        if joined and rng.random() < 0.4:
            gap = Span(joined.pop().start, gap.end)  # noqa: PLW2901
        joined.append(gap)
    return tuple(joined)


def in_reach(problem: Problem, occurrence: Span, place: int) -> bool:
    """Whether a gap is near enough to those of the action, counted out one by one."""
    gaps = problem.gaps
    own = [n for n, gap in enumerate(gaps) if gap.start < occurrence.end and occurrence.start < gap.end]
    if not own:
        own = [n for n, gap in enumerate(gaps) if gap.end <= occurrence.start][-1:]
        own += [n for n, gap in enumerate(gaps) if gap.start >= occurrence.end][:1]
    return problem.reach is None or any(abs(place - n) <= problem.reach for n in own)


def is_near(problem: Problem, element: Element, start: int, length: int) -> bool:
    near, occurrence = problem.near, element.occurrence
    if near is None or occurrence is None or element.salience < 0 or element.pin.override:
        return True
    after = Fraction(2 * start + length - occurrence.start - occurrence.end, 2)
    return -near.early <= after <= near.late


def _gain(problem: Problem, element: Element, start: int, length: int) -> int:
    if element.occurrence is None:
        return 0
    if is_near(problem, element, start, length) or problem.near is None:
        return element.salience * length
    return round(Fraction(element.salience * problem.near.far_gain, 1_000_000)) * length


def _earliest(
    problem: Problem, element: Element, length: int, gap: Span | None, ready: int, *, near: bool
) -> int | None:
    """The earliest start from `ready` on, in this gap (None: by override), near or far: tried where it could be."""
    pin = element.pin

    def allowed(start: int) -> bool:
        end = start + length
        if start < ready or pin.start not in (None, start):
            return False
        if element.within is not None and not (element.within.start <= start and end <= element.within.end):
            return False
        if gap is None:
            return True
        if element.occurrence is None or not (gap.start <= start and end <= gap.end):
            return False
        after = Fraction(start + end - element.occurrence.start - element.occurrence.end, 2)
        early = problem.delta_max if problem.delta_early is None else problem.delta_early
        late = problem.delta_max if problem.delta_late is None else problem.delta_late
        return -early <= after <= late and is_near(problem, element, start, length) == near

    edges = {ready}
    if gap is not None:
        edges.add(gap.start)
    if pin.start is not None:
        edges.add(pin.start)
    if element.within is not None:
        edges.add(element.within.start)
    if element.occurrence is not None:
        limits = [problem.delta_max if problem.delta_early is None else problem.delta_early]
        limits += [] if problem.near is None else [problem.near.early, -problem.near.late - 1, -problem.near.late]
        for limit in limits:
            lowest = element.occurrence.start + element.occurrence.end - length - 2 * limit
            edges |= {-(-lowest // 2), -(-lowest // 2) + 1, lowest // 2, lowest // 2 + 1}
    return min((edge for edge in edges if allowed(edge)), default=None)


class _Placing:
    """Tries every gap, near and far, for the chosen variants. It remembers: most choices share most of their tries."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._gaps: dict[str, list[tuple[int, Span | None]]] = {}
        self._starts: dict[tuple[str, int, int, int, bool], tuple[int, int] | None] = {}
        self._most: dict[tuple[Any, ...], int | None] = {}

    def most_gained(self, chosen: list[tuple[Element, int]]) -> int | None:
        """The most that the chosen variants can gain; None where they cannot be placed."""
        return self._place(tuple((element.id, length) for element, length in chosen), chosen, -(10**9), {})

    def _place(
        self,
        left: tuple[tuple[str, int], ...],
        chosen: list[tuple[Element, int]],
        ready: int,
        narrated: dict[int, int],
    ) -> int | None:
        if not left:
            return 0
        key = (left, ready, *narrated.items())
        if key in self._most:
            return self._most[key]
        problem, (element, length) = self.problem, chosen[-len(left)]
        best: int | None = None
        for (number, gap), near in itertools.product(self._gaps_of(element), (True, False)):
            at = (element.id, length, number, ready, near)
            if at not in self._starts:
                self._starts[at] = self._start(element, length, gap, ready, near=near)
            placed = self._starts[at]
            if placed is None:
                continue
            start, gain = placed
            used = dict(narrated)
            if gap is not None:
                used[number] = used.get(number, 0) + length
                if used[number] * NO_SHARE_LIMIT > problem.max_share * gap.length:
                    continue
            rest = self._place(left[1:], chosen, start + length + problem.min_pause, used)
            if rest is not None:
                best = gain + rest if best is None else max(best, gain + rest)
        self._most[key] = best
        return best

    def _gaps_of(self, element: Element) -> list[tuple[int, Span | None]]:
        """The gaps that may take the element, with their numbers; None where it is spoken by override."""
        if element.id not in self._gaps:
            gaps: list[tuple[int, Span | None]] = (
                [(-1, None)] if element.pin.override else [*enumerate(self.problem.gaps)]
            )
            if element.occurrence is not None and not element.pin.override:
                gaps = [each for each in gaps if in_reach(self.problem, element.occurrence, each[0])]
            self._gaps[element.id] = gaps
        return self._gaps[element.id]

    def _start(
        self, element: Element, length: int, gap: Span | None, ready: int, *, near: bool
    ) -> tuple[int, int] | None:
        """The earliest start in this gap, and what it gains."""
        start = _earliest(self.problem, element, length, gap, ready, near=near)
        return None if start is None else (start, _gain(self.problem, element, start, length))


def _respects_rules(rules: Rules, said: set[str]) -> bool:
    return (
        all(len(said & set(group)) <= 1 for group in rules.alternatives)
        and all(b in said for a, b in rules.requires if a in said)
        and all(len(said & set(group)) in (0, len(group)) for group in rules.together)
    )


def _every_choice(problem: Problem) -> Iterator[tuple[list[tuple[Element, int]], set[str]]]:
    """Every way to say elements, by themselves or in fusions, with the ids of those that are then said."""
    for count in range(len(problem.fusions) + 1):
        for fusions in itertools.combinations(problem.fusions, count):
            members = [name for fusion in fusions for name in fusion.of]
            if len(set(members)) < len(members):
                continue
            options: list[list[tuple[Element, int] | None]] = []
            for element in problem.elements:
                pin = element.pin
                fusion = next((fusion for fusion in fusions if element.id in fusion.of), None)
                if fusion is not None:
                    line = as_element(problem, fusion)
                    if pin not in (Pin(), Pin(selected=True)) or line is None:
                        options = [[]]
                        break
                    if fusion.of[0] == element.id:
                        options.append([(line, length) for length in line.durations])
                    continue
                here: list[tuple[Element, int] | None] = []
                if pin.selected is not True and pin.start is None:
                    here.append(None)
                if pin.selected is not False:
                    here += [
                        (element, length) for k, length in enumerate(element.durations) if pin.variant in (None, k)
                    ]
                options.append(here)
            for choice in itertools.product(*options):
                chosen = [line for line in choice if line is not None]
                own = {element.id for element, _ in chosen}
                yield chosen, own - {fusion.id for fusion in fusions} | set(members)


def as_element(problem: Problem, fusion: FusedElement) -> Element | None:
    """A fusion within its own limits, else within those of all its members; None where these leave no room."""
    limits = [each.within for each in problem.elements if each.id in fusion.of and each.within is not None]
    limits = limits if fusion.within is None else [fusion.within]
    first, last = max([0, *[each.start for each in limits]]), min([10**9, *[each.end for each in limits]])
    if first > last:
        return None
    return Element(fusion.id, fusion.occurrence, fusion.salience, fusion.durations, Span(first, last))


@functools.cache
def brute_force(problem: Problem) -> int | None:
    """The greatest objective over every choice of lines and variants; None when pins and rules cannot hold."""
    placing = _Placing(problem)
    best: int | None = None
    for chosen, said in _every_choice(problem):
        most = placing.most_gained(chosen) if _respects_rules(problem.rules, said) else None
        if most is not None:
            value = most - 1000 * sum(p.cost for p in problem.rules.penalties if {p.first, p.second} <= said)
            best = value if best is None else max(best, value)
    return best
