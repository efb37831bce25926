"""A fault of the program: in the log, told once, and the program goes on."""

import logging
import sys

from adstudio.ui.app.error_reporting import QUIET_S, ErrorReporter


def test_an_exception_in_a_slot_is_logged_and_told_once(qapp, caplog):
    from PySide6.QtCore import QEventLoop, QTimer

    told: list[str] = []
    times = iter([0.0, 0.0, 1.0, QUIET_S + 1, QUIET_S + 1])
    with ErrorReporter(told.append, lambda: next(times)) as faults, caplog.at_level(logging.ERROR, "adstudio"):
        assert sys.excepthook == faults.report
        for _ in range(3):
            loop = QEventLoop()
            QTimer.singleShot(0, loop.quit)
            sys.excepthook(ZeroDivisionError, ZeroDivisionError("in a slot"), None)
            loop.exec()
    assert sys.excepthook != faults.report
    assert len(told) == 2
    assert "adstudio.log" in told[0]
    assert caplog.text.count("ZeroDivisionError: in a slot") == 3


def test_a_fault_that_cannot_be_told_is_logged(caplog):
    def broken(_: str) -> None:
        raise RuntimeError("the window is gone")

    with ErrorReporter(broken), caplog.at_level(logging.ERROR, "adstudio"):
        sys.excepthook(ValueError, ValueError("x"), None)
    assert "could not be told" in caplog.text


def test_memory_is_no_fault_of_ours():
    told: list[str] = []
    with ErrorReporter(told.append):
        sys.excepthook(MemoryError, MemoryError(), None)
    assert "memory" in told[0]
