"""A window with the picture, the transport and the hearing, and nothing else of the editor: for tests and children."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from PySide6.QtWidgets import QMainWindow, QToolBar

from adstudio.core.film import Film, Media
from adstudio.core.script import Cue, Eventuality, Script, Variant
from adstudio.core.timebase import RATES, Span
from adstudio.store.media import fingerprint
from adstudio.store.project import ProjectFile
from adstudio.ui.actions.actions import Actions
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.thread_bridge import ThreadBridge
from adstudio.ui.hearing.hearing import Hearing
from adstudio.ui.picture.picture import Picture
from adstudio.ui.picture.player import Player, make_player
from adstudio.ui.picture.transport import Transport
from adstudio.ui.session.context import Context, Theme
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.session import Session

CUES = (
    Cue("c1", 0, 1000, "ANNA: Where is he?"),
    Cue("c2", 3000, 3500, "Here.\nBehind you."),
    Cue("c3", 5500, 6000, "Go."),
)
"""Leave the gaps 1–3 s and 3.5–5.5 s of a film of six seconds."""
LINES = (
    Eventuality("e1", (Variant("She turns.", Fraction(1), 800),), Span(1000, 2000), 900_000),
    Eventuality("e2", (Variant("He lifts his hand.", Fraction(1), 1200),), Span(3500, 4500), 800_000),
)


def script_of(video: Path | None, *, end: int = 6000, lines: tuple[Eventuality, ...] = LINES) -> Script:
    """A film of six seconds at 25 frames a second."""
    media = None
    if video is not None:
        media = Media(str(video), video.name, video.stat().st_size, fingerprint(video), end, Fraction(25))
    return Script(Film("Film", end, frame_rate=RATES["25"], media=media), cues=CUES, eventualities=lines)


class SmallEditor(QMainWindow):
    """As the editor's window makes and ends its parts."""

    def __init__(self, script: Script | None = None, folder: Path | None = None, *, drawing: str = "auto") -> None:
        super().__init__()
        preferences = Preferences(self)
        preferences.store("picture", drawing)
        self.jobs = Jobs(self)
        self.session = Session(self)
        self.context = Context(self.session, Actions(self, {}), preferences, Theme(preferences), self.jobs)
        self.marshal = ThreadBridge(self)
        self.player: Player = make_player(self.context, self.marshal)
        self.picture = Picture(self.context, self.player)
        self.transport = Transport(self.context, self.player)
        self.said: list[str] = []
        self.session.messages.said.connect(self.said.append)
        self.hearing = Hearing(self.context, self.player)
        self.setCentralWidget(self.picture)
        bar = QToolBar(self)
        bar.addWidget(self.transport)
        self.addToolBar(bar)
        if script is not None and folder is not None:
            self.open(script, folder)

    def open(self, script: Script, folder: Path) -> None:
        """Work on a project of that script."""
        self.session.open_project(ProjectFile.create(folder / "film.adproj", script))
        self.context.actions.refresh()

    def shut_down(self) -> None:
        """End everything, in the order of the editor's window."""
        self.hearing.close()
        self.player.close()
        self.jobs.shut_down()
        self.session.close_project()
        self.marshal.close()
