"""Running the program as a process, what came of a run, and the small inputs that tests share."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

PATIENCE = 300  # seconds after which a run counts as hanging; the machine may be busy


@dataclass(frozen=True)
class Ran:
    code: int
    out: bytes
    err: str

    @property
    def json(self):
        return json.loads(self.out.decode("utf-8"))

    def refused(self, code: int, *parts: str) -> None:
        """The exit code, nothing on standard output, and one sentence that names these parts."""
        assert self.code == code, self
        assert self.out == b"", self.out[:300]
        assert self.err.startswith("adstudio: ")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        assert len(self.err) < 700, self.err
        for part in parts:
            assert part in self.err, self.err


Run = Callable[..., Ran]


def command(*arguments: object) -> list[str]:
    return [
        sys.executable,
        "-m",
        "adstudio.cli.main",
        *(os.fspath(a) if isinstance(a, Path) else str(a) for a in arguments),
    ]


def process(*arguments: object, environment: dict[str, str | None] | None = None, **options) -> Ran:
    """The program as a process."""
    surroundings = dict(os.environ)
    for name, value in (environment or {}).items():
        if value is None:
            surroundings.pop(name, None)
        else:
            surroundings[name] = value
    done = subprocess.run(
        command(*arguments), capture_output=True, env=surroundings, timeout=PATIENCE, check=False, **options
    )
    return Ran(done.returncode, done.stdout, done.stderr.decode("utf-8"))


def listing(*folders: Path) -> dict[str, str]:
    """Everything in some folders, by its path: what kind it is and a digest of what is in it."""
    found: dict[str, str] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.stat().st_size < 50_000_000:
                found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
            else:
                found[str(path)] = str(path.lstat().st_mode)
    return found


SRT = """1
00:00:01,000 --> 00:00:03,000
Good evening.

2
00:00:10,000 --> 00:00:12,000
Who is there?
"""


def problem(**changes):
    """Two eventualities, two gaps: the best plan says both in full, worth 0.5 × 2 + 0.25 × 4 = 2."""
    value = {
        "format": "adstudio-problem/1",
        "scene": {"id": "s1", "start": 0.0, "end": 60.0},
        "gaps": [[0.0, 10.0], [20.0, 30.0]],
        "delta_max": 10.0,
        "elements": [element("e1", [1.0, 3.0], 0.5, 2.0), element("e2", [22.0, 26.0], 0.25, 4.0)],
    }
    value.update(changes)
    return value


def element(identity, occurrence, salience, *durations, **more):
    variants = [{"rate": 1.0, "text": f"{identity} in {duration}", "duration": duration} for duration in durations]
    return {"id": identity, "occurrence": occurrence, "salience": salience, "variants": variants, **more}


def hard(count: int):
    """Many eventualities that all want the same gap, tied by penalties: no engine proves its best in an instant."""
    elements = [
        element(f"e{n}", [n * 0.37, n * 0.37 + 1], (n * 7919 % 1000) / 1000, *(2.5 - 0.3 * k for k in range(5)))
        for n in range(count)
    ]
    for each in elements:
        for variant in each["variants"]:
            variant["duration"] = round(variant["duration"], 3)
        each["occurrence"] = [round(time, 3) for time in each["occurrence"]]
    ids = [each["id"] for each in elements]
    rules = {
        "penalties": [[a, b, round((int(a[1:]) * 31 % 97) / 40, 6)] for a, b in pairwise(ids)],
        "alternatives": [ids[n : n + 3] for n in range(0, count - 3, 4)],
    }
    gaps = [[5.0 * n, 5.0 * n + 4.1] for n in range(count // 8)]
    return problem(gaps=gaps, elements=elements, rules=rules, max_share=0.8)
