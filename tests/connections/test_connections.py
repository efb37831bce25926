"""The connections of a workplace: kept, found by name, and refused where they make no sense."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.connections.saved_connections import (
    FORMAT,
    SavedConnection,
    change_connections,
    connection_named,
    read_connections,
    write_connections,
)
from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.policy import Host, Policy

HOUSE = SavedConnection(
    "the house", "vllm", "Qwen/Qwen3.5-27B", "https://gpu.example:8000/v1", keyed=True, authority=Path("/ca")
)
CLOUD = SavedConnection("gemini", "gemini", "gemini-3.1-flash-lite")


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    place = tmp_path / "deep" / "connections.json"
    assert read_connections(place) == ()
    write_connections([HOUSE, CLOUD], place)
    assert read_connections(place) == (HOUSE, CLOUD)
    assert connection_named("gemini", place) == CLOUD
    with pytest.raises(BadInputError, match="known: the house, gemini"):
        connection_named("other", place)


def test_a_connection_for_a_project_has_its_policy_and_wants_geminis_key(tmp_path: Path) -> None:
    policy = Policy("on premises", (Host("gpu.example", 8000),))
    made = HOUSE.connection(policy, project="film", salt="s", log=tmp_path / "log")
    assert (made.url, made.policy, made.keyed, made.salt) == (HOUSE.url, policy, True, "s")
    made.require_allowed()
    assert CLOUD.connection(Policy()).keyed


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (SavedConnection("", "vllm", "m", "http://a:1/v1"), "not a valid connection name"),
        (SavedConnection("x" * 61, "vllm", "m", "http://a:1/v1"), "not a valid connection name"),
        (SavedConnection("a\nb", "vllm", "m", "http://a:1/v1"), "not a valid connection name"),
        (SavedConnection("a", "other", "m", "http://a:1/v1"), "one of vllm, openai, gemini"),  # type: ignore[arg-type]
        (SavedConnection("a", "vllm", " ", "http://a:1/v1"), "enter the name of a model"),
        (SavedConnection("a", "vllm", "m", ""), "give the server’s address"),
        (SavedConnection("a", "openai", "m", "ftp://x"), "not the address of a server"),
    ],
)
def test_one_that_makes_no_sense_is_not_kept(tmp_path: Path, wrong: SavedConnection, says: str) -> None:
    place = tmp_path / "c.json"
    with pytest.raises(BadInputError, match=says):
        write_connections([wrong], place)
    assert not place.exists()


def test_what_two_programs_keep_at_the_same_time_is_kept(tmp_path: Path) -> None:
    place = tmp_path / "c.json"
    adds = (
        "import sys; from pathlib import Path\n"
        "from adstudio.connections.saved_connections import SavedConnection, change_connections\n"
        "who, place = sys.argv[1], Path(sys.argv[2])\n"
        "print(flush=True)\n"
        "sys.stdin.readline()\n"
        "for n in range(25):\n"
        "    new = SavedConnection(f'{who}{n}', 'vllm', 'm', 'http://a:1/v1')\n"
        "    change_connections(lambda known: [*known, new], place)\n"
    )
    with contextlib.ExitStack() as running:
        both = [
            running.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", adds, who, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
                )
            )
            for who in "ab"
        ]
        for each in both:
            assert each.stdout is not None
            each.stdout.readline()
        for each in both:
            assert each.stdin is not None
            each.stdin.write(b"\n")
            each.stdin.flush()
        assert [each.wait(60) for each in both] == [0, 0]
    assert {each.name for each in read_connections(place)} == {f"{who}{n}" for who in "ab" for n in range(25)}


def test_a_change_that_is_refused_changes_nothing(tmp_path: Path) -> None:
    place = tmp_path / "c.json"
    assert change_connections(lambda _: [HOUSE], place) == (HOUSE,)
    with pytest.raises(BadInputError, match="already"):
        change_connections(lambda known: [*known, HOUSE], place)
    assert change_connections(lambda known: [*known, CLOUD], place) == (HOUSE, CLOUD)


def test_where_it_cannot_be_kept_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for keep in (write_connections, lambda rows, place: change_connections(lambda _: rows, place)):
        with pytest.raises(OutsideFailureError, match="cannot be created"):
            keep([HOUSE], tmp_path / "file" / "c.json")


def test_more_than_there_may_be_are_refused_and_none_is_dropped(tmp_path: Path) -> None:
    place = tmp_path / "c.json"
    write_connections([replace(HOUSE, name=f"h{n}") for n in range(100)], place)
    told = json.loads(place.read_text())
    place.write_text(json.dumps(told | {"connections": [*told["connections"], told["connections"][0] | {"name": "x"}]}))
    with pytest.raises(BadInputError, match="more than 100"):
        read_connections(place)


def test_two_of_a_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="there is a connection “gemini” already"):
        write_connections([CLOUD, CLOUD], tmp_path / "c.json")


@given(
    data=st.one_of(
        st.binary(max_size=200),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(
                        ["format", "connections", "name", "kind", "model", "url", "keyed", "authority", "key"]
                    ),
                    inner,
                )
            ),
            max_leaves=8,
        ).map(lambda value: json.dumps({"format": FORMAT, **value} if isinstance(value, dict) else value).encode()),
    )
)
def test_any_file_is_read_or_refused_in_a_sentence(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    place = tmp_path_factory.mktemp("c") / "connections.json"
    place.write_bytes(data)
    with contextlib.suppress(BadInputError):
        assert isinstance(read_connections(place), tuple)
