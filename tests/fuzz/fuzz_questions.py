"""Throws damaged question files at their reader: `python tests/fuzz/fuzz_questions.py --seconds 600 [--seed N]`.

What is allowed: a sentence (`BadInputError`), or questions without a fault that read back equal after they are written,
as JSON and as the table. Anything else ends the run with the input beside it, as does a file that takes more than ten
seconds.
"""

from __future__ import annotations

import random

from shared_main import damaged, fuzz, require

from adstudio.core.errors import BadInputError
from adstudio.core.timebase import Span
from adstudio.evaluation.question_file import questions_in, questions_json
from adstudio.evaluation.question_table import questions_csv
from adstudio.evaluation.questions import Question, question_fault

QUESTIONS = (
    Question("q1", "Who gives it?", ("Ron", "Snape", "Fred", "George", "“Harry”"), 1, Span(5_250, 6_000), keep=True),
    Question(
        "q2", "=1+1, or what; then?", ("-5", "'=x", "@a", "+b", "秋葉原"), 4, None, "Part 1", "Film", "ref", False
    ),
    Question("q3", "Zoë’s dog?\u00a0Where", ("a b", "c|d", "e\u2028f", "g/h", "#i"), 0, Span(0, 0), reference="o, p"),
)
TOKENS = (
    *(b",", b";", b"\t", b"|", b'"', b"'", b"=", b"\r", b"\n", b"\0", b"[", b"]", b"{", b"}", b"a", b"yes", b"no"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xc3\x83\xc2\xa9", b"null", b"1e999", b"-1", b'"keep": 1', b"00:00"),
    *(b"\\ud800", b"\\u0000"),
)


def check(data: bytes, name: str) -> str:
    """What became of it."""
    try:
        found = questions_in(data, name)
    except BadInputError as error:
        require("\n" not in str(error), "an error of more than one line")
        str(error).encode()
        return "refused"
    require(all(question_fault(each) == "" for each in found), "a question with a fault")
    require(len({each.id for each in found}) == len(found), "an id that is there twice")
    for write in (questions_json, questions_csv):
        require(questions_in(write(found), "again") == found, f"it reads back as another one: {write.__name__}")
    return "read"


if __name__ == "__main__":
    seeds = [questions_json(QUESTIONS), questions_csv(QUESTIONS), questions_csv(QUESTIONS).replace(b",", b";")]

    def case(chance: random.Random) -> tuple[str, bytes]:
        return "fuzz.csv", damaged(chance.choice(seeds), TOKENS, chance)

    fuzz("fuzz_questions", case, check)
