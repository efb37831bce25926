r"""What events of ASS are: speech, a song, or a sign, which is text in the picture and not said by anybody.

Source: the conventions of Aegisub (https://aegisub.org/docs/latest/), whose karaoke templates write an event for each
syllable and layer (effect `fx`) and keep the line that they come from as a comment (effect `karaoke`), and of groups
that typeset, which name styles `Signs`, `OP` or `Song`. Karaoke tags are `\k`, `\K`, `\kf`, `\ko`, in hundredths.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from adstudio.core.errors import Oddity
from adstudio.core.script import CueKind
from adstudio.subtitles.lines import quoted
from adstudio.subtitles.parsed_file import SubtitleCue, Voice

_APART = r"(?<![^\W\d_])(?:{})(?![^\W\d_])"
_SIGN_NAME = re.compile(
    _APART.format(
        r"signs?|typeset(?:s|ting)?|ts|on-?screen|(?:tl ?|tn)?notes?|credits?|eye ?catch|titles?|title ?cards?"
    ),
    re.IGNORECASE,
)
_SONG_NAME = re.compile(
    _APART.format(r"(?i:songs?|lyrics?|kara(?:oke)?|romaji|kanji|opening|ending|theme|sing(?:ing)?)|OP|ED")
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PLACED = re.compile(r"\\(?:pos|move)\s*\(", re.IGNORECASE)
_ROLLING = ("banner", "scroll up", "scroll down")
_SYLLABLE = re.compile(r"\\[kK][fot]?\s*(\d+)")
_STOPS = tuple(".,!?…;:")
_TOUCHING_MS = 300
_SYLLABLE_MS = 1500


class Event(NamedTuple):
    """An event with text; times in milliseconds. `raw` has its override blocks, `endless` says why it has no end."""

    line: int
    start: int
    end: int
    style: str
    speaker: str
    effect: str
    raw: str
    text: str
    endless: str = ""

    @property
    def placed(self) -> bool:
        """Whether it is put at a place of the picture instead of where subtitles are."""
        return _PLACED.search(self.raw) is not None or self.effect.lower().startswith(_ROLLING)

    @property
    def sign(self) -> bool:
        """Whether it is a sign, by the names that it has been given."""
        if self.effect.lower().startswith(_ROLLING):
            return True
        named = _named(_SIGN_NAME, self.style) or _named(_SIGN_NAME, self.effect)
        return _named(_SIGN_NAME, self.speaker) or (named and (self.placed or not self.speaker))

    @property
    def sung(self) -> bool:
        """Whether it is part of a song."""
        marked = self.generated or self.effect.lower().startswith("karaoke")
        return marked or _SYLLABLE.search(self.raw) is not None or _named(_SONG_NAME, self.style)

    @property
    def generated(self) -> bool:
        """Whether a karaoke template has made it."""
        return self.effect.lower().startswith("fx")


class Typeset(NamedTuple):
    """The events that are audible, each with its kind, the number of signs, and problems."""

    audible: list[tuple[Event, CueKind | None]]
    signs: int
    oddities: list[Oddity]


def interpreted(events: Sequence[Event], sources: Sequence[Event]) -> Typeset:
    """What is audible of a file's events; `sources` are its comments with karaoke tags."""
    signs: list[Event] = []
    songs: list[Event] = []
    speech: list[Event] = []
    for event in events:
        (signs if event.sign else songs if event.sung else speech).append(event)
    audible: list[tuple[Event, CueKind | None]] = [(event, None) for event in speech]
    audible += [(event, CueKind.SUNG) for event in _song_lines(songs, sources)]
    audible.sort(key=lambda pair: pair[0].line)
    return Typeset(audible, len(signs), [*_signs_listed(signs), *_doubtful_styles(speech)])


def numbered(number: int, event: Event, kind: CueKind | None) -> SubtitleCue:
    """The event as a file's cue with this number."""
    voices = (Voice(event.speaker, 0),) if event.speaker else ()
    return SubtitleCue(number, event.line, event.start, event.end, event.text, voices, kind)


@lru_cache(1_024)
def _named(pattern: re.Pattern[str], name: str) -> bool:
    return bool(name) and pattern.search(_CAMEL.sub(" ", name[:200])) is not None


def _signs_listed(signs: Iterable[Event]) -> list[Oddity]:
    """Each text once: what moves or has layers is many events."""
    first: dict[str, Event] = {}
    for sign in signs:
        if sign.text:
            first.setdefault(sign.text, sign)
    what = "{} is a sign in the picture (style {}), not speech"
    return [Oddity(what.format(quoted(text), quoted(sign.style)), sign.line) for text, sign in first.items()]


def _doubtful_styles(speech: Sequence[Event]) -> list[Oddity]:
    """Styles whose events are all placed in the picture, in a file in which most are not."""
    placed = [event for event in speech if event.placed and not event.speaker]
    usual = {event.style for event in speech if not event.placed or event.speaker}
    if 2 * len(placed) >= len(speech):
        return []
    found: list[Oddity] = []
    for style, those in _by_style(event for event in placed if event.style not in usual).items():
        count = f"{len(those):,} cues" if len(those) > 1 else "cue"
        what = f"the {count} in style {quoted(style)} may be signs, from where they are in the picture; read as speech"
        found.append(Oddity(what, those[0].line))
    return found


def _song_lines(songs: Sequence[Event], sources: Sequence[Event]) -> list[Event]:
    """The lines of songs: layers once, and syllables joined to lines, by their source where there is one."""
    whole = {(event.start, event.end, event.style, event.text): event for event in reversed(songs)}
    syllables: dict[str, list[Event]] = {}
    origins = _by_style(sources)
    lines: list[Event] = []
    for event in sorted(whole.values(), key=lambda event: (event.start, event.line)):
        if event.generated or (event.end - event.start < _SYLLABLE_MS and len(event.text.split()) == 1):
            syllables.setdefault(event.style, []).append(event)
        else:
            lines.append(event)
    tagged = _by_style(line for line in lines if _SYLLABLE.search(line.raw))
    for style, parts in syllables.items():
        times = sorted(time for event in parts for time in (event.start, event.end))
        meant = [each for each in origins.get(style, []) if _any_within(times, each.start, each.end)]
        lines += [_as_sung(origin) for origin in meant]
        lines += _joined(_outside(parts, [*meant, *tagged.get(style, [])]))
    return lines


def _by_style(events: Iterable[Event]) -> dict[str, list[Event]]:
    found: dict[str, list[Event]] = {}
    for event in events:
        found.setdefault(event.style, []).append(event)
    return found


def _any_within(times: Sequence[int], start: int, end: int) -> bool:
    at = bisect_left(times, start)
    return at < len(times) and times[at] <= end


def _outside(syllables: Sequence[Event], origins: Sequence[Event]) -> list[Event]:
    """The syllables that start and end beyond the lines from which karaoke was generated, its lead-in aside."""
    marks = sorted(time for event in origins for time in (event.start, event.end))
    found: list[Event] = []
    reach = list(accumulate((event.end for event in sorted(origins, key=_start)), max))
    starts = [event.start - _TOUCHING_MS for event in sorted(origins, key=_start)]
    for event in syllables:
        at = bisect_right(starts, event.start)
        within = at > 0 and event.start <= reach[at - 1]
        if not within and not _any_within(marks, event.start, event.end):
            found.append(event)
    return found


def _start(event: Event) -> int:
    return event.start


def _as_sung(source: Event) -> Event:
    """A karaoke line with its sung time, which its tags add up to."""
    sung = 10 * sum(int(length[:6]) for length in _SYLLABLE.findall(source.raw))
    return source._replace(end=min(source.end, source.start + sung) if sung else source.end)


def _joined(syllables: Sequence[Event]) -> list[Event]:
    lines: list[Event] = []
    texts: list[list[str]] = []
    for event in syllables:
        if lines and event.start <= lines[-1].end + _TOUCHING_MS:
            # What starts while the same syllable is shown is its highlight.
            if event.start >= lines[-1].end or event.text != texts[-1][-1].strip():
                texts[-1].append(_spaced(event))
            lines[-1] = lines[-1]._replace(end=max(lines[-1].end, event.end))
        else:
            lines.append(event)
            texts.append([_spaced(event)])
    return [line._replace(text="".join(text).strip()) for line, text in zip(lines, texts, strict=True)]


def _spaced(event: Event) -> str:
    return event.text + " " if event.raw.endswith((" ", "\\h")) or event.text.endswith(_STOPS) else event.text
