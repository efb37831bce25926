"""A command from its arguments to its exit code, with one sentence for whatever goes wrong (DESIGN section 5)."""

from __future__ import annotations

import os
from pathlib import Path

from adstudio.cli.edit import edit, has_display
from adstudio.cli.failure import OUTSIDE, logged, sentence, show_trace
from adstudio.cli.streams import any_letters, close_output, complain

DEBUG = "--debug"
COMPLETING = "_ADSTUDIO_COMPLETE"
"""Set where a shell only asks how a command goes on."""


def run(arguments: list[str]) -> int:
    """Run a command; `--debug`, wherever it stands, shows the trace of a failure."""
    any_letters()
    given, debug = _without_debug(arguments)
    with logged():
        code = _run(given or _without_command(), debug=debug)
    failed = close_output(told=bool(code))
    return code or (OUTSIDE if failed else 0)


def _without_command() -> list[str]:
    """What the bare name does: the editor where there is a display, else the help."""
    return ["edit"] if has_display() else ["--help"]


def _without_debug(arguments: list[str]) -> tuple[list[str], bool]:
    stop = arguments.index("--") if "--" in arguments else len(arguments)
    options = [argument for argument in arguments[:stop] if argument != DEBUG]
    return [*options, *arguments[stop:]], len(options) < stop


def _run(arguments: list[str], *, debug: bool) -> int:
    try:
        if _only_edit(arguments):
            return edit(*(Path(argument) for argument in arguments[1:]))
        from adstudio.cli.program import run_command

        return run_command(arguments)
    except SystemExit as ended:
        # How completion and a reader that has gone away end the program.
        return ended.code if isinstance(ended.code, int) else 0
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is told in a sentence or as a trace
        told, code = sentence(error)
        if debug:
            show_trace()
        else:
            complain(told)
        return code


def _only_edit(arguments: list[str]) -> bool:
    """Whether no more is asked than the editor: reading the options of all commands takes a fifth of its start."""
    plain = not any(argument.startswith("-") for argument in arguments)
    return arguments[:1] == ["edit"] and len(arguments) <= 2 and plain and COMPLETING not in os.environ
