"""Screenplays in layouts that no rule of columns reads: told by the file's own statistics and by the subtitles."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from found_layouts import Blanks, Furniture, Item, Kind, Layout, Names, Title, items_of, laid_out, score, subtitles_of
from unclear_layout import unclear_screenplay

from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.parsed_screenplay import Form, ScreenplayError

SCRIPT = Path(__file__).parents[2] / "resources" / "sample" / "screenplay.fountain"
PLACES = ("INT. BOATHOUSE - DAY", "EXT. HARBOUR - NIGHT", "INT. KITCHEN - MORNING", "EXT. CLIFF PATH - DUSK")
PEOPLE = ("MIRIAM", "OLD FENN", "JULES", "THE PILOT")
DEEDS = (
    "{0} ties the rope to the ring and leans back until it holds.",
    "A gull lands on the rail. {0} watches it for a while, then goes on sorting the nets by the colour of their knots.",
    "The lamp swings. Its light crosses the wall, the stove, the two empty chairs and the photograph of a boat.",
    "{0} opens the drawer and takes out a letter, folded twice, which she lays beside the bread without a word.",
    "Rain on the panes.",
    "{0} turns, walks to the window and wipes a circle into the steam with her sleeve.",
)
WORDS = (
    "You should have told me that before we left.",
    "I know. I'm sorry. It won't happen again, I promise you that much.",
    "No!",
    "Where did you put the other key, the one with the blue ribbon on it?",
    "My father used to say that you can't trust a calm sea in March.",
    "We've got until noon. After that they'll close the lock and we're stuck here with nothing to eat.",
)


def items(seed: int, length: int = 90) -> list[Item]:
    """A script of our own: places, deeds and words in an order of the seed's."""
    draw = random.Random(seed)
    found: list[Item] = []
    while len(found) < length:
        found.append(Item(Kind.HEADING, draw.choice(PLACES)))
        for _ in range(draw.randint(3, 6)):
            found.append(Item(Kind.ACTION, draw.choice(DEEDS).format(draw.choice(PEOPLE[:3]).title())))
            for _ in range(draw.randint(0, 4)):
                aside = draw.choice(("", "", "", "quietly"))
                found.append(Item(Kind.SPEECH, draw.choice(WORDS), draw.choice(PEOPLE), aside))
    return found


LAYOUTS = {
    "speech in the column of action": Layout(1, speech=0, name=22),
    "speech two columns in": Layout(2, speech=2, name=12, margin=10),
    "names in the middle, speech in the column of action": Layout(3, speech=0, name=None),
    "everything in one column": Layout(4, speech=0, name=0),
    "no empty rows": Layout(5, speech=4, name=12, blanks=Blanks.NONE),
    "no empty rows, speech in the column of action": Layout(6, speech=0, name=20, blanks=Blanks.NONE),
    "double-spaced": Layout(7, speech=2, name=16, blanks=Blanks.DOUBLE),
    "an empty row below names": Layout(8, speech=3, name=None, blanks=Blanks.BELOW_NAMES),
    "no empty row after speeches": Layout(9, speech=0, name=10, blanks=Blanks.BEFORE_NAMES),
    "tabs": Layout(10, speech=8, name=16, tabs=True),
    "a header and (MORE)": Layout(11, speech=2, name=14, furniture=Furniture.HEADER, more=True),
    "a number below": Layout(12, speech=1, name=None, furniture=Furniture.FOOT),
    "a title at the left": Layout(13, speech=2, name=None, title=Title.LEFT),
    "a colon behind names": Layout(14, speech=0, name=8, names=Names.COLON),
    "speech behind a colon": Layout(15, speech=0, names=Names.INLINE, speech_width=60),
    "capitals": Layout(16, speech=2, name=14, capitals=True),
    "text recognition": Layout(17, speech=4, name=18, dirt=True, furniture=Furniture.FOOT),
    "rows not broken": Layout(18, speech=0, name=0, action_width=0, speech_width=0),
    "a PDF": Layout(19, speech=2, name=12, pdf=True, furniture=Furniture.HEADER),
}
LEAST_SPEECHES, LEAST_ACTIONS, MOST_NARRATED = 0.94, 0.8, 0.01


@pytest.mark.parametrize("name", LAYOUTS)
def test_speeches_are_read_in_any_layout_and_none_as_action(name: str):
    found = laid_out(items(LAYOUTS[name].seed), LAYOUTS[name])
    read = items_of(parse_screenplay(found.data, "film.pdf" if found.layout.pdf else "film.txt"))
    result = score(read, found.items)
    assert result.speeches_right >= LEAST_SPEECHES * result.speeches
    assert result.names_right >= LEAST_SPEECHES * result.speeches
    assert result.actions_right >= LEAST_ACTIONS * result.actions
    assert result.narrated <= MOST_NARRATED * result.words_of_speech


def test_what_the_subtitles_say_is_speech():
    """Nothing but the words and the subtitles tells speech from action here: all stands in full rows of one column."""
    layout = Layout(21, speech=0, name=0, action_width=60, speech_width=60, blanks=Blanks.NONE)
    found = laid_out(items(21), layout)
    alone = score(items_of(parse_screenplay(found.data, "film.txt")), found.items)
    subtitles = subtitles_of(found.items, 3)
    helped = score(items_of(parse_screenplay(found.data, "film.txt", subtitles=subtitles)), found.items)
    assert helped.speeches_right >= max(alone.speeches_right, LEAST_SPEECHES * helped.speeches)
    assert not helped.narrated


def test_page_numbers_count_up_and_other_numbers_stay():
    rows: list[str] = []
    for number in range(1, 8):
        rows += [
            "INT. HALL",
            "",
            f"The clock strikes {number}.",
            "",
            "ANNA",
            "I'm counting.",
            "",
            "TOM",
            "So am I.",
            "",
        ]
        rows += ["Nobody moves."] * 3 + ["", str(number), ""]
        rows += ["1984", ""] if number == 4 else []
    found = parse_screenplay("\n".join(rows).encode(), "film.txt")
    texts = [part.text for scene in found.scenes for part in scene.parts]
    assert not {"1", "2", "3", "5", "6", "7"} & set(texts)
    assert "1984" in texts


def test_what_nothing_tells_from_speech_is_not_narrated_and_said_with_figures():
    """Words that mean nothing, in one column, in full rows without empty ones: where a speech ends, nothing shows."""
    draw = random.Random(5)

    def row() -> str:
        return " ".join(draw.choices(("zum", "bar", "lok", "tis", "fen", "gor", "mip", "sul"), k=12)) + "."

    rows: list[str] = []
    spoken: list[str] = []
    for scene in range(12):
        rows += [f"INT. ROOM {scene} - DAY", row()]
        for _ in range(4):
            spoken.append(row())
            rows += [draw.choice(("ANNA", "TOM")), spoken[-1], *(row() for _ in range(draw.randint(0, 2)))]
    found = parse_screenplay("\n".join(rows).encode(), "film.txt")
    action = " ".join(item.text for item in items_of(found) if item.kind is Kind.ACTION)
    assert not [text for text in spoken if text in action]
    assert found.oddities[0].what.startswith("action follows only 0 of 48 speeches")


FOUND = """\


  "The Crossing", second draft, by Mara Quill


                          THE CROSSING

                    Screenplay by Mara Quill.

                            SYNOPSIS

     Miriam comes back to the harbour to find the boat of her father sold and
     the ferryman gone.  She takes a lamp and a rope and waits for the tide,
     which comes later every day.

                       CAST OF CHARACTERS

     MIRIAM,
          Rower.................Stubborn.

     FADE IN:

1    EXT. HARBOUR - NIGHT

     Fog on the water.  A lamp swings on a mast and throws its light across
     the boats, the ropes, the wall.

2    HER VIEW

     The ferry lies dark.

                    MIRIAM
          Fenn?  Are you there?

          I've come for the boat.
--
                    FENN (V.O.)
          It's sold.
               (he coughs for a while, then
               the door of the cabin opens
               and a hand with a lamp comes
               out, shaking)
          You should have come before the ice.

3    CLOSER ON THE LAMP

     It goes out.

                    MIRIAM

          I'll wait.

4    INT. FERRY - NIGHT

     She climbs over the rail.

                    FENN
          You always say that.

5    EXT. HARBOUR - DAWN

     The fog lifts.

                    MIRIAM
          There it is.

6    INT. FERRY - DAWN

     Fenn sleeps.
"""


def test_front_matter_rules_numbers_and_long_directions_are_no_action():
    found = parse_screenplay(FOUND.encode(), "film.txt")
    assert [(scene.heading, scene.number) for scene in found.scenes if scene.heading] == [
        ("EXT. HARBOUR - NIGHT", "1"),
        ("HER VIEW", "2"),
        ("CLOSER ON THE LAMP", "3"),
        ("INT. FERRY - NIGHT", "4"),
        ("EXT. HARBOUR - DAWN", "5"),
        ("INT. FERRY - DAWN", "6"),
    ]
    parts = [item for item in items_of(found) if item.kind in (Kind.ACTION, Kind.SPEECH)]
    assert [item.text for item in parts if item.kind is Kind.ACTION] == [
        "Fog on the water. A lamp swings on a mast and throws its light across the boats, the ropes, the wall.",
        "The ferry lies dark.",
        "It goes out.",
        "She climbs over the rail.",
        "The fog lifts.",
        "Fenn sleeps.",
    ]
    assert [(item.speaker, item.text) for item in parts if item.kind is Kind.SPEECH] == [
        ("MIRIAM", "Fenn? Are you there? I've come for the boat."),
        ("FENN (V.O.)", "It's sold. You should have come before the ice."),
        ("MIRIAM", "I'll wait."),
        ("FENN", "You always say that."),
        ("MIRIAM", "There it is."),
    ]
    assert "SYNOPSIS" in dict(found.title_page)["Text"]


def shooting_script(found: list[Item]) -> str:
    """No empty rows, tabs, numbers on both sides; people stand in capitals at the column of action as shots do."""
    draw = random.Random(4)
    rows: list[str] = []
    number = 0
    for item in found:
        if item.kind is Kind.HEADING:
            number += 1
            rows.append(f"{number}\t  {item.text}\t\t\t\t\t {number}")
        elif item.kind is Kind.ACTION:
            if draw.random() < 0.3:
                number += 1
                rows.append(f"{number}\t  {draw.choice(PEOPLE)}\t\t\t\t\t\t\t {number}")
            rows += [f"\t   {row}" for row in textwrap.wrap(item.text, 60)]
        else:
            rows.append(f"\t\t\t\t\t   {item.speaker}")
            rows += [f"\t\t\t\t ({item.aside})"] if item.aside else []
            rows += [f"\t\t\t   {row}" for row in textwrap.wrap(item.text, 34)]
    return "\n".join(rows)


def loose_script(found: list[Item]) -> str:
    """One column in, with empty rows by the handful, page numbers in the column of speech, names cut off by pages."""
    draw = random.Random(6)
    rows: list[str] = []
    page, scene = 2, 0
    for item in found:
        if item.kind is Kind.HEADING:
            scene += 1
            rows += ["", " " * 10, "", f"          {scene}. {item.text}", "", "", " " * 10]
        elif item.kind is Kind.ACTION:
            rows += [f"          {row}" for row in textwrap.wrap(item.text, 68)] + [""] * draw.randint(1, 4)
        else:
            rows.append(f"           {item.speaker}")
            if draw.random() < 0.08:
                page += 1
                rows += ["", "", f"           {page}", ""]
            said = f"({item.aside}) {item.text}" if item.aside else item.text
            rows += [f"           {row}" for row in textwrap.wrap(said, 54)] + [""] * draw.randint(1, 3)
    return "\n".join(rows)


@pytest.mark.parametrize("written", [shooting_script, loose_script])
def test_layouts_of_found_scripts(written: Callable[[list[Item]], str]):
    truth = items(31, 120)
    result = score(items_of(parse_screenplay(written(truth).encode(), "film.txt")), truth)
    assert result.speeches_right >= LEAST_SPEECHES * result.speeches
    assert result.actions_right >= LEAST_ACTIONS * result.actions
    assert result.narrated <= MOST_NARRATED * result.words_of_speech


def test_fountain_is_known_by_its_title_page_whatever_its_name_is():
    text = (
        "Title: The Key\nCredit: Written by\nAuthor: Nobody\n\nINT. HALL - DAY\n\n"
        + "A door opens.\n\nANNA\nHello.\n\n" * 9
    )
    text += "> The end <\n"
    found, named = (parse_screenplay(text.encode(), f"film.{suffix}") for suffix in ("txt", "fountain"))
    assert found.form is Form.FOUNTAIN
    assert found == named


def test_a_heading_goes_on_below_a_dash():
    """The time of day on a row of its own is no action."""
    place = "INT./EXT. LOST PROPERTY OFFICE, ALDER HALT STATION -"
    rows: list[str] = []
    for number in range(8):
        rows += [
            place,
            "EVENING",
            "",
            f"Rain on roof {number}. The lamp swings over the wall, the stove and the chairs.",
        ]
        rows += ["", "  TOM", " Good evening, Miss Vale. You're late.", "", "  NORA", " I know. It's my umbrella.", ""]
    found = items_of(parse_screenplay("\n".join(rows).encode(), "film.txt"))
    assert [item.text for item in found if item.kind is Kind.HEADING] == [f"{place} EVENING"] * 8
    assert not [item for item in found if item.kind is Kind.ACTION and item.text == "EVENING"]


@pytest.mark.parametrize("seed", [1, 5, 9])
def test_what_may_mostly_be_speech_as_well_is_refused_with_figures_unless_the_subtitles_show_it(seed: int):
    text, spoken = unclear_screenplay(seed)
    with pytest.raises(ScreenplayError, match=r"has \d+ of \d+ rows that may be speech or action .* film’s subtitles"):
        parse_screenplay(text.encode(), "film.txt")
    found = items_of(parse_screenplay(text.encode(), "film.txt", subtitles=spoken))
    action = " ".join(item.text for item in found if item.kind is Kind.ACTION)
    assert not [row for row in spoken if row in action]


def test_a_short_text_with_centred_names_has_its_speech_in_the_column_of_the_action():
    """Two pages at most: too little for statistics, but the usual rules find no speech at all."""
    name = " " * 27
    rows = ["INT. CASINO - NIGHT", "", "A dealer eyes the new player.", ""]
    rows += [f"{name}DEALER", "Ten. Four. You get a seven.", "", f"{name}MONKEY", "Dude, I am a monkey.", ""]
    rows += ["The cards fall.", "", f"{name}DEALER", "Hit or stand?", "", f"{name}MONKEY", "I stand."]
    found = items_of(parse_screenplay("\n".join(rows).encode(), "film.txt"))
    assert [item.text for item in found if item.kind is Kind.SPEECH] == [
        "Ten. Four. You get a seven.",
        "Dude, I am a monkey.",
        "Hit or stand?",
        "I stand.",
    ]
