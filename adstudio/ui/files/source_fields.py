"""What a new project is made from: a video or a length, its subtitles, and the source of description."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.film import Film
from adstudio.core.timebase import MAX_TIME_MS, clock
from adstudio.drafting.companion_files import subtitles_beside
from adstudio.media.messages import Probed
from adstudio.media.sound_tracks import SoundTrack, about_tracks, chosen_track
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.timers import single_shot
from adstudio.ui.files.draft_source_fields import DraftSourceFields, SourceKind
from adstudio.ui.files.subtitle_fields import SubtitleFields
from adstudio.ui.files.typed_path import shown, typed_path
from adstudio.ui.files.video_probe import VideoProbe
from adstudio.ui.widgets.controls import Picker, button, line
from adstudio.ui.widgets.file_dialogs import ALL, VIDEO_FILES, ask_open, is_there
from adstudio.ui.widgets.form import add_row, column, form
from adstudio.ui.widgets.formatting import read_time
from adstudio.ui.widgets.text import heading, note, say_in, warning
from adstudio.ui.widgets.theme import UNIT

REST_MS = 600
"""The pause in typing after which the video is inspected."""


class SourceFields(QWidget):
    """The left side of the assistant; `model` is the name of the model that was chosen last."""

    changed = Signal()
    probed = Signal(object)
    """Probed: the video has been inspected."""
    film_named = Signal(object)
    """Path: the file that the project may be named after."""

    def __init__(self, jobs: Jobs, model: str = "") -> None:
        super().__init__()
        self.found: Probed | None = None
        self._video_problem = ""
        self._prober = VideoProbe(jobs, self)
        self._prober.found.connect(self._inspected)
        self._prober.failed.connect(self._refuse)
        self.video_field = line("Video", "None (a length is enough)")
        self._rest = single_shot(self, REST_MS, self._typed)
        self.video_field.textEdited.connect(lambda _: self._rest.start())
        self.video_field.editingFinished.connect(self._typed)
        self.length_field = line("Length of the film", "such as 1:42:03.5")
        self.length_field.textChanged.connect(lambda _: self.changed.emit())
        self.track_field = Picker("Sound track to listen to")
        self.track_field.currentIndexChanged.connect(lambda _: self.changed.emit())
        self._what = note("Contents of the video")
        self._wrong = warning("Problem with the video")
        self.subtitles = SubtitleFields()
        self.subtitles.changed.connect(self._dialogue_changed)
        self.text = DraftSourceFields(
            lambda: self.end, lambda: self._video or self.subtitles.path, lambda: self.subtitles.cues, model
        )
        film = form()
        add_row(film, "&Video", self.video_field, button("Ch&oose…", "Choose the video", self._ask_video))
        add_row(film, "Len&gth", self.length_field)
        add_row(film, "Sound trac&k", self.track_field)
        self._film = film
        layout = column(
            *(heading("Film"), film, self._what, self._wrong, 2 * UNIT),
            *(heading("Dialogue"), self.subtitles, 2 * UNIT),
            *(heading("Source of description"), self.text, 2 * UNIT),
            *(heading("Dialogue preview"), self.subtitles.preview),
            spacing=2 * UNIT,
            grows=self.subtitles.preview,
        )
        self.setLayout(layout)
        self._video: Path | None = None
        self._taken = ""
        say_in(self._what, "")
        self._offer_tracks(())
        self.text.changed.connect(self.changed)

    @property
    def video(self) -> Path | None:
        """The video; None if only a length is given."""
        return self._video

    @property
    def looking(self) -> bool:
        """Whether the video is still being inspected."""
        return self._prober.busy

    @property
    def end(self) -> int | None:
        """The film's length in milliseconds, if known: of the video, as typed, or until the last line of dialogue."""
        if self._video is not None:
            return self.stated_end
        return self.stated_end or max((cue.end for cue in self.subtitles.cues), default=0) or None

    @property
    def stated_end(self) -> int | None:
        """The film's length in milliseconds, of the video or as typed; None if it is known only from the dialogue."""
        if self._video is not None:
            return self.found.probe.duration if self.found is not None else None
        try:
            return self.typed_end
        except BadInputError:
            return None

    @property
    def untouched(self) -> bool:
        """Whether nothing has been given yet."""
        given = self.video_field.text() or self.length_field.text() or self.text.path
        return not given and self.subtitles.path is None

    @property
    def typed_end(self) -> int | None:
        """The length typed; None if there is none.

        Raises:
            BadInputError: for what is no length of a film.
        """
        text = self.length_field.text().strip()
        if not text:
            return None
        end = read_time(Film("", 0), text)
        if not 0 < end <= MAX_TIME_MS:
            raise BadInputError("The length must be between 0 and 100 hours: type it as 1:42:03.5")
        return end

    @property
    def problem(self) -> str:
        """Why no project can be created, in a sentence; empty if one can."""
        if self._video_problem or self.subtitles.problem or self.text.problem:
            return self._video_problem or self.subtitles.problem or self.text.problem
        if self._video is not None:
            return ""
        if self.text.kind is SourceKind.MODEL:
            return "A model needs the film’s pictures: choose the video."
        try:
            if self.typed_end is None and self.end is None:
                return "Choose a video or subtitles, or give a length."
        except BadInputError as error:
            return str(error)
        return ""

    @property
    def oddities(self) -> list[str]:
        """The issues in the sources, each with its file's name and line."""
        return [
            *located(self.video, self._about_video()),
            *located(self.subtitles.path, self.subtitles.oddities),
            *located(self.text.path, self.text.oddities),
        ]

    @property
    def sound_track(self) -> int | None:
        """The number of the chosen sound track; None for the one that is used anyway."""
        return self.track_field.currentData()

    def _about_video(self) -> tuple[Oddity, ...]:
        if self.found is None:
            return ()
        probe = self.found.probe
        return (*probe.oddities, *about_tracks(probe.sound_tracks, self.sound_track))

    def _offer_tracks(self, tracks: Sequence[SoundTrack]) -> None:
        """Offer the sound tracks of a video, where there is something to choose."""
        usual = chosen_track(tracks)
        with QSignalBlocker(self.track_field):
            self.track_field.clear()
            for track in tracks:
                self.track_field.addItem(track.name, None if track is usual else track.number)
            self.track_field.setCurrentIndex(-1 if usual is None else tracks.index(usual))
        self._film.setRowVisible(self.track_field, len(tracks) > 1)

    def take_video(self, video: Path | None) -> None:
        """Take a video: inspect it in the background, and offer the files beside it."""
        text = "" if video is None else str(video)
        if self.video_field.text() != text:
            self.video_field.setText(text)
        self._rest.stop()
        self._taken = text
        self._take(video)

    def _take(self, video: Path | None) -> None:
        if video is not None and video == self._video and not self._video_problem:
            return
        self._video, self.found, self._video_problem = video, None, ""
        self.length_field.setReadOnly(video is not None)
        self.length_field.clear()
        self.subtitles.set_sound(sound=False)
        self._offer_tracks(())
        say_in(self._wrong, "")
        if video is None:
            self._prober.forget()
            say_in(self._what, "")
        else:
            say_in(self._what, "Inspecting the video…")
            self._prober.inspect(video)
            self.film_named.emit(video)
            self.subtitles.offer(subtitles_beside(video))
            self.text.offer(video)
        self.changed.emit()

    def stop(self) -> None:
        """Stop inspecting."""
        self._rest.stop()
        self._prober.forget()

    def _typed(self) -> None:
        """Take what is typed, without changing the field."""
        self._rest.stop()
        text = self.video_field.text().strip()
        if text == self._taken:
            return
        self._taken = text
        try:
            video = _video_of(text) if text else None
        except BadInputError as error:
            self._take(None)
            self._refuse(str(error))
        else:
            self._take(video)

    def _ask_video(self) -> None:
        start = self._video.parent if self._video else Path.home()
        video = ask_open(self, "Choose the video", start, (VIDEO_FILES, ALL))
        if video is not None:
            self.take_video(video)

    def _inspected(self, probed: Probed) -> None:
        probe = probed.probe
        if not probe.has_video:
            self._refuse(f"{probed.media.path} has sound but no picture: choose the film itself")
            return
        self.found = probed
        self.length_field.setText(clock(probe.duration).removeprefix("00:"))
        picture = f"{probe.width} × {probe.height}"
        frames = "frame" if probe.rate == 1 else "frames"
        rate = "" if probe.rate is None else f"{float(probe.rate):.6g} {frames} per second"
        sound = "with sound" if probe.has_audio else "without sound"
        say_in(self._what, " · ".join(part for part in (picture, rate, sound) if part))
        self._offer_tracks(probe.sound_tracks)
        self.subtitles.set_sound(sound=probe.has_audio)
        self.probed.emit(probed)
        self.text.read()

    def _refuse(self, sentence: str) -> None:
        self._video_problem = sentence
        say_in(self._what, "")
        say_in(self._wrong, sentence)
        self.changed.emit()

    def _dialogue_changed(self) -> None:
        if self._video is None and self.subtitles.path is not None:
            self.film_named.emit(self.subtitles.path)
        if self.text.kind is SourceKind.SCREENPLAY:
            self.text.read()  # the dialogue shows what is spoken in it
        else:
            self.changed.emit()


def located(path: Path | None, oddities: Sequence[Oddity]) -> list[str]:
    """Oddities of a file, each with the file's name and line."""
    name = path.name if path else ""
    return [f"{name}{f', line {odd.line}' if odd.line else ''}: {odd.what}" for odd in oddities]


def _video_of(text: str) -> Path:
    video = typed_path(text)
    if not is_there(video):
        raise BadInputError(f"No file {shown(video.name)} in {shown(str(video.parent))}.")
    return video
