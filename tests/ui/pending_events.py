"""What the event loop still has to do, done."""

from __future__ import annotations

from PySide6.QtCore import QEventLoop, QTimer


def run_pending_events() -> None:
    """Run the event loop until every event and every timer that is due by now has had its turn.

    One `processEvents` is not enough: while events of a higher priority wait, it leaves timers for its next call.
    """
    loop = QEventLoop()
    timer = QTimer()
    timer.setSingleShot(True)
    timer.timeout.connect(loop.quit)
    timer.start(0)
    loop.exec()
