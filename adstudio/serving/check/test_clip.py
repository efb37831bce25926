"""A test clip with numbered frames, encoded like a film's clips, and distinct copies of it."""

from __future__ import annotations

import struct
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, cast

from adstudio.core.timebase import Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from PIL.Image import Image

FRAMES = 40
"""More than the 32 frames that servers sample from a clip by default."""
SIZE = (320, 180)


def numbered_clip() -> bytes:
    """An MP4 of `FRAMES` frames, one per second; frame k shows the number k.

    Raises:
        MediaError: if this machine cannot encode video.
    """
    from adstudio.media.clips import make_clip

    with TemporaryDirectory(prefix="adstudio-check-") as folder:
        film = Path(folder) / "film.mp4"
        _film(film)
        data = b""
        for stage in make_clip(film, Span(0, FRAMES * 1000)):
            data = stage.take()
    return data


def distinct_copy(clip: bytes, number: int) -> bytes:
    """The same frames in different bytes, so that a server's cache treats it as another clip."""
    return clip + struct.pack(">I4sQ", 16, b"free", number)


def _film(file: Path) -> None:
    import av
    import numpy as np

    out = cast("Any", av.open(str(file), "w", format="mp4"))
    stream = out.add_stream("libx264", rate=Fraction(1), options={"preset": "ultrafast", "crf": "18"})
    stream.width, stream.height = SIZE
    stream.pix_fmt = "yuv420p"
    stream.thread_count = 1
    for number, picture in enumerate(_pictures()):
        frame = av.VideoFrame.from_ndarray(np.asarray(picture, dtype=np.uint8), format="rgb24")
        frame.pts, frame.time_base = number, Fraction(1)
        out.mux(stream.encode(frame))
    out.mux(stream.encode(None))
    out.close()


def _pictures() -> Iterator[Image]:
    from PIL import Image, ImageDraw

    for number in range(FRAMES):
        picture = Image.new("RGB", SIZE, (16, 24, 40))
        middle = (SIZE[0] / 2, SIZE[1] / 2)
        ImageDraw.Draw(picture).text(middle, str(number), fill="white", font_size=110, anchor="mm")
        yield picture
