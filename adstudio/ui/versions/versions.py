"""The actions for versions: keeping the script under a name, and comparing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QObject
from PySide6.QtWidgets import QWidget

from adstudio.core.errors import AdstudioError, OutsideFailureError
from adstudio.store.database import READ_ONLY
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.file_dialogs import ask
from adstudio.ui.widgets.formatting import items_described, moment_in_words

if TYPE_CHECKING:
    from adstudio.store.version_rows import Version
    from adstudio.ui.versions.compare_dialog import CompareDialog

AUTHOR = "versions/author"
"""The preference with the name under which versions are kept."""


def titled(version: Version) -> str:
    """A version as it is listed: its name, when and by whom it was kept, its lines and its note."""
    at = moment_in_words(QDateTime.fromMSecsSinceEpoch(version.at))
    note = " ".join(version.note.split())
    parts = (version.name, at, version.by, items_described(version.spoken, version.lines), note)
    return " · ".join(part for part in parts if part)


class Versions(QObject):
    """Does the actions of the File menu that concern versions."""

    def __init__(self, context: Context, window: QWidget) -> None:
        super().__init__(window)
        self._context, self._session, self._window = context, context.session, window
        self.dialog: CompareDialog | None = None
        for name, do in (
            ("file.keep_version", self.keep),
            ("file.compare_versions", self.compare),
            ("file.compare_reference", self.compare_reference),
        ):
            context.actions.connect(name, do, lambda: self._session.project is not None)
        self._session.closing.connect(self._close)

    def keep(self) -> None:
        """Ask for a name, and keep the script and its plan as they are."""
        from adstudio.ui.versions.version_dialog import VersionDialog
        from adstudio.versions.keeping import account_name, free_name, keep_version

        self._session.flush()
        project, preferences = self._session.project, self._context.preferences
        if project is None:
            return
        if project.read_only:
            self._session.messages.report(OutsideFailureError(READ_ONLY.format(project.path.name)))
            return
        found: list[Version] = []

        def store(name: str, note: str, by: str) -> None:
            script, plan = self._session.script, self._session.plan
            found.append(keep_version(project, script, plan, name=name, note=note, by=by))
            # A blank, where nobody is to be named: an empty text is none that was stored.
            preferences.store(AUTHOR, by.strip() or " ")

        by = preferences.text(AUTHOR, account_name()).strip()
        dialog = VersionDialog(self._window, store, name=free_name(project.versions.all), by=by)
        if dialog.exec():
            self._session.messages.say(f"Kept as “{found[0].name}”.")
            if self.dialog is not None:
                self.dialog.list_versions()
        dialog.deleteLater()

    def compare(self) -> None:
        """Show what has changed since a version."""
        self._show(reference=False)

    def compare_reference(self) -> None:
        """Show the plan beside a reference AD, gap by gap."""
        self._show(reference=True)

    def _show(self, *, reference: bool) -> None:
        from adstudio.ui.versions.compare_dialog import CompareDialog

        self._session.flush()
        if self._session.project is None:
            return
        if self.dialog is None:
            self.dialog = CompareDialog(
                self._context,
                self._window,
                rename=self._rename,
                delete=self._delete,
                titled=titled,
                reference=reference,
            )
            self.dialog.finished.connect(self._closed)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()
        self.dialog.turn_to(reference=reference)

    def _rename(self, version: Version) -> None:
        from adstudio.ui.versions.version_dialog import VersionDialog
        from adstudio.versions.keeping import rename_version

        project, shown = self._session.project, self.dialog
        if project is None or shown is None:
            return

        def store(name: str, note: str, by: str) -> None:
            del by
            rename_version(project, version.number, name=name, note=note)

        dialog = VersionDialog(shown, store, name=version.name, text=version.note)
        if dialog.exec():
            shown.list_versions()
        dialog.deleteLater()

    def _delete(self, version: Version) -> None:
        from adstudio.versions.keeping import delete_version

        project, shown = self._session.project, self.dialog
        if project is None or shown is None:
            return
        detail = "It cannot be brought back. The script stays as it is."
        if ask(shown, f"Delete the version “{version.name}”?", detail, ("Delete",), careful=True) != 0:
            return
        try:
            delete_version(project, version.number)
        except AdstudioError as error:
            self._session.messages.report(error)
            return
        shown.list_versions()
        self._session.messages.say(f"Deleted the version “{version.name}”.")

    def _close(self) -> None:
        if self.dialog is not None:
            self.dialog.reject()

    def _closed(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()
