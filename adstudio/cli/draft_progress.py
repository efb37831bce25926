"""How far a draft by a model is, told while it goes on; and how it is stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adstudio.cli.draft_messages import count, usage_words
from adstudio.cli.output import say, words
from adstudio.drafting.model.events import Delayed, Event, SceneDraft, SceneState, Spent

if TYPE_CHECKING:
    from rich.status import Status

    from adstudio.drafting.text.film_drafting import Told

TOLD_TIMES = 10
"""How often a log is told how far the work is."""
MOST_TROUBLES = 5
"""Different reasons for trying again that a log is told of."""


class Stop:
    """Passes a stop on to the work, once there is some."""

    def __init__(self) -> None:
        self._early = False
        self._stop = self._note

    def _note(self) -> None:
        self._early = True

    def heard_by(self, stop: object) -> None:
        """From now on `stop` is called, at once where somebody wanted to end before."""
        if callable(stop):
            self._stop = stop
            if self._early:
                stop()

    def __call__(self) -> None:
        """Somebody wants to end."""
        self._stop()


class Progress:
    """Shows a terminal how far the work is, and tells a log of it now and then."""

    def __init__(self, name: str, scenes: int, status: Status) -> None:
        self._name, self._scenes, self._status = name, scenes, status
        self._done, self._spent = 0, ""
        self._due = 1
        self._troubles: set[str] = set()

    def __call__(self, event: Event) -> None:
        """Hear what the work tells."""
        if isinstance(event, Spent):
            self._spent = f", {usage_words(event.usage)}"
        elif isinstance(event, SceneDraft) and event.state not in (SceneState.STOPPED, SceneState.LIMITED):
            self._done += 1
        elif isinstance(event, Delayed):
            self._delayed(event.why)
            return
        else:
            return
        line = f"{self._name}: {self._done} of {count(self._scenes, 'scene')}{self._spent}"
        self._status.update(line)
        if not words.is_terminal and self._done * TOLD_TIMES >= self._due * self._scenes:
            self._due = self._done * TOLD_TIMES // self._scenes + 1
            say(line)

    def _delayed(self, why: str) -> None:
        line = f"{self._name}: {why.rstrip('.')}; it is tried again"
        self._status.update(line)
        if not words.is_terminal and why not in self._troubles and len(self._troubles) < MOST_TROUBLES:
            self._troubles.add(why)
            say(line)


def telling(status: Status) -> Told:
    """Shows a terminal what is being done."""

    def told(what: str, share: float) -> None:
        status.update(what if share < 0 else f"{what}: {share:.0%}")

    return told
