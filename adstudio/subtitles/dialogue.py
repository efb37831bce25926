"""Interpreting the cues of a subtitle file: speech, sounds, music, singing, and speakers.

Cues in which several people speak, each on a line with a hyphen or a name, become one cue per speaker (paper, appendix
“Subtitle splitting”), which share the time in proportion to the words said and are at least 0.024 s apart. So do cues
that are sung and spoken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from string import ascii_lowercase

from adstudio.core.cast import SpeakerSource
from adstudio.core.counts import counted
from adstudio.core.errors import Oddity
from adstudio.core.script import Cue, CueKind
from adstudio.core.words import count_words
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.invisible import shows_nothing, without_outer_marks
from adstudio.subtitles.labels import (
    BRACKETS,
    HYPHENED,
    HYPHENS,
    NOTES,
    bracketed,
    describes_music,
    is_music,
    is_only_notes,
    reads_like_speech,
    stands_apart,
    sung_words,
)
from adstudio.subtitles.name_forms import with_colons
from adstudio.subtitles.named_lines import Labels, labels_alone, named_parts
from adstudio.subtitles.parsed_file import SubtitleCue, SubtitleFile
from adstudio.subtitles.rolling import counted_once
from adstudio.subtitles.songs import song_parts
from adstudio.subtitles.speakers import bracket_is_name, speaker_prefix, without_change_mark

SPEAKER_PAUSE_MS = 24
"""Milliseconds between the parts of a split cue: about one frame."""

_MARKED = re.compile(rf"[{re.escape(BRACKETS + NOTES)}:：#*>]|^[^\S\n]*[{re.escape(HYPHENS)}]", re.MULTILINE)
"""The signs of labels, names and songs: a text without any of them is plain speech."""

_MAX_LENGTH = 1000
"""The longest text, in characters, that is searched for labels: nobody reads more in one cue."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The dialogue of a file in order of time, and its problems."""

    cues: tuple[Cue, ...]
    oddities: tuple[Oddity, ...]
    silence: str = ""
    """Why nothing in the file is speech or song; empty if something is."""
    how_read: str = ""
    """Of a file without cues as `SubtitleFile.how_read`."""


class NoDialogueError(SubtitleError):
    """Nothing in the subtitles is speech or song."""

    option = "--without-dialogue"


@dataclass(frozen=True, slots=True)
class _Meaning:
    text: str
    kind: CueKind
    speaker: str | None = None
    odd: str = ""


def dialogue(file: SubtitleFile) -> Dialogue:
    """The dialogue of a file in order of time, and its problems.

    Ids are `c` and the number of the subtitle cue, plus `a`, `b`… for the parts of a split one. Cues without text are
    dropped (the file's oddities list them), and what rolling captions repeat counts once.
    """
    labels = _labels(file)
    spelled = tuple(with_colons(file.cues, labels.names))
    if spelled != tuple(file.cues):
        file = replace(file, cues=spelled)
        labels = _labels(file)
    cues: list[Cue] = []
    entries, notes = counted_once(file.cues)
    oddities = list(notes)
    for cue in entries:
        if not cue.text:
            continue
        if cue.kind is not None:
            cues.append(_labelled(Cue(f"c{cue.number}", cue.start, cue.end, cue.text, cue.speaker, cue.kind)))
            continue
        parts, unclear = _with_songs(_parts(cue, labels), labels)
        if unclear:
            what = "it is unclear whether a line beside the song is spoken; it was read as speech"
            oddities.append(Oddity(what, cue.line))
        meanings = [_meaning(text, labels) for text, _ in parts]
        spans: list[tuple[int, int]] = []
        if 1 < len(parts) <= len(ascii_lowercase):
            spans = part_spans(cue.start, cue.end, [meaning.text for meaning in meanings])
        if len(parts) > 1 and not spans:
            oddities.append(
                Oddity("the cue is too short, or has too many lines, to be split between its speakers", cue.line)
            )
            parts = [(cue.text, cue.speaker)]
            whole = _meaning(cue.text, labels)
            spoken = any(meaning.kind is CueKind.SPEECH for meaning in meanings)
            meanings = [replace(whole, kind=CueKind.SPEECH) if spoken else whole]
        for k, ((_, voice), meaning) in enumerate(zip(parts, meanings, strict=True)):
            start, end = spans[k] if spans else (cue.start, cue.end)
            identity = f"c{cue.number}{ascii_lowercase[k] if spans else ''}"
            cues.append(_labelled(Cue(identity, start, end, meaning.text, voice or meaning.speaker, meaning.kind)))
            if meaning.odd:
                oddities.append(Oddity(meaning.odd, cue.line))
    silence = _silence(file, cues)
    # That a file has no cues is among its own oddities.
    if silence and file.cues:
        oddities.append(Oddity(f"no dialogue was found in the subtitles: {silence}"))
    return Dialogue(tuple(sorted(cues, key=lambda cue: cue.start)), tuple(oddities), silence, file.how_read)


def _labelled(cue: Cue) -> Cue:
    """The cue with the source of its speaker, if it names one."""
    return cue if cue.speaker is None else replace(cue, speaker_source=SpeakerSource.LABEL)


def require_dialogue(found: Dialogue, path: Path) -> None:
    """Check that something is said in the subtitles in `path`, or the whole film would count as free.

    Raises:
        NoDialogueError: if nothing is.
    """
    if found.silence:
        raise NoDialogueError(
            f"no dialogue was found in {path}: {found.silence}, so narration could lie over speech;"
            f" {found.how_read or 'check the file'}, or confirm that the film has no dialogue"
        )


def _silence(file: SubtitleFile, cues: Sequence[Cue]) -> str:
    if any(cue.kind in (CueKind.SPEECH, CueKind.SUNG) for cue in cues):
        return ""
    entries = len(file.cues)
    if not entries:
        return f"it contains only signs ({file.signs:,})" if file.signs else "it contains no cues"
    count = f"({counted(entries, 'cue')})"
    return f"it contains only sound labels and music {count}" if cues else f"none of its cues has text {count}"


def _labels(file: SubtitleFile) -> Labels:
    """Names that are beyond doubt, in the markup or in capitals before a colon, and labels that make up a cue."""
    found = {voice.name.upper() for cue in file.cues for voice in cue.voices}
    for line in (line for cue in file.cues if ":" in cue.text for line in cue.text.split("\n")):
        prefix = speaker_prefix(line.lstrip(HYPHENS + " "))
        if prefix is not None and prefix[0] == prefix[0].upper() and line != line.upper():
            found.add(prefix[0].upper())
    marked = (cue.text for cue in file.cues if len(cue.text) <= _MAX_LENGTH and _MARKED.search(cue.text))
    alone = (label for text in marked for part in hyphen_parts(text) for label in labels_alone(part))
    return Labels(frozenset(found), frozenset(alone))


def _parts(cue: SubtitleCue, labels: Labels) -> list[tuple[str, str | None]]:
    """Each speaker's text, with the name from the markup, if any."""
    if len({voice.name for voice in cue.voices}) > 1:
        voiced = [(without_outer_marks(text), name) for text, name in _voiced_parts(cue)]
        return [(text, name) for text, name in voiced if not shows_nothing(text)]
    parts = hyphen_parts(without_outer_marks(cue.text))
    if len(parts) == 1 and not cue.voices and len(cue.text) <= _MAX_LENGTH:
        parts = named_parts(parts[0], labels)
    return [(part, cue.speaker) for part in parts]


def _with_songs(parts: Sequence[tuple[str, str | None]], labels: Labels) -> tuple[list[tuple[str, str | None]], bool]:
    """The parts, divided where one is sung and spoken, and whether it is unclear where.

    Music beside speech that has no words gets no time of its own.
    """
    found: list[tuple[str, str | None]] = []
    doubt = False
    for text, voice in parts:
        divided, unclear = song_parts(text) if len(text) <= _MAX_LENGTH else ([], False)
        kinds = [_meaning(part.text, labels).kind for part in divided]
        if CueKind.SPEECH in kinds and CueKind.SUNG in kinds:
            found += [(part.text, voice) for part in divided]
            doubt = doubt or unclear
        elif CueKind.SPEECH in kinds and CueKind.MUSIC in kinds:
            spoken = [part.text for part, kind in zip(divided, kinds, strict=True) if kind is not CueKind.MUSIC]
            found.append(("\n".join(spoken), voice))
        else:
            found.append((text, voice))
    return found, doubt


def hyphen_parts(text: str) -> list[str]:
    """Each speaker's text, if at least two lines including the first start with a hyphen; else one part.

    A line without a hyphen continues the previous line.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    marks = [HYPHENED.match(line) for line in lines]
    if not marks or marks[0] is None or sum(mark is not None for mark in marks) < 2:
        return [text]
    parts: list[str] = []
    for line, mark in zip(lines, marks, strict=True):
        if mark is None:
            parts[-1] += "\n" + line.strip()
        else:
            parts.append(line[mark.end() :].strip())
    return parts


def part_spans(start: int, end: int, parts: Sequence[str]) -> list[tuple[int, int]]:
    """When each part of a cue is spoken, in proportion to its word count; none if the cue is too short.

    Parts have positive length and do not overlap.
    """
    count = len(parts)
    gap = min(SPEAKER_PAUSE_MS, (end - start) // (2 * count)) if end > start else 0
    # Every part gets a millisecond; the rest is shared in proportion.
    shared = end - start - gap * (count - 1) - count
    if shared < 0:
        return []
    weights = [count_words(part) for part in parts]
    if not all(weights):
        weights = [max(1, len("".join(part.split()))) for part in parts]
    ends = [start + k * gap + (k + 1) + shared * before // sum(weights) for k, before in enumerate(accumulate(weights))]
    return list(zip([start, *(at + gap for at in ends[:-1])], ends, strict=True))


def _voiced_parts(cue: SubtitleCue) -> Iterator[tuple[str, str | None]]:
    cuts = [voice.at for voice in cue.voices] + [len(cue.text)]
    head = cue.text[: cuts[0]].strip()
    if head:
        yield head, None
    for voice, start, end in zip(cue.voices, cuts, cuts[1:], strict=False):
        text = cue.text[start:end].strip()
        if text:
            yield text, voice.name


def _meaning(text: str, known: Labels) -> _Meaning:
    """Interprets one speaker's text."""
    if len(text) > _MAX_LENGTH:
        return _Meaning(text, CueKind.SPEECH, odd="the cue is very long, so it was not searched for labels")
    if _MARKED.search(text) is None:
        return _Meaning("\n".join([" ".join(line.split()) for line in text.split("\n") if line]), CueKind.SPEECH)
    if is_only_notes(text):
        return _Meaning(text, CueKind.MUSIC)
    shouted = text == text.upper()
    labels: list[str] = []
    speaker, rest = _named(text, known.names, labels, shouted=shouted)
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
        # Above what is said, a label is more often a sound.
        above = group.inner.strip().upper() in known.names and any(map(str.isalnum, rest[group.end :]))
        if (
            speaker is None
            and (follows or above)
            and alone
            and bracket_is_name(group.inner, wide=wide, known=known.names, sounds=known.sounds)
        ):
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
            return _Meaning(text, CueKind.SPEECH, speaker, odd)
        inner = [label[1:-1] for label in labels]
        if not notes and len(inner) == 1 and text.strip()[:1] in "(（" and reads_like_speech(inner[0]):
            odd = "a whole sentence is in brackets, so it was kept as speech"
            return _Meaning(inner[0].strip(), CueKind.SPEECH, speaker, odd)
        music = all(is_music(label) for label in inner) if inner else True
        return _Meaning(text, CueKind.MUSIC if music or notes else CueKind.SOUND, speaker, odd)
    song = sung_words("\n".join([*notes, *lines]) if notes and len(lines) == 0 else said)
    if song is not None:
        if describes_music(song):
            return _Meaning(text, CueKind.MUSIC, speaker, odd)
        return _Meaning(song, CueKind.SUNG, speaker, odd)
    return _Meaning(said, CueKind.SPEECH, speaker, odd)


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


def spoken_texts(cues: Sequence[Cue]) -> list[str]:
    """The texts of the cues in which something is said or sung."""
    return [cue.text for cue in cues if cue.text and cue.kind in (CueKind.SPEECH, CueKind.SUNG)]
