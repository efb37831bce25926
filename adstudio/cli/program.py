"""The commands, and the program's own options: its version, and shell completion."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from adstudio import __version__
from adstudio.cli import (
    conform,
    connect,
    demo,
    draft,
    evaluate,
    explain,
    export,
    faces,
    gaps,
    import_script,
    mix,
    polish,
    preset,
    qc,
    questions,
    serve,
    solve,
    speak,
    speakers,
    takes,
    validate,
    verify,
    versions,
    words,
)
from adstudio.cli.cast import cast as list_cast
from adstudio.cli.edit import edit
from adstudio.cli.options import argument, as_written
from adstudio.cli.streams import print_error

Shell = Literal["bash", "zsh", "fish", "powershell", "pwsh"]

_ABOUT = "Audio description for film: drafted, planned to a proven optimum, and finished by a describer."

app = typer.Typer(
    name="adstudio",
    help=_ABOUT,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command("edit")
def _edit(
    project: Annotated[Path | None, argument("P.adproj", "The project to open (default: the welcome page).")] = None,
) -> int:
    """Open the editor."""
    return edit(project)


def _help(command: Callable[..., object]) -> str:
    """A command's docstring, each paragraph on one line: typer keeps the line breaks of all but the first."""
    return as_written("\n\n".join(" ".join(part.split()) for part in (command.__doc__ or "").split("\n\n")))


for _command in (
    demo.demo,
    connect.connect,
    draft.draft,
    gaps.gaps,
    solve.solve,
    verify.verify,
    explain.explain,
    export.export,
    validate.validate,
    speak.speak,
    mix.mix,
    takes.takes,
    list_cast,
    versions.versions,
    conform.conform,
    polish.polish,
    preset.preset,
    faces.faces,
    qc.qc,
    words.words,
    speakers.speakers,
    evaluate.evaluate,
    questions.questions,
    serve.serve,
):
    app.command(_command.__name__, help=_help(_command))(_command)
app.command("import", help=_help(import_script.import_script))(import_script.import_script)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"adstudio {__version__}")
        raise typer.Exit


def _know_shells() -> None:
    # typer registers the shells along with its own two options, which take no shell name; ours replace them.
    from typer.completion import get_completion_inspect_parameters

    get_completion_inspect_parameters()


def _completion(context: typer.Context, option: typer.CallbackParam, shell: str | None) -> None:
    if shell is not None:
        _know_shells()
        from typer import completion

        complete = completion.install_callback if option.name == "install_completion" else completion.show_callback
        complete(context, option, shell)


if "_ADSTUDIO_COMPLETE" in os.environ:
    _know_shells()

_SHELLS = "bash|zsh|fish|pwsh"


@app.callback()
def program(
    *,
    debug: Annotated[bool, typer.Option("--debug", metavar="", help="Show the traceback of a failure.")] = False,
    version: Annotated[
        bool, typer.Option("--version", metavar="", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
    show_completion: Annotated[
        Shell | None,
        typer.Option(
            metavar=_SHELLS, callback=_completion, is_eager=True, help="Print the completion script for a shell."
        ),
    ] = None,
    install_completion: Annotated[
        Shell | None,
        typer.Option(metavar=_SHELLS, callback=_completion, is_eager=True, help="Install completion for a shell."),
    ] = None,
) -> None:
    """Audio description for film: drafted, planned to a proven optimum, and finished by a describer."""
    del debug, version, show_completion, install_completion


def run_command(arguments: list[str]) -> int:
    """Run a command and return its exit code.

    Raises:
        SystemExit: if completion, or a closed output pipe, ends the program.
        typer.TyperException: for invalid options.
    """
    try:
        outcome = cast("object", app(args=arguments, prog_name="adstudio", standalone_mode=False))
    except typer.Abort:
        print_error("cancelled")
        return 1
    return outcome if isinstance(outcome, int) else 0
