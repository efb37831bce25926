"""The log of what was sent, read from its end."""

from __future__ import annotations

import json

import pytest

from adstudio.connections.egress_log import Batch, HostTotal, LoggedRequest, read_back, totals_by_host
from adstudio.core.errors import OutsideFailureError


def line(
    number,
    event,
    *,
    project="p1",
    place="gpu.house:8000",
    sent=0,
    received=0,
    status=0,
    at="2026-11-28T07:00:00.000+00:00",
    **more,
):
    fields = {
        "project": project,
        "process": 7,
        "number": number,
        "event": event,
        "at": at,
        "method": "POST",
        "place": place,
        "path": "/v1/chat/completions",
        "sent": sent,
        "received": received,
        "status": status,
    }
    return json.dumps(fields | more, ensure_ascii=False) + "\n"


def written(path, *lines):
    path.write_text("".join(lines), "utf-8")
    return path


def all_of(log, projects=None, **limits):
    return [each for looked in read_back(log, projects, **limits) for each in looked.requests]


def test_the_newest_first_each_with_how_it_ended(tmp_path):
    log = written(
        tmp_path / "sent.jsonl",
        line(1, "begun", at="2026-11-28T07:00:00.000+00:00"),
        line(2, "begun", at="2026-11-28T07:00:01.000+00:00"),
        line(2, "failed", sent=10, received=3),
        line(1, "answered", sent=4000, received=250, status=200),
        line(3, "refused"),
        line(4, "begun"),
    )
    found = all_of(log)
    assert [(each.outcome, each.sent, each.received, each.status) for each in found] == [
        ("unknown", 0, 0, 0),
        ("refused", 0, 0, 0),
        ("failed", 10, 3, 0),
        ("answered", 4000, 250, 200),
    ]
    assert found[-1] == LoggedRequest(
        *("2026-11-28T07:00:00.000+00:00", "p1", "POST", "gpu.house:8000", "/v1/chat/completions"),
        *(4000, 250, 200, "answered"),
    )


def test_what_went_out_counts_where_the_end_is_not_told(tmp_path):
    log = written(
        tmp_path / "sent.jsonl",
        line(1, "begun"),
        line(2, "begun"),
        line(1, "sent", sent=1_050_000),
        line(2, "sent", sent=4000),
        line(1, "sent", sent=1_200_000),
        line(2, "answered", sent=4000, received=250, status=200),
        # Another process of the same number, later.
        line(1, "begun"),
        line(1, "sent", sent=70),
    )
    found = all_of(log)
    assert [(each.outcome, each.sent, each.received) for each in found] == [
        ("sent", 70, 0),
        ("answered", 4000, 250),
        ("sent", 1_200_000, 0),
    ]
    assert totals_by_host(found) == (HostTotal("gpu.house:8000", 3, 1_204_070, 250),)


def test_two_projects_of_one_name_are_told_apart(tmp_path):
    log = written(
        tmp_path / "sent.jsonl",
        line(1, "refused", project="film.adproj", identity="aa", at="1"),
        line(2, "begun", project="film.adproj", identity="bb", at="2"),
        line(2, "answered", project="film.adproj", identity="bb", sent=10),
        line(3, "refused", project="film.adproj", at="3"),  # from before projects were told apart
    )
    assert [each.at for each in all_of(log, frozenset({"film.adproj", "aa"}))] == ["3", "1"]
    assert [each.at for each in all_of(log, frozenset({"film.adproj", "bb"}))] == ["3", "2"]
    assert {each.project for each in all_of(log)} == {"film.adproj"}


def test_of_one_project_alone(tmp_path):
    log = written(
        tmp_path / "sent.jsonl", line(1, "refused"), line(2, "refused", project="p2"), line(3, "refused", project="")
    )
    assert [each.project for each in all_of(log, frozenset({"p1"}))] == ["p1"]
    assert len(all_of(log)) == 3


def test_logs_that_were_turned_over_come_after_it(tmp_path):
    written(tmp_path / "sent-2026-11-01-100000-000000.jsonl", line(1, "refused", at="2026-11-01"))
    written(tmp_path / "sent-2026-11-02-100000-000000.jsonl", line(1, "refused", at="2026-11-02"))
    log = written(tmp_path / "sent.jsonl", line(1, "refused", at="2026-11-03"))
    assert [each.at for each in all_of(log)] == ["2026-11-03", "2026-11-02", "2026-11-01"]


def test_there_is_no_log_yet(tmp_path):
    assert all_of(tmp_path / "sent.jsonl") == []
    assert all_of(tmp_path / "nowhere" / "sent.jsonl") == []


def test_a_log_that_cannot_be_read(tmp_path):
    (tmp_path / "sent.jsonl").mkdir()
    with pytest.raises(OutsideFailureError, match="traffic log cannot be read"):
        all_of(tmp_path / "sent.jsonl")


@pytest.mark.parametrize(
    "odd",
    [
        "no json\n",
        "[]\n",
        "{}\n",
        "null\n",
        "[" * 10_000 + "\n",
        '{"process": 1e400}\n',
        line(1, "refused", sent=-1),
        line(1, "refused", sent=1.5),
        line(1, "refused", sent=True),
        line(1, "refused", place=None),
        line(1, "refused", path="x" * 1_000_000),
        "\x00\x01\n",
        '{"project": "cut in the mid',
    ],
)
def test_what_makes_no_sense_is_passed_over(tmp_path, odd):
    log = written(tmp_path / "sent.jsonl", line(1, "refused"), odd, "\n", line(2, "refused"))
    assert len(all_of(log)) == 2


def test_words_of_others_are_made_plain(tmp_path):
    log = written(tmp_path / "sent.jsonl", line(1, "refused", place="a\u202eb\n" + "c" * 1000))
    (found,) = all_of(log)
    assert found.place == "a�b�" + "c" * 196


def test_a_log_of_fifty_megabytes_costs_no_more_than_its_end(tmp_path):
    log = tmp_path / "sent.jsonl"
    block = "".join(line(number, "refused", at=f"{number:06d}") for number in range(2_000)).encode()
    with log.open("wb") as stream:
        while stream.tell() < 50_000_000:
            stream.write(block)
    looks = list(read_back(log, most=500))
    assert [each.at for looked in looks for each in looked.requests] == [f"{n:06d}" for n in range(1_999, 1_499, -1)]
    assert [looked.more for looked in looks] == [*[False] * (len(looks) - 1), True]
    assert len(looks) <= 4, "blocks of 64 kB, about 280 lines each"
    bounded = list(read_back(log, frozenset({"nobody"}), most_bytes=1_000_000))
    assert (len(bounded), bounded[-1]) == (16, Batch((), more=True))


def test_a_line_without_end_takes_no_memory(tmp_path):
    log = tmp_path / "sent.jsonl"
    log.write_bytes(line(1, "refused").encode() + b"x" * 3_000_000)
    assert len(all_of(log)) == 1


def test_sums_by_machine(tmp_path):
    log = written(
        tmp_path / "sent.jsonl",
        line(1, "begun", place="a:1"),
        line(1, "answered", place="a:1", sent=100, received=1),
        line(2, "begun", place="b:1"),
        line(2, "failed", place="b:1", sent=300, received=2),
        line(3, "begun", place="a:1"),
        line(3, "closed", place="a:1", sent=50, received=4),
        line(4, "refused", place="c:1"),
    )
    assert totals_by_host(all_of(log)) == (HostTotal("b:1", 1, 300, 2), HostTotal("a:1", 2, 150, 5))
