"""Every option that takes a language: what is none is refused with the nearest one, before anything is read."""

import pytest
from typer.main import get_command

from adstudio.cli.program import app

COMMANDS = get_command(app).commands  # pyright: ignore[reportAttributeAccessIssue] - it is a group
TAKING = {name: command for name, command in COMMANDS.items() if any("--language" in p.opts for p in command.params)}


def test_these_commands_take_a_language() -> None:
    assert set(TAKING) == {"draft", "evaluate", "gaps", "import", "questions"}


@pytest.mark.parametrize("name", sorted(TAKING))
def test_what_is_no_language_is_refused_by_every_command(name: str, run) -> None:
    needed = {"draft": ("-o", "p.adproj"), "import": ("s.csv",), "gaps": ("d.srt",), "questions": ("q.vtt",)}
    run(name, *needed.get(name, ("a.vtt",)), "--language", "klingon").refused(2, "“klingon”", "tlh")


@pytest.mark.parametrize("name", sorted(TAKING))
def test_every_command_knows_a_language_in_its_usual_form(name: str) -> None:
    (taken,) = (each for each in TAKING[name].params if "--language" in each.opts)
    context = TAKING[name].make_context(name, [], resilient_parsing=True)
    assert taken.process_value(context, "DE_at") == "de-AT"
