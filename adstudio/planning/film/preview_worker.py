"""Plans a film ahead, as a child process: `python -m adstudio.planning.film.preview_worker`.

A film of two hours takes a second to plan under other settings or with another dialogue, so the window asks this
process, which remembers the film between requests.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

from adstudio.core.errors import BadInputError
from adstudio.core.fusions import line_of, usable_fusions
from adstudio.core.plan import Plan
from adstudio.core.script import Cue, Eventuality, Script
from adstudio.core.settings import Settings
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import settled
from adstudio.planning.film.live_plan import Engines, FilmPlanner
from adstudio.planning.film.sent_lengths import SentLengths, lengths_sent
from adstudio.system.worker import Failed, WorkerProtocol, answer_requests

SCENE_LIMIT = 2.0
"""Seconds that planning a scene with rules may take; at the limit the best plan so far is shown."""
LINES_AT_A_TIME = 60
"""Lines that are sent together."""


@dataclass(frozen=True)
class FilmSent:
    """A film as it is, its lines still to come, and the plan on display; answered by `Received`.

    `lengths` are those of the wordings of its fusions that hold (ms), where it has a voice.
    """

    script: Script
    plan: Plan
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True)
class LinesSent:
    """Lines of the film, after those sent before; answered by `Received`.

    `lengths` are those of their wordings (ms), where the film has a voice.
    """

    lines: tuple[Eventuality, ...]
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True)
class Preview:
    """A request to plan the film that was sent under other settings, in a language; answered by `Previewed`.

    With `cues`, these are its dialogue.
    """

    settings: Settings
    language: str
    cues: tuple[Cue, ...] | None = None


@dataclass(frozen=True)
class Received:
    """A part of the film has arrived."""


@dataclass(frozen=True)
class Previewed:
    """The plan under these settings, without the locks that conflict then, and how many conflicts there are."""

    plan: Plan
    conflicts: int


Request = FilmSent | LinesSent | Preview
Event = Received | Previewed | Failed
PROTOCOL = WorkerProtocol[Request, Event]("adstudio.planning.film.preview_worker", Request, Event)


def film_parts(script: Script, plan: Plan) -> Iterator[FilmSent | LinesSent]:
    """A film in parts, each of which takes a few milliseconds to write; its plan needs no people and no prompts."""
    fused = lengths_sent(script, _fused_lines(script))
    yield FilmSent(script.with_changes(eventualities=(), people=(), prompts=()), plan, fused)
    for first in range(0, len(script.eventualities), LINES_AT_A_TIME):
        lines = script.eventualities[first : first + LINES_AT_A_TIME]
        yield LinesSent(lines, lengths_sent(script, lines))


def _fused_lines(script: Script) -> tuple[Eventuality, ...]:
    return tuple(line_of(script, fusion) for fusion in usable_fusions(script))


class Previewer:
    """Answers requests, one after another; each is planned from the film's present plan."""

    def __init__(self) -> None:
        self._film: FilmSent | None = None
        self._lines: list[Eventuality] = []
        self._lengths: SentLengths | None = None
        self._known: tuple[Script, FilmPlanner] | None = None

    def answer(self, request: Request) -> Received | Previewed:
        """The answer to a request.

        Raises:
            BadInputError: where a film's lines, or settings, come before a film.
        """
        match request:
            case FilmSent():
                self._film, self._lines, self._known = request, [], None
                self._lengths = SentLengths(request.script.narrator)
            case LinesSent(lines=lines, lengths=lengths):
                self._lines += lines
                if self._lengths is not None:
                    self._lengths.take(lines, lengths)
                self._known = None
            case Preview():
                return self._preview(request)
        return Received()

    def _preview(self, request: Preview) -> Previewed:
        if self._known is None:
            if self._film is None:
                raise BadInputError("no film has been sent")
            script = self._film.script.with_changes(eventualities=tuple(self._lines), lengths=self._lengths)
            if self._lengths is not None:
                self._lengths.take(_fused_lines(script), self._film.lengths)
            engines = Engines(limit=SCENE_LIMIT)
            self._known = script, FilmPlanner(script, gaps_of(script).gaps, self._film.plan, engines)
        script, planner = self._known
        film = replace(script.film, language=request.language)
        cues = script.cues if request.cues is None else request.cues
        changed, other = script.with_changes(settings=request.settings, film=film, cues=cues), planner.fork()
        other.replan(changed, gaps_of(changed).gaps)
        outcome = settled(other)
        return Previewed(outcome.plan, len(outcome.conflicts))


def main() -> int:
    """Answer requests until standard input ends, and return the exit code."""
    return answer_requests(PROTOCOL, Previewer().answer)


if __name__ == "__main__":
    sys.exit(main())
