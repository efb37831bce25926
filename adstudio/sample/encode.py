"""Pictures and sound into one MP4, the same bytes of picture every time: one thread, no clock, no random numbers."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import av
import numpy as np
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.error import FFmpegError

from adstudio.core.errors import OutsideFailureError
from adstudio.sample.speech import SAMPLE_RATE, Samples

if TYPE_CHECKING:
    from PIL.Image import Image

FRAME_RATE = 25
_AHEAD = 8
"""How many drawings may wait for the encoder: this bounds the memory."""

_SOUND_FRAME = 1024


def encode(
    target: Path,
    size: tuple[int, int],
    drawings: Callable[[], Iterator[tuple[Image, int]]],
    sound: Samples,
) -> None:
    """Write a film; each drawing comes with the number of frames that it stands.

    Drawings are made in the calling thread and encoded in another.

    Raises:
        OutsideFailureError: when the encoder or the disk fails.
        Whatever `drawings` raises; the target is then worthless, and the caller's to remove.
    """
    try:
        with av.open(str(target), "w", format="mp4", options={"movflags": "+faststart", "fflags": "+bitexact"}) as film:
            _write(film, size, drawings, sound)
    except (FFmpegError, OSError) as error:
        raise OutsideFailureError(f"the sample film could not be written to {target.parent}: {error}") from error


def _write(
    film: OutputContainer, size: tuple[int, int], drawings: Callable[[], Iterator[tuple[Image, int]]], sound: Samples
) -> None:
    picture = film.add_stream("libx264", rate=FRAME_RATE)
    picture.width, picture.height = size
    picture.pix_fmt = "yuv420p"
    picture.thread_count = 1
    picture.codec_context.time_base = Fraction(1, FRAME_RATE)
    picture.options = {
        "preset": "superfast",
        "crf": "19",
        "g": "50",
        "threads": "1",
        "flags": "+bitexact",
        "colorprim": "bt709",
        "transfer": "bt709",
        "colormatrix": "bt709",
    }
    audio = film.add_stream("aac", rate=SAMPLE_RATE, layout="stereo", options={"flags": "+bitexact"})
    audio.bit_rate = 160_000
    waiting: queue.Queue[tuple[Image, int] | None] = queue.Queue(_AHEAD)
    failure: list[BaseException] = []

    def drain() -> None:
        now = 0
        heard = 0
        while (item := waiting.get()) is not None:
            if failure:
                continue
            try:
                drawing, frames = item
                frame = av.VideoFrame.from_image(drawing).reformat(format="yuv420p", dst_colorspace="ITU709")
                for _ in range(frames):
                    frame.pts = now
                    frame.time_base = Fraction(1, FRAME_RATE)
                    film.mux(picture.encode(frame))
                    now += 1
                heard = _sound_until(film, audio, sound, heard, now * SAMPLE_RATE // FRAME_RATE)
            except (FFmpegError, OSError) as error:
                failure.append(error)
        if not failure:
            film.mux(picture.encode(None))
            _sound_until(film, audio, sound, heard, len(sound), last=True)

    worker = threading.Thread(target=drain, name="sample film encoder")
    worker.start()
    try:
        for item in drawings():
            waiting.put(item)
            if failure:
                break
    except BaseException:
        failure.append(InterruptedError())
        raise
    finally:
        waiting.put(None)
        worker.join()
    if failure:
        raise failure[0]


def _sound_until(
    film: OutputContainer, audio: AudioStream, sound: Samples, heard: int, until: int, *, last: bool = False
) -> int:
    # AAC takes 1024 samples at a time; picture and sound go into the file side by side.
    while heard < until and (last or until - heard >= _SOUND_FRAME):
        piece = np.ascontiguousarray(sound[heard : heard + _SOUND_FRAME].T)
        frame = av.AudioFrame.from_ndarray(cast("Any", piece), format="fltp", layout="stereo")
        frame.sample_rate = SAMPLE_RATE
        frame.pts = heard
        frame.time_base = Fraction(1, SAMPLE_RATE)
        film.mux(audio.encode(frame))
        heard += piece.shape[1]
    if last:
        film.mux(audio.encode(None))
    return heard
