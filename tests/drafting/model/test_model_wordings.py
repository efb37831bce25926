"""What no describer would say, planted in a model's answers: asked for again once, then settled."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from model_films import drafted, scenes_of, small_film
from scripted_model import PROSE, ScriptedModel, element, ids_of, kind_of, listed, said, usual

from adstudio.core.cast import Person
from adstudio.drafting.model.events import SceneState
from adstudio.drafting.model.requests import FilmSeen
from adstudio.drafting.text.line_faults import LineFault
from adstudio.drafting.text.stages import Segmenter
from adstudio.media import clips

FIRST = "A woman in a red coat crosses the empty platform with a heavy suitcase."
PLANTED = {
    LineFault.VIEWER: "We see a woman in a red coat cross the empty platform with a suitcase.",
    LineFault.CAMERA: "The camera follows a woman in a red coat across the empty platform.",
    LineFault.PRODUCTION: "A beat, then a woman in a red coat crosses the empty platform.",
    LineFault.SOUND: "The station bell rings.",
    LineFault.TORN: "The woman looks out towards.",
    LineFault.NEGATION: "A woman in a red coat does not own the heavy suitcase.",
    LineFault.UNFILMABLE: "A woman in a red coat has not slept for three days.",
    LineFault.TENSE: "A woman in a red coat crossed the empty platform with a heavy suitcase.",
    LineFault.SUBJECT: "Walking over the platform, the rain stops beside a heavy suitcase.",
    LineFault.PRONOUN: "She crosses the empty platform with a heavy suitcase.",
}


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    return FilmSeen(small_film(tmp_path / "film.mp4", 60), 60_000, "print")


@pytest.fixture
def store(tmp_path):
    return tmp_path / "jobs.sqlite"


class Planting(ScriptedModel):
    """Plants wordings (by id and key) in its answers; `mends` says whether it writes them well when asked again."""

    def __init__(self, planted, *, mends=True, prose=PROSE):
        super().__init__(self.say, prose=lambda _ask: prose)
        self.planted, self.mends = planted, mends

    def say(self, ask):
        if kind_of(ask) == "elements":
            made = [element(each, text, **self.planted.get(each, {})) for each, text in listed(ask).items()]
            return json.dumps({"elements": made})
        if kind_of(ask) == "repair" and not self.mends:
            lines = [dict(each) for each in json.loads(usual(ask, PROSE))["lines"]]
            for line in lines:
                identity, key = line["id"].split("-")
                line["text"] = self.planted.get(identity, {}).get(key, line["text"])
            return json.dumps({"lines": lines})
        return None

    @property
    def repairs(self):
        return [ask for ask in self.asks if kind_of(ask) == "repair"]


def wordings(draft, place=0):
    return [variant.text for variant in draft.lines[place].variants]


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_named_to_the_model_and_mended(film, store, fault):
    model = Planting({"e01": {"full": PLANTED[fault]}})
    (draft,) = drafted(film, scenes_of(1), model, store).scenes
    (repair, *_) = [ask for ask in model.repairs if "e01-full" in ids_of(ask)]
    (line,) = [line for line in said(repair).split("\n") if line.startswith("e01-full ")]
    assert fault.value in line
    assert line.endswith(f"): {PLANTED[fault]} — of the full line: {FIRST}")
    assert draft.state is SceneState.DONE
    assert wordings(draft)[0] == FIRST
    assert not any("the full wording" in note for note in draft.notes)


@pytest.mark.parametrize("fault", PLANTED)
def test_what_is_still_faulty_gives_way_to_the_descriptions_own_words(film, store, fault):
    model = Planting({"e01": {"full": PLANTED[fault]}}, mends=False)
    (draft,) = drafted(film, scenes_of(1), model, store).scenes
    # It is asked for again once.
    assert sum("e01-full" in ids_of(ask) for ask in model.repairs) == 1
    assert wordings(draft)[0] == FIRST
    (note,) = [note for note in draft.notes if note.startswith("e01: the full wording")]
    assert fault.value in note
    assert note.endswith("the description’s own words are taken")


def test_a_name_that_opens_three_lines_is_asked_for_again(film, store):
    prose = "Nora crosses the platform. Nora stops under the clock. Nora reads a letter at the gate."
    film = replace(film, people=(Person.named("Nora"),))
    third = "Nora reads a letter at the gate."
    model = Planting({}, mends=False, prose=prose)
    (draft,) = drafted(film, scenes_of(1), model, store).scenes
    (repair,) = model.repairs
    (line,) = [line for line in said(repair).split("\n") if line.startswith("e03-full ")]
    assert LineFault.SAME_NAME.value in line
    assert "[[[ PEOPLE who may be seen\nNora\n" in said(repair)
    # Nothing better is known: the line stays, and the draft says so.
    assert wordings(draft, 2)[0] == third
    assert f"e03: the full wording {LineFault.SAME_NAME.value}: kept all the same" in draft.notes


@pytest.mark.parametrize("mends", [True, False])
def test_a_faulty_shorter_wording_is_mended_or_left_out(film, store, mends):
    planted = "We see a woman in a red coat on the platform."
    model = Planting({"e01": {"r70": planted}}, mends=mends)
    (draft,) = drafted(film, scenes_of(1), model, store).scenes
    assert [ids_of(ask) for ask in model.repairs] == [["e01-r70"]]
    assert LineFault.VIEWER.value in said(model.repairs[0])
    assert planted not in wordings(draft)
    assert len(wordings(draft)) == (6 if mends else 5)
    left = f"e01: the wording at 0.7 {LineFault.VIEWER.value}: left out"
    assert (left in draft.notes) is not mends


def test_a_direction_in_the_description_is_not_asked_about(film, store):
    prose = f"{FIRST} Beat. She stops under the clock."
    model = Planting({}, prose=prose)
    (draft,) = drafted(film, scenes_of(1), model, store, segmenter=Segmenter()).scenes
    assert [line.variants[0].text for line in draft.lines] == [FIRST, "She stops under the clock."]


def test_what_is_only_heard_weighs_nothing(film, store):
    prose = f"{FIRST} The station bell rings."
    model = Planting({}, mends=False, prose=prose)
    (draft,) = drafted(film, scenes_of(1), model, store).scenes
    assert [line.salience for line in draft.lines] == [150_000, 0]
    assert f"e02: the full wording {LineFault.SOUND.value}: not spoken unless you raise its salience" in draft.notes


@pytest.mark.parametrize(
    ("language", "planted", "own"),
    [
        (
            "de",
            "Wir sehen, wie eine Frau den Bahnsteig überquert.",
            "Eine Frau im roten Mantel überquert den Bahnsteig.",
        ),
        ("fr", "On voit une femme traverser le quai désert.", "Une femme en manteau rouge traverse le quai désert."),
        ("es", "Vemos a una mujer cruzar el andén vacío.", "Una mujer de abrigo rojo cruza el andén vacío."),
    ],
)
def test_the_camera_and_the_viewer_are_known_in_other_languages(film, store, language, planted, own):
    model = Planting({"e01": {"full": planted}}, prose=own)
    (draft,) = drafted(replace(film, language=language), scenes_of(1), model, store).scenes
    assert LineFault.VIEWER.value in said(model.repairs[0])
    assert wordings(draft)[0] == own


def test_a_sound_answer_costs_no_repair(film, store):
    model = Planting({})
    drafted(film, scenes_of(1), model, store)
    assert model.repairs == []
