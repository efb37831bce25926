"""A describer's fifteen tasks by keys and speech alone, and what Orca says of each: the journey and its transcript.

`python tests/ui/screen_reader/journey.py FILE` writes the transcript, with the second after its key in which each word
would be heard from a voice that speaks 175 words a minute (see `speech_server`).
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from seat import Seat
from speech_server import SECONDS_PER_WORD, Utterance

PATIENCE = 30.0
"""Seconds for the first word of what a key says, on a machine that has other things to do."""
QUIET = 1.5
"""Seconds without another word after which Orca has said all that it will."""
LONGEST_ROW = 3.0
"""Seconds of speech that a row of the table may take beside its text."""


@dataclass(frozen=True)
class Task:
    """What is to be done, the keys for it, and patterns of what must be heard then, in this order."""

    what: str
    keys: tuple[str, ...]
    heard: tuple[str, ...] = ()


ANYTHING = r"^(?!(left|right) (alt|control|shift)$).*\w"
"""Anything but the names of modifier keys, which Orca says as they are pressed."""
READING = "Read the script line by line"
TASKS = (
    Task("Know what is open, and how it begins", (), (r"^sample, adstudio", r"^Script", r"^Rain falls")),
    Task(READING, ("Down", "Down", "Down", "Up"), (r"^It has rained", r"^White letters", r"^Nora Vale, mustard")),
    Task("Look a line over: its state and its times", ("Left", "Left", "Right", "Right"), (r"column header",)),
    Task("Accept a line", ("a",), (r"^Accepted: “",)),
    Task("Give a line more weight", ("bracketright",), (r"^Salience \d\.\d\d: “",)),
    Task("Lock a line out, and take that back", ("x", "ctrl+z"), (r"^Locked out: “", r"^Undone: Lock “.* out")),
    Task("Redo it, and undo it again", ("ctrl+shift+z", "ctrl+z"), (r"^Redone: Lock “", r"^Undone: Lock “")),
    Task("Move a line down in the order", ("alt+Down",), (r"^Item \d+ of 66: “",)),
    Task(
        "Rewrite a line",
        ("F2", "ctrl+a", "type:Rain runs off the roof.", "Return"),
        (r"^Editing text", r"^Reworded: “Rain runs"),
    ),
    Task("Go to the last line and lock it out", ("ctrl+End", "x"), (r"lamplight", r"^Locked out: “They walk")),
    Task("Hear what that did to the plan", ("F8",), (r"\w+ \w+ \w+",)),
    Task("Delete a line and go on with the next", ("Delete",), (r"^Deleted: “", r"\w+ \w+ \w+")),
    Task("Be told of a conflict, and undo it", ("ctrl+Home", "Down", "p", "ctrl+z"), (r"Conflict: ", r"^Undone: ")),
    Task("Go from gap to gap", ("ctrl+Right", "ctrl+Right"), (r"^Gap of .* free", r"^Gap of .* free")),
    Task("Save the work", ("ctrl+s",), (r"^Saved ",)),
)


@dataclass
class Passage:
    """One key and what was said after it."""

    key: str
    pressed: float
    said: list[Utterance] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """What was said."""
        return [each.text for each in self.said]

    def seconds_before(self, text: str) -> float:
        """Seconds of speech before a text begins: what is said first, not how fast the machine is."""
        place = self.texts.index(text)
        return sum(len(each.words) for each in self.said[:place]) * SECONDS_PER_WORD


class Traveller:
    """Presses keys in the editor's window and listens."""

    def __init__(self, seat: Seat, window: str) -> None:
        self._speech = seat.speech
        self._environment = {**os.environ, **seat.environment}
        self._xdotool("windowfocus", "--sync", window)

    def do(self, task: Task) -> list[Passage]:
        """Press its keys one after the other, each once Orca has said all that it will."""
        if not task.keys:
            return [self._listen(Passage("", self._speech.utterances[0].came), 0, task.heard)]
        passages = [self._press(key) for key in task.keys]
        if missing(passages, task.heard) and len(task.keys) == 1:
            # On a busy machine Orca drops what comes while more than fifty events wait: one would press again.
            passages = [self._press(key) for key in task.keys]
        return passages

    def _press(self, key: str) -> Passage:
        first = len(self._speech.utterances)
        passage = Passage(key, time.monotonic())
        if key.startswith("type:"):
            self._xdotool("type", "--delay", "30", "--", key.removeprefix("type:"))
        else:
            # A person holds modifiers for a while; Orca answers for every key.
            *modifiers, last = key.split("+")
            for each in modifiers:
                self._xdotool("keydown", each)
                time.sleep(0.1)
            self._xdotool("key", last)
            for each in modifiers:
                time.sleep(0.1)
                self._xdotool("keyup", each)
        return self._listen(passage, first)

    def _listen(self, passage: Passage, first: int, awaited: Sequence[str] = (ANYTHING,)) -> Passage:
        """Take down what is said until it has been said to its end, as somebody would who waits for that."""
        while True:
            passage.said = self._speech.utterances[first:]
            now, latest = time.monotonic(), max([0.0, *(max(each.came + QUIET, each.ends) for each in passage.said)])
            if now > (latest if not missing([passage], awaited) else passage.pressed + PATIENCE):
                return passage
            time.sleep(0.05)

    def _xdotool(self, *arguments: str) -> None:
        subprocess.run(["xdotool", *arguments], env=self._environment, check=True, capture_output=True)


def missing(passages: Sequence[Passage], patterns: Sequence[str]) -> list[str]:
    """The patterns that were not heard in this order."""
    said = iter([text for passage in passages for text in passage.texts])
    return [pattern for pattern in patterns if not any(re.search(pattern, text) for text in said)]


def transcript(journey: Sequence[tuple[Task, list[Passage]]]) -> str:
    """The journey, to be read."""
    found: list[str] = []
    for number, (task, passages) in enumerate(journey, 1):
        found.append(f"{number}. {task.what}")
        for passage in passages:
            words = sum(len(each.words) for each in passage.said)
            lasts = f"{words * SECONDS_PER_WORD:.1f} s" if words else "nothing is said"
            found.append(f"   {passage.key or 'the window opens'}: {lasts}")
            sentences = [each for each in passage.said if len(each.text) > 1]  # not the echo of what is typed
            found += [f"      {each.begins - passage.pressed:5.1f}  {each.spoken}" for each in sentences]
        found.append("")
    return "\n".join(found)
