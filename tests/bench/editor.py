"""The whole window on a display: how long it takes to be up, to open two hours, to answer a key, to scroll and zoom.

Run it on a display without hardware, from the checkout:

    xvfb-run -a -s "-screen 0 1920x1080x24" .venv/bin/python tests/bench/editor.py [--edits 1000] [--profile NAME]

Every figure is taken in a window of 1920 × 1080 with 4,000 eventualities over two hours, their sound, a project file on
the disk and the second opinion at work, as a describer has it. Beside the clock stands the processor time of the
window's own thread, for a machine that has other work. The peer of the start is an empty window of Qt. `--profile`
(start, open, scroll, zoom, edits or rest) prints where the time of that part goes.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adstudio.ui.app.window import Window

WINDOW_UP = Path(__file__).with_name("window_up.py")
MIDDLE = 3_600_000
PAUSE = 0.25
"""Seconds between two edits: what is done when the hand rests is done within them."""
Time = tuple[float, float]
"""Milliseconds by the clock, and of the processor."""


def memory() -> float:
    """Megabytes resident now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def p95(values: list[float]) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


def row(what: str, goal: str, times: list[Time], peer: str = "") -> None:
    """One line of the table, in milliseconds."""
    clock, busy = ([time[part] for time in times] for part in (0, 1))
    figures = (statistics.median(clock), p95(clock), max(clock), statistics.median(busy), p95(busy), max(busy))
    print(f"| {what} | {goal} | " + " | ".join(f"{figure:.1f}" for figure in figures) + f" | {peer} |", flush=True)


class Profiles:
    """Profiles the part that was asked for."""

    def __init__(self, wanted: str) -> None:
        self.wanted = wanted
        self._profile = cProfile.Profile()
        self._used = False

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        if name != self.wanted:
            yield
            return
        self._used = True
        self._profile.enable()
        try:
            yield
        finally:
            self._profile.disable()

    def show(self) -> None:
        if self._used:
            found = pstats.Stats(self._profile)
            found.sort_stats("cumulative").print_stats(70)
            found.sort_stats("tottime").print_stats(40)


def measured_starts(kind: str, count: int) -> tuple[list[Time], list[float]]:
    """So many starts, the first of which only warms the caches: their times, and their memory."""
    found: list[tuple[float, float, float]] = []
    for _ in range(count + 1):
        done = subprocess.run([sys.executable, WINDOW_UP, kind], capture_output=True, text=True, check=True)
        clock, busy, size = (float(part) for part in done.stdout.split()[-3:])
        found.append((clock, busy, size))
    return [(clock, busy) for clock, busy, _ in found[1:]], [size for _, _, size in found]


def starts() -> None:
    times, sizes = measured_starts("up", 7)
    peers, bare_sizes = measured_starts("bare", 3)
    peer = f"{statistics.median(clock for clock, _ in peers):.0f}, processor {peers[0][1]:.0f}"
    row("window up, process start to painted", "600", times, peer)
    print(f"| memory of the welcome page, MB | |  {max(sizes):.0f} | | | | | | {max(bare_sizes):.0f} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=1_000)
    parser.add_argument("--profile", default="", choices=("", "start", "open", "scroll", "zoom", "edits", "rest"))
    parser.add_argument("--no-start", action="store_true", help="leave the starts out")
    asked = parser.parse_args()
    print("| what, ms | goal p95 | p50 | p95 | worst | processor p50 | p95 | worst | peer |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("CONFIG", "CACHE", "DATA", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = folder
        if not asked.no_start:
            starts()
        session_table(Path(folder), asked.edits, Profiles(asked.profile))


def session_table(folder: Path, edits: int, profiles: Profiles) -> None:
    """What is measured with the film open."""
    with profiles.part("start"):
        from adstudio.ui.app.application import make_application

        application = make_application()
        from adstudio.ui.app.garbage_collection import GarbageCollection
        from adstudio.ui.app.window import Window

        window = Window()
        garbage = GarbageCollection(window.session)
        window.resize(1920, 1080)
        window.show()
        application.processEvents()
    from long_film import long_script

    from adstudio.store.project import ProjectFile

    path = folder / "long.adproj"
    ProjectFile.create(path, long_script()).close()
    settle(1.0)
    before = memory()

    def open_it() -> None:
        window.files.open_path(path)

    with profiles.part("open"):
        row("2 h project open and painted", "1000", [timed(open_it)])
    add_sound(window)
    settle(3.0)
    script = window.session.script
    print(f"| memory with it, MB | 250 | {memory():.0f} | | | | | | {before:.0f} before it |", flush=True)
    # There is no window manager to give the window the keyboard.
    window.activateWindow()
    settle(0.2)
    window.editor.timeline.setFocus()
    if not window.isActiveWindow():
        sys.exit("the window does not get the keyboard: no key would arrive")
    for name, length in (("30 s", 30_000), ("2 min", 120_000), ("20 min", 1_200_000)):
        look(window, length)
        with profiles.part("scroll"):
            row(f"scrolling, {name} in view", "8", [timed(lambda n=n: wheel(window, turn(n))) for n in range(160)])
    look(window, 7_200_000)
    with profiles.part("zoom"):
        zooms = [timed(lambda n=n: wheel(window, -turn(n), zoom=True)) for n in range(160)]
    row("zooming, 2 h to 30 s and back", "10", zooms)
    look(window, 60_000)
    edit_rows(window, edits, profiles)
    lines = len(script.eventualities)
    print(
        f"\n{lines} eventualities, {len(window.session.plan.deliveries)} deliveries, {len(script.cues)} cues, "
        f"{len(window.session.gaps)} gaps; {edits} edits, {1000 * PAUSE:.0f} ms between them"
    )
    window.session.edits.document.mark_saved()
    window.close()
    garbage.close()
    settle(0.2)
    profiles.show()


def edit_rows(window: Window, edits: int, profiles: Profiles) -> None:
    """Keys that edit, anywhere in the film: the line is sought, then the key pressed, then the hand rests."""
    from PySide6.QtTest import QTest

    rng = random.Random(5)
    names = [line.id for line in window.session.script.eventualities]
    keys: list[Time] = []
    painted: list[Time] = []
    began: Time = (0.0, 0.0)
    # Connected after the timeline, which has painted itself when this is called.
    window.session.current_plan.replanned.connect(lambda _: painted.append(since(began)))
    sizes: list[float] = []
    stalls, jumps = Stalls(), Stalls()
    for number in range(edits):
        jumps.watch()
        window.session.cursor.select_line(rng.choice(names), go=True)
        settle(PAUSE / 2)
        jumps.leave()
        key = rng.choice("pxu[]")
        began = now()
        with profiles.part("edits"):
            keys.append(timed(lambda key=key: QTest.keyClick(window.windowHandle(), key)))
        stalls.watch()
        with profiles.part("rest"):
            settle(PAUSE)
        stalls.leave()
        if number % max(1, edits // 5) == edits // 5 - 1:
            sizes.append(memory())
    row("key to repainted timeline", "25", painted)
    row("key to the whole window repainted", "", keys)
    row("longest stall while the hand rests after it", "16", stalls.found)
    row("longest stall in going to a line elsewhere", "", jumps.found)
    print(f"| memory over {edits} edits, MB | flat | {' · '.join(f'{size:.0f}' for size in sizes)} | | | | | | |")


def timed(act: Callable[[], object]) -> Time:
    """From an act to the window painted again."""
    from PySide6.QtWidgets import QApplication

    began = now()
    act()
    QApplication.sendPostedEvents()
    QApplication.processEvents()
    return since(began)


def now() -> Time:
    """This moment, by the clock and by the processor, in milliseconds."""
    return 1000 * time.perf_counter(), 1000 * time.thread_time()


def since(began: Time) -> Time:
    """What has gone by."""
    clock, busy = now()
    return clock - began[0], busy - began[1]


def look(window: Window, length: int) -> None:
    """Bring a stretch in the middle of the film into view."""
    from adstudio.core.timebase import Span

    window.session.cursor.seek(MIDDLE)
    window.editor.timeline.fit(Span(max(0, MIDDLE - length // 2), min(7_200_000, MIDDLE + length // 2)))
    settle(0.3)


def turn(number: int) -> int:
    """Half a notch at a time, forty times one way and forty back."""
    return -60 if number % 80 < 40 else 60


def wheel(window: Window, delta: int, *, zoom: bool = False) -> None:
    """Turn the wheel over the timeline."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

    canvas = window.editor.timeline.canvas
    middle = canvas.rect().center()
    held = Qt.KeyboardModifier.ControlModifier if zoom else Qt.KeyboardModifier.NoModifier
    upright = False  # the wheel is not inverted; Qt takes it by place only
    event = QWheelEvent(
        canvas.mapTo(window, middle).toPointF(),
        canvas.mapToGlobal(middle).toPointF(),
        QPoint(),
        QPoint(0, delta),
        Qt.MouseButton.NoButton,
        held,
        Qt.ScrollPhase.NoScrollPhase,
        upright,
    )
    QApplication.sendEvent(window.windowHandle(), event)  # as the system sends it


def add_sound(window: Window) -> None:
    """Noise in place of the film's sound, and a shot every four seconds."""
    import numpy as np

    from adstudio.media.peaks import Peaks

    end = window.session.script.film.end
    rng = np.random.default_rng(1)
    level = (rng.random(end // 10) * 90 + 60 * np.abs(np.sin(np.arange(end // 10) / 300))).astype(np.uint8)
    window.editor.timeline.films.data.peaks = Peaks(level, end)
    window.editor.timeline.rows.set_shots(tuple(range(0, end + 1, 4_000)))
    window.editor.timeline.canvas.invalidate(None)


class Stalls:
    """Heartbeats of the event loop: how much longer than its period each took, while it is watched.

    Of the processor the whole of what the window's thread did between two beats counts.
    """

    PERIOD = 2

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.found: list[Time] = []
        self._worst: Time = (0.0, 0.0)
        self._at: Time = (0.0, 0.0)
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(self.PERIOD)
        self._timer.timeout.connect(self._beat)

    def watch(self) -> None:
        """From now on."""
        self._at = now()
        self._worst = (0.0, 0.0)
        self._timer.start()

    def leave(self) -> None:
        """Until now; the longest of this watch is kept."""
        self._beat()
        self._timer.stop()
        self.found.append(self._worst)

    def _beat(self) -> None:
        clock, busy = since(self._at)
        self._worst = (max(self._worst[0], clock - self.PERIOD), max(self._worst[1], busy))
        self._at = now()


def settle(seconds: float) -> None:
    """Let the window work for a while, as it does while the hand rests."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(int(1000 * seconds), loop.quit)
    loop.exec()


def with_bytecode() -> None:
    """Start again with compiled modules kept in a folder, as an installed program has them: else nothing is warm."""
    if sys.dont_write_bytecode or sys.pycache_prefix is None:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "adstudio-bench-bytecode")
        os.execve(sys.executable, [sys.executable, *sys.argv], environment)


if __name__ == "__main__":
    with_bytecode()
    main()
