"""A command from its arguments to its exit code, with one sentence for whatever goes wrong (DESIGN section 5)."""

from __future__ import annotations

from typing import cast

import typer

from adstudio.cli.failure import OUTSIDE, logged, sentence
from adstudio.cli.output import any_letters, close_output, complain
from adstudio.cli.program import app

DEBUG = "--debug"


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
    from adstudio.cli.edit import has_display

    return ["edit"] if has_display() else ["--help"]


def _without_debug(arguments: list[str]) -> tuple[list[str], bool]:
    stop = arguments.index("--") if "--" in arguments else len(arguments)
    options = [argument for argument in arguments[:stop] if argument != DEBUG]
    return [*options, *arguments[stop:]], len(options) < stop


def _run(arguments: list[str], *, debug: bool) -> int:
    try:
        outcome = cast("object", app(args=arguments, prog_name="adstudio", standalone_mode=False))
    except SystemExit as ended:
        # How completion and a reader that has gone away end the program.
        return ended.code if isinstance(ended.code, int) else 0
    except typer.Abort:
        complain("called off")
        return 1
    except Exception as error:
        if debug:
            raise
        told, code = sentence(error)
        complain(told)
        return code
    return outcome if isinstance(outcome, int) else 0
