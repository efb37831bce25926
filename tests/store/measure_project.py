"""Prints how long a two-hour project takes to open, journal, save and copy.

By hand: `PYTHONPATH=. python tests/store/measure_project.py [folder]`.
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from adstudio.core.document import Document
from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Scene, Script, Variant
from adstudio.core.steps import Replace
from adstudio.core.timebase import Span
from adstudio.store.project import ProjectFile

RATES = [Fraction(10 - k, 10) for k in range(6)]
TEXT = "She walks slowly across the wide room and looks out of the window"
FILM = Script(
    Film("Two hours", 7_200_000),
    scenes=tuple(Scene(f"s{i}", Span(i * 118_000, (i + 1) * 118_000)) for i in range(61)),
    cues=tuple(Cue(f"c{i}", i * 3600, i * 3600 + 2000, "Some words of dialogue", "ANNA") for i in range(2000)),
    eventualities=tuple(
        Eventuality(
            f"e{i}",
            tuple(Variant(f"{TEXT}, number {i}.{k}.", rate) for k, rate in enumerate(RATES)),
            Span(i * 1800, i * 1800 + 4000),
            500_000 + i,
            f"s{i // 66}",
            extract=TEXT,
        )
        for i in range(4000)
    ),
)
PLAN = Plan(
    Status.OPTIMAL,
    "exact",
    1,
    1,
    1,
    deliveries=tuple(Delivery(f"e{i}", 0, i * 1800, i * 1800 + 9) for i in range(900)),
)


def fail(error: Exception) -> None:
    raise error


def edit(document: Document, number: int) -> None:
    old = document.script.eventuality(f"e{number * 7 % 4000}")
    document.apply(Replace(old, replace(old, note=f"{number}")))


def timed(what: str, act: Callable[[], object], times: int = 5) -> None:
    taken: list[float] = []
    computing = time.process_time()
    for _ in range(times):
        start = time.perf_counter()
        act()
        taken.append((time.perf_counter() - start) * 1000)
    computing = (time.process_time() - computing) * 1000 / times
    print(
        f"{what:<66} median {statistics.median(taken):7.1f} ms"
        f"  worst {max(taken):7.1f} ms  computing {computing:6.1f} ms"
    )


def main(folder: Path) -> None:
    path = folder / "two hours.adproj"

    def create() -> None:
        ProjectFile.create(path, FILM, plan=PLAN).close()

    def take_up(read_only: bool = False) -> None:
        with ProjectFile.open(path, read_only=read_only) as file:
            file.document(on_failure=fail)

    timed("create (4,000 eventualities of 6 wordings, 2,000 cues)", create)
    print(f"  its size: {path.stat().st_size / 1e6:.1f} MB")
    timed("open it to edit, lock to document", take_up)
    timed("open it to read", lambda: take_up(read_only=True))
    with ProjectFile.open(path) as file:
        document = file.document(on_failure=fail)
        numbers = iter(range(100_000))
        timed("journal one step", lambda: edit(document, next(numbers)), times=190)
        document.keep_plan(document.revision, PLAN)
        timed("save (a mark and the plan)", file.save, times=1)
    timed("open with 190 saved steps since the snapshot", take_up)
    with ProjectFile.open(path) as file:
        document = file.document(on_failure=fail)
        timed("journal one step", lambda: edit(document, next(numbers)), times=4000)
    print(f"  its size: {path.stat().st_size / 1e6:.1f} MB")
    timed("open with 4,000 unsaved steps (two scripts, 1,000 steps of undo)", take_up)
    with ProjectFile.open(path) as file:
        file.document(on_failure=fail)
        timed("save them (with a new snapshot)", file.save, times=1)
    timed("open after that", take_up)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"  its size: {path.stat().st_size / 1e6:.1f} MB; memory {memory:.0f} MB")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(Path(temporary))
