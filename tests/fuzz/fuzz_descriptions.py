"""Throws damaged descriptions at the reader: `python tests/fuzz/fuzz_descriptions.py --seconds 600 [--seed N]`.

Seeds are scripts and tables made here: prose with times, linking scripts, cue words, our own CSV, others' tables. One
is damaged at random (characters, tokens, stretches repeated), read, and put beside a film's dialogue. What is allowed:
sections that are sound, or `ProseError`. Anything else, a reading that takes more than ten seconds, or memory that
grows beyond 1 GB ends the run with the input kept beside it.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "fakes"))

from script_files_lines import LINES

from adstudio.core.script import Cue
from adstudio.core.timebase import RATES
from adstudio.delivery.tables import csv_table
from adstudio.drafting.text.ground.film_times import in_film
from adstudio.drafting.text.ground.prose import ProseError, read_prose
from adstudio.drafting.text.prose_chapters import prose_chapters, with_cue_times

END = 120_000
CUES = tuple(
    Cue(f"c{number}", number * 10_000, number * 10_000 + 2_000, text)
    for number, text in enumerate(("Did you bring the key?", "It was on the hook this morning.", "Small hands."), 1)
)
SEEDS = (
    "# Hall\n\n[0:02] A cat walks.\n\n0:13 – 0:18 Ruth looks; “Did you bring the key?”\n- 1:23 A dog.\n\nBen waits.\n",
    "THE KEY\n\nV/O 1.1\nA cat walks.\n\nCUE: “…bring the key?”\nV/O 1.2 (slow)\nRuth looks. [PAUSE] She waits.\n",
    "AD: A cat.\nBEN: Did you bring the key?\nAD (fast): Ruth {who?} looks.\nSFX: DOOR SLAMS\nAD: A mouse // runs.\n",
    "No   TC IN        TC OUT       DESCRIPTION\n1    00:00:02:00  00:00:06:10  A cat walks\n" + " " * 31 + "away.\n",
    "1\nIN: 00:00:02:00\nOUT: 00:00:06:10\nA cat.\n\n2\nIN: 0:13\n(“small hands”) A dog.\n",
    'TC;Dialogue;AD;Notes\n0:02;;"A cat; it walks\naway.";x\n0:10;Did you bring the key?;;\n;;Ruth looks.;fast\n',
    "Start\tEnde\tText\n0:02\t0:06\tEine Katze.\n",
    "1;00:00:02:00;00:00:06:00;A cat.\n2;00:00:13:00;00:00:18:00;Ruth.\n",
    "| Nr | In | Out | Cue | AD |\n|---|---|---|---|---|\n| 1 | 0:02 | 0:06 | the key | A **cat**. |\n\nProse.\n",
    csv_table(LINES, frame_rate=RATES["25"], start_timecode="10:00:00:00", film_end=END).decode("utf-8"),
)
TOKENS = (
    *(
        "\n",
        "\n\n",
        "\t",
        ";",
        ",",
        "|",
        '"',
        "'",
        " " * 40,
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "<",
        ">",
        "“",
        "”",
        "…",
        "/",
    ),
    *(
        "0:07",
        "00:00:07:12",
        "1.5",
        "10.5 s",
        "-->",
        " - ",
        "V/O 1",
        "AD 2:",
        "#3",
        "CUE: ",
        "SFX: ",
        "BEN: ",
        "[PAUSE]",
    ),
    *(
        "(fast)",
        "IN",
        "OUT: 0:09",
        "in,out,text\n",
        "TC IN  TC OUT  TEXT\n",
        "|---|---|\n",
        "---\n",
        "# ",
        "INT. HALL\n",
    ),
    *(
        "\0",
        "\ufeff",
        "\u2028",
        "\x0b",
        "é",
        "字",
        "1" * 300,
        "(" * 200,
        "[“" * 100,
        "| " * 300,
        "0:07 " * 200,
        "a" * 3_000,
    ),
)


def damaged(text: str, chance: random.Random) -> str:
    made = text
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8, 40))):
        at = chance.randrange(len(made) + 1)
        length = chance.choice((0, 1, 1, 2, 7, 60))
        kind = chance.randrange(4)
        if kind == 0:
            made = made[:at] + made[at + length :]
        elif kind == 1:
            made = made[:at] + chance.choice(TOKENS) + made[at + length :]
        elif kind == 2:
            made = (
                made[:at] + chr(chance.choice((chance.randrange(32, 127), chance.randrange(0xA0, 0x3000)))) + made[at:]
            )
        elif len(made) < 500_000:
            start = chance.randrange(len(made) + 1)
            made = (
                made[:at]
                + made[start : start + chance.choice((1, 10, 100, 1000))] * chance.choice((1, 2, 50))
                + made[at:]
            )
    return made


def check(path: Path) -> str:
    """What became of it."""
    try:
        prose = read_prose(path)
    except ProseError as error:
        require("\n" not in str(error), "an error of more than one line")
        return "refused"
    for section in prose.sections:
        section.text.encode()
        require(bool(section.text.strip()), "an empty section")
        require("\n" not in section.text, "a section of more than one line")
        require(section.until is None or (section.at is not None and section.until > section.at), "no span")
    placed = with_cue_times(in_film(prose, END), CUES)
    times = [section.at for section in placed.sections if section.at is not None]
    require(all(at >= 0 for at in times), "a time before the film")
    prose_chapters(placed, END)
    for oddity in placed.oddities:
        require("\n" not in oddity.what, "a finding of more than one line")
    return "clean" if not placed.oddities else "read with oddities"


def require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise AssertionError(otherwise)


def too_slow(*_: object) -> None:
    raise TimeoutError("one file took more than ten seconds")


def main() -> int:
    signal.signal(signal.SIGALRM, too_slow)
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    chance = random.Random(chosen.seed)
    tally, slowest, memory = Counter[str](), 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "description.txt"
        end = time.monotonic() + chosen.seconds
        while time.monotonic() < end:
            text = damaged(chance.choice(SEEDS), chance)
            path.write_text(text, "utf-8", newline="")
            began = time.monotonic()
            signal.alarm(10)
            try:
                tally[check(path)] += 1
                slowest = max(slowest, time.monotonic() - began)
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
                require(memory <= 1024, f"{memory} MB of memory")
            except Exception:
                Path("fuzz_descriptions.failed.txt").write_text(text, "utf-8", newline="")
                raise
    signal.alarm(0)
    print(
        f"seed {chosen.seed}: {sum(tally.values())} files: {dict(tally)}, slowest {slowest:.3f} s, memory {memory} MB"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
