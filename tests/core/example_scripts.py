"""Scripts and steps for tests: one small script by hand, an example of every step, and random step sequences."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import get_args

from hypothesis import strategies as st

from adstudio.core.cast import (
    CastEntry,
    CharacterSource,
    FaceBox,
    Merged,
    MergeRule,
    NamedFace,
    Person,
    Portrait,
    Pronouns,
    SpeakerSource,
)
from adstudio.core.film import Film, Media, SourceFile
from adstudio.core.narration import LineVoice, Pronunciation, Take, VoiceSettings
from adstudio.core.provenance import Contribution, FreeText, ModelTask, ModelWork, Provenance, ScreenplayLine
from adstudio.core.script import (
    Approval,
    Cue,
    CueKind,
    Eventuality,
    Fusion,
    Item,
    Opening,
    Origin,
    Penalty,
    Pin,
    Rules,
    Scene,
    Script,
    Sequence,
    Silence,
    Variant,
)
from adstudio.core.settings import GapSettings, Near, Scope, Settings
from adstudio.core.steps import (
    Agent,
    ChangeKind,
    Insert,
    Move,
    Remove,
    Replace,
    SetFilm,
    SetLexicon,
    SetPeople,
    SetPrompts,
    SetRules,
    SetSettings,
    SetVoice,
    Several,
    Step,
    StepOrigin,
)
from adstudio.core.timebase import RATES, Span
from adstudio.core.word_times import CueWords, SpokenWord

MEDIA = Media(
    path="/films/Gün ter – ä/日本.mp4",
    relative_path="../日本.mp4",
    size=50_000_000_000,
    fingerprint="blake2b:00",
    duration=7_200_000,
    rate=Fraction(24000, 1001),
    variable_rate=True,
    has_audio=True,
    width=1920,
    height=1080,
)
PICTURE = SourceFile("/lisbeth.jpg", "../lisbeth.jpg", 9, "blake2b:03")
LISBETH = Person.named("Lisbeth Salander", b"\xff\xd8\x00face", PICTURE)
MINA = Person.named("مینا\u200cدخت")
CLERK = Person(
    "clerk",
    "Dragan Armansky",
    ("Armansky", "Mr Armansky"),
    "the clerk",
    Pronouns.HE,
    (Portrait(b"\x89PNGone"), Portrait(b"\xff\xd8two", PICTURE, 61_000)),
    "#a03020",
    frozenset(CharacterSource),
    0,
    61_000,
    3_600_000,
    (
        Merged(CastEntry.named("DRAGAN"), MergeRule.PART_OF_NAME),
        Merged(
            CastEntry("p", "The clerk", described_as="the clerk"), MergeRule.DESCRIBER, ("described_as", "pronouns")
        ),
    ),
)
"""A person of whom all is known that can be."""
E1 = Eventuality(
    id="e1",
    variants=(Variant("She parks her motorbike."), Variant("She parks.", Fraction(1, 2), 600)),
    occurrence=Span(0, 4000),
    salience=800_000,
    scene="s1",
    pin=Pin(selected=True, variant=1, start=50, override=True),
    within=Span(0, 18_000),
    origin=Origin.HUMAN,
    seen=True,
    accepted=True,
    extract="parks her motorbike",
    note="check the make\n“Kawasaki”?",
    approval=Approval(1, 50),
)
VOICED = replace(
    E1,
    variants=(
        Variant(
            "She parks her motorbike.",
            takes=(
                Take("t1", "0f" * 32, 2100, "She parks her motorbike."),
                Take("t2", "a0" * 32, 2300, "She parks.", 100, 2200, -15, "slower"),
            ),
            take="t2",
        ),
        *E1.variants[1:],
    ),
    approval=Approval(1, 50, 640),
    voice=LineVoice("en-gb", 190, -10, 25),
    duck=90,
    extended=True,
)
"""The same line with all that voices it."""
E2 = Eventuality(
    "e2",
    (Variant("彼女は走る。"),),
    Span(5000, 6000),
    -3,
    "s1",
    confidence=250,
    provenance=Provenance(ScreenplayLine(12)),
    weighed=True,
    worked=True,
)
RICH = Provenance(
    ModelWork((Contribution("m", (ModelTask("direct", 1),)),), 1_795_852_800),
    ModelWork((Contribution("w", (ModelTask("weigh", 1, "3f9a01bc"), ModelTask("embed"))),), None),
    FreeText("somebody"),
    held_by_polishing=True,
)
E3 = Eventuality("e3", (Variant("היא פותחת את הדלת."),))
LEXICON = (Pronunciation("Salander", "sa lander"), Pronunciation("Vanger", "ˈvaŋər", phonemes=True))
SCRIPT = Script(
    film=Film(
        "Reframed",
        60_000,
        "en-GB",
        RATES["29.97 DF"],
        "10:00:00;00",
        MEDIA,
        SourceFile("/films/dialogue.srt", "../dialogue.srt", 60_000, "blake2b:01"),
        "cp1250",
        SourceFile("script.fountain", "", 0, ""),
        (SourceFile("D:\\Texte\\für.txt", "", 1, "blake2b:02"),),
    ),
    settings=Settings(
        180, (("ja", 350),), GapSettings(100, 200, 800, keep_sound=True), 9000, 100, 900_000, Scope.SCENE
    ),
    sequences=(Sequence("q1", "Opening"),),
    scenes=(Scene("s1", Span(0, 30_000), "Tailor", "q1", reviewed=True), Scene("s2", Span(30_000, 60_000))),
    cues=(
        Cue("c1", 10_000, 12_000, "It's nice.", "SALANDER"),
        Cue("c2", 12_000, 11_000, "Your father?", "TAILOR", CueKind.SUNG, SpeakerSource.VOICE, 850),
    ),
    silences=(Silence("x1", Span(20_000, 22_000), "music swells"),),
    openings=(Opening("o1", Span(11_500, 12_100), "he only breathes"),),
    eventualities=(E1, E2, E3),
    rules=Rules((("e1", "e2"),), (("e3", "e1"),), (("e2", "e3"),), (Penalty("e1", "e3", 500_000),)),
    people=(LISBETH, MINA, CLERK),
    prompts=(("describe", "Tell what is seen.\nNothing else."),),
    fusions=(
        Fusion(
            "f1",
            ("e1", "e2"),
            (Variant("She parks her motorbike and runs."), Variant("She parks and runs.", Fraction(7, 10))),
            ("She parks her motorbike.", "彼女は走る。"),
        ),
        Fusion("f2", ("e1", "e2", "e3"), (Variant("Alles in einem Atemzug."),), ("a", "b", "c")),
    ),
    named_faces=(
        NamedFace("n1", 9_000, FaceBox(0, 2_000, 5_000, 8_000), CLERK.id),
        NamedFace("n2", 9_000, FaceBox(9_000, 0, 1_000, 1), None),
    ),
    word_times=(
        CueWords(
            "c1",
            "It's nice.",
            10_000,
            12_000,
            (SpokenWord("It's", 10_010, 10_300, 900), SpokenWord("nice", 10_300, 10_900)),
        ),
        CueWords("c2", "Your father?", 12_000, 12_900),
    ),
)

STEP_CLASSES: tuple[type[Step], ...] = get_args(Step)
EXAMPLES: dict[type[Step], list[Step]] = {
    Insert: [
        Insert(Eventuality("e4", (Variant("He nods."),)), "e2"),
        Insert(Cue("c0", 0, 10, "Hm."), "c1"),
        Insert(Silence("x2", Span(1, 2))),
        Insert(Opening("o2", Span(1, 2)), "o1"),
        Insert(Scene("s3", Span(60_000, 60_000))),
        Insert(Sequence("q0", ""), "q1"),
        Insert(Person("new", "Mikael"), CLERK.id),
        Insert(NamedFace("n3", 1, FaceBox(0, 0, 1, 1))),
        Insert(CueWords("c3", "Hm.", 0, 10, (SpokenWord("Hm", 0, 10),)), "c1"),
        Insert(Fusion("f3", ("e2", "e3"), (Variant("He runs and opens."),), ("He runs.", "He opens.")), "f2"),
    ],
    Remove: [
        Remove(E1, "e2"),
        Remove(E3),
        Remove(SCRIPT.cues[1]),
        Remove(SCRIPT.scenes[0], "s2"),
        Remove(SCRIPT.silences[0]),
        Remove(SCRIPT.openings[0]),
        Remove(SCRIPT.sequences[0]),
        Remove(SCRIPT.fusions[0], "f2"),
        Remove(MINA, CLERK.id),
        Remove(SCRIPT.named_faces[1]),
        Remove(SCRIPT.word_times[1]),
    ],
    Replace: [
        Replace(E1, replace(E1, pin=Pin())),
        Replace(E2, replace(E2, variants=(*E2.variants, Variant("走る。", Fraction(9, 10))))),
        Replace(E2, replace(E2, joined=True)),
        Replace(E3, replace(E3, provenance=RICH)),
        Replace(E1, VOICED),
        Replace(SCRIPT.fusions[1], replace(SCRIPT.fusions[1], variants=(Variant("Kürzer."),))),
        Replace(SCRIPT.cues[0], replace(SCRIPT.cues[0], end=13_000, kind=CueKind.MUSIC)),
        Replace(SCRIPT.cues[1], replace(SCRIPT.cues[1], speaker="ARMANSKY", speaker_source=SpeakerSource.DESCRIBER)),
        Replace(LISBETH, replace(LISBETH, aliases=("Wasp",), pronouns=Pronouns.SHE)),
        Replace(CLERK, replace(CLERK, merged=())),
        Replace(SCRIPT.named_faces[1], replace(SCRIPT.named_faces[1], person=LISBETH.id)),
        Replace(SCRIPT.word_times[0], replace(SCRIPT.word_times[0], words=())),
    ],
    Move: [
        Move(E1, "e2", None),
        Move(E3, None, "e1"),
        Move(E2, "e3", "e3"),
        Move(SCRIPT.cues[1], None, "c1"),
        Move(SCRIPT.fusions[1], None, "f1"),
        Move(CLERK, None, LISBETH.id),
    ],
    SetFilm: [SetFilm(SCRIPT.film, replace(SCRIPT.film, media=None, end=61_000))],
    SetSettings: [
        SetSettings(SCRIPT.settings, Settings()),
        SetSettings(
            SCRIPT.settings,
            Settings(delta_early=1500, delta_late=4000, near=Near(500, 2000, 800_000), reach=1),
        ),
    ],
    SetRules: [SetRules(SCRIPT.rules, Rules())],
    SetPeople: [
        SetPeople(SCRIPT.people, ()),
        SetPeople(SCRIPT.people, (*SCRIPT.people, Person.named("Mikael", b"\x89PNG" + bytes(range(256))))),
    ],
    SetPrompts: [SetPrompts(SCRIPT.prompts, ()), SetPrompts(SCRIPT.prompts, (("repair", "Mend “it”."),))],
    SetVoice: [SetVoice(SCRIPT.voice, VoiceSettings("piper", "en_US-joe-medium", 12, -35))],
    SetLexicon: [SetLexicon(SCRIPT.lexicon, LEXICON), SetLexicon(SCRIPT.lexicon, LEXICON[:1])],
    Several: [
        Several("Delete with its rules", (SetRules(SCRIPT.rules, Rules()), Remove(E2, "e3"), Remove(E1, "e3"))),
        Several("Nothing", (), StepOrigin(Agent.COMMAND, ChangeKind.WEIGHTS, "house", 2)),
        Several("Nested", (Several("inner", (Remove(E3), Insert(E3, "e1"))), Move(E3, "e1", None))),
    ],
}
ILL_FITTING: dict[type[Step], list[Step]] = {
    Insert: [Insert(E1), Insert(Eventuality("e4", E1.variants), "nobody")],
    Remove: [Remove(E1, "e3"), Remove(E1), Remove(replace(E3, note="other")), Remove(Silence("none", Span(0, 1)))],
    Replace: [
        Replace(replace(E1, note="other"), E1),
        Replace(Cue("c9", 0, 1, ""), Cue("c9", 0, 2, "")),
    ],
    Move: [Move(E1, "e3", None), Move(replace(E1, note="other"), "e2", None), Move(E1, "e2", "nobody")],
    SetFilm: [SetFilm(Film("other", 1), SCRIPT.film)],
    SetSettings: [SetSettings(Settings(), Settings())],
    SetRules: [SetRules(Rules(), Rules())],
    SetPeople: [SetPeople((), SCRIPT.people)],
    SetPrompts: [SetPrompts((), SCRIPT.prompts)],
    SetVoice: [SetVoice(VoiceSettings("piper"), SCRIPT.voice)],
    SetLexicon: [SetLexicon(LEXICON, SCRIPT.lexicon)],
    Several: [Several("The second does not fit", (Remove(E1, "e2"), Remove(E1, "e2")))],
}

_texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
_names = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=12)
_people = st.lists(
    st.builds(Person.named, _names, st.binary(max_size=40)), max_size=4, unique_by=lambda person: person.name.casefold()
).map(tuple)


def _following(items: tuple[Item, ...], place: int) -> str | None:
    return items[place + 1].id if place + 1 < len(items) else None


@st.composite
def fitting_steps(draw: st.DrawFn, script: Script, *, new_id: int, depth: int = 0) -> Step:
    """A step that fits `script`; an item that comes is called by the number `new_id`."""
    items = script.eventualities if draw(st.booleans()) else script.cues
    kinds = (
        ["insert", "film", "settings", "rules", "people", "prompts", "voice", "lexicon"]
        + ["several"] * (depth < 2)
        + ["item"] * (6 if items else 0)
    )
    kind = draw(st.sampled_from(kinds))
    if kind == "item":
        return draw(_item_steps(items))
    if kind == "insert":
        before = draw(st.sampled_from([None, *(e.id for e in script.eventualities)]))
        return Insert(Eventuality(f"n{new_id}", (Variant(draw(_texts)),)), before)
    if kind == "several":
        parts: list[Step] = []
        for number in range(draw(st.integers(0, 3))):
            part = draw(fitting_steps(script, new_id=new_id * 10 + number + 1, depth=depth + 1))
            script = part.apply(script)
            parts.append(part)
        return Several(draw(_texts), tuple(parts))
    singles: dict[str, Step] = {
        "film": SetFilm(script.film, replace(script.film, title=draw(_texts))),
        "settings": SetSettings(script.settings, Settings(words_per_minute=draw(st.integers(1, 400)))),
        "rules": SetRules(script.rules, Rules(penalties=(Penalty("e1", "e2", draw(st.integers(0, 9))),))),
        "people": SetPeople(script.people, draw(_people)),
        "voice": SetVoice(script.voice, VoiceSettings(pitch=draw(st.integers(-50, 50)))),
        "lexicon": SetLexicon(script.lexicon, draw(st.sampled_from([(), LEXICON]))),
        "prompts": SetPrompts(script.prompts, tuple(draw(st.dictionaries(_names, _texts, max_size=3)).items())),
    }
    return singles[kind]


@st.composite
def _item_steps(draw: st.DrawFn, items: tuple[Cue, ...] | tuple[Eventuality, ...]) -> Step:
    place = draw(st.integers(0, len(items) - 1))
    item, following = items[place], _following(items, place)
    kind = draw(st.sampled_from(["remove", "move", "replace"]))
    if kind == "remove":
        return Remove(item, following)
    if kind == "move":
        return Move(item, following, draw(st.sampled_from([None, *(e.id for e in items if e != item)])))
    if isinstance(item, Cue):
        return Replace(item, replace(item, text=draw(_texts)))
    return Replace(item, replace(item, note=draw(_texts), salience=draw(st.integers(-9, 9))))


EVERY_EXAMPLE = [step for steps in EXAMPLES.values() for step in steps]
