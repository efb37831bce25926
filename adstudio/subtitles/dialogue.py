"""Interpreting the cues of a subtitle file: speech, sounds, music, singing, and speakers.

Cues in which several people speak, each on a line with a hyphen, become one cue per speaker (paper, appendix “Subtitle
splitting”). The file's own cues are unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from adstudio.core.errors import Oddity
from adstudio.core.script import Cue, CueKind
from adstudio.subtitles.labels import (
    BRACKETS,
    NOTES,
    bracketed,
    describes_music,
    is_music,
    is_only_notes,
    reads_like_speech,
    stands_apart,
    sung_words,
)
from adstudio.subtitles.parsed_file import SubtitleCue, SubtitleFile
from adstudio.subtitles.speakers import bracket_is_name, speaker_prefix, without_change_mark
from adstudio.subtitles.splitting import HYPHENS, TimedWord, hyphen_parts, part_spans

_MARKED = re.compile(rf"[{re.escape(BRACKETS + NOTES)}:：#>]|^\s*[{re.escape(HYPHENS)}]", re.MULTILINE)
"""The signs of labels, names and songs: a text without any of them is plain speech."""

_MAX_LENGTH = 1000
"""The longest text, in characters, that is searched for labels: nobody reads more in one cue."""

__all__ = ["Dialogue", "DialogueEntry", "TimedWord", "dialogue", "dialogue_cues"]


@dataclass(frozen=True, slots=True)
class DialogueEntry:
    """A dialogue cue, the number of its subtitle cue, and the labels removed from its text."""

    cue: Cue
    number: int
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The dialogue of a file in order of time, and its problems."""

    entries: tuple[DialogueEntry, ...]
    oddities: tuple[Oddity, ...]


@dataclass(frozen=True, slots=True)
class _Meaning:
    text: str
    kind: CueKind
    speaker: str | None = None
    labels: tuple[str, ...] = ()
    odd: str = ""


def dialogue_cues(file: SubtitleFile, *, words: Sequence[TimedWord] = ()) -> tuple[Cue, ...]:
    """The dialogue of a file in order of time; see `dialogue`."""
    return tuple(entry.cue for entry in dialogue(file, words=words).entries)


def dialogue(file: SubtitleFile, *, words: Sequence[TimedWord] = ()) -> Dialogue:
    """The dialogue of a file in order of time, and its problems.

    Ids are `c` and the number of the subtitle cue, plus `a`, `b`… for the parts of a split one. `words` are recognised
    speech, which determines where cues with several speakers are split. Cues without text are dropped (the file's
    oddities list them).
    """
    known = _known_names(file)
    words = sorted(words, key=lambda word: word.start)
    entries: list[DialogueEntry] = []
    oddities: list[Oddity] = []
    for cue in file.cues:
        if not cue.text:
            continue
        parts = _parts(cue)
        spans: list[tuple[int, int]] = []
        if 1 < len(parts) <= len(ascii_lowercase):
            spans = part_spans(cue.start, cue.end, [text for text, _ in parts], words)
        if len(parts) > 1 and not spans:
            oddities.append(
                Oddity("the cue is too short, or has too many lines, to be split between its speakers", cue.line)
            )
            parts = [(cue.text, cue.speaker)]
        for k, (text, voice) in enumerate(parts):
            meaning = _meaning(text, known)
            start, end = spans[k] if spans else (cue.start, cue.end)
            identity = f"c{cue.number}{ascii_lowercase[k] if spans else ''}"
            speaker = voice or meaning.speaker
            spoken = Cue(identity, start, end, meaning.text, speaker, meaning.kind)
            entries.append(DialogueEntry(spoken, cue.number, meaning.labels))
            if meaning.odd:
                oddities.append(Oddity(meaning.odd, cue.line))
    entries.sort(key=lambda entry: entry.cue.start)
    return Dialogue(tuple(entries), tuple(oddities))


def _known_names(file: SubtitleFile) -> frozenset[str]:
    """Names that are beyond doubt: in the markup, or in capitals before a colon."""
    found = {voice.name.upper() for cue in file.cues for voice in cue.voices}
    for line in (line for cue in file.cues if ":" in cue.text for line in cue.text.split("\n")):
        prefix = speaker_prefix(line.lstrip(HYPHENS + " "))
        if prefix is not None and prefix[0] == prefix[0].upper() and line != line.upper():
            found.add(prefix[0].upper())
    return frozenset(found)


def _parts(cue: SubtitleCue) -> list[tuple[str, str | None]]:
    """Each speaker's text, with the name from the markup, if any."""
    if len({voice.name for voice in cue.voices}) > 1:
        return list(_voiced_parts(cue))
    parts = hyphen_parts(cue.text)
    return [(part, cue.speaker) for part in parts] if len(parts) > 1 else [(cue.text, cue.speaker)]


def _voiced_parts(cue: SubtitleCue) -> Iterator[tuple[str, str | None]]:
    cuts = [voice.at for voice in cue.voices] + [len(cue.text)]
    head = cue.text[: cuts[0]].strip()
    if head:
        yield head, None
    for voice, start, end in zip(cue.voices, cuts, cuts[1:], strict=False):
        text = cue.text[start:end].strip()
        if text:
            yield text, voice.name


def _meaning(text: str, known: frozenset[str]) -> _Meaning:
    """Interprets one speaker's text."""
    if len(text) > _MAX_LENGTH:
        return _Meaning(text, CueKind.SPEECH, odd="the cue is very long, so it was not searched for labels")
    if _MARKED.search(text) is None:
        return _Meaning("\n".join([" ".join(line.split()) for line in text.split("\n") if line]), CueKind.SPEECH)
    if is_only_notes(text):
        return _Meaning(text, CueKind.MUSIC)
    shouted = text == text.upper()
    labels: list[str] = []
    speaker, rest = _named(text, known, labels, shouted=shouted)
    groups, odd = bracketed(rest)
    pieces: list[str] = []
    at = 0
    for group in groups:
        if not stands_apart(rest, group):
            continue
        pieces.append(rest[at : group.start])
        at = group.end
        label = rest[group.start : group.end]
        follows = rest[group.end :].lstrip(" ").split("\n", 1)[0].strip(HYPHENS + " .:：♪")
        alone = not "".join(pieces).rsplit("\n", 1)[-1].strip(HYPHENS + " >")
        wide = label[0] in "（［【〔"
        if speaker is None and follows and alone and bracket_is_name(group.inner, wide=wide, known=known):
            speaker = " ".join(group.inner.split())
            rest = rest[:at] + rest[at:].replace(":", " ", 1) if rest[at:].lstrip().startswith(":") else rest
        else:
            labels.append(label)
    pieces.append(rest[at:])
    what = "there is an unmatched bracket, so the text was kept as speech" if odd else ""
    return _classified(text, "".join(pieces), speaker, labels, what)


def _classified(text: str, remaining: str, speaker: str | None, labels: list[str], odd: str) -> _Meaning:
    lines = [" ".join(without_change_mark(line.strip()).split()) for line in remaining.split("\n")]
    notes = [line for line in lines if line and is_only_notes(line)]
    # A hyphen or full stop left over after removing a label is not speech.
    lines = [
        line
        for line in lines
        if line and not is_only_notes(line) and (not labels or any(char.isalnum() for char in line))
    ]
    said = "\n".join(lines)
    if not said:
        if not labels and not notes:
            return _Meaning(text, CueKind.SPEECH, speaker, odd=odd)
        inner = [label[1:-1] for label in labels]
        if not notes and len(inner) == 1 and text.strip()[:1] in "(（" and reads_like_speech(inner[0]):
            odd = "a whole sentence is in brackets, so it was kept as speech"
            return _Meaning(inner[0].strip(), CueKind.SPEECH, speaker, odd=odd)
        music = all(is_music(label) for label in inner) if inner else True
        return _Meaning(text, CueKind.MUSIC if music or notes else CueKind.SOUND, speaker, odd=odd)
    song = sung_words("\n".join([*notes, *lines]) if notes and len(lines) == 0 else said)
    if song is not None:
        if describes_music(song):
            return _Meaning(text, CueKind.MUSIC, speaker, odd=odd)
        return _Meaning(song, CueKind.SUNG, speaker, tuple(labels), odd)
    return _Meaning(said, CueKind.SPEECH, speaker, (*labels, *notes), odd)


def _named(text: str, known: frozenset[str], labels: list[str], *, shouted: bool) -> tuple[str | None, str]:
    """The speaker named at the start of a text, and the text without the name."""
    head = text.lstrip(HYPHENS + " ")
    prefix = speaker_prefix(head, known=known, shouted=shouted)
    if prefix is None:
        return None, text
    name, label, rest = prefix
    if not rest.strip():
        return None, text
    if label:
        labels.append(label)
    return name, rest.strip()
