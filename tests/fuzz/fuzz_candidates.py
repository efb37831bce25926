"""Throws damaged candidates files at the reader: `python tests/fuzz/fuzz_candidates.py --seconds 600 [--seed N]`.

A seed file is damaged at random (bytes, tokens, whole values) and read. What is allowed: candidates that are sound, or
`CandidatesError`. Anything else, a reading that takes more than ten seconds, or memory that grows beyond 1 GB ends
the run with the input kept beside it.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import signal
import sys
import time
from pathlib import Path

from adstudio.drafting.candidates_file.reading import CandidatesError, parse_candidates

TOKENS = (
    *(b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"null", b"true", b"NaN", b"Infinity", b"-1", b"1e999", b"0"),
    *(
        b"```json\n",
        b"\\ud800",
        b"\x00",
        b"\xff",
        b"\xef\xbb\xbf",
        b'"id"',
        b'"scenes"',
        b'"elements"',
        b"\n",
        b"\xd7\x90",
    ),
    *(
        b'"occurrence_end"',
        b'"salience"',
        b'"start"',
        b'"00:00:59,9"',
        b"[" * 40,
        b'{"a":' * 40,
        b"9" * 500,
        b" " * 300,
    ),
)


def seed_files() -> list[bytes]:
    element = {
        "scene_description_extract": "She parks the motorbike.",
        "audio_description": "She parks her old motorbike by the gate.",
        "compressed_audio_descriptions": {
            "0.9": "She parks her motorbike by the gate.",
            "0.8": "She parks it by the gate.",
            "0.7": "She parks at the gate.",
            "0.6": "She parks the motorbike.",
            "0.5": "She parks there.",
        },
        "occurrence_start": "00:00:01.500",
        "occurrence_end": 4.25,
        "salience": 0.8,
    }
    null = element | {"occurrence_start": None, "occurrence_end": None, "salience": None, "id": "n"}
    array = [element, null, element | {"id": "x", "occurrence_start": "00:02"}]
    scenes = [
        {"id": "a", "start": 0, "end": 20, "elements": array, "title": "One", "sequence": "q"},
        {"id": "b", "start": "00:20", "end": "00:01:00.0", "elements": array},
    ]
    plain = [json.dumps(array), json.dumps(array, indent=1), json.dumps({"scenes": scenes}, indent=1), "[]"]
    return [text.encode() for text in (*plain, f"Here it is:\n```json\n{plain[1]}\n```\nDone.")]


def damaged(data: bytes, chance: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8, 40))):
        at = chance.randrange(len(made) + 1)
        length = min(chance.choice((0, 1, 1, 2, 7, 60)), len(made) - at)
        kind = chance.randrange(4)
        if kind == 0:
            made[at : at + length] = b""
        elif kind == 1:
            made[at : at + length] = chance.choice(TOKENS)
        elif kind == 2:
            made[at : at + length] = bytes(chance.randrange(256) for _ in range(length))
        elif len(made) < 2_000_000:
            start = chance.randrange(len(made) + 1)
            made[at:at] = made[start : start + chance.choice((1, 10, 100, 1000))] * chance.choice((1, 1, 2, 50))
    return bytes(made)


def check(data: bytes) -> str:
    """What became of it."""
    try:
        found = parse_candidates(data, "fuzz.json", film_end=60_000)
    except CandidatesError as error:
        require("\n" not in str(error), "an error of more than one line")
        str(error).encode()
        return "refused"
    ids = [one.id for one in found.eventualities]
    require(len(ids) == len(set(ids)), "an id stands twice")
    spans = {scene.id: scene.span for scene in found.scenes}
    for one in found.eventualities:
        for variant in one.variants:
            variant.text.encode()
        require((one.occurrence is None) == (one.salience is None), "half placeable")
        inside = one.occurrence is None or spans[one.scene or ""].contains(one.occurrence)
        require(inside, "an occurrence outside its scene")
    for oddity in found.oddities:
        oddity.what.encode()
    return "clean" if not found.oddities else "read with oddities"


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
    seeds, tally, slowest = seed_files(), dict.fromkeys(("clean", "read with oddities", "refused"), 0), 0.0
    end = time.monotonic() + chosen.seconds
    while time.monotonic() < end:
        data = damaged(chance.choice(seeds), chance)
        began = time.monotonic()
        signal.alarm(10)
        try:
            tally[check(data)] += 1
            taken = time.monotonic() - began
            slowest = max(slowest, taken)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            require(memory <= 1024, f"{memory} MB of memory")
        except Exception:
            Path("fuzz_candidates.failed").write_bytes(data)
            raise
    print(f"seed {chosen.seed}: {sum(tally.values())} files: {tally}, slowest {slowest:.3f} s, memory {memory} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
