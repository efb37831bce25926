"""Making texts safe for files without changing their meaning."""

from __future__ import annotations

from adstudio.core.control_characters import without_control_characters


def encoded(text: str) -> bytes:
    """A text in UTF-8; lone surrogates, which cannot be encoded, become question marks."""
    return text.encode("utf-8", "replace")


def document_text(text: str) -> str:
    """A text that XML can hold: without control characters; lines end in a newline."""
    return without_control_characters(text.replace("\r\n", "\n").replace("\r", "\n"))


def text_lines(text: str) -> list[str]:
    """A text's non-empty lines, without control characters; an empty one would end a subtitle early."""
    return [line for line in document_text(text).split("\n") if line.strip()]


def on_one_line(text: str) -> str:
    """A text with line breaks replaced by single spaces."""
    return " ".join(line.strip() for line in text_lines(text))
