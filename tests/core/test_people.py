"""The people and prompts that models are told of: what can be, what cannot, and why."""

from __future__ import annotations

import pytest

from adstudio.core.cast import MAX_PEOPLE, Person, people_error, prompts_error
from adstudio.core.policy import MAX_HOSTS, Host, Policy
from adstudio.core.steps import SetPeople, SetPrompts, StepError


@pytest.mark.parametrize("name", ["Anna", "O’Brien-Núñez", "ミカエル", "Old man 2", "می\u200cنا", "x" * 60])
def test_names_of_people(name: str) -> None:
    assert Person.named(name).name == name


@pytest.mark.parametrize("name", ["", "  ", "An\nna", "Anna\u202e", "Anna\x00", "\ud800", "x" * 61, "Anna\n", "\u200d"])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(ValueError, match="name is 1 to 60 characters on one line"):
        Person.named(name)


def test_a_face_is_a_picture_of_at_most_two_megabytes() -> None:
    assert Person.named("Anna", bytes(2_000_000)).mime == "image/jpeg"
    assert Person.named("Anna", b"\x89PNG").mime == "image/png"
    with pytest.raises(ValueError, match="larger than 2 MB"):
        Person.named("Anna", bytes(2_000_001))
    assert "face" not in repr(Person.named("Anna", b"secret"))


def test_people_are_at_most_four_hundred_of_different_names_and_five_megabytes() -> None:
    most = tuple(Person.named(f"P{n}") for n in range(MAX_PEOPLE))
    assert people_error(most) == people_error(()) == ""
    assert "at most 400 people" in people_error((*most, Person.named("one more")))
    assert people_error((Person.named("Anna"), Person.named("Tom"), Person.named(" ANNA"))) == (
        "two people are called “Anna”: rename one of them"
    )
    faces = tuple(Person.named(f"P{n}", bytes(1_000_000)) for n in range(5))
    assert people_error(faces) == ""
    assert "exceed 5 MB" in people_error((*faces, Person.named("x", b"y")))
    for old, new in (((Person.named("A"), Person.named("a")), ()), ((), (Person.named("A"), Person.named("a")))):
        with pytest.raises(StepError, match="two people"):
            SetPeople(old, new)


def test_prompts_are_of_different_names_and_bounded() -> None:
    assert prompts_error((("describe", "x" * 20_000), ("repair", ""))) == ""
    assert "longer than 20,000" in prompts_error((("describe", "x" * 20_001),))
    assert "appears twice" in prompts_error((("describe", "a"), ("describe", "b")))
    assert "at most 100" in prompts_error(tuple((f"p{n}", "") for n in range(101)))
    assert "name is 1 to 60" in prompts_error((("", "a"),))
    with pytest.raises(StepError, match="appears twice"):
        SetPrompts((), (("describe", "a"), ("describe", "b")))


@pytest.mark.parametrize(
    ("name", "port"), [("", 1), ("a b", 1), ("a\n", 1), ("x" * 254, 1), ("gpu", 0), ("gpu", 65_536), ("gpu", -1)]
)
def test_what_is_no_machine(name: str, port: int) -> None:
    with pytest.raises(ValueError, match=r"not a host name|not a port"):
        Host(name, port)


def test_a_policy_names_at_most_a_hundred_machines() -> None:
    hosts = tuple(Host("gpu", port) for port in range(1, MAX_HOSTS + 1))
    assert Policy("on premises", hosts).hosts == hosts
    with pytest.raises(ValueError, match="at most 100 servers"):
        Policy("on premises", (*hosts, Host("gpu", 999)))
