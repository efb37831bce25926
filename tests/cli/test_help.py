"""What `--help` prints is what is written, whatever stands in square brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from adstudio.cli.options import as_written
from adstudio.cli.program import app, run_command

BRACKETS = re.compile(r"\[[^\]\n]+\]")


def commands(command: Any, *names: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield names, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, *names, name)


ALL = dict(commands(typer.main.get_command(app)))


def test_there_are_helps_with_brackets() -> None:
    assert sum("[" in (command.help or "") for command in ALL.values()) >= 2


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_nothing_in_square_brackets_is_lost_from_a_help(names, capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    command = ALL[names]
    written = [command.callback.__doc__ or "" if command.callback else "", command.help or ""]
    written += [getattr(each, "help", None) or "" for each in command.params]
    wanted = {found for text in written for found in BRACKETS.findall(" ".join(text.replace("\\", "").split()))}
    run_command([*names, "--help"])
    printed = " ".join(capsys.readouterr().out.split())
    assert [each for each in wanted if each not in printed] == []
    assert "\\[" not in printed


def test_only_what_would_be_markup_is_escaped() -> None:
    assert as_written("adstudio[faces] [-gone-] [1]") == "adstudio\\[faces] [-gone-] [1]"
