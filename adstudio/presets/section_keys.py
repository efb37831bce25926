"""The values of the sections `mix` and `qc` that the program uses: each the field of a settings class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from adstudio.core.json_reading import Node
from adstudio.presets.entry import Entry

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Settings = TypeVar("Settings", bound=DataclassInstance)


@dataclass(frozen=True)
class NumberKey:
    """A number, called as the field that it gives, which holds integers.

    In a file it is a number in `unit`, `scale` times smaller, from `least` to `greatest` (of the field). What null
    means is `without`; where that is empty, null is not permitted.
    """

    name: str
    label: str
    unit: str
    scale: int
    least: int
    greatest: int
    without: str = ""

    def read(self, node: Node) -> int | None:
        """The field's value.

        Raises:
            JsonError: for what is no number, has too many decimals or is out of range.
        """
        if self.without and node.is_null:
            return None
        number = node.number()
        # Compared before multiplying: a number with many digits would be rounded.
        if not self.least <= number * self.scale <= self.greatest:
            least, greatest = self.least / self.scale, self.greatest / self.scale
            node.fail(f"{number:.9g} {self.unit} is outside {least:g} to {greatest:g} {self.unit}")
        whole = round(number * self.scale)
        if whole != number * self.scale:
            what = "is not whole" if self.scale == 1 else f"has more decimals than {len(str(self.scale)) - 1}"
            node.fail(f"{number!s:.20} {what}")
        return whole

    def text(self, value: int | None) -> str:
        """A field's value for people."""
        return self.without if value is None else f"{value / self.scale:g} {self.unit}".replace("-", "−")

    def written(self, value: int | None) -> float | None:
        """A field's value as it is in a file."""
        return None if value is None else value if self.scale == 1 else value / self.scale

    def value_of(self, entry: Entry) -> int | None:
        """The field's value that an entry gives."""
        number = entry.value
        return None if number is None or not isinstance(number, int | float) else round(number * self.scale)


@dataclass(frozen=True)
class SwitchKey:
    """True or false, called as the field that it gives."""

    name: str
    label: str

    def read(self, node: Node) -> bool:
        """The field's value.

        Raises:
            JsonError: for anything else.
        """
        return node.boolean()

    def text(self, value: int | None) -> str:
        """A field's value for people."""
        return "yes" if value else "no"

    def written(self, value: int | None) -> bool:
        """A field's value as it is in a file."""
        return bool(value)

    def value_of(self, entry: Entry) -> bool:
        """The field's value that an entry gives."""
        return bool(entry.value)


SectionKey = NumberKey | SwitchKey


def with_entries(usual: Settings, keys: Sequence[SectionKey], entries: Iterable[Entry]) -> Settings:
    """Settings with what the entries of a section say; what they do not have is as before."""
    found = {each.name: each for each in entries}
    return replace(usual, **{key.name: key.value_of(found[key.name]) for key in keys if key.name in found})
