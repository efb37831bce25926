"""What became of the files of an import, in sentences for the command line and the window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adstudio.core.counts import counted
from adstudio.editing.takes import NewTake
from adstudio.recording.importing import ImportedFile, ImportEffect, LinePlace
from adstudio.recording.messages import NotImported

RENUMBERED = "lines have other numbers now, since others are spoken: export the script again before you import more"
_QUOTED = 40
_WHY = {
    NotImported.NO_SOUND_FILE: "it is no sound file",
    NotImported.NO_NUMBER: "there is no line’s number in its name: begin it with one",
    NotImported.SEVERAL_NUMBERS: "there are several numbers in its name: begin it with that of the line",
    NotImported.NO_SUCH_LINE: "there is no line {number} in the plan",
    NotImported.NOT_SPOKEN: "the plan does not speak the line whose id its name has",
    NotImported.LINKED: "line {number} is several linked lines: add the id of the one that it is of, as in {number}-ID",
    NotImported.NO_WORDS: "line {number} has no words yet",
    NotImported.UNREADABLE: "{detail}",
    NotImported.SILENT: "nothing is heard in it",
    NotImported.SHORT: "it is shorter than 0.3 s",
    NotImported.KNOWN: "it is already a take of {known}",
    NotImported.FOLDER: "it is a folder; what is in it is not read",
    NotImported.BROKEN_LINK: "it is a link that leads nowhere",
    NotImported.NO_FILE: "it is no regular file",
}


def file_message(file: ImportedFile) -> str:
    """One file, as a sentence without its full stop."""
    name = file.path.name
    if file.take is None or file.place is None:
        known = "a line" if file.known is None else line_named(file.known)
        why = _WHY[file.why or NotImported.UNREADABLE].format(number=file.number, detail=file.detail, known=known)
        return f"{name}: not imported: {why}"
    take = file.take
    used = _seconds_used(take)
    trimmed = "" if used * 1000 == take.length else f" of {take.length / 1000:.1f} s"
    ends = "; it ends before its header says, so its end may be missing" if file.cut_off else ""
    return f"{name}: {line_named(file.place)}, {used:.1f} s{trimmed}{ends}"


def _seconds_used(take: NewTake) -> float:
    return ((take.length if take.end is None else take.end) - take.start) / 1000


def line_named(place: LinePlace) -> str:
    """A line by its number, if it is spoken, and the first of its words."""
    text = " ".join(place.text.split())
    quoted = text[:_QUOTED] + ("…" if len(text) > _QUOTED else "")
    return f"{f'line {place.number}' if place.number else 'a line that is not spoken'}, “{quoted}”"


def summary(files: Iterable[ImportedFile], *, dry_run: bool = False) -> str:
    """How many files became takes, of how many lines, and how many did not."""
    found = list(files)
    takes = [file for file in found if file.take is not None]
    lines = len({(file.take.line, file.take.variant) for file in takes if file.take is not None})
    left = len(found) - len(takes)
    if not any(file.is_sound for file in found):
        return "no sound files" + (f", {counted(left, 'other')}" if left else "")
    if not takes:
        return f"nothing {'to import' if dry_run else 'imported'} from {counted(left, 'file')}"
    what = f"{counted(len(takes), 'take')} of {counted(lines, 'line')}"
    others = f", {counted(left, 'file')} not imported" if left else ""
    return f"{what}{' to import' if dry_run else ' imported'}{others}"


def effect_messages(effect: ImportEffect, files: Iterable[ImportedFile]) -> tuple[str, ...]:
    """What an import changes in the plan, one sentence for each line, without its full stop."""
    takes = {file.take.line: file.take for file in files if file.take is not None}
    found: list[str] = []
    for place in effect.dropped:
        take = takes.get(place.line)
        length = "" if take is None else f", with its take of {_seconds_used(take):.1f} s"
        found.append(f"no longer spoken: {line_named(place)}{length}")
    return (*found, *(f"now spoken: {line_named(place)}" for place in effect.added))


def numbers_message(renumbered: Sequence[tuple[str, LinePlace]]) -> str:
    """That numbers have changed since takes were imported, which say so; empty if they have not."""
    if not renumbered:
        return ""
    name, place = renumbered[0]
    others = f" and {len(renumbered) - 1:,} more" if len(renumbered) > 1 else ""
    return (
        f"lines have other numbers than when takes were imported (“{name}” is of line {place.number} now{others}): "
        "check the words of each file’s line before you import by number"
    )
