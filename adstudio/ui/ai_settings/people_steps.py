"""Changes of the film's people, each of which becomes one undo step."""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.cast import People, Person, people_error
from adstudio.core.errors import BadInputError
from adstudio.core.film import SourceFile
from adstudio.core.script import Script
from adstudio.core.steps import SetPeople, Step
from adstudio.core.words import composed, folded


def step_to(people: People, script: Script) -> Step | None:
    """The step that gives a script these people; None if they do not differ.

    Raises:
        BadInputError: for people that a script cannot have.
    """
    if wrong := people_error(people):
        raise BadInputError(_capitalised(wrong))
    return None if people == script.people else SetPeople(script.people, people)


def added(people: People, name: str) -> People:
    """With somebody more, without a picture yet; BadInputError for an invalid name."""
    person = _person(name)
    _require_new(person.name, people)
    return (*people, person)


def removed(people: People, name: str) -> People:
    """Without somebody."""
    return tuple(each for each in people if each.name != name)


def renamed(people: People, name: str, new: str) -> People:
    """With another name for somebody; BadInputError for an invalid one."""
    _require_new(_person(new).name, removed(people, name))
    return tuple(replace(each, name=_person(new).name) if each.name == name else each for each in people)


def with_face(people: People, name: str, face: bytes, picture: SourceFile | None = None) -> People:
    """With another face for somebody, from the file of a `picture` if it is from one; empty for none."""
    return tuple(
        replace(each, portraits=_person(name, face, picture).portraits) if each.name == name else each
        for each in people
    )


def moved(people: People, name: str, by: int) -> People:
    """With somebody earlier or later in the order in which models are shown them."""
    place = next((n for n, each in enumerate(people) if each.name == name), -1)
    if place < 0 or not 0 <= place + by < len(people):
        return people
    found = list(people)
    found.insert(place + by, found.pop(place))
    return tuple(found)


def _require_new(name: str, people: People) -> None:
    there = next((each.name for each in people if folded(each.name.strip()) == folded(name)), None)
    if there is not None:
        raise BadInputError(f"“{there}” is already in the list.")


def _person(name: str, face: bytes = b"", picture: SourceFile | None = None) -> Person:
    try:
        return Person.named(composed(" ".join(name.split())), face, picture)
    except ValueError as error:
        raise BadInputError(_capitalised(str(error))) from error


def _capitalised(problem: str) -> str:
    return f"{problem[:1].upper()}{problem[1:]}."
