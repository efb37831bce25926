"""What a model that can read, and nothing else, says about questions: it finds an answer in the text, or guesses E."""

from __future__ import annotations

import json
import re

GUESS = "E"
WRONG = ("a lamp", "a kite", "a drum", "a goat")


def block(said: str, title: str) -> list[str]:
    """The lines of a block of material."""
    (inside,) = re.findall(rf"\[\[\[ {title}[^\n]*\n(.*?)\n{title}[^\n]* \]\]\]", said, re.DOTALL)
    return inside.split("\n")


def asked_questions(said: str) -> dict[str, tuple[str, dict[str, str]]]:
    """The questions that a request asks, with their answers by letter, by id."""
    found: dict[str, tuple[str, dict[str, str]]] = {}
    name = ""
    for line in block(said, "QUESTIONS"):
        if match := re.match(r"  ([A-E])\. (.*)", line):
            found[name][1][match[1]] = match[2]
        else:
            name, _, text = line.partition(": ")
            found[name] = text, {}
    return found


def read_answers(said: str) -> str:
    """The first answer of each question that the description says, word for word, else the guess."""
    heard = " ".join(block(said, "AUDIO DESCRIPTION")).casefold()
    given = [
        {"id": name, "answer": next((at for at, text in answers.items() if text.casefold() in heard), GUESS)}
        for name, (_, answers) in asked_questions(said).items()
    ]
    return json.dumps({"answers": given})


def asked_pieces(said: str) -> dict[str, str]:
    """The descriptions that a request asks questions about, by id."""
    listed = dict(line.partition(": ")[::2] for line in block(said, "DESCRIPTIONS"))
    alone = re.search(r"^Answer for these alone: (.*)\.$", said, re.MULTILINE)
    return listed if alone is None else {each: listed[each] for each in alone[1].split(", ")}


def made_question(name: str, text: str) -> dict[str, str]:
    """A question whose right answer is the last two words of a description; none about a single word."""
    right = " ".join(text.rstrip(".").split()[-2:])
    if right == text.rstrip("."):
        return {"id": name, "question": "", "right": "", **{f"wrong{at}": "" for at in range(1, 5)}}
    wrong = {f"wrong{at}": each for at, each in enumerate(WRONG, 1)}
    return {"id": name, "question": f"What is the end of what is seen in {name}?", "right": right, **wrong}


def make_questions(said: str) -> str:
    """A question about each piece that is asked for."""
    return json.dumps({"questions": [made_question(*each) for each in asked_pieces(said).items()]})
