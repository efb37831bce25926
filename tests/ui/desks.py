"""A desk for tests: a small film that is open in the session, and everything the panels get."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow

from adstudio.core.film import Film
from adstudio.core.script import SALIENCE_UNIT, Cue, Eventuality, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.store.project import ProjectFile
from adstudio.ui.actions.actions import Actions
from adstudio.ui.app.window import Window
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.session.context import Context, Theme
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.session import Session


def line(
    identity: str, start: int, end: int, salience: float, *durations: int, scene: str | None = None
) -> Eventuality:
    """An eventuality whose wordings last so many milliseconds, the longest first."""
    variants = tuple(Variant(f"{identity} in {ms} ms", duration=ms) for ms in durations)
    return Eventuality(identity, variants, Span(start, end), round(salience * SALIENCE_UNIT), scene)


def small_script() -> Script:
    """Thirty seconds: dialogue at 10–14 and 18–22 s, so gaps of 10, 4 and 8 s; two scenes, from 0 and from 16 s.

    `a` and `b` compete for the first gap (6 s each in full, 4 s in short), `c` has the second, `d` and `e` the third.
    """
    return Script(
        Film("Small film", 30_000),
        scenes=(Scene("s1", Span(0, 16_000), "Inside"), Scene("s2", Span(16_000, 30_000), "Outside")),
        cues=(Cue("c1", 10_000, 14_000, "Who is there?", "ANNA"), Cue("c2", 18_000, 22_000, "It is me.", "TOM")),
        eventualities=(
            line("a", 0, 4_000, 0.9, 6_000, 4_000),
            line("b", 4_000, 8_000, 0.5, 6_000, 4_000),
            line("c", 14_000, 16_000, 0.8, 3_000),
            line("d", 22_000, 24_000, 0.7, 4_000, 3_000),
            line("e", 26_000, 28_000, 0.3, 3_000),
        ),
    )


@contextmanager
def desk_on(folder: Path, script: Script | None = None) -> Iterator[Context]:
    """A desk with a project open; everything is put away at the end."""
    project = ProjectFile.create(folder / "small.adproj", script or small_script())
    window = QMainWindow()
    preferences = Preferences(window)
    preferences.store("spelling", "off")  # which words are known is the system's affair
    session = Session(window)
    session.open_project(project)
    desk = Context(session, Actions(window), preferences, Theme(preferences), Jobs(window))
    try:
        yield desk
    finally:
        desk.jobs.shut_down()
        session.close_project()
        window.deleteLater()


@contextmanager
def window_on(folder: Path) -> Iterator[Window]:
    """The window with the small script open in it, the hand in its table."""
    Preferences().store("spelling", "off")
    made = Window()
    made.resize(1600, 1000)
    made.show()
    made.session.open_project(ProjectFile.create(folder / "small.adproj", small_script()))
    QTest.qWait(100)
    made.activateWindow()
    made.editor.table.view.setFocus()
    try:
        yield made
    finally:
        made.session.edits.document.mark_saved()
        made.close()
        made.deleteLater()
