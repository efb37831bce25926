"""Data for distinguishing legacy encodings: each language's non-ASCII letters and common words.

Letters are in lower case; those of other scripts than Latin in order of frequency. The ASCII words are common in
dialogue, so that they read the same in every candidate encoding and vote for the language.
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
_CYRILLIC = ("windows-1251", "koi8-r", "iso-8859-5", "ibm866", "x-mac-cyrillic")

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
    Language("ru", _CYRILLIC, "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"),
    Language("uk", ("windows-1251", "koi8-u", "iso-8859-5", "ibm866"), "оанивіетрсклудмпязьбгчйхжшюцїєщфґ"),
    Language("be", ("windows-1251", "iso-8859-5"), "аніеоырсялктдвумпьгцчзбйшхўжэюфё"),
    Language("bg", _CYRILLIC, "аоиентрсвлдкпмзугщбяъчжцшйфхюь"),
    Language("sr", ("windows-1251", "iso-8859-5", "x-mac-cyrillic"), "аоиенрсјтукдвлмпзгбчцшћжњхђфљџ"),
    Language("mk", ("windows-1251", "iso-8859-5", "x-mac-cyrillic"), "аоеитнрсвдлкпмузјгбчцшжќњхфљџѓѕ"),
    Language("el", ("windows-1253", "iso-8859-7", "ibm737"), "αοιετσνηυρπκμλςωγδάίχόθέήβύώφξζψϊϋΐΰ"),
    Language("he", ("windows-1255", "iso-8859-8", "ibm862"), "יוהלאתמרבנשכדחעםפקטזגסןצךףץ"),
    Language("ar", ("windows-1256", "iso-8859-6"), "اليمنوترهبعدسفكحقأةجشصخىذضئثطزغإءظؤآ"),
    Language("fa", ("windows-1256",), "ایرندموهتبشسکلگزخآفقعجپحطصچژغضذظثئءكيأ"),
    Language(
        "th",
        ("windows-874",),
        "านรกอเงม่ยล้วดัิีทสตหปคบะไแจพชขใโุูื็ึซ์ถผำธศญณฉฟภษฐๆฮฝฆฏฎฌฬฑฒฤฦฺฃฅๅ฿ฯํ๎๊๋๏๐๑๒๓๔๕๖๗๘๙๚๛",
    ),
)

COMMON_WORDS: dict[str, str] = {
    "ru": "я не что в и ты это на с да нет он мы как а но так все вы меня мне у за его она тебя где кто там здесь",
    "uk": "я не що в і ти це на з так ні він ми як а але все ви мене мені у за його вона тебе де хто там тут",
    "be": "я не што ў і ты гэта на з так не ён мы як а але усё вы мяне мне у за яго яна цябе дзе хто там тут",
    "bg": "не да се на и за в ти си аз е са от той тя какво как ще но ме това тук там къде кой ли с",
    "sr": "не да се на и за у ти си ја је су од он она шта како ће али ме то овде тамо где ко ли сам смо",
    "mk": "не да се на и за во ти си јас е се од тој таа што како ќе но ме тоа тука таму каде кој ли сум",
    "el": "και το να δεν είναι θα με τα για την τι μου σου που σε τον ο η εδώ ναι όχι εγώ εσύ πού ποιος είμαι",
    "he": "אני לא את זה אתה של מה על הוא היא כן אם עם כל יש כאן איפה מי אבל לי לך רק גם אין",
    "ar": "لا في من ما أن هذا على أنا إلى هل يا أنت نعم ماذا لم لقد هو كان مع كل هنا أين هي عن",
    "fa": "من که به این را از تو در است نه یک ما با چه او بود برای آن شما می هم اینجا کجا خوب",
    "th": "",
}
"""Words that are common in the dialogue of languages in other scripts than Latin."""

EAST_ASIAN: tuple[tuple[str, str, int, int], ...] = (
    ("shift_jis", "のにはをたがでてとしれさいなるあんかこうもらくすまよっだそ一人日何", 0x82, 0x97),
    ("euc-jp", "のにはをたがでてとしれさいなるあんかこうもらくすまよっだそ一人日何", 0xA4, 0xCF),
    ("gb18030", "的一是不了我你他在有这人们来到说要就那会么好吗没什去为她可以", 0xB0, 0xD7),
    ("big5", "的一是不了我你他在有這人們來到說要就那會麼好嗎沒什去為她可以", 0xA4, 0xC6),
    ("euc-kr", "이다는고의을를가하지에나어아그도사니요게안기내서거있리네해한", 0xB0, 0xC8),
)
"""Two-byte encodings: name, the commonest characters in dialogue, and the first bytes of ordinary ones."""
