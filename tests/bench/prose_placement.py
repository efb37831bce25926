"""How right prose is placed in a film, how sure it says it is, and what a plan made of it is worth.

    .venv/bin/python tests/bench/prose_placement.py [--only placement|reliability|sample] [--data ../shared/data]

The descriptions of short films and the sample film's two references have times of their own. These are taken away, all
of them or all but some, and a line is right within 5 or 10 s by the middles of its time and of the one that it is given
back. “Even” spreads the words over the film that is free of speech, between the times that are left; “random” draws
places in order. Of the made-up films (`told_films`), whose dialogue says nothing of their action, nothing was set: they
are the films to judge the confidence by. For the sample film a plan is made of each description and scored against the
other reference, as `adstudio evaluate` does it (SODA-T, SODA-M, gap METEOR; Java is needed).

What was set (`likeness`, `path`, `placing`) was set on the short films and the sample film, so their rows say that it
works, not how well it does on other films. Confidence is fitted to nothing: it is the share of all paths.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging"))

from rich.console import Console
from rich.table import Table
from told_films import told_film

from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.drafting.text import stage_cache
from adstudio.drafting.text.ground.placing import Placed, placed
from adstudio.drafting.text.ground.prose import parse_prose
from adstudio.drafting.text.score.embeddings import embedder
from adstudio.drafting.text.text_drafting import Footage, from_prose
from adstudio.evaluation.built_in_systems import random_transcript
from adstudio.evaluation.java_scorer import JavaScorer
from adstudio.evaluation.material import Description, EvaluatedFilm, FilmSequence, Transcript
from adstudio.evaluation.results import Measure
from adstudio.evaluation.scoring import evaluate
from adstudio.gaps.gaps import gaps_of
from adstudio.media.shots import film_shots
from adstudio.planning.film.film_plan import plan_film
from adstudio.sample_film import sample_paths
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles
from adstudio.system.locations import resource

console = Console(width=150)
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
CLIPS = {
    "ableplayer/blocks4all_descriptions_en.vtt": "ableplayer/blocks4all_captions_en.vtt",
    "ableplayer/deadline_descriptions_en.vtt": "ableplayer/deadline_captions_en.vtt",
    "ableplayer/itaccess_description_en.vtt": "ableplayer/itaccess_captions_en.vtt",
    "ableplayer/paulallen_meta.vtt": "ableplayer/paulallen_en.vtt",
    "ableplayer/k_descriptions_en.vtt": "",
    "chrome-ad/descriptions.vtt": "",
    "enable-a11y/dialog-document__html5--desc.vtt": "enable-a11y/dialog-document__html5.vtt",
    "enable-a11y/the-light-that-burned--ad.en.vtt": "",
    "plan9-trailer/descriptions.en.vtt": "plan9-trailer/captions.en.vtt",
}
EVERY = (0, 1, 4, 8, 16)
"""A time before every so many lines; none at all for 0."""
CHAPTERS = 9
BEFORE_MS = 1_500
"""A chapter begins that much before its first line."""
SEEDS = 50
BINS = (0, 200, 400, 600, 800, 1001)


@dataclass(frozen=True)
class Described:
    """A film with a description whose times are known."""

    name: str
    footage: Footage
    lines: tuple[Description, ...]


Errors = list[tuple[float, int]]
"""For each line how far off it is (s; infinite without a place), and its confidence in thousandths."""


def read_lines(path: Path) -> tuple[Description, ...]:
    cues = read_subtitles(path).cues
    texts = [" ".join(re.sub(r"<[^>]+>", "", cue.text).split()) for cue in cues]
    return tuple(
        Description(Span(cue.start, max(cue.end, cue.start + 1)), text)
        for cue, text in zip(cues, texts, strict=True)
        if count_words(text)
    )


@cache
def sample_footage() -> Footage:
    paths = sample_paths(resource("sample"))
    shots = film_shots(paths.film)
    return Footage(164_000, dialogue(read_subtitles(paths.vtt)).cues, shots.cuts)


def films(data: Path) -> list[Described]:
    paths = sample_paths(resource("sample"))
    found = [
        Described(f"sample, {name}", sample_footage(), read_lines(path))
        for name, path in (("british", paths.reference_british), ("american", paths.reference_american))
    ]
    for described, captions in CLIPS.items():
        path = data / "film" / described
        if not path.exists():
            console.print(f"(left out, as it is not here: {path})")
            continue
        cues = dialogue(read_subtitles(data / "film" / captions)).cues if captions else ()
        lines = read_lines(path)
        end = max([lines[-1].span.end, *(cue.end for cue in cues)]) + 1_000
        found.append(Described(path.stem.split(".")[0], Footage(end, tuple(cues)), lines))
    return found


def told_prose(minutes: int, seed: int) -> Described:
    """A made-up film whose action is told in prose: its dialogue has nothing in common with it, its pace varies."""
    film = told_film(minutes=minutes, seed=seed)
    lines = [
        Description(span, film.screenplay.scenes[scene].parts[part].text[start:end].strip())
        for (scene, part), sentences in film.seen.items()
        for start, end, span in sentences
    ]
    cuts = tuple(film.cuts)
    return Described(f"made up, {minutes} min, {seed}", Footage(film.end, tuple(film.cues), cuts), tuple(lines))


def marks_of(lines: Sequence[Description], every: int, chapters: int = 0) -> dict[int, int]:
    """The times (ms) that are left, by the number of the line that they are before."""
    if chapters:
        firsts = sorted({len(lines) * number // chapters for number in range(chapters)})
        return {number: max(0, lines[number].span.start - BEFORE_MS) for number in firsts}
    return {number: lines[number].span.start for number in range(0, len(lines), every)} if every else {}


def elements_of(film: Described, marks: dict[int, int]) -> list[Placed]:
    found: list[Placed] = []
    for number, line in enumerate(film.lines):
        after = max((at for mark, at in marks.items() if mark <= number), default=None)
        before = min((at for mark, at in marks.items() if mark > number), default=None)
        if before is not None and before >= film.footage.end:
            before = None
        found.append(Placed(line.text, after, before, timed=after is not None))
    return found


def errors_of(film: Described, marks: dict[int, int]) -> Errors:
    found = placed(elements_of(film, marks), film.footage.seen, film.footage.cues, embedder().embeddings)
    return [
        (
            float("inf")
            if each.occurrence is None
            else abs(each.occurrence.doubled_midpoint - line.span.doubled_midpoint) / 2_000,
            each.confidence,
        )
        for line, each in zip(film.lines, found, strict=True)
    ]


def free_at(film: Described, after: int, before: int) -> list[int]:
    """The milliseconds (each tenth) between two times in which nobody speaks; all, where somebody always does."""
    speech = film.footage.seen.speech
    found = [at for at in range(after, before, 100) if not any(span.start <= at < span.end for span in speech)]
    return found or list(range(after, max(before, after + 1), 100))


def spread(film: Described, marks: dict[int, int], seed: int | None) -> Errors:
    """Words spread evenly over the free time between the times that are left; with a seed, places drawn in order."""
    bounds = sorted({0: 0, **marks}.items())
    errors: Errors = []
    for place, (first, at) in enumerate(bounds):
        last, until = bounds[place + 1] if place + 1 < len(bounds) else (len(film.lines), film.footage.end)
        here = film.lines[first:last]
        free = free_at(film, at, max(until, at + 1))
        words = [max(1, count_words(line.text)) for line in here]
        shares = [(sum(words[:n]) + word / 2) / sum(words) for n, word in enumerate(words)]
        if seed is not None:
            rng = random.Random(seed * 1_000 + place)
            shares = sorted(rng.random() for _ in here)
        for line, share in zip(here, shares, strict=True):
            middle = free[min(len(free) - 1, int(share * len(free)))]
            errors.append((abs(middle - line.span.doubled_midpoint / 2) / 1_000, 0))
    return errors


def share_within(errors: Errors, seconds: float) -> float:
    return 100 * sum(error <= seconds for error, _ in errors) / len(errors)


def placement(data: Path) -> None:
    given = [*films(data), told_prose(20, 5)]
    conditions = [(f"a time before every {every} lines" if every else "no time", every, 0) for every in EVERY]
    for title, every, chapters in [*conditions, (f"{CHAPTERS} chapter times", 0, CHAPTERS)]:
        table = Table(title=f"{title}: median error in s, per cent right within 5 s and 10 s")
        for heading in ("film", "lines", "path", "", "", "even", "", "", "random", "", ""):
            table.add_column(heading, justify="left" if heading == "film" else "right")
        rows: list[list[float]] = []
        for film in given:
            marks = marks_of(film.lines, every, chapters)
            drawn = [each for seed in range(SEEDS) for each in spread(film, marks, seed)]
            row: list[float] = []
            for errors in (errors_of(film, marks), spread(film, marks, None), drawn):
                row += [
                    statistics.median(error for error, _ in errors),
                    share_within(errors, 5),
                    share_within(errors, 10),
                ]
            rows.append(row)
            table.add_row(film.name, str(len(film.lines)), *(f"{value:.1f}" for value in row))
        table.add_section()
        table.add_row("mean", "", *(f"{statistics.mean(column):.1f}" for column in zip(*rows, strict=True)))
        console.print(table)


def reliability(data: Path) -> None:
    """What is said and what is so, by bins."""
    real, made_up = films(data), [told_prose(20, seed) for seed in (5, 6)]
    conditions = [("no time", 0, 0), ("times", 1, 0), ("times", 4, 0), ("times", 8, 0), ("times", 0, CHAPTERS)]
    errors: dict[str, Errors] = {}
    for name, every, chapters in conditions:
        for what, given in (("films", real), ("made-up films", made_up)):
            for film in given:
                found = errors_of(film, marks_of(film.lines, every, chapters))
                errors.setdefault(f"{what}, {name}", []).extend(found)
    for name, found in errors.items():
        diagram(name, found)


def diagram(name: str, errors: Errors) -> None:
    table = Table(title=f"{name}: confidence and how often it is right within 5 s")
    for heading in ("confidence", "lines", "said", "right", ""):
        table.add_column(heading, justify="right")
    for low, high in pairwise(BINS):
        band = [(error <= 5, sure) for error, sure in errors if low <= sure < high and error < float("inf")]
        if band:
            said = statistics.mean(sure for _, sure in band) / 1000
            right = statistics.mean(near for near, _ in band)
            name = f"{low / 10:.0f}–{min(high, 1000) / 10:.0f} %"
            table.add_row(name, str(len(band)), f"{said:.2f}", f"{right:.2f}", "█" * round(40 * right))
    console.print(table)


def planned(name: str, text: str, footage: Footage) -> Transcript:
    """What the plan says that is made of a description."""
    drafted = from_prose(parse_prose(text), footage)
    script = Script(
        Film("sample", footage.end),
        scenes=drafted.scenes,
        cues=drafted.cues,
        eventualities=drafted.eventualities,
        fusions=drafted.fusions,
    )
    plan = plan_film(script, gaps_of(script).gaps)
    lines = {line.id: line.variants for line in (*script.eventualities, *script.fusions)}
    return Transcript(
        name,
        tuple(
            sorted(
                Description(each.span, each.text or lines[each.element][each.variant].text) for each in plan.deliveries
            )
        ),
    )


def stamped(lines: Sequence[Description], marks: dict[int, int]) -> str:
    """The description with the times that are left."""
    parts: list[str] = []
    for number, line in enumerate(lines):
        at = marks.get(number)
        if at is not None:
            parts.append(f"\n\n[{at // 60_000:02d}:{at // 1_000 % 60:02d}.{at % 1_000:03d}]")
        parts.append(line.text)
    return " ".join(parts)


def evenly(lines: Sequence[Description], marks: dict[int, int], footage: Footage) -> Transcript:
    """The lines themselves, spread by their words over the free time between the times that are left."""
    film = Described("", footage, tuple(lines))
    bounds = sorted({0: 0, **marks}.items())
    found: list[Description] = []
    for place, (first, at) in enumerate(bounds):
        last, until = bounds[place + 1] if place + 1 < len(bounds) else (len(lines), footage.end)
        free = free_at(film, at, max(until, at + 1))
        here = lines[first:last]
        words = [max(1, count_words(line.text)) for line in here]
        for number, line in enumerate(here):
            share = (sum(words[:number]) + words[number] / 2) / sum(words)
            middle = free[min(len(free) - 1, int(share * len(free)))]
            half = line.span.length // 2
            found.append(Description(Span(max(0, middle - half), middle + half + 1), line.text))
    return Transcript("even", tuple(sorted(found)))


def sample() -> None:
    paths, footage = sample_paths(resource("sample")), sample_footage()
    both = {"british": read_lines(paths.reference_british), "american": read_lines(paths.reference_american)}
    table = Table(title="The sample film: plans from one reference as prose, against the other")
    for heading in ("from", "system", "SODA-T", "SODA-M", "gap METEOR"):
        table.add_column(heading, justify="right" if heading[0] in "Sg" and heading != "system" else "left")
    with tempfile.TemporaryDirectory() as folder, JavaScorer() as scorer:
        stage_cache.folder = lambda: Path(folder)
        for name, lines in both.items():
            other = next(each for each in both if each != name)
            systems: list[Transcript] = []
            for label, every, chapters in (
                ("no time", 0, 0),
                (f"{CHAPTERS} chapters", 0, CHAPTERS),
                ("a time each", 1, 0),
            ):
                marks = marks_of(lines, every, chapters)
                systems.append(planned(label, stamped(lines, marks), footage))
                even = evenly(lines, marks, footage)
                systems.append(Transcript(f"{label}: even", even.descriptions))
            systems.append(planned("description.txt", paths.description.read_text("utf-8"), footage))
            bare = Script(Film("sample", footage.end), cues=footage.cues)
            pool = [line.text for line in lines]
            systems.append(Transcript("random", random_transcript(bare, pool, 1).descriptions))
            systems.append(Transcript("human", lines))
            film = EvaluatedFilm(
                "sample",
                footage.end,
                footage.cues,
                (Transcript(other, both[other]),),
                tuple(systems),
                (FilmSequence("all", Span(0, footage.end)),),
            )
            for result in evaluate([film], scorer).systems:
                scores = [result.mean.get(m, 0.0) for m in (Measure.SODA_T, Measure.SODA_M, Measure.GAP_METEOR)]
                table.add_row(name, result.name, *(f"{score:.1f}" for score in scores))
            table.add_section()
    console.print(table)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--only", choices=("placement", "reliability", "sample"))
    asked.add_argument("--data", type=Path, default=SHARED)
    given = asked.parse_args()
    if given.only in (None, "placement"):
        placement(given.data)
    if given.only in (None, "reliability"):
        reliability(given.data)
    if given.only in (None, "sample"):
        sample()


if __name__ == "__main__":
    main()
