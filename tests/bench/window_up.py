"""A start of the editor, or of an empty window of Qt, that tells when it was painted: for the bench of the window.

It stands alone, so that nothing is imported that the program itself would not import.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path


def since_start() -> str:
    """Milliseconds since this process was started, to a hundredth of a second, its processor time, and its memory."""
    with open("/proc/self/stat") as stat, open("/proc/uptime") as uptime, open("/proc/self/statm") as statm:  # noqa: PTH123 - as light as can be
        fields = stat.read().rpartition(")")[2].split()
        clock = float(uptime.read().split()[0]) - int(fields[19]) / os.sysconf("SC_CLK_TCK")
        memory = int(statm.read().split()[1]) * resource.getpagesize() / 1e6
    return f"{1000 * clock} {1000 * time.process_time()} {memory}"


def up() -> None:
    """The program as its command starts it; tells when its window was painted, and ends.

    Only the loop of events is another one, so that every import and every setting is made by the program in its order.
    """
    import adstudio.cli.main
    from adstudio.cli import edit

    def watched(project: Path | None) -> int:
        from PySide6.QtCore import QEvent, QObject, QTimer
        from PySide6.QtWidgets import QApplication, QMainWindow

        class Watch(QObject):
            """Tells when everything that the first painting consists of is done."""

            told = False

            def eventFilter(self, watched: QObject, event: QEvent) -> bool:
                if not self.told and event.type() == QEvent.Type.Paint and isinstance(watched, QMainWindow):
                    self.told = True
                    QTimer.singleShot(0, lambda: (print(since_start(), flush=True), watched.close()))
                return False

        run_loop = QApplication.exec

        def with_watch(application: QApplication) -> int:
            watch = Watch(application)
            for widget in application.topLevelWidgets():
                widget.installEventFilter(watch)
            return run_loop()

        QApplication.exec = with_watch  # pyright: ignore[reportAttributeAccessIssue] - the stub knows it without self
        return open_editor(project)

    open_editor, edit.open_editor = edit.open_editor, watched
    sys.argv[:] = ["adstudio", "edit"]
    adstudio.cli.main.main()


def bare() -> None:
    """The same with an empty window of Qt."""
    from PySide6.QtWidgets import QApplication, QMainWindow

    application = QApplication([])
    window = QMainWindow()
    window.resize(1920, 1080)
    window.show()
    application.processEvents()
    print(since_start(), flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["up"]:
        up()
    else:
        bare()
