"""What a project would lose if it went back to its last save, by the names that its steps have in History."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.document import History
from adstudio.core.script import Script
from adstudio.editing.labels import label_of


@dataclass(frozen=True)
class UnsavedSteps:
    """The names of the steps since the last save, or of saved ones undone since, in the order of doing or undoing.

    Where not `complete`, there were others before them, whose names are not known any more.
    """

    done: tuple[str, ...]
    undone: tuple[str, ...]
    complete: bool


def unsaved_steps(history: History, last: Script) -> UnsavedSteps:
    """The steps between the last save and the script after the last step; steps both done and undone are none."""
    ends = [entry.after for entry in history.future]
    if history.saved in ends:
        # The next step to redo is the last, and was the last to be undone.
        undone = history.future[ends.index(history.saved) :]
        return UnsavedSteps((), tuple(label_of(entry.step, last) for entry in undone), complete=True)
    starts = [entry.before for entry in history.past]
    complete = history.saved in starts
    done = history.past[starts.index(history.saved) :] if complete else history.past
    return UnsavedSteps(tuple(label_of(entry.step, last) for entry in done), (), complete)
