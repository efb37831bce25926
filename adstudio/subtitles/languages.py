"""Data for distinguishing legacy encodings: each language's non-ASCII letters and common words.

Letters are in lower case. The words are common in dialogue and spelt in ASCII alone, so that they read the same in
every candidate encoding and vote for the language.
"""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """A language's encodings, the likeliest first, its non-ASCII letters, and its common ASCII words."""

    tag: str
    encodings: tuple[str, ...]
    letters: str
    words: str = ""


_WEST = ("windows-1252", "iso-8859-15", "macintosh", "ibm850")
_CENTRAL = ("windows-1250", "iso-8859-2", "ibm852")
_CYRILLIC = ("windows-1251", "koi8-r", "iso-8859-5", "ibm866")

LANGUAGES: tuple[Language, ...] = (
    Language("en", _WEST, "éèïçôêâ£", "the you and to it is that of what in we me this have i my not on for do"),
    Language("fr", _WEST, "éèêëàâçùûüîïôœæ", "je de est pas le vous la tu que un il et a on les ne une en ce des"),
    Language("de", _WEST, "äöüß", "ich sie das ist du nicht die und es der was wir zu er ein mir mit ja wie den"),
    Language("es", _WEST, "áéíóúüñ¿¡ªº", "que de no a la el es y en lo un por me una te los se con para mi"),
    Language("pt", _WEST, "áâãàçéêíóôõúü", "que o de a e um eu se me uma com para do os da isso em por na te"),
    Language("it", _WEST, "àèéìòùî", "non che di e la il un a per mi sono in ho si lo ma ti ha le con"),
    Language("nl", _WEST, "éëïóöüèê", "ik je het de dat is een niet en van wat we in zijn hij op te met ze er"),
    Language("sv", _WEST, "åäöé", "jag det du inte att en och har vi i som han vad den kan med mig till om av"),
    Language("da", _WEST, "æøåé", "jeg det du er ikke at en og har vi til med den hvad han kan mig der som de"),
    Language("no", _WEST, "æøåéò", "jeg det er du ikke en og har vi til med den hva han kan meg som de at et"),
    Language("fi", _WEST, "äöåšž", "on ei se en ja hän mutta mitä oli sen ole olen kun että niin minun nyt jos hyvin"),
    Language("is", _WEST, "áðéíóúýþæö", "er ekki og hann ekkert en vi sem til var um eru hvar hvernig takk nei"),
    Language("et", ("windows-1257", "iso-8859-13", "windows-1252"), "äöõüšž", "ma ei on see sa ja mis ta kui oli"),
    Language("cs", _CENTRAL, "áčďéěíňóřšťúůýž", "to je se na ne v a co tak jsem ale jsi si mi do s pro by ho jak"),
    Language("sk", _CENTRAL, "áäčďéíĺľňóôŕšťúýž", "to je sa na nie v a som ale si mi do s pre by ho ako tak ty ma"),
    Language("pl", _CENTRAL, "ąćęłńóśźż", "nie to w na i z co do jest tak ale o mi jak ci po tego czy za jestem"),
    Language("hu", _CENTRAL, "áéíóöőúüű", "a nem az hogy egy is ez de ha csak mi van meg vagy volt jó most itt te ki"),
    Language(
        "ro", ("windows-1250", "iso-8859-2", "iso-8859-16"), "ăâîșțşţ", "nu de a e ce o la un pe cu te mi am ca din mai"
    ),
    Language("hr", _CENTRAL, "čćđšž", "je da se ne u sam to i na si su li ti mi za nije od ali bi me"),
    Language("sl", _CENTRAL, "čšž", "je da se ne v sem to in na si pa za ti kaj mi tako ni bi me bo"),
    Language(
        "tr",
        ("windows-1254", "iso-8859-9"),
        "çğıöşüâîİ",
        "bir bu ne ve de da ben sen o mi var evet bana sana onu ama ki",
    ),
    Language("lv", ("windows-1257", "iso-8859-13"), "āčēģīķļņšūž", "ir un es tu ka to par no ar nav man tas kas vai"),
    Language(
        "lt", ("windows-1257", "iso-8859-13"), "ąčęėįšųūž", "ir kad ne tai yra mano tu bet jis taip ar man kas su"
    ),
    Language("vi", ("windows-1258",), "àâăáãèêéìíòôơóõùưúýđ", "anh em cho con nh trong khi sao nay"),
    Language("ru", _CYRILLIC, "абвгдежзийклмнопрстуфхцчшщъыьэюяё"),
    Language("uk", ("windows-1251", "koi8-u", "ibm866"), "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
    Language("bg", ("windows-1251", "iso-8859-5"), "абвгдежзийклмнопрстуфхцчшщъьюя"),
    Language("sr", ("windows-1251", "iso-8859-5"), "абвгдђежзијклљмнњопрстћуфхцчџш"),
    Language("el", ("windows-1253", "iso-8859-7"), "αβγδεζηθικλμνξοπρστυφχψωάέήίόύώϊϋΐΰς"),
    Language("he", ("windows-1255", "iso-8859-8"), "אבגדהוזחטיכלמנסעפצקרשתךםןףץ"),
    Language("ar", ("windows-1256", "iso-8859-6"), "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءآأؤإئ"),
    Language("fa", ("windows-1256",), "ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیآئيك"),
    Language(
        "th", ("windows-874",), "".join(map(chr, range(0x0E01, 0x0E3B))) + "".join(map(chr, range(0x0E3F, 0x0E5C)))
    ),
)

FREQUENT: dict[str, str] = {
    "ru": "оеаинтсрвлк",
    "uk": "оанивітерс",
    "bg": "аиоентсврл",
    "sr": "аиоенрсјту",
    "el": "αοιετσνρκπ",
    "he": "יוהלאתמרבנ",
    "ar": "اليمنوترب",
    "fa": "ایرنومدهت",
    "th": "านรกอเมยลงวดท่้",
}
"""The commonest letters of languages in other scripts than Latin, which make up about half of any text."""

EAST_ASIAN: tuple[tuple[str, str, str], ...] = (
    ("shift_jis", "ja", "のにはをたがでてとしれさいなるあんかこうもらくすまよっだそ一人日何"),
    ("euc-jp", "ja", "のにはをたがでてとしれさいなるあんかこうもらくすまよっだそ一人日何"),
    ("gb18030", "zh", "的一是不了我你他在有这人们来到说要就那会么好吗没什去为她可以"),
    ("big5", "zh", "的一是不了我你他在有這人們來到說要就那會麼好嗎沒什去為她可以"),
    ("euc-kr", "ko", "이다는고의을를가하지에나어아그도사니요게안기내서거있리네해한"),
)
"""Two-byte encodings: name, language, and the commonest characters in dialogue."""
