"""The salience tables: agreement with saliences given by hand, time and memory for each way, and rules suggested.

    python tests/bench/salience.py [--data ../shared/data] [--elements 1000]

Agreement is Spearman's rank correlation within a scene, the mean of the sample film's three scenes; 64 lines have a
salience by hand, so that differences of a tenth mean little. Random is the mean of 200 seeds, with their spread. The
oracles see both of the film's references. Time is that of one core, for real lines in scenes of 50.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging"))

from rich.console import Console
from rich.table import Table

from adstudio.core.timebase import Span
from adstudio.core.words import spoken_ms
from adstudio.drafting.ablation import METHODS
from adstudio.drafting.text.language.grammar import parsed
from adstudio.drafting.text.score.baselines import scores_by
from adstudio.drafting.text.score.blend import blended, parts, ranks
from adstudio.drafting.text.score.embeddings import embedder
from adstudio.drafting.text.score.rules import Line, suggested
from adstudio.drafting.text.score.views import SceneText, Scores, dialogue_near, terms
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles
from sample_film.source import Element, ReferenceCue, read_source

console = Console(width=120)
SEEDS = 200
SCENE = 50
ROOT = Path(__file__).resolve().parents[2]
GOLD = ROOT / "tests/drafting/text/gold/weights.json"
SAMPLE = ROOT / "resources/sample"
CHOSEN_MS = 12_000


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    a, b = ranks(one), ranks(other)
    return statistics.correlation(a, b) if len(set(a)) > 1 and len(set(b)) > 1 else 0.0


def agreement(scores: Scores, by_hand: Sequence[Sequence[float | None]]) -> list[float]:
    pairs = [
        [(n, salience) for n, salience in zip(scene, hand, strict=True) if salience is not None]
        for scene, hand in zip(scores, by_hand, strict=True)
    ]
    return [spearman([n for n, _ in scene], [salience for _, salience in scene]) for scene in pairs]


def agreement_table() -> None:
    film = read_source()
    scenes = [SceneText(tuple(element.text for element in scene.elements)) for scene in film.scenes]
    by_hand = [[element.salience for element in scene.elements] for scene in film.scenes]
    spoken = [cue for reference in film.references.values() for cue in reference]
    reference = [[cue.text for cue in spoken if scene.start <= cue.start < scene.end] for scene in film.scenes]
    encoder = embedder()
    table = Table(title="Agreement with the saliences given by hand (Spearman within a scene)")
    for heading in ("way", "mean", *(scene.id for scene in film.scenes)):
        table.add_column(heading, justify="left" if heading == "way" else "right")

    def row(name: str, figures: Sequence[float]) -> None:
        table.add_row(name, f"{statistics.mean(figures):+.2f}", *(f"{figure:+.2f}" for figure in figures))

    for name in METHODS:
        if name == "random":
            runs = [agreement(scores_by(name, scenes, seed=seed), by_hand) for seed in range(SEEDS)]
            row(name, [statistics.mean(run[place] for run in runs) for place in range(len(scenes))])
            spread = statistics.stdev(statistics.mean(run) for run in runs)
            table.add_row("  spread of its mean", f"±{spread:.2f}", *("" for _ in scenes))
        else:
            row(name, agreement(scores_by(name, scenes, reference=reference), by_hand))
    table.add_section()
    views = parts(scenes, encoder, "en")
    for name, scores in views.items():
        row(f"part: {name}", agreement(scores, by_hand))
    for name in views:
        rest = {other: scores for other, scores in views.items() if other != name}
        row(f"blend without {name}", agreement(blended(rest, scenes), by_hand))
    row(
        "blend and deletion",
        agreement(blended({**views, "deletion": scores_by("deletion", scenes)}, scenes), by_hand),
    )
    row("blend and bm25", agreement(blended({**views, "bm25": scores_by("bm25", scenes)}, scenes), by_hand))
    row("(number of words)", agreement(tuple(tuple(len(t.split()) for t in s.elements) for s in scenes), by_hand))
    console.print(table)


def auc(scores: Sequence[float], chosen: Sequence[bool | None]) -> float | None:
    """The area under the curve: how often something chosen has more than something not chosen, ties by half."""
    yes = [score for score, choice in zip(scores, chosen, strict=True) if choice]
    no = [score for score, choice in zip(scores, chosen, strict=True) if choice is False]
    wins = sum((a > b) + (a == b) / 2 for a in yes for b in no)
    return wins / (len(yes) * len(no)) if yes and no else None


def sample_choices(reference: Sequence[ReferenceCue]) -> list[list[bool | None]]:
    """Which elements a reference says within `CHOSEN_MS`: half of its words in one cue, or a cosine of 0.6."""
    encoder = embedder()

    def chosen(element: Element) -> bool | None:
        if element.occurrence is None:
            return None
        first, last = element.occurrence
        near = [cue.text for cue in reference if cue.end > first - CHOSEN_MS and cue.start < last + CHOSEN_MS]
        meant, *cues = encoder.embeddings([element.text, *near])
        words = set(terms(element.text))
        return any(float(meant @ cue) >= 0.6 for cue in cues) or any(
            len(words & set(terms(text))) >= len(words) / 2 for text in near
        )

    return [[chosen(element) for element in scene.elements] for scene in read_source().scenes]


def choice_table() -> None:
    """Does the weight choose what a describer chose? Views were chosen by the films of “tuning” only."""
    films: list[tuple[str, list[SceneText], list[list[bool | None]]]] = []
    for film in json.loads(GOLD.read_text("utf-8"))["films"]:
        scenes = [
            SceneText(
                tuple(text for text, _, _ in scene), dialogue=tuple((said,) if said else () for _, said, _ in scene)
            )
            for scene in film["scenes"]
        ]
        chosen = [[bool(choice) for _, _, choice in scene] for scene in film["scenes"]]
        films.append((f"{film['name']} ({film['use']})", scenes, chosen))
    sample = read_source()
    cues = dialogue(read_subtitles(SAMPLE / "dialogue.srt")).cues
    scenes = [
        SceneText(
            tuple(element.text for element in scene.elements),
            dialogue=dialogue_near([e.occurrence and Span(*e.occurrence) for e in scene.elements], cues),
        )
        for scene in sample.scenes
    ]
    films += [(f"sample, {name}", scenes, sample_choices(cues)) for name, cues in sample.references.items()]
    table = Table(title="Area under the curve for what a describer chose, mean of the scenes")
    table.add_column("way")
    for name, _, _ in films:
        table.add_column(name, justify="right")

    def row(name: str, score: Callable[[list[SceneText]], Scores]) -> None:
        figures: list[str] = []
        for _, scenes, chosen in films:
            areas = [auc(scores, choice) for scores, choice in zip(score(scenes), chosen, strict=True)]
            figures.append(f"{statistics.mean(area for area in areas if area is not None):.2f}")
        table.add_row(name, *figures)

    for name in ("random", "bm25", "embedding", "deletion", "blend"):
        row(name, lambda scenes, name=name: scores_by(name, scenes))
    table.add_section()
    encoder = embedder()
    for name in parts([SceneText(("A key.",))], encoder, "en"):
        row(f"part: {name}", lambda scenes, name=name: parts(scenes, encoder, "en")[name])
    row("blend until 2026-11", lambda scenes: blended(_until(parts(scenes, encoder, "en")), scenes))
    row("(number of words)", lambda scenes: tuple(tuple(len(t.split()) for t in s.elements) for s in scenes))
    console.print(table)


def _until(views: Mapping[str, Scores]) -> Mapping[str, Scores]:
    return {name: views[name] for name in ("middle", "returning", "on screen")}


def real_lines(data: Path) -> dict[str, list[str]]:
    """The lines of each real English description, and the sentences of each screenplay's action."""
    found: dict[str, list[str]] = {}
    for path in sorted(data.glob("film/*/*.vtt")):
        if re.search(r"desc|-ad\b", path.name) and not re.search(r"_(de|es|fr|ja)\b", path.stem):
            blocks = path.read_text("utf-8").replace("\r", "").split("\n\n")[1:]
            texts = [
                " ".join(line for line in b.split("\n") if "-->" not in line and not line.isdigit()) for b in blocks
            ]
            found[path.stem] = [line for text in texts if (line := re.sub(r"<[^>]+>", "", text).strip())]
    for path in sorted(data.glob("screenplay/*.fountain")):
        blocks = [block.strip() for block in path.read_text("utf-8").split("\n\n")]
        action = [b for b in blocks if "\n" not in b and len(b) > 30 and not re.match(r"INT|EXT|\.|Title", b)]
        found[path.stem] = [sentence.text for sentences in parsed(action) for sentence in sentences]
    return found


def in_scenes(lines: Sequence[str]) -> list[SceneText]:
    return [SceneText(tuple(lines[first : first + SCENE])) for first in range(0, len(lines), SCENE)]


def time_table(lines: Sequence[str], count: int) -> None:
    # Real lines over again, each told apart by a number so that none is known from before.
    many = [f"{lines[n % len(lines)]} {n // len(lines) or ''}".strip() for n in range(count)]
    scenes = in_scenes(many)
    words = statistics.mean(len(line.split()) for line in many)
    table = Table(title=f"Time for {count:,} elements of {words:.1f} words on average, {len(scenes)} scenes")
    for heading in ("way", "s", "ms an element", "peak memory of the process, MB"):
        table.add_column(heading, justify="left" if heading == "way" else "right")
    for name in ("random", "bm25", "embedding", "deletion", "blend"):
        embedder()  # so that loading it does not count
        began = time.process_time()
        scores_by(name, scenes)
        took = time.process_time() - began
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        table.add_row(name, f"{took:.2f}", f"{took / count * 1000:.2f}", f"{peak:.0f}")
    console.print(table)


def rules_table(films: dict[str, list[str]]) -> None:
    table = Table(title=f"Rules suggested, scenes of {SCENE} lines")
    for heading in ("film", "lines", "scenes", "penalties", "requires", "lines tied"):
        table.add_column(heading, justify="left" if heading == "film" else "right")
    encoder = embedder()
    for name, lines in films.items():
        found = []
        for first in range(0, len(lines), SCENE):
            scene = lines[first : first + SCENE]
            rated = [Line(str(n), text, 500 * spoken_ms(text, 200)) for n, text in enumerate(scene)]
            words = (word for sentences in parsed(lines[:first]) for sentence in sentences for word in sentence.words)
            named = {word.text for word in words if word.pos == "PROPN" and word.entity == "PERSON"}
            found.append(suggested(rated, encoder, known=named))
        penalties, requires = sum(len(s.penalties) for s in found), sum(len(s.requires) for s in found)
        tied = sum(len(s.rules.mentioned) for s in found)
        table.add_row(name, str(len(lines)), str(len(found)), str(penalties), str(requires), f"{tied / len(lines):.0%}")
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "data")
    parser.add_argument("--elements", type=int, default=1000)
    options = parser.parse_args()
    agreement_table()
    choice_table()
    films = {"sample": [element.text for scene in read_source().scenes for element in scene.elements]}
    films |= real_lines(options.data)
    time_table([line for lines in films.values() for line in lines], options.elements)
    rules_table(films)


if __name__ == "__main__":
    main()
