"""The film's picture: in the window, in a window of its own, or in both, with dialogue and timecode over it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QPushButton, QSizePolicy, QWidget

from adstudio.core.film import Film
from adstudio.store.media import FoundVideo, VideoState, find_video
from adstudio.ui.actions.table import ACTIONS, BY_ID
from adstudio.ui.picture.overlay import Overlay, shown_at
from adstudio.ui.picture.playback_state import PlayerState, frames_of
from adstudio.ui.picture.player import Player
from adstudio.ui.picture.views import make_view
from adstudio.ui.session.context import Context, Theme
from adstudio.ui.widgets.form import column, row
from adstudio.ui.widgets.formatting import timecode
from adstudio.ui.widgets.theme import UNIT

REMEDY = ". Install libmpv2, for example with apt-get install libmpv2, and start again"
SECOND_SIZE = QSize(960, 540)


class Picture(QWidget):
    """Shows the player's picture, opens the film of each project, and says what is wrong with it."""

    second_changed = Signal(bool)
    """Whether the picture has a window of its own now."""

    def __init__(self, context: Context, player: Player, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("picture")
        self.setAccessibleName("Picture")
        self._context = context
        self._player = player
        self.second_screen: SecondScreen | None = None
        """The picture's own window, while there is one."""
        self._linked: tuple[Path | None, object] | None = None
        self.banner = WarningBanner(context.theme, context.actions["file.relink"], self)
        self.view = make_view(player, self)
        _add_menu(self.view, context)
        self._column = column(self.banner, self.view, spacing=0, grows=self.view)
        self.setLayout(self._column)
        session, preferences = context.session, context.preferences
        session.opened.connect(self._opened)
        session.current_plan.changed.connect(self._script_changed)
        session.cursor.playhead_moved.connect(self._write)
        player.changed.connect(self._player_changed)
        self.banner.shown.connect(session.messages.say)
        preferences.changed.connect(self._preference_changed)
        for name, default in (("subtitles", True), ("timecode", False)):
            self._connect_flag(name, default=default)
        context.actions.connect(
            "view.second_screen",
            self.toggle_second_screen,
            lambda: session.script.film.end > 0,
            lambda: self.second_screen is not None,
        )
        player.closing.connect(self._close_second)
        player.canvas_changed.connect(self._replace_views)
        self._opened()

    def open_film(self, path: Path | None) -> None:
        """Play a file, or nothing; the film's length and rate are the script's."""
        film = self._context.session.script.film
        media = film.media
        frames = frames_of(film.frame_rate, media.rate if media else None, varies=bool(media and media.variable_rate))
        self._player.open_film(path, film.end, frames, self._context.session.cursor.playhead)
        self._write()

    def toggle_second_screen(self) -> None:
        """Show the picture in a window of its own, on a second screen if there is one, or close that window."""
        if self.second_screen is not None:
            self._close_second()
            return
        self.second_screen = SecondScreen(self._context, self._player)
        self.second_screen.gone.connect(self._second_gone)
        self.second_screen.view.show_overlay(self.view.overlay)
        self.second_screen.place(self.window())
        self.second_changed.emit(True)
        self._context.actions.refresh()

    def _replace_views(self) -> None:
        self._close_second()
        old, self.view = self.view, make_view(self._player, self)
        _add_menu(self.view, self._context)
        self._column.replaceWidget(old, self.view)
        old.hide()
        old.deleteLater()
        self._write()

    def _close_second(self) -> None:
        if self.second_screen is not None:
            self.second_screen.close()

    def _second_gone(self) -> None:
        if self.second_screen is not None:
            self.second_screen.deleteLater()
            self.second_screen = None
            self.second_changed.emit(False)
            self.window().activateWindow()
            self._context.actions.refresh()

    def _connect_flag(self, name: str, *, default: bool) -> None:
        key = f"picture/{name}"

        def is_on() -> bool:
            return self._context.preferences.flag(key, default=default)

        self._context.actions.connect(
            f"view.{name}", lambda: self._context.preferences.store_flag(key, not is_on()), checked=is_on
        )
        self._context.actions[f"view.{name}"].setChecked(is_on())

    def _preference_changed(self, name: str) -> None:
        if name.startswith("picture/"):
            self._context.actions.refresh()
            self._write()

    def _opened(self) -> None:
        session = self._context.session
        if session.project is None:
            self._close_second()
        self._linked = None
        self.banner.say("", find=False)
        self._link()

    def _script_changed(self, _news: object) -> None:
        self._link()
        self._write()

    def _link(self) -> None:
        """Open the film's file if it is another one than before."""
        session = self._context.session
        film = session.script.film
        project = session.project
        # Another sound track needs no other file.
        media = film.media and replace(film.media, sound_track=None)
        link = (project.path if project else None, (media, film.end, film.frame_rate))
        if link == self._linked:
            return
        self._linked = link
        found = find_video(film.media, project.path) if film.media and project else FoundVideo(VideoState.MISSING)
        self.open_film(found.path if found.state is VideoState.FOUND else None)
        if project is not None:
            self._report_problem(film, found)

    def _report_problem(self, film: Film, found: FoundVideo) -> None:
        if film.media is None:
            self.banner.say("No video: the clock runs. “Relink video…” adds one", find=True, quiet=True)
        elif found.state is VideoState.MISSING:
            self.banner.say(
                f"The video {_name(film.media.path)} is not there; everything but the picture works", find=True
            )
        elif found.state is VideoState.CHANGED:
            self.banner.say(f"{_name(film.media.path)} is another video than this project was made with", find=True)
        elif film.media.rate is None and not film.media.width:
            self.banner.say(f"{_name(film.media.path)} has sound, but no pictures", find=True)
        elif self._player.reason:
            self.banner.say(f"{self._player.reason}; everything else works{REMEDY}", find=False)
        else:
            self.banner.say("", find=False)

    def _player_changed(self, state: PlayerState) -> None:
        if state.error:
            self.banner.say(f"{state.error}; everything but the picture works", find=True)

    def _write(self, _ms: int = 0) -> None:
        session, preferences = self._context.session, self._context.preferences
        at = self._player.state.time
        script = session.script
        overlay = Overlay(
            shown_at(script.cues, at) if preferences.flag("picture/subtitles", default=True) else (),
            timecode(script.film, at) if preferences.flag("picture/timecode", default=False) else "",
        )
        self.view.show_overlay(overlay)
        if self.second_screen is not None:
            self.second_screen.view.show_overlay(overlay)


class SecondScreen(QWidget):
    """A window of its own with another view of the same picture. Escape, or closing it, ends it."""

    gone = Signal()

    def __init__(self, context: Context, player: Player) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setObjectName("second_screen")
        self.setWindowTitle("Picture")
        self.setAccessibleName("Picture in its own window")
        self.view = make_view(player, self)
        _add_menu(self.view, context)
        self.setLayout(column(self.view))
        self._context = context
        # The main window's actions with their keys work here as well.
        self.addActions([context.actions[each.id] for each in ACTIONS if each.id not in _KEYS_ELSEWHERE])

    def place(self, window: QWidget) -> None:
        """Fill the screen on which the main window is not; without a second screen, be an ordinary window."""
        others = [screen for screen in QGuiApplication.screens() if screen is not window.screen()]
        self.resize(SECOND_SIZE)
        if others:
            self.setScreen(others[0])
            self.move(others[0].geometry().topLeft())
            self.showFullScreen()
        else:
            self.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes it; a key that does nothing here says why."""
        actions = self._context.actions
        name = actions.name_of(QKeySequence(event.keyCombination()))
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif name in _KEYS_ELSEWHERE and actions[name].isEnabled():
            self._context.session.messages.say(f"“{BY_ID[name].title}” works in the main window.")
        elif name:
            # The main window knows why it cannot be done.
            QApplication.sendEvent(actions.window, event)
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Report that it was closed."""
        super().closeEvent(event)
        self.gone.emit()


class WarningBanner(QFrame):
    """One sentence over the picture: what is wrong, and what can be done. Hidden otherwise, and never modal."""

    shown = Signal(str)
    """Another sentence is shown, to be announced."""

    def __init__(self, theme: Theme, find: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAccessibleName("About the picture")
        self._theme = theme
        self._dismissed = ""
        self._quiet = False
        self._text = QLabel(wordWrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._mark = QLabel("⚠")
        self._find = QPushButton("Relink video…")
        self._find.setToolTip(find.toolTip())
        self._find.clicked.connect(find.trigger)
        self._dismiss = QPushButton("Dismiss")
        self._dismiss.clicked.connect(self.dismiss)
        parts = row(self._mark, self._text, self._find, self._dismiss, spacing=2 * UNIT, grows=self._text)
        parts.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
        self.setLayout(parts)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self.hide()

    @property
    def sentence(self) -> str:
        """The sentence that is shown."""
        return self._text.text()

    def say(self, sentence: str, *, find: bool, quiet: bool = False) -> None:
        """Show a sentence until it is dismissed; hide for an empty one.

        `find` offers to look for the video; a `quiet` sentence is no warning.
        """
        sentence = sentence and f"{sentence.removesuffix('.')}."
        if not sentence:
            self._dismissed = ""
            self._text.clear()
            self.hide()
        elif sentence not in {self._dismissed, self.sentence}:
            self._text.setText(sentence)
            self.setAccessibleDescription(sentence)
            self._find.setVisible(find)
            self._quiet = quiet
            self._mark.setVisible(not quiet)
            self._apply_theme()
            self.show()
            self.shown.emit(sentence)

    def dismiss(self) -> None:
        """Hide until there is something else to say."""
        self._dismissed = self.sentence
        self._text.clear()
        self.hide()

    def _apply_theme(self) -> None:
        tokens = self._theme.tokens
        ground, edge, text = tokens.warning_wash, tokens.warning, tokens.text
        if self._quiet:
            ground, edge, text = tokens.window, tokens.line, tokens.quiet
        self.setStyleSheet(
            f"#banner {{ background: {ground}; border-bottom: 1px solid {edge}; }}#banner QLabel {{ color: {text}; }}"
        )


_KEYS_ELSEWHERE = frozenset(
    (
        *("edit.find", "edit.find_next", "edit.find_previous", "edit.replace", "edit.select_all"),
        *("line.new", "line.edit", "line.inspect", "line.wording_add", "play.go_to"),
        *("view.next_panel", "view.previous_panel", "plan.report", "plan.by_model", "plan.polish"),
    )
)
"""Actions that put the cursor somewhere in the main window."""


def _add_menu(view: QWidget, context: Context) -> None:
    view.addActions([context.actions[name] for name in ("view.subtitles", "view.timecode", "view.second_screen")])
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)


def _name(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]
