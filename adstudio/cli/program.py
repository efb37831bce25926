"""The commands, each imported when it is run, and the program's own options: its version, and shell completion."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from adstudio import __version__
from adstudio.cli.edit import edit
from adstudio.cli.options import argument, as_written
from adstudio.cli.streams import print_error

Shell = Literal["bash", "zsh", "fish", "powershell", "pwsh"]

_ABOUT = "Audio description for film: drafted, planned to a proven optimum, and finished by a describer."

_COMMANDS = (
    *("edit", "demo", "connect", "draft", "gaps", "solve", "verify", "explain", "export", "validate", "speak", "mix"),
    *("takes", "cast", "versions", "conform", "polish", "preset", "faces", "qc", "words", "speakers", "evaluate"),
    *("questions", "serve", "import", "save"),
)
"""In the order of the help."""


class _ImportedCommands(Mapping[str, TyperCommand]):
    """The commands by name; one that is looked up is imported, all others cost nothing."""

    def __getitem__(self, name: str) -> TyperCommand:
        if name not in _COMMANDS:
            raise KeyError(name)
        return _command(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


@cache
def _command(name: str) -> TyperCommand:
    """The function of the module that has the command's name, as a command with its docstring for a help."""
    module = "import_script" if name == "import" else name
    function = _edit if name == "edit" else getattr(import_module(f"adstudio.cli.{module}"), module)
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.command(name, help=_help(function))(function)
    return cast("TyperCommand", get_command(alone))


def _help(command: Callable[..., object]) -> str:
    """A command's docstring, each paragraph on one line: typer keeps the line breaks of all but the first."""
    return as_written("\n\n".join(" ".join(part.split()) for part in (command.__doc__ or "").split("\n\n")))


class _Program(TyperGroup):
    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - they are typer's own
        super().__init__(**attributes)
        self.commands = _ImportedCommands()


app = typer.Typer(
    name="adstudio",
    cls=_Program,
    help=_ABOUT,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _edit(
    project: Annotated[Path | None, argument("P.adproj", "The project to open (default: the welcome page).")] = None,
) -> int:
    """Open the editor."""
    return edit(project)


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
