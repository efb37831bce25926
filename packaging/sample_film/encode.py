"""Pictures and sound into one MP4, the same bytes of picture every time: one thread, no clock, no random numbers."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar, cast

import av
import numpy as np
from av.error import FFmpegError
from PIL.Image import Image

from adstudio.core.errors import OutsideFailureError
from adstudio.system.files import reason
from sample_film.speech import SAMPLE_RATE, Samples

T = TypeVar("T")

FRAME_RATE = 25
_AHEAD = 6
"""How many drawings may wait for the encoder: this bounds the memory."""

_SOUND_FRAME = 1024
_SOUND_BITS = 128_000  # a second
_PICTURE_OPTIONS = {
    # Slow and small, for the file is made once and shipped; a key frame at least every four seconds, to seek fast.
    "preset": "slow",
    "tune": "animation",
    "crf": "22",
    "g": "100",
    "threads": "1",
    "flags": "+bitexact",
    # x264's tree of macroblocks reads memory that nobody has written: the same film came out in other bytes.
    "x264-params": "mbtree=0",
    "colorprim": "bt709",
    "transfer": "bt709",
    "colormatrix": "bt709",
}

Drawings = Callable[[], Iterator[tuple[Image, int]]]


def encode(target: Path, size: tuple[int, int], drawings: Drawings, sound: Samples) -> None:
    """Write a film; each drawing comes with the number of frames that it stands.

    Drawings are made in the calling thread and encoded in another.

    Raises:
        OutsideFailureError: when the encoder or the disk fails.
        Exception: whatever `drawings` raises; the target is then worthless, and the caller's to remove.
    """
    waiting: queue.Queue[tuple[Image, int] | None] = queue.Queue(_AHEAD)
    given_up = threading.Event()
    failure: list[Exception] = []

    def work() -> None:
        try:
            _write(target, size, iter(waiting.get, None), sound, given_up)
        except (FFmpegError, OSError, ValueError) as error:
            failure.append(error)
            given_up.set()
            # The painter may be waiting for room.
            while waiting.get() is not None:
                pass

    worker = threading.Thread(target=work, name="sample film encoder")
    worker.start()
    try:
        for item in drawings():
            _put(waiting, item, worker)
            if given_up.is_set():
                break
    except BaseException:
        given_up.set()
        raise
    finally:
        _put(waiting, None, worker)
        worker.join()
    if failure:
        why = reason(failure[0]) if isinstance(failure[0], OSError) else str(failure[0])
        raise OutsideFailureError(f"the sample film could not be written: {why}") from failure[0]


def _put(waiting: queue.Queue[T], item: T, worker: threading.Thread) -> None:
    """Hand something over; an encoder that has ended takes nothing more, and must not be waited for."""
    while worker.is_alive():
        with contextlib.suppress(queue.Full):
            waiting.put(item, timeout=0.1)
            return


def _write(
    target: Path,
    size: tuple[int, int],
    items: Iterator[tuple[Image, int]],
    sound: Samples,
    given_up: threading.Event,
) -> None:
    options = {"movflags": "+faststart", "fflags": "+bitexact"}
    # PyAV's types say little; what is used of them is this.
    film = cast("Any", av.open(str(target), "w", format="mp4", options=options))
    with film:
        picture = film.add_stream("libx264", rate=FRAME_RATE, options=_PICTURE_OPTIONS)
        picture.width, picture.height = size
        picture.pix_fmt = "yuv420p"
        picture.thread_count = 1
        audio = film.add_stream("aac", rate=SAMPLE_RATE, layout="stereo", options={"flags": "+bitexact"})
        audio.bit_rate = _SOUND_BITS
        frames = _picture_packets(picture, items)
        heard = 0
        for seen, packets in frames:
            film.mux(packets)
            # AAC takes 1024 samples at a time; picture and sound go into the file side by side.
            while heard + _SOUND_FRAME <= seen * SAMPLE_RATE // FRAME_RATE:
                film.mux(audio.encode(_sound_frame(sound, heard)))
                heard += _SOUND_FRAME
            if given_up.is_set():
                return
        film.mux(picture.encode(None))
        while heard < len(sound):
            film.mux(audio.encode(_sound_frame(sound, heard)))
            heard += _SOUND_FRAME
        film.mux(audio.encode(None))


def _picture_packets(stream: object, items: Iterator[tuple[Image, int]]) -> Iterator[tuple[int, object]]:
    # The number of frames so far and the packets of each; a drawing that stays is not converted again.
    now = 0
    last: Image | None = None
    frame = cast("Any", None)
    frames = cast("Any", av.VideoFrame)
    for drawing, stands in items:
        if drawing is not last:
            frame = frames.from_image(drawing).reformat(format="yuv420p", dst_colorspace="ITU709", threads=1)
            last = drawing
        for _ in range(stands):
            frame.pts = now
            frame.time_base = Fraction(1, FRAME_RATE)
            now += 1
            yield now, cast("Any", stream).encode(frame)


def _sound_frame(sound: Samples, start: int) -> object:
    piece = np.ascontiguousarray(sound[start : start + _SOUND_FRAME].T, dtype=np.float32)
    frame = cast("Any", av.AudioFrame).from_ndarray(piece, format="fltp", layout="stereo")
    frame.sample_rate = SAMPLE_RATE
    frame.pts = start
    frame.time_base = Fraction(1, SAMPLE_RATE)
    return frame
