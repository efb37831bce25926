"""What presets make of the sample film: its lines under each, and where a house would object.

    python tests/bench/presets.py [--presets paper,uk] [--script]

The same drafted items are planned under each preset. Counted are pairs of lines less than 0.1 s apart, lines that end
less than 0.2 s before dialogue, and lines whose middle is more than 3 s from that of their action. `--script` prints
the lines themselves, each preset's beside the other's.
"""

import argparse
import tempfile
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from rich.console import Console
from rich.table import Table

from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.timebase import clock
from adstudio.drafting.request import sample_request
from adstudio.drafting.service import DraftRun
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import plan_film
from adstudio.presets.library import preset_named
from adstudio.store.project import ProjectFile

JOIN_MS = 100
COLLAR_MS = 200
FAR_MS = 3_000

console = Console(width=180)


@dataclass(frozen=True)
class Planned:
    """The sample film under one preset."""

    name: str
    script: Script
    plan: Plan

    @property
    def joins(self) -> int:
        return sum(second.start - first.end < JOIN_MS for first, second in pairwise(self.plan.deliveries))

    @property
    def against_dialogue(self) -> int:
        starts = [cue.start for cue in self.script.cues]
        return sum(any(0 <= start - line.end < COLLAR_MS for start in starts) for line in self.plan.deliveries)

    @property
    def distances(self) -> list[int]:
        """How far each line is from its action, in half-milliseconds."""
        found = []
        for line in self.plan.deliveries:
            occurrence = self.script.eventuality(line.element).occurrence
            if occurrence is not None:
                found.append(abs(line.start + line.end - occurrence.doubled_midpoint))
        return found

    @property
    def lines(self) -> dict[str, str]:
        texts = {}
        for line in self.plan.deliveries:
            text = self.script.eventuality(line.element).variants[line.variant].text
            texts[line.element] = f"{clock(line.start)[3:]}  {text}"
        return texts


def planned(script: Script, name: str) -> Planned:
    script = replace(script, settings=preset_named(name).settings)
    return Planned(name, script, plan_film(script, gaps_of(script).gaps))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presets", default="paper,uk")
    parser.add_argument("--script", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        request = sample_request(Path(folder))
        DraftRun(request, lambda _: None).run()
        with ProjectFile.open(request.project, read_only=True) as project:
            script = project.saved_script
    found = [planned(script, name) for name in given.presets.split(",")]
    table = Table(title=f"The sample film, {len(script.eventualities)} items")
    for heading in (
        "preset",
        "lines",
        "narrated, s",
        "joins < 0.1 s",
        "< 0.2 s before dialogue",
        "> 3 s off",
        "farthest, s",
    ):
        table.add_column(heading, justify="left" if heading == "preset" else "right")
    for each in found:
        narrated = sum(line.end - line.start for line in each.plan.deliveries) / 1000
        far = sum(distance > 2 * FAR_MS for distance in each.distances)
        farthest = max(each.distances, default=0) / 2000
        numbers = (
            len(each.plan.deliveries),
            f"{narrated:.1f}",
            each.joins,
            each.against_dialogue,
            far,
            f"{farthest:.1f}",
        )
        table.add_row(each.name, *map(str, numbers))
    console.print(table)
    if given.script:
        scripts = Table(*(each.name for each in found), show_lines=True)
        for eventuality in script.eventualities:
            if any(eventuality.id in each.lines for each in found):
                scripts.add_row(*(each.lines.get(eventuality.id, "–") for each in found))
        console.print(scripts)


if __name__ == "__main__":
    main()
