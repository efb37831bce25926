"""A clip of some pictures and the subtitles that go with it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

SRT = (
    "1\n00:00:10,000 --> 00:00:14,000\n- Wer ist da?\n\n"
    "2\n00:00:18,000 --> 00:00:22,000\nGünter. Ich bin’s.\n\n"
    "3\n00:00:24,000 --> 00:00:25,000\n[door creaks]\n"
)


def make_clip(path: Path, frames: int) -> Path:
    import av
    import numpy as np

    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream("mpeg4", rate=Fraction(24000, 1001))
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(frames):
            picture = np.full((48, 64, 3), number * 5 % 256, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return path
