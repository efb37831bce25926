"""What became of the files of an import, in sentences for the command line and the window."""

from __future__ import annotations

from collections.abc import Iterable

from adstudio.recording.importing import ImportedFile, LinePlace
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
    NotImported.KNOWN: "it is a take of line {number} already",
}


def file_message(file: ImportedFile) -> str:
    """One file, as a sentence without its full stop."""
    name = file.path.name
    if file.take is None or file.place is None:
        why = _WHY[file.why or NotImported.UNREADABLE].format(number=file.number, detail=file.detail)
        return f"{name}: not imported: {why}"
    take, text = file.take, " ".join(file.place.text.split())
    quoted = text[:_QUOTED] + ("…" if len(text) > _QUOTED else "")
    used = ((take.length if take.end is None else take.end) - take.start) / 1000
    trimmed = "" if used * 1000 == take.length else f" of {take.length / 1000:.1f} s"
    ends = "; it ends before its header says, so its end may be missing" if file.cut_off else ""
    return f"{name}: line {file.place.number}, “{quoted}”, {used:.1f} s{trimmed}{ends}"


def summary(files: Iterable[ImportedFile], *, dry_run: bool = False) -> str:
    """How many files became takes, of how many lines, and how many did not."""
    found = list(files)
    takes = [file for file in found if file.take is not None]
    lines = len({(file.take.line, file.take.variant) for file in takes if file.take is not None})
    left = len(found) - len(takes)
    what = f"{len(takes):,} take{'' if len(takes) == 1 else 's'} of {lines:,} line{'' if lines == 1 else 's'}"
    others = f", {left:,} file{'' if left == 1 else 's'} not imported" if left else ""
    return f"{what}{' to import' if dry_run else ' imported'}{others}"


def renumbering(before: Iterable[LinePlace], after: Iterable[LinePlace]) -> str:
    """That lines have other numbers than before an import, as a sentence; empty if they have not."""
    numbers = [{(place.number, place.line) for place in places} for places in (before, after)]
    return "" if numbers[0] == numbers[1] else RENUMBERED
