"""A screenplay put together from what a reader finds, in order: headings, action, names, what is said, transitions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from adstudio.core.errors import Oddity
from adstudio.core.words import composed
from adstudio.screenplay.line_kinds import Cue
from adstudio.screenplay.parsed_screenplay import Action, Form, Part, Screenplay, ScreenplayScene, Speech, Transition

MOST_ODDITIES = 500


class Place(NamedTuple):
    """A line from 1, and a page where there are pages (else 0)."""

    line: int
    page: int = 0


@dataclass
class _Open:
    """A speech that goes on."""

    cue: Cue
    place: Place
    lines: list[str] = field(default_factory=list[str])
    parentheticals: list[str] = field(default_factory=list[str])
    lyrics: bool = False


class Builder:
    """Takes the pieces in the order of the page; a speech lasts until anything else comes."""

    def __init__(self) -> None:
        self.oddities: list[Oddity] = []
        self.title_page: list[tuple[str, str]] = []
        self._scenes: list[ScreenplayScene] = []
        self._heading = ScreenplayScene("", ())
        self._parts: list[Part] = []
        self._open: _Open | None = None

    @property
    def in_speech(self) -> bool:
        """Whether a speech is open, so that what comes may be said."""
        return self._open is not None

    def odd(self, what: str, place: Place) -> None:
        """Keep an oddity; beyond `MOST_ODDITIES` they are only counted."""
        where = f"page {place.page}: " if place.page else ""
        self.oddities.append(Oddity(where + what, place.line or None))

    def heading(self, text: str, number: str, place: Place) -> None:
        """Begin a scene."""
        self._end_scene()
        self._heading = ScreenplayScene(joined([text]), (), number, *place)

    def action(self, lines: list[str], place: Place) -> None:
        """One paragraph."""
        self.end_speech()
        text = joined(lines)
        if text:
            self._parts.append(Action(text, *place))

    def more_action(self, lines: list[str]) -> bool:
        """Go on with the last paragraph (a page ended inside it); False where the last part is none."""
        last = self._parts[-1] if self._parts and self._open is None else None
        if not isinstance(last, Action):
            return False
        self._parts[-1] = replace(last, text=joined([last.text, *lines]))
        return True

    def last_text(self) -> str:
        """The text of the last part, if that is action, else nothing."""
        last = self._parts[-1] if self._parts and self._open is None else None
        return last.text if isinstance(last, Action) else ""

    def transition(self, text: str, place: Place) -> None:
        """A transition."""
        self.end_speech()
        named = joined([text])
        if named:
            self._parts.append(Transition(named, *place))

    def cue(self, cue: Cue, place: Place) -> None:
        """A name: what follows is said by it."""
        self.end_speech()
        self._open = _Open(cue, place)

    def resume(self, speaker: str) -> bool:
        """Open the last speech again, if it is this speaker's (a page ended inside it)."""
        self.end_speech()
        last = self._parts[-1] if self._parts else None
        if not isinstance(last, Speech) or (speaker and last.speaker != speaker):
            return False
        self._parts.pop()
        cue = Cue(last.speaker, last.extension, dual=last.dual)
        self._open = _Open(cue, Place(last.line, last.page), [last.text], list(last.parentheticals), last.lyrics)
        return True

    def parenthetical(self, text: str) -> None:
        """A direction to the speaker, without its brackets."""
        if self._open is not None:
            self._open.parentheticals.append(joined([text]))

    def said(self, text: str, place: Place, *, lyrics: bool = False) -> None:
        """A line of the open speech, or of nobody's where none is open; sung lines are a speech of their own."""
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
        """What comes next is not said by the one who spoke."""
        spoken, self._open = self._open, None
        if spoken is None:
            return
        text = joined(spoken.lines)
        if text or spoken.parentheticals:
            cue = spoken.cue
            self._parts.append(
                Speech(
                    *(composed(cue.speaker), text, spoken.place.line, tuple(spoken.parentheticals)),
                    *(cue.extension, cue.dual, spoken.lyrics, spoken.place.page),
                )
            )
        elif spoken.cue.speaker:
            extension = f" ({spoken.cue.extension})" if spoken.cue.extension else ""
            self._parts.append(Action(spoken.cue.speaker + extension, *spoken.place))
            self.odd(f"“{spoken.cue.speaker[:60]}” stands as a speaker who says nothing: kept as action", spoken.place)

    def screenplay(self, form: Form) -> Screenplay:
        """All of it."""
        self._end_scene()
        oddities = self.oddities
        if not any(scene.heading for scene in self._scenes) and self._scenes:
            what = "no scene heading was found: all of it is read as one scene"
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
    """Lines as one, spaces made single; nothing is put between two characters of a script that has no spaces."""
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
