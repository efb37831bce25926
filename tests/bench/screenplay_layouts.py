"""Screenplays in hundreds of layouts: how many speeches, actions and names are read right, and what is read wrongly.

Texts and seeds on which the reader was tuned are apart from those on which it is measured.

Run: python tests/bench/screenplay_layouts.py [--tuned] [--count 300] [--shared /work/shared] [--worst 20]
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import reduce
from operator import add
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fakes"))

from found_layouts import Found, Item, Kind, Layout, Score, items_of, laid_out, layout_of, score, subtitles_of

from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.line_kinds import names_transition, numbered_heading
from adstudio.screenplay.parsed_screenplay import ScreenplayError

TUNED = ("The-Last-Birthday-Card.fountain", "printing_trouble.fountain")
MEASURED = ("my_living_memory.fountain", "Brick-and-Steel.fountain")
FIRST_SEED = {True: 1, False: 100_001}
LONGEST = 260
"""Pieces of one file: some ten pages."""


def sources(folder: Path, names: tuple[str, ...]) -> list[list[Item]]:
    """The pieces of each of these screenplays, as the reader of Fountain has them."""
    texts = [items_of(parse_screenplay((folder / name).read_bytes(), name)) for name in names]
    return [[item for item in text if _shows(item)] for text in texts]


def _shows(item: Item) -> bool:
    """Whether a piece shows what it is without Fountain's marks, which are not printed."""
    if item.kind is Kind.HEADING:
        return numbered_heading(item.text) is not None
    return item.kind is not Kind.TRANSITION or names_transition(item.text)


def layouts(texts: list[list[Item]], seeds: range) -> list[Found]:
    """One laid-out file a seed, of one of the texts from one of its first headings."""
    found: list[Found] = []
    for seed in seeds:
        draw = random.Random(seed + 5)
        text = draw.choice(texts)
        starts = [at for at, item in enumerate(text) if item.kind is Kind.HEADING][:-1]
        start = draw.choice(starts[: max(1, len(starts) // 2)])
        found.append(laid_out(text[start : start + LONGEST], layout_of(seed)))
    return found


def read(found: Found, subtitles: list[str]) -> list[Item] | None:
    """What the reader makes of it; None if it refuses."""
    name = "film.pdf" if found.layout.pdf else "film.txt"
    try:
        return items_of(parse_screenplay(found.data, name, subtitles=subtitles))
    except ScreenplayError:
        return None


DIMENSIONS: dict[str, Callable[[Layout], object]] = {
    "speech": lambda layout: layout.speech,
    "name": lambda layout: "centred" if layout.name is None else layout.name - layout.speech,
    "rows": lambda layout: f"{layout.action_width}/{layout.speech_width}",
    "blanks": lambda layout: layout.blanks.value,
    "page": lambda layout: layout.furniture.value,
    "title": lambda layout: layout.title.value,
    "names": lambda layout: layout.names.value,
    "capitals": lambda layout: layout.capitals,
    "dirt": lambda layout: layout.dirt,
    "tabs": lambda layout: layout.tabs,
    "pdf": lambda layout: layout.pdf,
    "numbered": lambda layout: layout.numbered,
    "hopeless": lambda layout: layout.hopeless,
}


def row(name: str, result: Score, count: int) -> str:
    """One row of the table."""
    whole = (
        max(1, result.speeches),
        max(1, result.actions),
        max(1, result.actions_found),
        max(1, result.words_of_speech),
    )
    return (
        f"{name:58} {count:5} {result.refused:7} {100 * result.speeches_right / whole[0]:8.1f} "
        f"{100 * result.names_right / whole[0]:6.1f} {100 * result.actions_right / whole[1]:8.1f} "
        f"{100 * result.actions_right / whole[2]:10.1f} {100 * result.narrated / whole[3]:9.2f}"
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tuned", action="store_true")
    parser.add_argument("--subtitles", action="store_true")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--shared", type=Path, default=Path("/work/shared"))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--worst", type=int, default=0)
    options = parser.parse_args()
    names = TUNED if options.tuned else MEASURED
    first = options.first or FIRST_SEED[options.tuned]
    files = layouts(sources(options.shared / "data" / "screenplay", names), range(first, first + options.count))
    results = [
        (
            found,
            score(read(found, subtitles_of(found.items, found.layout.seed) if options.subtitles else []), found.items),
        )
        for found in files
    ]
    head = ("layouts", "refused", "speeches", "names", "actions", "precision", "narrated")
    print(f"{'% right':58} {' '.join(head)}")
    print(row("all", reduce(add, (result for _, result in results)), len(results)))
    for dimension, value in DIMENSIONS.items():
        groups: dict[str, list[Score]] = defaultdict(list)
        for found, result in results:
            groups[str(value(found.layout))].append(result)
        for key in sorted(groups):
            print(row(f"{dimension}: {key}", reduce(add, groups[key]), len(groups[key])))
    worst = sorted(results, key=lambda pair: pair[1].speeches_right / max(1, pair[1].speeches))
    for found, result in worst[: options.worst]:
        print(row(str(found.layout.seed), result, 1), found.layout)


if __name__ == "__main__":
    main()
