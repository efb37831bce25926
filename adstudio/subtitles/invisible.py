"""Characters that show nothing: format characters, joiners, fillers, and blank signs.

Unicode's default ignorable code points (https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point), controls,
white space, and blank signs that are none of these, such as the empty braille pattern.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from adstudio.core.errors import Oddity
from adstudio.subtitles.labels import NOTES
from adstudio.subtitles.parsed_file import SubtitleCue

_MARKS = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_BLANKS = (
    "\u115f\u1160\u3164\uffa0"  # Hangul fillers
    "\u2800\ufffc"  # the empty braille pattern, an object that is not there
    "\U00013441\U00013442\U00016fe4\U0001d159"  # Egyptian blanks, a Khitan filler, a note without a head
)
_SELECTORS = "\ufe00-\ufe0f"
_NOTHING = re.compile(rf"[\s{_MARKS}{_BLANKS}{_SELECTORS}]*")
_OUTER = rf"(?:[{_MARKS}{_BLANKS}]|[^\S\n])"
_EDGES = re.compile(rf"^{_OUTER}++|(?<!{_OUTER}){_OUTER}++$", re.MULTILINE)
_JOINERS = "\u200c\u200d"
_INNER = re.compile(rf"(?![{_JOINERS}])[{_MARKS}]")
_BLANK = re.compile(f"[{_BLANKS}]")
_NOTE_SELECTOR = re.compile(f"(?<=[{re.escape(NOTES)}])[\ufe0e\ufe0f]")
_SPACES_OF_ASS = re.compile(r"\\[Nnh]")
_NAMED_AT_MOST = 3


def shows_nothing(text: str) -> bool:
    """Whether a viewer sees nothing of a text; codes that a converter left in it do not count as seen."""
    return _NOTHING.fullmatch(_unescaped(text)) is not None


def _unescaped(text: str) -> str:
    """A text with the codes of HTML, perhaps written twice, and of ASS that converters leave in it decoded."""
    text = html.unescape(html.unescape(text)) if "&" in text else text
    return _SPACES_OF_ASS.sub(" ", text) if "\\" in text else text


def without_outer_marks(text: str) -> str:
    """A text without what shows nothing at the ends of its lines and after music notes, where it hides them."""
    return text if text.isascii() else _EDGES.sub("", _NOTE_SELECTOR.sub("", text))


def without_marks(text: str) -> str:
    """A text without controls and format characters anywhere, but for the joiners that Persian and Indian words have.

    Signs that are blank become spaces.
    """
    return _INNER.sub("", _BLANK.sub(" ", text))


def empty_where_nothing_shows(cues: Sequence[SubtitleCue]) -> tuple[list[SubtitleCue], list[Oddity]]:
    """The cues with empty texts where a viewer sees nothing, and which these are."""
    found: list[SubtitleCue] = []
    oddities: list[Oddity] = []
    for cue in cues:
        if not shows_nothing(cue.text):
            found.append(cue)
            continue
        found.append(cue._replace(text="", voices=()))
        points = [f"U+{ord(char):04X}" for char in dict.fromkeys(_unescaped(cue.text)) if not char.isspace()]
        if points:
            named = ", ".join(points[:_NAMED_AT_MOST]) + (", …" if len(points) > _NAMED_AT_MOST else "")
            what = f"the cue has only characters that show nothing ({named}), so it takes no time"
        else:
            what = "the cue has no text"
        oddities.append(Oddity(what, cue.line))
    return found, oddities
