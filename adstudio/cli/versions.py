"""`adstudio versions`: named versions of a project's script: keeping, comparing, taking lines back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from adstudio.cli.interrupt import interruptible
from adstudio.cli.options import argument, flag, option
from adstudio.cli.output import print_lines, say, unsaved_changes, write_output
from adstudio.cli.saved_script import line_named, save_step
from adstudio.core.errors import BadInputError
from adstudio.delivery.spoken_counts import items_described

if TYPE_CHECKING:
    from adstudio.core.film import Film
    from adstudio.store.project import ProjectFile
    from adstudio.store.version_rows import Version, VersionContent
    from adstudio.versions.comparing import ComparedLine, LineState

Action = Literal["list", "keep", "compare", "restore-line", "rename", "delete"]
_NAMES: dict[Action, tuple[int, int, str]] = {
    "list": (0, 0, "takes no name"),
    "keep": (1, 1, "takes the name of the new version"),
    "compare": (1, 2, "takes the name of a version, and of another one (default: the current script)"),
    "restore-line": (2, 2, "takes the name of a version and the id of a line"),
    "rename": (2, 2, "takes the name of a version and its new name"),
    "delete": (1, 1, "takes the name of a version"),
}
"""How many names an action takes, at least and at most, and which."""


def versions(
    project: Annotated[Path, argument("P.adproj", "The project, as last saved.")],
    action: Annotated[
        Action, argument("ACTION", "list (the default), keep, compare, restore-line, rename or delete.")
    ] = "list",
    name: Annotated[str | None, argument("NAME", "A version, by its name or number; for keep its new name.")] = None,
    other: Annotated[
        str | None,
        argument("OTHER", "compare: another version or “current”; restore-line: the line’s id; rename: the new name."),
    ] = None,
    *,
    note: Annotated[str | None, option("TEXT", "For keep and rename: a note about the version.", "--note")] = None,
    by: Annotated[str | None, option("WHO", "For keep: who keeps it (default: your account’s name).", "--by")] = None,
    every: Annotated[bool, flag("--all", "For compare: print lines that are the same too.")] = False,
    as_json: Annotated[bool, flag("--json", "For compare: print the comparison as JSON.")] = False,
    lock: Annotated[
        bool, flag("--lock", "For restore-line: lock the line in the wording and at the time that the version has.")
    ] = False,
) -> None:
    """Keep named versions of a script in its project, compare them, and take lines back from them.

    A version is the script with its plan as they are when it is kept; neither undo nor saving changes it. Lines are
    compared by their ids, each with what is different, both times, who worded it, and the words that differ.
    """
    from adstudio.store.project import ProjectFile

    names = [each for each in (name, other) if each is not None]
    least, most, what = _NAMES[action]
    if not least <= len(names) <= most:
        raise BadInputError(f"{action} {what}")
    for given, text, actions in (
        (note is not None, "--note", ("keep", "rename")),
        (by is not None, "--by", ("keep",)),
        (every, "--all", ("compare",)),
        (as_json, "--json", ("compare",)),
        (lock, "--lock", ("restore-line",)),
    ):
        if given and action not in actions:
            raise BadInputError(f"{text} only applies to {' and '.join(actions)}")
    with ProjectFile.open(project, read_only=action in ("list", "compare")) as opened:
        for oddity in opened.oddities:
            say(oddity.what)
        if opened.recoverable:
            if action in ("keep", "restore-line"):
                raise BadInputError(unsaved_changes(project))
            if action == "compare":
                say(f"{project} has unsaved changes, which are not included")
        if action == "list":
            _list(opened)
        elif action == "keep":
            _keep(opened, names[0], note or "", by)
        elif action == "compare":
            _compare(opened, names[0], names[1] if len(names) > 1 else None, every=every, as_json=as_json)
        elif action == "restore-line":
            _restore_line(opened, names[0], names[1], lock=lock)
        else:
            _change(opened, names, note)


def _list(opened: ProjectFile) -> None:
    print_lines(_described(version) for version in opened.versions.all)
    if not opened.versions.all:
        say(f"{opened.path}: no versions; adstudio versions {opened.path.name} keep NAME keeps one")


def _described(version: Version) -> str:
    at = datetime.fromtimestamp(version.at / 1000, UTC).astimezone()
    described = items_described(version.spoken, version.lines)
    parts = (
        f"{version.number}",
        version.name,
        f"{at:%Y-%m-%d %H:%M}",
        version.by,
        described,
        " ".join(version.note.split()),
    )
    return " · ".join(part for part in parts if part)


def _keep(opened: ProjectFile, name: str, note: str, by: str | None) -> None:
    from adstudio.versions.keeping import account_name, checked_name, keep_version

    checked_name(opened.versions.all, name)
    current = _current(opened)
    by = account_name() if by is None else by
    version = keep_version(opened, current.script, current.plan, name=name, note=note, by=by)
    say(f"{opened.path}: kept: {_described(version)}")


def _change(opened: ProjectFile, names: list[str], note: str | None) -> None:
    """Rename a version, or delete it where there is no other name."""
    from adstudio.versions.keeping import delete_version, rename_version, version_named

    version = version_named(opened.versions.all, names[0])
    if len(names) == 1:
        delete_version(opened, version.number)
        say(f"{opened.path}: deleted: {_described(version)}")
        return
    version = rename_version(opened, version.number, name=names[1], note=version.note if note is None else note)
    say(f"{opened.path}: renamed: {_described(version)}")


def _content(opened: ProjectFile, name: str | None) -> tuple[str, VersionContent]:
    """A version, or the current script where there is no name, and what it is called."""
    from adstudio.versions.keeping import CURRENT, version_content, version_named

    if name is not None and name.strip().casefold() != CURRENT:
        version = version_named(opened.versions.all, name)
        return version.name, version_content(opened, version.number)
    return "the current script", _current(opened)


def _current(opened: ProjectFile) -> VersionContent:
    """The script as it was saved, with its plan."""
    from adstudio.delivery.export import plan_to_export
    from adstudio.store.version_rows import VersionContent

    script = opened.saved_script
    return VersionContent(script, interruptible(lambda: plan_to_export(script, opened.saved_plan), "planning"))


def _compare(opened: ProjectFile, name: str, other: str | None, *, every: bool, as_json: bool) -> None:
    from adstudio.core.json_reading import json_bytes
    from adstudio.versions.comparing import compare
    from adstudio.versions.descriptions import summary
    from adstudio.versions.report import comparison_json

    (old_name, old), (new_name, new) = _content(opened, name), _content(opened, other)
    lines = compare(old, new)
    if as_json:
        write_output(json_bytes(comparison_json(old_name, new_name, lines, every=every)), None)
    else:
        shown = [line for line in lines if every or line.changes]
        print_lines(_row(line, old.script.film, new.script.film) for line in shown)
    say(f"{old_name} → {new_name}: {summary(lines)}")


def _row(line: ComparedLine, old_film: Film, new_film: Film) -> str:
    from adstudio.versions.descriptions import change_words, marked_words

    there = [side for side in (_side(line.old, old_film), _side(line.new, new_film)) if side]
    sides = " → ".join(there[:1] if len(set(there)) == 1 else there)
    return f"{line.id}: {change_words(line)} · {sides} · {marked_words(line.words)}"


def _side(state: LineState | None, film: Film) -> str:
    from adstudio.versions.descriptions import author

    if state is None:
        return ""
    times = "–".join(film.timecode(each) for each in (state.start, state.end) if each is not None)
    return ", ".join(part for part in (times if state.spoken else "not spoken", author(state)) if part)


def _restore_line(opened: ProjectFile, name: str, line: str, *, lock: bool) -> None:
    """Take a line back, plan again, and save."""
    from adstudio.store.version_rows import VersionContent
    from adstudio.versions.descriptions import taken_back
    from adstudio.versions.keeping import version_content, version_named
    from adstudio.versions.taking_back import take_back

    version = version_named(opened.versions.all, name)
    content = version_content(opened, version.number)
    if line not in content.script.eventuality_index:
        # One that the script does not have either is a slip of the pen.
        line_named(opened.saved_script, line, opened.path)
    after = VersionContent(*save_step(opened, take_back(_current(opened), content, line, locked=lock)))
    say(f"{opened.path}: {line} {taken_back(after, content, line, version.name)}")
