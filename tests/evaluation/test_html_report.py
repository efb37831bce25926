"""The page of an evaluation: its structure for screen readers, its numbers, and that nothing comes from outside."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from evaluation_values import PAPER, evaluation
from page_reading import Element, cells_of, numbers_of, read_page

from adstudio.core.timebase import Span, clock
from adstudio.evaluation import html_report
from adstudio.evaluation.html_report import html_pieces, write_html
from adstudio.evaluation.json_report import json_pieces
from adstudio.evaluation.material import SequenceSource
from adstudio.evaluation.messages import MEASURE_NAMES, answer_message
from adstudio.evaluation.results import (
    Evaluation,
    FilmFacts,
    GapComparison,
    Measure,
    QuestionResult,
    SequenceResult,
    SystemAnswer,
    SystemResult,
)
from adstudio.evaluation.run_comparison import compare_runs
from adstudio.system.locations import resource

BASE = "Gemini MILP"
NAMES = {each.value: MEASURE_NAMES[each].name for each in Measure}
HOSTILE = (
    "\"'><script>alert(1)</script><!-- ]]> {{ 1234 * 1000 }} &amp; \u202eevil\u0000\u0007 \ud800 </title></style></svg>"
)


def page_of(found: Evaluation, base: str | None = None) -> Element:
    return read_page("".join(html_pieces(found, base)))


@pytest.fixture(scope="module")
def found() -> Evaluation:
    return evaluation()


@pytest.fixture(scope="module")
def page(found: Evaluation) -> Element:
    return page_of(found, BASE)


@pytest.fixture(scope="module")
def as_json(found: Evaluation) -> dict[str, Any]:
    return json.loads("".join(json_pieces(found)))


SPARSE = [
    Evaluation((), (), (), ()),
    evaluation(1, 1, 1, measures=1),
    replace(evaluation(1, 2, 2), significance=(), sequences=(), notes=(), day=""),
    replace(evaluation(1, 2, 2), gaps=(), films=()),
]


def nothing_missing(root: Element) -> None:
    """What every page has, for those who hear it and for those who see it."""
    levels = [int(each.tag[1]) for each in root.walk() if re.fullmatch(r"h[1-6]", each.tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels)), levels
    ids = [each.attributes["id"] for each in root.walk() if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    links = [each.attributes["href"] for each in root.all("a")]
    assert links[0] == "#main"
    assert {link[1:] for link in links} <= set(ids)
    assert all(link.startswith("#") for link in links)
    (html,) = root.all("html")
    assert html.attributes["lang"] == "en"
    for landmark in ("header", "nav", "main", "footer", "title"):
        assert len(root.all(landmark)) == 1
    for labelled in (each for each in root.walk() if "aria-labelledby" in each.attributes):
        assert labelled.attributes["aria-labelledby"] in ids
    for table in root.all("table"):
        tables_are_read(table)
    for figure in root.all("figure"):
        assert figure.content
        assert figure.all("figcaption")[0].text.strip()
    for plot in root.all("svg"):
        assert plot.attributes["role"] == "img"
        assert plot.attributes["aria-label"].strip()


def tables_are_read(table: Element) -> None:
    (caption,) = table.all("caption")
    assert caption.text.strip()
    assert all(each.attributes.get("scope") in {"col", "row", "rowgroup"} for each in table.all("th"))
    widths = {sum(int(cell.attributes.get("colspan", 1)) for cell in row.all("th", "td")) for row in table.all("tr")}
    assert len(widths) == 1
    assert all(row.all("th") for row in table.all("tr"))


@pytest.mark.parametrize("sparse", SPARSE)
def test_headings_tables_and_landmarks_are_right(page: Element, sparse: Evaluation):
    nothing_missing(page)
    nothing_missing(page_of(sparse))


def test_a_part_without_anything_to_show_is_left_out():
    everything = {"results", "differences", "films", "sequences", "difficulty", "narration", "selection", "realistic"}
    found = evaluation(1, 2, 2)
    sections = {each.attributes["id"] for each in page_of(found).all("section")}
    assert sections == everything | {"questions", "gaps"}
    plain = replace(found, significance=(), sequences=(), gaps=(), questions=())
    plain = replace(plain, systems=tuple(replace(each, filtered=None, selections=()) for each in plain.systems))
    assert {each.attributes["id"] for each in page_of(plain).all("section")} == {"results", "films", "sequences"}


def test_nothing_comes_from_outside(page: Element):
    text = "".join(html_pieces(evaluation()))
    assert not {"script", "link", "img", "iframe", "object", "form", "base"} & {each.tag for each in page.walk()}
    for each in page.walk():
        names = set(each.attributes)
        assert not names & {"src", "style", "srcset", "data", "action"}
        assert not any(name.startswith("on") for name in names)
    assert "http:" not in text
    assert "https:" not in text
    (style,) = page.all("style")
    assert "url(" not in style.text
    assert "@import" not in style.text


def test_the_policy_allows_the_style_and_nothing_else(page: Element):
    (style,) = page.all("style")
    (policy,) = (each.attributes["content"] for each in page.all("meta") if "http-equiv" in each.attributes)
    digest = b64encode(hashlib.sha256(style.text.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_hostile_names_and_texts_are_only_text():
    scores = {Measure.GAP_CIDER: 1.0, Measure.SODA_T: 2.0}
    system = SystemResult(HOSTILE, scores, {HOSTILE: scores}, (SequenceResult(HOSTILE, HOSTILE, scores),))
    answers = {HOSTILE: SystemAnswer(HOSTILE)}
    asked = QuestionResult(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, None, answers)
    gap = GapComparison(HOSTILE, HOSTILE, Span(0, 1_000), {HOSTILE: HOSTILE}, {HOSTILE: HOSTILE}, {HOSTILE: scores})
    film = FilmFacts(HOSTILE, 1, SequenceSource.FILM, (HOSTILE,), (HOSTILE,), HOSTILE)
    text = "".join(html_pieces(Evaluation((film,), (system,), (), (gap,), (HOSTILE,), questions=(asked,), day=HOSTILE)))
    text.encode()  # halves of characters would be refused
    root = read_page(text)
    nothing_missing(root)
    assert not root.all("script")
    assert "1234000" not in text
    shown = "\"'><script>alert(1)</script><!-- ]]> {{ 1234 * 1000 }} &amp; \u202eevil  </title></style></svg>"
    isolated = [each.text for each in root.all("bdi")]
    assert isolated.count(shown) >= 15
    assert all(each.attributes.get("lang", "") == "" for each in root.all("bdi"))
    # What turns the direction of text is only where it is isolated.
    for each in root.walk():
        assert not any("\u202e" in value for value in each.attributes.values())
        own = "".join(part for part in each.content if isinstance(part, str))
        assert "\u202e" not in own or each.tag == "bdi"


def test_texts_carry_their_language_and_other_words_that_of_the_page(page: Element):
    spoken = page.one("gaps").all("dd")
    assert spoken
    assert all(each.all("bdi")[0].attributes["lang"] == "en-GB" for each in spoken)
    assert all(each.all("bdi")[0].attributes.get("lang") is None for each in page.one("gaps").all("dt"))


def test_the_means_are_those_of_the_json(page: Element, as_json: dict[str, Any]):
    cells = cells_of(page.one("results").all("table")[0])
    assert len(cells) == len(PAPER) * 6
    for system in as_json["systems"]:
        for measure, mean in system["mean"].items():
            low, high = system["intervals"][measure]
            expected = [(value, f"{value:.1f}") for value in (mean, low, high)]
            assert numbers_of(cells[system["name"], NAMES[measure]]) == expected


def test_stars_are_against_the_system_that_others_are_compared_with(page: Element, as_json: dict[str, Any]):
    cells = cells_of(page.one("results").all("table")[0])
    tests = {(each["one"], each["measure"]): each["p"] for each in as_json["significance"] if each["other"] == BASE}
    assert len(tests) == 7 * 6  # all but the last one, which is the base
    for (system, measure), p in tests.items():
        (stars,) = (
            each.text for each in cells[system, NAMES[measure]].walk() if each.attributes.get("class") == "stars"
        )
        assert stars == ("**" if p < 0.01 else "*" if p < 0.05 else "")


def test_the_differences_are_those_of_the_json_either_way(page: Element, as_json: dict[str, Any]):
    tables = dict(zip(Measure, page.one("differences").all("table"), strict=True))
    for each in as_json["significance"]:
        cells = cells_of(tables[Measure(each["measure"])])
        there = numbers_of(cells[each["one"], f"− {each['other']}"])
        back = numbers_of(cells[each["other"], f"− {each['one']}"])
        assert [value for value, _ in there] == [each["difference"], each["p"]]
        assert [value for value, _ in back] == [-each["difference"], each["p"]]
        assert there[0][1] in {f"{each['difference']:+.1f}".replace("-", "−"), "0.0"}


def test_the_means_of_an_only_film_are_not_said_twice():
    root = page_of(evaluation(1, 2, 2))
    assert root.one("films").all("table") == []
    assert "British AD" in root.one("films").text


def test_films_and_sequences_have_the_numbers_of_the_json(page: Element, as_json: dict[str, Any]):
    films = dict(zip((each["name"] for each in as_json["films"]), page.one("films").all("table"), strict=True))
    parts = dict(zip(films, page.one("sequences").all("table"), strict=True))
    for system in as_json["systems"]:
        for film, scores in system["films"].items():
            cells = cells_of(films[film])
            for measure, value in scores.items():
                assert numbers_of(cells[system["name"], NAMES[measure]]) == [(value, f"{value:.1f}")]
    cells_by_film = {film: cells_of(table) for film, table in parts.items()}
    for system in as_json["systems"]:
        for each in system["sequences"]:
            for measure, value in each["scores"].items():
                cell = cells_by_film[each["film"]][each["sequence"], system["name"], NAMES[measure]]
                assert numbers_of(cell) == [(value, f"{value:.1f}")]


def strata_of(as_json: dict[str, Any]) -> Iterator[tuple[str, str, set[tuple[str, str]]]]:
    """By part of the page and heading: the keys of the sequences, by the bounds of the paper."""
    proofs = {"under 0.1 s": (0, 0.1), "0.1 to 1 s": (0.1, 1), "1 to 10 s": (1, 10), "10 to 60 s": (10, 60)}
    free = {
        "under 5 s": (0, 5),
        "5 to 10 s": (5, 10),
        "10 to 20 s": (10, 20),
        "20 to 40 s": (20, 40),
        "40 to 80 s": (40, 80),
        "80 s or more": (80, 1e9),
    }
    for part, key, bounds in (("difficulty", "seconds_to_proof", proofs), ("narration", "free", free)):
        for label, (low, high) in bounds.items():
            keys = {
                (each["film"], each["sequence"])
                for each in as_json["sequences"]
                if low <= each[key] < high and (each["proven"] or part == "narration")
            }
            if keys:
                yield part, label, keys
    unproven = {(each["film"], each["sequence"]) for each in as_json["sequences"] if not each["proven"]}
    if unproven:
        yield "difficulty", "not proven", unproven


def test_strata_are_means_of_the_sequences_of_the_json(page: Element, as_json: dict[str, Any]):
    strata = list(strata_of(as_json))
    assert {part for part, _, _ in strata} == {"difficulty", "narration"}
    order = [Measure.SODA_T, Measure.QEVAL, Measure.GAP_CIDER, Measure.GAP_METEOR, Measure.SODA_M, Measure.QEVAL_T]
    tables = {part: dict(zip(order, page.one(part).all("table"), strict=True)) for part in ("difficulty", "narration")}
    for part, label, keys in strata:
        for measure in order:
            means = {
                system["name"]: fmean(
                    each["scores"][measure] for each in system["sequences"] if (each["film"], each["sequence"]) in keys
                )
                for system in as_json["systems"]
            }
            cells = cells_of(tables[part][measure])
            for name, mean in means.items():
                shown = numbers_of(cells[name, label])
                assert shown[0][0] == pytest.approx(mean, abs=1e-9)
                if name != BASE:
                    assert shown[1][0] == pytest.approx(mean - means[BASE], abs=1e-9)


def test_what_plans_select_adds_up_to_the_json(page: Element, as_json: dict[str, Any]):
    (plan,) = (each for each in as_json["systems"] if "selections" in each)
    cells = cells_of(page.one("selection").all("table")[0])
    items = sum(each["items"] for each in plan["selections"])
    lines = sum(sum(each["variants"].values()) for each in plan["selections"])
    assert [numbers_of(cells[plan["name"], name])[0][0] for name in ("Items", "Spoken")] == [items, lines]
    assert numbers_of(cells[plan["name"], "Share of items"])[0][0] == pytest.approx(100 * lines / items)
    for rate in (100, 90, 80, 70, 60, 50):
        used = sum(each["variants"].get(str(rate), 0) for each in plan["selections"])
        assert numbers_of(cells[plan["name"], f"{rate} %"])[0][0] == used


def test_the_realistic_filter_is_shown_by_reason(page: Element, as_json: dict[str, Any]):
    cells = cells_of(page.one("realistic").all("table")[0])
    for system in (each for each in as_json["systems"] if "filtered" in each):
        counts = system["filtered"]
        row = [numbers_of(cell)[0][0] for key, cell in cells.items() if key[0] == system["name"]]
        reasons = [counts["removed"][reason] for reason in ("too-fast", "over-dialogue", "overlapping")]
        assert row == [counts["total"], sum(reasons), *reasons, counts["faster_than_500"]]


def test_every_gap_is_there_with_all_that_is_said_in_it(page: Element, as_json: dict[str, Any]):
    rows = [row for table in page.one("gaps").all("table") for row in table.all("tbody")[0].all("tr")]
    assert len(rows) == len(as_json["gaps"]) == 144
    for row, gap in zip(rows, as_json["gaps"], strict=True):
        references, systems = row.all("td")
        assert said(references) == gap["references"]
        assert said(systems) == gap["systems"]
        shown = [value for value, _ in numbers_of(systems)]
        assert shown == [value for name in gap["systems"] for value in gap["scores"].get(name, {}).values()]


def test_every_question_is_there_with_all_answers(page: Element, as_json: dict[str, Any]):
    rows = [row for table in page.one("questions").all("table") for row in table.all("tbody")[0].all("tr")]
    assert len(rows) == len(as_json["questions"]) == 36
    for row, question in zip(rows, as_json["questions"], strict=True):
        answers = row.all("td")[1]
        assert said(answers) == {name: each["given"] for name, each in question["answers"].items()}
        for worth, each in zip(answers.all("dd"), question["answers"].values(), strict=True):
            verdict = worth.all("span")[0].text
            if each["in_time"]:
                assert verdict == f"right, by the description at {clock(round(1000 * each['source'][0]))}"
            else:
                assert verdict == {"Snape": "right", "Ron": "wrong", "": "no answer"}[each["given"]]


def test_an_answer_that_comes_from_another_time_is_right_and_not_in_time():
    asked = QuestionResult("f", "s", "q", "Who?", "Ron", Span(1_000, 2_000), {})
    late = SystemAnswer("Ron", Span(62_000, 63_000))
    assert answer_message(asked, late) == "right, by the description at 00:01:02.000, not in time"
    assert answer_message(replace(asked, time=None), late) == "right, by the description at 00:01:02.000"


def said(cell: Element) -> dict[str, str]:
    return {name.text: words.all("bdi")[0].text for name, words in zip(cell.all("dt"), cell.all("dd"), strict=True)}


def test_every_number_is_shown_as_it_is_rounded(page: Element):
    numbers = numbers_of(page)
    assert len(numbers) > 3_000
    for value, shown in numbers:
        number = shown.replace("−", "-").replace(",", "").removeprefix("p = ")
        if shown == "p < 0.001":
            assert 0 <= value < 0.001
            continue
        decimals = len(number.partition(".")[2])
        assert float(number) == pytest.approx(round(value, decimals), abs=1e-9)


def test_an_earlier_run_stands_beside_this_one(found: Evaluation):
    earlier = evaluation(seed=8)
    compared = compare_runs(earlier, found, f"before {HOSTILE}")
    root = read_page("".join(html_pieces(found, BASE, compared)))
    nothing_missing(root)
    cells = cells_of(root.one("earlier").all("table")[0])
    assert len(compared.changes) == len(cells) == len(PAPER) * 6
    for each in compared.changes:
        shown = numbers_of(cells[each.system, MEASURE_NAMES[each.measure].name])
        assert [value for value, _ in shown] == [each.after, each.after - each.before]


def test_plots_say_in_words_what_they_show(page: Element, as_json: dict[str, Any]):
    plot = page.one("results").all("svg")[3]
    for system in as_json["systems"]:
        low, high = system["intervals"]["soda-t"]
        words = f"{system['mean']['soda-t']:.1f} ({low:.1f} to {high:.1f})"
        assert f"{system['name']} {words}" in plot.attributes["aria-label"]
    values = [each.text for each in plot.all("text") if each.attributes["class"] == "value"]
    assert values == [f"{system['mean']['soda-t']:.1f}" for system in as_json["systems"]]


def test_thousands_of_gaps_are_a_stream():
    found = evaluation(2, 10, 150)
    largest = max(len(piece) for piece in html_pieces(found))
    assert len(found.gaps) == 3_000
    assert largest < 200_000  # the whole is some megabytes


def test_a_page_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    target = tmp_path / "page.html"
    target.write_text("the old one")

    def broken(*given: object) -> Iterator[str]:
        yield "<!doctype html>"
        raise RuntimeError

    monkeypatch.setattr(html_report, "html_pieces", broken)
    with pytest.raises(RuntimeError):
        write_html(evaluation(1, 1, 1), target)
    assert target.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [target]


def test_what_is_written_is_the_page(tmp_path: Path):
    target = tmp_path / "page.html"
    write_html(evaluation(1, 2, 2), target)
    assert target.read_text("utf-8") == "".join(html_pieces(evaluation(1, 2, 2)))


def colours(style: str, start: str) -> dict[str, str]:
    block = style[style.index(start) :]
    return dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block[: block.index("}")]))


def contrast(one: str, other: str) -> float:
    """By WCAG 2.2, relative luminance and contrast ratio."""

    def luminance(colour: str) -> float:
        channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [":root", "@media (prefers-color-scheme: dark)", "@media print"])
def test_text_has_contrast_for_aa_and_plots_for_graphics(theme: str):
    style = resource("evaluation", "report.css").read_text("utf-8")
    found = colours(style, theme)
    assert contrast(found["page"], found["ink"]) >= 7
    assert all(contrast(found["page"], found[name]) >= 4.5 for name in ("soft", "link"))
    assert all(contrast(found["page"], found[name]) >= 3 for name in ("mark", "faint"))


def test_contrast_is_what_the_standard_says():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
