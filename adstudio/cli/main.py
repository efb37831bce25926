"""The program's door: commands, exit codes, and one sentence for whatever goes wrong (DESIGN section 5)."""

from __future__ import annotations

import logging
import logging.handlers
import os
import sys
from importlib.metadata import version
from typing import Annotated

import typer

from adstudio.cli import demo, draft, explain, export, gaps, solve, verify
from adstudio.cli.interrupt import INTERRUPTED
from adstudio.core.errors import AdstudioError

FAULT = 1
OUTSIDE = 3

log = logging.getLogger("adstudio")

app = typer.Typer(
    name="adstudio",
    help="Audio description for film: drafted, planned to a proven optimum, and finished by a describer.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("draft")(draft.draft)
app.command("gaps")(gaps.gaps)
app.command("solve")(solve.solve)
app.command("verify")(verify.verify)
app.command("explain")(explain.explain)
app.command("export")(export.export)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"adstudio {version('adstudio')}")
        raise typer.Exit


@app.callback()
def program(
    *,
    debug: Annotated[bool, typer.Option("--debug", help="Show the full trace of a failure.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Audio description for film: drafted, planned to a proven optimum, and finished by a describer."""
    del debug, version


def main(arguments: list[str] | None = None) -> None:
    """Run a command and end the process with its exit code."""
    given = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    _keep_log()
    sys.exit(_run(given, debug="--debug" in given))


def _run(arguments: list[str], *, debug: bool) -> int:
    try:
        outcome: object = app(args=arguments, prog_name="adstudio", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has had enough; Python must not complain about it again when it closes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if debug:
            raise
        return _fail(*_sentence(error))
    return outcome if isinstance(outcome, int) else 0


def _sentence(error: Exception) -> tuple[str, int]:
    """What to tell the user of a failure, and the exit code; the detail goes to the log."""
    if isinstance(error, typer.TyperException):
        return f"{error.format_message().rstrip('.')} (see adstudio --help)", 2
    if isinstance(error, AdstudioError):
        log.warning("%s", error, exc_info=error)
        return str(error), error.exit_code
    if isinstance(error, OSError):
        log.error("an operating system error", exc_info=error)
        return f"{error.filename or 'a file'}: {error.strerror or error}", OUTSIDE
    log.error("a fault in adstudio", exc_info=error)
    return f"a fault in adstudio itself; the detail is in {log_file()}, or run it with --debug", FAULT


def _fail(sentence: str, code: int) -> int:
    sys.stderr.write(f"adstudio: {' '.join(sentence.split())}\n")
    return code


def log_file() -> str:
    """Where detail is logged."""
    from platformdirs import user_log_path

    return str(user_log_path("adstudio", appauthor=False) / "adstudio.log")


def _keep_log() -> None:
    """Log to a rotating file; where none can be written the program does its work without one."""
    path = log_file()
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120 - before any path library is loaded
        handler = logging.handlers.RotatingFileHandler(path, maxBytes=1_000_000, backupCount=4, encoding="utf-8")
    except OSError:
        log.addHandler(logging.NullHandler())
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    log.addHandler(handler)


if __name__ == "__main__":
    main()
