"""The film's people as the describer changes them, each change a step that undo takes back."""

from __future__ import annotations

from collections.abc import Callable

from adstudio.core.errors import BadInputError
from adstudio.core.script import People, Person, Script, people_error
from adstudio.core.steps import SetPeople, Step
from adstudio.core.words import composed, folded

Make = Callable[[Script], Step | None]


def added(name: str) -> Make:
    """Somebody comes, without a picture yet; BadInputError (when made) for a name that cannot be."""

    def add(people: People) -> People:
        person = _person(name)
        _require_new(person.name, people)
        return (*people, person)

    return _changing(add)


def removed(name: str) -> Make:
    """Somebody goes."""
    return _changing(lambda people: tuple(each for each in people if each.name != name))


def renamed(name: str, new: str) -> Make:
    """Somebody is called otherwise; BadInputError (when made) for a name that cannot be."""

    def rename(people: People) -> People:
        _require_new(_person(new).name, tuple(each for each in people if each.name != name))
        return tuple(_person(new, each.face) if each.name == name else each for each in people)

    return _changing(rename)


def shown(name: str, face: bytes) -> Make:
    """Somebody's face; empty for none."""
    return _changing(lambda people: tuple(_person(name, face) if each.name == name else each for each in people))


def moved(name: str, by: int) -> Make:
    """Somebody stands earlier or later in the order in which models are shown them."""

    def move(people: People) -> People:
        place = next((n for n, each in enumerate(people) if each.name == name), -1)
        if place < 0 or not 0 <= place + by < len(people):
            return people
        found = list(people)
        found.insert(place + by, found.pop(place))
        return tuple(found)

    return _changing(move)


def _changing(change: Callable[[People], People]) -> Make:
    def make(script: Script) -> Step | None:
        people = change(script.people)
        if wrong := people_error(people):
            raise BadInputError(f"{wrong[:1].upper()}{wrong[1:]}.")
        return None if people == script.people else SetPeople(script.people, people)

    return make


def _require_new(name: str, people: People) -> None:
    there = next((each.name for each in people if folded(each.name.strip()) == folded(name)), None)
    if there is not None:
        raise BadInputError(f"“{there}” is already in the list.")


def _person(name: str, face: bytes = b"") -> Person:
    try:
        return Person(composed(" ".join(name.split())), face)
    except ValueError as error:
        raise BadInputError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
