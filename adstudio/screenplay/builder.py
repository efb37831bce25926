"""Builds a screenplay from the pieces that a reader finds, in order: headings, action, names, speech, transitions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from adstudio.core.errors import Oddity
from adstudio.core.words import composed
from adstudio.screenplay.line_kinds import Cue
from adstudio.screenplay.parsed_screenplay import Action, Form, Part, Screenplay, ScreenplayScene, Speech, Transition

MOST_ODDITIES = 500


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

    @property
    def in_speech(self) -> bool:
        """Whether a speech is open."""
        return self._open is not None

    def report_oddity(self, what: str, place: Place) -> None:
        """Report an oddity; beyond `MOST_ODDITIES` they are only counted."""
        where = f"page {place.page}: " if place.page else ""
        self.oddities.append(Oddity(where + what, place.line or None))

    def heading(self, text: str, number: str, place: Place) -> None:
        """Start a scene."""
        self._end_scene()
        self._heading = ScreenplayScene(joined([text]), (), number, *place)

    def action(self, lines: list[str], place: Place) -> None:
        """Add a paragraph of action."""
        self.end_speech()
        text = joined(lines)
        if text:
            self._parts.append(Action(text, *place))

    def transition(self, text: str, place: Place) -> None:
        """Add a transition."""
        self.end_speech()
        named = joined([text])
        if named:
            self._parts.append(Transition(named, *place))

    def cue(self, cue: Cue, place: Place) -> None:
        """Start a speech by this character."""
        self.end_speech()
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
            extension = f" ({speech.cue.extension})" if speech.cue.extension else ""
            self._parts.append(Action(speech.cue.speaker + extension, *speech.place))
            self.report_oddity(
                f"“{speech.cue.speaker[:60]}” is a character name without a speech: read as action", speech.place
            )

    def screenplay(self, form: Form) -> Screenplay:
        """The finished screenplay."""
        self._end_scene()
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

    def _end_scene(self) -> None:
        self.end_speech()
        if self._heading.heading or self._parts:
            self._scenes.append(replace(self._heading, parts=tuple(self._parts)))
        self._parts = []


TITLE_KEYS = frozenset(("title", "titel", "titre", "título", "titulo", "titolo", "название", "タイトル", "tytuł"))


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
