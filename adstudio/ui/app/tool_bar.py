"""The bar at the top of the window: what is needed at once, the transport and the state of the plan."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QMainWindow, QToolBar, QWidget

from adstudio.ui.app.action_icons import AT_ONCE, ActionIcons
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.icons import icon_size
from adstudio.ui.widgets.theme import UNIT

LEAST_BAR = 160 * UNIT
"""Room for the transport and for what is most urgent of the plan."""


def tool_bar(context: Context, window: QMainWindow, *content: QWidget) -> QToolBar:
    """The bar in this window, with the actions first and `content` after them, still hidden."""
    bar = QToolBar("Transport and plan")
    bar.hide()
    bar.setObjectName("bar")
    bar.setMovable(False)
    fit_icons = lambda: bar.setIconSize(QSize(icon_size(), icon_size()))  # noqa: E731
    fit_icons()
    context.theme.changed.connect(fit_icons)
    bar.setMinimumWidth(LEAST_BAR)
    for name in AT_ONCE:
        bar.addAction(context.actions[name])
    ActionIcons(context, window)
    bar.addSeparator()
    for each in content:
        bar.addWidget(each)
    window.addToolBar(bar)
    return bar
