"""How texts are made safe for a file without changing what they say."""

from __future__ import annotations

from adstudio.core.timebase import seconds


def encoded(text: str) -> bytes:
    """A text in UTF-8; halves of characters, which no file can hold, become question marks."""
    return text.encode("utf-8", "replace")


def text_lines(text: str) -> list[str]:
    """The lines of a text that hold something; an empty one would end a subtitle before its time."""
    broken = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")
    return [line for line in broken.split("\n") if line.strip()]


def on_one_line(text: str) -> str:
    """A text with its line breaks as single spaces."""
    return " ".join(line.strip() for line in text_lines(text))


def decimal_seconds(ms: int) -> str:
    """Seconds with exactly three places, as tables hold them."""
    return f"{seconds(ms):.3f}"
