"""What a screen reader says of keys whose result is only seen: switches, the playhead, the part in view, the layout."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAccessible

from adstudio.ui.actions.table import BY_ID
from adstudio.ui.background.timers import single_shot
from adstudio.ui.picture.player import Player
from adstudio.ui.session.context import Context
from adstudio.ui.timeline.timeline import Timeline
from adstudio.ui.widgets.formatting import duration, timecode

SWITCHES = (
    *("play.mute", "hear.film", "hear.cues", "hear.line_cues", "view.follow", "view.snap"),
    *("view.picture", "view.second_screen", "view.subtitles", "view.timecode"),
)
MOVES = (
    *("play.toggle", "play.toggle_anywhere", "play.back", "play.stop", "play.forward", "play.frame_back"),
    *("play.frame_forward", "play.second_back", "play.second_forward"),
)
VIEWS = ("view.zoom_in", "view.zoom_out", "view.fit_film")
LAYOUTS = ("view.layout_write", "view.layout_review", "view.layout_listen")
LANDED_MS = 200
"""From a key until the player is where it leads; a key that is held down is answered once it is let go."""


class SeenResults:
    """Connected after the actions themselves, so that it says what has become of them."""

    def __init__(self, context: Context, player: Player, timeline: Timeline, announce: Callable[[str], object]) -> None:
        self._context, self._player, self._timeline, self._announce = context, player, timeline, announce
        self._landed = single_shot(context.actions.window, LANDED_MS, self._say_place)
        for names, say in (
            (SWITCHES, self._say_switch),
            (MOVES, lambda _: self._landed.start()),
            (VIEWS, self._say_view),
            (LAYOUTS, lambda name: self._announce(BY_ID[name].title)),
        ):
            for name in names:
                context.actions[name].triggered.connect(lambda *_, name=name, say=say: self._answer(name, say))

    def _answer(self, name: str, say: Callable[[str], object]) -> None:
        if QAccessible.isActive() and self._context.session.project is not None:
            say(name)

    def _say_switch(self, name: str) -> None:
        self._context.actions.refresh()
        self._announce(f"{BY_ID[name].title}: {'on' if self._context.actions[name].isChecked() else 'off'}")

    def _say_view(self, _name: str) -> None:
        start, end = self._timeline.view.shown
        self._announce(f"{duration(round(end - start))} in view")

    def _say_place(self) -> None:
        state = self._player.state
        if state.playing:
            pace = "" if abs(state.pace) == 1 else f" at {abs(state.pace):g} times the speed"
            self._announce(f"Playing{' backwards' if state.pace < 0 else ''}{pace}")
        else:
            self._announce(timecode(self._context.session.script.film, self._context.session.cursor.playhead))
