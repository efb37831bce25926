"""The window about models: a list of its pages, each made when it is first looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, cast

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QListWidget, QListWidgetItem, QStackedWidget, QWidget

from adstudio.ui.session.context import Context
from adstudio.ui.widgets.form import on_screen
from adstudio.ui.widgets.theme import UNIT

PAGES = {
    "connections": "Connections",
    "policy": "Privacy",
    "people": "People",
    "prompts": "Prompts",
    "log": "Activity log",
}
"""The pages in their order, and what they are called."""
WIDE, HIGH = 260 * UNIT, 176 * UNIT
LIST_WIDTH = 36 * UNIT
OF_THE_SCRIPT = ("people", "prompts")
"""The pages whose content undo takes back."""


class Page(Protocol):
    """What the window asks of a page."""

    def renew(self) -> None:
        """It comes into sight, or another project is open: show what is so now."""
        ...

    def flush(self) -> None:
        """Take what is being typed: it goes out of sight, or the script is about to be saved."""
        ...


class AiSettingsWindow(QDialog):
    """Stays open beside the editor while the describer works; closing it only puts it away."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setWindowTitle("AI services")
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, on=False)
        self._built: dict[str, Page] = {}
        self._holders: dict[str, QHBoxLayout] = {}
        self.list = QListWidget()
        self.list.ensurePolished()  # or rows are measured before they are dressed
        self.list.setAccessibleName("AI services pages")
        self.list.setFixedWidth(LIST_WIDTH)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setProperty("inset", "true")
        self.list.setStyleSheet(f"QListView {{ padding: {4 * UNIT}px {2 * UNIT}px; }}")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.pages = QStackedWidget()
        for name, title in PAGES.items():
            item = QListWidgetItem(title)
            item.setData(Qt.ItemDataRole.UserRole, name)
            self.list.addItem(item)
            place = QWidget()
            self._holders[name] = QHBoxLayout(place)
            self._holders[name].setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
            self.pages.addWidget(place)
        line = QFrame()
        line.setFixedWidth(1)
        line.setStyleSheet("background: palette(mid); border: 0;")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.list)
        row.addWidget(line)
        row.addWidget(self.pages, 1)
        self.list.currentRowChanged.connect(self._turn)
        for keys, by in ((QKeySequence.StandardKey.NextChild, 1), (QKeySequence.StandardKey.PreviousChild, -1)):
            QShortcut(keys, self).activated.connect(lambda by=by: self._leaf(by))
        # Undo belongs to the script, whichever window has the keys; fields take it first.
        for name in ("edit.undo", "edit.redo", "file.save"):
            self.addAction(context.actions[name])
        session = context.session
        session.opened.connect(self._renew)
        session.current_plan.changed.connect(lambda _: self._script_changed())
        session.storage.models_changed.connect(self._renew)
        session.flush_asked.connect(self._flush)
        self.resize(on_screen(self, QSize(WIDE, HIGH)))

    def show_page(self, name: str) -> None:
        """Bring a page to the front, its keys with it.

        Raises:
            KeyError: for a page that there is not.
        """
        place = [*PAGES].index(name) if name in PAGES else -1
        if place < 0:
            raise KeyError(name)
        self.list.setCurrentRow(place)
        self._turn(place)
        cast("QWidget", self.page(name)).setFocus()

    def page(self, name: str) -> Page:
        """A page, which is made now where it was not."""
        if name not in self._built:
            built = _MAKERS[name](self._context)
            self._holders[name].addWidget(built)
            self._built[name] = cast("Page", built)
        return self._built[name]

    @property
    def shown(self) -> str:
        """The name of the page in front."""
        return [*PAGES][max(self.list.currentRow(), 0)]

    def _turn(self, place: int) -> None:
        self._flush()
        if place >= 0:
            page = self.page([*PAGES][place])
            self.pages.setCurrentIndex(place)
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
        """What went on meanwhile is shown."""
        super().showEvent(event)
        self.page(self.shown).renew()

    def reject(self) -> None:
        """Escape puts it away, and loses nothing."""
        self._flush()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """What is being typed is taken."""
        self._flush()
        super().closeEvent(event)


def _connections(context: Context) -> QWidget:
    from adstudio.ui.ai_settings.connections_page import ConnectionsPage

    return ConnectionsPage(context)


def _policy(context: Context) -> QWidget:
    from adstudio.ui.ai_settings.policy_page import PolicyPage

    return PolicyPage(context)


def _people(context: Context) -> QWidget:
    from adstudio.ui.ai_settings.people_page import PeoplePage

    return PeoplePage(context)


def _prompts(context: Context) -> QWidget:
    from adstudio.ui.ai_settings.prompts_page import PromptsPage

    return PromptsPage(context)


def _log(context: Context) -> QWidget:
    from adstudio.ui.ai_settings.egress_log_page import EgressLogPage

    return EgressLogPage(context)


_MAKERS: dict[str, Callable[[Context], QWidget]] = {
    "connections": _connections,
    "policy": _policy,
    "people": _people,
    "prompts": _prompts,
    "log": _log,
}


def open_ai_settings(context: Context, page: str = "connections") -> None:
    """Show a page of the one window about models and focus it; the window is built at its first use.

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
