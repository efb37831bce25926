"""Published descriptions into a project, shortened to fit or planned anew, and out again in every format.

Files of Able Player and enable-a11y, as their index says; their licences do not let them be copied here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from adstudio.core.script import Script
from adstudio.delivery.export import export_of
from adstudio.drafting.request import Sources
from adstudio.editing.fit import outside_gaps
from adstudio.importing.comparing import ImportChoices
from adstudio.importing.new_project import NewProject, import_new
from adstudio.importing.service import ImportRequest
from adstudio.presets.library import DEFAULT, preset_named
from adstudio.subtitles.reading import read_subtitles

DATA = Path(__file__).resolve().parents[2] / "../shared/data/film"
PAIRS = {
    "ableplayer/blocks4all_descriptions_en.vtt": "ableplayer/blocks4all_captions_en.vtt",
    "ableplayer/deadline_descriptions_en.vtt": "ableplayer/deadline_captions_en.vtt",
    "ableplayer/wwa_description_de.vtt": "ableplayer/wwa_captions_de.vtt",
    "ableplayer/wwa_description_ja.vtt": "ableplayer/wwa_captions_ja.vtt",
    "ableplayer/itaccess_description_en.vtt": "ableplayer/itaccess_captions_en.vtt",
    "ableplayer/k_descriptions_en.vtt": None,
    "ableplayer/paulallen_en.vtt": None,
    "enable-a11y/bela-ad.en.vtt": None,
    "enable-a11y/the-light-that-burned--ad.en.vtt": None,
    "enable-a11y/dialog-document__html5--desc.vtt": "enable-a11y/dialog-document__html5.vtt",
}
"""The descriptions, and the dialogue of the same film."""
pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the shared data is not here")


def sources(description: str) -> Sources:
    dialogue = PAIRS[description]
    files = [DATA / name for name in (description, dialogue) if name is not None]
    end = max(cue.end for file in files for cue in read_subtitles(file).cues) + 2_000
    subtitles = None if dialogue is None else DATA / dialogue
    return Sources(subtitles=subtitles, end=end, settings=preset_named(DEFAULT).settings, without_dialogue=True)


def imported(description: str, path: Path | None = None, **request: object) -> NewProject:
    file = path or DATA / description
    project = Path("p.adproj").absolute()
    return import_new(ImportRequest(file, **request), sources(description), project)  # type: ignore[arg-type]


def spoken(new: NewProject) -> list[tuple[int, int, str]]:
    script: Script = new.draft.script
    return [
        (each.start, each.end, script.eventuality(each.element).variants[each.variant].text)
        for each in new.draft.plan.deliveries
    ]


def over_dialogue(new: NewProject) -> int:
    return sum(outside_gaps(new.draft.gaps.gaps, each.span) for each in new.draft.plan.deliveries)


@pytest.mark.parametrize("description", PAIRS)
def test_every_line_is_in_the_project_where_it_is_in_the_file(description: str) -> None:
    new = imported(description)
    cues = read_subtitles(DATA / description).cues
    lines = sorted(new.draft.script.eventualities, key=lambda line: line.occurrence.start if line.occurrence else -1)
    assert [line.variants[0].text for line in lines] == [
        " ".join(cue.text.split()) for cue in sorted(cues, key=lambda cue: cue.start)
    ]
    assert [line.occurrence.start for line in lines if line.occurrence] == sorted(cue.start for cue in cues)
    starts = {cue.start for cue in cues}
    assert {each.start for each in new.draft.plan.deliveries} <= starts


@pytest.mark.parametrize("description", PAIRS)
def test_planned_anew_they_are_in_gaps(description: str) -> None:
    before = imported(description, own_lengths=False)
    after = imported(description, own_lengths=False, shorter=True, choices=ImportChoices(unlocked=True))
    assert over_dialogue(after) == 0 <= over_dialogue(before)
    assert len(after.draft.script.eventualities) == len(before.draft.script.eventualities)


@pytest.mark.parametrize(
    "description", ["ableplayer/deadline_descriptions_en.vtt", "ableplayer/wwa_description_ja.vtt"]
)
@pytest.mark.parametrize("form", ["srt", "vtt", "csv", "json", "dapt", "xlsx", "docx"])
def test_out_and_in_again_they_are_the_same(description: str, form: str, tmp_path: Path) -> None:
    new = imported(description)
    path = tmp_path / f"script.{form}"
    path.write_bytes(export_of(form, new.draft.script, new.draft.plan).content)
    before, after = spoken(new), spoken(imported(description, path))
    assert [text for *_, text in after] == [text for *_, text in before]
    for one, other in zip(before, after, strict=True):
        # A frame of 25 a second, where times are timecode.
        assert abs(one[0] - other[0]) <= 40
        assert abs(one[1] - other[1]) <= 80
