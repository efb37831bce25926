"""A clip whose pictures are numbered, made as clips of a film are; and the same clip again as another one."""

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
"""More than the 32 to which servers cut a clip when nobody tells them not to."""
SIZE = (320, 180)


def numbered_clip() -> bytes:
    """An MP4 of `FRAMES` pictures, one a second; picture k has k painted in the middle.

    Raises:
        MediaError: where this machine cannot encode.
    """
    from adstudio.media.clips import make_clip

    with TemporaryDirectory(prefix="adstudio-check-") as folder:
        film = Path(folder) / "film.mp4"
        _film(film)
        data = b""
        for stage in make_clip(film, Span(0, FRAMES * 1000)):
            data = stage.take()
    return data


def another(clip: bytes, number: int) -> bytes:
    """The same pictures in other bytes: to a server's cache it is another clip."""
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
