"""Throws damaged candidates files at the reader: `python tests/fuzz/fuzz_candidates.py --seconds 600 [--seed N]`.

A seed file is damaged at random (bytes, tokens, whole values) and read. What is allowed: candidates that are sound, or
`CandidatesError`. Anything else, a reading that takes more than ten seconds, or memory that grows beyond 1 GB ends
the run with the input kept beside it.
"""

from __future__ import annotations

import json

from shared_main import damaged, fuzz, require

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


def check(data: bytes, name: str) -> str:
    """What became of it."""
    try:
        found = parse_candidates(data, name, film_end=60_000)
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


if __name__ == "__main__":
    seeds = seed_files()
    fuzz("fuzz_candidates", lambda chance: ("fuzz.json", damaged(chance.choice(seeds), TOKENS, chance)), check)
