"""A start of the editor, or of an empty window of Qt, that tells when it was painted: for the bench of the window.

It stands alone, so that nothing is imported that the program itself would not import.
"""

from __future__ import annotations

import os
import resource
import sys
import time


def since_start() -> str:
    """Milliseconds since this process was started, to a hundredth of a second, its processor time, and its memory."""
    with open("/proc/self/stat") as stat, open("/proc/uptime") as uptime, open("/proc/self/statm") as statm:  # noqa: PTH123 - as light as can be
        fields = stat.read().rpartition(")")[2].split()
        clock = float(uptime.read().split()[0]) - int(fields[19]) / os.sysconf("SC_CLK_TCK")
        memory = int(statm.read().split()[1]) * resource.getpagesize() / 1e6
    return f"{1000 * clock} {1000 * time.process_time()} {memory}"


def up() -> None:
    """The program as its command starts it; tells when its window was painted, and ends."""
    from PySide6.QtCore import QTimer
    from PySide6.QtGui import QPaintEvent

    import adstudio.cli.main
    import adstudio.ui.window

    class Watched(adstudio.ui.window.Window):
        """Tells when everything that its first painting consists of is done."""

        told = False

        def paintEvent(self, event: QPaintEvent) -> None:
            super().paintEvent(event)
            if not self.told:
                self.told = True
                QTimer.singleShot(0, self.tell)

        def tell(self) -> None:
            print(since_start(), flush=True)
            self.close()

    adstudio.ui.window.Window = Watched
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
