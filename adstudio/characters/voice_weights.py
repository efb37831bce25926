"""The weights of a voice encoder (Resemblyzer's, Apache-2.0), read from its package without importing it or torch.

The file is a checkpoint of torch in its older form: pickles, then the numbers of each storage. Only what such a file
needs is unpickled; anything else in it is refused.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adstudio.core.errors import OutsideFailureError
from adstudio.system.files import read_bounded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MISSING = "telling voices apart needs the package Resemblyzer, which is not installed: run packaging/setup.sh again"
DAMAGED = "{} is not the voice model that adstudio knows: install Resemblyzer 0.1.4 again"
CHECKSUM = "39373b86598fa3da9fcddee6142382efe09777e8d37dc9c0561f41f0070f134e"
"""SHA-256 of the file in Resemblyzer 0.1.4."""
_LARGEST = 20_000_000
_WIDTH = 256
SHAPES: Mapping[str, tuple[int, ...]] = {
    **{
        f"lstm.{part}_l{layer}": shape
        for layer in range(3)
        for part, shape in {
            "weight_ih": (4 * _WIDTH, _WIDTH if layer else 40),
            "weight_hh": (4 * _WIDTH, _WIDTH),
            "bias_ih": (4 * _WIDTH,),
            "bias_hh": (4 * _WIDTH,),
        }.items()
    },
    "linear.weight": (_WIDTH, _WIDTH),
    "linear.bias": (_WIDTH,),
}
"""The arrays of the model and their shapes: three layers of LSTM over 40 bands, and a linear one."""


def voice_weights() -> dict[str, NDArray[np.float32]]:
    """The arrays of `SHAPES`.

    Raises:
        OutsideFailureError: where the package is not installed, or its file is another.
    """
    path = _file()
    content = read_bounded(path, _LARGEST, "voice model")
    if hashlib.sha256(content).hexdigest() != CHECKSUM:
        raise OutsideFailureError(DAMAGED.format(path))
    try:
        return parsed_weights(content)
    except (pickle.UnpicklingError, ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
        raise OutsideFailureError(DAMAGED.format(path)) from error


def _file() -> Path:
    try:
        found = find_spec("resemblyzer")
    except (ImportError, ValueError):
        found = None
    for folder in (found.submodule_search_locations or ()) if found else ():
        path = Path(folder) / "pretrained.pt"
        if path.is_file():
            return path
    raise OutsideFailureError(MISSING)


@dataclass(frozen=True)
class _Tensor:
    storage: str
    offset: int
    shape: tuple[int, ...]


def _rebuilt(storage: str, offset: int, shape: tuple[int, ...], *_: object) -> _Tensor:
    return _Tensor(storage, offset, tuple(shape))


class _Reader(pickle.Unpickler):
    """Unpickles tensors and plain values, and nothing else."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:  # noqa: ANN401 - as pickle has it
        match module_name, global_name:
            case "torch._utils", "_rebuild_tensor_v2":
                return _rebuilt
            case "torch", "FloatStorage":
                return str
            case "collections", "OrderedDict":
                return OrderedDict
            case _:
                raise pickle.UnpicklingError(f"{module_name}.{global_name} has no place in a voice model")

    def persistent_load(self, pid: Any) -> str:  # noqa: ANN401 - as pickle has it
        return str(pid[2])


def parsed_weights(content: bytes) -> dict[str, NDArray[np.float32]]:
    """The model's arrays in the content of the file; raises errors of pickle or ValueError for what is no such file."""
    import numpy as np

    stream = io.BytesIO(content)
    for _ in range(3):  # a magic number, the version, and the machine's byte order
        _Reader(stream).load()
    tensors: Any = _Reader(stream).load()["model_state"]
    storages: dict[str, NDArray[np.float32]] = {}
    for key in _Reader(stream).load():
        count = int.from_bytes(stream.read(8), "little")
        raw = stream.read(4 * count) if 0 <= count <= _LARGEST // 4 else b""
        if len(raw) != 4 * count:
            raise ValueError("a storage of the voice model is cut off")
        storages[str(key)] = np.frombuffer(raw, "<f4")
    found: dict[str, NDArray[np.float32]] = {}
    for name, shape in SHAPES.items():
        tensor: _Tensor = tensors[name]
        size = int(np.prod(shape))
        values = storages[tensor.storage][tensor.offset : tensor.offset + size]
        if tensor.shape != shape or len(values) != size or not np.isfinite(values).all():
            raise ValueError(f"{name} of the voice model has another shape")
        found[name] = values.reshape(shape)
    return found
