"""The form in which a text is spoken: numerals and symbols beyond ASCII as what they stand for.

Word counts and voices both go by this one table. “Ⅳ” is IV, “½” is half, “№ 5” is number 5; a symbol without an entry
is not spoken. The words are those of the narration's language; in one without a column the voice has its own. Braces
hold what is said after 1 and after any other number, `{foot/feet}`, or only after any other, `metre{s}`.
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import category, decomposition, normalize, numeric

from adstudio.core.language_tags import primary_subtag

_LANGUAGES = ("en", "de", "fr", "es", "it")
_TABLE = """
°C | degree{s} Celsius | Grad Celsius | degré{s} Celsius | grado{s} Celsius | grad{o/i} Celsius
°F | degree{s} Fahrenheit | Grad Fahrenheit | degré{s} Fahrenheit | grado{s} Fahrenheit | grad{o/i} Fahrenheit
° | degree{s} | Grad | degré{s} | grado{s} | grad{o/i}
′ | {foot/feet} | Fuß | pied{s} | pie{s} | pied{e/i}
″ | inch{es} | Zoll | pouce{s} | pulgada{s} | pollic{e/i}
№ | number | Nummer | numéro | número | numero
§ | section | Paragraph | paragraphe | sección | paragrafo
‰ | per mille | Promille | pour mille | por mil | per mille
€ | euro{s} | Euro | euro{s} | euro{s} | euro
£ | pound{s} | Pfund | livre{s} | libra{s} | sterlin{a/e}
¥ | yen | Yen | yen{s} | yen{es} | yen
₽ | rouble{s} | Rubel | rouble{s} | rublo{s} | rubl{o/i}
₹ | rupee{s} | Rupie{n} | roupie{s} | rupia{s} | rupi{a/e}
¢ | cent{s} | Cent | cent{s} | centavo{s} | centesim{o/i}
× | times | mal | fois | por | per
÷ | divided by | geteilt durch | divisé par | entre | diviso
± | plus or minus | plus minus | plus ou moins | más o menos | più o meno
− | minus | minus | moins | menos | meno
≈ | about | ungefähr | environ | aproximadamente | circa
≠ | is not | ist nicht | n'est pas | no es | non è
≤ | at most | höchstens | au plus | como máximo | al massimo
≥ | at least | mindestens | au moins | como mínimo | almeno
∞ | infinity | unendlich | l'infini | infinito | infinito
√ | square root of | Wurzel aus | racine carrée de | raíz cuadrada de | radice quadrata di
km² | square kilometre{s} | Quadratkilometer | kilomètre{s} carré{s} | kilómetro{s} cuadrado{s} \
| chilometr{o/i} quadrat{o/i}
cm² | square centimetre{s} | Quadratzentimeter | centimètre{s} carré{s} | centímetro{s} cuadrado{s} \
| centimetr{o/i} quadrat{o/i}
m² | square metre{s} | Quadratmeter | mètre{s} carré{s} | metro{s} cuadrado{s} | metr{o/i} quadrat{o/i}
m³ | cubic metre{s} | Kubikmeter | mètre{s} cube{s} | metro{s} cúbico{s} | metr{o/i} cub{o/i}
² | squared | zum Quadrat | au carré | al cuadrado | al quadrato
³ | cubed | hoch drei | au cube | al cubo | al cubo
+½ | and a half | einhalb | et demi | y medio | e mezzo
+ | and | und | et | y | e
½ | half | ein halb | un demi | medio | mezzo
¼ | a quarter | ein Viertel | un quart | un cuarto | un quarto
¾ | three quarters | drei Viertel | trois quarts | tres cuartos | tre quarti
⅓ | one third | ein Drittel | un tiers | un tercio | un terzo
⅔ | two thirds | zwei Drittel | deux tiers | dos tercios | due terzi
⅕ | one fifth | ein Fünftel | un cinquième | un quinto | un quinto
⅖ | two fifths | zwei Fünftel | deux cinquièmes | dos quintos | due quinti
⅗ | three fifths | drei Fünftel | trois cinquièmes | tres quintos | tre quinti
⅘ | four fifths | vier Fünftel | quatre cinquièmes | cuatro quintos | quattro quinti
⅙ | one sixth | ein Sechstel | un sixième | un sexto | un sesto
⅚ | five sixths | fünf Sechstel | cinq sixièmes | cinco sextos | cinque sesti
⅛ | one eighth | ein Achtel | un huitième | un octavo | un ottavo
⅜ | three eighths | drei Achtel | trois huitièmes | tres octavos | tre ottavi
⅝ | five eighths | fünf Achtel | cinq huitièmes | cinco octavos | cinque ottavi
⅞ | seven eighths | sieben Achtel | sept huitièmes | siete octavos | sette ottavi
⅒ | one tenth | ein Zehntel | un dixième | un décimo | un decimo
"""
_ROWS = [[cell.strip() for cell in line.split("|")] for line in _TABLE.strip().split("\n")]
_FRACTIONS = "".join(sign for sign, *_ in _ROWS if category(sign[0]) == "No" and sign not in "²³")
_MONEY = "€£¥₽₹"
_OF_TABLE = frozenset(char for sign, *_ in _ROWS for char in sign if not char.isascii())
_ALIKE = {
    "˚": "°", "㎡": "m²", "㎢": "km²", "㎠": "cm²", "㎥": "m³", "٪": "%", "٫": ".", "٬": ",", "´": "'", "™": "",
    "®": "",
}  # fmt: skip
_AMOUNT = re.compile(
    rf"([{_MONEY}]) ?(\d+(?:[.,]\d+)*"
    r"(?:(?:[km]|[bt]n| (?:hundred|thousand|tausend|mill?e|mila|mil|[mb]ill?i?[oa]\w*|mio|mrd))\b)?)",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"(?<!\d)(\d{1,2})\u2044(\d{1,2})(?!\d)")
_NUMBER = re.compile(r"\{(?:([^{}/]*)/)?([^{}/]*)\}")
_ONE = re.compile(r"(?<![\d.,])1 ?\Z")
_COMPOSED = {normalize("NFKC", sign): sign for sign in _FRACTIONS}
_EAST_ASIAN = "\u2e80"


class _Plain(dict[int, str]):
    """Each character as digits and letters that every voice knows; found out when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _plain(chr(code))
        return plain


def spoken_form(text: str, language: str = "en") -> str:
    """The text with each numeral and symbol beyond ASCII as it is spoken in a language (a tag such as `de-AT`)."""
    if text.isascii():
        return text
    text = text.translate(_PLAIN)
    if _OF_TABLE.isdisjoint(text) and "\u2044" not in text:
        return text
    text = _FRACTION.sub(lambda match: _COMPOSED.get(match[0], f"{match[1]}/{match[2]}"), text)
    main = primary_subtag(language)
    if main not in _LANGUAGES:
        return text
    words = _words(main)
    return _signs().sub(lambda match: _said(match, words), _AMOUNT.sub(r"\2 \1", text))


def _plain(char: str) -> str:
    if char in _OF_TABLE or char == "\u2044" or char.isascii():
        return char
    kind = category(char)
    folded = _ALIKE.get(char, normalize("NFKC", char))
    if kind == "Nd":
        folded = str(int(numeric(char)))
    elif kind in ("Nl", "No") and not folded.isascii() and char < _EAST_ASIAN and numeric(char) >= 1:
        folded = f" {numeric(char):.0f} "
    elif kind == "Zs":
        folded = " "
    elif char not in _ALIKE and not folded.startswith("°"):
        folded = _as_letters(char, folded, kind)
    return folded


def _as_letters(char: str, folded: str, kind: str) -> str:
    if folded.isascii() and kind in ("Ll", "Lu", "Nl", "No", "So"):
        # Roman numerals join those beside them; ⑫, ㎏ and the 6 of 10⁶ do not.
        apart = decomposition(char).startswith(("<circle>", "<square>", "<compat>", "<super>")) and kind in ("No", "So")
        return f" {folded} " if apart else folded.upper() if kind == "Nl" else folded
    return " " if kind in ("So", "Sm") else char


_PLAIN = _Plain()


@cache
def _words(main: str) -> dict[str, str]:
    column = 1 + _LANGUAGES.index(main)
    return {row[0]: row[column] for row in _ROWS}


@cache
def _signs() -> re.Pattern[str]:
    fractions = f"(?P<whole>(?<=\\d) ?)?(?P<fraction>[{_FRACTIONS}])"
    units = "(?<![^\\W\\d_])(?P<unit>[kc]?m²|m³)(?!\\w)"
    others = "".join(sign for sign, *_ in _ROWS if len(sign) == 1 and sign not in f"+−′″{_FRACTIONS}")
    return re.compile(
        f"{fractions}|{units}|(?P<sign>°[CF](?!\\w)|(?<![\\w.])−(?=\\d)|(?<=\\d)[′″]|[{re.escape(others)}])"
    )


def _said(match: re.Match[str], words: dict[str, str]) -> str:
    fraction = match["fraction"]
    if fraction and match["whole"] is not None:
        said = words["+½"] if fraction == "½" else f"{words['+']} {words[fraction]}"
    else:
        said = words[fraction or match["unit"] or match["sign"]]
    text, (start, stop) = match.string, match.span()
    one = _ONE.search(text, max(0, start - 3), start) is not None
    said = _NUMBER.sub(r"\1" if one else r"\2", said)
    before = " " if start and text[start - 1].isalnum() else ""
    after = " " if stop < len(text) and (text[stop].isalnum() or text[stop] in _OF_TABLE) else ""
    return f"{before}{said}{after}"
