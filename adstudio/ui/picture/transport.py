"""The transport bar, and all actions of the Play menu but those that go from line to line."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QLocale, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QSizePolicy, QSlider, QToolButton, QWidget

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.timebase import Span
from adstudio.ui.picture.playback_state import LOUDEST, PlayerState
from adstudio.ui.picture.player import Player
from adstudio.ui.picture.space_key import SpaceKey
from adstudio.ui.session.context import Context
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.controls import Picker
from adstudio.ui.widgets.fitted_width import TIME_SAMPLE, FittedWidth
from adstudio.ui.widgets.form import row
from adstudio.ui.widgets.formatting import read_time, timecode
from adstudio.ui.widgets.icons import icon, icon_size
from adstudio.ui.widgets.text import unmarked, words
from adstudio.ui.widgets.text_field import takes_escape
from adstudio.ui.widgets.theme import UNIT, time_font

SPEEDS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 4.0, 8.0)
SECOND_MS = 1000
AROUND_MS = 1000
"""How much of the film is played on either side of a gap."""


class TimeField(QLineEdit):
    """A timecode; Return goes to the time typed (`62.5`, `1,5`, `1:02:03.5` or a timecode), Escape cancels."""

    asked = Signal(int)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, alignment=Qt.AlignmentFlag.AlignHCenter)
        self.setAccessibleName("Time in the film")
        self._film = Film("", 0)
        self._ms = 0
        self._previous_focus: QWidget | None = None
        self.setToolTip("The time in the film. Type a time or a timecode and press Return to go there.")
        self.setFont(time_font())
        FittedWidth(self, TIME_SAMPLE, 6 * UNIT)
        self.returnPressed.connect(self._go)

    def show_time(self, film: Film, ms: int) -> None:
        """Show a time, unless another one is being typed."""
        self._film, self._ms = film, ms
        if not self.hasFocus():
            self._show()

    def begin(self) -> None:
        """Start typing a time; the focus then returns to where it was."""
        self._previous_focus = QApplication.focusWidget()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Stop following the film while a time is typed."""
        super().focusInEvent(event)
        self._show()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Follow the film again."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._show()

    def event(self, event: QEvent) -> bool:
        """Escape is for the field, whatever else it does in the window."""
        return takes_escape(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Cancel on Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _show(self) -> None:
        self.setText(timecode(self._film, self._ms))

    def _go(self) -> None:
        try:
            ms = read_time(self._film, self.text())
        except BadInputError as error:
            self.refused.emit(str(error))
            self.selectAll()
            return
        self._ms = max(0, min(ms, self._film.end))
        self._leave()
        self.asked.emit(ms)

    def _leave(self) -> None:
        previous, self._previous_focus = self._previous_focus, None
        if previous is not None and previous is not self and previous.isVisible():
            previous.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.clearFocus()
        self._show()


class Transport(QWidget):
    """Play, frames, shuttle, time, speed, volume and loop."""

    def __init__(self, context: Context, player: Player, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("transport")
        self.setAccessibleName("Transport")
        self._context = context
        self._player = player
        self._film: Film | None = None
        self._icons: dict[str, tuple[str, str, str, int]] = {}
        self._buttons: list[QToolButton] = []
        self.time = TimeField(self)
        self.length = words(quiet=True, figures=True)
        self.shuttle = words(quiet=True, figures=True)
        self.speed = Picker("Speed")
        self.volume = QSlider(Qt.Orientation.Horizontal)
        self._build()
        self._connect_actions()
        window = context.actions.window
        if isinstance(window, QWidget):
            SpaceKey(window)
        self.time.asked.connect(context.session.cursor.seek)
        self.time.refused.connect(context.session.messages.say)
        self.speed.currentIndexChanged.connect(lambda index: player.set_speed(SPEEDS[index]))
        self.volume.valueChanged.connect(self._volume_chosen)
        player.moved.connect(self._show_time)
        player.changed.connect(self._show)
        context.session.opened.connect(self._film_changed)
        context.session.current_plan.changed.connect(self._film_changed)
        context.theme.changed.connect(self._fit)
        stored = context.preferences.text("volume", str(LOUDEST))
        player.set_volume(int(stored) if stored.isdecimal() else LOUDEST)
        self._fit()
        self._film_changed()

    def _build(self) -> None:
        self.length.setAccessibleName("Length of the film")
        self.shuttle.setAccessibleName("Shuttle")
        self.shuttle.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for speed in SPEEDS:
            self.speed.addItem(f"{QLocale().toString(speed, 'g', 3)}×", speed)
        self.speed.setCurrentIndex(SPEEDS.index(1.0))
        self.speed.setToolTip("How fast the film plays")
        self.volume.setRange(0, LOUDEST)
        self.volume.setFixedWidth(20 * UNIT)
        self.volume.setAccessibleName("Volume of the film")
        self.volume.setToolTip("Volume of the film")
        moves = [self._button(name) for name in ("play.frame_back", "play.toggle", "play.frame_forward")]
        modes = [self._button(name) for name in ("play.loop_gap", "play.mute")]
        self.setLayout(row(*moves, self.time, self.length, self.speed, *modes, self.volume, self.shuttle, spacing=UNIT))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def _button(self, name: str) -> QToolButton:
        action = self._context.actions[name]
        # A menu would show the icon in place of the tick.
        action.setIconVisibleInMenu(not action.isCheckable())
        button = QToolButton()
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setAccessibleName(unmarked(action.text()))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._buttons.append(button)
        return button

    def _connect_actions(self) -> None:
        player, actions = self._player, self._context.actions
        for name, do in (
            ("play.toggle", player.toggle),
            ("play.toggle_anywhere", player.toggle),
            ("play.back", lambda: player.shuttle(-1)),
            ("play.stop", player.pause),
            ("play.forward", lambda: player.shuttle(1)),
            ("play.frame_back", lambda: player.step(-1)),
            ("play.frame_forward", lambda: player.step(1)),
            ("play.second_back", lambda: player.seek(player.state.time - SECOND_MS)),
            ("play.second_forward", lambda: player.seek(player.state.time + SECOND_MS)),
            ("play.go_to", self.time.begin),
        ):
            actions.connect(name, do, self._has_film)
        actions.connect("play.loop_gap", self._toggle_loop, self._has_film, lambda: player.loop is not None)
        actions.connect(
            "play.mute", lambda: player.set_mute(not player.state.mute), self._has_film, lambda: player.state.mute
        )

    def _has_film(self) -> bool:
        return self._context.session.script.film.end > 0

    def _toggle_loop(self) -> None:
        player = self._player
        say, film = self._context.session.messages.say, self._context.session.script.film
        if player.loop is not None:
            player.set_loop(None)
            say("The gap is no longer repeated.")
            return
        gap = current_gap(self._context.session, player.state.time)
        if gap is None:
            say("There is no gap to loop.")
            self._show(player.state)
            return
        around = with_a_second(gap, player.state.duration)
        player.set_loop(around)
        if not around.start <= player.state.time < around.end:
            player.seek(around.start)
        player.play()
        say(f"Repeating the gap at {timecode(film, gap.start)}.")

    def _volume_chosen(self, percent: int) -> None:
        self._player.set_volume(percent)
        self._context.preferences.store("volume", str(percent))

    def _film_changed(self, _news: object = None) -> None:
        film = self._context.session.script.film
        if film is self._film:
            return
        self._film = film
        self.length.setText(timecode(film, film.end))
        self._show_time(self._player.state.time)
        self._show(self._player.state)

    def _show_time(self, ms: int) -> None:
        self.time.show_time(self._context.session.script.film, ms)

    def _show(self, state: PlayerState) -> None:
        self.shuttle.setText(f"{'▶▶' if state.shuttle > 0 else '◀◀'} {abs(state.shuttle)}×" if state.shuttle else "")
        with QSignalBlocker(self.volume), QSignalBlocker(self.speed):
            self.volume.setValue(state.volume)
            self.speed.setCurrentIndex(_nearest(state.speed))
        actions = self._context.actions
        actions["play.loop_gap"].setChecked(self._player.loop is not None)
        actions["play.mute"].setChecked(state.mute)
        self._show_icons()

    def _fit(self) -> None:
        """Take over another theme, or another size of text."""
        self.shuttle.setMinimumWidth(self.shuttle.fontMetrics().horizontalAdvance("◀◀ 8×"))
        for button in self._buttons:
            button.setIconSize(QSize(icon_size(), icon_size()))
        self._show_icons()

    def _show_icons(self) -> None:
        tokens, state = self._context.theme.tokens, self._player.state
        for name, sign in (
            ("play.toggle", "pause" if state.playing else "play"),
            ("play.frame_back", "back"),
            ("play.frame_forward", "forward"),
            ("play.loop_gap", "loop"),
            ("play.mute", "mute" if state.mute else "loud"),
        ):
            look = (sign, tokens.text, tokens.faint, icon_size())
            if self._icons.get(name) != look:
                self._icons[name] = look
                self._context.actions[name].setIcon(icon(*look[:3]))


def _nearest(speed: float) -> int:
    return min(range(len(SPEEDS)), key=lambda index: abs(SPEEDS[index] - speed))


def current_gap(session: Session, at: int) -> Span | None:
    """The selected gap, else that of the selected line, else the one at a time, else the nearest."""
    line = session.cursor.line
    delivery = session.plan.by_line.get(line.id) if line is not None else None
    return (
        session.cursor.selection.gap
        or (session.current_plan.gap_at(delivery.start) if delivery is not None else None)
        or session.current_plan.gap_at(at)
        or min(session.gaps, key=lambda gap: max(gap.start - at, at - gap.end), default=None)
    )


def with_a_second(gap: Span, film_end: int) -> Span:
    """The gap and a second of film on either side, within the film."""
    return Span(max(0, gap.start - AROUND_MS), max(gap.start, min(film_end, gap.end + AROUND_MS)))
