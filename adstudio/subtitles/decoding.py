"""Decoding bytes: byte-order marks, UTF-8, UTF-16 and UTF-32, declared and guessed encodings."""

from __future__ import annotations

import codecs
import re
from itertools import groupby, islice

from adstudio.core.errors import Oddity
from adstudio.subtitles.encoding_guess import guess_encoding
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.escape_codes import in_eight_bits
from adstudio.subtitles.formats import kind_by_signature
from adstudio.subtitles.source import ESCAPED, Source
from adstudio.subtitles.twice_encoded import repaired

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""\s*<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([A-Za-z0-9._-]{2,40})["']""")
_ASCII_PROBE = "0-->,:.\r\n<[{}]\\/ Aa"
_NOT_FOR_FILES = ("utf-7", "unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined")
_WIDE = ("utf-16", "utf-32")
_UNKNOWN_TO_PYTHON = {"ibm737": "cp737", "windows-874": "cp874", "x-mac-cyrillic": "mac-cyrillic"}
_SHOWN_AT_MOST = 1000
_QUOTED = 60
_HEAD = 1000
_UNDECLARED = "the file does not declare its encoding"
_NO_CHANCE = 3
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def decode(data: bytes, name: str, encoding: str | None = None) -> tuple[Source, list[Oddity]]:
    """The text of a subtitle file, and problems with its bytes.

    Raises:
        SubtitleError: for an unknown `encoding`, or bytes that are not text.
    """
    marked, bom = _byte_order_mark(data)
    escaped = None if marked else in_eight_bits(data)
    if escaped and (encoding is None or _plain_name(encoding) == _plain_name(escaped.encoding)):
        return _decoded(escaped.data, escaped.encoding, escaped.codec, guessed=False, bom=0)
    if encoding is not None:
        chosen = codec_for(encoding, data[bom:], name)
        skipped = bom if marked and chosen.startswith(marked[:5]) else 3 if marked == "utf-8" else 0
        return _decoded(data, _name_shown(chosen), chosen, guessed=False, bom=skipped)
    if marked:
        return _once_encoded(*_decoded(data, marked, marked, guessed=False, bom=bom))
    wide = _wide_without_mark(data)
    if wide:
        label = _declared(data)
        guessed = not label.startswith(wide[: len("utf-16")])
        return _once_encoded(*_decoded(data, wide, wide, guessed=guessed, bom=0, declared=label))
    if b"\0" in data:
        raise SubtitleError(f"{name} is not a text file (it contains null bytes): check that it is the right file")
    source, oddities = _in_one_byte_units(data)
    return _once_encoded(source, oddities) if source.encoding == "utf-8" else (source, oddities)


def recoded(data: bytes, name: str, encoding: str | None) -> bytes:
    """A file in UTF-8, where its `encoding` is given and it says none itself, as one of several given with a command.

    A text says so by a byte-order mark, an XML declaration, or by being UTF-8; what is no text stays as it is.

    Raises:
        SubtitleError: for an unknown encoding, or bytes that it does not have, with their line.
    """
    if encoding is None:
        return data
    codec = codec_for(encoding, data, name)
    says_so = _byte_order_mark(data)[0] or _wide_without_mark(data) or in_eight_bits(data) or _declared(data)
    if says_so or _is_utf8(data) or kind_by_signature(data):
        return data
    try:
        return data.decode(codec).encode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SubtitleError(
            f"{name}, line {line}: byte {data[error.start]:#04x} is not {_name_shown(codec)}: give another encoding, or"
            " none to have it guessed"
        ) from None


def _plain_name(encoding: str) -> str:
    return re.sub(r"[^a-z0-9]", "", encoding.lower())


def codec_for(encoding: str, body: bytes, name: str) -> str:
    """Python's name of an encoding given by the user.

    Raises:
        SubtitleError: if it does not exist, or no subtitle file can have it.
    """
    wanted = encoding.strip()
    if wanted.lower().replace("_", "-") in ("utf-16", "utf16", "utf-32", "utf32"):
        width = "utf-16" if "16" in wanted else "utf-32"
        big = (_wide_without_mark(body) or "").endswith("be")
        return f"{width}-{'be' if big else 'le'}"
    try:
        codec = codecs.lookup(_UNKNOWN_TO_PYTHON.get(wanted.lower(), wanted)).name
        codec = {"utf-8-sig": "utf-8"}.get(codec, codec)
        usable = codec.replace("_", "-") not in _NOT_FOR_FILES
        fits = usable and (codec.startswith(_WIDE) or _ASCII_PROBE.encode("ascii").decode(codec) == _ASCII_PROBE)
    except (LookupError, ValueError, TypeError):
        fits, codec = False, ""
    if not fits:
        raise SubtitleError(
            f"{name}: “{encoding[:40]}” is not a valid encoding; "
            "examples are utf-8, windows-1250, windows-1252 and shift_jis"
        )
    return codec


def _name_shown(codec: str) -> str:
    """An encoding's usual name, from Python's."""
    for ours, usual in (
        ("cp125", "windows-125"),
        ("cp874", "windows-874"),
        ("iso8859", "iso-8859"),
        ("mac-c", "x-mac-c"),
    ):
        if codec.startswith(ours):
            return usual + codec[len(ours) :]
    return codec.replace("_", "-") if codec != "shift_jis" else codec


def _byte_order_mark(data: bytes) -> tuple[str, int]:
    for mark, codec in _BOMS:
        if data.startswith(mark) and not (codec.startswith("utf-32") and len(data) % 4):
            return codec, len(mark)
    return "", 0


def _wide_without_mark(data: bytes) -> str:
    """UTF-16 or UTF-32, by the positions of null bytes: arrows, digits and newlines are ASCII in every language."""
    head = data[: 1 << 16]
    if b"\0" not in head:
        return ""
    # Other characters of UTF-16 say nothing; digits, arrows and newlines do.
    zeros = [head[k::4].count(0) for k in range(4)]
    quarter = len(head) // 4
    if quarter and len(data) % 4 == 0:
        if zeros[3] >= quarter * 0.99 and zeros[2] >= quarter * 0.8 and zeros[0] < quarter * 0.1:
            return "utf-32-le"
        if zeros[0] >= quarter * 0.99 and zeros[1] >= quarter * 0.8 and zeros[3] < quarter * 0.1:
            return "utf-32-be"
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    pairs = max(1, len(head) // 2)
    if odd > 20 * even and odd > pairs * 0.2:
        return "utf-16-le"
    if even > 20 * odd and even > pairs * 0.2:
        return "utf-16-be"
    return ""


def _in_one_byte_units(data: bytes) -> tuple[Source, list[Oddity]]:
    label = _declared(data)
    codec = _declared_codec(label, data)
    usable = codec not in ("", "utf-8") and not codec.startswith(_WIDE)
    in_utf8 = _is_utf8(data)
    # One or two letters in another encoding can look like UTF-8 by chance, but not more.
    if usable and not data.isascii() and (not in_utf8 or sum(char > "\x7f" for char in data.decode()) < _NO_CHANCE):
        return _decoded(data, label, codec, guessed=False, bom=0)
    if in_utf8 or _is_damaged_utf8(data, strict=label != "" or data.startswith(b"WEBVTT")):
        source, oddities = _decoded(data, "utf-8", "utf-8", guessed=False, bom=0)
        # A text in ASCII is the same in every encoding; only a name that is none is wrong.
        if label and codec != "utf-8" and not (codec and data.isascii()):
            oddities.append(Oddity(f"the file declares {label}, but is in utf-8", 1))
        return source, oddities
    guess, *rivals = guess_encoding(data)
    source, oddities = _decoded(data, guess.encoding, guess.codec, guessed=True, bom=0, declared=label)
    if rivals:
        line = _first_beyond_ascii(source)
        others = [Source(_decoded_by_line(data, rival.codec), rival.encoding, guessed=True) for rival in rivals]
        readings = " or ".join(f"{other.encoding}, which makes it {_line_shown(other, line)}" for other in others)
        oddities.insert(1, Oddity(f"the guess is in doubt: it may also be {readings}", line))
    return source, oddities


def _declared(data: bytes) -> str:
    """The encoding that an XML declaration names, in small letters; "" without one."""
    found = _DECLARED.match(data[:_HEAD].replace(b"\0", b""))
    return found[1].decode("ascii").lower() if found else ""


def _declared_codec(label: str, data: bytes) -> str:
    """The codec of a declared encoding; "" if there is none."""
    try:
        return codec_for(label, data, "") if label else ""
    except SubtitleError:
        return ""


def _is_damaged_utf8(data: bytes, *, strict: bool) -> bool:
    """Whether text is UTF-8 but for some bytes; `strict`: its format is nearly always in UTF-8."""
    text = data.decode("utf-8", "surrogateescape")
    bad = len(text) - len(ESCAPED.sub("", text))
    good = sum(char > "\x7f" for char in text) - bad
    return good > (0 if strict else 2 * bad) and good >= bad


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decoded(
    data: bytes, encoding: str, codec: str, *, guessed: bool, bom: int, declared: str = ""
) -> tuple[Source, list[Oddity]]:
    body = data[bom:]
    oddities: list[Oddity] = []
    wide = codec.startswith(_WIDE)
    if wide:
        unit = 2 if codec.startswith("utf-16") else 4
        left_over = len(body) % unit
        text = body[: len(body) - left_over].decode(codec, "surrogatepass" if unit == 2 else "replace")
    else:
        left_over = 0
        text = _decoded_by_line(body, codec)
    source = Source(text, encoding, guessed)
    if left_over:
        oddities.append(
            Oddity(f"the last {left_over} byte(s) are not a complete {encoding} character", source.line_of(len(text)))
        )
    oddities += _damage(source, wide_signs="\ufffd" if codec.startswith("utf-32") else "")
    if guessed:
        oddities.insert(0, _about_the_guess(source, declared))
    return source, oddities


def _once_encoded(source: Source, oddities: list[Oddity]) -> tuple[Source, list[Oddity]]:
    """Undoes a second encoding of a text in Unicode, and says so."""
    found = repaired(source.text)
    if found is None:
        return source, oddities
    text = found.text.removeprefix("\ufeff")
    mended = Source(text, source.encoding, source.guessed)
    # A byte-order mark alone shows nothing.
    line = source.line_of(found.at) if text is found.text else _first_beyond_ascii(mended)
    times = {1: "twice", 2: "three times"}.get(len(found.through), f"{len(found.through) + 1} times")
    what = (
        f"the text was encoded in UTF-8 {times}, through {' and '.join(dict.fromkeys(found.through))}; "
        f"that was undone, which makes this line {_line_shown(mended, line)}"
    )
    lost = text.count("\ufffd")
    if lost:
        what += f"; {lost:,} {'character was' if lost == 1 else 'characters were'} lost before (shown as \ufffd)"
    return mended, [Oddity(what, line), *oddities]


def _decoded_by_line(body: bytes, codec: str) -> str:
    try:
        return body.decode(codec)
    except (UnicodeDecodeError, ValueError):
        pass
    pieces: list[str] = []
    for piece in re.split(rb"(\r\n|\n|\r)", body):
        try:
            pieces.append(piece.decode(codec, "surrogateescape"))
        except (UnicodeDecodeError, ValueError):
            # This codec cannot escape invalid bytes: keep the line's ASCII and escape the rest.
            pieces.append(piece.decode("ascii", "surrogateescape"))
    return "".join(pieces)


def _damage(source: Source, wide_signs: str) -> list[Oddity]:
    if not source.damaged and not wide_signs:
        return []
    pattern = re.compile(f"{ESCAPED.pattern}|{wide_signs}") if wide_signs else ESCAPED
    by_line = groupby(pattern.finditer(source.text), key=lambda match: source.line_of(match.start()))
    found: list[Oddity] = []
    for line, matches in by_line:
        if len(found) == _SHOWN_AT_MOST:
            lines = 1 + sum(1 for _ in by_line)
            found.append(Oddity(f"{lines} more lines contain bytes that are not {source.encoding}", line))
            break
        shown = ", ".join(
            f"{ord(char) - 0xDC00:02X}" if "\udc80" <= char <= "\udcff" else f"U+{ord(char):04X}"
            for char in (match[0] for match in islice(matches, 8))
        )
        rest = sum(1 for _ in matches)
        more = f" and {rest} more" if rest else ""
        what = f"bytes that are not {source.encoding}: {shown}{more} (shown as \ufffd; try another encoding)"
        found.append(Oddity(what, line))
    return found


def _about_the_guess(source: Source, declared: str) -> Oddity:
    line = _first_beyond_ascii(source)
    why = f"the file declares {declared}, but that cannot be right" if declared else _UNDECLARED
    return Oddity(f"{why}; {source.encoding} was guessed, which makes this line {_line_shown(source, line)}", line)


def _first_beyond_ascii(source: Source) -> int:
    first = _BEYOND_ASCII.search(source.text)
    return source.line_of(first.start()) if first else 1


def _line_shown(source: Source, line: int) -> str:
    """The line, from a little before its first character beyond ASCII if it is long."""
    starts = source.line_starts
    end = starts[line] if line < len(starts) else len(source.text)
    text = " ".join(source.shown(starts[line - 1], end).split())
    first = _BEYOND_ASCII.search(text)
    begin = first.start() - _QUOTED // 2 if first and first.start() >= _QUOTED else 0
    return f"“{'…' if begin else ''}{text[begin : begin + _QUOTED]}”"
