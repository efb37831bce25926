"""Files evaluated as command line and window do it: measures that no file format changes, shifts, built-in systems.

The words that texts share stand for METEOR here, so that no Java is needed: what is tested does not depend on it.
"""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import docx
import openpyxl
import pytest
from evaluated_films import (
    AMERICAN,
    BRITISH,
    DIALOGUE,
    MINUTE,
    Line,
    clock,
    film_files,
    generated_csv,
    generated_json,
    moved,
    srt,
    vtt,
    write,
)
from word_scorer import WordScorer

from adstudio.core.errors import BadInputError
from adstudio.core.progress import Progress
from adstudio.dapt.script import DaptScript, ScriptEvent
from adstudio.dapt.writer import write_dapt
from adstudio.evaluation.film_reading import ReadFilm
from adstudio.evaluation.request import EvaluationRequest, FilmFiles, ScriptFile
from adstudio.evaluation.results import Evaluation, Measure, SystemResult
from adstudio.evaluation.service import evaluate_files

SCORER = WordScorer()


def evaluated(*films: FilmFiles, **how: object) -> Evaluation:
    return evaluate_files(EvaluationRequest(films, **how), scorer=SCORER)  # type: ignore[arg-type]


def row(found: Evaluation, name: str) -> SystemResult:
    return next(each for each in found.systems if each.name == name)


def dapt(lines: tuple[Line, ...]) -> bytes:
    events = (ScriptEvent(f"e{a}", text, a, b, represents="visual") for a, b, text in lines)
    return write_dapt(DaptScript("en", tuple(events), language_source="zxx"))


def table(lines: tuple[Line, ...]) -> list[list[str]]:
    return [["Start", "End", "Text"], *([clock(a, "."), clock(b, "."), text] for a, b, text in lines)]


def xlsx(lines: tuple[Line, ...]) -> bytes:
    book = openpyxl.Workbook()
    assert book.active is not None
    for cells in table(lines):
        book.active.append(cells)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def word(lines: tuple[Line, ...]) -> bytes:
    written, rows = docx.Document(), table(lines)
    cells = written.add_table(len(rows), 3)
    for shown, values in zip(cells.rows, rows, strict=True):
        for cell, value in zip(shown.cells, values, strict=True):
            cell.text = value
    target = io.BytesIO()
    written.save(target)
    return target.getvalue()


def own_json(lines: tuple[Line, ...]) -> str:
    rows = [{"start": a / 1000, "end": b / 1000, "text": text} for a, b, text in lines]
    return json.dumps({"format": "adstudio-script/1", "lines": rows})


FORMS = {
    "a.srt": srt,
    "a.vtt": vtt,
    "generated.csv": generated_csv,
    "a.tsv": lambda lines: "\n".join("\t".join(each) for each in table(lines)),
    "a.json": generated_json,
    "own.json": own_json,
    "a.xml": dapt,
    "a.xlsx": xlsx,
    "a.docx": word,
}


def test_measures_are_unchanged_by_file_format(tmp_path: Path) -> None:
    systems = [ScriptFile(name, write(tmp_path / name, form(AMERICAN))) for name, form in FORMS.items()]
    british = ScriptFile("british", write(tmp_path / "british.srt", srt(BRITISH)))
    found = evaluated(film_files(tmp_path, *systems, references=(british,)))
    assert [each.name for each in found.systems] == list(FORMS)
    first = found.systems[0].mean
    assert set(first) == {Measure.GAP_CIDER, Measure.GAP_METEOR, Measure.SODA_M, Measure.SODA_T}
    assert all(value > 0 for value in first.values())
    assert [each.mean for each in found.systems] == [first] * len(FORMS)
    # And the form of the reference makes no difference either.
    system = ScriptFile("system", write(tmp_path / "system.srt", srt(AMERICAN)))
    for name, form in FORMS.items():
        reference = ScriptFile("reference", write(tmp_path / f"reference {name}", form(BRITISH)))
        assert row(evaluated(film_files(tmp_path, system, references=(reference,))), "system").mean == first


SHARED = [
    *(f"ableplayer/{name}_descriptions_en.vtt" for name in ("blocks4all", "deadline", "k")),
    *(f"ableplayer/wwa_description_{language}.vtt" for language in ("de", "en", "es", "fr", "ja")),
    "ableplayer/itaccess_description_en.vtt",
    "enable-a11y/bela-ad.en.vtt",
    "enable-a11y/the-light-that-burned--ad.en.vtt",
    "enable-a11y/dialog-document__html5--desc.vtt",
]


@pytest.mark.parametrize("name", SHARED)
def test_descriptions_against_themselves_later(shared_data: Path, tmp_path: Path, name: str) -> None:
    """All pairs are in time up to, and not at, 10 s.

    Of n descriptions against the same n, only the alignment of each with itself has n pairs, and each of its pairs has
    the top score; any other alignment that keeps the order has fewer pairs, so a smaller sum, even where lines repeat.
    All midpoints differ by the shift.
    """
    reference = ScriptFile("reference", shared_data / "film" / name)
    copy = write(tmp_path / "copy.vtt", reference.path.read_bytes())
    shifts = {"at once": 0, "5.0 s": 5_000, "9.9 s": 9_900, "10.0 s": 10_000, "10.1 s": 10_100, "earlier": -10_100}
    systems = tuple(ScriptFile(called, copy, shift=by) for called, by in shifts.items())
    found = evaluated(FilmFiles("film", (reference,), systems, without_dialogue=True))
    assert [round(each.mean[Measure.SODA_T], 6) for each in found.systems] == [100, 100, 100, 0, 0, 0]
    assert [round(each.mean[Measure.SODA_M], 6) for each in found.systems] == [100] * len(shifts)


def test_repeated_lines_against_themselves_later(tmp_path: Path) -> None:
    lines = [(at, at + 1_000, text) for at, text in zip(range(0, 60_000, 6_000), "ABABBAAABB", strict=True)]
    reference = ScriptFile("reference", write(tmp_path / "reference.srt", srt(lines)))
    copy = write(tmp_path / "copy.srt", srt(lines))
    systems = tuple(ScriptFile(str(by), copy, shift=by) for by in (5_000, 9_900, 10_100))
    found = evaluated(FilmFiles("film", (reference,), systems, without_dialogue=True))
    assert [each.mean[Measure.SODA_T] for each in found.systems] == [100, 100, 0]


def test_identity_gives_the_top_value_of_every_measure(tmp_path: Path) -> None:
    references = (ScriptFile("american", write(tmp_path / "american.vtt", vtt(AMERICAN))),)
    same = ScriptFile("same", write(tmp_path / "same.json", generated_json(AMERICAN)))
    found = evaluated(film_files(tmp_path, same, references=references))
    mean = row(found, "same").mean
    assert {measure: round(value, 6) for measure, value in mean.items()} == {
        Measure.GAP_CIDER: 1000,
        Measure.GAP_METEOR: 100,
        Measure.SODA_M: 100,
        Measure.SODA_T: 100,
    }
    assert any("same says just what american says" in note for note in found.films[0].notes)


def test_an_expert_is_each_reference_against_the_others(tmp_path: Path) -> None:
    files = film_files(tmp_path)
    found = evaluated(files, expert=True)
    assert [each.name for each in found.systems] == ["expert american", "expert british"]
    one, other = files.references
    for expert, reference in ((one, other), (other, one)):
        copied = write(tmp_path / f"copy-{expert.path.name}", expert.path.read_bytes())
        alone = evaluated(replace(files, references=(reference,), systems=(ScriptFile("copy", copied),)))
        assert row(found, f"expert {expert.name}").mean == row(alone, "copy").mean


def test_an_expert_needs_two_references(tmp_path: Path) -> None:
    files = film_files(tmp_path)
    with pytest.raises(BadInputError, match="film has one reference, and expert compares"):
        evaluated(replace(files, references=files.references[:1]), expert=True)


def test_random_fills_the_gaps_from_a_pool(tmp_path: Path) -> None:
    pool = write(tmp_path / "pool.json", json.dumps([text for _, _, text in AMERICAN]))
    found = evaluated(film_files(tmp_path), pool=pool, seed=7)
    assert [each.name for each in found.systems] == ["random"]
    assert found.gaps
    assert all("random" in gap.systems for gap in found.gaps)
    assert evaluated(film_files(tmp_path), pool=pool, seed=7).systems == found.systems


def test_a_realistic_row_stands_below_its_system(tmp_path: Path) -> None:
    # A tenth of a second is too fast for three words.
    lines = (*AMERICAN, (110_000, 110_100, "Somebody shouts something."))
    system = ScriptFile("model", write(tmp_path / "model.srt", srt(lines)))
    other = ScriptFile("other", write(tmp_path / "other.srt", srt(BRITISH[:4])))
    found = evaluated(film_files(tmp_path, system, other), realistic=("model",))
    assert [each.name for each in found.systems] == ["model", "model, realistic", "other"]
    assert [each.unfiltered for each in found.systems] == [None, "model", None]
    counts = found.systems[1].filtered
    assert counts is not None
    assert (counts.total, sum(counts.removed.values())) == (6, 1)
    with pytest.raises(BadInputError, match="no system is called “nobody”"):
        evaluated(film_files(tmp_path, system), realistic=("nobody",))


def test_several_films_have_the_same_systems(tmp_path: Path) -> None:
    films: list[FilmFiles] = []
    for name, lines in (("one", AMERICAN), ("two", moved(AMERICAN, 500))):
        folder = tmp_path / name
        folder.mkdir()
        system = ScriptFile("system", write(folder / "system.srt", srt(lines)))
        films.append(replace(film_files(folder, system), name=name))
    found = evaluated(*films)
    result = row(found, "system")
    assert set(result.films) == {"one", "two"}
    for measure, value in result.mean.items():
        assert value == pytest.approx((result.films["one"][measure] + result.films["two"][measure]) / 2)
    with pytest.raises(BadInputError, match="two has no system “system”, which another film has"):
        evaluated(films[0], replace(films[1], systems=()))


def test_nothing_to_evaluate(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="there is nothing to evaluate"):
        evaluated(film_files(tmp_path))
    with pytest.raises(BadInputError, match="there is no film"):
        evaluated()


def test_notes_and_oddities_come_with_the_result(tmp_path: Path) -> None:
    system = ScriptFile("system", write(tmp_path / "system.csv", "start,text_gen\n6,Ruth turns.\n"))
    files = film_files(tmp_path, system, end=None)
    read: list[ReadFilm] = []
    found = evaluate_files(EvaluationRequest((files,)), scorer=SCORER, on_read=read.extend)
    assert any("its length is not known" in note for note in found.films[0].notes)
    assert any("without an end" in odd.what for _, odd in read[0].oddities)
    assert found.day


class _StoppedError(Exception):
    """Raised by a progress that stops."""


def test_progress_may_stop_it(tmp_path: Path) -> None:
    system = ScriptFile("system", write(tmp_path / "system.srt", srt(BRITISH)))
    seen: list[Progress] = []

    def stop(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) > 1:
            raise _StoppedError

    with pytest.raises(_StoppedError):
        evaluate_files(EvaluationRequest((film_files(tmp_path, system),)), stop, scorer=SCORER)
    assert len(seen) == 2


def test_a_film_of_ten_hours(tmp_path: Path) -> None:
    hours, minutes = 600 * MINUTE, 10 * MINUTE
    dialogue = [(at, at + 5_000, "What do you want from us?") for at in range(0, hours, 15_000)]
    lines = [(at + 6_000, at + 8_000, f"Ruth opens door {at}.") for at in range(0, hours, 15_000)]
    parts = "".join(f"{at},{at / 1000},{(at + minutes) / 1000}\n" for at in range(0, hours, minutes))
    files = film_files(
        tmp_path,
        ScriptFile("same", write(tmp_path / "same.srt", srt(lines))),
        subtitles=write(tmp_path / "long.srt", srt(dialogue)),
        references=(ScriptFile("one", write(tmp_path / "one.vtt", vtt(lines))),),
        sequences=write(tmp_path / "parts.csv", parts),
        end=hours,
    )
    found = evaluated(files)
    assert found.films[0].sequences == 60
    assert row(found, "same").mean[Measure.SODA_T] == 100


def test_the_dialogue_of_the_tests_leaves_gaps(tmp_path: Path) -> None:
    system = ScriptFile("system", write(tmp_path / "system.srt", srt(BRITISH)))
    gaps = evaluated(film_files(tmp_path, system)).gaps
    assert [(gap.gap.start, gap.gap.end) for gap in gaps] == [(b, b + 10_000) for _, b, _ in DIALOGUE]
    assert gaps[-1].gap.end == 4 * MINUTE
