"""The project file under the hand: what journalling, snapshots, saving and opening take from the window's thread.

Run from the checkout: `.venv/bin/python tests/bench/project_file.py [folder]`. The film is `long_film`'s: two hours,
4,000 eventualities. Every figure is taken twice: in a folder on the disk, fsync and all, and in one in memory, where
fsync costs nothing and what is left is our own time and SQLite's. The peer is the same document without a file.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from long_film import long_script

from adstudio.core.document import Document
from adstudio.core.errors import AdstudioError
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Variant
from adstudio.core.steps import Insert, Replace, Several, Step
from adstudio.store.project import ProjectFile

IN_MEMORY = Path("/dev/shm")
SCRIPT = long_script()
PLAN = Plan(
    Status.OPTIMAL,
    "exact",
    1,
    1,
    1,
    deliveries=tuple(Delivery(f"e{n}", 0, n * 1_700, n * 1_700 + 1_200) for n in range(1, 1_500)),
)


def fail(error: AdstudioError) -> None:
    raise error


def memory() -> float:
    """Megabytes that Python's objects take now (what is resident hides them: opening leaves room behind)."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0] / 1e6


class Collections:
    """How long Python's own full collections took: they fall into whatever is being done, and are told apart."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self._began = 0.0
        gc.callbacks.append(self._seen_revision)

    def _seen_revision(self, phase: str, about: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.thread_time()
        elif about["generation"] == 2:
            self.took.append(round(1000 * (time.thread_time() - self._began), 1))


class Watch:
    """Takes times by the wall and by the processor, in milliseconds."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.computing: list[float] = []

    def start(self) -> None:
        self._at = time.perf_counter(), time.thread_time()

    def stop(self) -> None:
        at, computing = self._at
        self.wall.append(1000 * (time.perf_counter() - at))
        self.computing.append(1000 * (time.thread_time() - computing))

    def take(self, act: Callable[[], object]) -> None:
        self.start()
        act()
        self.stop()

    def row(self) -> str:
        return " | ".join(
            f"{statistics.median(times):.2f} | {share(times, 0.95):.2f} | {max(times):.1f}" if times else "– | – | –"
            for times in (self.wall, self.computing)
        )


def share(times: list[float], at: float) -> float:
    return sorted(times)[min(len(times) - 1, int(at * len(times)))]


class Hand:
    """A document whose journalling alone is timed: between a listener before it and one after it."""

    def __init__(self, path: Path, *, rests: bool) -> None:
        ProjectFile.create(path, SCRIPT, plan=PLAN).close()
        self.project = ProjectFile.open(path)
        self.document = Document(self.project.saved_script)
        self.watch = Watch()
        self.resting = Watch()
        self.wholes = Watch()
        self.document.subscribe(lambda change: self.watch.start())
        self.project.attach(self.document, on_failure=fail)
        self.document.subscribe(lambda change: self.watch.stop())
        self._tidy: Callable[[], object] | None = getattr(self.project, "tidy", None) if rests else None
        self._rng = random.Random(4)
        self._number = 0

    def new_watch(self) -> Watch:
        self.watch = Watch()
        return self.watch

    def rest(self) -> None:
        if self._tidy is not None:
            before = self.snapshot
            self.resting.start()
            self._tidy()
            self.resting.stop()
            if self.snapshot != before:
                self.wholes.wall.append(self.resting.wall.pop())
                self.wholes.computing.append(self.resting.computing.pop())

    @property
    def snapshot(self) -> int:
        """The row that the newest whole script belongs to."""
        return self.project._journal._newest_snapshot

    def edit(self) -> Step:
        """A rewriting, a reweighting, a note or a new line, anywhere in the film."""
        self._number += 1
        script = self.document.script
        place = self._rng.randrange(len(script.eventualities))
        old = script.eventualities[place]
        match self._number % 4:
            case 0:
                first = replace(old.variants[0], text=f"{old.variants[0].text} Again, {self._number}.")
                return Replace(old, replace(old, variants=(first, *old.variants[1:])))
            case 1:
                return Replace(old, replace(old, salience=self._rng.randint(1, 99) * 10_000))
            case 2:
                return Replace(old, replace(old, note=f"{self._number}"))
            case _ if self._number % 40 == 3:
                return Insert(Eventuality(f"n{self._number}", (Variant("She waits."),), old.occurrence), old.id)
            case _:
                return Replace(old, replace(old, seen=not old.seen))

    def edit_many(self, count: int) -> Step:
        lines = self._rng.sample(self.document.script.eventualities, count)
        return Several(
            "Many", tuple(Replace(old, replace(old, accepted=not old.accepted, note="together")) for old in lines)
        )


def figures(folder: Path, steps: int) -> dict[str, Watch]:
    """Every figure of the table, in one folder."""
    path = folder / "long.adproj"
    found: dict[str, Watch] = {}
    for rests in (True, False):
        how = "with rests" if rests else "the hand never rests"
        hand = Hand(path, rests=rests)
        watch = hand.new_watch()
        for _ in range(steps):
            hand.document.apply(hand.edit())
            hand.rest()
        found[f"{steps} steps, {how}: one step, journalled"] = watch
        if hand.resting.wall:
            found[f"{steps} steps, {how}: one rest"] = hand.resting
            found[f"{steps} steps, {how}: a rest in which the script is written whole"] = hand.wholes
        if rests:
            found["500 undone in a storm: one"] = storm(hand, hand.document.undo, 500)
            found["500 redone in a storm: one"] = storm(hand, hand.document.redo, 500)
            watch = hand.new_watch()
            for _ in range(12):
                hand.document.apply(hand.edit_many(300))
            found["300 changes in one step"] = watch
            found["300 changes undone as one"] = storm(hand, hand.document.undo, 12)
        hand.project.close()
        watch = Watch()
        for _ in range(5):
            watch.take(lambda: taken_up(path))
        found[f"open after a crash, {how}: saved and last script, 1,000 steps of undo"] = watch
        found[f"save after {steps} steps, {how}"] = saved(path)
        watch = Watch()
        for _ in range(7):
            watch.take(lambda: taken_up(path))
        found[f"open, saved in order, {how}"] = watch
    watch = Watch()
    for _ in range(5):
        watch.take(lambda: taken_up(path, backups=folder / "backups"))
    found["open with a backup to keep"] = watch
    hand = Hand(path, rests=True)
    watch = Watch()
    for _ in range(30):
        for _ in range(40):
            hand.document.apply(hand.edit())
            hand.rest()
        hand.document.keep_plan(hand.document.revision, PLAN)
        watch.take(hand.project.save)
    found["save, every 40 steps"] = watch
    hand.project.close()
    return found


def storm(hand: Hand, act: Callable[[], bool], count: int) -> Watch:
    watch = hand.new_watch()
    for _ in range(count):
        act()
    return watch


def taken_up(path: Path, *, backups: Path | None = None) -> None:
    with ProjectFile.open(path, backups=backups) as project:
        project.document(on_failure=fail)


def saved(path: Path) -> Watch:
    watch = Watch()
    with ProjectFile.open(path) as project:
        document = project.document(on_failure=fail)
        document.keep_plan(document.revision, PLAN)
        watch.take(project.save)
    return watch


def held(folder: Path | None, steps: int) -> tuple[float, float]:
    """Megabytes more after a fifth of the steps and after all of them, in a process of its own."""
    place = "" if folder is None else str(folder)
    done = subprocess.run(
        [sys.executable, __file__, place, "--steps", str(steps), "--memory"], capture_output=True, text=True, check=True
    )
    early, late = (float(part) for part in done.stdout.split())
    return early, late


def edited(folder: Path | None, steps: int) -> None:
    tracemalloc.start()
    with tempfile.TemporaryDirectory(dir=folder) as name:
        hand = Hand(Path(name) / "long.adproj", rests=True)
        if folder is None:
            # The peer: the same document, and no file that follows it.
            hand.project.close()
        before = memory()
        early = 0.0
        for number in range(steps):
            hand.document.apply(hand.edit())
            if folder is not None:
                hand.rest()
            if number + 1 == steps // 5:
                early = memory() - before
        print(f"{early:.1f} {memory() - before:.1f}")


def main(folder: Path, steps: int, only_disk: bool) -> None:
    """Print the tables."""
    collections = Collections()
    print(f"load {os.getloadavg()[0]:.1f}; script {len(SCRIPT.eventualities):,} + {len(SCRIPT.cues):,} cues")
    places = {"disk": folder} if only_disk or not IN_MEMORY.is_dir() else {"disk": folder, "memory": IN_MEMORY}
    print("| what, ms | where | p50 | p95 | worst | computing p50 | p95 | worst |\n|---|---|---|---|---|---|---|---|")
    for where, place in places.items():
        with tempfile.TemporaryDirectory(dir=place) as name:
            for what, watch in figures(Path(name), steps).items():
                print(f"| {what} | {where} | {watch.row()} |", flush=True)
    print(f"\nfull collections of rubbish among these, computing ms: {collections.took}")
    print(f"\n| memory, MB | after {steps // 5} steps | after {steps} steps |\n|---|---|---|")
    print("| document alone | {:.1f} | {:.1f} |".format(*held(None, steps)))
    print("| document and its file | {:.1f} | {:.1f} |".format(*held(folder, steps)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path(tempfile.gettempdir()))
    parser.add_argument("--steps", type=int, default=5_000)
    parser.add_argument("--only-disk", action="store_true")
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.memory:
        edited(asked.folder if sys.argv[1] else None, asked.steps)
    else:
        main(asked.folder, asked.steps, asked.only_disk)
