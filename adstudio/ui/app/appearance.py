"""Choosing the look from the View menu: light, dark, or as the system is."""

from __future__ import annotations

from adstudio.ui.session.context import Desk
from adstudio.ui.widgets.theme import Look


def connect_looks(desk: Desk) -> None:
    """Do the actions that choose a look; the one that is worn is marked."""
    for look in Look:
        desk.actions.connect(
            f"view.look_{look.value}",
            lambda look=look: _wear(desk, look),
            checked=lambda look=look: desk.preferences.look is look,
        )
    desk.preferences.changed.connect(lambda name: desk.actions.refresh() if name == "look" else None)
    desk.actions.refresh()


def _wear(desk: Desk, look: Look) -> None:
    desk.theme.wear(look)
    # Choosing the look that is worn has taken its mark away.
    desk.actions.refresh()
