"""Space as it is pressed on a keyboard: `press.py FOLDER` opens a small film, tabs, clicks and presses."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

from hands import Hands
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

from adstudio.store.project import ProjectFile
from adstudio.ui.app.application import make_application
from adstudio.ui.app.window import Window
from adstudio.ui.table.line_facts import Filter

sys.path.append(str(Path(__file__).parent.parent))
from desks import small_script


def press(window: Window, hands: Hands) -> None:
    """Every key and click goes the way of a real one."""
    played: list[int] = []
    window.actions_["play.toggle"].triggered.connect(lambda: played.append(1))
    table = window.editor.table

    def tab_to(wanted: QWidget) -> None:
        for _ in range(80):
            if QApplication.focusWidget() is wanted:
                return
            hands.key("Tab")
        raise AssertionError(f"Tab does not lead to {wanted.accessibleName()}")

    hands.click(table.head.find_box)
    tab_to(table.head.regex)
    hands.key("space")
    assert (table.head.regex.isChecked(), len(played)) == (True, 0), "Space ticks what was tabbed to"
    hands.key("space")
    assert (table.head.regex.isChecked(), len(played)) == (False, 0), "and unticks it"
    hands.key("Return")
    assert table.head.regex.isChecked(), "so does Return"
    window.session.cursor.select_line("a")
    hands.pump(0.3)
    accepted = window.editor.inspector.line.accepted
    tab_to(accepted)
    hands.key("space")
    assert (accepted.isChecked(), len(played)) == (True, 0), "Space ticks the inspector's check box"
    hands.click(table.head.filters.chips[Filter.PLACED])
    hands.key("space")
    assert (table.head.filters.chips[Filter.PLACED].isChecked(), len(played)) == (True, 1), (
        "Space plays after a click on a chip"
    )
    hands.click(accepted)
    assert not accepted.isChecked()
    hands.key("space")
    assert (accepted.isChecked(), len(played)) == (False, 2), "Space plays after a click on a check box"
    hands.key("Tab", "shift+Tab")
    assert QApplication.focusWidget() is accepted
    hands.key("space")
    assert (accepted.isChecked(), len(played)) == (True, 2), "Space is the box's again once it is tabbed to"
    hands.key("ctrl+p")
    assert accepted.isChecked()
    hands.click(table.head.find_box)
    hands.type("a b")
    assert (table.head.find_box.text(), len(played)) == ("a b", 2), "Space is typed in text"
    hands.click(window.editor.timeline.canvas)
    hands.key("space")
    assert len(played) == 3, "Space plays on the timeline"


def main(folder: Path) -> int:
    """Press, and say PRESSED if all was as it should be."""
    application = make_application()
    window = Window()
    window.resize(1600, 1000)
    window.show()
    window.session.open_project(ProjectFile.create(folder / "small.adproj", small_script()))
    code = 0

    def go() -> None:
        nonlocal code
        try:
            press(window, Hands(folder))
        except Exception as error:  # noqa: BLE001 - Qt's loop would swallow it
            traceback.print_exception(error)
            code = 1
        window.session.edits.document.mark_saved()
        window.close()

    QTimer.singleShot(300, go)
    application.exec()
    window.shut_down()
    if code == 0:
        print("PRESSED", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
