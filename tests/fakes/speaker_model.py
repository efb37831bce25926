"""What a model that can read, and nothing else, says of who speaks: whoever the cue before addressed by name."""

from __future__ import annotations

import json
import re

from question_model import block

UNKNOWN = "unknown"


def cast_of(said: str) -> list[str]:
    """The names of the cast in a request."""
    return [line.partition(" (")[0] for line in block(said, "CAST")]


def shown_cues(said: str) -> list[tuple[str, str]]:
    """The cues that a request shows, in order: the id of those asked for, else “–”, and what follows the times."""
    found = (re.match(r"(\S+) [\d.]+–[\d.]+ (.*)", line) for line in block(said, "DIALOGUE"))
    return [(match[1], match[2]) for match in found if match]


def name_speakers(said: str, ids: list[str]) -> str:
    """The answer: a name where the cue before holds exactly one of the cast's, else that nobody knows."""
    given: dict[str, str] = {}
    before = ""
    for name, text in shown_cues(said):
        addressed = [each for each in cast_of(said) if re.search(rf"\b{re.escape(each)}\b", before, re.IGNORECASE)]
        given[name] = addressed[0] if len(addressed) == 1 else UNKNOWN
        # Without whoever is known to speak it.
        before = re.sub("|".join(f"^{re.escape(each)}: " for each in cast_of(said)), "", text)
    return json.dumps({"speakers": [{"id": each, "speaker": given.get(each, UNKNOWN)} for each in ids]})
