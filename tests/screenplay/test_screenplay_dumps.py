"""Every sample screenplay against what other programs' own tests say is in it.

The expectations are the twins that lie beside the samples (HTML, FDX and PDF of screenplain, dumps of wildwinter's
tools), read here by a few lines of their own. Where a twin is not followed, that is listed with the reason.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import pytest

from adstudio.screenplay.file import read_screenplay
from adstudio.screenplay.parsed_screenplay import Action, Form, Screenplay, Speech, Transition


class Item(NamedTuple):
    """What all twins can say of one thing on the page."""

    kind: str
    text: str
    name: str = ""
    asides: tuple[str, ...] = ()
    number: str = ""
    dual: bool = False


def collapsed(text: str) -> str:
    return " ".join(text.split())


def items(screenplay: Screenplay) -> list[Item]:
    """Our reading in the same terms."""
    found: list[Item] = []
    for scene in screenplay.scenes:
        if scene.heading:
            found.append(Item("heading", scene.heading, number=scene.number))
        for part in scene.parts:
            match part:
                case Action():
                    found.append(Item("action", part.text))
                case Transition():
                    found.append(Item("transition", part.text.upper()))
                case Speech(lyrics=True):
                    found.append(Item("lyric", part.text))
                case Speech():
                    name = part.speaker + (f" ({part.extension})" if part.extension else "")
                    found.append(Item("speech", part.text, name, part.parentheticals, dual=part.dual))
    return found


def without_marks(twin: list[Item]) -> list[Item]:
    """A twin in which what only names a fade or the end is a transition, and acts and lone names are left out."""
    left = [item for item in twin if item.text not in ("End of Act One", "Act Two", "BOB") or item.kind != "action"]
    fades = ("FADE OUT.", "THE END")
    return [item._replace(kind="transition") if item.text in fades else item for item in left]


# --- screenplain: HTML and FDX


class HtmlTwin(HTMLParser):
    """The items of screenplain's HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.items: list[Item] = []
        self.block = self.line = ""
        self.right = False
        self.text = ""
        self.name, self.said, self.asides, self.number = "", [], [], ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kind = dict(attrs).get("class") or ""
        if tag == "br":
            self.text += " "
        elif tag == "div" and kind in ("action", "transition", "dialog", "left", "right"):
            self.block, self.right, self.text = kind, kind == "right", ""
            self.name, self.said, self.asides = "", [], []
        elif tag in ("p", "span", "h6"):
            self.line = kind if tag != "h6" else "heading"
            if tag != "span":
                self.text = ""
            if tag == "h6":
                self.number = ""

    def handle_data(self, data: str) -> None:
        if self.line in ("scnuml", "scnumr"):
            self.number = data
        elif not self.line.endswith("-synopsis"):
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        text = collapsed(self.text)
        if tag == "span":
            self.line = "heading"
        elif tag == "h6":
            self.items.append(Item("heading", text, number=self.number))
        elif tag == "p" and self.block != "action":
            if self.line == "character":
                self.name = text
            elif self.line == "parenthetical":
                self.asides.append(text[1:-1])
            elif text:
                self.said.append(text)
        elif tag == "div":
            if self.block in ("action", "transition"):
                self.items.append(Item(self.block, text))
            elif self.name:
                said = " ".join(self.said)
                self.items.append(Item("speech", said, self.name, tuple(self.asides), dual=self.right))
            self.block = self.name = ""


def html_twin(path: Path) -> list[Item]:
    reader = HtmlTwin()
    reader.feed(path.read_text("utf-8"))
    return reader.items


def fdx_twin(path: Path) -> list[Item]:
    found: list[Item] = []
    content = ET.parse(path).getroot().find("Content")
    assert content is not None
    for outer in content:
        pair = outer.find("DualDialogue")
        names = 0
        for paragraph in [outer] if pair is None else list(pair):
            text = collapsed("".join(run.text or "" for run in paragraph.findall("Text")))
            kind = paragraph.get("Type")
            if kind == "Character":
                names += 1
                found.append(Item("speech", "", text, dual=pair is not None and names == 2))
            elif kind == "Dialogue":
                found[-1] = found[-1]._replace(text=collapsed(f"{found[-1].text} {text}"))
            elif kind == "Parenthetical":
                found[-1] = found[-1]._replace(asides=(*found[-1].asides, text[1:-1]))
            elif kind == "Scene Heading":
                found.append(Item("heading", text, number=paragraph.get("Number", "")))
            else:
                found.append(Item({"Action": "action", "Transition": "transition"}[str(kind)], text))
    return found


SCREENPLAIN = (
    *("boneyard", "dialogue-character-extension", "dialogue-with-blank-line", "dialogue", "dual-dialogue"),
    *("extended-characters", "forced-action", "forced-transition", "indentation", "notes", "page-break"),
    *("parenthetical", "scene-numbers", "sections", "simple", "title-page", "utf-8-bom"),
)


@pytest.fixture
def screenplain(shared_data: Path) -> Path:
    return shared_data / "screenplay" / "syntax" / "screenplain"


def test_every_sample_of_screenplain_is_tested(screenplain: Path):
    assert {path.stem for path in screenplain.glob("*.fountain")} == set(SCREENPLAIN)


@pytest.mark.parametrize("stem", [stem for stem in SCREENPLAIN if stem != "title-page"])
def test_fountain_is_read_as_screenplain_shows_it(screenplain: Path, stem: str):
    found = read_screenplay(screenplain / f"{stem}.fountain")
    expected = html_twin(screenplain / f"{stem}.html")
    if stem == "notes":
        # There a note that is broken by an empty line is text; here it is a note.
        expected = [item for item in expected if not item.text.startswith("because it contains")]
        expected = [item._replace(text=item.text.removesuffix(" [[ a proper note")) for item in expected]
    assert items(found) == expected
    assert found.form is Form.FOUNTAIN
    fdx = screenplain / f"{stem}.fdx"
    if fdx.exists():
        assert items(found) == fdx_twin(fdx)
        assert items(read_screenplay(fdx)) == fdx_twin(fdx)


PDF_WITH_HTML = ("dialogue-with-blank-line", "dual-dialogue", "indentation", "scene-numbers")


@pytest.mark.parametrize("stem", PDF_WITH_HTML)
def test_pdf_is_read_as_screenplain_shows_its_source(screenplain: Path, stem: str):
    found = read_screenplay(screenplain / f"{stem}.pdf")
    assert items(found) == html_twin(screenplain / f"{stem}.html")
    assert found.form is Form.PDF


def test_pdf_whose_font_lacks_the_letters_says_how_many_are_lost(screenplain: Path):
    found = read_screenplay(screenplain / "extended-characters.pdf")
    source = (screenplain / "extended-characters.fountain").read_text("utf-8")
    lost = sum(not char.isspace() and not char.isascii() for char in source)
    assert [re.sub("\ufffd+", "", item.text).split() for item in items(found)] == [["Hello"]]
    assert any(oddity.what.startswith(f"{lost} characters are in a font") for oddity in found.oddities)


def test_title_page_in_fountain_and_in_pdf(screenplain: Path):
    written = read_screenplay(screenplain / "title-page.fountain")
    printed = read_screenplay(screenplain / "title-page.pdf")
    assert written.title == printed.title == "My Screenplay"
    assert dict(written.title_page)["Contact"] == "your.email@example.com\n(555) 123-4567"
    assert dict(printed.title_page)["Text"] == "Your Name\nyour.email@example.com\n(555) 123-4567"
    assert items(written) == items(printed) == [Item("transition", "FADE IN:"), Item("action", "SPACE")]
    assert all(part.page == 2 for scene in printed.scenes for part in scene.parts)


# --- wildwinter: dumps

ENTRY = re.compile(
    r'^([A-Z]+):"(.*?)"(?: "\(([^"\n]*)\)")?(?: \(([^)\n]*)\))?(?: tags:\S*)?$', re.MULTILINE | re.DOTALL
)
TITLE = re.compile(r'^TITLEENTRY:"([^"]*)":"(.*?)"$', re.MULTILINE | re.DOTALL)


def plain(text: str) -> str:
    return collapsed(re.sub(r"\[\[\d\]\]|/\*\d\*/|[*_]", "", text))


def dump(text: str) -> list[Item]:
    found: list[Item] = []
    for kind, body, extension, mark in ENTRY.findall(text):
        match kind:
            case "ACTION":
                paragraphs = [plain(paragraph) for paragraph in re.split(r"\n\s*\n", body)]
                paragraphs = [paragraph for paragraph in paragraphs if paragraph]
                # "Unmerged" dumps have an entry for each line, and an empty one for an empty line.
                found += [Item("action", paragraph) for paragraph in paragraphs] or [Item("action", "")]
            case "CHARACTER":
                name = body + (f" ({extension})" if extension else "")
                found.append(Item("speech", "", name, dual=mark == "Dual"))
            case "DIALOGUE":
                found[-1] = found[-1]._replace(text=collapsed(f"{found[-1].text} {plain(body)}"))
            case "PARENTHETICAL":
                found[-1] = found[-1]._replace(asides=(*found[-1].asides, body))
            case "LYRIC":
                found.append(Item("lyric", body))
            case "HEADING":
                found.append(Item("heading", body, number=mark))
            case "TRANSITION":
                found.append(Item("transition", body.upper()))
            case _:
                assert kind in ("SECTION", "SYNOPSIS", "PAGEBREAK", "TITLEENTRY")
    # An empty action is an empty line; a name over lyrics alone says nothing.
    return [item for item in found if item.text]


JACK = "Did you know Brick and Steel are retired?"
HIS_HAND = (
    "His hand is an inch from the receiver when the phone RINGS. Scott pauses for a moment, suspicious for some reason."
    " He looks around. Phone ringing."
)
DIFFERENCES: dict[str, tuple[str, list[tuple[list[Item], list[Item]]]]] = {
    "Boneyards": (
        "what a boneyard leaves is an empty line, so CUT TO: stands alone; screenplain reads the same text so",
        [([Item("action", "CUT TO:")], [Item("transition", "CUT TO:")])],
    ),
    "Character": (
        "the syntax asks for one letter in a name, not for the first to be one; 1ST COP is a common name",
        [([Item("action", "3CPO Not work.")], [Item("speech", "Not work.", "3CPO")])],
    ),
    "Parenthetical": (
        "two directions one after the other are two directions: the second is not said",
        [
            (
                [Item("speech", "Trying this. (bouncy) Also trying this?", "BOB", ("slowly", "loudly"))],
                [Item("speech", "Trying this. Also trying this?", "BOB", ("slowly", "loudly", "bouncy"))],
            ),
        ],
    ),
    "Notes": (
        "an empty line ends a speech, whatever notes follow; a note with one in it is a note all the same",
        [
            (
                [
                    Item(
                        "speech",
                        f"{JACK} {HIS_HAND} Testing a note without spaces Definitely shouldn't. "
                        "Because of that blank line.]] He looks around. Phone ringing.",
                        "JACK",
                        ("in Vietnamese, subtitled",),
                    )
                ],
                [
                    Item("speech", JACK, "JACK", ("in Vietnamese, subtitled",)),
                    Item("action", HIS_HAND),
                    Item("action", "Testing a note without spaces He looks around. Phone ringing."),
                ],
            )
        ],
    ),
    "Sections": (
        "a title page needs one known key; CUT TO: at the top of a file is a transition",
        [([], [Item("transition", "CUT TO:")])],
    ),
}
WILDWINTER = {
    "Action": ("Action-Merged", "Action-Unmerged"),
    "Dialogue": ("Dialogue-Merged", "Dialogue-Unmerged"),
    **{
        stem: (stem,)
        for stem in (
            *("Boneyards", "Character", "LineBreaks", "Lyrics", "Notes", "PageBreak", "Parenthetical", "SceneHeading"),
            *("Sections", "Tags", "TitlePage", "Transition", "UTF8"),
        )
    },
}


@pytest.fixture
def wildwinter(shared_data: Path) -> Path:
    return shared_data / "screenplay" / "syntax" / "wildwinter"


def test_every_sample_of_wildwinter_is_tested(wildwinter: Path):
    assert {path.stem for path in wildwinter.glob("*.fountain")} == {*WILDWINTER, "Formatted"}
    dumps = {name for names in WILDWINTER.values() for name in names}
    assert {path.stem for path in wildwinter.glob("*.txt")} == dumps | {"Formatted"}


@pytest.mark.parametrize(("stem", "twin"), [(stem, twin) for stem, twins in WILDWINTER.items() for twin in twins])
def test_fountain_is_read_as_wildwinter_dumps_it(wildwinter: Path, stem: str, twin: str):
    expected = dump((wildwinter / f"{twin}.txt").read_text("utf-8"))
    for theirs, ours in DIFFERENCES.get(stem, ("", []))[1]:
        at = next(place for place in range(len(expected) + 1) if expected[place : place + len(theirs)] == theirs)
        expected[at : at + len(theirs)] = ours
    found = items(read_screenplay(wildwinter / f"{stem}.fountain"))
    if twin.endswith("Unmerged"):
        # A line is an entry there; the paragraphs are the same words.
        expected, found = joined_action(expected), joined_action(found)
    assert found == without_marks(expected)


def joined_action(found: list[Item]) -> list[Item]:
    joined: list[Item] = []
    for item in found:
        if item.kind == "action" and joined and joined[-1].kind == "action":
            joined[-1] = Item("action", f"{joined[-1].text} {item.text}")
        else:
            joined.append(item)
    return joined


def test_emphasis_is_taken_off_as_wildwinter_shows_it(wildwinter: Path):
    shown = re.sub(r"</?[ibu]>", "", (wildwinter / "Formatted.txt").read_text("utf-8"))
    expected = [collapsed(paragraph) for paragraph in shown.split("\n\n")]
    # One difference: italics inside an underline are emphasis too (Final Draft has them in Brick & Steel).
    expected = [text.replace("the *Leupold Mark 4* scope", "the Leupold Mark 4 scope") for text in expected]
    assert [item.text for item in items(read_screenplay(wildwinter / "Formatted.fountain"))] == expected


def test_title_page_is_read_as_wildwinter_dumps_it(wildwinter: Path):
    expected = [(key, plain(value)) for key, value in TITLE.findall((wildwinter / "TitlePage.txt").read_text("utf-8"))]
    found = read_screenplay(wildwinter / "TitlePage.fountain")
    assert [(key, collapsed(value)) for key, value in found.title_page] == expected
    assert found.title == "BRICK & STEEL FULL RETIRED"


@pytest.mark.parametrize("name", ["TestFDX-FD", "TestFDX-FI"])
def test_final_drafts_own_files(wildwinter: Path, name: str):
    found = read_screenplay(wildwinter / f"{name}.fdx")
    assert items(found) == fdx_twin(wildwinter / f"{name}.fdx")
    assert [(scene.heading, scene.number) for scene in found.scenes] == [
        ("INT. RADIO STUDIO", "1"),
        ("EXT. OUTSIDE THE FOOD STORE", "2"),
    ]
    assert found.title == "FDX Test Script"
    assert not found.oddities


# --- whole screenplays


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("The-Last-Birthday-Card", {"Action": 129, "Dialogue": 139, "Character": 134, "Scene Heading": 48}),
        ("Brick-and-Steel", {"Action": 23, "Dialogue": 23, "Character": 20, "Scene Heading": 8}),
    ],
)
def test_whole_screenplays_agree_in_fountain_and_fdx(shared_data: Path, name: str, counts: dict[str, int]):
    """The counts are those of the data's index; no difference is left between the twins."""
    folder = shared_data / "screenplay"
    twin = fdx_twin(folder / f"{name}.fdx")
    types = Counter(paragraph.get("Type") for paragraph in ET.parse(folder / f"{name}.fdx").getroot().iter("Paragraph"))
    assert {kind: types[kind] for kind in counts} == counts
    for suffix in ("fountain", "fdx"):
        found = items(read_screenplay(folder / f"{name}.{suffix}"))
        assert found == without_marks(twin)
        kinds = Counter(item.kind for item in found)
        # A name heads each speech; a speech holds one or more paragraphs of dialogue.
        marks = len(twin) - sum(counts[kind] for kind in ("Character", "Scene Heading"))
        assert kinds["action"] + kinds["transition"] == marks
        assert (kinds["speech"], kinds["heading"]) == (
            counts["Character"],
            counts["Scene Heading"],
        )


@pytest.mark.parametrize(
    ("name", "title"), [("my_living_memory", "My Living Memory"), ("printing_trouble", "Printing Trouble")]
)
def test_screenplays_without_a_twin(shared_data: Path, name: str, title: str):
    """Counted by paragraphs: these two have no markup, so that each block between empty lines is one thing."""
    path = shared_data / "screenplay" / f"{name}.fountain"
    blocks = [block.strip().split("\n") for block in re.split(r"\n\s*\n", path.read_text("utf-8")) if block.strip()][1:]
    headings = [block for block in blocks if block[0].startswith(("INT. ", "EXT. "))]
    names = [block for block in blocks if len(block) > 1 and block[0] == block[0].upper() and block not in headings]
    found = read_screenplay(path)
    kinds = Counter(item.kind for item in items(found))
    assert found.title == title
    assert found.language == "en"
    assert kinds["heading"] == len(headings)
    assert kinds["speech"] == len(names)
    assert kinds["action"] + kinds["transition"] == len(blocks) - len(headings) - len(names)


def test_cyrillic_and_japanese(shared_data: Path):
    folder = shared_data / "screenplay" / "syntax" / "afterwriting"
    russian = read_screenplay(folder / "cyrillic.fountain")
    assert russian.language == "ru"
    assert [scene.heading for scene in russian.scenes] == [
        "ИНТ. КВАРТИРА МАШИ – СТОЛОВАЯ – ДЕНЬ",
        "ИНТ. КВАРТИРА МАШИ – КУХНЯ – ДЕНЬ",
    ]
    assert [item.kind for item in items(russian)] == [
        *("heading", "action", "speech", "action"),
        *("heading", "action", "action"),
    ]
    japanese = read_screenplay(folder / "jp.fountain")
    assert (japanese.language, japanese.title) == ("ja", "映画")
    assert items(japanese) == [
        Item("transition", "フェードイン："),
        Item("heading", "INT。 病院-日"),
        Item("action", "ジョン（20）が入院。"),
        Item("speech", "この場所は何ですか？", "ジョン", ("失われた",)),
        Item("action", "そして、何も起こりません。 次の1時間、ジョンは沈黙の中で動かずに立っています。"),
        Item("transition", "フェードアウト。"),
    ]


def test_afterwritings_sample_of_everything(shared_data: Path):
    found = read_screenplay(shared_data / "screenplay" / "syntax" / "afterwriting" / "test.fountain")
    assert found.title == "Screenplay title Second line"
    assert dict(found.title_page)["Contact"] == "e-mail: email@email.com\nphone: +12 34 567 89"
    read = items(found)
    assert [item.text for item in read if item.kind == "heading"][:5] == [
        *("INT. BASIC BLOCKS - DAY", "EXT. BASIC BLOCKS - NIGHT", "INT. FORMATTING - DAY"),
        *("EXT. ESCAPING FORMATTING - NIGHT", "FORCED HEADER"),
    ]
    assert not any("gnored" in item.text or "ynopsis" in item.text for item in read)  # boneyards, nested too
    assert Item("action", "What the f*ck! Escape_escape*escape.") in read
    assert Item("action", "CENTERED, BOLD, UNDERLINE") in read
    assert Item("speech", "Blah!", "HERO 2", dual=True) in read
    assert Item("lyric", "Happy birthday to you!") in read
    assert Item("action", "INT. ACTION") in read
    assert [item.text for item in read if item.kind == "transition"] == ["TRANSITION:", "FADE TO GREEN.", "THE END."]
    assert any("contains an empty line" in oddity.what and oddity.line == 59 for oddity in found.oddities)


def test_every_sample_is_read(shared_data: Path):
    folder = shared_data / "screenplay"
    kinds = {"*.fountain", "*.fdx", "*.pdf"}
    paths = sorted(path for kind in kinds for path in folder.rglob(kind))
    assert len(paths) == 40 + 13 + 6  # Fountain, FDX, PDF
    assert all(read_screenplay(path).scenes for path in paths)
