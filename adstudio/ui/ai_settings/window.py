"""The window about AI services: a list of its pages, each built when it is first shown."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QListWidget, QListWidgetItem, QStackedWidget, QWidget

from adstudio.ui.ai_settings.page import SettingsPage
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.form import in_text_size, row
from adstudio.ui.widgets.theme import UNIT

PAGES = {
    "connections": "Connections",
    "policy": "Privacy",
    "prompts": "Prompts",
    "log": "Activity log",
}
"""The names of the pages, in order, and their titles."""
WIDE, HIGH = 260 * UNIT, 176 * UNIT
LIST_WIDTH = 36 * UNIT
OF_THE_SCRIPT = ("prompts",)
"""The pages whose content undo affects."""


class AiSettingsWindow(QDialog):
    """Stays open beside the editor while the describer works; closing it only hides it."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setWindowTitle("AI services")
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, on=False)
        self._built: dict[str, SettingsPage] = {}
        self.list = QListWidget()
        self.list.ensurePolished()  # or rows are measured before the style sheet applies
        self.list.setAccessibleName("AI services pages")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setProperty("inset", "true")
        self.list.setStyleSheet(f"QListView {{ padding: {4 * UNIT}px {2 * UNIT}px; }}")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.pages = QStackedWidget()
        for name, title in PAGES.items():
            item = QListWidgetItem(title)
            item.setData(Qt.ItemDataRole.UserRole, name)
            self.list.addItem(item)
        self.list.setFixedWidth(max(LIST_WIDTH, self.list.sizeHintForColumn(0) + 6 * UNIT))
        line = QFrame()
        line.setFixedWidth(1)
        line.setStyleSheet("background: palette(mid); border: 0;")
        self.setLayout(row(self.list, line, self.pages, spacing=0, grows=self.pages))
        self.list.currentRowChanged.connect(self._turn)
        for keys, by in ((QKeySequence.StandardKey.NextChild, 1), (QKeySequence.StandardKey.PreviousChild, -1)):
            QShortcut(keys, self).activated.connect(lambda by=by: self._leaf(by))
        # Undo belongs to the script, whichever window has the focus; fields take it first.
        for name in ("edit.undo", "edit.redo", "file.save"):
            self.addAction(context.actions[name])
        session = context.session
        session.opened.connect(self._renew)
        session.current_plan.changed.connect(lambda _: self._script_changed())
        session.storage.models_changed.connect(self._renew)
        session.flush_asked.connect(self._flush)
        self.resize(in_text_size(self, QSize(WIDE, HIGH)))

    def show_page(self, name: str) -> None:
        """Bring a page to the front and focus it.

        Raises:
            KeyError: for an unknown page.
        """
        page = self.page(name)
        place = [*PAGES].index(name)
        self.list.setCurrentRow(place)
        self._turn(place)
        page.setFocus()

    def page(self, name: str) -> SettingsPage:
        """A page, which is built at its first use.

        Raises:
            KeyError: for an unknown page.
        """
        if name not in self._built:
            page = self._built[name] = _new_page(name, self._context)
            page.setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
            self.pages.addWidget(page)
        return self._built[name]

    @property
    def shown(self) -> str:
        """The name of the page in front."""
        return [*PAGES][max(self.list.currentRow(), 0)]

    def _turn(self, place: int) -> None:
        self._flush()
        if place >= 0:
            page = self.page([*PAGES][place])
            self.pages.setCurrentWidget(page)
            page.renew()

    def _leaf(self, by: int) -> None:
        self.show_page([*PAGES][(self.list.currentRow() + by) % len(PAGES)])

    def _renew(self) -> None:
        if self.isVisible():
            self.page(self.shown).renew()

    def _script_changed(self) -> None:
        if self.shown in OF_THE_SCRIPT:
            self._renew()

    def _flush(self) -> None:
        for page in self._built.values():
            page.flush()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what changed meanwhile."""
        super().showEvent(event)
        self.page(self.shown).renew()

    def reject(self) -> None:
        """Hide on Escape, losing nothing."""
        self._flush()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Take what is being typed."""
        self._flush()
        super().closeEvent(event)


def _new_page(name: str, context: Context) -> SettingsPage:
    # The pages are imported when the window is first opened, so that the editor starts sooner.
    from adstudio.ui.ai_settings.connections_page import ConnectionsPage
    from adstudio.ui.ai_settings.egress_log_page import EgressLogPage
    from adstudio.ui.ai_settings.policy_page import PolicyPage
    from adstudio.ui.ai_settings.prompts_page import PromptsPage

    pages: dict[str, type[SettingsPage]] = {
        "connections": ConnectionsPage,
        "policy": PolicyPage,
        "prompts": PromptsPage,
        "log": EgressLogPage,
    }
    return pages[name](context)


def open_ai_settings(context: Context, page: str = "connections") -> None:
    """Show a page of the window about AI services and focus it; the window is built at its first use.

    Raises:
        KeyError: for an unknown page.
    """
    window = context.actions.window.findChild(AiSettingsWindow)
    if not isinstance(window, AiSettingsWindow):
        window = AiSettingsWindow(context, context.actions.window)
    window.show_page(page)
    window.show()
    window.raise_()
    window.activateWindow()
