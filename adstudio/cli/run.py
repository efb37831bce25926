"""Runs a command: arguments in, exit code out, one sentence for whatever goes wrong (DESIGN section 5)."""

from __future__ import annotations

import os
from pathlib import Path

from adstudio.cli.edit import edit, has_display
from adstudio.cli.failure import OUTSIDE, error_message, logged, print_traceback
from adstudio.cli.interrupt import signal_behind
from adstudio.cli.streams import close_output, configure_encoding, print_error

DEBUG = "--debug"
COMPLETING = "_ADSTUDIO_COMPLETE"
"""Set when a shell only asks for completions."""


def run(arguments: list[str]) -> int:
    """Run a command; `--debug`, anywhere among the arguments, prints the traceback of a failure."""
    configure_encoding()
    remaining, debug = _without_debug(arguments)
    with logged():
        code = _run(remaining or _default_command(), debug=debug)
    failed = close_output(error_reported=bool(code))
    return code or (OUTSIDE if failed else 0)


def _default_command() -> list[str]:
    """What `adstudio` alone does: opens the editor if there is a display, otherwise prints the help."""
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
        # Raised by completion, and when the reader of our output has gone.
        return ended.code if isinstance(ended.code, int) else 0
    except Exception as error:
        if signal_behind(error):
            raise
        message, code = error_message(error)
        if debug:
            print_traceback()
        else:
            print_error(message)
        return code


def _only_edit(arguments: list[str]) -> bool:
    """Whether only the editor is wanted: loading every command's options would take a fifth of its start-up time."""
    plain = not any(argument.startswith("-") for argument in arguments)
    return arguments[:1] == ["edit"] and len(arguments) <= 2 and plain and COMPLETING not in os.environ
