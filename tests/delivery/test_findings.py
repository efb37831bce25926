"""What is amiss before the script is handed in, and the options of an export."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from fractions import Fraction

import pytest

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, RuleConflict, Status
from adstudio.core.script import Approval, Eventuality, Pin, Rules, Scene, Script, Variant
from adstudio.core.timebase import RATES, Span, TimeError
from adstudio.delivery.export import export_of
from adstudio.delivery.findings import Finding, FindingKind, export_findings, finding_message
from adstudio.delivery.formats import FORMATS
from adstudio.delivery.options import ExportOptions, Separator
from adstudio.delivery.unmet_pins import unmet_pins
from adstudio.subtitles.reading import parse_subtitles


def line(name: str, **changes: object) -> Eventuality:
    made = Eventuality(name, (Variant(f"{name} one."), Variant(f"{name}.", Fraction(1, 2))), Span(0, 1000), 1)
    return replace(made, seen=True, accepted=True, **changes)


def spoken(*names: str) -> Plan:
    """These lines, two seconds apart, each in its full wording."""
    deliveries = tuple(Delivery(name, 0, 2000 * place, 2000 * place + 1000) for place, name in enumerate(names))
    return Plan(Status.FEASIBLE, "exact", deliveries=deliveries)


def script(*lines: Eventuality, rules: Rules | None = None) -> Script:
    return Script(Film("Film", 60_000), eventualities=lines, rules=rules or Rules())


def found(*args: object) -> list[tuple[FindingKind, tuple[str, ...]]]:
    return [(finding.kind, finding.lines) for finding in export_findings(*args)]


def test_a_script_that_is_in_order_has_no_findings():
    assert found(script(line("a"), line("b")), spoken("a", "b")) == []


def test_findings_come_with_the_gravest_first():
    lines = (
        replace(line("a"), seen=False, accepted=False),
        line("b", pin=Pin(selected=True)),
        line("c", pin=Pin(start=5)),
        line("d", approval=Approval(1, 6000)),
        replace(line("e"), variants=(Variant(" "),)),
        line("f", pin=Pin(selected=False)),
    )
    assert found(script(*lines), spoken("a", "c", "f", "d", "e")) == [
        (FindingKind.LOCKED_MISSING, ("b",)),
        (FindingKind.LOCKED_OTHERWISE, ("c", "f")),
        (FindingKind.CHANGED, ("d",)),
        (FindingKind.WORDLESS, ("e",)),
        (FindingKind.UNSEEN, ("a",)),
        (FindingKind.UNACCEPTED, ("a",)),
    ]


def test_an_extended_line_is_not_missing_but_said_to_be_in_no_script():
    lock = Pin(selected=True, variant=1, start=500)
    film = script(line("a"), line("b", pin=lock, extended=True), replace(line("c"), accepted=False, extended=True))
    assert not unmet_pins(film, spoken("a"))
    for form in ("srt", "csv", "json"):
        (finding,) = export_of(form, film, spoken("a")).findings
        assert (finding.kind, finding.lines) == (FindingKind.EXTENDED, ("b", "c"))
    (finding,) = export_of("vtt", film, spoken("a"), ExportOptions(accepted_only=True)).findings
    assert finding_message(film, finding) == (
        "1 line marked as extended is not in it, but in the script that comes with an extended film: “b one”."
    )


def test_only_lines_that_are_in_the_file_count_as_unseen():
    lines = replace(line("a"), seen=False), replace(line("b"), seen=False)
    assert found(script(*lines), spoken("b")) == [(FindingKind.UNSEEN, ("b",))]
    assert found(script(*lines), spoken()) == [(FindingKind.NOTHING_SPOKEN, ())]


def test_findings_name_the_linked_item_and_count_the_line():
    lines = line("a"), replace(line("b", joined=True), accepted=False)
    plan = spoken("a", "b")
    assert found(script(*lines), plan) == [(FindingKind.UNACCEPTED, ("b",))]
    # They are one cue, which nobody has accepted as a whole.
    kinds = found(script(*lines), plan, ExportOptions(accepted_only=True))
    assert kinds == [(FindingKind.NOTHING_SPOKEN, ()), (FindingKind.NOT_ACCEPTED_LEFT_OUT, ("a", "b"))]


@pytest.mark.parametrize(
    ("rules", "names", "broken"),
    [
        (Rules(alternatives=(("a", "b"),)), ("a", "b"), RuleConflict("alternatives", ("a", "b"))),
        (Rules(alternatives=(("a", "b"),)), ("a",), None),
        (Rules(requires=(("a", "b"),)), ("a",), RuleConflict("requires", ("a", "b"))),
        (Rules(requires=(("a", "b"),)), ("b",), None),
        (Rules(together=(("a", "b", "c"),)), ("a", "c"), RuleConflict("together", ("a", "b", "c"))),
        (Rules(together=(("a", "b", "c"),)), (), None),
        # A rule about a line that is gone says nothing.
        (Rules(requires=(("a", "gone"),)), ("a",), None),
    ],
)
def test_a_rule_that_is_broken_is_found(rules, names, broken):
    film = script(line("a"), line("b"), line("c"), rules=rules)
    assert unmet_pins(film, spoken(*names)).rules == (() if broken is None else (broken,))
    kinds = [kind for kind, _ in found(film, spoken(*names))]
    assert (FindingKind.RULE_BROKEN in kinds) is (broken is not None)


@pytest.mark.parametrize(
    ("finding", "message"),
    [
        (Finding(FindingKind.UNSEEN, ("a",), 1), "1 of 1 line has not been seen."),
        (Finding(FindingKind.UNSEEN, ("a", "b"), 1200), "2 of 1,200 lines have not been seen."),
        (
            Finding(FindingKind.LOCKED_MISSING, ("a",), 1),
            "1 line you locked is not in it, because its locks conflict: “a one”.",
        ),
        (
            Finding(FindingKind.LOCKED_OTHERWISE, ("a", "b", "c", "d"), 4),
            (
                "4 lines are not in it as you locked them, because their locks conflict: "
                "“a one”, “b one”, “c one” and 1 more."
            ),
        ),
        (Finding(FindingKind.WORDLESS, ("a",), 4), "1 line has no words yet and is left out."),
        (
            Finding(FindingKind.CHANGED, ("a", "b"), 4),
            "2 lines changed since they were accepted or reviewed: “a one”, “b one”.",
        ),
    ],
)
def test_a_finding_is_a_sentence(finding, message):
    assert finding_message(script(*(line(name) for name in "abcd")), finding) == message


def test_accepted_lines_alone_keep_their_numbers_but_subrip_counts_its_blocks():
    film = script(line("a"), replace(line("b"), accepted=False), line("c"))
    written = FORMATS["srt"](film, spoken("a", "b", "c"), ExportOptions(accepted_only=True)).decode()
    assert written == "1\n00:00:00,000 --> 00:00:01,000\na one.\n\n2\n00:00:04,000 --> 00:00:05,000\nc one.\n\n"
    exported = export_of("csv", film, spoken("a", "b", "c"), ExportOptions(accepted_only=True))
    assert (exported.lines, exported.spoken, exported.conflicts) == (2, 2000, ())
    assert [row.split(b",")[0] for row in exported.content.splitlines()] == [b"\xef\xbb\xbfnumber", b"1", b"3"]


@pytest.mark.parametrize(
    ("rate", "start", "first"),
    [
        ("25", "10:00:00:00", "10:00:00.000"),
        ("25", "09:59:50:10", "09:59:50.400"),
        ("29.97 DF", "01:00:00;00", "01:00:00.000"),
        # A label’s seconds are subtitles’ seconds, at 23.976 too: our reader takes the same off again.
        ("23.976", "01:00:00:12", "01:00:00.500"),
        ("25", "", "00:00:00.000"),
    ],
)
@pytest.mark.parametrize("form", ["srt", "vtt"])
def test_times_count_from_the_start_timecode(form, rate, start, first):
    film = Film("Film", 60_000, frame_rate=RATES[rate], start_timecode=start)
    made = replace(script(line("a"), line("b")), film=film)
    written = FORMATS[form](made, spoken("a", "b"), ExportOptions(from_timecode=True))
    cues = parse_subtitles(written, f"x.{form}").cues
    hours, minutes, seconds = first.split(":")
    at = (int(hours) * 60 + int(minutes)) * 60_000 + round(float(seconds) * 1000)
    assert [cue.start for cue in cues] == [pytest.approx(at, abs=1), pytest.approx(at + 2000, abs=1)]


def test_a_start_timecode_that_is_none_is_refused():
    film = replace(script(line("a")), film=Film("Film", 60_000, start_timecode="soon"))
    with pytest.raises(TimeError):
        FORMATS["srt"](film, spoken("a"), ExportOptions(from_timecode=True))


@pytest.mark.parametrize("separator", list(Separator))
def test_a_table_has_the_columns_asked_for(separator):
    film = script(line("a", note="Mind, the; gap\there"))
    options = ExportOptions(separator=separator, columns=("text", "notes", "number"))
    written = FORMATS["csv"](film, spoken("a"), options).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(written, newline=""), delimiter=separator.value))
    assert rows == [["text", "notes", "number"], ["a one.", "Mind, the; gap\there", "1"]]


@pytest.mark.parametrize("columns", [(), ("mood",), ("text", "text")])
def test_columns_that_cannot_be_written_are_refused(columns):
    with pytest.raises(BadInputError, match="column"):
        ExportOptions(columns=columns)
    assert ExportOptions().columns is None


def test_a_scene_of_the_problem():
    film = replace(
        script(line("a"), line("b")), scenes=(Scene("s1", Span(0, 30_000)), Scene("s2", Span(30_000, 60_000)))
    )
    alone = export_of("problem", film, spoken("a"), ExportOptions(scene="s2"))
    assert (alone.findings, b'"s2"' in alone.content, b'"a"' in alone.content) == ((), True, False)
    with pytest.raises(BadInputError, match="s9"):
        export_of("problem", film, spoken("a"), ExportOptions(scene="s9"))
