"""Photos of people for models: small, upright, without metadata such as place, time or author."""

from __future__ import annotations

import io
import struct
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.core.errors import BadInputError
from adstudio.system.files import read_bounded

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

LARGEST = 30_000_000
"""Bytes of the largest picture that is read."""
MOST_PIXELS = 50_000_000
SIDE = 256
"""Pixels of the longer side: enough for a face, and less data leaves the premises."""
SMALLEST = 16
QUALITY = 90
_GARBLED = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, struct.error)
"""What PIL also raises for malformed files, mostly for their metadata."""
FORMS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF")


class FaceError(BadInputError):
    """A file that is not a usable photo of a face."""


def picture(path: Path, side: int = SIDE) -> bytes:
    """A picture's file as a JPEG of at most so many pixels a side; the same bytes each time.

    Raises:
        FaceError: for what is no picture, is damaged, or is too large or too small.
        BadInputError: where there is no such file, or it is larger than 30 MB.
        OutsideFailureError: where it may not be read.
    """
    return _smaller(read_bounded(path, LARGEST, "picture"), str(path), side)


def face_of(data: bytes, name: str) -> bytes:
    """The picture of somebody's face, as it is kept, as a small JPEG; `name` is whose it is.

    Raises:
        FaceError: as `picture`.
    """
    return _smaller(data, f"the face of {name}", SIDE)


def _smaller(data: bytes, called: str, side: int) -> bytes:
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # notes in a picture's file that make no sense are not for anybody to read
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=FORMS) as read:
                if read.width * read.height > MOST_PIXELS:
                    raise FaceError(_too_large(called))
                if min(read.size) < SMALLEST:
                    raise FaceError(f"{called} is too small to recognise a face: give a larger one")
                upright = ImageOps.exif_transpose(read)
                small = _on_white(upright)
                small.thumbnail((side, side))
                found = io.BytesIO()
                small.save(found, "JPEG", quality=QUALITY)
    except (UnidentifiedImageError, OSError, SyntaxError, EOFError, *_GARBLED) as error:
        raise FaceError(f"{called} is not a readable image: give a JPEG or PNG of the face") from error
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise FaceError(_too_large(called)) from error
    return found.getvalue()


def _too_large(called: str) -> str:
    most = MOST_PIXELS // 1_000_000
    return f"{called} has more than {most} million pixels: scale it down, or crop it to the face"


def _on_white(picture: Picture) -> Picture:
    from PIL import Image

    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        seen = picture.convert("RGBA")
        ground = Image.new("RGBA", seen.size, "white")
        return Image.alpha_composite(ground, seen).convert("RGB")
    return picture.convert("RGB")
