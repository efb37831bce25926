"""Importing a folder of sound files as takes, each for the line whose number it has.

Nothing of a file is lost: its channels are averaged and it is kept at 48 kHz and 24 bits; silence before and after what
is heard is trimmed, which can be taken back. The files themselves are not touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from adstudio.core.errors import AdstudioError, BadInputError, OutsideFailureError
from adstudio.core.narration import MIN_TAKE_MS
from adstudio.core.plan import Plan
from adstudio.core.script import MAX_NAME_LENGTH, Script
from adstudio.delivery.formats import exported_lines
from adstudio.delivery.options import DEFAULTS
from adstudio.editing.takes import NewTake
from adstudio.recording.file_numbers import file_number, natural_key, shared_beginning
from adstudio.recording.messages import NotImported
from adstudio.speech.sound import Sound
from adstudio.speech.takes import (
    SAMPLE_RATE,
    decoded_recording,
    encoded_recording,
    silence_around,
)
from adstudio.system.files import read_bounded, reason

SOUND_ENDINGS = {
    ".aif",
    ".aifc",
    ".aiff",
    ".bwf",
    ".flac",
    ".m4a",
    ".mp3",
    ".ogg",
    ".opus",
    ".rf64",
    ".w64",
    ".wav",
    ".wave",
}
LARGEST_FILE = 1 << 28
MAX_FILES = 20_000
LONGEST_ID = 60
"""Characters of an id in the name of a line's own file, as `adstudio mix` writes it."""
_WRITTEN = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class LinePlace:
    """A wording that a number stands for: the number of its line in the exported script, the line's id, and its own."""

    number: int
    line: str
    variant: int
    text: str


@dataclass(frozen=True)
class ImportedFile:
    """A file of the folder and what became of it: a take of `place`, or `why` it is none.

    `detail` is what the reader of an unreadable file says; `cut_off`, that it ends before its header says.
    """

    path: Path
    number: int | None = None
    take_number: int | None = None
    place: LinePlace | None = None
    why: NotImported | None = None
    detail: str = ""
    take: NewTake | None = None
    cut_off: bool = False

    @property
    def is_matched(self) -> bool:
        """Whether its name says which line it is of, and that can have a take."""
        return self.place is not None and self.why is None


def numbered_lines(script: Script, plan: Plan) -> tuple[LinePlace, ...]:
    """The wordings that a plan speaks, by the numbers that their lines have in the exported script.

    Extended lines, which are in no gap, follow in order of their actions.
    """
    found: list[LinePlace] = []
    lines = exported_lines(script, plan, DEFAULTS)
    for line in lines:
        if line.element is not None:
            parts = [(line.element, line.variant), *((part.element, part.variant) for part in line.joined)]
            found += [_place(script, line.number, *part) for part in parts]
    extended = [line for line in script.eventualities if line.extended and line.occurrence is not None]
    extended.sort(key=lambda line: line.occurrence.start if line.occurrence else 0)
    spoken = [(line, min(line.pin.variant or 0, len(line.variants) - 1)) for line in extended]
    spoken = [pair for pair in spoken if pair[0].pin.selected is not False and pair[0].variants[pair[1]].text.strip()]
    found += [_place(script, number, line.id, wording) for number, (line, wording) in enumerate(spoken, len(lines) + 1)]
    return tuple(found)


def _place(script: Script, number: int, line: str, variant: int) -> LinePlace:
    return LinePlace(number, line, variant, script.eventuality(line).variants[variant].text)


def matched_files(folder: Path, script: Script, places: Iterable[LinePlace]) -> tuple[ImportedFile, ...]:
    """The files of a folder in order of their lines and takes, matched by their names alone.

    A name that `adstudio mix` gives to a line, a number and the line's id, is of that line whatever its number is now.

    Raises:
        BadInputError: for what is no folder, or has too many files.
        OutsideFailureError: if it cannot be read.
    """
    try:
        if not folder.is_dir():
            raise BadInputError(f"{folder} is not a folder: name the folder with the sound files")
        files = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
        files = sorted((file for file in files if file.is_file()), key=lambda file: natural_key(file.name))
    except OSError as error:
        raise OutsideFailureError(f"cannot read {folder}: {reason(error)}") from error
    if len(files) > MAX_FILES:
        raise BadInputError(f"{folder} has more than {MAX_FILES:,} files: put the sound files in a folder of their own")
    by_number: dict[int, list[LinePlace]] = {}
    for place in places:
        by_number.setdefault(place.number, []).append(place)
    sounds = [file for file in files if file.suffix.lower() in SOUND_ENDINGS]
    beginning = shared_beginning([file.stem for file in sounds])
    ids = {_WRITTEN.sub("_", line.id)[:LONGEST_ID]: line.id for line in script.eventualities}
    found = [_matched(file, beginning, by_number, ids) for file in sounds]
    found.sort(key=lambda each: (each.number is None, each.number or 0, each.take_number or 0))
    others = (ImportedFile(file, why=NotImported.NO_SOUND_FILE) for file in files if file not in set(sounds))
    return (*found, *others)


def read_takes(
    script: Script,
    files: Sequence[ImportedFile],
    store: Callable[[bytes], str] | None,
    on_file: Callable[[int], None] = lambda _: None,
) -> tuple[ImportedFile, ...]:
    """The same files, those that are matched read: each is a take then, or says why it is none.

    `store` keeps a recording and returns its key, as `ProjectFile.store_sound` does; without it nothing is kept. It is
    told how many files are done before each.

    Raises:
        OutsideFailureError: if a recording cannot be stored.
    """
    found: list[ImportedFile] = []
    for done, file in enumerate(files):
        on_file(done)
        if not file.is_matched:
            found.append(file)
            continue
        read = read_sound_file(file.path)
        found.append(as_take(script, file, read))
        if found[-1].take is not None and store is not None:
            store(read.recording)
    on_file(len(files))
    return tuple(found)


def new_takes(files: Iterable[ImportedFile]) -> tuple[NewTake, ...]:
    """The takes that files have become, in order."""
    return tuple(file.take for file in files if file.take is not None)


def _matched(file: Path, beginning: str, by_number: dict[int, list[LinePlace]], ids: dict[str, str]) -> ImportedFile:
    named = file_number(file.stem, beginning)
    found = ImportedFile(file, named.line, named.take)
    if named.line is None:
        return replace(found, why=NotImported.SEVERAL_NUMBERS if named.several else NotImported.NO_NUMBER)
    places = by_number.get(named.line, [])
    of_id = ids.get(file.stem.partition("-")[2])
    if of_id is not None:
        places = [place for each in by_number.values() for place in each if place.line == of_id]
        if not places:
            return replace(found, why=NotImported.NOT_SPOKEN)
    if not places:
        return replace(found, why=NotImported.NO_SUCH_LINE)
    if len(places) > 1:
        return replace(found, why=NotImported.LINKED)
    (place,) = places
    return replace(found, number=place.number, place=place, why=None if place.text.strip() else NotImported.NO_WORDS)


@dataclass(frozen=True)
class SoundRead:
    """What was read of a file: the recording as it is kept, its length and from where to where something is heard.

    Without one, `why` and `detail` say why it is no take.
    """

    recording: bytes = b""
    length: int = 0
    start: int = 0
    end: int = 0
    cut_off: bool = False
    why: NotImported | None = None
    detail: str = ""


def read_sound_file(path: Path) -> SoundRead:
    """Read a sound file as a take."""
    try:
        decoded = decoded_recording(read_bounded(path, LARGEST_FILE, "sound file"))
    except AdstudioError as error:
        return SoundRead(why=NotImported.UNREADABLE, detail=str(error).removeprefix(f"{path}: "))
    samples = decoded.sound.samples
    sound = Sound(samples[: len(samples) // 48 * 48], SAMPLE_RATE)
    if sound.ms < MIN_TAKE_MS:
        return SoundRead(why=NotImported.SHORT)
    start, end = silence_around(sound)
    if start >= end:
        return SoundRead(why=NotImported.SILENT)
    return SoundRead(encoded_recording(sound), sound.ms, start, end, decoded.cut_off)


def as_take(script: Script, file: ImportedFile, read: SoundRead) -> ImportedFile:
    """A matched file with what was read of it: a take, or why it is none."""
    if file.place is None or read.why is not None:
        return replace(file, why=read.why or file.why, detail=read.detail)
    key = sha256(read.recording).hexdigest()
    wording = script.eventuality(file.place.line).variants[file.place.variant]
    if any((take.sound, take.text) == (key, wording.text) for take in wording.takes):
        return replace(file, why=NotImported.KNOWN)
    name = "".join(each for each in file.path.stem if each.isprintable())[:MAX_NAME_LENGTH].strip()
    take = NewTake(file.place.line, file.place.variant, key, read.length, read.start, read.end, name)
    return replace(file, take=take, cut_off=read.cut_off)
