"""Finds faces in a picture, and what tells them apart: dlib's detector, its five points of a face, and its network.

The weights come from the package face-recognition-models, which is never imported, as it needs a setuptools of long
ago: its files are used by path, and only these two. (The file of 68 points beside them may not be used commercially.)
The detector is a histogram of gradients and is part of dlib. All weights are in the public domain or under Boost's
licence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adstudio.core.cast import BOX_SCALE, FaceBox
from adstudio.core.errors import OutsideFailureError
from adstudio.core.optional_parts import install_part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONGEST_SIDE = 1280
"""Pixels of the longer side of a picture that is searched; smaller ones are enlarged. Faces of 80 pixels are found."""
MOST_IN_PICTURE = 16
"""Faces of one picture that are taken, the clearest ones."""
MISSING = f"faces cannot be found, as their part is not installed: {install_part('faces')}, or packaging/setup.sh"
_SUMS = {
    "shape_predictor_5_face_landmarks.dat": "c4b1e9804792707d3a405c2c16a80a20269e6675021f64a41d30fffafbc41888",
    "dlib_face_recognition_resnet_model_v1.dat": "55533b28a95800a551ba546ba62fe69625c7e95a7061c338adffead08719da30",
}


@dataclass(frozen=True)
class FoundFace:
    """A face in a picture: its box in ten-thousandths, how sure that is in thousandths, and its 128 numbers."""

    box: FaceBox
    score: int
    vector: bytes


class FaceModels:
    """The detector and the networks, in memory (about 100 MB).

    Raises:
        OutsideFailureError: where they are not installed, or a file of them is damaged.
    """

    def __init__(self) -> None:
        points, network = map(_model_file, _SUMS)
        try:
            dlib: Any = import_module("dlib")
        except ImportError as error:
            raise OutsideFailureError(MISSING) from error
        self._detector = dlib.get_frontal_face_detector()
        self._points = dlib.shape_predictor(str(points))
        self._network = dlib.face_recognition_model_v1(str(network))

    def faces_in(
        self, pixels: NDArray[np.uint8], give_way: Callable[[], object] = lambda: None
    ) -> tuple[list[FoundFace], int]:
        """The faces of a picture (rows × columns × RGB), from left to right, and how many more it shows.

        The clearest ones are taken, at most `MOST_IN_PICTURE`. As each takes about a tenth of a second, `give_way` is
        called before each.
        """
        import numpy as np

        rows, columns = pixels.shape[:2]
        places, scores, _ = self._detector.run(pixels, 0, 0.0)
        clearest = sorted(zip(places, scores, strict=True), key=lambda each: -each[1])[:MOST_IN_PICTURE]
        found: list[FoundFace] = []
        for place, score in clearest:
            left, top = max(place.left(), 0), max(place.top(), 0)
            right, bottom = min(place.right(), columns), min(place.bottom(), rows)
            width, height = (right - left) * BOX_SCALE // columns, (bottom - top) * BOX_SCALE // rows
            if min(width, height) < 1:
                continue  # it lies outside of the picture
            box = FaceBox(left * BOX_SCALE // columns, top * BOX_SCALE // rows, width, height)
            give_way()
            numbers = self._network.compute_face_descriptor(pixels, self._points(pixels, place))
            found.append(FoundFace(box, round(1000 * score), np.array(numbers, "<f4").tobytes()))
        return sorted(found, key=lambda face: face.box), max(0, len(places) - MOST_IN_PICTURE)


def are_installed() -> bool:
    """Whether faces can be found here; nothing is loaded."""
    return find_spec("dlib") is not None and all(_found_file(name) is not None for name in _SUMS)


def _model_file(name: str) -> Path:
    path = _found_file(name)
    if path is None:
        raise OutsideFailureError(MISSING)
    try:
        total = sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise OutsideFailureError(f"{path} cannot be read: {error.strerror}") from error
    if total != _SUMS[name]:
        raise OutsideFailureError(f"{path} is damaged or of another version: install face-recognition-models again")
    return path


def _found_file(name: str) -> Path | None:
    try:
        package = find_spec("face_recognition_models")
    except (ImportError, ValueError):
        return None
    folders = (package.submodule_search_locations or ()) if package else ()
    paths = (Path(folder, "models", name) for folder in folders)
    return next((path for path in paths if path.is_file()), None)
