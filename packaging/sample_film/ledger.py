"""The ledger: who lost what, always on a Thursday (1.9), and the line that is not about something lost (3.7)."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from sample_film.closeups import counter_wood, handwriting
from sample_film.hands import coat_sleeve, shirt_sleeve, writing_hand
from sample_film.looks import NORA, TOM
from sample_film.paint import HEIGHT, WIDTH, Canvas, Layer, glow, mixed, rgb, vignette
from sample_film.stage import Draw, Stage

INK = rgb("4a2f22")
NORA_INK = rgb("23406b")
_ROWS = (
    ("Thu 14 Oct", "Scarf, grey", "N. Vale"),
    ("Thu 21 Oct", "Book of poems", "N. Vale"),
    ("Thu 28 Oct", "Hat, felt", "N. Vale"),
    ("Thu 4 Nov", "Umbrella, red", "N. Vale"),
    ("Thu 11 Nov", "Supper for two, 8 o'clock", ""),
)
_LEFT = (118, 344, 692)
_TOP, _STEP, _SIZE = 148, 66, 34


def ledger(stage: Stage) -> Draw:
    """Either shot of the ledger: the later one turns it round first."""
    return _signed(stage) if "turn" in stage.shot.moments else _added(stage)


def _added(stage: Stage) -> Draw:
    ground = _page(4, 3)
    item, name = handwriting("Umbrella, red", _SIZE), handwriting("N. Vale", _SIZE)
    start, end = stage.shot.moments["write"]
    turning = start + (end - start) * 0.68

    def draw(t: float) -> Image.Image:
        picture = ground.copy()
        x, y = float(_LEFT[1]), float(_baseline(3))
        first = min(max((t - start) / (turning - 0.25 - start), 0), 1)
        second = min(max((t - turning) / (end - turning), 0), 1)
        written = _write(picture, item, 1, 3, first, INK)
        if second > 0:
            written = _write(picture, name, 2, 3, second, INK)
        moving = start < t < end
        rest = min(max((t - end) / 0.6, 0.0), 1.0)
        wobble = (5 if round(t / 0.08) % 2 else -4) if moving else 0
        x = written if t > start else x
        _hand("tom").onto(picture, x + 4 + 60 * rest, y + wobble + 30 * rest)
        return picture

    return draw


def _signed(stage: Stage) -> Draw:
    page = _page(5, 5)
    name = handwriting("N. Vale", _SIZE)
    start, end = stage.shot.moments["write"]

    def draw(t: float) -> Image.Image:
        turned = stage.go("turn", t)
        if turned < 1:
            return _turned(180 * (1 - turned))
        picture = page.copy()
        come, away = stage.go("hand", t), stage.go("away", t)
        done = min(max((t - start) / (end - start), 0), 1)
        x = _write(picture, name, 2, 4, done, NORA_INK)
        wobble = (5 if round(t / 0.08) % 2 else -4) if start < t < end else 0
        if come > 0 and away < 1:
            _hand("nora").onto(
                picture, x + 4 + 320 * (1 - come) + 380 * away, _baseline(4) + wobble + 260 * (1 - come) + 240 * away
            )
        return picture

    return draw


def _baseline(row: int) -> int:
    return _TOP + row * _STEP + 46


def _write(
    picture: Image.Image, words: Image.Image, column: int, row: int, share: float, ink: tuple[int, int, int]
) -> float:
    # Write the first `share` of some words; the value is where the nib is now.
    shown = round(words.width * share)
    x = _LEFT[column] - 6
    if shown > 0:
        picture.paste(ink, (x, _baseline(row) - round(_SIZE * 1.4)), words.crop((0, 0, shown, words.height)))
    return x + max(shown - 14, 4)


@lru_cache(maxsize=2)
def _page(rows: int, full: int) -> Image.Image:
    # `rows` lines have a date, the first `full` of them also their item; names as they stand in the table.
    canvas = Canvas(over=2, ground=rgb("6b4527"))
    pen = canvas.pen()
    for y in range(0, HEIGHT, 30):
        pen.line([(0, y), (WIDTH, y + 8)], 1.4, rgb("5a381f"))
    pen.rect(34, 30, 938, 560, rgb("3b2216"), round_by=10)
    pen.rect(44, 22, 928, 560, rgb("5c2f26"), round_by=10)
    for k in range(4):
        pen.rect(60, 36 + k, 914 - k * 3, 560, mixed(rgb("f6ecd3"), rgb("cdbd97"), 0.3 * (3 - k) / 3), round_by=4)
    pen.shape([(60, 40), (92, 40), (80, 560), (60, 560)], rgb("dccba4"))
    for row in range(7):
        y = _TOP + row * _STEP + 56
        pen.line([(96, y), (896, y)], 1.4, rgb("a9bcc4"))
    for x in (324, 672):
        pen.line([(x, 60), (x, 560)], 1.4, rgb("d29a8c"))
    pen.line([(96, 138), (896, 138)], 2.4, rgb("a9635a"))
    for x, head in zip(_LEFT, ("DATE", "LOST", "OWNER"), strict=True):
        pen.text(x, 108, head, 22, rgb("8a4a42"), anchor="lm")
    picture = canvas.picture()
    for k, row in enumerate(_ROWS[:rows]):
        for column, text in enumerate(row):
            if text and (column == 0 or k < full):
                _write(picture, handwriting(text, _fit(text)), column, k, 1.0, INK)
    glow(470, 190, 640, 420, rgb("ffe3ae"), 0.34).onto(picture)
    return vignette(picture, 0.5)


def _fit(text: str) -> int:
    return 29 if len(text) > 20 else _SIZE


@lru_cache(maxsize=1)
def _book() -> Image.Image:
    # The book alone, in a picture with its middle in the middle, to be turned.
    page = _page(5, 5).crop((34, 22, 938, HEIGHT))
    around = Image.new("RGBA", (1100, 1100), (0, 0, 0, 0))
    around.paste(page, (550 - page.width // 2, 550 - page.height // 2))
    return around


def _turned(degrees: float) -> Image.Image:
    picture = counter_wood().copy()
    book = _book().rotate(degrees, Image.Resampling.BILINEAR)
    picture.paste(book, (486 - 550, 281 - 550), book)
    return picture


@lru_cache(maxsize=2)
def _hand(who: str) -> Layer:
    canvas = Canvas((-40, -90, 420, 470), over=2)
    look = TOM if who == "tom" else NORA
    writing_hand(canvas.pen().at(0, 0, 1.15), look.skin, look.shade, shirt_sleeve if who == "tom" else coat_sleeve)
    return canvas.layer()
