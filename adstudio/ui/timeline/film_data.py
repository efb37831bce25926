"""What is known of the picture and the sound of the film: waveform, shots, thumbnails; each may be missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adstudio.ui.timeline.thumbnails import ThumbnailImages

if TYPE_CHECKING:
    from adstudio.media.peaks import Peaks
    from adstudio.media.shots import Shots
    from adstudio.media.thumbnails import Thumbnails


@dataclass
class FilmData:
    """Filled by the loader, read by the painters. `doing` says by lane what is being made, such as “Sound 43 %”."""

    peaks: Peaks | None = None
    shots: Shots | None = None
    thumbnails: Thumbnails | None = None
    pictures: ThumbnailImages = field(default_factory=ThumbnailImages)
    doing: dict[str, str] = field(default_factory=dict)
