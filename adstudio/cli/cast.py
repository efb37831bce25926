"""`adstudio cast`: the characters of a project, listed, collected from its sources, and read from a cast list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from adstudio.cli.options import argument, flag, option
from adstudio.cli.output import print_lines, print_oddities, say, unsaved_changes, write_output
from adstudio.core.counts import counted
from adstudio.core.errors import BadInputError
from adstudio.core.timebase import seconds

if TYPE_CHECKING:
    from adstudio.characters.first_times import FirstTimes
    from adstudio.core.script import Script
    from adstudio.store.project import ProjectFile


def cast(
    project: Annotated[Path, argument("P.adproj", "The project, as last saved.")],
    *,
    collect: Annotated[
        bool, flag("--collect", "Add whom the project’s screenplay and subtitles name, and save.")
    ] = False,
    cast_list: Annotated[
        Path | None, option("LIST", "Add the characters of a cast list (CSV or text), and save.", "--from")
    ] = None,
    encoding: Annotated[str | None, option("NAME", "Encoding of the cast list, if the guess is wrong.")] = None,
    as_json: Annotated[bool, flag("--json", "Print the cast as JSON, with the merged names and their rules.")] = False,
) -> None:
    """List the characters of a project: names, sources, when each is first seen, heard and named.

    With `--collect` or `--from` characters are added first. Names that mean one person are merged by rules that are
    printed: NORA, NORA VALE and MRS VALE, but not YOUNG NORA. The editor can split them again.
    """
    from adstudio.characters.faces_in_film import first_seen_in_film
    from adstudio.characters.first_times import first_times
    from adstudio.core.json_reading import json_bytes
    from adstudio.store.project import ProjectFile

    if encoding is not None and cast_list is None:
        raise BadInputError("--encoding is that of a cast list: give one (--from LIST)")
    changes = collect or cast_list is not None
    with ProjectFile.open(project, read_only=not changes) as opened:
        script = _collect(opened, cast_list, encoding, collect=collect) if changes else opened.saved_script
    times = first_times(script, first_seen_in_film(script, project))
    if as_json:
        write_output(json_bytes(_json(script, times)), None)
    else:
        print_lines(_lines(script, times))
    if not script.people:
        say(f"{project} has no characters yet: {_how_to_collect(script) if collect else _HOW}")


_HOW = "collect them (--collect), or give a cast list (--from LIST)"


def _how_to_collect(script: Script) -> str:
    """What to do where nobody was there to be collected."""
    screenplay = "it has no screenplay" if script.film.screenplay is None else "its screenplay names nobody who speaks"
    return f"its subtitles have no labels and {screenplay}, so give a cast list (--from LIST)"


def _collect(opened: ProjectFile, cast_list: Path | None, encoding: str | None, *, collect: bool) -> Script:
    from adstudio.characters.cast_messages import summary
    from adstudio.characters.cast_reading import collected_cast
    from adstudio.cli.saved_script import save_step
    from adstudio.core.steps import ChangeKind
    from adstudio.editing.cast import set_people
    from adstudio.editing.machine_steps import as_command
    from adstudio.store.media import locate_source

    if opened.recoverable:
        raise BadInputError(unsaved_changes(opened.path))
    script = opened.saved_script
    source = script.film.screenplay if collect else None
    screenplay = None if source is None else locate_source(source, opened.path)
    if source is not None and screenplay is None:
        say(f"{source.path} is missing, so nobody is collected from the screenplay")
    found = collected_cast(script, screenplay=screenplay, cast_list=cast_list, encoding=encoding, subtitles=collect)
    print_oddities((str(cast_list), oddity) for oddity in found.oddities)
    step = set_people(script, found.people)
    if step is not None:
        script, _ = save_step(opened, as_command(step, ChangeKind.PEOPLE))
    say(f"{opened.path}: {summary(found)}")
    return script


def _lines(script: Script, times: Mapping[str, FirstTimes]) -> Iterator[str]:
    from adstudio.characters.cast_messages import PRONOUNS, RULES, SOURCES
    from adstudio.core.cast import Pronouns

    for person in script.people:
        first = times[person.id]
        facts = [
            f"also {', '.join(person.aliases)}" if person.aliases else "",
            person.described_as,
            "" if person.pronouns is Pronouns.UNKNOWN else PRONOUNS[person.pronouns],
            *(
                f"{what} {script.film.timecode(at)}"
                for what, at in (("seen", first.seen), ("heard", first.speech), ("named", first.named))
                if at is not None
            ),
            counted(first.cues, "cue") if first.cues else "",
            "pictured" if person.face else "",
            ", ".join(text for source, text in SOURCES.items() if source in person.sources),
        ]
        yield "; ".join((person.name, *(fact for fact in facts if fact)))
        for each in person.merged:
            yield f"{each.entry.name} is {person.name}: {RULES[each.rule]}"


def _json(script: Script, times: Mapping[str, FirstTimes]) -> dict[str, object]:
    return {
        "format": "adstudio-cast/1",
        "people": [
            {
                "id": person.id,
                "name": person.name,
                "aliases": list(person.aliases),
                "described_as": person.described_as,
                "pronouns": person.pronouns.value,
                "portraits": len(person.all_portraits),
                "sources": sorted(source.value for source in person.sources),
                "merged": [{"name": each.entry.name, "rule": each.rule.value} for each in person.merged],
                "first_seen": _seconds(times[person.id].seen),
                "first_heard": _seconds(times[person.id].speech),
                "first_named": _seconds(times[person.id].named),
                "cues": times[person.id].cues,
            }
            for person in script.people
        ],
    }


def _seconds(time: int | None) -> float | None:
    return None if time is None else seconds(time)
