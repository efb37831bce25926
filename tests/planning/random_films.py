"""Random films with scenes, and random edits of them, as steps that a document can undo."""

import random
from dataclasses import replace
from itertools import pairwise

from random_problems import random_gaps, random_house, random_pin, random_problem, random_rules

from adstudio.core.film import Film
from adstudio.core.house_rules import house_fault
from adstudio.core.script import Eventuality, Item, Pin, Rules, Scene, Script, Variant
from adstudio.core.settings import Scope, Settings
from adstudio.core.steps import Insert, Move, Remove, Replace, SetRules, SetSettings, Step
from adstudio.core.timebase import Span
from adstudio.planning.film.film_problem import scene_of_each
from adstudio.planning.problem import Element

END = 60_000


def eventuality(element: Element) -> Eventuality:
    return Eventuality(
        id=element.id,
        variants=tuple(Variant("", duration=length) for length in element.durations),
        occurrence=element.occurrence,
        salience=None if element.occurrence is None else element.salience,
        within=element.within,
        pin=element.pin,
    )


def random_film(
    seed: int,
    *,
    elements: int = 25,
    pins: float = 0.1,
    scenes: int = 4,
    share: int = 1_000_000,
    house: bool = False,
) -> tuple[Script, tuple[Span, ...]]:
    rng = random.Random(seed)
    problem = random_problem(seed, elements=elements, pins=pins, house=house)
    while len(problem.elements) < elements // 2:
        seed += 1000
        problem = random_problem(seed, elements=elements, pins=pins, house=house)
    end = max([END, *(e.occurrence.end for e in problem.elements if e.occurrence)])
    edges = [0, *sorted(rng.sample(range(1000, end - 1000, 500), scenes - 1)), end + 20_000] if scenes else []
    found = tuple(Scene(f"s{n}", Span(a, b)) for n, (a, b) in enumerate(pairwise(edges)))
    settings = Settings(
        delta_max=problem.delta_max,
        min_pause=problem.min_pause,
        max_share=problem.max_share if house else share,
        scope=Scope.SCENE if rng.random() < 0.2 else Scope.FILM,
        delta_early=problem.delta_early,
        delta_late=problem.delta_late,
        near=problem.near,
        reach=problem.reach,
    )
    lines = tuple(eventuality(element) for element in problem.elements)
    if scenes:
        lines = tuple(line if line.occurrence else replace(line, scene="s0") for line in lines)
    return Script(Film("f", end), settings, scenes=found, eventualities=lines), problem.gaps


def ruled_film(seed: int, *, house: bool = False) -> tuple[Script, tuple[Span, ...]]:
    """A film with a cap, scenes that end within gaps, rules in most, and lines locked to a time about their edges."""
    rng = random.Random(seed)
    script, gaps = random_film(
        seed,
        elements=rng.choice((12, 20, 30)),
        pins=rng.choice((0, 0, 0.05)),
        share=rng.choice((850_000, 600_000, 333_333)),
        house=house,
    )
    longest = sorted(gaps, key=lambda gap: gap.length)[-rng.choice((1, 2, 4)) :]
    edges = [0, *sorted({gap.start + gap.length // 600 * 300 for gap in longest}), script.scenes[-1].span.end]
    scenes = tuple(Scene(f"s{n}", Span(a, b)) for n, (a, b) in enumerate(pairwise(sorted(set(edges)))))
    script = replace(script, scenes=scenes)
    lines = list(script.eventualities)
    for _ in range(rng.choice((0, 0, 1, 2))):
        span = rng.choice(script.scenes).span
        edge = rng.choice((span.start, span.end))
        at = max(0, edge + rng.randint(-8, 8) * 300)
        near = [place for place, line in enumerate(lines) if _happens_near(line, at, script.settings.delta_max)]
        if near:
            pin = Pin(selected=True, start=at, override=rng.random() < 0.3)
            place = rng.choice(near)
            lines[place] = replace(lines[place], pin=pin)
    names = scene_of_each(script)
    found: list[Rules] = []
    for scene in script.scenes:
        ids = [line.id for line, name in zip(lines, names, strict=True) if name == scene.id]
        found += [random_rules(rng, ids)] if rng.random() < 0.7 else []
    rules = Rules(
        alternatives=tuple(rule for rules in found for rule in rules.alternatives),
        requires=tuple(rule for rules in found for rule in rules.requires),
        together=tuple(rule for rules in found for rule in rules.together),
        penalties=tuple(rule for rules in found for rule in rules.penalties),
    )
    return replace(script, eventualities=tuple(lines), rules=rules), gaps


def _happens_near(line: Eventuality, at: int, distance: int) -> bool:
    return line.occurrence is not None and abs(line.occurrence.start - at) < distance


def at_random(rng: random.Random, script: Script) -> Eventuality:
    return rng.choice(script.eventualities)


def follower(script: Script, item: Item) -> str | None:
    at = script.eventuality_index[item.id]
    return script.eventualities[at + 1].id if at + 1 < len(script.eventualities) else None


def random_edit(rng: random.Random, script: Script, number: int, *, rules: bool = False, house: bool = False) -> Step:
    """One action of a describer: write, delete, move, reweight, reword, pin, change a setting or a rule."""
    old = at_random(rng, script)
    kinds = ["write", "note", "pause", *["change"] * 5, *["house"] * house]
    if len(script.eventualities) > 3:
        kinds += ["delete", "move"]
    match rng.choice([*kinds, "rules", "rules"] if rules else kinds):
        case "write":
            element = random_problem(rng.randrange(10**9), elements=1, pins=0.1).elements[0]
            new = replace(eventuality(element), id=f"n{number}", scene="s0" if script.scenes else None)
            return Insert(new, rng.choice((None, old.id)))
        case "delete" | "move" as kind:
            places = [None, *(e.id for e in script.eventualities if e is not old)]
            behind = follower(script, old)
            return Remove(old, behind) if kind == "delete" else Move(old, behind, rng.choice(places))
        case "note":
            return Replace(old, replace(old, note=f"note {number}", seen=True))
        case "pause":
            pause = rng.choice((0, 150, 600))
            return SetSettings(script.settings, replace(script.settings, min_pause=pause))
        case "house":
            asked = random_house(rng, script.settings.delta_max)
            key = rng.choice(list(asked))
            asked_for = replace(script.settings, **{key: asked[key]})
            if house_fault(asked_for):
                asked_for = replace(script.settings, **asked)
            return SetSettings(script.settings, asked_for)
        case "rules":
            ids = [e.id for e in rng.sample(script.eventualities, min(5, len(script.eventualities)))]
            if script.scenes and rng.random() < 0.7:
                # Of one scene, as most rules are.
                ids = ids_of_a_scene(rng, script) or ids
            return SetRules(script.rules, random_rules(rng, ids) if rng.random() < 0.8 else Rules())
        case _:
            return Replace(old, changed(rng, old, rng.choice(("pin", "unpin", "reweight", "reword"))))


def ids_of_a_scene(rng: random.Random, script: Script) -> list[str]:
    scene = rng.choice(script.scenes).id
    return [e.id for e, name in zip(script.eventualities, scene_of_each(script), strict=True) if name == scene]


def changed(rng: random.Random, old: Eventuality, kind: str) -> Eventuality:
    if kind == "reweight" and old.occurrence is not None:
        return replace(old, salience=rng.randint(0, 1_000_000))
    if kind == "reword":
        lengths = [max(300, (v.duration or 0) + rng.randint(-3, 3) * 300) for v in old.variants]
        return replace(old, variants=tuple(Variant("", duration=length) for length in lengths))
    return replace(old, pin=Pin() if kind == "unpin" else random_pin(rng, len(old.variants), END, 300))


def other_gaps(rng: random.Random) -> tuple[Span, ...]:
    return random_gaps(rng, END, 300)
