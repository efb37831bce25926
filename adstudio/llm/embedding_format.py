"""Embeddings as a provider's answer: a line of text for each thing that was embedded, so that they are kept like words.

An ask for embeddings has a turn for each thing. What comes is checked before anything is worked out from it: servers
send whatever they like, and one number that is none would spoil every salience of a film.
"""

from __future__ import annotations

import binascii
import math
import sys
from array import array
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from adstudio.llm.faults import GarbledError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float64]

MOST_DIMENSIONS = 8_192
"""Numbers of one embedding; the largest models of today give 4,096."""
LINE = MOST_DIMENSIONS * 16 // 3 + 8
"""Characters of the longest line."""


def as_text(rows: object, count: int, place: str) -> str:
    """The text of the embeddings that a server sent: `data` as the OpenAI protocol has it, a row for each thing.

    Each embedding is a list of numbers, or those as 32-bit floats in base64.

    Raises:
        GarbledError: unless they are `count` embeddings of one length, of finite numbers that are not all 0.
    """
    lines: dict[int, str] = {}
    length = 0
    listed = cast("list[Any]", rows) if isinstance(rows, list) else []
    if len(listed) != count:
        raise _nonsense(place, f"{len(listed):,} for {count:,}")
    for number, row in enumerate(listed):
        fields = cast("dict[str, Any]", row) if isinstance(row, dict) else {}
        index = fields.get("index", number)
        if not isinstance(index, int) or not 0 <= index < count or index in lines:
            raise _nonsense(place, "not in an order that makes sense")
        values = _values(fields.get("embedding"), place)
        if length and len(values) != length:
            raise _nonsense(place, "of different lengths")
        length = len(values)
        lines[index] = b64encode(_little(values).tobytes()).decode()
    return "\n".join(lines[index] for index in range(count))


def from_text(text: str) -> Vectors:
    """The embeddings of a text, a row of unit length each.

    Raises:
        GarbledError: for what `as_text` would not have made.
    """
    import numpy as np

    try:
        rows = [np.frombuffer(b64decode(line, validate=True), dtype="<f4") for line in text.split("\n")]
        vectors = np.array(rows, dtype=np.float64)
    except ValueError:
        vectors = np.zeros((0, 0))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True) if vectors.size else np.zeros(1)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise GarbledError("embeddings that were kept are damaged: ask for them again")
    return cast("Vectors", vectors / lengths)


def _values(found: object, place: str) -> array[float]:
    """The numbers of one embedding, as 32-bit floats."""
    values = array("f")
    try:
        if isinstance(found, str) and len(found) <= LINE:
            values.frombytes(b64decode(found, validate=True))
            values = _little(values)
        elif isinstance(found, list) and len(cast("list[Any]", found)) <= MOST_DIMENSIONS:
            values = array("f", _numbers(cast("list[Any]", found)))
    except (ValueError, TypeError, OverflowError, binascii.Error):
        values = array("f")
    if not 0 < len(values) <= MOST_DIMENSIONS:
        raise _nonsense(place, f"not lists of 1 to {MOST_DIMENSIONS:,} numbers")
    if not all(map(math.isfinite, values)):
        raise _nonsense(place, "with numbers that are none")
    if not any(values):
        raise _nonsense(place, "with nothing but noughts")
    return values


def _numbers(found: Sequence[Any]) -> list[float]:
    if any(isinstance(value, bool) for value in found):
        raise TypeError
    return [float(value) if isinstance(value, int | float) else _none() for value in found]


def _none() -> float:
    raise TypeError


def _little(values: array[float]) -> array[float]:
    """To or from the byte order in which embeddings are sent and kept."""
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values


def _nonsense(place: str, what: str) -> GarbledError:
    return GarbledError(
        f"{place} sent embeddings that make no sense ({what}): check that its model is one for embeddings"
    )
