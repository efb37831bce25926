"""Compared lines in words, for command line and window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adstudio.core.script import Origin
from adstudio.store.version_rows import VersionContent
from adstudio.versions.comparing import ComparedLine, LineChange, LineState, counts, line_state
from adstudio.versions.word_changes import In, Piece

ORIGINS = {Origin.MACHINE: "machine", Origin.HUMAN: "person"}
_DETAILS = {
    "variants": "wordings",
    "origin": "author",
    "accepted": "accepted",
    "pin": "locks",
    "occurrence": "time of its action",
    "within": "bounds",
    "salience": "salience",
    "note": "note",
    "voice": "voice",
    "duck": "film level",
    "extended": "held picture",
    "joined": "link",
}
_CHANGES: Mapping[LineChange | None, str] = {
    LineChange.ADDED: "added",
    LineChange.GONE: "gone",
    LineChange.REWORDED: "reworded",
    LineChange.LEFT_OUT: "left out",
    LineChange.BROUGHT_IN: "brought in",
    LineChange.MOVED: "moved",
    LineChange.DETAILS: "otherwise changed",
    None: "the same",
}


def change_words(line: ComparedLine) -> str:
    """What is different about a line: “reworded, moved”; “the same” if nothing is."""
    words = [_CHANGES[change] for change in line.changes if change is not LineChange.DETAILS]
    words += [_DETAILS[name] for name in line.details]
    return ", ".join(words) or _CHANGES[None]


def summary(lines: Sequence[ComparedLine]) -> str:
    """How many lines have which change: “2 reworded, 1 gone, 40 the same”."""
    return ", ".join(f"{number:,} {_CHANGES[change]}" for change, number in counts(lines).items()) or "no lines"


def author(state: LineState | None) -> str:
    """Who worded a line: “machine” or “person”; empty if it is not there."""
    return "" if state is None else ORIGINS[state.origin]


def taken_back(current: VersionContent, version: VersionContent, identity: str, name: str) -> str:
    """What is said of a line that was taken back from a version of that name, without the line and a full stop."""
    state, line = line_state(current, identity), current.script.eventuality(identity)
    as_it_was = f"is as in “{name}”"
    if line.pin != version.script.eventuality(identity).pin:
        as_it_was += ", locked out" if line.pin.selected is False else ", locked"
    if state.spoken:
        at = "" if state.start is None else f" at {current.script.film.timecode(state.start)}"
        was = line_state(version, identity)
        other = " in another wording" if was.spoken and was.text != state.text else ""
        return f"{as_it_was}, and is spoken{at}{other}"
    why = "" if line.pin.selected is False else ": there is no room, or other lines are worth more"
    return f"{as_it_was}, and is not spoken{why}"


def marked_words(pieces: Sequence[Piece]) -> str:
    """The words of both texts, marked as `wdiff` marks them: `a [-black-] {+brown+} dog`."""
    marks = {In.BOTH: "{}", In.OLD: "[-{}-]", In.NEW: "{{+{}+}}"}
    return " ".join(marks[piece.where].format(piece.text) for piece in pieces)


def spoken_words(pieces: Sequence[Piece]) -> str:
    """The difference of two texts as it can be read out: “black” replaced by “brown”; “big” deleted."""
    found: list[str] = []
    at = 0
    while at < len(pieces):
        text, where = pieces[at]
        following = pieces[at + 1] if at + 1 < len(pieces) else None
        if where is In.OLD and following is not None and following.where is In.NEW:
            found.append(f"“{text}” replaced by “{following.text}”")
            at += 1
        elif where is not In.BOTH:
            found.append(f"“{text}” {'deleted' if where is In.OLD else 'inserted'}")
        at += 1
    return "; ".join(found)
