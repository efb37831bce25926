"""Labels in subtitles for the deaf and hard of hearing: sounds in brackets, music notes, and words for music.

Brackets come in pairs of one kind, within one cue; an unclosed one is text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PAIRS = {"[": "]", "(": ")", "［": "］", "（": "）", "【": "】", "〔": "〕", "﹝": "﹞", "⟦": "⟧"}
_CLOSERS = {closer: opener for opener, closer in _PAIRS.items()}
_ROUND = frozenset("(（")
BRACKETS = "".join(char for pair in _PAIRS.items() for char in pair)
_BRACKET = re.compile(f"[{re.escape(BRACKETS)}]")
HYPHENS = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
HYPHENED = re.compile(rf"\s*[{re.escape(HYPHENS)}]{{1,2}}\s*(?=\S)")
"""What marks a speaker's line."""
NOTES = "♪♫♬♩♭♮♯🎵🎶🎼¶"
_QUOTES = '"“”„«»'
_LIKE_NOTES = frozenset(NOTES + "#*")
_AMONG_NOTES = _LIKE_NOTES | frozenset(" \t\n\u00a0\u3000-–—~.,…!")
_MUSIC_WORDS = re.compile(
    r"\b(?:music|musical|song|songs|singing|sings|melody|tune|theme|orchestra|orchestral|instrumental|piano|violin|guitar"
    r"|chorus|choir|choral|musik|lied|gesang|melodie|musique|chanson|chant|música|musica|canción|canzone|canção|canta"
    r"|cantando|muziek|zingt|musikk|musiikki|sång|hudba|píseň|glasba|glazba|muzyka|piosenka|zene|dal|müzik|şarkı)\b"
    r"|музык|песн|поёт|音楽|音乐|音樂|曲|歌|노래|음악|μουσικ|موسيق|מוזיק",
    re.IGNORECASE,
)
_MUSIC_DESCRIBED = re.compile(
    r"(?:[\w'’-]+\s+){0,4}(?:music|\w{0,20}musik)(?:\s+(?:plays|playing|continues|continuing|stops|fades|ends|swells"
    r"|builds|spielt|läuft|beginnt|endet|verstummt|verklingt|setzt|klingt|wird)(?:\s+\w+){0,2})?"
    r"|(?:musique|música|musica)(?:\s+[\w'’-]+){0,2}",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"[.?!…。？！][\"'”’»]?\s*$")


@dataclass(frozen=True, slots=True)
class Bracketed:
    """A part of a text in brackets, `text[start:end]` including the brackets; `round` for parentheses."""

    start: int
    end: int
    inner: str
    round: bool


def bracketed(text: str) -> tuple[list[Bracketed], bool]:
    """The outermost brackets of a text, and whether any bracket is unmatched."""
    stack: list[tuple[str, int]] = []
    found: list[Bracketed] = []
    odd = False
    for match in _BRACKET.finditer(text):
        char, at = match[0], match.start()
        if char in _PAIRS:
            stack.append((char, at))
            continue
        # A closing bracket matches the latest opening one of its kind; brackets opened since are text.
        depth = len(stack) - 1
        while depth >= 0 and stack[depth][0] != _CLOSERS[char]:
            depth -= 1
        if depth < 0:
            odd = odd or not _smiley(text, at)
            continue
        odd = odd or depth < len(stack) - 1
        opener, start = stack[depth]
        del stack[depth:]
        while found and found[-1].start > start:
            found.pop()
        found.append(Bracketed(start, at + 1, text[start + 1 : at], opener in _ROUND))
    return found, odd or bool(stack)


def _smiley(text: str, at: int) -> bool:
    # “a)” and “:)” are not unmatched brackets.
    if text[at] != ")" or at == 0:
        return False
    return text[at - 1] in ":;-" or (text[at - 1].isalnum() and not text[: at - 1].strip())


def is_music(label: str) -> bool:
    """Whether a label refers to music."""
    return _MUSIC_WORDS.search(label) is not None or any(note in label for note in NOTES)


def is_only_notes(text: str) -> bool:
    """Whether a text consists of music notes, or of what is written in place of them."""
    return _AMONG_NOTES.issuperset(text) and not _LIKE_NOTES.isdisjoint(text)


def describes_music(text: str) -> bool:
    """Whether words between music notes describe music instead of being sung."""
    return _MUSIC_DESCRIBED.fullmatch(text.strip()) is not None


def note_signs(text: str) -> str:
    """The music notes, with the sign that a text without white space at its ends uses as one.

    `#` is one as in teletext; `*` is one only around a description of music, as in German subtitles for the deaf.
    """
    if text.startswith("# ") or (text.startswith("#") and text.endswith("#") and len(text) > 2):
        return NOTES + "#"
    starred = text.startswith("*") and text.endswith("*") and describes_music(text.strip("* "))
    return NOTES + "*" if starred else NOTES


def sung_words(text: str) -> str | None:
    """The words between music notes (`note_signs`); None if there are none."""
    stripped = text.strip().strip(_QUOTES)
    signs = note_signs(stripped)
    if not stripped or (stripped[0] not in signs and stripped[-1] not in signs):
        return None
    words = [line.strip().strip(signs).strip() for line in stripped.split("\n")]
    return "\n".join(line for line in words if line) or None


def reads_like_speech(label: str) -> bool:
    """Whether a text in parentheses is a sentence, such as whispered words or a translation, instead of a sound."""
    return len(label.split()) >= 6 and label.strip()[:1].isupper() and SENTENCE_END.search(label) is not None


def stands_apart(text: str, group: Bracketed) -> bool:
    """Whether a bracket is a label beside the speech, not a remark within it.

    Square brackets always are. Parentheses are if they start or end a line and no sentence runs through them.
    """
    if not group.round:
        return True
    before = text[: group.start].rsplit("\n", 1)[-1].strip().strip("-‐‑–—> ♪")
    after = text[group.end :].split("\n", 1)[0].strip().strip("♪ ")
    if not before:
        return True
    return not after.strip(".,!?…") and SENTENCE_END.search(before) is not None
