"""Throws damaged input of evaluations at its readers: `python tests/fuzz/fuzz_evaluations.py --seconds 600 [--seed N]`.

Files of sequences and of films, and generated descriptions. What is allowed: a sentence (`BadInputError`), or values as
they are promised. Anything else ends the run with the input kept beside it, as does a file that takes more than ten
seconds.
"""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from shared_main import damaged, fuzz, require

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.script import Cue, Script
from adstudio.core.words import count_words
from adstudio.evaluation.films_file import parse_films
from adstudio.evaluation.reading import read_script
from adstudio.evaluation.request import ScriptFile
from adstudio.evaluation.sequence_files import covering, parse_sequences

FILM = Script(
    Film("film", 600_000), cues=tuple(Cue(f"c{at}", at, at + 9_000, "Who?") for at in range(0, 600_000, 20_000))
)
TOKENS = (
    *(
        b",",
        b";",
        b"\t",
        b'"',
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b"-1",
        b"1e9",
        b"0.0000001",
        b"99999999999",
        b"null",
        b"NaN",
    ),
    *(
        b"\r\n",
        b"\0",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"name",
        b"start",
        b"end",
        b"text_gen",
        b"vid",
        b"imdbid",
        b"00:00:10",
    ),
)
SEQUENCES = (
    b"name,start,end\nYard,0,60\nHouse,1:00,00:01:30.500\n",
    b'{"format": "adstudio-sequences/1", "sequences": [{"name": "Yard", "start": 0, "end": 60.25}]}',
)
FILM_OF_ALL = (
    b'{"name": "a", "end": 60, "frame_rate": 25, "references": {"x": "x.srt", "y": {"file": "y.srt", "shift": -3.5,'
    b' "speed": "24"}}, "systems": {"z": "z.json"}, "sequences": "s.csv"}'
)
FILMS = (b'{"format": "adstudio-films/1", "films": [' + FILM_OF_ALL + b"]}",)
GENERATED = (
    b',vid,start,end,text_gt,text_gen\n0,tt1,6.0,8.5,x,Ruth opens the door.\n1,tt1,21.0,22.0,y,"Rain, all night."\n',
    b'{"1": {"start": 6.0000001, "end": 8.5, "text": "Ruth opens."}, "2": {"start": 21, "text": ""}}',
    b'[{"start": 6, "end": null, "text_gen": "Ruth opens."}, {"start": 21, "end": 22, "text_gen": "Rain."}]',
)


def check(data: bytes, name: str) -> str:
    """What became of it."""
    try:
        {"sequences": _sequences, "films": _films, "generated": _generated}[name.partition(".")[0]](data)
    except BadInputError as error:
        require("\n" not in str(error), "an error of more than one line")
        str(error).encode()
        return "refused"
    return f"{name} read"


def _sequences(data: bytes) -> None:
    found = parse_sequences(data, "sequences.txt")
    require(all(one.span.end <= other.span.start for one, other in pairwise(found)), "sequences that overlap")
    whole, _ = covering(found, 100_000)
    require((whole[0].span.start, whole[-1].span.end) == (0, 100_000), "sequences that do not cover the film")
    require(all(one.span.end == other.span.start for one, other in pairwise(whole)), "sequences with gaps")


def _films(data: bytes) -> None:
    found = parse_films(data, Path("films.json"))
    require(len({film.name for film in found}) == len(found), "two films of one name")


def _generated(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "generated.csv")
        path.write_bytes(data)
        found = read_script(ScriptFile("a", path), FILM, "tt1").transcript.descriptions
    require(list(found) == sorted(found), "descriptions out of order")
    require(all(each.span.length > 0 and count_words(each.text) for each in found), "one without a length or a word")


if __name__ == "__main__":

    def case(chance: random.Random) -> tuple[str, bytes]:
        name, seeds = chance.choice((("sequences", SEQUENCES), ("films", FILMS), ("generated", GENERATED)))
        return f"{name}.txt", damaged(chance.choice(seeds), TOKENS, chance)

    fuzz("fuzz_evaluations", case, check)
