"""An unnamed film to a named cast, as a program of its own: `name_cast.py FOLDER` presses real keys, and counts them.

FOLDER holds `film.adproj`: the sample film with subtitles that name nobody, and its screenplay.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from hands import Hands
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from adstudio.core.cast import SpeakerSource
from adstudio.store.project import ProjectFile
from adstudio.ui.app.application import make_application
from adstudio.ui.app.window import Window
from adstudio.ui.cast.window import CastWindow


class CountingHands(Hands):
    """Counts what is pressed."""

    pressed = 0

    def key(self, *keys: str) -> None:
        """Press keys in the window that is in front."""
        self.pressed += len(keys)
        self._do("key", "--clearmodifiers", *keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self.pressed += len(text)
        self._do("type", "--delay", "4", "--", text)


def go(folder: Path, window: Window) -> None:
    hands = CountingHands(folder / "shots")
    session = window.session
    truth = (folder / "truth.txt").read_text("utf-8").split()
    started = time.monotonic()
    hands.wait(lambda: session.project is not None, "the project is open")
    hands._do("windowfocus", str(int(window.winId())))
    hands.wait(lambda: QApplication.activeWindow() is window, "the window has the keyboard")
    hands.key("ctrl+shift+c")
    hands.wait(lambda: window.findChild(CastWindow) is not None, "the window about characters")
    found = window.findChild(CastWindow)
    assert isinstance(found, CastWindow)
    hands.wait(found.isVisible, "it is shown")
    hands._do("windowfocus", str(int(found.winId())))
    hands.wait(lambda: QApplication.activeWindow() is found, "it has the keyboard")
    hands.shot("no characters")
    hands.key("alt+c")
    hands.wait(lambda: session.script.people, "characters are collected")
    names = [person.name for person in session.script.people]
    assert names == ["Tom", "Nora", "Announcer", "Guard"], names
    hands.shot("collected")
    hands.key("alt+e")
    hands.type("the clerk")
    hands.key("Tab")
    assert session.script.people[0].described_as == "the clerk"
    hands.key("ctrl+Tab")
    hands.wait(found.speakers.table.hasFocus, "the table has the keyboard")
    digits = {person.name.upper(): str(number) for number, person in enumerate(session.script.people, 1)}
    hands.key(*(digits[name] for name in truth))
    hands.shot("who speaks")
    said = [(cue.speaker or "").upper() for cue in session.script.cues]
    assert said == truth, said
    assert all(cue.speaker_source is SpeakerSource.DESCRIBER for cue in session.script.cues)
    hands.key("ctrl+Tab")
    hands.shot("named cast")
    texts = [found.page.cards.item(place).text() for place in range(found.page.cards.count())]
    counts = {name: truth.count(name.upper()) for name in names}
    assert texts == [f"{name}\n{counts[name]} cue{'s' if counts[name] > 1 else ''}" for name in names], texts
    hands.key("ctrl+s")
    hands.key("Escape")
    hands.wait(lambda: not found.isVisible(), "it is closed")
    print(f"{hands.pressed} keys, {time.monotonic() - started:.0f} s by a machine", flush=True)


def main(folder: Path) -> int:
    (folder / "shots").mkdir(exist_ok=True)
    application = make_application()
    window = Window()
    window.setGeometry(0, 0, 1920, 1080)
    window.show()
    window.session.open_project(ProjectFile.open(folder / "film.adproj"))
    code = 0

    def run() -> None:
        nonlocal code
        try:
            go(folder, window)
        except Exception as error:  # noqa: BLE001 - Qt's loop would swallow it
            import traceback

            traceback.print_exception(error)
            print(QApplication.focusWidget(), flush=True)
            code = 1
        window.session.edits.document.mark_saved()
        window.close()

    QTimer.singleShot(300, run)
    application.exec()
    window.shut_down()
    if code == 0:
        print("ARRIVED", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
