"""What is known of the picture and the sound of the film: waveform, shots, thumbnails; each may be missing.

Thumbnails are decoded a few at a time between two paintings, as a dozen at once would be noticed.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QImage

from adstudio.ui.timeline.seen_people import SeenPeople

if TYPE_CHECKING:
    from adstudio.media.peaks import Peaks
    from adstudio.media.shots import Shots
    from adstudio.media.thumbnails import Thumbnail, Thumbnails

CACHED_THUMBNAILS = 300
"""Images kept, about 60 kB each."""
AT_ONCE_S = 0.004
"""Seconds spent on decoding between two turns of the event loop."""


class ThumbnailImages(QObject):
    """Decodes thumbnails as they are asked for, and caches the images."""

    decoded = Signal(int, int)
    """The image for this part of the film is ready: start and end in milliseconds."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ready: OrderedDict[int, QImage] = OrderedDict()
        self._wanted: OrderedDict[int, Thumbnail] = OrderedDict()
        self._height = 0
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._decode)

    def image(self, thumbnail: Thumbnail, height: int) -> QImage | None:
        """The image, `height` pixels of the screen high; None: `decoded` follows when it is ready."""
        if height != self._height:
            self._height = height
            self._ready.clear()
        found = self._ready.get(thumbnail.start)
        if found is None:
            self._wanted[thumbnail.start] = thumbnail
            if len(self._wanted) > CACHED_THUMBNAILS // 2:
                self._wanted.popitem(last=False)
            self._timer.start()
        return found

    def forget(self) -> None:
        """Another film: drop everything."""
        self._timer.stop()
        self._wanted.clear()
        self._ready.clear()

    def _decode(self) -> None:
        began = perf_counter()
        while self._wanted and perf_counter() - began < AT_ONCE_S:
            _, thumbnail = self._wanted.popitem()  # what was asked for last is in view
            image = QImage.fromData(thumbnail.jpeg, "JPG")  # pyright: ignore[reportCallIssue, reportArgumentType]
            if image.isNull():
                image = QImage(1, 1, QImage.Format.Format_RGB32)
                image.fill(Qt.GlobalColor.black)
            smooth = Qt.TransformationMode.SmoothTransformation
            scaled = image.scaledToHeight(self._height, smooth).convertToFormat(QImage.Format.Format_RGB32)
            self._ready[thumbnail.start] = scaled
            while len(self._ready) > CACHED_THUMBNAILS:
                self._ready.popitem(last=False)
            self.decoded.emit(thumbnail.start, thumbnail.end)
        if not self._wanted:
            self._timer.stop()


@dataclass(frozen=True)
class LineWave:
    """The waveform of a spoken line: its greatest amplitude in each hundredth of a second, 0 to 255 for full scale.

    `text` is what is spoken, `source` all that decides how.
    """

    text: str
    source: object
    peaks: bytes


@dataclass
class FilmData:
    """Filled by the loader, read by the painters. `doing` says by lane what is being made, such as “Sound 43 %”."""

    peaks: Peaks | None = None
    shots: Shots | None = None
    thumbnails: Thumbnails | None = None
    people: SeenPeople = field(default_factory=SeenPeople)
    pictures: ThumbnailImages = field(default_factory=ThumbnailImages)
    doing: dict[str, str] = field(default_factory=dict)
    waves: dict[str, LineWave] = field(default_factory=dict)
    """Of lines that have been spoken or recorded, by their ids."""
