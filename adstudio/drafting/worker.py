"""Drafting in a process of its own: `python -m adstudio.drafting.worker draft|sample|again REQUEST`.

It says what it is doing in lines of JSON (see `messages`), never writes over a file, and ends without a half-written
one when it is terminated.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from adstudio.core.errors import AdstudioError
from adstudio.drafting.draft import Sources, draft
from adstudio.drafting.messages import (
    UNKNOWN,
    Done,
    Failed,
    Lines,
    Message,
    Progress,
    read_again,
    read_draft,
    write_message,
)
from adstudio.drafting.report import report_of
from adstudio.drafting.text.film_drafting import Told
from adstudio.drafting.text.text_drafting import OtherFilmError
from adstudio.drafting.worker_runtime import at_work
from adstudio.store.project import ProjectFile
from adstudio.system.child_process import Write

SAMPLE = "sample.adproj"
"""The sample film's project in its folder."""
SHORT_OF_MEMORY = "there is not enough memory to draft this: close other programs, or give a shorter film"

Say = Callable[[Message], None]


def main(given: list[str] | None = None) -> int:
    """Do one piece of work; the exit code is 0, that of the failure, or 130 where it was stopped."""
    verb, request = sys.argv[1:] if given is None else given
    do = {"sample": _sample, "again": _again}.get(verb, _draft)

    def work(write: Write) -> int:
        def say(message: Message) -> None:
            write(write_message(message))

        say(do(request, say))
        return 0

    return at_work(_Ending(), work, lambda error: write_message(_failed(error)), SHORT_OF_MEMORY)


def _failed(error: AdstudioError) -> Failed:
    if isinstance(error, OtherFilmError):
        # What the command line is told of its option is of no use here.
        return Failed(str(error).replace(" (--any-screenplay)", ""), other_film=True)
    return Failed(str(error))


def _draft(request: str, say: Say) -> Done:
    sources, project = read_draft(request)
    return _made(sources, project, say)


def _again(request: str, say: Say) -> Lines:
    from adstudio.drafting.redraft import drafted_again

    script, scene, screenplay, description = read_again(request)
    told = _teller(say)
    return Lines(drafted_again(script, scene, told, screenplay=screenplay, description=description))


def _sample(request: str, say: Say) -> Done:
    import json

    from adstudio.sample_film import TITLE, copy_sample_film

    folder = Path(str(json.loads(request)))
    say(Progress(UNKNOWN, "copying the sample film"))
    sample = copy_sample_film(folder)
    sources = Sources(subtitles=sample.srt, candidates=sample.candidates, video=sample.film, title=TITLE)
    return _made(sources, folder / SAMPLE, say)


def _made(sources: Sources, project: Path, say: Say) -> Done:
    made = draft(sources, project, _teller(say))
    report = report_of(sources, made)
    say(Progress(UNKNOWN, "writing the project"))
    ProjectFile.create(project, made.script, plan=made.plan, replacing=False).close()
    return Done(project, made.oddities, report)


def _teller(say: Say) -> Told:
    def told(what: str, share: float) -> None:
        say(Progress(share, what))

    return told


class _Ending:
    """Asked to end, by a signal or because the editor is gone: what is being written is taken away on the way out."""

    def __init__(self) -> None:
        self._asked = False

    def __call__(self, *_: object) -> None:
        """Raise once; whoever tidies up is not disturbed again."""
        if not self._asked:
            self._asked = True
            raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
