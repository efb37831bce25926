"""East Asian text in seven bits, where escape sequences switch between character sets.

ISO-2022-JP (RFC 1468, 1554, 2237), ISO-2022-KR (RFC 1557), ISO-2022-CN (RFC 1922) and HZ (RFC 1843). All of their bytes
are ASCII, so that such a file looks like UTF-8. Each has a relative in eight bits, for which Python has a codec:
setting the high bit of the bytes between the escape sequences makes the one of the other.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_JAPANESE = re.compile(
    rb"\x1b\$(?P<two>[@B]|\((?:[@BOQ]))|\x1b\$\((?P<three>[DP])|\x1b\((?P<kana>I)|\x1b\((?P<latin>[BJH])|(?P<end>[\r\n])"
)
_KOREAN = re.compile(rb"\x1b\$\)C")
_CHINESE = re.compile(
    rb"\x1b\$(?:\)(?P<shift>[AEG])|\*H)|\x0e(?P<text>[^\x0e\x0f\x1b\r\n]*)\x0f?|(?P<single>\x1bN..)|(?P<end>[\r\n])"
)
_SHIFTED = re.compile(rb"\x0e([^\x0e\x0f\r\n]*)\x0f?")
_HZ = re.compile(rb"~\{((?:[!-w][!-~])+)~\}|~(~)|~\r?\n")
_HIGH = bytes(byte | 0x80 if 0x21 <= byte <= 0x7E else byte for byte in range(256))
_UNKNOWN = b"\xff"


class EightBit(NamedTuple):
    """The bytes in the relative of eight bits: the name of the encoding, and Python's codec for these bytes."""

    encoding: str
    codec: str
    data: bytes


def in_eight_bits(data: bytes) -> EightBit | None:
    """The bytes without their escape sequences; None if they have none."""
    if re.search(rb"\x1b\$(?:[@B]|\([DOPQ])", data):
        codec = "euc_jp" if b"\x1b$(D" in data else "euc_jis_2004"
        return EightBit("iso-2022-jp", codec, _japanese(data))
    if _KOREAN.search(data) and b"\x0e" in data:
        return EightBit("iso-2022-kr", "cp949", _SHIFTED.sub(_in_high, _KOREAN.sub(b"", data)))
    if re.search(rb"\x1b\$\)[AEG]", data) and b"\x0e" in data:
        return EightBit("iso-2022-cn", "gbk", _chinese(data))
    opened = data.count(b"~{")
    if opened and data.isascii() and opened == sum(match[1] is not None for match in _HZ.finditer(data)):
        return EightBit("hz", "gbk", _HZ.sub(lambda match: match[2] or _in_high(match), data))
    return None


def _in_high(match: re.Match[bytes]) -> bytes:
    return (match[1] or b"").translate(_HIGH)


def _japanese(data: bytes) -> bytes:
    pieces: list[bytes] = []
    at, kind = 0, "latin"
    for match in (*_JAPANESE.finditer(data), None):
        piece = data[at : match.start() if match else len(data)]
        if kind != "latin":
            piece = piece.translate(_HIGH)
        if kind == "kana":
            piece = b"".join(b"\x8e" + piece[k : k + 1] for k in range(len(piece)))
        elif kind == "three":
            piece = b"".join(b"\x8f" + piece[k : k + 2] for k in range(0, len(piece), 2))
        pieces.append(piece)
        if match:
            # Every line begins in ASCII.
            kind = "latin" if match.lastgroup == "end" else match.lastgroup or "latin"
            pieces.append(match["end"] or b"")
            at = match.end()
    return b"".join(pieces)


def _chinese(data: bytes) -> bytes:
    """GB 2312 is kept; each character of CNS 11643, which Python does not know, becomes a byte that is none."""
    pieces: list[bytes] = []
    at, charset = 0, b"A"
    for match in _CHINESE.finditer(data):
        pieces.append(data[at : match.start()])
        at = match.end()
        text = match["text"]
        if match["shift"]:
            charset = match["shift"]
        elif text is not None:
            pieces.append(text.translate(_HIGH) if charset == b"A" else _UNKNOWN * (len(text) // 2))
        elif match["end"]:
            pieces.append(match["end"])
        elif match["single"]:
            pieces.append(_UNKNOWN)
    return b"".join([*pieces, data[at:]])
