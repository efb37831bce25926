"""Screenplays in hundreds of layouts: how many speeches, actions and names are read right, and what is read wrongly.

Every Fountain and Final Draft file of the shared folder is a source; those too short to have statistics are joined to
one text a folder. Texts and seeds on which the reader was tuned are apart from those on which it is measured.

Run: python tests/bench/screenplay_layouts.py [--tuned] [--subtitles] [--count 300] [--shared ../shared] [--worst 20]
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fakes"))

from found_layouts import Found, Item, Kind, Layout, Score, items_of, laid_out, layout_of, score, subtitles_of

from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.line_kinds import is_capitals, names_transition, numbered_heading
from adstudio.screenplay.parsed_screenplay import ScreenplayError

TUNED = frozenset({"The-Last-Birthday-Card", "printing_trouble"})
"""The texts, in whatever format, on which the reader was tuned."""
FIRST_SEED = {True: 1, False: 100_001}
LONGEST = 260
"""Pieces of one file: some ten pages."""
SHORTEST = 12
"""Shorter texts are joined."""


def sources(folder: Path, *, tuned: bool) -> dict[str, list[Item]]:
    """The pieces of each screenplay, by its file, as the readers of Fountain and Final Draft have them."""
    found: dict[str, list[Item]] = {}
    for path in sorted(each for ending in ("fountain", "fdx") for each in folder.rglob(f"*.{ending}")):
        if (path.stem in TUNED) is not tuned:
            continue
        try:
            items = items_of(parse_screenplay(path.read_bytes(), path.name))
        except ScreenplayError:
            continue  # nothing but notes
        pieces = [item for item in items if _shows(item)]
        name = path.name if len(pieces) >= SHORTEST else f"{path.parent.name}, joined"
        found.setdefault(name, []).extend(pieces)
    return {name: pieces for name, pieces in found.items() if len(pieces) >= SHORTEST}


def _shows(item: Item) -> bool:
    """Whether a piece shows what it is without Fountain's marks, which are not printed."""
    if item.kind is Kind.HEADING:
        return numbered_heading(item.text) is not None
    if item.kind is Kind.SPEECH:
        return is_capitals(item.speaker.partition("(")[0])
    if item.kind is Kind.ACTION:
        return not is_capitals(item.text) and names_transition(item.text) is False and item.text[0] not in "(~"
    return names_transition(item.text)


def layouts(texts: dict[str, list[Item]], seeds: range) -> list[tuple[str, Found]]:
    """One laid-out file a seed, of one of the texts from one of its first headings, with the text's name."""
    found: list[tuple[str, Found]] = []
    for seed in seeds:
        draw = random.Random(seed + 5)
        name = draw.choice(sorted(texts))
        text = texts[name]
        starts = [at for at, item in enumerate(text) if item.kind is Kind.HEADING][:-1] or [0]
        start = draw.choice(starts[: max(1, len(starts) // 2)])
        pieces, layout = text[start : start + LONGEST], layout_of(seed)
        if layout.pdf and not _is_western(pieces):
            layout = replace(layout, pdf=False)  # the PDF's font has no other letters
        found.append((name, laid_out(pieces, layout)))
    return found


def _is_western(items: list[Item]) -> bool:
    try:
        "".join(item.text + item.speaker + item.aside for item in items).encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


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
    first = options.first or FIRST_SEED[options.tuned]
    texts = sources(options.shared / "data" / "screenplay", tuned=options.tuned)
    results: list[tuple[str, Found, Score]] = []
    for name, found in layouts(texts, range(first, first + options.count)):
        subtitles = subtitles_of(found.items, found.layout.seed) if options.subtitles else []
        results.append((name, found, score(read(found, subtitles), found.items)))
    head = ("layouts", "refused", "speeches", "names", "actions", "precision", "narrated")
    print(f"{'% right':58} {' '.join(head)}")
    print(row("all", reduce(add, (result for *_, result in results)), len(results)))
    for name in sorted(texts):
        those = [result for source, _, result in results if source == name]
        if those:
            print(row(name, reduce(add, those), len(those)))
    for dimension, value in DIMENSIONS.items():
        groups: dict[str, list[Score]] = defaultdict(list)
        for _, found, result in results:
            groups[str(value(found.layout))].append(result)
        for key in sorted(groups):
            print(row(f"{dimension}: {key}", reduce(add, groups[key]), len(groups[key])))
    worst = sorted(results, key=lambda each: each[2].speeches_right / max(1, each[2].speeches))
    for name, found, result in worst[: options.worst]:
        print(row(f"{found.layout.seed} {name}", result, 1), found.layout)


if __name__ == "__main__":
    main()
