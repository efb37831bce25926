"""What has to be known about a model to start it: size, context length, kind."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.system.files import read_bounded

CONFIG = "config.json"
LARGEST_CONFIG = 10_000_000
_WEIGHTS = ("*.safetensors", "*.bin", "*.gguf", "*.pt")

_BILLIONS = re.compile(r"(?<![a-z0-9.])(?:(\d+)x)?(\d+(?:\.\d+)?)\s*([bm])(?![a-z0-9])", re.IGNORECASE)
_SMALL = re.compile(r"(?i)awq|gptq|int4|4bit|w4a|fp4|q4_")
_MIDDLE = re.compile(r"(?i)fp8|int8|8bit|w8a|q8_")


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model to be served.

    `source` is what vLLM gets: a folder, or a name that it looks up; `name` is the name for clients. `weights` is the
    size of its weights in bytes, `positions` its longest context in tokens (both None if unknown). `thinks`: it is a
    reasoning model in the manner of Qwen3. `pooling`: it is an embedding model.
    """

    source: str
    name: str
    weights: int | None = None
    positions: int | None = None
    thinks: bool = False
    pooling: bool = False

    @property
    def is_folder(self) -> bool:
        """Whether its weights are local, so that nothing has to be downloaded."""
        return self.source.startswith("/")


def model_named(given: str, weights_gb: float | None = None) -> ServedModel:
    """The model in a folder, or of a name such as `Qwen/Qwen3.5-27B-FP8`; `weights_gb` is its size, if given.

    Raises:
        BadInputError: for a folder without a model, or an invalid name.
        OutsideFailureError: for a folder that cannot be read.
    """
    given = given.strip()
    said = None if weights_gb is None else round(weights_gb * 1e9)
    if said is not None and not 0 < said < 10**14:
        raise BadInputError(f"--weights {weights_gb:g}: give the size of the model’s weights in GB, like 27")
    folder = os.path.expanduser(given)  # noqa: PTH111 - unlike pathlib these two never raise, whatever is given
    if os.path.isdir(folder):  # noqa: PTH112
        return _of_folder(Path(folder).resolve(), said)
    if given.startswith(("/", ".", "~")):
        raise BadInputError(
            f"{given[:200]} is not a folder: give a model’s folder, or a name like Qwen/Qwen3.5-27B-FP8"
        )
    if not re.fullmatch(r"[A-Za-z0-9][\w.\-]*(?:/[A-Za-z0-9][\w.\-]*)?", given) or len(given) > 200:
        raise BadInputError(f"“{given[:200]}” is not a model: give a name like Qwen/Qwen3.5-27B-FP8, or a folder")
    return ServedModel(given, given, said or weights_by_name(given), None, _thinks(given), _pools(given))


def weights_by_name(name: str) -> int | None:
    """The size of a model's weights in bytes, estimated from its name: 27B-FP8 means 27·10⁹ parameters of one byte.

    The largest number counts (30B-A3B has 30·10⁹ parameters, of which 3·10⁹ are active).
    """
    plain = name.rsplit("/", 1)[-1].replace("_", "-")
    sizes = [
        float(times or 1) * float(number) * (1e9 if unit in "bB" else 1e6)
        for times, number, unit in _BILLIONS.findall(plain)
    ]
    if not sizes:
        return None
    # 4-bit weights come with scales and 16-bit embeddings.
    bytes_per_parameter = 0.6 if _SMALL.search(plain) else 1.0 if _MIDDLE.search(plain) else 2.0
    return round(max(sizes) * bytes_per_parameter)


def _of_folder(folder: Path, said: int | None) -> ServedModel:
    config = _config(folder / CONFIG)
    kind = str(config.get("model_type", ""))
    text: Any = config.get("text_config")
    positions = _whole(config.get("max_position_embeddings"))
    if isinstance(text, dict):
        positions = _whole(cast("dict[str, Any]", text).get("max_position_embeddings")) or positions
    try:
        sizes = [[file.stat().st_size for file in folder.glob(pattern)] for pattern in _WEIGHTS]
    except OSError:
        raise OutsideFailureError(f"{folder} cannot be read: give the server’s user access to it") from None
    lying = next((sum(of_kind) for of_kind in sizes if of_kind), 0)
    return ServedModel(
        str(folder),
        folder.name,
        said or lying or weights_by_name(folder.name),
        positions,
        _thinks(kind) and "instruct" not in folder.name.lower(),
        _pools(folder.name),
    )


def _config(file: Path) -> dict[str, Any]:
    if not file.is_file():
        raise BadInputError(f"{file.parent} has no {CONFIG}, so it is not a model: give a model’s folder")
    try:
        found: Any = json.loads(read_bounded(file, LARGEST_CONFIG, "file of a model’s settings"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadInputError(f"{file} is not a valid model configuration: download the model again")
    return cast("dict[str, Any]", found)


def _whole(found: Any) -> int | None:  # noqa: ANN401 - what a file says
    return found if isinstance(found, int) and 0 < found < 10**9 else None


def _thinks(name: str) -> bool:
    """Qwen3 and its successors reason unless the chat template turns it off; their -Instruct versions do not."""
    plain = name.rsplit("/", 1)[-1].lower()
    return bool(re.match(r"qwen-?3", plain)) and "instruct" not in plain


def _pools(name: str) -> bool:
    return bool(re.search(r"(?i)embedding|reranker", name.rsplit("/", 1)[-1]))
