"""Texts that are no screenplay are refused with figures, since their dialogue would be narrated."""

from __future__ import annotations

import pytest
from screenplay_pages import Printed, as_pdf

from adstudio.core.film import Film
from adstudio.core.script import Eventuality, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.delivery.formats import FORMATS
from adstudio.delivery.options import ExportOptions
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import plan_film
from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.parsed_screenplay import ScreenplayError

CHAPTER = """\
The harbour lay still when Miriam came down to the boats, and the gulls had not yet begun.

“You are early,” said Fenn without turning round. “The nets are not dry.”

She put the lamp on the wall and waited until he had finished his knot. The light crossed the water.

“I want you to take me over,” she said. “Today, before the others come.”

Fenn laughed. He laid the rope aside and looked at her for the first time that morning.

“Nobody crosses in March,” he said, “and you least of all, with that coat.”

"""
GERMAN = """\
Der Hafen lag still, als Miriam zu den Booten hinunterkam, und die Möwen schliefen noch.

„Du bist früh dran“, sagte Fenn, ohne sich umzudrehen. Sie stellte die Lampe auf die Mauer und wartete lange.

„Ich will, dass du mich hinüberbringst“, sagte sie leise. Er legte das Seil beiseite und sah sie an.

"""
JAPANESE = """\
花子は部屋に入って、窓の外を見た。雨が、静かに、降っていた。

「もう、帰らなければ」と、花子は言った。太郎は、黙って、傘を渡した。

『明日、また会いましょう』と、手紙には、書いてあった。

"""
SAID = """\
I told you not to wait for me.
You always say that, and then you're angry when I don't.
Can we talk about something else, please?
What do you want to talk about?
My father. You never asked me about him.
I thought you didn't want me to.
"""


@pytest.mark.parametrize(
    ("text", "quotations"),
    [(CHAPTER * 5, 30), (GERMAN * 6, 12), (JAPANESE * 12, 24), (CHAPTER.replace("“", '"').replace("”", '"') * 5, 30)],
    ids=["English", "German", "Japanese", "straight quotation marks"],
)
def test_a_novel_is_refused_with_figures(text: str, quotations: int):
    with pytest.raises(ScreenplayError, match=rf"no speeches below names, and {quotations} quotations in [\d,]+ words"):
        parse_screenplay(text.encode(), "film.txt")


def test_a_transcript_without_names_is_refused_with_figures():
    with pytest.raises(ScreenplayError, match=r"no names above its speeches, and \d+ of its 288 words"):
        parse_screenplay((SAID * 6).encode(), "film.txt")


PROSE = "Miriam walks along the quay. She looks at the boats and sits on a box.\n\n"
AD_SCRIPT = """\
{0}  00:0{0}:05:12  00:0{0}:08:03  Rain falls on the quay, and Miriam walks
                            along the boats with a lamp in her hand.
"""


def paged(text: str) -> bytes:
    """The text as a PDF, forty rows on a page."""
    rows = [Printed(((0, row),)) if row else Printed() for row in text.split("\n")]
    return as_pdf([rows[at : at + 40] for at in range(0, len(rows), 40)])


@pytest.mark.parametrize(
    ("data", "name", "again"),
    [
        ((PROSE * 10).encode(), "film.txt", "give it as the description"),
        (paged(PROSE * 10), "film.pdf", "save it as plain text and give that as the description"),
        (CHAPTER.encode(), "film.txt", "give it as the description"),
    ],
    ids=["text", "PDF", "a page of a novel"],
)
def test_prose_is_refused_with_figures_and_how_to_give_it(data: bytes, name: str, again: str):
    with pytest.raises(ScreenplayError, match=rf"no scene headings and no speeches in \d+ words, .*{again}"):
        parse_screenplay(data, name)


@pytest.mark.parametrize("name", ["film.pdf", "film.txt"])
def test_a_finished_ad_script_is_refused_with_figures_and_how_to_import_it(name: str):
    text = "".join(AD_SCRIPT.format(number) for number in range(1, 10))
    data = paged(text) if name.endswith(".pdf") else text.encode()
    with pytest.raises(ScreenplayError, match=r"has times in 9 of its 18 rows, .*finished AD script.*adstudio import"):
        parse_screenplay(data, name)


@pytest.mark.parametrize("form", sorted(name for name, form in FORMATS.items() if form.is_script))
def test_scripts_that_we_export_are_no_screenplays(form: str):
    lines = [
        Eventuality(f"e{at}", (Variant(PROSE.strip()),), Span(at * 30_000, at * 30_000 + 8_000), 500_000, "s1")
        for at in range(20)
    ]
    script = Script(Film("The Crossing", 600_000), scenes=(Scene("s1", Span(0, 600_000)),), eventualities=tuple(lines))
    content = FORMATS[form].write(script, plan_film(script, gaps_of(script).gaps), ExportOptions())
    data = content if isinstance(content, bytes) else content.data
    with pytest.raises(ScreenplayError, match=r"import|Word, OpenOffice|known format|subtitle file"):
        parse_screenplay(data, f"script.{FORMATS[form].ending}")


@pytest.mark.parametrize(
    "text",
    [
        "INT. HALL - DAY\n\n" + CHAPTER * 5,
        PROSE,
        "FADE IN:\n\n" + PROSE * 10 + "CUT TO:\n\n" + PROSE,
        "INT. HALL - DAY\n\n"
        + "".join(f"The clock strikes {at}. It is {at}:15:00 now.\n\n" for at in range(1, 4))
        + PROSE,
        "INT. HALL - DAY\n\nA sign: “No entry for anybody.”\n\n" + PROSE * 20,
    ],
    ids=["with a heading", "a few words", "transitions", "a few times of day", "a sign is quoted"],
)
def test_what_may_be_read_is(text: str):
    assert parse_screenplay(text.encode(), "film.txt").scenes
