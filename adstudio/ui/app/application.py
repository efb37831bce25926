"""Starting and ending the editor: the one QApplication, its log, its locale, its window."""

from __future__ import annotations

import gc
import locale
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, QMessageLogContext, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

from adstudio.ui.app.error_reporting import ErrorReporter
from adstudio.ui.app.quit_signals import QuitSignals

log = logging.getLogger(__name__)

NO_WINDOW = 3
"""The exit code where Qt reaches no display (DESIGN section 5: something outside failed)."""

UNANSWERED = ("could not connect to display", "Failed to create wl_display")
"""How Qt says that a display does not answer, before it gives up."""
UNKNOWN = "Could not find the Qt platform plugin"
"""How Qt says that it has no platform of the name that is asked for."""

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def run(project: Path | None = None, received: Sequence[int] = ()) -> int:
    """Open the editor, with a project or on its welcome page, and stay until it is closed; the exit code.

    `received`: the signals that have asked the program to end before, and may do so until the window listens to them.
    """
    qInstallMessageHandler(_Messages().take)
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = make_application()
    with QuitSignals(received) as ending, ErrorReporter() as faults:
        from adstudio.ui.app.garbage_collection import GarbageCollection
        from adstudio.ui.app.screen_reader import will_connect
        from adstudio.ui.app.window import Window
        from adstudio.ui.background.input_watch import InputWatch

        window = Window()
        garbage = GarbageCollection(window.session)
        InputWatch(application)
        faults.tell = window.session.messages.say
        if project is not None or will_connect():
            # A screen reader is connected once the loop runs, and then told each name that a widget is given: by some
            # thousand of them it would be held up from reading the first line for seconds.
            window.build_editor()
        window.show()
        if project is not None:
            # The window is there first; a question is asked over it, and a signal ends that too.
            QTimer.singleShot(0, window, lambda: window.files.take(project))
        code = ending.code or application.exec()
        window.shut_down()
        garbage.close()
        code = ending.code or code
        # Painted things that a screen reader has looked at would be asked again while the program is taken apart.
        QAccessible.setActive(False)
        faults.tell = _untold
    gc.collect()
    return code


def make_application() -> QApplication:
    """The QApplication with our name, and numbers as C writes them for the libraries that read them (mpv)."""
    # The picture is drawn once and shown by views in any window.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    application = QApplication(sys.argv[:1])
    application.setApplicationName("adstudio")
    application.setApplicationDisplayName("adstudio")
    application.setOrganizationName("adstudio")
    application.setDesktopFileName("adstudio")
    # QApplication has just set the user's locale for C libraries; mpv aborts where that has a decimal comma.
    locale.setlocale(locale.LC_NUMERIC, "C")
    os.environ["LC_NUMERIC"] = "C"
    # Figures are written as the describer's language does; words stay those of the program, Qt's own too.
    QLocale.setDefault(QLocale.system())
    return application


def _untold(_sentence: str) -> None:
    """The window is gone: the log is enough."""


class _Messages:
    """What Qt says goes to the log; what it gives up over is told in a sentence of ours."""

    def __init__(self) -> None:
        self._causes = ""

    def take(self, kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        """One message."""
        if any(words in message for words in (*UNANSWERED, UNKNOWN)):
            self._causes += message
        if kind is QtMsgType.QtFatalMsg:
            # Qt would dump core after this message, which nearly always is that it reaches no display.
            log.critical("%s", message)
            sys.stderr.write(f"adstudio: {no_window(self._causes)}\n")
            sys.stderr.flush()
            os._exit(NO_WINDOW)
        level = _LEVELS.get(kind, logging.WARNING)
        logging.getLogger("adstudio.qt").log(level, "%s (%s)", message, context.category)


def no_window(causes: str) -> str:
    """Why no window can be opened, in a sentence; `causes` is what Qt has said about it."""
    if any(words in causes for words in UNANSWERED):
        names = (os.environ.get(name, "") for name in ("WAYLAND_DISPLAY", "DISPLAY"))
        where = " or ".join(name for name in names if name) or "the one that Qt looked for"
        return f"no display answers at {where}: run it on a desktop, or use adstudio draft and adstudio export here"
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if platform and UNKNOWN in causes:
        return f"Qt has no platform “{platform}”, which QT_QPA_PLATFORM asks for: leave that variable out"
    return (
        "the window cannot be opened because a library is missing (such as libxcb-cursor0): "
        "bash packaging/demo.sh installs what is missing, and the log says more"
    )
