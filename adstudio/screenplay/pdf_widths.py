"""How wide text is in a PDF's fonts: by their own widths, or, where a file does not give them, by usual letters."""

from __future__ import annotations

from typing import Any, cast

PITCH = 0.6
"""The width of Courier's letters, in sizes."""
_FIXED = ("courier", "mono", "typewriter", "consol", "pitch")
_NARROW = frozenset("iljtfrI.,;:'’!|()[] ")
_WIDE = frozenset("mwMW—@%")
_CAPITAL = 0.13
"""How much wider capitals are than small letters."""
_THOUSAND = 1_000
_LEAST, _MOST = 0.1, 2.0
"""What letters' widths are on average in any font, in sizes; widths outside this are not believed."""


class FontWidths:
    """The widths of a font; `fixed`: all its letters are as wide as Courier's."""

    def __init__(self, font: Any) -> None:  # noqa: ANN401 - pypdf gives whatever the file holds there
        named = cast("dict[str, object]", font) if isinstance(font, dict) else None
        name = str(named.get("/BaseFont", "")).lower() if named is not None else ""
        self.fixed = not name or any(part in name for part in _FIXED)
        self._own = None if self.fixed or named is None else _own_widths(named)

    def of(self, text: str) -> float:
        """The width of a text, in sizes."""
        if self.fixed:
            return len(text) * PITCH
        if self._own is not None:
            default = self._own.get("default", 500.0)
            width = sum(self._own.get(char, default) for char in text) / _THOUSAND
            if _LEAST * len(text) <= width <= _MOST * len(text):
                return width
        narrow, wide, capitals = (
            sum(map(holds, text)) for holds in (_NARROW.__contains__, _WIDE.__contains__, str.isupper)
        )
        return 0.52 * len(text) - 0.22 * narrow + 0.3 * wide + _CAPITAL * capitals


class Widths:
    """The widths of a file's fonts, each read once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, FontWidths]] = {}

    def of(self, font: Any) -> FontWidths:  # noqa: ANN401
        """The widths of a font as pypdf has it."""
        found = self._known.get(id(font))
        if found is None:
            # The font is held on to, so that no other one gets its number.
            found = self._known[id(font)] = font, FontWidths(font)
        return found[1]


def _own_widths(font: dict[str, object]) -> dict[str, float] | None:
    """The width of each letter in thousandths of the size; None for a font that does not say."""
    try:
        from pypdf.generic._font import Font

        return dict(Font.from_font_resource(cast("Any", font)).character_widths)
    except Exception:  # noqa: BLE001 - a damaged font makes Python raise anything; its letters are then estimated
        return None
