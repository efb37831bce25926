"""A two-hour film from its screenplay to a plan without a network: stage by stage, memory, and how right it is placed.

    .venv/bin/python tests/bench/offline_draft.py [--minutes 120] [--only speed|grounding] [--seed 2]

The times are of one process with an empty cache, and once more with a full one. An element is right within 2, 5 or 10 s
by the middles of its occurrence and of the time at which the film shows it.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time

from told_films import ToldFilm, changed, told_film

from adstudio.core.film import Film
from adstudio.core.plan import Plan
from adstudio.core.progress import Progress, Stage, stage_name
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.drafting.text import stage_cache
from adstudio.drafting.text.align.align import align
from adstudio.drafting.text.chapters import screenplay_chapters
from adstudio.drafting.text.film_drafting import suggestions
from adstudio.drafting.text.ground.evidence import Grounding, Passage, Seen
from adstudio.drafting.text.ground.ground import ground
from adstudio.drafting.text.segment.elements import Element, elements_of
from adstudio.drafting.text.text_drafting import Drafted, Footage, from_screenplay
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import plan_film
from adstudio.screenplay.parsed_screenplay import Action

Took = tuple[float, float, int]
"""Seconds by the clock, seconds of computing, and the most memory by the end (MB)."""
NOTHING: Took = (0.0, 0.0, 0)
SHARES = (0.0, 0.1, 0.3, 0.6)


def megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def speed(minutes: int) -> None:
    film = told_film(minutes=minutes)
    footage = Footage(film.end, tuple(film.cues), tuple(film.cuts))
    words = sum(len(p.text.split()) for s in film.screenplay.scenes for p in s.parts if isinstance(p, Action))
    print(f"film {film.end / 60_000:.0f} min, {len(film.screenplay.scenes)} scenes, {words} words of action,", end=" ")
    print(f"{len(film.cues)} cues, {len(film.cuts)} cuts; {megabytes()} MB before")
    print("| stage | first time, s | of them computing | once more, s | most memory so far, MB |")
    with tempfile.TemporaryDirectory() as folder:
        stage_cache.folder = lambda: Path(folder)
        first, made, plan = _drafted(film, footage)
        again, _, _ = _drafted(film, footage)
    for stage, (seconds, computing, memory) in first.items():
        print(f"| {stage} | {seconds:.2f} | {computing:.2f} | {again.get(stage, NOTHING)[0]:.2f} | {memory} |")
    totals = [sum(took[place] for took in run.values()) for run, place in ((first, 0), (first, 1), (again, 0))]
    print(f"| all | {totals[0]:.2f} | {totals[1]:.2f} | {totals[2]:.2f} | {megabytes()} |")
    lines, shorter = len(made.eventualities), sum(len(line.variants) - 1 for line in made.eventualities)
    placed = sum(line.occurrence is not None for line in made.eventualities)
    print(
        f"{lines} lines ({placed} placed), {shorter} shorter wordings, {len(made.fusions)} fusions, "
        f"{len(plan.deliveries)} said, {plan.status.value}"
    )


def _drafted(film: ToldFilm, footage: Footage) -> tuple[dict[str, Took], Drafted, Plan]:
    """What each stage took (s) and how much memory had been used by its end, what came of it, and its plan."""
    found: dict[str, Took] = {}
    began, computed, stage = perf_counter(), process_time(), ""

    def heard(progress: Progress | None) -> None:
        nonlocal began, computed, stage
        now, busy = perf_counter(), process_time()
        if stage:
            before = found.get(stage, NOTHING)
            found[stage] = (before[0] + now - began, before[1] + busy - computed, megabytes())
        began, computed, stage = now, busy, "" if progress is None else stage_name(progress.stage)

    made = from_screenplay(film.screenplay, footage, progress=heard)
    script = Script(
        Film("bench", film.end),
        scenes=made.scenes,
        cues=made.cues,
        eventualities=made.eventualities,
        fusions=made.fusions,
    )
    suggestions(script, made.names, heard)
    heard(Progress(Stage.PLANNING))
    plan = plan_film(script, gaps_of(script).gaps)
    heard(None)
    return found, made, plan


def grounding(minutes: int, seed: int) -> None:
    film = told_film(minutes=minutes, seed=seed)
    places = [(s, p) for s, scene in enumerate(film.screenplay.scenes) for p, part in enumerate(scene.parts)]
    texts = {(s, p): film.screenplay.scenes[s].parts[p].text for s, p in places if (s, p) in film.seen}
    elements = dict(zip(texts, elements_of(list(texts.values())), strict=True))
    seen = Seen(film.end, tuple(film.cuts), tuple(Span(cue.start, cue.end) for cue in film.cues))
    print("| lines changed | word match | no place | within 2 s | 5 s | 10 s | worst, s | by confidence: within 5 s |")
    for share in SHARES:
        screenplay = changed(film, share)
        alignment = align(screenplay, film.cues)
        paragraphs = [each for chapter in screenplay_chapters(screenplay, alignment) for each in chapter.paragraphs]
        passages = [
            Passage(tuple(e.text for e in elements[place]), each.after, each.before, each.sure)
            for place, each in zip(elements, paragraphs, strict=True)
        ]
        _row(share, alignment.match.wip, film, elements, ground(passages, seen))


def _row(
    share: float,
    wip: float,
    film: ToldFilm,
    elements: dict[tuple[int, int], tuple[Element, ...]],
    groundings: Sequence[Sequence[Grounding]],
) -> None:
    errors: list[tuple[float, int]] = []
    lost = 0
    for place, found in zip(elements, groundings, strict=True):
        for element, grounded in zip(elements[place], found, strict=True):
            if grounded.occurrence is None:
                lost += 1
                continue
            truth = film.middle(*place, element.start, element.end)
            errors.append((abs(grounded.occurrence.doubled_midpoint / 2 - truth) / 1000, grounded.confidence))
    within = [sum(error <= reach for error, _ in errors) / len(errors) for reach in (2, 5, 10)]
    bands: list[str] = []
    for low in range(0, 1000, 200):
        band = [error for error, sure in errors if low <= sure < low + 200 + (low == 800)]
        if band:
            bands.append(
                f"{low / 1000}–{low / 1000 + 0.2:.1f}: {sum(e <= 5 for e in band) / len(band):.2f} of {len(band)}"
            )
    figures = " | ".join(f"{value:.3f}" for value in within)
    worst, none = max(error for error, _ in errors), lost / (lost + len(errors))
    print(f"| {share:.0%} | {wip:.2f} | {none:.3f} | {figures} | {worst:.0f} | {'; '.join(bands)} |")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--minutes", type=int, default=120)
    asked.add_argument("--only", choices=("speed", "grounding"))
    asked.add_argument("--seed", type=int, default=1, help="another film; what was set was set by the first")
    given = asked.parse_args()
    if given.only != "grounding":
        speed(given.minutes)
    if given.only != "speed":
        grounding(given.minutes, given.seed)


if __name__ == "__main__":
    main()
