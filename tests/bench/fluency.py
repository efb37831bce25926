"""How the lines of plans read beside those of human audio descriptions: the sample film, and screenplays as they lie.

    .venv/bin/python tests/bench/fluency.py [--lines NAME] [SCREENPLAY …]

A screenplay is planned in a made-up film that tells it at an even pace, speech and action in turn. Rows that rules were
set by: the sample film, The-Last-Birthday-Card; the other screenplays of /work/shared/data are held out.
Figures are of the lines that the plan speaks, in the order of time. Faults are those of `line_faults`, a hundred lines.
`--lines` prints the lines of the rows whose name contains NAME.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean, median

from adstudio.core.film import Film
from adstudio.core.fusions import wording_of
from adstudio.core.plan import Plan
from adstudio.core.script import Cue, Script
from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.drafting.draft import draft_film, planned
from adstudio.drafting.request import Sources
from adstudio.drafting.text import stage_cache
from adstudio.drafting.text.language.grammar import parsed
from adstudio.drafting.text.line_faults import LineContext, LineFault, faults_of_lines
from adstudio.drafting.text.text_drafting import Footage, from_screenplay
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import plan_film
from adstudio.screenplay.file import read_screenplay
from adstudio.screenplay.parsed_screenplay import Action, Speech

SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "sample"
SHARED = Path("/work/shared/data")
HUMAN = (
    "chrome-ad/descriptions.vtt",
    "plan9-trailer/descriptions.en.vtt",
    "enable-a11y/the-light-that-burned--ad.en.vtt",
    "enable-a11y/bela-ad.en.vtt",
    "ableplayer/blocks4all_descriptions_en.vtt",
    "ableplayer/deadline_descriptions_en.vtt",
    "ableplayer/k_descriptions_en.vtt",
)
SPEECH_MS, ACTION_MS = 330, 420
"""For each word."""
ONE_RUN_MS = 5_000
"""A pause up to this is one between lines of one run."""
HARDLY_ANY_MS = 150
FINITE = ("VBZ", "VBP", "VBD")


@dataclass(frozen=True)
class Row:
    """Spoken lines in the order of time: span, text, and the scene of each."""

    name: str
    lines: tuple[tuple[Span, str, str], ...]


def human(path: Path, name: str) -> Row:
    blocks = re.split(r"\n\s*\n", path.read_text("utf-8-sig").replace("\r", ""))
    found: list[tuple[Span, str, str]] = []
    for block in blocks:
        time = re.search(r"([\d:.]+) --> ([\d:.]+)", block)
        if time is None:
            continue
        text = " ".join(re.sub(r"<[^>]*>", "", block[time.end() :].partition("\n")[2]).split())
        start, end = map(_ms, time.groups())
        # Where the description is read by the player, the cue only says when it begins.
        found.append((Span(start, max(end, start + 1)), text, "s1"))
    return Row(name, tuple(found))


def _ms(label: str) -> int:
    seconds = 0.0
    for part in label.split(":"):
        seconds = seconds * 60 + float(part)
    return round(seconds * 1000)


def sample(name: str, **source: Path) -> Row:
    sources = Sources(video=SAMPLE / "film.mp4", subtitles=SAMPLE / "dialogue.srt", **source)
    draft = planned(sources, Path("bench.adproj"), draft_film(sources, Path("bench.adproj")))
    return Row(name, tuple(_spoken(draft.script, draft.plan)))


def screenplay(path: Path) -> Row:
    read = read_screenplay(path)
    cues: list[Cue] = []
    cuts: list[int] = []
    at = 0
    for scene in read.scenes:
        cuts.append(at)
        for part in scene.parts:
            words = count_words(part.text)
            if isinstance(part, Speech):
                cues.append(Cue(f"c{len(cues) + 1}", at, at + max(words * SPEECH_MS, 500), part.text))
                at = cues[-1].end + 200
            elif isinstance(part, Action):
                at += words * ACTION_MS
    footage = Footage(at + 1_000, tuple(cues), tuple(sorted({*cuts} - {0})))
    made = from_screenplay(read, footage, any_screenplay=True)
    script = Script(
        Film("bench", footage.end),
        scenes=made.scenes,
        cues=made.cues,
        eventualities=made.eventualities,
        fusions=made.fusions,
    )
    plan = plan_film(script, gaps_of(script).gaps)
    return Row(path.stem, tuple(_spoken(script, plan)))


def _spoken(script: Script, plan: Plan) -> Iterator[tuple[Span, str, str]]:
    for delivery in plan.deliveries:
        wording = wording_of(script, delivery)
        if wording is not None:
            yield delivery.span, wording.text, script.eventuality(delivery.lines[0]).scene or ""


def figures(row: Row) -> list[str]:
    texts = [text for _, text, _ in row.lines]
    contexts: list[LineContext] = []
    before: list[str] = []
    scene = None
    for _, text, at in row.lines:
        before = before if at == scene else []
        contexts.append(LineContext(before=tuple(before)))
        before, scene = [*before, text], at
    faults = faults_of_lines(list(zip(texts, contexts, strict=True)))
    grammar = parsed(texts)
    verbs = [
        sum(
            word.tag in ("VBZ", "VBP", "VBD") and word.dep not in ("aux", "auxpass")
            for each in line
            for word in each.words
        )
        for line in grammar
    ]
    opens = [line[0].words[0].text.lower() if line else "" for line in grammar]
    names = [line and line[0].words[0].tag in ("NNP", "PRP") for line in grammar]
    again = [one == other and named for (one, other), named in zip(pairwise(opens), names[1:], strict=True)]
    pauses = [after.start - span.end for (span, _, _), (after, _, _) in pairwise(row.lines)]
    joins = [pause for pause in pauses if 0 <= pause <= ONE_RUN_MS]
    count = max(1, len(texts))
    return [
        row.name,
        str(len(texts)),
        f"{mean(map(count_words, texts)):.1f}",
        f"{sum(each > 1 for each in verbs) / count:.0%}",
        f"{sum(again) / max(1, len(again)):.0%}",
        f"{sum(pause < HARDLY_ANY_MS for pause in joins) / max(1, len(joins)):.0%}",
        f"{median(joins) / 1000 if joins else 0:.2f}",
        *(f"{100 * sum(fault in each for each in faults) / count:.0f}" for fault in LineFault),
    ]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("screenplays", nargs="*", type=Path, default=sorted((SHARED / "screenplay").glob("*.fountain")))
    asked.add_argument("--lines", default="")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        stage_cache.folder = lambda: Path(folder)
        rows = [
            human(SAMPLE / "reference-british.vtt", "human, British"),
            human(SAMPLE / "reference-american.vtt", "human, American"),
            *(
                human(SHARED / "film" / name, f"human, {name[:24]}")
                for name in HUMAN
                if (SHARED / "film" / name).exists()
            ),
            sample("sample, screenplay", screenplay=SAMPLE / "screenplay.fountain"),
            sample("sample, prose", description=SAMPLE / "description.txt"),
            *map(screenplay, given.screenplays),
        ]
    head = ["", "lines", "words", "2 verbs", "again", "< 0.15 s", "pause", *(fault.name.lower() for fault in LineFault)]
    print("| " + " | ".join(head) + " |")
    for row in rows:
        print("| " + " | ".join(figures(row)) + " |")
    if given.lines:
        print_lines([row for row in rows if given.lines in row.name])


def print_lines(rows: Sequence[Row]) -> None:
    for row in rows:
        print(f"\n{row.name}")
        scene = None
        for span, text, at in row.lines:
            print(
                "" if scene in (None, at) else "\n", f"{span.start / 1000:7.1f} {span.end / 1000:7.1f}  {text}", sep=""
            )
            scene = at


if __name__ == "__main__":
    main()
