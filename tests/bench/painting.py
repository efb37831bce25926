"""How long the timeline takes to paint: a film of two hours with 4,000 eventualities, 1,600 cues and its sound.

Run it by hand: `QT_QPA_PLATFORM=offscreen python tests/bench/painting.py`. Times are those of whole window frames by
software raster: the events, the painting and the copy to the window.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from films import film as film_problem
from PySide6.QtCore import QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from adstudio.core.film import Film
from adstudio.core.script import Cue, Eventuality, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.editing import lines, pins
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile
from adstudio.ui.actions.actions import Actions
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.session.context import Context, Theme
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.session.session import Session
from adstudio.ui.timeline.timeline import Timeline

WORDS = [
    "She",
    "parks",
    "her",
    "motorbike",
    "takes",
    "a",
    "small",
    "package",
    "out",
    "of",
    "the",
    "crate",
    "and",
    "looks",
    "up",
    "at",
    "the",
    "lit",
    "window",
    "above",
]
UPRIGHT = False  # the wheel is not inverted; Qt takes it by place only
SCALES = {"10 s": 10_000, "1 min": 60_000, "5 min": 300_000, "20 min": 1_200_000, "2 h": 7_200_000}


def script_of(eventualities: int = 4_000, end: int = 7_200_000, seed: int = 1) -> Script:
    """A film of two hours as a script, its dialogue standing between the gaps of the planning benchmark."""
    rng = random.Random(seed)
    problem = film_problem(seed, end=end, elements=eventualities)
    edges = [0, *(ms for gap in problem.gaps for ms in (gap.start, gap.end)), end]
    cues: list[Cue] = []
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        at = start
        while at < stop - 300:
            until = min(stop, at + rng.randint(1_200, 4_500))
            until = stop if stop - until < 600 else until
            speaker = rng.choice((None, "Anna", "Tom", "Mikael"))
            cues.append(Cue(f"c{len(cues)}", at, until, " ".join(rng.choices(WORDS, k=7)), speaker))
            at = until
    made = tuple(
        Eventuality(
            element.id,
            tuple(Variant(" ".join(rng.choices(WORDS, k=max(1, ms // 300))), duration=ms) for ms in element.durations),
            element.occurrence,
            element.salience,
        )
        for element in problem.elements
    )
    scenes = tuple(
        Scene(f"s{n}", Span(start, min(end, start + 120_000)), f"Scene {n + 1}")
        for n, start in enumerate(range(0, end, 120_000))
    )
    return Script(Film("Two hours", end), scenes=scenes, cues=tuple(cues), eventualities=made)


def desk_for(window: QMainWindow) -> Context:
    """A desk as the program makes it, with preferences of its own."""
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, tempfile.mkdtemp())
    preferences = Preferences(window)
    return Context(Session(window), Actions(window), preferences, Theme(preferences), Jobs(window))


def add_sound(timeline: Timeline, end: int) -> None:
    """Noise in place of the film's sound, and shots."""
    import numpy as np

    from adstudio.media.peaks import Peaks

    rng = np.random.default_rng(1)
    level = (rng.random(end // 10) * 90 + 60 * np.abs(np.sin(np.arange(end // 10) / 300))).astype(np.uint8)
    timeline.films.data.peaks = make_peaks(Peaks, level, end)
    timeline.rows.set_shots(tuple(range(0, end + 1, 4_000)))
    timeline.canvas.invalidate(None)


def add_waves(timeline: Timeline) -> None:
    """Noise as the waveform of every line that is spoken, where the timeline has such."""
    data = timeline.films.data
    if hasattr(data, "waves"):
        from adstudio.ui.timeline.film_data import LineWave

        rng, rows = random.Random(2), timeline.rows
        for delivery in rows.plan.deliveries:
            text = rows.script.eventuality(delivery.element).variants[delivery.variant].text
            data.waves[delivery.element] = LineWave(text, None, rng.randbytes((delivery.end - delivery.start) // 10))


def make_peaks(kind: type, level: object, end: int) -> object:
    """The waveform of a film, however its class wants to be made."""
    import inspect

    names = set(inspect.signature(kind).parameters)
    given = {"rate": 100, "bins": level, "levels": (level,), "duration": end, "complete": True}
    return kind(**{name: value for name, value in given.items() if name in names})


def measured(act: Callable[[int], None], times: int) -> list[tuple[float, float]]:
    """Milliseconds from an act to the window repainted, each time: by the clock, and of the processor alone."""
    found: list[tuple[float, float]] = []
    for number in range(times):
        began, busy = time.perf_counter(), time.thread_time()
        act(number)
        QApplication.sendPostedEvents()
        QApplication.processEvents()
        found.append(((time.perf_counter() - began) * 1000, (time.thread_time() - busy) * 1000))
    return found


def show(name: str, values: list[tuple[float, float]], goal: str) -> None:
    """One row of the table."""
    clock, busy = (sorted(column) for column in zip(*values, strict=True))
    at = min(len(clock) - 1, int(len(clock) * 0.95))
    figures = (statistics.median(clock), clock[at], clock[-1], statistics.median(busy), busy[at])
    print(f"| {name:<44} | " + " | ".join(f"{figure:7.2f}" for figure in figures) + f" | {goal:>4} |")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--frames", type=int, default=120)
    parser.add_argument("--width", type=int, default=1920)
    parser.add_argument("--height", type=int, default=480)
    given = parser.parse_args()
    QApplication([])
    window = QMainWindow()
    desk = desk_for(window)
    timeline = Timeline(desk)
    window.setCentralWidget(timeline)
    window.resize(given.width, given.height)
    window.show()
    script = script_of()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.adproj"
        desk.session.open_project(ProjectFile.create(path, script), RestorePoint.LAST_STEP)
        add_sound(timeline, script.film.end)
        add_waves(timeline)
        QApplication.processEvents()
        QApplication.processEvents()
        print(
            f"{len(script.eventualities)} eventualities, {len(desk.session.plan.deliveries)} deliveries, "
            f"{len(script.cues)} cues, {len(desk.session.gaps)} gaps; {given.width} × {given.height}"
        )
        print("| what | p50 ms | p95 ms | worst | processor p50 | p95 | goal p95 |\n|---|---|---|---|---|---|---|")
        scrolling(timeline, given.frames)
        zooming(timeline, given.frames)
        typing(timeline, desk, given.frames)
        playing(timeline, desk, given.frames)
        desk.session.close_project()
    desk.jobs.shut_down()


def scrolling(timeline: Timeline, frames: int) -> None:
    """Scroll by an eighth of the width a frame."""
    for name, length in SCALES.items():
        timeline.fit(Span(600_000, 600_000 + length))
        QApplication.processEvents()
        step = 24
        show(
            f"scroll, {name} in view, {step} px a frame",
            measured(lambda _: timeline.canvas.show_view(timeline.view.scrolled(24)), frames),
            "8",
        )
        show(
            f"scroll, {name} in view, a page a frame",
            measured(
                lambda n: timeline.canvas.show_view(timeline.view.scrolled(1800 if n % 20 < 10 else -1800)), frames // 2
            ),
            "8",
        )


def zooming(timeline: Timeline, frames: int) -> None:
    """Turn the wheel with Ctrl, in and out again."""
    timeline.canvas.show_view(timeline.view.fitted_film())
    QApplication.processEvents()

    def turn(number: int) -> None:
        at = QPointF(900, 300)
        delta = 60 if number % 80 < 40 else -60
        event = QWheelEvent(
            at,
            timeline.canvas.mapToGlobal(at),
            QPoint(),
            QPoint(0, delta),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.ControlModifier,
            Qt.ScrollPhase.NoScrollPhase,
            UPRIGHT,
        )
        QApplication.sendEvent(timeline.canvas, event)

    show("zoom, 2 h to 5 s and back, half a notch", measured(turn, max(frames, 160)), "10")


def typing(timeline: Timeline, desk: Context, frames: int) -> None:
    """From a key to the repainted timeline, plan included."""
    rng = random.Random(2)
    ids = [line.id for line in desk.session.script.eventualities]

    def edit(number: int) -> None:
        key = ids[rng.randrange(len(ids))]
        desk.session.current_plan.planner.settle()
        if number % 3 == 0:
            desk.session.edits.attempt(lambda script: pins.pin_in(script, (key,)))
        elif number % 3 == 1:
            desk.session.edits.attempt(lambda script: pins.pin_out(script, (key,)))
        else:
            desk.session.edits.attempt(lambda script: lines.set_salience(script, (key,), rng.randrange(10, 990) * 1000))

    def look(length: int) -> None:
        timeline.fit(Span(600_000, 600_000 + length))
        QApplication.processEvents()

    for name in ("1 min", "2 h"):
        look(SCALES[name])
        desk.session.cursor.select(Selection(Kind.LINE, (ids[400],)))
        look(SCALES[name])
        show(f"edit to repainted, anywhere, {name} in view", measured(edit, frames), "25")
    near = [
        line.id
        for line in desk.session.script.eventualities
        if line.occurrence and 600_000 < line.occurrence.start < 650_000
    ]
    ids[:] = near
    look(SCALES["1 min"])
    show("edit to repainted, in view, 1 min", measured(edit, frames), "25")


def playing(timeline: Timeline, desk: Context, frames: int) -> None:
    """The playhead goes on by a frame of the film."""
    timeline.fit(Span(600_000, 660_000))
    QApplication.processEvents()
    show("playhead on by 40 ms", measured(lambda n: desk.session.cursor.show_playhead(610_000 + 40 * n), frames), "8")


if __name__ == "__main__":
    main()
