"""A value of a preset's section that may have values of any name."""

from __future__ import annotations

from dataclasses import dataclass

Scalar = int | float | str | bool | None


@dataclass(frozen=True)
class Entry:
    """A value of the section `mix` or `qc`, as it is in the file, with its source."""

    name: str
    value: Scalar | tuple[Scalar, ...]
    source: str
