"""Throws damaged presets at their reader: `python tests/fuzz/fuzz_presets.py --seconds 600 [--seed N]`.

Shipped presets are damaged in bytes and in values. What is allowed: a sentence (`BadInputError`), or a preset that
reads back equal after it is written. Anything else ends the run with the input kept beside it, as does a file that
takes more than ten seconds.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from fuzz_problems import changed, damaged

from adstudio.core.errors import BadInputError
from adstudio.core.house_rules import house_fault
from adstudio.presets.preset_file import parse_preset, preset_bytes
from adstudio.system.locations import resource

MORE = {
    "mix": {"duck": {"value": [-12, -6], "source": "a guide"}, "fade": {"value": 0.3, "source": "proposal"}},
    "qc": {"tense": {"value": "present", "source": "a guide"}},
}


def check(data: bytes) -> str:
    """What became of it."""
    try:
        found = parse_preset(data, "fuzz.json", "fuzz")
    except BadInputError as error:
        require("\n" not in str(error), "an error of more than one line")
        str(error).encode()
        return "refused"
    require(house_fault(found.settings) is None, "rules that contradict each other")
    require(parse_preset(preset_bytes(found), "again.json", "fuzz") == found, "it reads back as another one")
    return "read"


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
    seeds = [json.loads(file.read_bytes()) for file in sorted(resource("presets").iterdir())]
    tally: Counter[str] = Counter()
    end = time.monotonic() + chosen.seconds
    while time.monotonic() < end:
        value = {**chance.choice(seeds), **(MORE if chance.random() < 0.5 else {})}
        value = changed(value, chance) if chance.random() < 0.7 else value
        data = json.dumps(value).encode("utf-8", "surrogatepass")
        data = damaged(data, chance) if chance.random() < 0.4 else data
        signal.alarm(10)
        try:
            tally[check(data)] += 1
        except Exception:
            Path("fuzz_presets.failed").write_bytes(data)
            raise
    print(f"seed {chosen.seed}: {tally.total():,} files: {dict(tally)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
