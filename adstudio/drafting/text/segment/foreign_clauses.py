"""What follows “we see” in German, French, Spanish and Italian as a sentence of its own, where the grammar is plain.

“On voit son fils entrer” becomes “Son fils entre”; “Wir sehen, wie Hanna ihn einsteckt” becomes “Hanna steckt ihn ein”.
Each function takes what follows the opening words, and gives None where it is not sure.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise

from adstudio.drafting.text.language.grammar import word_set

_MOST_OF_A_SUBJECT = 5
"""Words of a subject before its verb."""


# French

_FRENCH_DETERMINERS = word_set(
    "un une le la les des son sa ses leur leurs ce cet cette ces deux trois quatre cinq plusieurs quelques mon ma mes"
)
_FRENCH_PLURALS = word_set("les des ses leurs ces deux trois quatre cinq plusieurs quelques")
_FRENCH_VERBS = {
    "courir": ("court", "courent"), "sortir": ("sort", "sortent"), "partir": ("part", "partent"),
    "dormir": ("dort", "dorment"), "ouvrir": ("ouvre", "ouvrent"), "venir": ("vient", "viennent"),
    "revenir": ("revient", "reviennent"), "tenir": ("tient", "tiennent"), "prendre": ("prend", "prennent"),
    "descendre": ("descend", "descendent"), "attendre": ("attend", "attendent"), "mettre": ("met", "mettent"),
    "lire": ("lit", "lisent"), "écrire": ("écrit", "écrivent"), "rire": ("rit", "rient"),
    "sourire": ("sourit", "sourient"), "boire": ("boit", "boivent"), "faire": ("fait", "font"),
    "aller": ("va", "vont"), "disparaître": ("disparaît", "disparaissent"), "remplir": ("remplit", "remplissent"),
    "apparaître": ("apparaît", "apparaissent"), "conduire": ("conduit", "conduisent"),
    "jeter": ("jette", "jettent"), "appeler": ("appelle", "appellent"), "lever": ("lève", "lèvent"),
    "soulever": ("soulève", "soulèvent"), "acheter": ("achète", "achètent"), "mener": ("mène", "mènent"),
    "essuyer": ("essuie", "essuient"), "nettoyer": ("nettoie", "nettoient"), "asseoir": ("assoit", "assoient"),
}  # fmt: skip
_FRENCH_REGULAR = word_set(
    "entrer marcher avancer reculer monter tomber passer pousser tirer porter poser regarder parler danser chanter"
    " pleurer crier manger fumer tourner traverser approcher éloigner arrêter installer rentrer remonter arriver fermer"
    " déposer ramasser montrer chercher travailler jouer nager sauter embrasser serrer frapper grimper quitter longer"
    " allumer couper laver balayer creuser arroser réveiller coucher cacher glisser trembler hésiter garer"
)

_FRENCH_INFINITIVE = re.compile(r"(?:er|ir|oir|[aeo]ndre|aître|uire)\W*$")
_FRENCH_PLACE = re.compile(r"(au fond|au loin|à l['’]arrière-plan|au premier plan|dehors),?\s+(?=\w)", re.IGNORECASE)


def french_seen(rest: str) -> str | None:
    """What follows “on voit”: a clause with que, a noun with qui or an infinitive, or a noun alone."""
    if clause := re.match(r"(?:que\s+|qu['’]\s?|comment\s+)(.+)", rest, re.DOTALL):
        return _capital(clause[1])
    if place := _FRENCH_PLACE.match(rest):
        seen = _french_noun(rest[place.end() :])
        return seen and f"{_capital(place[1])}, {_small(seen)}"
    return _french_noun(rest)


def _french_noun(rest: str) -> str | None:
    words = _turned(_tokens(rest), _FRENCH_DETERMINERS, {*_FRENCH_VERBS, *_FRENCH_REGULAR})
    if not words or not (_bare(words[0]) in _FRENCH_DETERMINERS or words[0][0].isupper() or _elided(words[0])):
        return None
    for at, word in enumerate(words[1 : _MOST_OF_A_SUBJECT + 2], 1):
        if words[at - 1].endswith((",", ";", ":")) and word != "qui":
            break
        if word == "qui" and at + 1 < len(words):
            return _capital(" ".join((*words[: at - 1], words[at - 1].rstrip(","), *words[at + 1 :])))
        reflexive = next((each for each in ("s'", "s’") if word.startswith(each)), "")
        verb = _stripped(word.removeprefix(reflexive))
        plural = _bare(words[0]) in _FRENCH_PLURALS
        form = _french_form(verb, plural=plural)
        if form is not None and _bare(words[at - 1]) not in _FRENCH_DETERMINERS:
            new = "s’" if reflexive and form[0] in "aeéiou" else "se " if reflexive else ""
            said = new + form + word[len(reflexive) + len(verb) :]
            return None if _goes_on(words[at:]) else _capital(" ".join((*words[:at], said, *words[at + 1 :])))
    if any(_FRENCH_INFINITIVE.search(word) and _is_late(words, at) for at, word in enumerate(words)):
        return None
    return _capital(rest)


def _is_late(words: list[str], at: int) -> bool:
    """Whether a word that may be an infinitive stands where no noun does: not behind an article."""
    return at > 1 and at <= _MOST_OF_A_SUBJECT and _bare(words[at - 1]) not in _FRENCH_DETERMINERS | {"de", "d", "à"}


def _french_form(verb: str, *, plural: bool) -> str | None:
    if verb in _FRENCH_VERBS:
        return _FRENCH_VERBS[verb][plural]
    if verb in _FRENCH_REGULAR:
        return verb.removesuffix("er") + ("ent" if plural else "e")
    return None


def _elided(word: str) -> bool:
    return word.startswith(("l'", "l’", "L'", "L’"))


# Spanish

_SPANISH_DETERMINERS = word_set(
    "un una unos unas el la los las su sus este esta ese esa dos tres cuatro cinco varios varias mi mis"
)
_SPANISH_PLURALS = word_set("unos unas los las sus dos tres cuatro cinco varios varias mis")
_SPANISH_VERBS = {
    "cerrar": "cierra", "sentar": "sienta", "despertar": "despierta", "contar": "cuenta", "mostrar": "muestra",
    "volar": "vuela", "jugar": "juega", "volver": "vuelve", "mover": "mueve", "llover": "llueve", "dormir": "duerme",
    "morir": "muere", "sonreír": "sonríe", "reír": "ríe", "pedir": "pide", "seguir": "sigue", "vestir": "viste",
    "salir": "sale", "ir": "va", "hacer": "hace", "leer": "lee", "caer": "cae", "huir": "huye", "acostar": "acuesta",
    "encender": "enciende", "perder": "pierde", "temblar": "tiembla", "recoger": "recoge", "coger": "coge",
}  # fmt: skip
_SPANISH_REGULAR = word_set(
    "caminar andar entrar llegar pasar bajar cruzar correr comer beber subir abrir escribir llorar gritar bailar cantar"
    " trabajar mirar buscar levantar acercar alejar parar quitar tirar llevar dejar tomar besar abrazar barrer nadar"
    " saltar pasear esperar hablar escapar desaparecer aparecer recibir partir fumar lavar cortar limpiar cargar"
    " empujar"
    " arrastrar guardar sacar apagar"
)


def spanish_seen(rest: str) -> str | None:
    """What follows “vemos”: a clause with cómo or que, a noun with que or an infinitive, or a noun alone."""
    if clause := re.match(r"(?:cómo|como|que)\s+(.+)", rest, re.DOTALL):
        return _capital(clause[1])
    rest = re.sub(r"^(?:a|de) (?=\S)", "", re.sub(r"^(?:al|del) ", "el ", rest))
    words = _turned(_tokens(rest), _SPANISH_DETERMINERS, {*_SPANISH_VERBS, *_SPANISH_REGULAR})
    if not words or not (_bare(words[0]) in _SPANISH_DETERMINERS or words[0][0].isupper()):
        return None
    for at, word in enumerate(words[1 : _MOST_OF_A_SUBJECT + 2], 1):
        if words[at - 1].endswith((",", ";", ":")) and word != "que":
            break
        if word == "que" and at + 1 < len(words):
            return _capital(" ".join((*words[: at - 1], words[at - 1].rstrip(","), *words[at + 1 :])))
        plain = _stripped(word)
        verb = plain.removesuffix("se") if re.search(r"[aeií]rse$", plain) else plain
        form = _spanish_form(verb, plural=_bare(words[0]) in _SPANISH_PLURALS)
        if form is not None and _bare(words[at - 1]) not in _SPANISH_DETERMINERS:
            new = ("se " if verb != plain else "") + form + word[len(plain) :]
            return None if _goes_on(words[at:]) else _capital(" ".join((*words[:at], new, *words[at + 1 :])))
    looks = (re.search(r"[aeií]r(?:se|lo|la|le)?\W*$", word) for word in words[1 : _MOST_OF_A_SUBJECT + 2])
    behind = (_bare(before) in _SPANISH_DETERMINERS | {"de", "del", "al", "a"} for before in words)
    if any(found and not noun for found, noun in zip(looks, behind, strict=False)):
        return None
    return _capital(rest)


def _spanish_form(verb: str, *, plural: bool) -> str | None:
    form = _SPANISH_VERBS.get(verb)
    if form is None and verb in _SPANISH_REGULAR:
        form = verb[:-2] + ("a" if verb.endswith("ar") else "e")
    if form is None:
        return None
    return form + "n" if plural else form


# Italian

_ITALIAN_ARTICLES = word_set("un uno una il lo la i gli le dei degli delle suo sua suoi sue loro")
_ITALIAN_DETERMINERS = _ITALIAN_ARTICLES | word_set(
    "questo questa quel quella due tre quattro cinque alcuni alcune diversi diverse"
)
_ITALIAN_PLURALS = word_set("i gli le dei degli delle suoi sue due tre quattro cinque alcuni alcune diversi diverse")
_ITALIAN_VERBS = {
    "aprire": ("apre", "aprono"), "uscire": ("esce", "escono"), "salire": ("sale", "salgono"),
    "venire": ("viene", "vengono"), "andare": ("va", "vanno"), "dormire": ("dorme", "dormono"),
    "sedere": ("siede", "siedono"), "bere": ("beve", "bevono"), "fare": ("fa", "fanno"),
    "apparire": ("appare", "appaiono"), "sparire": ("sparisce", "spariscono"), "morire": ("muore", "muoiono"),
    "mangiare": ("mangia", "mangiano"), "baciare": ("bacia", "baciano"), "lasciare": ("lascia", "lasciano"),
}  # fmt: skip
_ITALIAN_REGULAR = word_set(
    "entrare camminare passare arrivare tornare avvicinare allontanare attraversare ballare cantare guardare parlare"
    " portare posare saltare nuotare lavorare gridare urlare alzare fermare chiamare cercare abbracciare fumare girare"
    " correre scendere leggere scrivere prendere mettere piangere ridere cadere chiudere accendere spegnere vendere"
)


def italian_seen(rest: str) -> str | None:
    """What follows “vediamo”: a clause with come or che, a noun with che or an infinitive, or a noun alone."""
    if clause := re.match(r"(?:come|che)\s+(.+)", rest, re.DOTALL):
        return _capital(clause[1])
    words = _tokens(rest)
    if not words or not (_determines_italian(words[0]) or words[0][0].isupper()):
        return None
    for at, word in enumerate(words[1 : _MOST_OF_A_SUBJECT + 2], 1):
        if words[at - 1].endswith((",", ";", ":")) and word != "che":
            break
        if word == "che" and at + 1 < len(words):
            return _capital(" ".join((*words[: at - 1], words[at - 1].rstrip(","), *words[at + 1 :])))
        plain = _stripped(word)
        verb = plain.removesuffix("si") + "e" if re.search(r"[aei]rsi$", plain) else plain
        form = _italian_form(verb, plural=_bare(words[0]) in _ITALIAN_PLURALS)
        if form is not None and _bare(words[at - 1]) not in _ITALIAN_ARTICLES:
            new = ("si " if verb != plain else "") + form + word[len(plain) :]
            return None if _goes_on(words[at:]) else _capital(" ".join((*words[:at], new, *words[at + 1 :])))
    looks = (re.search(r"[aei]r(?:e|si|l[oaie])\W*$", word) for word in words[1 : _MOST_OF_A_SUBJECT + 2])
    behind = (_bare(before) in _ITALIAN_ARTICLES | {"di", "del", "da", "dal", "a"} for before in words)
    if any(found and not noun for found, noun in zip(looks, behind, strict=False)):
        return None
    return _capital(rest)


def _determines_italian(word: str) -> bool:
    return _bare(word) in _ITALIAN_DETERMINERS or re.match(r"(?:l|un|quell)['’]", word, re.IGNORECASE) is not None


def _italian_form(verb: str, *, plural: bool) -> str | None:
    if verb in _ITALIAN_VERBS:
        return _ITALIAN_VERBS[verb][plural]
    if verb not in _ITALIAN_REGULAR:
        return None
    if verb.endswith("are"):
        return verb[:-3] + ("ano" if plural else "a")
    return verb[:-3] + ("ono" if plural else "e")


# German

_GERMAN_PRONOUNS = word_set("er sie es man jemand niemand")
_GERMAN_DETERMINERS = word_set("der die das ein eine sein seine ihr ihre dieser diese dieses mein meine zwei drei")
_ACCUSATIVE = {"einen": "ein", "den": "der", "seinen": "sein", "ihren": "ihr", "keinen": "kein", "diesen": "dieser"}
_ENDING_ER = word_set("ein sein ihr kein")
_WEAK_NOUNS = (("isten", "ist"), ("anten", "ant"), ("enten", "ent"), ("daten", "dat"), ("nauten", "naut"))
_WEAK = {"Jungen": "Junge", "Herrn": "Herr", "Menschen": "Mensch", "Nachbarn": "Nachbar", "Löwen": "Löwe"}
_PREFIXES = (
    *("hinunter", "herunter", "hinauf", "herauf", "hinaus", "heraus", "hinein", "herein", "hinüber", "herüber"),
    *("vorbei", "vorüber", "zurück", "zusammen", "auseinander", "entgegen", "entlang", "herum", "umher", "davon"),
    *("hervor", "weiter", "fest", "los", "weg", "hin", "her", "auf", "aus", "an", "ab", "ein", "vor", "nach", "mit"),
    "zu",
)
"""What a verb in two parts begins with, longer before shorter; um, über, unter and durch do not always part."""
_NO_PREFIX = re.compile(r"antwort|anker|angel|einig|eign|abonn|ausricht\b|anerk")
_LEAST_STEM = 4
_GERMAN_PLACE = re.compile(
    r"((?:im|in|am|an|auf|vor|hinter|neben|unter|durch)\s(?:(?:der|dem|den|das|die|einem|einer|seinem|ihrem)\s)?"
    r"[A-ZÄÖÜ][\w-]+)\s+(?=(?:ein|der|die|das|den|zwei|drei)\w*\s)"
)
_DOING = re.compile(r"(?P<who>[^,;:–—]+), wie (?:er|sie|es) (?P<clause>[^,;:–—]+?)(?P<end>[.!…]*)")
_CLAUSE = re.compile(r"(?:wie|dass)\s+(?P<clause>[^,;:–—]+?)(?P<end>[.!…]*)")


def german_seen(rest: str) -> str | None:
    """What follows “wir sehen”: a clause with wie, whose verb goes behind its subject, or a noun alone."""
    rest = rest.lstrip(", ")
    if re.match(r"(?:wie|dass)\b", rest):
        found = _CLAUSE.fullmatch(rest)
        return None if found is None else _main_clause(found["clause"].split(), found["end"])
    if doing := _DOING.fullmatch(rest):
        who = _nominative(doing["who"])
        return who and _main_clause([*who.split(), *doing["clause"].split()], doing["end"])
    if place := _GERMAN_PLACE.match(rest):
        seen = _nominative(rest[place.end() :])
        return seen and f"{_capital(place[1])} {_small(seen)}"
    return _nominative(rest)


def _main_clause(words: list[str], end: str) -> str | None:
    """The words of a subordinate clause in the order of a main one: wie Hanna ihn einsteckt, Hanna steckt ihn ein."""
    subject = _subject_length(words)
    verb = words[-1]
    if not subject or subject + 1 > len(words) or "und" in words or "oder" in words:
        return None
    if not verb.islower() or not verb.endswith(("t", "en", "ern", "eln")):
        return None
    middle = words[subject:-1]
    prefix = next((each for each in _PREFIXES if verb.startswith(each) and len(verb) - len(each) >= _LEAST_STEM), "")
    if prefix and _NO_PREFIX.match(verb):
        prefix = ""
    finite = verb[len(prefix) :]
    return _capital(" ".join([*words[:subject], finite, *middle, *([prefix] if prefix else [])]) + end)


def _subject_length(words: list[str]) -> int:
    """How many words the subject at the beginning has; 0 where it is not plain."""
    if words[0] in _GERMAN_PRONOUNS:
        return 1
    if words[0] not in _GERMAN_DETERMINERS:
        # A name, or a first name and a surname.
        named = next((at for at, word in enumerate(words) if not word[0].isupper()), len(words))
        return named if named <= 2 else 0
    noun = next((at for at, word in enumerate(words[:4]) if at and word[0].isupper()), 0)
    adjectives = all(re.search(r"e[nrs]?$", word) for word in words[1:noun])
    return noun + 1 if noun and adjectives else 0


def _nominative(text: str) -> str | None:
    """A noun phrase that was an object as one that stands alone: einen alten Mann, ein alter Mann."""
    words = text.split()
    if not words:
        return None
    first = words[0].lower()
    if first not in _ACCUSATIVE:
        plain = first in _GERMAN_DETERMINERS or words[0][0].isupper() or re.search(r"e[nrs]?$", first)
        # An infinitive at the end says what somebody does: “wir sehen Hanna die Treppe hinaufgehen”.
        verbal = re.search(r"(?:^|\s)[a-zäöü]+e?n[.!]?$", text) is not None
        return _capital(text) if plain and not verbal else None
    article = _ACCUSATIVE[first]
    noun = next((at for at, word in enumerate(words) if at and word[0].isupper()), 0)
    if not noun or noun > _MOST_OF_A_SUBJECT or not all(word.rstrip(",").endswith("en") for word in words[1:noun]):
        return None
    ending = "er" if article in _ENDING_ER else "e"
    described = [re.sub(r"en(,?)$", rf"{ending}\1", word) for word in words[1:noun]]
    if re.search(r"(?:^|\s)[a-zäöü]+en[.!]?$", text):
        return None
    return _capital(" ".join((article, *described, _strong(words[noun]), *words[noun + 1 :])))


def _strong(noun: str) -> str:
    """A noun that ends in -n as an object, as a subject: den Polizisten, der Polizist."""
    plain = noun.rstrip(".,;:!")
    tail = noun[len(plain) :]
    if plain in _WEAK:
        return _WEAK[plain] + tail
    return next((plain.removesuffix(old) + new + tail for old, new in _WEAK_NOUNS if plain.endswith(old)), noun)


def _turned(words: list[str], determiners: Collection[str], verbs: Collection[str]) -> list[str]:
    """The words with a verb before its subject put behind it: temblar sus manos, sus manos temblar."""
    if not 2 <= len(words) - 1 <= _MOST_OF_A_SUBJECT or words[0] not in verbs or _bare(words[1]) not in determiners:
        return words
    last = _stripped(words[-1])
    return [*words[1:-1], last, words[0] + words[-1][len(last) :]]


def _goes_on(words: list[str]) -> bool:
    """Whether a second infinitive follows, joined to the first."""
    joined = (word for before, word in pairwise(words) if before in ("et", "y", "puis", "e"))
    return any(re.search(r"(?:er|ir|oir|re|ar|ír)(?:se|si)?\W*$", word) for word in joined)


def _tokens(text: str) -> list[str]:
    """The words of a text; a reflexive pronoun stays with its verb: se lever is one."""
    return re.sub(r"\bse (?=\w+(?:er|ir|re|oir)\b)", "s’", text).split()


def _bare(word: str) -> str:
    return word.lower().strip(".,;:!?")


def _stripped(word: str) -> str:
    return word.rstrip(".,;:!?…")


def _small(text: str) -> str:
    """A sentence that goes on behind something: its article is small, a name is not."""
    first = text.split(maxsplit=1)[0].lower()
    known = _FRENCH_DETERMINERS | _GERMAN_DETERMINERS | _SPANISH_DETERMINERS
    return text[:1].lower() + text[1:] if first in known else text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
