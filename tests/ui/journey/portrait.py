"""The picture of the editor in the README, made by packaging/picture.sh.

`portrait.py FOLDER PICTURE` shows the window on a display of its own, with the sample film's project from FOLDER: lines
accepted, one that was left out kept in, what the plan has changed for it. It writes a PNG of at most `MOST_BYTES`.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

WIDTH, HEIGHT = 1920, 1080
MOST_BYTES = 400_000
PATIENCE = 90.0  # seconds for pictures, sound and the second opinion
KEPT_IN = "Alone, Tom lifts"  # how the line begins that the describer wants to have said
ACCEPTED = 7  # spoken lines from the start


def sit(folder: Path, picture: Path) -> None:
    """Bring the editor into the state and take its picture."""
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QAbstractItemView, QDockWidget

    from adstudio.editing.pins import pin_in, set_accepted
    from adstudio.planning.film.live_plan import ProofState
    from adstudio.store.project import ProjectFile
    from adstudio.ui.app.application import make_application
    from adstudio.ui.app.window import Window
    from adstudio.ui.widgets.theme import Look

    application = make_application()
    window = Window()
    window.context.theme.wear(Look.LIGHT)
    window.setGeometry(0, 0, WIDTH, HEIGHT)
    window.show()
    session, actions = window.session, window.context.actions
    project = folder / "portrait.adproj"
    shutil.copy(folder / "sample.adproj", project)
    session.open_project(ProjectFile.open(project))
    until = time.monotonic() + PATIENCE

    def wait_while(busy: Callable[[], object]) -> None:
        while busy():
            assert time.monotonic() < until, "pictures, sound or the second opinion did not come"
            QTest.qWait(100)

    QTest.qWait(1000)
    wait_while(lambda: window.context.jobs.running)
    line = next(each for each in session.script.eventualities if each.variants[0].text.startswith(KEPT_IN))
    spoken = tuple(each.element for each in session.plan.deliveries[:ACCEPTED])
    session.edits.attempt(lambda script: set_accepted(script, spoken, on=True, plan=session.plan))
    session.cursor.select_line(line.id, go=True)
    actions["view.fit_scene"].trigger()
    session.edits.attempt(lambda script: pin_in(script, (line.id,)))
    session.cursor.seek(session.plan.by_element[line.id].start)
    changes = window.findChild(QDockWidget, "changes")
    assert changes is not None
    changes.raise_()
    view = window.editor.table.view
    view.scrollTo(view.currentIndex(), QAbstractItemView.ScrollHint.PositionAtCenter)
    wait_while(lambda: session.current_plan.outcome.proof.state is not ProofState.CONFIRMED)
    QTest.qWait(2000)  # the table still bears the marks of the change
    application.primaryScreen().grabWindow(0, 0, 0, WIDTH, HEIGHT).save(str(picture))
    session.edits.document.mark_saved()
    window.close()


def shrink(picture: Path) -> None:
    """Make the file small: with as many colours as fit."""
    from PIL import Image

    with Image.open(picture) as opened:
        whole = opened.convert("RGB")
    for colours in (256, 192, 128, 96, 64):
        few = whole.quantize(colours, kmeans=2, dither=Image.Dither.NONE)
        few.save(picture, optimize=True)
        if picture.stat().st_size <= MOST_BYTES:
            return
    raise SystemExit(f"{picture} is larger than {MOST_BYTES:,} bytes even with few colours")


def main() -> None:
    folder, picture = Path(sys.argv[1]), Path(sys.argv[2]).resolve()
    if sys.argv[3:] == ["inside"]:
        sit(folder, picture)
        return
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from display import display, start

    with tempfile.TemporaryDirectory() as work, display(Path(work)) as name:
        own = {"XDG_CONFIG_HOME": work, "XDG_CACHE_HOME": work, "LC_ALL": "C.UTF-8"}
        program = start(name, Path(work) / "said.txt", (__file__, folder, picture, "inside"), own)
        code = program.wait(2 * PATIENCE)
        if code:
            raise SystemExit(f"the editor ended with {code}: {program.said()}")
    shrink(picture)
    print(f"{picture}: {picture.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
