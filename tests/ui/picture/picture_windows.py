"""Run as a program on a display: the picture in a window, a dock, a floating dock and a second window.

`python picture_windows.py CLIP FOLDER DRAWING` prints what each place showed; 0 where every picture was the right one.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))


def main(clip: Path, folder: Path, drawing: str) -> int:
    from PySide6.QtCore import QCoreApplication, Qt

    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    from adstudio.ui.app.application import make_application

    application = make_application()
    from film_clips import number_in
    from PySide6.QtWidgets import QDockWidget, QTextEdit
    from small_editor import SmallEditor, script_of

    wrong: list[str] = []

    def pass_(seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            application.processEvents()
            time.sleep(0.002)

    def seen(view) -> int:
        # What is on the screen, and not only what the widget would paint.
        window = view.window()
        shot = application.primaryScreen().grabWindow(window.winId()).toImage()
        ratio = view.devicePixelRatioF()
        corner = view.mapTo(window, view.rect().topLeft())
        rect = view.picture_rect().translated(round(corner.x() * ratio), round(corner.y() * ratio))
        return number_in(shot.copy(rect))

    def check(what: str, view, number: int) -> None:
        editor.session.cursor.seek(number * 40)
        until = time.monotonic() + 5
        while time.monotonic() < until and seen(view) != number:
            pass_(0.05)
        print(f"{what}: {seen(view)} (is {number}), canvas {editor.player.canvas.size.toTuple()}", flush=True)
        if seen(view) != number:
            wrong.append(what)

    editor = SmallEditor(script_of(clip), folder, drawing=drawing)
    editor.resize(900, 600)
    editor.show()
    pass_(0.5)
    picture, view = editor.picture, editor.picture.view
    print(type(editor.player.canvas).__name__, type(view).__name__)
    check("in the window", view, 80)
    editor.takeCentralWidget()
    dock = QDockWidget("Picture", editor)
    dock.setWidget(picture)
    picture.show()
    editor.setCentralWidget(QTextEdit())
    editor.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    pass_(0.3)
    check("in a dock", view, 70)
    dock.setFloating(True)
    dock.resize(500, 400)
    pass_(0.3)
    check("floating", view, 60)
    dock.setFloating(False)
    pass_(0.3)
    check("docked again", view, 50)
    editor.resize(1200, 700)
    pass_(0.3)
    check("larger", view, 40)
    picture.toggle_second_screen()
    second = picture.second_screen
    pass_(0.3)
    check("second window", second.view, 90)
    dock.hide()
    check("only there", second.view, 91)
    editor.player.play()
    pass_(0.6)
    editor.player.pause()
    check("after playing", second.view, 92)
    second.close()
    dock.show()
    pass_(0.3)
    editor.raise_()
    check("back", view, 93)
    ratio = view.devicePixelRatioF()
    print(f"ratio {ratio}: {editor.player.canvas.size.width()} pixels for {view.width()}")
    if (
        abs(editor.player.canvas.size.width() - view.picture_rect().width()) > 1
        or abs(view.picture_rect().width() - min(view.width(), 2 * view.height()) * ratio) > 2
    ):
        wrong.append("sharpness")
    editor.player.play()
    editor.shut_down()
    editor.close()
    print("wrong:", wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
