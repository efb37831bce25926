"""Throws damaged presets at their reader: `python tests/fuzz/fuzz_presets.py --seconds 600 [--seed N]`.

Shipped presets are damaged in bytes and in values. What is allowed: a sentence (`BadInputError`), or a preset that
reads back equal after it is written. Anything else ends the run with the input kept beside it, as does a file that
takes more than ten seconds.
"""

from __future__ import annotations

import json
import random

from fuzz_problems import changed, damaged, encoded
from shared_main import fuzz, require

from adstudio.core.errors import BadInputError
from adstudio.core.house_rules import house_fault
from adstudio.presets.preset_file import parse_preset, preset_bytes
from adstudio.system.locations import resource

MORE = {
    "mix": {"duck": {"value": [-12, -6], "source": "a guide"}, "fade": {"value": 0.3, "source": "proposal"}},
    "qc": {"tense": {"value": "present", "source": "a guide"}},
}


def check(data: bytes, name: str) -> str:
    """What became of it."""
    try:
        found = parse_preset(data, name, "fuzz")
    except BadInputError as error:
        require("\n" not in str(error), "an error of more than one line")
        str(error).encode()
        return "refused"
    require(house_fault(found.settings) is None, "rules that contradict each other")
    require(parse_preset(preset_bytes(found), "again.json", "fuzz") == found, "it reads back as another one")
    return "read"


if __name__ == "__main__":
    seeds = [json.loads(file.read_bytes()) for file in sorted(resource("presets").iterdir())]

    def case(chance: random.Random) -> tuple[str, bytes]:
        value = {**chance.choice(seeds), **(MORE if chance.random() < 0.5 else {})}
        data = encoded(changed(value, chance) if chance.random() < 0.7 else value)
        return "fuzz.json", damaged(data, chance) if chance.random() < 0.4 else data

    fuzz("fuzz_presets", case, check)
