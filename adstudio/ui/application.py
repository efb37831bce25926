"""Starting and ending the editor: the one QApplication, its log, its locale, its window."""

from __future__ import annotations

import contextlib
import gc
import locale
import logging
import os
import signal
import sys
from collections.abc import Generator
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QMessageLogContext, QtMsgType, QTimer, QTranslator, qInstallMessageHandler
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

log = logging.getLogger(__name__)

NO_WINDOW = 3
"""The exit code where Qt reaches no display (DESIGN section 5: something outside failed)."""

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def run(project: Path | None = None) -> int:
    """Open the editor, with a project or on its welcome page, and stay until it is closed; the exit code."""
    qInstallMessageHandler(_to_log)
    application = QApplication.instance() or make_application()
    from adstudio.ui.window import Window  # noqa: PLC0415 - after the application: fonts and styles need it

    window = Window()
    window.show()
    if project is not None:
        window.files.open_path(project)
    with _ended_by_signals(window):
        code = application.exec()
    window.shut_down()
    # Painted things that a screen reader has looked at would be asked again while the program is taken apart.
    QAccessible.setActive(False)
    return code


def make_application() -> QApplication:
    """The QApplication with our name, and numbers as C writes them for the libraries that read them (mpv)."""
    application = QApplication(sys.argv[:1])
    application.setApplicationName("adstudio")
    application.setApplicationDisplayName("adstudio")
    application.setOrganizationName("adstudio")
    application.setDesktopFileName("adstudio")
    # QApplication has just set the user's locale for C libraries; mpv aborts where that has a decimal comma.
    locale.setlocale(locale.LC_NUMERIC, "C")
    os.environ["LC_NUMERIC"] = "C"
    QLocale.setDefault(QLocale.system())
    translator = QTranslator(application)
    if translator.load(QLocale.system(), "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(translator)
    return application


@contextlib.contextmanager
def _ended_by_signals(window: object) -> Generator[None]:
    """Ctrl-C in the terminal and SIGTERM close the window in order; Python must run now and then to hear them."""
    del window
    heartbeat = QTimer()
    heartbeat.start(200)
    heartbeat.timeout.connect(lambda: None)
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, lambda *_: QApplication.exit(130))
    try:
        yield
    finally:
        heartbeat.stop()
        for number, handler in before.items():
            signal.signal(number, handler)
        gc.collect()


def _to_log(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    if kind is QtMsgType.QtFatalMsg:
        # Qt would dump core after this message, which nearly always is that it reaches no display.
        log.critical("%s", message)
        sys.stderr.write(f"adstudio: the window cannot be opened: {' '.join(message.split())[:300]}\n")
        sys.stderr.flush()
        os._exit(NO_WINDOW)
    logging.getLogger("qt").log(_LEVELS.get(kind, logging.WARNING), "%s (%s)", message, context.category)
