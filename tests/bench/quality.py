"""How long quality control takes of a two-hour film: at first, and after one edit each.

    python tests/bench/quality.py [--edits 50] [--voice]

Measured are the rules alone: the plan is there already. `--voice` has the length of every wording measured.
"""

import argparse
import random
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from long_film import long_script
from rich.console import Console
from rich.table import Table

from adstudio.core.narration import VoiceSettings
from adstudio.core.script import Script
from adstudio.core.words import spoken_ms
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.presets.library import preset_named
from adstudio.quality.checks import house_checks
from adstudio.quality.inspection import Inspector
from adstudio.speech.voice_lengths import VoiceLengths, manner_of

clock: Callable[[], float] = perf_counter
console = Console(width=100)


def measured(script: Script) -> Script:
    """The film with a voice that has spoken every wording, a tenth quicker or slower than the rate."""
    rng = random.Random(2)
    script = replace(script, voice=VoiceSettings("espeak-ng"))
    texts = {wording.text for line in script.eventualities for wording in line.variants}
    lengths = {text: round(spoken_ms(text, 170) * rng.uniform(0.9, 1.1)) for text in texts}
    known = VoiceLengths().with_measured(manner_of(script.narrator), "1", lengths)
    return script.with_changes(lengths=known)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=50)
    parser.add_argument("--voice", action="store_true")
    arguments = parser.parse_args()
    house = preset_named("house")
    script = long_script().with_changes(settings=house.settings)
    if arguments.voice:
        script = measured(script)
    planner = FilmPlanner(script, gaps_of(script).gaps)
    checks, inspector = house_checks(house), Inspector()
    start = clock()
    found = inspector.findings(script, planner.outcome.plan, checks)
    first = clock() - start
    rng, times = random.Random(1), list[float]()
    for number in range(arguments.edits):
        place = rng.randrange(len(script.eventualities))
        line = script.eventualities[place]
        wording = replace(line.variants[0], text=f"{line.variants[0].text} Edit {number}.")
        script = script.with_eventuality(place, replace(line, variants=(wording, *line.variants[1:])))
        outcome = planner.replan(script, gaps_of(script).gaps)
        start = clock()
        found = inspector.findings(script, outcome.plan, checks)
        times.append(clock() - start)
    table = Table("lines spoken", "findings", "at first", "after an edit, median", "p95")
    ordered = sorted(times)
    shown = (first, ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)])
    spoken = len(planner.outcome.plan.deliveries)
    table.add_row(str(spoken), str(len(found)), *(f"{each * 1000:.1f} ms" for each in shown))
    console.print(table)


if __name__ == "__main__":
    main()
