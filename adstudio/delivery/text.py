"""Making texts safe for files without changing their meaning."""

from __future__ import annotations

import re

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def encoded(text: str) -> bytes:
    """A text in UTF-8; lone surrogates, which cannot be encoded, become question marks."""
    return text.encode("utf-8", "replace")


def document_text(text: str) -> str:
    """A text that XML can hold: control characters become �, lone surrogates question marks; lines end in a newline."""
    broken = text.replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATES.sub("?", _NOT_IN_XML.sub("\ufffd", broken))


def text_lines(text: str) -> list[str]:
    """A text's non-empty lines; an empty one would end a subtitle early."""
    broken = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")
    return [line for line in broken.split("\n") if line.strip()]


def on_one_line(text: str) -> str:
    """A text with line breaks replaced by single spaces."""
    return " ".join(line.strip() for line in text_lines(text))
