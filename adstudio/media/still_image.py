"""One picture of a film, or of a file, small enough to be looked at: what a face is cut out of.

It is made in a process of its own, as what somebody else wrote may bring a decoder down:
`python -m adstudio.media.still_image REQUEST`, a line of JSON back.

{"picture": "/…/anna.jpg"}   {"film": "/…/film.mkv", "at": 61500}
{"still": "base64 of a JPEG"}
{"error": "one sentence"}
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import signal
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.timebase import MAX_TIME_MS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from av.video.frame import VideoFrame

MODULE = "adstudio.media.still_image"
"""What the process runs."""
LONGEST_SIDE = 1920
"""Pixels of the longer side of what is looked at."""
LONGEST_SENTENCE = 2_000
LARGEST = 8_000_000
"""Bytes of the largest still that is taken from the process."""
_QUALITY = 92
_FURTHEST = 1000
"""Pictures that are decoded at most to come to the one that is shown at a time."""
_EARLIER = (0, 2, 10)
_STOPPED = 130


@dataclass(frozen=True)
class Still:
    """A JPEG."""

    data: bytes


@dataclass(frozen=True)
class Failed:
    """Why there is none, in one sentence."""

    sentence: str


def of_picture(path: Path) -> list[str]:
    """The arguments of `MODULE` for a picture's file."""
    return [json.dumps({"picture": os.path.normpath(path.absolute())})]


def of_film(path: Path, at: int) -> list[str]:
    """The arguments of `MODULE` for a film's picture at a time (ms)."""
    return [json.dumps({"film": os.path.normpath(path.absolute()), "at": at})]


def read_said(line: bytes | str) -> Still | Failed | None:
    """What the process said; None for anything else."""
    try:
        found: Any = json.loads(line)
        if not isinstance(found, dict):
            return None
        fields = cast("dict[str, Any]", found)
        if "error" in fields:
            return Failed(str(fields["error"])[:LONGEST_SENTENCE])
        data = base64.b64decode(str(fields["still"]), validate=True)
        return Still(data) if len(data) <= LARGEST else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def film_picture(path: Path, at: int) -> bytes:
    """The picture that a film shows at a time (ms), upright, of square pixels, as a JPEG.

    Raises:
        MediaError: for what is no film, or has no picture there.
        OutsideFailureError: where it may not be read.
    """
    from av.error import FFmpegError

    from adstudio.media.opening import MOST_PIXELS, MediaError, film_start, opened, picture_stream, pictures
    from adstudio.media.packets import MICROSECOND

    with opened(path) as container:
        stream = picture_stream(container)
        if stream is None:
            raise MediaError(f"{path} has no pictures")
        stream.thread_type = "AUTO"
        if stream.codec_context is not None:  # pyright: ignore[reportUnnecessaryComparison] - it is for unknown codecs
            stream.codec_context.options = {"max_pixels": str(MOST_PIXELS)}
        start = film_start(container)
        for earlier in _EARLIER:
            target = max(Fraction(at, 1000) - earlier, Fraction(0))
            with contextlib.suppress(FFmpegError):
                container.seek(int((start + target) / (stream.time_base or MICROSECOND)), stream=stream)
            found = _shown_at(pictures(container, stream), float(start), at)
            if found is not None and (found[0] <= at or target == 0 or earlier == _EARLIER[-1]):
                return _jpeg(found[1], stream.sample_aspect_ratio)
    raise MediaError(f"{path} shows no picture at that time: stand at another one")


def _shown_at(shown: Iterator[VideoFrame], start: float, at: int) -> tuple[int, VideoFrame] | None:
    """The last picture at or before a time, else the first of all, with its own time."""
    from adstudio.media.opening import film_time

    best: tuple[int, VideoFrame] | None = None
    for number, picture in enumerate(shown):
        seconds = film_time(picture, start)
        if seconds is None or number > _FURTHEST:
            break
        time = round(seconds * 1000)
        if time > at:
            return best or (time, picture)
        best = time, picture
    return best


def _jpeg(picture: VideoFrame, pixel: Fraction | None) -> bytes:
    import numpy as np
    from PIL import Image

    wide = max(round(picture.width * (pixel or Fraction(1))), 1)
    shrink = min(1.0, LONGEST_SIDE / max(wide, picture.height))
    size = max(round(wide * shrink), 1), max(round(picture.height * shrink), 1)
    small = picture.reformat(*size, "rgb24", interpolation="AREA").to_ndarray()
    upright = np.ascontiguousarray(np.rot90(small, k=round(picture.rotation / 90)))
    found = io.BytesIO()
    Image.fromarray(upright).save(found, "JPEG", quality=_QUALITY)
    return found.getvalue()


def main(given: list[str] | None = None) -> int:
    """Make what is asked; the exit code is 0, that of the failure, or 130 where it was stopped."""
    from adstudio.system.child_process import leash, voice

    (request,) = sys.argv[1:] if given is None else given
    signal.signal(signal.SIGTERM, _end)
    try:
        with leash(_end), voice() as write:
            code, said = _made(request)
            write(json.dumps(said))
            return code
    except (KeyboardInterrupt, BrokenPipeError):
        return _STOPPED


def _made(request: str) -> tuple[int, dict[str, str]]:
    try:
        asked = cast("dict[str, Any]", json.loads(request))
        if "film" in asked:
            at = min(max(int(asked["at"]), 0), MAX_TIME_MS)
            data = film_picture(Path(str(asked["film"])), at)
        else:
            from adstudio.media.faces import picture

            data = picture(Path(str(asked["picture"])), LONGEST_SIDE)
    except AdstudioError as error:
        return error.exit_code, {"error": str(error)}
    except MemoryError:
        return 3, {"error": "there is not enough memory for that picture: give a smaller one"}
    except ImportError as error:
        return 3, {"error": f"a part of the program is missing ({error.name}): install the program again"}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return BadInputError.exit_code, {"error": f"that is no picture that can be made ({error})"}
    return 0, {"still": base64.b64encode(data).decode()}


def _end(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
