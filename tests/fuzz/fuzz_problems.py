"""Throws damaged problems, plans and pools at their readers: `python tests/fuzz/fuzz_problems.py --seconds 600`.

Sound files of each kind are damaged in bytes and in values. What is allowed: a sentence (`BadInputError`), or a value
that every later use can bear: a problem that is read is planned, its plan verified, and written and read again. Any
other exception, a case of more than ten seconds of processor time, or more than 2 GB of memory ends the run, with the
input kept in the file named.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "planning"))

from random_problems import random_problem

from adstudio.core.errors import BadInputError
from adstudio.planning.engines.baselines import parse_pool, solve_random
from adstudio.planning.engines.cpsat import solve_cpsat
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.files.plan_file import plan_json, read_plan
from adstudio.planning.files.problem_file import HOUSE_KEYS, parse_problem, problem_json
from adstudio.planning.verify import verify

SLOWEST = 10.0
MEMORY = 2 << 30
JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 0.5, 1.0005, 1e-9, 1e9, -1e300, 10**30, 3600, 359_999.999, "", "e1", "x" * 300),
    *([], {}, [[]], [0], [0, 0], [5, 1], [0, 1e6], ["e1", "e1"], {"a": 1}, "\ud800", "\u202e", 86_400, 0.001, -0.0),
)
TOKENS = (b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"NaN", b"1e999", b"9" * 400, b"\xff", b"\x00", b"[" * 50)


def changed(value: Any, chance: random.Random) -> Any:
    """The value with one to three of its parts replaced, doubled, moved or gone."""
    value = copy.deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        spot: Any = value
        while isinstance(spot, dict | list) and spot:
            key = chance.choice(list(spot) if isinstance(spot, dict) else range(len(spot)))
            if not isinstance(spot[key], dict | list) or not spot[key] or chance.random() < 0.2:
                break
            spot = spot[key]
        if not isinstance(spot, dict | list) or not spot:
            continue
        kind = chance.random()
        if kind < 0.6:
            spot[key] = copy.deepcopy(chance.choice(JUNK))
        elif kind < 0.75 and isinstance(spot, dict):
            spot[chance.choice(("start", "pin", "rules", "id", "x", *HOUSE_KEYS))] = copy.deepcopy(chance.choice(JUNK))
        elif kind < 0.9:
            del spot[key]
        elif isinstance(spot, list):
            spot.append(copy.deepcopy(spot[key]))
    return value


def damaged(data: bytes, chance: random.Random) -> bytes:
    spoilt = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(spoilt) + 1)
        kind = chance.random()
        if kind < 0.4:
            spoilt[place:place] = chance.choice(TOKENS)
        elif kind < 0.7:
            del spoilt[place : place + chance.randint(1, 40)]
        elif place < len(spoilt):
            spoilt[place] = chance.randrange(256)
    return bytes(spoilt)


def encoded(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


def try_problem(data: bytes) -> None:
    problem = parse_problem(data, "p.json")
    again = problem_json(parse_problem(encoded(problem_json(problem)), "again"))
    assert again == problem_json(problem)
    plan = solve_exact(problem) if problem.plain else solve_cpsat(problem, 1.0)
    assert verify(json.loads(data), plan_json(plan)) == []


def try_plan(data: bytes) -> None:
    verify(problem_json(random_problem(7)), read_plan(data, "plan.json"))


def try_pool(data: bytes) -> None:
    solve_random(random_problem(3), parse_pool(data, "pool.json"))


def cases(chance: random.Random) -> tuple[str, Callable[[bytes], None], bytes]:
    seed = chance.randrange(10_000)
    problem = random_problem(seed, rules=seed % 7 == 0, share=seed % 11 == 0, house=seed % 2 == 0)
    kind = chance.random()
    if kind < 0.7:
        name, use, value = "problem", try_problem, problem_json(problem)
    elif kind < 0.95:
        name, use, value = "plan", try_plan, plan_json(solve_exact(random_problem(seed)))
    else:
        name, use, value = "pool", try_pool, ["She waits.", "Rain."] * chance.randint(0, 5)
    data = encoded(changed(value, chance) if chance.random() < 0.7 else value)
    return name, use, damaged(data, chance) if chance.random() < 0.4 else data


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY * 2, MEMORY * 2))
    chance = random.Random(asked.seed)
    ends = time.monotonic() + asked.seconds
    outcomes: Counter[str] = Counter()
    slowest = 0.0
    while time.monotonic() < ends:
        name, use, data = cases(chance)
        kept = Path(tempfile.gettempdir()) / f"adstudio-fuzz-{name}.json"
        began = time.process_time()
        try:
            use(data)
            outcomes[f"{name} used"] += 1
        except BadInputError as error:
            outcomes[f"{name} refused" if "\n" not in str(error) else "sentence of two lines"] += 1
        except BaseException:
            kept.write_bytes(data)
            sys.stderr.write(f"the input is kept in {kept}\n")
            raise
        took = time.process_time() - began
        slowest = max(slowest, took)
        if took > SLOWEST:
            kept.write_bytes(data)
            raise SystemExit(f"{took:.1f} s for the input kept in {kept}")
    if "sentence of two lines" in outcomes:
        raise SystemExit("a refusal took more than one line")
    told = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(outcomes.items()))
    sys.stdout.write(f"{sum(outcomes.values()):,} files: {told}; slowest {slowest:.2f} s; no failure\n")


if __name__ == "__main__":
    main()
