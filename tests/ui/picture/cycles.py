"""Run as a program: opens and closes the picture's window so many times with a film that plays, each within 2 s.

`python cycles.py CLIP FOLDER CYCLES DRAWING` prints a line for each cycle and the longest end, in milliseconds.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

PATIENCE_S = 20.0
"""Until a film plays, on a busy machine."""
LONGEST = 2.0
FIRST_THREADS = threading.active_count()


def main(clip: Path, folder: Path, cycles: int, drawing: str) -> int:
    from PySide6.QtCore import QCoreApplication, QEvent, Qt

    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    from adstudio.ui.app.application import make_application

    application = make_application()
    from small_editor import SmallEditor, script_of

    def pass_(seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            application.processEvents()
            time.sleep(0.002)

    longest = 0.0
    for cycle in range(cycles):
        place = folder / str(cycle)
        place.mkdir(parents=True)
        editor = SmallEditor(drawing=drawing)
        editor.resize(800, 500)
        editor.show()
        pass_(0.05)
        editor.open(script_of(clip), place)
        how = ("1×", "8×", "loading", "seeking", "hearing", "second window")[cycle % 6]
        if how != "loading":
            editor.player.play()
            pass_(0.3)
        if how == "8×":
            editor.player.set_speed(8)
            pass_(0.1)
        elif how == "seeking":
            editor.player.shuttle(-1)
            editor.player.seek(5000)
        elif how == "hearing":
            editor.context.actions["hear.cues"].trigger()
            editor.context.actions["hear.gap"].trigger()
            pass_(0.4)
        elif how == "second window":
            editor.picture.toggle_second_screen()
            pass_(0.2)
        if how in {"1×", "8×"}:
            until = time.monotonic() + PATIENCE_S
            while editor.player.state.time < 40 and time.monotonic() < until:
                pass_(0.05)
        if how in {"1×", "8×"} and editor.player.state.time < 40:
            print("it did not play", editor.player.state)
            return 1
        kind = type(editor.player.canvas).__name__
        began = time.monotonic()
        editor.shut_down()
        editor.close()
        editor.deleteLater()
        application.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        took = time.monotonic() - began
        longest = max(longest, took)
        del editor
        gc.collect()
        print(f"{cycle} {kind} {how}: {took * 1000:.0f} ms", flush=True)
        if took > LONGEST or threading.active_count() > FIRST_THREADS:
            print("too long, or threads are left:", [thread.name for thread in threading.enumerate()])
            return 1
    print(f"done, the longest {longest * 1000:.0f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
