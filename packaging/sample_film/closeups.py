"""The close-ups: under the counter, the ledger, the glove on the bench, the counter's top, the calendar."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw

from sample_film.hands import coat_sleeve, flat_hand, open_palm, shirt_sleeve
from sample_film.looks import GREEN, NORA, RED, TOM
from sample_film.paint import HEIGHT, WIDTH, Canvas, Layer, Pen, font, glow, gradient, mixed, rgb, vignette
from sample_film.props import furled_umbrella, glove, suitcase, tag
from sample_film.stage import Draw, Stage, Still
from sample_film.weather import splashes


def under(stage: Stage) -> Draw:
    """1.5: the red umbrella below the counter, and the shoe that hides it."""
    canvas = Canvas(over=2)
    canvas.image.paste(
        gradient((WIDTH * 2, HEIGHT * 2), (0, rgb("1a100b")), (0.6, rgb("3b2417")), (1, rgb("4a2e1d"))), (0, 0)
    )
    pen = canvas.pen()
    for x in range(-20, WIDTH, 118):
        pen.rect(x, 40, x + 112, 420, rgb("3a2418"))
        pen.rect(x, 40, x + 6, 420, rgb("4b3020"))
    pen.rect(0, 0, WIDTH, 46, rgb("6b4426"))
    pen.rect(0, 38, WIDTH, 52, rgb("2a190f"))
    pen.shape([(0, 420), (WIDTH, 420), (WIDTH, HEIGHT), (0, HEIGHT)], rgb("7a5435"))
    for k in range(-6, 20):
        pen.line([(480 + (k * 80 - 560) * 0.9, 420), (480 + (k * 80 - 560) * 1.3, HEIGHT)], 2, rgb("573921"))
    ground = canvas.picture()
    glow(620, 330, 460, 330, rgb("ffcf87"), 0.34).onto(ground)
    ground = vignette(ground, 0.6)
    case = Canvas((40, 120, 420, 500), over=2)
    suitcase(case.pen().at(224, 472, 1.0), 310, 306, rgb("7a5640"))
    case.pen().text(224, 300, "W. H.", 26, rgb("c9a873"))
    suitcase_layer = case.layer()
    umbrella = Canvas((-120, -60, 120, 350), over=3)
    stick = umbrella.pen().at(0, 0, 1.28, turn=184)
    furled_umbrella(stick, 240, RED)
    tag(umbrella.pen(), -4, 44, 2.7, "N. VALE", turn=-8)
    umbrella_layer = umbrella.layer()
    legs = _leg(rgb("2b2d36"))
    front = _leg(rgb("3a3d47"))

    def draw(t: float) -> Image.Image:
        picture = ground.copy()
        push = stage.go("push", t)
        reach = stage.go("foot", t)
        back = stage.go("withdraw", t)
        legs.onto(picture, 742, 0)
        umbrella_layer.onto(picture, 540 - 330 * push, 178)
        suitcase_layer.onto(picture)
        front.onto(picture, 838 - 190 * reach - 190 * push + 340 * back, 0)
        return picture

    return draw


def _leg(colour: tuple[int, int, int]) -> Layer:
    canvas = Canvas((-190, -20, 90, 500), over=2)
    pen = canvas.pen()
    pen.shape([(-46, -20), (62, -20), (46, 420), (-38, 420)], colour)
    pen.shape([(-2, -20), (20, -20), (12, 420), (-4, 420)], mixed(colour, (0, 0, 0), 0.25))
    shoe = rgb("4a2c20")
    pen.blob([(-44, 408), (44, 404), (52, 440), (50, 478), (-60, 480), (-128, 476), (-134, 456), (-104, 436)], shoe)
    pen.blob([(-100, 440), (-60, 424), (-40, 440), (-80, 462), (-122, 460)], mixed(shoe, (255, 220, 180), 0.22))
    pen.rect(-132, 474, 50, 484, rgb("1d120d"), round_by=4)
    for k in range(3):
        pen.line([(-56 + k * 12, 420 + k * -3), (-38 + k * 12, 436 - k * 3)], 3, rgb("d9c7a3"))
    return canvas.layer()


def glove_on_bench(stage: Stage) -> Draw:
    """2.4: the glove laid down, its fingers stroked straight, the hand taken away."""
    ground = _slats()

    def draw(t: float) -> Image.Image:
        picture = ground.copy()
        lay, stroke, away = stage.go("lay", t), stage.go("stroke", t), stage.go("withdraw", t)
        gx, gy = 452 + 330 * (1 - lay), 352 + 60 * (1 - lay)
        _glove_layer(round(stroke * 6) / 6, turn=-12).onto(picture, gx, gy)
        start, end = stage.shot.moments["stroke"]
        sweep = 0.0
        if start < t < end:
            sweep = ((t - start) / (end - start) * 4) % 1.0
            finger = int((t - start) / (end - start) * 4)
            hx, hy = 414 + finger * 26, 330 - 74 * sweep
        else:
            hx, hy = gx + 66, gy - 14
        _hand_layer("nora").onto(picture, hx + 96 + 560 * away, hy + 128 + 120 * away)
        splashes(picture, stage.drawing(t), (0, 30, WIDTH, 130), 5)
        return picture

    return draw


@lru_cache(maxsize=1)
def _slats() -> Image.Image:
    canvas = Canvas(over=2, ground=rgb("0e1622"))
    pen = canvas.pen()
    wood, dark, light = rgb("7a563a"), rgb("4d3322"), rgb("a98257")
    for k in range(5):
        y = 18 + k * 108
        pen.rect(-10, y, WIDTH + 10, y + 96, dark, round_by=8)
        pen.rect(-10, y, WIDTH + 10, y + 90, wood, round_by=8)
        pen.rect(-10, y, WIDTH + 10, y + 7, light, round_by=4)
        dice = np.random.default_rng(k)
        for _ in range(7):
            x, v = dice.uniform(-60, WIDTH), dice.uniform(16, 80)
            pen.curve([(x, y + v), (x + 90, y + v + 3), (x + 200, y + v - 3)], 1.5, mixed(wood, dark, 0.5))
        for x in (110, 850):
            pen.ellipse(x, y + 46, 8, 8, dark)
            pen.ellipse(x - 1, y + 45, 5, 5, rgb("9aa4ab"))
        for _ in range(9):
            x, v, r = dice.uniform(0, WIDTH), dice.uniform(12, 84), dice.uniform(3, 9)
            pen.ellipse(x, y + v, r, r * 0.7, mixed(wood, (170, 195, 215), 0.35))
            pen.ellipse(x - r * 0.3, y + v - r * 0.25, r * 0.3, r * 0.2, (225, 235, 242))
    picture = canvas.picture()
    glow(430, 250, 520, 380, rgb("ffd08a"), 0.3).onto(picture)
    cool = Image.new("RGB", picture.size, rgb("1d3350"))
    return vignette(Image.blend(picture, cool, 0.22), 0.6)


@lru_cache(maxsize=10)
def _glove_layer(straight: float, turn: float, size: float = 1.55) -> Layer:
    canvas = Canvas((-190, -250, 190, 80), over=2)
    glove(canvas.pen().at(0, 0, size, turn=turn), GREEN, straight=straight)
    return canvas.layer()


@lru_cache(maxsize=6)
def _hand_layer(which: str) -> Layer:
    canvas = Canvas((-330, -330, 420, 480), over=2)
    pen = canvas.pen()
    if which == "nora":
        flat_hand(pen.at(0, 0, 1.25, turn=-52), NORA.skin, NORA.shade, coat_sleeve)
    elif which == "nora-gloved":
        flat_hand(pen.at(0, 0, 1.15, turn=22), GREEN, mixed(GREEN, (0, 30, 20), 0.4), coat_sleeve, thumb=1, nails=False)
    elif which == "nora-bare":
        flat_hand(pen.at(0, 0, 1.15, turn=-22), NORA.skin, NORA.shade, coat_sleeve)
    elif which == "tom":
        flat_hand(pen.at(0, 0, 1.25, turn=186), TOM.skin, TOM.shade, shirt_sleeve, curl=0.25)
    else:
        open_palm(pen.at(0, 0, 1.25, turn=186), TOM.skin, TOM.shade, shirt_sleeve)
    return canvas.layer()


def countertop(stage: Stage) -> Draw:
    """3.4: Tom lays down the glove, then the umbrella; his hand stays, open."""
    ground = counter_wood()
    umbrella = Canvas((-260, -120, 330, 120), over=2)
    furled_umbrella(umbrella.pen().at(180, 10, 1.5, turn=-82), 270, RED)
    tag(umbrella.pen(), 116, 18, 2.1, "N. VALE", turn=24)
    umbrella_layer = umbrella.layer()

    def draw(t: float) -> Image.Image:
        picture = ground.copy()
        lay, leave = stage.go("glove", t), stage.go("leave", t)
        bring, turn = stage.go("umbrella", t), stage.go("open_hand", t)
        if t > stage.shot.moments["glove"][0]:
            _glove_layer(1.0, -8.0).onto(picture, 318, 330 - 330 * (1 - lay))
        ux, uy = 590, 300 - 380 * (1 - bring)
        if bring > 0:
            umbrella_layer.onto(picture, ux, uy)
        _hand_layer("nora-gloved").onto(picture, 150, 560)
        _hand_layer("nora-bare").onto(picture, 700, 566)
        if bring == 0:
            _hand_layer("tom").onto(picture, 330 - 40 * leave, 120 - 330 * (1 - lay) - 340 * leave)
        elif turn == 0:
            _hand_layer("tom").onto(picture, ux + 8, uy - 150)
        else:
            _hand_layer("tom" if turn < 0.5 else "tom-open").onto(picture, ux + 8, 150 - 40 * (1 - abs(2 * turn - 1)))
        return picture

    return draw


@lru_cache(maxsize=1)
def counter_wood() -> Image.Image:
    """The counter's top from above."""
    canvas = Canvas(over=2, ground=rgb("a06a3a"))
    pen = canvas.pen()
    dice = np.random.default_rng(3)
    for k in range(6):
        y = k * 96 - 14
        pen.rect(0, y, WIDTH, y + 96, mixed(rgb("a06a3a"), rgb("8a5a30"), float(dice.uniform(0, 0.6))))
        pen.line([(0, y), (WIDTH, y)], 2.2, rgb("6b4323"))
        for _ in range(6):
            x, v = dice.uniform(-90, WIDTH), dice.uniform(12, 84)
            pen.curve([(x, y + v), (x + 130, y + v + 5), (x + 290, y + v - 4)], 1.6, rgb("8a5a30"))
    pen.rect(0, 486, WIDTH, 498, rgb("d9a669"))
    pen.rect(0, 498, WIDTH, HEIGHT, rgb("5a3a20"))
    picture = canvas.picture()
    glow(480, 220, 620, 420, rgb("ffe0a6"), 0.5).onto(picture)
    return vignette(picture, 0.55)


def calendar(stage: Stage) -> Draw:
    """3.1: Thursday the eleventh; the clock says seven, and its second hand moves."""
    canvas = Canvas(over=2)
    canvas.image.paste(gradient((WIDTH * 2, HEIGHT * 2), (0, rgb("35524c")), (1, rgb("47685f"))), (0, 0))
    pen = canvas.pen()
    for x in range(0, WIDTH, 120):
        pen.line([(x, 0), (x, HEIGHT)], 2, rgb("2f4a44"))
    pen.rect(196, 92, 476, 470, rgb("24362f"), round_by=6)
    for k in range(4):
        pen.rect(
            188 - k, 82 - k * 2, 468 - k, 458 - k * 2, mixed(rgb("f4ead2"), rgb("c9b995"), 0.25 * (3 - k)), round_by=4
        )
    pen.rect(185, 76, 465, 158, rgb("b23a30"), round_by=4)
    pen.text(325, 120, "NOVEMBER", 40, rgb("f7ecd5"))
    pen.text(325, 278, "11", 190, rgb("2f2622"))
    pen.text(325, 410, "THURSDAY", 44, rgb("b23a30"))
    for x in (248, 402):
        pen.ellipse(x, 88, 8, 8, rgb("7c241f"))
        pen.line([(x, 64), (x, 90)], 6, rgb("c9c3b8"))
    _dial(pen)
    ground = canvas.picture()
    glow(470, 120, 640, 460, rgb("ffcf87"), 0.4).onto(ground)
    ground = vignette(ground, 0.5)

    still = Still()

    def paint(half_seconds: int) -> Image.Image:
        picture = ground.copy()
        piece = Canvas((560, 130, 840, 410), over=2)
        hand = piece.pen().at(700, 270, turn=half_seconds * 3 + 90)
        hand.line([(0, 22), (0, -104)], 2.6, rgb("b23a30"))
        hand.ellipse(0, 0, 7, 7, rgb("b23a30"))
        piece.layer().onto(picture)
        return picture

    def draw(t: float) -> Image.Image:
        now = int(t * 2) + stage.drawing(0) % 20
        return still.show(now, lambda: paint(now))

    return draw


def _dial(pen: Pen) -> None:
    pen.ellipse(704, 278, 152, 152, rgb("24362f"))
    pen.ellipse(700, 270, 150, 150, rgb("4a2f20"))
    pen.ellipse(700, 270, 138, 138, rgb("7c5433"))
    pen.ellipse(700, 270, 126, 126, rgb("f4ead2"))
    dial = pen.at(700, 270)
    for k in range(60):
        tick = dial.at(0, 0, turn=k * 6)
        tick.line([(0, -118), (0, -108 if k % 5 == 0 else -114)], 4 if k % 5 == 0 else 1.6, rgb("2f2622"))
    for number, x, y in (("12", 0, -90), ("3", 92, 0), ("6", 0, 90), ("9", -92, 0)):
        dial.text(x, y, number, 30, rgb("2f2622"))
    dial.at(0, 0, turn=210).line([(0, 14), (0, -62)], 9, rgb("2f2622"))
    dial.line([(0, 16), (0, -98)], 6, rgb("2f2622"))
    dial.ellipse(0, 0, 9, 9, rgb("2f2622"))


def handwriting(text: str, size: int) -> Image.Image:
    """A mask of slanting, slightly uneven letters."""
    dice = np.random.default_rng(len(text) * 31 + ord(text[0]))
    mask = Image.new("L", (size * len(text), size * 2))
    draw = ImageDraw.Draw(mask)
    x = float(size)
    for letter in text:
        draw.text((x, size * 1.4 + dice.uniform(-0.035, 0.035) * size), letter, 255, font(size), anchor="ls")
        x += draw.textlength(letter, font(size)) * 0.94
    slanted = mask.transform(
        mask.size, Image.Transform.AFFINE, (1, 0.24, -0.34 * size, 0, 1, 0), Image.Resampling.BICUBIC
    )
    return slanted.crop((size // 2, 0, min(slanted.width, round(x + size * 0.6)), size * 2))
