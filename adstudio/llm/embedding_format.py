"""Embeddings as a provider's response: one line of base64 text per input, so that they are stored like any response.

A request for embeddings has one message per input. Responses are validated before use, because a single NaN would spoil
every salience of a film.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from adstudio.llm.faults import GarbledError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float64]

MOST_DIMENSIONS = 8_192
"""Dimensions of one embedding; the largest current models have 4,096."""
LINE = MOST_DIMENSIONS * 16 // 3 + 8
"""Characters of the longest line."""


def as_text(rows: object, count: int, place: str) -> str:
    """The embeddings that a server sent (the `data` list of the OpenAI protocol), as text.

    Each embedding is a list of numbers, or 32-bit floats in base64.

    Raises:
        GarbledError: unless there are `count` embeddings of equal length, finite and not all zero.
    """
    lines: dict[int, str] = {}
    length = 0
    listed = cast("list[Any]", rows) if isinstance(rows, list) else []
    if len(listed) != count:
        raise _invalid(place, f"{len(listed):,} for {count:,} inputs")
    for number, row in enumerate(listed):
        fields = cast("dict[str, Any]", row) if isinstance(row, dict) else {}
        index = fields.get("index", number)
        if not isinstance(index, int) or not 0 <= index < count or index in lines:
            raise _invalid(place, "with invalid or repeated indices")
        values = _values(fields.get("embedding"), place)
        if length and len(values) != length:
            raise _invalid(place, "of different lengths")
        length = len(values)
        lines[index] = b64encode(values.tobytes()).decode()
    return "\n".join(lines[index] for index in range(count))


def from_text(text: str) -> Vectors:
    """The embeddings in a text, one row of unit length each.

    Raises:
        GarbledError: for anything that `as_text` cannot have written.
    """
    import numpy as np

    try:
        rows = [np.frombuffer(b64decode(line, validate=True), dtype="<f4") for line in text.split("\n")]
        vectors = np.array(rows, dtype=np.float64)
    except ValueError:
        vectors = np.zeros((0, 0))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True) if vectors.size else np.zeros(1)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise GarbledError("the stored embeddings are damaged: request them again")
    return cast("Vectors", vectors / lengths)


def _values(found: object, place: str) -> NDArray[np.float32]:
    """The numbers of one embedding, as 32-bit floats in little-endian order, in which they are sent and stored."""
    import numpy as np

    values = np.zeros(0, "<f4")
    try:
        if isinstance(found, str) and len(found) <= LINE:
            values = np.frombuffer(b64decode(found, validate=True), "<f4")
        elif isinstance(found, list) and len(cast("list[Any]", found)) <= MOST_DIMENSIONS:
            with np.errstate(over="ignore"):
                values = np.array(_numbers(cast("list[Any]", found)), "<f4")
    except (ValueError, TypeError, OverflowError):
        pass
    if not 0 < len(values) <= MOST_DIMENSIONS:
        raise _invalid(place, f"not lists of 1 to {MOST_DIMENSIONS:,} numbers")
    if not np.isfinite(values).all():
        raise _invalid(place, "with values that are not numbers")
    if not values.any():
        raise _invalid(place, "with only zeros")
    return values


def _numbers(found: Sequence[Any]) -> list[float]:
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in found):
        raise TypeError
    return [float(value) for value in found]


def _invalid(place: str, what: str) -> GarbledError:
    return GarbledError(f"{place} sent invalid embeddings ({what}): check that its model is an embedding model")
