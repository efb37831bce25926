"""The actions about the program itself: preferences, appearance, keyboard shortcuts, log folder, about, quit."""

from __future__ import annotations

import contextlib

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QWidget

from adstudio.system.locations import log_folder
from adstudio.system.private_files import private_folder
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.file_dialogs import tell
from adstudio.ui.widgets.theme import Look


class ProgramDialogs(QObject):
    """Connects these actions; every dialog is built when it is asked for."""

    def __init__(self, context: Context, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        connect = context.actions.connect
        connect("file.quit", window.close)
        connect("edit.preferences", self.preferences)
        connect("help.keys", self.keys)
        connect("help.log", self.log)
        connect("help.about", self.about)
        for look in Look:
            is_chosen = lambda look=look: context.preferences.look is look  # noqa: E731 - a predicate to hand on
            connect(f"view.look_{look.value}", lambda look=look: self._choose_look(look), checked=is_chosen)
        context.preferences.changed.connect(lambda name: context.actions.refresh() if name == "look" else None)
        context.actions.refresh()

    def preferences(self) -> None:
        """The choices that hold for every project."""
        from adstudio.ui.app.preferences_dialog import PreferencesDialog

        self._context.voices.ask(again=True)
        dialog = PreferencesDialog(self._context, self._window)
        dialog.keys_asked.connect(self.keys)
        _run(dialog)

    def keys(self) -> None:
        """Every action and its keyboard shortcuts."""
        from adstudio.ui.app.shortcuts_dialog import ShortcutsDialog

        _run(ShortcutsDialog(self._context.actions, self._context.preferences, self._window))

    def log(self) -> None:
        """Show the folder with the log."""
        folder = log_folder()
        with contextlib.suppress(OSError):
            private_folder(folder)
        if not folder.is_dir() or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            tell(self._window, f"The log is in {folder}.")

    def about(self) -> None:
        """Version, licence and parts."""
        from adstudio.ui.app.about_dialog import AboutDialog

        _run(AboutDialog(self._window))

    def _choose_look(self, look: Look) -> None:
        self._context.theme.wear(look)
        # Triggering the action of the look already in use has unchecked it.
        self._context.actions.refresh()


def _run(dialog: QDialog) -> None:
    dialog.exec()
    dialog.deleteLater()
