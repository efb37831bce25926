"""Importing a folder of sound files as takes, each for the line whose number it has.

Nothing of a file is lost: its channels are averaged and it is kept at 48 kHz and 24 bits; silence before and after what
is heard is trimmed, which can be taken back. The files themselves are not touched.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from adstudio.core.cast import MAX_NAME_LENGTH
from adstudio.core.errors import AdstudioError, BadInputError, OutsideFailureError
from adstudio.core.narration import MIN_TAKE_MS
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.delivery.formats import exported_lines
from adstudio.delivery.lines import extended_lines
from adstudio.delivery.options import DEFAULTS
from adstudio.editing.fusions import as_own
from adstudio.editing.takes import NewTake
from adstudio.recording.file_numbers import file_number, natural_key, shared_beginning
from adstudio.recording.messages import LARGEST_RECORDING, FileRead, NotImported
from adstudio.speech.sound import Sound
from adstudio.speech.takes import SAMPLE_RATE, decoded_recording, encoded_recording, silence_around
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
MAX_FILES = 20_000
LONGEST_ID = 60
"""Characters of an id in the name of a line's own file, as `adstudio mix` writes it."""
_NO_SOUND = {NotImported.NO_SOUND_FILE, NotImported.FOLDER, NotImported.BROKEN_LINK, NotImported.NO_FILE}
_WRITTEN = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class LinePlace:
    """A wording that a number stands for: the number of its line in the exported script, the line's id, and its own.

    The number is 0 for a line that the plan does not speak.
    """

    number: int
    line: str
    variant: int
    text: str


@dataclass(frozen=True)
class ImportedFile:
    """A file of the folder and what became of it: a take of `place`, or `why` it is none.

    `detail` is what the reader of an unreadable file says; `cut_off`, that it ends before its header says; `known`,
    whose take the same recording is already.
    """

    path: Path
    number: int | None = None
    take_number: int | None = None
    place: LinePlace | None = None
    why: NotImported | None = None
    detail: str = ""
    take: NewTake | None = None
    cut_off: bool = False
    known: LinePlace | None = None

    @property
    def is_sound(self) -> bool:
        """Whether it is read: also one whose name says nothing may be a take already."""
        return self.why not in _NO_SOUND


@dataclass(frozen=True)
class ImportEffect:
    """What an import changes in the plan: lines no longer spoken, lines that came in, and whether numbers changed.

    `dropped` have the numbers from before it, `added` those from after it.
    """

    dropped: tuple[LinePlace, ...] = ()
    added: tuple[LinePlace, ...] = ()
    renumbered: bool = False


def numbered_lines(script: Script, plan: Plan) -> tuple[LinePlace, ...]:
    """The wordings that a plan speaks, by the numbers that their lines have in the exported script.

    A fused line is there as the line of its own that it becomes with a take (`editing.fusions.as_own`). Extended lines,
    which are in no gap, follow in order of their actions.
    """
    script, plan = as_own(script, plan)
    found: list[LinePlace] = []
    lines = exported_lines(script, plan, DEFAULTS)
    for line in lines:
        if line.element is not None:
            parts = [(line.element, line.variant), *((part.element, part.variant) for part in line.joined)]
            found += [_place(script, line.number, *part) for part in parts]
    return (*found, *extended_places(script, len(lines) + 1))


def extended_places(script: Script, first: int) -> tuple[LinePlace, ...]:
    """The extended lines that are spoken, in order of their actions, numbered from `first`."""
    return tuple(
        LinePlace(number, each.line.id, each.variant, each.wording.text)
        for number, each in enumerate(extended_lines(script), first)
    )


def _place(script: Script, number: int, line: str, variant: int) -> LinePlace:
    return LinePlace(number, line, variant, script.eventuality(line).variants[variant].text)


def import_effect(before: Sequence[LinePlace], after: Sequence[LinePlace]) -> ImportEffect:
    """What has changed between the lines that were spoken before an import and those that are after it."""
    old, new = ({place.line for place in places} for places in (before, after))
    return ImportEffect(
        tuple(place for place in before if place.line not in new),
        tuple(place for place in after if place.line not in old),
        {(place.number, place.line) for place in before} != {(place.number, place.line) for place in after},
    )


def known_recordings(script: Script, places: Iterable[LinePlace]) -> dict[str, LinePlace]:
    """Whose takes the recordings of a project are, by their keys."""
    numbers = {place.line: place.number for place in places}
    return {
        take.sound: LinePlace(numbers.get(line.id, 0), line.id, index, wording.text)
        for line in script.eventualities
        for index, wording in enumerate(line.variants)
        for take in wording.takes
    }


def renumbered_takes(script: Script, places: Iterable[LinePlace]) -> tuple[tuple[str, LinePlace], ...]:
    """Takes whose names begin with another number than their lines have: the numbers have changed since they came."""
    numbers = {place.line: place for place in places}
    found: list[tuple[str, LinePlace]] = []
    for line in script.eventualities:
        place = numbers.get(line.id)
        for take in (take for wording in line.variants for take in wording.takes):
            number = file_number(take.name).line
            if place is not None and number is not None and number != place.number:
                found.append((take.name, place))
    return tuple(found)


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
        files.sort(key=lambda file: natural_key(file.name))
    except OSError as error:
        raise OutsideFailureError(f"cannot read {folder}: {reason(error)}") from error
    if len(files) > MAX_FILES:
        raise BadInputError(f"{folder} has more than {MAX_FILES:,} files: put the sound files in a folder of their own")
    by_number: dict[int, list[LinePlace]] = {}
    for place in places:
        by_number.setdefault(place.number, []).append(place)
    odd = {file: why for file in files if (why := _no_file(file)) is not None}
    sounds = [file for file in files if file not in odd and file.suffix.lower() in SOUND_ENDINGS]
    beginning = shared_beginning([file.stem for file in sounds])
    ids = {_WRITTEN.sub("_", line.id)[:LONGEST_ID]: line.id for line in script.eventualities}
    found = [_matched(file, beginning, by_number, ids) for file in sounds]
    found.sort(key=lambda each: (each.number is None, each.number or 0, each.take_number or 0))
    left = set(files).difference(sounds)
    others = (ImportedFile(file, why=odd.get(file, NotImported.NO_SOUND_FILE)) for file in files if file in left)
    return (*found, *others)


def _no_file(entry: Path) -> NotImported | None:
    """Why an entry of a folder is no regular file, None if it is one or reading it will say what is amiss."""
    try:
        mode = entry.stat().st_mode
    except FileNotFoundError:
        return NotImported.BROKEN_LINK
    except OSError:
        return NotImported.BROKEN_LINK if entry.is_symlink() else None
    if stat.S_ISREG(mode):
        return None
    return NotImported.FOLDER if stat.S_ISDIR(mode) else NotImported.NO_FILE


def read_takes(
    script: Script,
    files: Sequence[ImportedFile],
    store: Callable[[bytes], str] | None,
    on_file: Callable[[int], None] = lambda _: None,
    known: Mapping[str, LinePlace] | None = None,
) -> tuple[ImportedFile, ...]:
    """The same files, sound files read: each is a take then, or says why it is none.

    `known` are recordings that are takes already (`known_recordings`): they do not become takes of other lines, and
    neither does what is in the folder twice. None: any recording may be a take of several lines.

    `store` keeps a recording and returns its key, as `ProjectFile.store_sound` does; without it nothing is kept. It is
    told how many files are done before each.

    Raises:
        OutsideFailureError: if a recording cannot be stored.
    """
    found: list[ImportedFile] = []
    seen = dict(known or {})
    for done, file in enumerate(files):
        on_file(done)
        if not file.is_sound:
            found.append(file)
            continue
        read, recording = read_sound_file(file.path)
        found.append(new := as_take(script, file, read, seen))
        if new.take is not None and new.place is not None and known is not None:
            seen[new.take.sound] = new.place
        if new.take is not None and store is not None:
            store(recording)
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


def read_sound_file(path: Path) -> tuple[FileRead, bytes]:
    """Read a sound file as a take: what is known of it, and its recording as it is kept (empty if it is no take)."""
    try:
        decoded = decoded_recording(read_bounded(path, LARGEST_RECORDING, "sound file"))
    except AdstudioError as error:
        return FileRead(why=NotImported.UNREADABLE, detail=str(error).removeprefix(f"{path}: ")), b""
    samples = decoded.sound.samples
    sound = Sound(samples[: len(samples) // 48 * 48], SAMPLE_RATE)
    if sound.ms < MIN_TAKE_MS:
        return FileRead(why=NotImported.SHORT), b""
    start, end = silence_around(sound)
    if start >= end:
        return FileRead(why=NotImported.SILENT), b""
    recording = encoded_recording(sound)
    return FileRead(sha256(recording).hexdigest(), sound.ms, start, end, decoded.cut_off), recording


def as_take(script: Script, file: ImportedFile, read: FileRead, known: Mapping[str, LinePlace]) -> ImportedFile:
    """A sound file with what was read of it: a take, or why it is none.

    Its recording counts before its name: one in `known` is a take of that line, whatever number the file has now.
    """
    if read.why is not None:
        return replace(file, why=read.why if file.why is None else file.why, detail=read.detail)
    key, place = read.key, file.place
    wording = None if place is None else script.eventuality(place.line).variants[place.variant]
    if wording is not None and any((take.sound, take.text) == (key, wording.text) for take in wording.takes):
        return replace(file, why=NotImported.KNOWN, known=place)
    if key in known:
        return replace(file, why=NotImported.KNOWN, known=known[key])
    if place is None or file.why is not None:
        return file
    name = "".join(each for each in file.path.stem if each.isprintable())[:MAX_NAME_LENGTH].strip()
    take = NewTake(place.line, place.variant, key, read.length, read.start, read.end, name)
    return replace(file, take=take, cut_off=read.cut_off)
