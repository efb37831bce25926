"""Relinking a project's video; a different video is only taken if the describer says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from adstudio.core.errors import AdstudioError
from adstudio.core.film import Film
from adstudio.core.steps import SetFilm
from adstudio.store.media import fingerprint, relink
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.file_dialogs import ALL, VIDEO_FILES, ask, ask_open, tell
from adstudio.ui.widgets.formatting import duration

if TYPE_CHECKING:
    from adstudio.media.messages import Probed
    from adstudio.ui.files.video_probe import VideoProbe

WAS_ALLOWED = " Sharing was allowed for the current video: nothing of the other one is shared until you allow it again."
ASKED_AGAIN = " Nothing of it is shared until you allow it again, under File → AI services… → Privacy."


class Relink(QObject):
    """Asks for the video, inspects it in the background if it is a different one, and links it to the project."""

    def __init__(self, context: Context, window: QWidget) -> None:
        super().__init__(window)
        self._session = context.session
        self._jobs = context.jobs
        self._window = window
        self._prober: VideoProbe | None = None

    def ask(self) -> None:
        """Ask for the video and take it."""
        project = self._session.project
        if project is None:
            return
        media = self._session.script.film.media
        there = Path(media.path).parent if media is not None else project.path.parent
        start = there if there.is_dir() else project.path.parent
        video = ask_open(self._window, "Relink video", start, (VIDEO_FILES, ALL))
        if video is not None:
            self.take(video)

    def take(self, video: Path) -> None:
        """Link a video to the project, as one undo step; a different one is inspected and asked about first."""
        project, film = self._session.project, self._session.script.film
        if project is None:
            return
        try:
            if film.media is not None and fingerprint(video) == film.media.fingerprint:
                self._session.edits.do(_unless_same(relink(film, video, project.path)))
                self._session.messages.say(f"The video is {video.name}.")
                return
        except AdstudioError as error:
            tell(self._window, f"{error}.")
            return
        self._session.messages.say(f"Inspecting {video.name}.")
        self._probe.inspect(video)

    @property
    def _probe(self) -> VideoProbe:
        # Imported when it is needed, as the start of the program needs nothing of it.
        from adstudio.ui.files.video_probe import VideoProbe

        if self._prober is None:
            self._prober = VideoProbe(self._jobs, self)
            self._prober.found.connect(self._measured)
            self._prober.failed.connect(lambda sentence: tell(self._window, sentence))
            self._session.opened.connect(self._prober.forget)
        return self._prober

    def _measured(self, probed: Probed) -> None:
        project, film = self._session.project, self._session.script.film
        video = self._probe.video
        if project is None or video is None:
            return
        if not probed.probe.has_video:
            tell(self._window, f"{video.name} has sound but no picture: choose the film itself.")
            return
        if not self._confirmed(film, video, probed.media.duration):
            return
        try:
            step = relink(film, video, project.path, measured=probed.media)
        except AdstudioError as error:
            tell(self._window, f"{error}.")
            return
        # The film lasts as long as its video does.
        self._session.edits.do(_unless_same(SetFilm(film, replace(step.new, end=probed.media.duration))))
        self._session.messages.say(f"The video is {video.name}.{ASKED_AGAIN if project.policy.lapsed else ''}")

    def _confirmed(self, film: Film, video: Path, length: int) -> bool:
        if film.media is None and film.end == length:
            return True
        here, there = duration(length), duration(film.end)
        if film.media is None:
            text = f"{video.name} lasts {here}, the project {there}."
        else:
            lasts = "lasts as long" if film.end == length else f"lasts {here} instead of {there}"
            text = f"{video.name} is not the video that this project was made with: it {lasts}."
        project = self._session.project
        allows = project is not None and project.policy.rule != "offline"
        detail = f"The times of dialogue and lines do not change.{WAS_ALLOWED if allows else ''}"
        return ask(self._window, text, detail, ("Use this video",)) == 0


def _unless_same(step: SetFilm) -> SetFilm | None:
    return None if step.old == step.new else step
