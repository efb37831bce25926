"""Throws damaged descriptions at the reader: `python tests/fuzz/fuzz_descriptions.py --seconds 600 [--seed N]`.

Seeds are scripts and tables made here: prose with times, linking scripts, cue words, our own CSV, others' tables. One
is damaged at random (characters, tokens, stretches repeated), read, and put beside a film's dialogue. What is allowed:
sections that are sound, or `ProseError`. Anything else, a reading that takes more than ten seconds, or memory that
grows beyond 1 GB ends the run with the input kept beside it.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "fakes"))

from script_files_lines import LINES
from shared_main import damaged, fuzz, require

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
TEXTS = (
    *("\n", "\n\n", "\t", ";", ",", "|", '"', "'", " " * 40, "[", "]", "(", ")", "{", "}", "<", ">", "“", "”", "…"),
    *("/", "0:07", "00:00:07:12", "1.5", "10.5 s", "-->", " - ", "V/O 1", "AD 2:", "#3", "CUE: ", "SFX: ", "BEN: "),
    *("[PAUSE]", "(fast)", "IN", "OUT: 0:09", "in,out,text\n", "TC IN  TC OUT  TEXT\n", "|---|---|\n", "---\n", "# "),
    *("INT. HALL\n", "Title: X\n", "REEL 2\n", "\0", "\ufeff", "\u2028", "\x0b", "é", "字", "1" * 300, "(" * 200),
    *("[“" * 100, "| " * 300, "0:07 " * 200, "a" * 3_000),
)
TOKENS = tuple(text.encode() for text in TEXTS)


def check(data: bytes, path: Path) -> str:
    """What became of it."""
    path.write_bytes(data)
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


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "description.txt"
        fuzz(
            "fuzz_descriptions",
            lambda chance: (path.name, damaged(chance.choice(SEEDS).encode(), TOKENS, chance)),
            lambda data, _: check(data, path),
        )
