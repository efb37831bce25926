"""Throws damaged evaluations at their reader: `python tests/fuzz/fuzz_evaluations.py --seconds 600 [--seed N]`.

Evaluations are damaged in bytes and in values. What is allowed: a sentence (`BadInputError`), or an evaluation that
reads back equal after it is written, and of which a page and a table can be made. Anything else ends the run with the
input kept beside it, as does a file that takes more than ten seconds.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "evaluation"))

from evaluation_values import evaluation
from fuzz_problems import changed, damaged, encoded
from shared_main import fuzz, require

from adstudio.cli.evaluation_table import table_lines
from adstudio.core.errors import BadInputError
from adstudio.evaluation.html_report import html_pieces
from adstudio.evaluation.json_report import json_pieces, parse_evaluation


def check(data: bytes, name: str) -> str:
    """What became of it."""
    try:
        found = parse_evaluation(data, name)
    except BadInputError as error:
        require("\n" not in str(error), "an error of more than one line")
        str(error).encode()
        return "refused"
    again = "".join(json_pieces(found)).encode()
    require(parse_evaluation(again, "again.json") == found, "it reads back as another one")
    for piece in html_pieces(found):
        piece.encode()
    for line in table_lines(found, 60):
        line.encode()
    return "read"


if __name__ == "__main__":
    seeds = [json.loads("".join(json_pieces(evaluation(1, 2, 2, measures=each)))) for each in (1, 6)]

    def case(chance: random.Random) -> tuple[str, bytes]:
        value = chance.choice(seeds)
        data = encoded(changed(value, chance) if chance.random() < 0.7 else value)
        return "fuzz.json", damaged(data, chance) if chance.random() < 0.4 else data

    fuzz("fuzz_evaluations", case, check)
