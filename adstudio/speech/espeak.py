"""eSpeak NG as a process: text by its input, sound by `-w` (with `--stdout` the header's length is false)."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from adstudio.speech.engine import Command, SpeechError, SpeechRequestError, Voice, language_tag, voices_for
from adstudio.speech.engine_process import run

_PROGRAM = "espeak-ng"
_SLOWEST = 80  # it speaks no slower, whatever it is asked for
_TIMEOUT_S = 10.0
_VOICE = re.compile(r"[A-Za-z0-9!][A-Za-z0-9_/!+.-]{0,80}\Z")
_VERSION = re.compile(r"\d+(?:\.\d+)+(?:-\w+)?")
# Priority, language, age and gender, name, file, and in brackets the other languages it is offered for.
_LISTED = re.compile(r"\s*(?P<priority>\d+)\s+(?P<language>\S+)\s+\S+\s+(?P<name>\S+)\s+(?P<file>\S+)(?P<others>.*)\Z")
_OTHER = re.compile(r"\(([\w-]+) (\d+)\)")


@dataclass(frozen=True)
class Espeak:
    """The eSpeak NG that was found on this machine; `program` is its path."""

    program: str
    version: str

    name = _PROGRAM

    def voices(self, language: str) -> tuple[Voice, ...]:
        """As `Engine.voices`: the tag's own, its main language's, the others of that language."""
        wanted = language_tag(language)
        main = wanted.split("-", 1)[0]
        option = f"--voices={main}" if re.fullmatch(r"[a-z]{2,8}", main) else "--voices"
        said = run(Command(self.program, (option,)), _TIMEOUT_S, _PROGRAM)
        return voices_for(listed(said.decode(errors="replace"), main), wanted)

    def command(self, text: str, voice: str, rate: int, target: Path) -> Command:
        """As `Engine.command`; slower than 80 words a minute it cannot speak."""
        if not _VOICE.match(voice):
            raise SpeechRequestError(f"“{voice[:40]}” is not a voice of {_PROGRAM}: choose one from the list of voices")
        arguments = ("-v", voice, "-s", str(max(rate, _SLOWEST)), "-b", "1", "-w", str(target), "--stdin")
        return Command(self.program, arguments, text.encode())


def listed(table: str, main: str = "") -> tuple[Voice, ...]:
    """The voices in what `espeak-ng --voices` prints, without those that need MBROLA's data as well.

    A voice that is offered for the language `main` beside its own (Mandarin, `cmn`, for `zh`) is given as that one's.
    """
    found: list[tuple[int, Voice]] = []
    for line in table.splitlines()[1:]:
        match = _LISTED.match(line)
        if match is None or match["file"].startswith("mb/"):
            continue
        priority, language = int(match["priority"]), match["language"].lower()
        others = {tag.lower(): int(rank) for tag, rank in _OTHER.findall(match["others"])}
        if main in others:
            priority = others[main]
            if language.split("-", 1)[0] != main:
                language = main
        name = match["name"].replace("_", " ").strip()
        found.append((priority, Voice(match["file"], name, language)))
    return tuple(voice for _, voice in sorted(found, key=lambda entry: entry[0]))


def find_espeak() -> Espeak:
    """The eSpeak NG on the PATH.

    Raises:
        SpeechError: when it is not installed or does not start; the sentence says how to mend that.
    """
    program = shutil.which(_PROGRAM)
    if program is None:
        raise SpeechError(
            "the speech engine espeak-ng is not installed: "
            "run “sudo apt-get install espeak-ng” (Fedora: “sudo dnf install espeak-ng”) and try again"
        )
    said = run(Command(program, ("--version",)), _TIMEOUT_S, _PROGRAM)
    version = _VERSION.search(said.decode(errors="replace"))
    return Espeak(program, version[0] if version else "unknown")
