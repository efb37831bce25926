"""Reading speed of our SRT reader beside pysrt and pysubs2: `python tests/bench/subtitle_reading.py`.

A film of two hours (2,000 cues) and a file ten times as long, read from bytes to cues in memory. The readers take turns
within each round; the table gives the median of the rounds in processor time, and the ratio to ours. Without pysubs2,
which `packaging/test.sh` installs and `packaging/demo.sh` does not, its rows are left out.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pysrt

from adstudio.core.timebase import clock
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import parse_subtitles

try:
    import pysubs2
except ImportError:
    pysubs2 = None

ROUNDS = 9
WORDS = [
    "the",
    "a",
    "you",
    "know",
    "what",
    "was",
    "never",
    "there",
    "before",
    "he",
    "said",
    "it",
    "would",
    "rain",
    "again",
    "tomorrow",
    "in",
    "Paris",
    "déjà",
    "vu",
    "café",
]


def film(cues: int, step: int) -> bytes:
    """An SRT file of that many cues, one every `step` milliseconds, one or two lines each, some in italics."""
    rng = random.Random(7)
    blocks: list[str] = []
    for k in range(cues):
        lines = [" ".join(rng.choices(WORDS, k=rng.randint(2, 7))) for _ in range(rng.randint(1, 2))]
        if rng.random() < 0.15:
            lines = [f"<i>{line}</i>" for line in lines]
        start = k * step
        times = f"{clock(start, separator=',')} --> {clock(start + step - 400, separator=',')}"
        blocks.append(f"{k + 1}\n{times}\n" + "\n".join(lines) + "\n\n")
    return "".join(blocks).encode()


def measured(data: bytes) -> dict[str, list[float]]:
    text = data.decode()
    readers: dict[str, Callable[[], object]] = {
        "adstudio": lambda: parse_subtitles(data, "film.srt"),
        "adstudio, with dialogue": lambda: dialogue(parse_subtitles(data, "film.srt")).cues,
        "pysrt": lambda: pysrt.from_string(data.decode()),
    }
    if pysubs2 is not None:
        readers["pysubs2"] = lambda: pysubs2.SSAFile.from_string(text, format_="srt")
    times: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(ROUNDS):
        for name, read in readers.items():
            start = time.process_time()
            read()
            times[name].append(time.process_time() - start)
    return times


def main() -> None:
    warnings.simplefilter("ignore")
    if pysubs2 is None:
        print("pysubs2 is not installed (packaging/test.sh installs it): its rows are left out")
    print(f"{'file':<28}{'reader':<26}{'median ms':>11}{'best ms':>10}{'× ours':>9}")
    for title, cues, step in (("2-hour film, 2,000 cues", 2000, 3600), ("20,000 cues", 20_000, 3600)):
        times = measured(film(cues, step))
        ours = statistics.median(times["adstudio"])
        for name, found in times.items():
            median = statistics.median(found)
            print(f"{title:<28}{name:<26}{median * 1000:>11.1f}{min(found) * 1000:>10.1f}{median / ours:>9.2f}")


if __name__ == "__main__":
    main()
