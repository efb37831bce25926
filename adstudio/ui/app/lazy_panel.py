"""A panel that is built once it is seen or asked for; its dock is there from the start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtWidgets import QDockWidget, QWidget

P = TypeVar("P", bound=QWidget)


class LazyPanel(Generic[P]):
    """The content of a dock, which has an empty widget of the same least height until it is built.

    Qt tells a dock that it is visible when it is shown, but for one behind another tab only when that is brought to the
    front: the panel is built in that moment, before anything is painted.
    """

    def __init__(self, dock: QDockWidget, build: Callable[[], P], least_height: int) -> None:
        self.dock = dock
        self._build = build
        self._panel: P | None = None
        self._least_height = least_height
        dock.widget().setMinimumHeight(least_height)
        dock.visibilityChanged.connect(self._seen)

    @property
    def built(self) -> P | None:
        """The panel, if it has been built."""
        return self._panel

    @property
    def panel(self) -> P:
        """The panel, built now if it has not been."""
        return self._build_once()

    def _build_once(self) -> P:
        if self._panel is None:
            panel = self._panel = self._build()
            place = self.dock.widget()
            panel.setMinimumHeight(self._least_height)
            self.dock.setWidget(panel)
            panel.show()  # Qt would do so later, and it could not take the focus before
            place.deleteLater()
        return self._panel

    def _seen(self, seen: bool) -> None:
        if seen:
            self._build_once()
