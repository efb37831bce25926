"""Opens the window about models at one of its pages; nothing of it is loaded before."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adstudio.ui.session.context import Desk

PAGES = {
    "connections": "Connections",
    "policy": "What may leave",
    "people": "People",
    "prompts": "Prompts",
    "log": "What was sent",
}
"""The pages in their order, and what they are called."""


def open_models(desk: Desk, page: str = "connections") -> None:
    """Show a page and give it the keys; the window is there once, and nothing waits for it.

    Raises:
        KeyError: for a page that there is not.
    """
    from adstudio.ui.ai_settings.window import ModelsWindow

    window = desk.actions.window.findChild(ModelsWindow)
    if not isinstance(window, ModelsWindow):
        window = ModelsWindow(desk, desk.actions.window)
    window.show_page(page)
    window.show()
    window.raise_()
    window.activateWindow()
