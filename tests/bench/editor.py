"""The whole window on a display: how long it takes to be up, to open two hours, to answer a key, to scroll and zoom.

Run on a quiet machine, on a display without hardware (`xvfb-run -s "-screen 0 1920x1080x24"`), from the checkout:

    xvfb-run -a -s "-screen 0 1920x1080x24" .venv/bin/python tests/bench/editor.py

Every figure is taken in a window of 1920 × 1080 with a film of 4,000 eventualities, a project file on the disk and
the second opinion at work, as a describer has it. Peers stand beside the figures where there are any: the same event
on an empty window of Qt, which is what the toolkit itself costs.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from long_film import long_script

TICKS = os.sysconf("SC_CLK_TCK")


def since_start() -> float:
    """Seconds since this process was started, to a hundredth."""
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    return float(Path("/proc/uptime").read_text().split()[0]) - int(fields[19]) / TICKS


def memory() -> float:
    """Megabytes resident now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def row(what: str, goal: str, times: list[float], peer: str = "") -> None:
    """One line of the table, in milliseconds."""
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    print(f"| {what} | {goal} | {statistics.median(times):.1f} | {p95:.1f} | {max(times):.1f} | {peer} |", flush=True)


def up() -> None:
    """A process that shows the window and says when it was painted."""
    from PySide6.QtCore import QTimer

    from adstudio.ui.application import make_application

    application = make_application()
    from adstudio.ui.window import Window

    window = Window()
    window.resize(1920, 1080)
    window.show()
    application.processEvents()
    window.repaint()
    print(f"{since_start():.3f} {memory():.0f}", flush=True)
    QTimer.singleShot(0, window.close)
    application.exec()


def bare() -> None:
    """The same with an empty window of Qt."""
    from PySide6.QtWidgets import QApplication, QMainWindow

    application = QApplication([])
    window = QMainWindow()
    window.resize(1920, 1080)
    window.show()
    application.processEvents()
    print(f"{since_start():.3f} {memory():.0f}", flush=True)


def measured_starts(kind: str, count: int) -> list[list[float]]:
    found: list[list[float]] = []
    for _ in range(count):
        done = subprocess.run([sys.executable, __file__, kind], capture_output=True, text=True, check=True)
        found.append([float(part) for part in done.stdout.split()])
    return found


def main(edits: int) -> None:
    """Print the table."""
    print("| what | goal | median | p95 | worst | peer |\n|---|---|---|---|---|---|")
    starts, peers = measured_starts("up", 7), measured_starts("bare", 7)
    row("window up, ms", "600", [1000 * s for s, _ in starts], f"{1000 * statistics.median(s for s, _ in peers):.0f}")
    with tempfile.TemporaryDirectory() as folder:
        session_table(Path(folder), edits)


def session_table(folder: Path, edits: int) -> None:
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtGui import QKeyEvent, QWheelEvent
    from PySide6.QtWidgets import QApplication

    from adstudio.store.project import ProjectFile
    from adstudio.ui.application import make_application

    path = folder / "long.adproj"
    ProjectFile.create(path, long_script()).close()
    application = make_application()
    from adstudio.ui.window import Window

    window = Window()
    window.resize(1920, 1080)
    window.show()
    settle(application, 0.5)
    before = memory()
    began = time.perf_counter()
    window.files.open_path(path)
    application.processEvents()
    window.repaint()
    row("2 h project open, ms", "1000", [1000 * (time.perf_counter() - began)])
    settle(application, 3.0)
    print(f"| memory with it, MB | 250 |  | {memory():.0f} | | {before:.0f} before it |", flush=True)
    timeline = window.timeline

    def timed(act: Callable[[], None]) -> float:
        start = time.perf_counter()
        act()
        application.processEvents()
        window.repaint()
        return 1000 * (time.perf_counter() - start)

    def wheel(modifier: Qt.KeyboardModifier, delta: int) -> None:
        target = timeline.findChild(type(timeline.canvas)) if not hasattr(timeline, "canvas") else timeline.canvas
        middle = QPoint(target.width() // 2, target.height() // 2)
        event = QWheelEvent(
            middle.toPointF(),
            target.mapToGlobal(middle).toPointF(),
            QPoint(0, 0),
            QPoint(0, delta),
            Qt.MouseButton.NoButton,
            modifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(target, event)

    none, control = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
    window.session.seek(window.script_end() // 2 if hasattr(window, "script_end") else 3_600_000)
    row("scrolling, whole window repainted, ms", "8", [timed(lambda: wheel(none, -120)) for _ in range(150)])
    zooms = [timed(lambda n=n: wheel(control, 120 if n % 40 < 20 else -120)) for n in range(200)]
    row("zooming, whole window repainted, ms", "10", zooms)

    rng = random.Random(5)
    names = [e.id for e in window.session.script.eventualities]
    keys: list[float] = []
    stall = Stall(application)
    for number in range(edits):
        window.session.select_line(rng.choice(names), go=True)
        settle(application, 0.08)
        key = rng.choice([Qt.Key.Key_P, Qt.Key.Key_X, Qt.Key.Key_U, Qt.Key.Key_BracketRight, Qt.Key.Key_BracketLeft])
        text = {Qt.Key.Key_P: "p", Qt.Key.Key_X: "x", Qt.Key.Key_U: "u"}.get(key, "")

        def press(key: Qt.Key = key, text: str = text) -> None:
            for kind in (QKeyEvent.Type.KeyPress, QKeyEvent.Type.KeyRelease):
                QApplication.postEvent(window.timeline, QKeyEvent(kind, key, none, text))
            action = {"p": "line.keep_in", "x": "line.keep_out", "u": "line.free"}.get(
                text, "line.salience_up" if key == Qt.Key.Key_BracketRight else "line.salience_down"
            )
            window.desk.actions[action].trigger()

        start = time.perf_counter()
        press()
        application.processEvents()
        keys.append(1000 * (time.perf_counter() - start))
        if number == 99:
            at_100 = memory()
    row("key to repainted window, ms", "25", keys)
    row("longest stall of the window in those edits, ms", "16", stall.worst())
    print(f"| memory after {edits} edits, MB | flat |  | {memory():.0f} | | {at_100:.0f} after 100 |", flush=True)
    window.session.document.mark_saved()
    window.close()


class Stall:
    """Times between heartbeats of the event loop beyond their own period."""

    PERIOD = 5

    def __init__(self, application: object) -> None:
        from PySide6.QtCore import QElapsedTimer, Qt, QTimer

        del application
        self._clock = QElapsedTimer()
        self._clock.start()
        self._gaps: list[float] = []
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(self.PERIOD)

    def _beat(self) -> None:
        self._gaps.append(self._clock.nsecsElapsed() / 1e6 - self.PERIOD)
        self._clock.restart()

    def worst(self) -> list[float]:
        self._timer.stop()
        return [max(0.0, gap) for gap in self._gaps]


def settle(application: object, seconds: float) -> None:
    """Let the window work for a while, as it does while the hand rests."""
    from PySide6.QtCore import QCoreApplication, QEventLoop

    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
        time.sleep(0.001)


if __name__ == "__main__":
    if sys.argv[1:] == ["up"]:
        up()
    elif sys.argv[1:] == ["bare"]:
        bare()
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("--edits", type=int, default=1_000)
        main(parser.parse_args().edits)
