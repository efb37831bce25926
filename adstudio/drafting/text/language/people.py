"""Which English nouns and pronouns are people, and of which gender, as far as their words show."""

from __future__ import annotations

from enum import Enum

from adstudio.characters.name_lists import HER_NAMES, HER_TITLES, HIS_NAMES, HIS_TITLES
from adstudio.drafting.text.language.grammar import Sentence, Word, noun_lemmas, word_set

PROPER = ("NNP", "NNPS")
"""The tags of proper nouns."""
NOUNS = ("NN", "NNS", *PROPER)
FINITE = ("VBZ", "VBP", "VBD", "MD")
"""Those of verbs in their finite forms."""
_AT = word_set("at to toward towards from")
_NEAR = word_set("with for after past against over beside by near into onto upon")


class Gender(Enum):
    """What a word shows of the gender and number of whom it names."""

    HE = "he"
    SHE = "she"
    THEY = "they"
    ANY = "a person"


MEN = word_set(
    "man boy gentleman father dad daddy son brother husband uncle grandfather grandpa nephew king prince lord duke"
    " groom bridegroom waiter actor monk priest widower policeman fireman mailman postman doorman salesman"
    " guy bloke lad fellow chap cowboy businessman fisherman henchman footman sir mr boyfriend stepfather"
)
WOMEN = word_set(
    "woman girl lady mother mum mom mommy daughter sister wife aunt grandmother grandma niece queen princess duchess"
    " bride waitress actress nun widow policewoman housewife girlfriend stepmother nanny maid mistress hostess heroine"
    " businesswoman stewardess ballerina madam mrs ms miss"
)
_PEOPLE = word_set(
    "person child kid baby teenager teen adult youth stranger friend couple guest student teacher doctor nurse lawyer"
    " judge officer guard soldier driver pilot captain clerk tailor cook chef butler servant thief burglar killer"
    " robber prisoner patient customer client boss secretary reporter photographer detective inspector sheriff deputy"
    " agent writer crowd family people audience passenger worker farmer singer dancer musician pianist artist painter"
    " pupil neighbour neighbor tourist pedestrian passer-by passerby bystander housekeeper janitor cleaner barman"
    " bartender cashier receptionist librarian conductor mechanic engineer scientist professor priest pastor vicar"
    " bishop pope president mayor minister ambassador colonel general sergeant lieutenant major private corporal"
    " sailor pirate knight peasant villager elder witch wizard giant dwarf ghost zombie vampire monster clown"
    " assistant partner colleague accomplice companion hostage victim witness suspect twin cousin parent grandparent"
    " orphan beggar hunter fighter boxer runner rider cyclist skater surfer swimmer player athlete coach referee"
    " bodyguard bouncer gangster mobster hooker prostitute drunk junkie dealer gambler croupier porter usher"
    " announcer host presenter model designer barber hairdresser butcher baker grocer vendor merchant owner landlord"
    " tenant lover fiancé fiancée heir rebel hero figure somebody someone everybody everyone nobody anyone cop"
    " paramedic firefighter medic surgeon dentist psychiatrist attorney"
)
_PRONOUNS = {
    "he": Gender.HE, "him": Gender.HE, "his": Gender.HE, "himself": Gender.HE,
    "she": Gender.SHE, "her": Gender.SHE, "hers": Gender.SHE, "herself": Gender.SHE,
    "they": Gender.THEY, "them": Gender.THEY, "their": Gender.THEY, "theirs": Gender.THEY, "themselves": Gender.THEY,
}  # fmt: skip
_PERSON_ENDINGS = ("man", "men", "woman", "women", "boy", "girl", "person", "keeper", "smith", "ist", "eer")
_NO_PERSONS = word_set(
    "list fist mist wrist twist waist beer deer cheer steer veneer career omen specimen talisman pier sheer"
    " jeer acumen abdomen regimen"
)


def pronoun(word: Word) -> Gender | None:
    """The gender of a personal pronoun of the third person; None for any other word."""
    return _PRONOUNS.get(word.text.lower())


def person_noun(word: Word) -> Gender | None:
    """The gender that a common noun shows of a person; None for what is no person, or not surely one."""
    if word.tag not in NOUNS:
        return None
    lower = word.text.lower()
    lemmas = {lower, *noun_lemmas(lower)}
    if lemmas & MEN:
        gender = Gender.HE
    elif lemmas & WOMEN:
        gender = Gender.SHE
    elif lemmas & _PEOPLE or (lower.endswith(_PERSON_ENDINGS) and not lemmas & _NO_PERSONS and len(lower) > 5):
        gender = Gender.SHE if lower.endswith(("woman", "girl")) else Gender.HE if _is_man(lower) else Gender.ANY
    else:
        return None
    return Gender.THEY if word.tag == "NNS" else gender


def could_be(word: str, gender: Gender) -> bool:
    """Whether an English word in small letters may name a person of that gender."""
    lemmas = {word, *noun_lemmas(word)}
    return bool(lemmas & (_PEOPLE | (MEN if gender is Gender.HE else WOMEN)))


def _is_man(lower: str) -> bool:
    return lower.endswith(("man", "boy"))


def is_name(word: Word) -> bool:
    """Whether a word is written as a name is, and tagged as one."""
    return word.tag in PROPER and word.text[:1].isupper() and word.entity in ("", "PERSON", "ORG", "NORP")


def names_a_person(sentence: Sentence, place: int, gender: Gender) -> bool:
    """Whether a word of a sentence may be whom a pronoun of that gender stands for: a name, or a fitting noun."""
    word = sentence.words[place]
    if is_name(word):
        return True
    shown = person_noun(word)
    if shown is None:
        return False
    return gender is Gender.THEY or shown in (Gender.ANY, gender)


def acts_on(sentence: Sentence, subject: int, place: int) -> bool:
    """Whether a subject does something to whom a pronoun at a place means, who is then somebody else: Don holds him."""
    words = sentence.words
    word = words[place]
    if word.text.lower() not in ("him", "her", "them") or word.tag == "PRP$":
        return False
    acted_on = word.dep in ("dobj", "dative")
    verb = word.head if acted_on else words[word.head].head
    doing = verb
    while words[verb].dep in ("xcomp", "advcl") and not any(words[at].dep == "nsubj" for at in sentence.children[verb]):
        verb = words[verb].head  # "Don runs to help him"
    led = words[word.head].text.lower() if word.dep == "pobj" else ""
    # “Ann brings a coat with her” may be her own.
    alone = not any(words[at].dep == "dobj" for at in sentence.children[doing])
    by = acted_on or led in _AT or (alone and led in _NEAR)
    # The parser may take the verb for a noun: Ann stares at him.
    taken = words[subject].dep == "compound" and words[verb].tag == "NNS" and words[verb].dep == "ROOT"
    return by and (words[subject].dep in ("nsubj", "nsubjpass") or taken) and words[subject].head == verb


def could_be_named(sentence: Sentence, place: int, gender: Gender) -> bool:
    """Whether a sentence may name whom its pronoun at a place means: before it, or as the subject that follows it.

    With her bag on her arm, Nora leaves; but not: Through the window he sees the driver.
    """
    words = sentence.words
    comma = next((at for at, word in enumerate(words) if word.text == ","), len(words))
    opening = not any(word.tag in FINITE for word in words[:comma])
    return any(
        names_a_person(sentence, at, gender)
        and not acts_on(sentence, at, place)
        and (
            at < place
            or (opening and place < comma < at)
            or (words[at].dep in ("nsubj", "nsubjpass") and words[at].head in sentence.roots)
        )
        for at in range(len(words))
        if at != place
    )


def gender_by_name(name: str) -> Gender | None:
    """He or she for somebody by a name: by a given name or title at its beginning, or who he is at its end: Art Girl.

    None where neither says.
    """
    first, *_, last = [word.rstrip(".") for word in name.lower().split()] * 2 or ("", "")
    if first in HIS_TITLES or first in HIS_NAMES or last in MEN:
        return Gender.HE
    return Gender.SHE if first in HER_TITLES or first in HER_NAMES or last in WOMEN else None
