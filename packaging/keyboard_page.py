"""Writes docs/keyboard.md from the editor's table of actions: `.venv/bin/python packaging/keyboard_page.py`."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from adstudio.ui.actions.table import ACTIONS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "keyboard.md"
HEAD = """# Keyboard

Everything in adstudio can be done from the keyboard. These are the keys as delivered; Help → Keyboard (`F1`) lists them
in the program and lets you bind others. Single letters work wherever you are not typing text. `Tab` goes through a
panel and on to the next, `F6` from panel to panel, and `Escape` gives up what is being typed or dragged. The keys of
**Ask** answer in a sentence, in the status line and to a screen reader; pressed again they answer in detail.

No key is one that GNOME, KDE, Windows or an input method takes, or that needs `Ctrl` and `Alt` together, which is
`AltGr` on many keyboards. `Insert` belongs to screen readers, so it is only the second key of a new line.

This page is generated from the program by `packaging/keyboard_page.py`.
"""


def page() -> str:
    """The page: a table for each menu, an action a row."""
    parts = [HEAD]
    for menu, actions in groupby(ACTIONS, key=lambda action: action.menu.replace("&", "")):
        rows = (
            f"| {action.text.replace('&', '')} | {', '.join(f'`{key}`' for key in action.keys)} | {action.help} |\n"
            for action in actions
        )
        parts.append(f"## {menu}\n\n| action | key | |\n|---|---|---|\n{''.join(rows)}")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
