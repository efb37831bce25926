"""What the fuzzers of files share: damaging bytes, and the run until the time is up or an input fails."""

from __future__ import annotations

import argparse
import random
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

LARGEST = 1_000_000
"""Bytes beyond which nothing is repeated."""
MOST_MEGABYTES = 1024
MOST_SECONDS = 10
"""Seconds of the processor that one file may take: those of the clock hang on what else the machine does."""


def damaged(data: bytes, tokens: Sequence[bytes], chance: random.Random) -> bytes:
    """The bytes with stretches taken out, replaced by tokens or random bytes, and repeated."""
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8, 40))):
        at = chance.randrange(len(made) + 1)
        length = min(chance.choice((0, 1, 1, 2, 7, 60)), len(made) - at)
        kind = chance.randrange(4)
        if kind == 0:
            made[at : at + length] = b""
        elif kind == 1:
            made[at : at + length] = chance.choice(tokens)
        elif kind == 2:
            made[at : at + length] = bytes(chance.randrange(256) for _ in range(length))
        elif len(made) < LARGEST:
            start = chance.randrange(len(made) + 1)
            made[at:at] = made[start : start + chance.choice((1, 10, 100, 1000))] * chance.choice((1, 1, 2, 50))
    return bytes(made)


def require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise AssertionError(otherwise)


def too_slow(*_: object) -> None:
    raise TimeoutError(f"one file took more than {MOST_SECONDS} s of the processor")


def fuzz(fuzzer: str, case: Callable[[random.Random], tuple[str, bytes]], check: Callable[[bytes, str], str]) -> None:
    """Runs a fuzzer by the options of the command line.

    `case` makes an input's file name and bytes; `check` raises for what is not allowed, else says what became of it. A
    file that fails, takes more than `MOST_SECONDS` or too much memory ends the run, and is left in the working folder.
    """
    signal.signal(signal.SIGPROF, too_slow)
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    chance = random.Random(chosen.seed)
    tally, slowest, memory = Counter[str](), 0.0, 0
    end = time.monotonic() + chosen.seconds
    while time.monotonic() < end:
        name, data = case(chance)
        began = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        try:
            tally[check(data, name)] += 1
            slowest = max(slowest, time.process_time() - began)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            require(memory <= MOST_MEGABYTES, f"{memory} MB of memory")
        except Exception:
            Path(f"{fuzzer}.failed{Path(name).suffix}").write_bytes(data)
            raise
    signal.setitimer(signal.ITIMER_PROF, 0)
    print(f"seed {chosen.seed}: {tally.total():,} files: {dict(tally)}, slowest {slowest:.3f} s, memory {memory} MB")
