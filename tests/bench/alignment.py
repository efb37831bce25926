"""A screenplay laid over a film: how long it takes, and how right it is when the film says other things.

    .venv/bin/python tests/bench/alignment.py [--seeds 10] [--most 30000]

Times are of the whole of `align`; memory is the most that Python and NumPy held at once beyond what was there before.
Anchors are right if the action lies within the bounds, give or take two seconds, and the bounds are those of the lines
on both sides, give or take two seconds, where those are unchanged (“tight” counts these alone).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tracemalloc
from itertools import permutations
from pathlib import Path
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fakes"))

from changed_films import MadeFilm, judged, long_screenplay, made_film, speeches

from adstudio.core.script import Cue
from adstudio.drafting.text.align.align import Alignment, align
from adstudio.screenplay.file import read_screenplay
from adstudio.screenplay.parsed_screenplay import Screenplay
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SHARES = (0.0, 0.1, 0.3, 0.6)


def row(*cells: object) -> None:
    print(
        "| " + " | ".join(f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in cells) + " |", flush=True
    )


def lines(screenplay: Screenplay) -> list[str]:
    return [speech.text for speech in speeches(screenplay).values()]


def laid(screenplay: Screenplay, film: MadeFilm) -> Alignment:
    return align(screenplay, film.cues)


def times(most: int) -> None:
    row("words", "changed", "seconds", "processor", "MB", "WIP", "SIP", "right", "tight")
    for words in (12_000, 30_000):
        if words > most:
            continue
        screenplay = long_screenplay(spoken=words)
        other = long_screenplay(spoken=words, seed=9)
        films = {f"{share:.0%}": made_film(screenplay, share, others=lines(other)) for share in SHARES}
        films["another film"] = made_film(other)
        for what, film in films.items():
            clock, busy = perf_counter(), process_time()
            found = laid(screenplay, film)
            clock, busy = perf_counter() - clock, process_time() - busy
            tracemalloc.start()
            laid(screenplay, film)
            peak = tracemalloc.get_traced_memory()[1] / 1e6
            tracemalloc.stop()
            counts = {"right": 0, "actions": 1, "tight": 0, "between unchanged": 1}
            if what != "another film":
                counts, _ = judged(screenplay, film, found.anchors)
            sip = found.scene_match(screenplay, film.scenes).sip
            right, tight = counts["right"] / counts["actions"], counts["tight"] / max(1, counts["between unchanged"])
            row(words, what, clock, busy, f"{peak:.0f}", found.match.wip, sip, right, tight)


def changed(screenplays: dict[str, Screenplay], seeds: int) -> None:
    row("screenplay", "changed", "actions", "right", "tight", "WIP", "SIP", "cues named", "named right", "sure right")
    for name, screenplay in screenplays.items():
        others = [line for other, play in screenplays.items() if other != name for line in lines(play)]
        for share in SHARES:
            total: dict[str, int] = {}
            matches: list[float] = []
            scenes: list[float] = []
            cues = named = right = sure = sure_right = 0
            for seed in range(seeds):
                film = made_film(screenplay, share, others=others, seed=seed)
                found = laid(screenplay, film)
                counts, wrong = judged(screenplay, film, found.anchors)
                for what, count in counts.items():
                    total[what] = total.get(what, 0) + count
                matches.append(found.match.wip)
                scenes.append(found.scene_match(screenplay, film.scenes).sip)
                cues += len(film.names)
                named += len(found.speakers)
                right += sum(film.names[cue] == who for cue, who in found.speakers)
                confident = [place for place in film.actions if found.anchors[place].confidence >= 0.4]
                sure += len(confident)
                sure_right += len([place for place in confident if place not in wrong])
            row(
                name,
                f"{share:.0%}",
                total["actions"],
                total["right"] / total["actions"],
                total["tight"] / max(1, total["between unchanged"]),
                f"{statistics.mean(matches):.3f} ({min(matches):.3f}…{max(matches):.3f})",
                f"{statistics.mean(scenes):.3f} ({min(scenes):.3f}…{max(scenes):.3f})",
                named / cues,
                right / max(1, named),
                f"{sure_right} of {sure}",
            )


def unrelated(screenplays: dict[str, Screenplay]) -> None:
    films: list[tuple[str, tuple[Cue, ...]]] = []
    for path in sorted(
        [*(DATA / "film").rglob("*.vtt"), *(DATA / "film").rglob("*.srt"), *(DATA / "media").glob("*.vtt")]
    ):
        cues = dialogue(read_subtitles(path)).cues
        if sum(len(cue.text.split()) for cue in cues) >= 20:
            films.append((path.name, cues))
    found = [(align(play, cues).match, name, film) for name, play in screenplays.items() for film, cues in films]
    for one, other in permutations(screenplays, 2):
        cues = made_film(screenplays[other]).cues
        found.append((align(screenplays[one], cues).match, one, f"film of {other}"))
    found.sort(key=lambda entry: -entry[0].wip)
    row("unrelated pair", "", "words", "words", "hits", "WIP", "trusted")
    for match, name, film in found[:5]:
        row(name, film, match.screenplay_words, match.film_words, match.hits, f"{match.wip:.4f}", match.sure)
    row(f"all {len(found)}", "most", "", "", "", f"{found[0][0].wip:.4f}", max(match.sure for match, _, _ in found))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--most", type=int, default=30_000)
    given = parser.parse_args()
    screenplays = {path.stem: read_screenplay(path) for path in sorted((DATA / "screenplay").glob("*.fountain"))}
    changed(screenplays, given.seeds)
    print()
    unrelated(screenplays)
    print()
    times(given.most)


if __name__ == "__main__":
    main()
