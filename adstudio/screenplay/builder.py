"""Builds a screenplay from the pieces that a reader finds, in order: headings, action, names, speech, transitions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from adstudio.core.errors import Oddity
from adstudio.core.words import composed
from adstudio.screenplay.line_kinds import (
    LONGEST_CUE,
    Cue,
    cue,
    cut_to,
    is_capitals,
    listed_names,
    lists_cast,
    names_act,
    names_transition,
)
from adstudio.screenplay.not_action import ends_film, heads_cast, is_for_makers, is_of_cast
from adstudio.screenplay.parsed_screenplay import Action, Form, Part, Screenplay, ScreenplayScene, Speech, Transition
from adstudio.screenplay.terms import TITLE_KEYS

MOST_ODDITIES = 500
SHOWN_ASIDES = 5
MOST_WORDS_OF_A_NAME = 4
_NAMES_OF_A_LIST = 2
ENDS = (".", "!", "?", "…", ":")
_ENTRY = re.compile(r"\s*[-•*·]\s+(?=[^\W_a-z])")
"""How an entry of a list begins: a dash or a dot, and a capital or a figure."""
_NAME_AND_SPEECH = re.compile(r"\s*([^\W\d_][^:：]{0,30})[:：]\s+\S")


class Place(NamedTuple):
    """A line number from 1, and a page number, 0 if there are no pages."""

    line: int
    page: int = 0


@dataclass
class _Open:
    """A speech in progress."""

    cue: Cue
    place: Place
    lines: list[str] = field(default_factory=list[str])
    parentheticals: list[str] = field(default_factory=list[str])
    lyrics: bool = False


class Builder:
    """Takes the pieces in reading order; a speech lasts until anything else comes."""

    def __init__(self) -> None:
        self.oddities: list[Oddity] = []
        self.title_page: list[tuple[str, str]] = []
        self._scenes: list[ScreenplayScene] = []
        self._heading = ScreenplayScene("", ())
        self._parts: list[Part] = []
        self._open: _Open | None = None
        self._asides: list[tuple[str, Place]] = []
        self._in_cast = False
        self._after_end = False
        self.names = Counter[str]()
        """How often each name in capitals stands alone, or before a colon, in what is read as action."""

    def copy(self) -> Builder:
        """A builder with the same oddities and title page, and nothing else."""
        copied = Builder()
        copied.oddities = list(self.oddities)
        copied.title_page = list(self.title_page)
        return copied

    @property
    def in_speech(self) -> bool:
        """Whether a speech is open."""
        return self._open is not None

    @property
    def has_words(self) -> bool:
        """Whether the open speech has words."""
        return self._open is not None and bool(self._open.lines)

    def report_oddity(self, what: str, place: Place) -> None:
        """Report an oddity; beyond `MOST_ODDITIES` they are only counted."""
        where = f"page {place.page}: " if place.page else ""
        self.oddities.append(Oddity(where + what, place.line or None))

    def credits(self, texts: list[str], place: Place) -> None:
        """Add lines above the script that look like a title page, which is reported."""
        self.title_page.append(("Text", "\n".join(texts)))
        shown = ", ".join(f"“{text[:40]}”" for text in texts[:SHOWN_ASIDES])
        self.report_oddity(f"read as the title page, so not described: {shown}", place)

    def heading(self, text: str, number: str, place: Place) -> None:
        """Start a scene."""
        self.end_scene()
        self._in_cast = self._after_end = False
        self._heading = ScreenplayScene(joined([text]), (), number, *place)

    def action(self, lines: list[str], place: Place, *, forced: bool = False, centred: bool = False) -> None:
        """Add a paragraph, as action unless it is a transition or for the makers: an act, a cast list, a credit.

        `forced`: it is action whatever it looks like.
        """
        self.end_speech()
        text = joined(lines)
        if not text:
            return
        if not forced and len(entries := list_entries(lines)) > 1 - _is_entry(lines[0]):
            for entry in entries:
                self.action(entry, place)
            return
        if forced:
            self._in_cast = False
            self._parts.append(Action(text, *place, forced=True))
            return
        below_heading = bool(self._heading.heading) and not self._parts
        of_cast = self._is_of_cast(lines) or lists_cast(text, below_heading=below_heading)
        card = centred and is_capitals(text) and text.endswith((".", "!")) and len(text.split()) > 1
        if of_cast or card or is_for_makers(text) or names_act(text):
            self.aside(text, place)
        elif names_transition(text):
            self.transition(text, place)
        elif (found := cut_to(text)) is not None:
            # In capitals a few words are the place that it leads to.
            place_only = is_capitals(found[1]) and len(found[1].split()) <= MOST_WORDS_OF_A_NAME
            self._parts.append(Transition(text if place_only else found[0], *place))
            if not place_only:
                self.action([found[1]], place)
        else:
            self._count_names(text, lines)
            self._parts.append(Action(text, *place, forced=centred))

    def _is_of_cast(self, lines: list[str]) -> bool:
        """Whether a paragraph is a cast list's heading, or of the list: below its heading or after the film's end."""
        written = [line for line in lines if line.strip()]
        if heads_cast(written[0]) and all(is_of_cast(line, below_heading=True) for line in written[1:]):
            self._in_cast = True
            return True
        if is_for_makers(joined(lines)):
            return False
        self._in_cast = self._in_cast and is_of_cast(written[0], below_heading=True)
        return self._in_cast or (self._after_end and is_of_cast(written[0], below_heading=False))

    def _count_names(self, text: str, lines: list[str]) -> None:
        found = [_NAME_AND_SPEECH.match(line) for line in lines]
        named = [text if text.strip()[-1] not in ENDS else "", *(match[1] for match in found if match is not None)]
        for written in named:
            name = cue(written) if is_capitals(written) else None
            if name is not None and len(name.speaker.split()) <= MOST_WORDS_OF_A_NAME:
                self.names[name.speaker] += 1

    def aside(self, text: str, place: Place) -> None:
        """Leave out what is written for the makers, such as an act's number, a cast list or a shot; it is reported."""
        self.end_speech()
        self.leave_out(text, place)

    def leave_out(self, text: str, place: Place) -> None:
        """Leave out text without closing the open speech; it is reported with the asides."""
        if text := joined([text]):
            self._asides.append((text, place))

    def transition(self, text: str, place: Place) -> None:
        """Add a transition."""
        self.end_speech()
        named = joined([text])
        if named:
            self._after_end = self._after_end or ends_film(named)
            self._parts.append(Transition(named, *place))

    def cue(self, cue: Cue, place: Place) -> None:
        """Start a speech by this character."""
        self.end_speech()
        self._in_cast = heads_cast(cue.speaker)
        self._open = _Open(cue, place)

    def resume(self, speaker: str) -> bool:
        """Reopen the last speech after a page break, if it is this speaker's."""
        self.end_speech()
        last = self._parts[-1] if self._parts else None
        if not isinstance(last, Speech) or (speaker and last.speaker != speaker):
            return False
        self._parts.pop()
        cue = Cue(last.speaker, last.extension, dual=last.dual)
        self._open = _Open(cue, Place(last.line, last.page), [last.text], list(last.parentheticals), last.lyrics)
        return True

    def parenthetical(self, text: str) -> None:
        """Add a direction to the speaker, without its brackets."""
        if self._open is not None:
            self._open.parentheticals.append(joined([text]))

    def add_speech(self, text: str, place: Place, *, lyrics: bool = False) -> None:
        """Add a line to the open speech, or to a nameless one if none is open; sung lines form a separate speech."""
        if self._open is None:
            self._open = _Open(Cue(""), place)
        if self._open.lyrics != lyrics:
            cue = self._open.cue
            if self._open.lines:
                self.end_speech()
                self._open = _Open(cue, place)
            self._open.lyrics = lyrics
        self._open.lines.append(text)

    def end_speech(self) -> None:
        """Close the open speech."""
        speech, self._open = self._open, None
        if speech is None:
            return
        text = joined(speech.lines)
        if text or speech.parentheticals:
            cue = speech.cue
            self._parts.append(
                Speech(
                    *(composed(cue.speaker), text, speech.place.line, tuple(speech.parentheticals)),
                    *(cue.extension, cue.dual, speech.lyrics, speech.place.page),
                )
            )
        elif speech.cue.speaker:
            self._bare_name(speech.cue, speech.place)

    def _bare_name(self, name: Cue, place: Place) -> None:
        is_name = len(name.speaker.split()) <= MOST_WORDS_OF_A_NAME and not name.speaker.endswith(ENDS)
        if not is_name:
            self._parts.append(Action(name.speaker + (f" ({name.extension})" if name.extension else ""), *place))
        then = "so it is not described" if is_name else "read as action"
        self.report_oddity(f"“{name.speaker[:60]}” is a character name without a speech: {then}", place)

    def _without_bare_names(self) -> Iterator[ScreenplayScene]:
        """The scenes without paragraphs that are only names of those who speak."""
        parts = [part for scene in self._scenes for part in scene.parts]
        speakers = {part.speaker for part in parts if isinstance(part, Speech) and part.text}
        for scene in self._scenes:
            left: list[Part] = []
            for part in scene.parts:
                if isinstance(part, Action) and not part.forced and _is_of_names(part.text, speakers):
                    self.aside(part.text, Place(part.line, part.page))
                else:
                    left.append(part)
            yield replace(scene, parts=tuple(left))

    def screenplay(self, form: Form) -> Screenplay:
        """The finished screenplay."""
        self.end_scene()
        self._scenes = list(self._without_bare_names())
        if self._asides:
            texts = [text for text, _ in self._asides]
            kinds = "acts, cast lists, credits, shots, notes, struck text and names alone"
            self.report_oddity(no_action(texts, kinds, form), self._asides[0][1])
        oddities = self.oddities
        if not any(scene.heading for scene in self._scenes) and self._scenes:
            what = "no scene heading was found: everything is read as one scene"
            oddities = [Oddity(what), *oddities]
        if len(oddities) > MOST_ODDITIES:
            rest = oddities[MOST_ODDITIES:]
            oddities = [*oddities[:MOST_ODDITIES], Oddity(f"and {len(rest):,} more oddities", rest[0].line)]
        title = next((value for key, value in self.title_page if key.lower() in TITLE_KEYS), "")
        return Screenplay(
            tuple(self._scenes), joined([title]), tuple(self.title_page), form=form, oddities=tuple(oddities)
        )

    def parts(self) -> Iterator[Part]:
        """The parts of the scenes that have ended."""
        return (part for scene in self._scenes for part in scene.parts)

    def end_scene(self) -> None:
        """Close the open scene."""
        self.end_speech()
        if self._heading.heading or self._parts:
            self._scenes.append(replace(self._heading, parts=tuple(self._parts)))
        self._heading = ScreenplayScene("", ())
        self._parts = []


def no_action(texts: Sequence[str], kinds: str, form: Form) -> str:
    """Says that paragraphs of these kinds are left out, with the first of them, and what makes them action."""
    shown = ", ".join(f"“{text[:40]}”" for text in texts[:SHOWN_ASIDES])
    more = f" and {len(texts) - SHOWN_ASIDES:,} more" if len(texts) > SHOWN_ASIDES else ""
    forced = " (put “!” before action)" if form is Form.FOUNTAIN else ""
    return f"{shown}{more}: {kinds} are not action, so they are not described{forced}"


def _is_of_names(text: str, speakers: set[str]) -> bool:
    """Whether a text is a speaker's name or a list of them; in brackets half of the list is enough."""
    name = cue(text)
    if name is not None and name.speaker in speakers:
        return True
    if text.endswith(ENDS) or len(text) > LONGEST_CUE:
        return False
    names = listed_names(text)
    if len(names) < _NAMES_OF_A_LIST:
        return False
    known = sum(name.upper() in speakers for name in names)
    enough = known * 2 >= len(names) if text[0] in "(（[" else known == len(names)
    return enough and all(len(name.split()) <= MOST_WORDS_OF_A_NAME for name in names)


def list_entries(lines: Sequence[str]) -> list[list[str]]:
    """The lines of a paragraph by the entries of the list in it, without their dashes or dots; one where it has none.

    Several lines are entries where they begin so, each with a capital: a single one may only go on after a dash.
    """
    marked = sum(map(_is_entry, lines))
    if not marked or (marked == 1 and not _is_entry(lines[0])):
        return [list(lines)]
    found: list[list[str]] = []
    for line in lines:
        if _is_entry(line) or not found:
            found.append([])
        found[-1].append(_ENTRY.sub("", line))
    return found


def _is_entry(line: str) -> bool:
    return _ENTRY.match(line) is not None


def joined(lines: list[str]) -> str:
    """Lines joined into one with single spaces, except between characters of scripts without spaces."""
    pieces: list[str] = []
    for line in lines:
        text = " ".join(composed(line).split())
        if text:
            if pieces and not (_unspaced(pieces[-1][-1]) and _unspaced(text[0])):
                pieces.append(" ")
            pieces.append(text)
    return "".join(pieces)


def _unspaced(char: str) -> bool:
    return "\u3000" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\uff01" <= char <= "\uff60"
