"""Reading and merging the replicas' metrics in Prometheus' text format."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

_SAMPLE = re.compile(r"([A-Za-z_:][\w:]*)(\{.*\})?\s+(\S+)(?:\s+-?\d+)?\Z")
RUNNING, WAITING = "vllm:num_requests_running", "vllm:num_requests_waiting"


@dataclass(frozen=True, slots=True)
class Load:
    """Running and queued requests; None if not reported."""

    running: int | None = None
    waiting: int | None = None


def load_of(text: str) -> Load:
    """The load in the metrics of a server, or of all replicas behind a front."""
    return Load(_whole(total(text, RUNNING)), _whole(total(text, WAITING)))


def total(text: str, name: str, label: str = "") -> float | None:
    """The sum of all samples of a name, restricted to a label (`key="value"`) if given; None if there are none."""
    found = [value for line in text.splitlines() if label in line and (value := _value(line, name)) is not None]
    return sum(found) if found else None


def merged(texts: Iterable[tuple[int, str]]) -> str:
    """The metrics of several replicas as one text, each sample labelled with its replica.

    The format requires all samples of a name to be adjacent, so they are grouped by the name in the comments.
    """
    families: dict[str, tuple[list[str], list[str]]] = {}
    for number, text in texts:
        family = ""
        for line in text.splitlines():
            if line.startswith(("# HELP ", "# TYPE ")):
                family = line.split(" ", 3)[2]
                comments = families.setdefault(family, ([], []))[0]
                if not any(known.split(" ", 3)[:3] == line.split(" ", 3)[:3] for known in comments):
                    comments.append(line)
            elif (sample := _SAMPLE.match(line)) is not None:
                name, labels, value = sample[1], sample[2] or "", sample[3]
                of = family if family and name.startswith(family) else name
                rest = labels[1:-1].strip().rstrip(",")
                joined = f'replica="{number}"' + (f",{rest}" if rest else "")
                families.setdefault(of, ([], []))[1].append(f"{name}{{{joined}}} {value}")
    return "".join(f"{line}\n" for comments, samples in families.values() for line in (*comments, *samples))


def _value(line: str, name: str) -> float | None:
    sample = _SAMPLE.match(line) if line.startswith(name) else None
    if sample is None or sample[1] != name:
        return None
    try:
        return float(sample[3])
    except ValueError:
        return None


def _whole(value: float | None) -> int | None:
    return None if value is None or not math.isfinite(value) else round(value)
