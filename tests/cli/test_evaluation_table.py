"""The table on the terminal: its rows and marks, and how it is as narrow as the terminal."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from adstudio.cli.evaluation_table import table_lines
from adstudio.evaluation.results import Evaluation, FilterCounts, Measure, Significance, SystemResult, Unrealistic
from adstudio.evaluation.run_comparison import Change, RunComparison

C, T = Measure.GAP_CIDER, Measure.SODA_T


def system(name: str, scores: dict[Measure, float], **more: object) -> SystemResult:
    return SystemResult(name, scores, {}, (), **more)  # pyright: ignore[reportArgumentType]


FOUND = Evaluation(
    films=(),
    systems=(
        system("Plan", {C: 13.6, T: 55.7}),
        system("Gemini, realistic", {C: 16.9, T: 32.0}, unfiltered="Gemini", filtered=FilterCounts(100, {
            Unrealistic.TOO_FAST: 17, Unrealistic.OVER_DIALOGUE: 1}, 2)),
        system("Random", {C: 1.3}),
        system("Gemini", {C: 19.04, T: 36.0}),
    ),
    significance=(
        Significance("Plan", "Random", C, 12.3, 0.003),
        Significance("Gemini", "Plan", T, -19.7, 0.049),
        Significance("Gemini", "Plan", C, 5.4, 0.05),
        Significance("Gemini", "Random", C, 17.7, 0.0001),
    ),
    gaps=(),
    notes=("QEval: no questions were given",),
)  # fmt: skip


def cells(lines: list[str]) -> list[list[str]]:
    return [line.split() for line in lines]


def test_the_table_has_a_row_for_each_system_with_its_realistic_row_below_it():
    assert cells(list(table_lines(FOUND)))[:7] == [
        ["Gaps", "SODA"],
        ["System", "C", "T"],
        ["─" * len(list(table_lines(FOUND))[2])],
        ["Plan", "13.6", "55.7"],
        ["Random", "1.3**", "–"],
        ["Gemini", "19.0", "36.0*"],  # p = 0.05 is not below it
        ["realistic", "16.9", "32.0"],
    ]
    assert list(table_lines(FOUND))[6].startswith("  realistic")


def test_marks_are_against_the_chosen_system():
    rows = cells(list(table_lines(FOUND, base="Random")))
    assert rows[3] == ["Plan", "13.6**", "55.7"]
    assert rows[5] == ["Gemini", "19.0**", "36.0"]


def test_below_the_table_is_what_the_reader_needs_to_know():
    notes = "\n".join(table_lines(FOUND)).split("\n\n", 1)[1].splitlines()
    assert notes[0].startswith("* differs from Plan, p < 0.05; ** p < 0.01")
    assert notes[1].startswith("Gemini: the realistic filter removes 18 of 100 descriptions: 17 ")
    assert notes[2:] == ["QEval: no questions were given"]


def test_an_earlier_run_stands_below():
    changes = (Change("Plan", C, 13.0, 14.5, 0.2, 6), Change("Plan", T, 50.0, 48.0, 0.04, 6))
    compared = RunComparison("before.json", changes, ("Old",), ("Random",), ("Film",))
    below = "\n".join(table_lines(FOUND, compared=compared)).split("Since before.json:\n\n")[1].splitlines()
    assert below[3].split() == ["Plan", "+1.5", "−2.0*"]
    assert below[4] == ""
    assert below[5].startswith("Over the 6 sequences that both runs have: ")
    assert below[6:8] == ["Only in this run: Random", "Only in the earlier run: Old"]
    assert below[8].startswith("Film: ")


def test_runs_without_anything_in_common_say_so():
    lines = list(table_lines(FOUND, compared=RunComparison("before.json", ())))
    assert lines[-1] == "The runs have no system and sequence in common"


def test_numbers_are_in_columns_whether_or_not_they_have_marks():
    lines = list(table_lines(FOUND))
    assert {line.index(number) + len(number) for line, number in zip(lines[3:6], ("13.6", "1.3", "19.0"), strict=True)}\
        == {lines[3].index("13.6") + 4}  # fmt: skip


@pytest.mark.parametrize("width", [25, 30, 40, 80])
def test_a_narrow_terminal_gets_no_wider_line_and_every_number(width: int):
    wide = Evaluation(
        (), tuple(system(f"{name} 映画 a long name", dict.fromkeys(Measure, 12.5)) for name in "ab"), (), ()
    )
    lines = list(table_lines(wide, width))
    assert max(map(cell_len, lines)) <= width
    assert "\n".join(lines).count("12.5") == 12


def test_names_cannot_steer_the_terminal():
    found = Evaluation((), (system("a\x1b[2J\u202eb [red]c", {C: 1.0}),), (), ())
    lines = list(table_lines(found))
    assert "\x1b" not in "".join(lines)
    assert "\u202e" not in "".join(lines)
    assert "[red]c" in "".join(lines)


def test_nothing_evaluated_is_no_table():
    assert list(table_lines(Evaluation((), (), (), ()))) == []
