"""Painting with smooth edges: everything is drawn several times too large and then reduced.

Positions are pixels of the film's picture (960 by 540), y downward. A `Pen` maps drawings of its own onto a canvas, so
that a figure is designed once and stands anywhere, at any size, turned or mirrored.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

Point = tuple[float, float]
Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]

WIDTH, HEIGHT = 960, 540
FULL: Box = (0, 0, WIDTH, HEIGHT)


def rgb(code: str) -> Colour:
    """A colour from its six hexadecimal digits."""
    return int(code[0:2], 16), int(code[2:4], 16), int(code[4:6], 16)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """A colour between two: `share` of the other."""
    return (
        round(one[0] + (other[0] - one[0]) * share),
        round(one[1] + (other[1] - one[1]) * share),
        round(one[2] + (other[2] - one[2]) * share),
    )


def smooth(points: Sequence[Point], *, closed: bool, steps: int = 8) -> list[Point]:
    """A Catmull-Rom curve through the points."""
    count = len(points)
    weights = _catmull_rom(steps)
    found: list[Point] = []
    for k in range(count if closed else count - 1):
        x0, y0 = points[(k - 1) % count] if closed or k > 0 else points[0]
        x1, y1 = points[k]
        x2, y2 = points[(k + 1) % count]
        x3, y3 = points[(k + 2) % count] if closed or k + 2 < count else points[-1]
        found += [(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3) for a, b, c, d in weights]
    if not closed:
        found.append(points[-1])
    return found


@cache
def _catmull_rom(steps: int) -> tuple[tuple[float, float, float, float], ...]:
    return tuple(
        (
            (-t + 2 * t**2 - t**3) / 2,
            (2 - 5 * t**2 + 3 * t**3) / 2,
            (t + 4 * t**2 - 3 * t**3) / 2,
            (t**3 - t**2) / 2,
        )
        for t in (step / steps for step in range(steps))
    )


def between_knots(values: Sequence[float], share: float) -> float:
    """The value at a share of the way along evenly spaced knots."""
    place = share * (len(values) - 1)
    k = min(int(place), len(values) - 2)
    return values[k] + (values[k + 1] - values[k]) * (place - k)


def eased(t: float, span: tuple[float, float]) -> float:
    """How far a movement within `span` is at `t`: 0 before, 1 after, gently in and out."""
    start, end = span
    share = min(max((t - start) / (end - start), 0.0), 1.0)
    return share * share * (3 - 2 * share)


def between(one: Point, other: Point, share: float) -> Point:
    """A point on the way from one to another."""
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def steps(value: float) -> float:
    """A movement in eighteen steps, so that equal poses are painted once."""
    return round(value * 18) / 18


def stride(t: float, pace: float) -> float:
    """The phase of a walk of so many strides a second, in tenths, so that equal steps are painted once."""
    return round((t * pace) % 1.0 * 10) / 10


@cache
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The typeface that comes with Pillow, the same on every machine."""
    return ImageFont.load_default(size)


@dataclass(frozen=True)
class Layer:
    """A painted piece of picture with its place; `image` is RGBA."""

    image: Image.Image
    x: int
    y: int

    @cached_property
    def _parts(self) -> tuple[Image.Image, Image.Image, int, int]:
        # Colours and mask are taken apart once, and only where there is something to see.
        box = self.image.getbbox() or (0, 0, 1, 1)
        seen = self.image.crop(box)
        return seen.convert("RGB"), seen.getchannel("A"), self.x + box[0], self.y + box[1]

    def onto(self, picture: Image.Image, dx: float = 0, dy: float = 0) -> None:
        """Lay it on a picture, moved by whole pixels."""
        colours, mask, x, y = self._parts
        picture.paste(colours, (x + round(dx), y + round(dy)), mask)


class Canvas:
    """A stretch of the picture being painted, `over` times too large."""

    def __init__(self, box: Box = FULL, *, over: int = 3, ground: Colour | None = None) -> None:
        self.x, self.y = math.floor(box[0]), math.floor(box[1])
        self.width, self.height = math.ceil(box[2]) - self.x, math.ceil(box[3]) - self.y
        self.over = over
        size = (self.width * over, self.height * over)
        self.image = Image.new("RGBA", size, (*ground, 255) if ground else (0, 0, 0, 0))
        self.draw = ImageDraw.Draw(self.image)

    def pen(self, *, light: Colour = (255, 255, 255)) -> Pen:
        """A pen in the picture's own coordinates."""
        return Pen(self, (self.over, 0, 0, self.over, -self.x * self.over, -self.y * self.over), light)

    def layer(self) -> Layer:
        """The finished piece, cut down to what has been painted."""
        box = self.image.getbbox()
        if box is None:
            return Layer(Image.new("RGBA", (1, 1)), self.x, self.y)
        x0, y0, x1, y1 = box[0] // self.over, box[1] // self.over, -(-box[2] // self.over), -(-box[3] // self.over)
        painted = self.image.crop((x0 * self.over, y0 * self.over, x1 * self.over, y1 * self.over))
        return Layer(painted.reduce(self.over), self.x + x0, self.y + y0)

    def picture(self) -> Image.Image:
        """The finished piece as a picture without transparency."""
        return self.image.reduce(self.over).convert("RGB")


def _ribbon(path: Sequence[Point], reach: Sequence[float]) -> list[Point]:
    # The outline of a band along a path that reaches so far to either side at each point.
    left: list[Point] = []
    right: list[Point] = []
    last = len(path) - 1
    for k, (x, y) in enumerate(path):
        (x0, y0), (x1, y1) = path[max(k - 1, 0)], path[min(k + 1, last)]
        dx, dy = x1 - x0, y1 - y0
        scale = reach[k] / (math.hypot(dx, dy) or 1.0)
        left.append((x - dy * scale, y + dx * scale))
        right.append((x + dy * scale, y - dx * scale))
    right.reverse()
    return left + right


def side_of(outline: Sequence[Point], side: int, from_: float) -> list[Point]:
    """The part of an outline that lies beyond `from_` on one side (−1 left, 1 right)."""
    return [(x, y) for x, y in outline if x * side > from_]


@cache
def _circle(count: int) -> tuple[Point, ...]:
    return tuple((math.cos(2 * math.pi * k / count), math.sin(2 * math.pi * k / count)) for k in range(count))


@dataclass(frozen=True)
class Pen:
    """Draws on a canvas through an affine map; `light` is the colour of the light that falls on what it draws."""

    canvas: Canvas
    map: tuple[float, float, float, float, float, float]
    light: Colour = (255, 255, 255)

    def at(self, x: float, y: float, size: float = 1.0, *, turn: float = 0.0, mirror: bool = False) -> Pen:
        """A pen whose origin is here, turned clockwise by `turn` degrees."""
        a, b, c, d, e, f = self.map
        cos, sin = math.cos(math.radians(turn)) * size, math.sin(math.radians(turn)) * size
        flip = -1 if mirror else 1
        return Pen(
            self.canvas,
            (
                (a * cos + c * sin) * flip,
                (b * cos + d * sin) * flip,
                -a * sin + c * cos,
                -b * sin + d * cos,
                a * x + c * y + e,
                b * x + d * y + f,
            ),
            self.light,
        )

    def lit(self, light: Colour) -> Pen:
        """The same pen in another light."""
        return Pen(self.canvas, self.map, light)

    @property
    def size(self) -> float:
        """How many pixels of the canvas one unit is."""
        a, b, c, d, _, _ = self.map
        return math.sqrt(abs(a * d - b * c))

    def spot(self, point: Point) -> Point:
        """Where a point lies on the canvas."""
        a, b, c, d, e, f = self.map
        return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f

    def spots(self, points: Sequence[Point]) -> list[Point]:
        """Where points lie on the canvas."""
        a, b, c, d, e, f = self.map
        return [(a * x + c * y + e, b * x + d * y + f) for x, y in points]

    def ink(self, colour: Colour) -> Colour:
        """The colour in this pen's light."""
        if self.light == (255, 255, 255):
            return colour
        red, green, blue = (c * k // 255 for c, k in zip(colour, self.light, strict=True))
        return red, green, blue

    def shape(self, points: Sequence[Point], colour: Colour) -> None:
        """A filled polygon."""
        self.canvas.draw.polygon(self.spots(points), fill=self.ink(colour))

    def blob(self, points: Sequence[Point], colour: Colour, steps: int = 8) -> None:
        """A filled smooth outline through the points."""
        self.shape(smooth(points, closed=True, steps=steps), colour)

    def ellipse(self, x: float, y: float, rx: float, ry: float, colour: Colour, *, turn: float = 0.0) -> None:
        """A filled ellipse about a centre."""
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        ring = _circle(44 if max(rx, ry) * self.size > 20 else 18)
        self.shape([(x + u * rx * cos - v * ry * sin, y + u * rx * sin + v * ry * cos) for u, v in ring], colour)

    def rect(self, x0: float, y0: float, x1: float, y1: float, colour: Colour, *, round_by: float = 0.0) -> None:
        """A filled rectangle, its corners rounded."""
        x0, x1 = min(x0, x1), max(x0, x1)
        if round_by <= 0:
            self.shape([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], colour)
            return
        r = min(round_by, abs(x1 - x0) / 2, abs(y1 - y0) / 2)
        corners = ((x1 - r, y0 + r, -90), (x1 - r, y1 - r, 0), (x0 + r, y1 - r, 90), (x0 + r, y0 + r, 180))
        self.shape(
            [
                (cx + r * math.cos(math.radians(from_ + k * 15)), cy + r * math.sin(math.radians(from_ + k * 15)))
                for cx, cy, from_ in corners
                for k in range(7)
            ],
            colour,
        )

    def line(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        """A line with round ends."""
        ink, thick = self.ink(colour), max(1, round(width * self.size))
        spots = self.spots(points)
        if thick <= 2:
            self.canvas.draw.line(spots, fill=ink, width=thick)
            return
        r = thick / 2
        if len(spots) == 2:
            self.canvas.draw.line(spots, fill=ink, width=thick)
        else:
            self.canvas.draw.polygon(_ribbon(spots, [r] * len(spots)), fill=ink)
        for x, y in (spots[0], spots[-1]):
            self.canvas.draw.ellipse((x - r, y - r, x + r - 1, y + r - 1), fill=ink)

    def curve(self, points: Sequence[Point], width: float, colour: Colour, *, closed: bool = False) -> None:
        """A smooth line through the points."""
        path = smooth(points, closed=closed)
        self.line([*path, path[0]] if closed else path, width, colour)

    def limb(self, points: Sequence[Point], widths: Sequence[float], colour: Colour) -> None:
        """A smooth limb through the points that is as thick at each as `widths` says; its ends are round."""
        path = smooth(points, closed=False, steps=6) if len(points) > 2 else list(points)
        thick = [between_knots(widths, k / (len(path) - 1)) for k in range(len(path))]
        self.shape(_ribbon(path, [width / 2 for width in thick]), colour)
        for (x, y), width in ((path[0], widths[0]), (path[-1], widths[-1])):
            self.ellipse(x, y, width / 2, width / 2, colour)

    def text(
        self, x: float, y: float, text: str, size: float, colour: Colour, *, anchor: str = "mm", turn: float = 0.0
    ) -> None:
        """Letters about a point; they are never mirrored."""
        pixels = max(4, round(size * self.size))
        if not turn:
            self.canvas.draw.text(self.spot((x, y)), text, self.ink(colour), font(pixels), anchor=anchor)
            return
        room = Image.new("L", (round(pixels * len(text) * 0.8) + pixels, pixels * 2))
        ImageDraw.Draw(room).text((room.width / 2, room.height / 2), text, 255, font(pixels), anchor="mm")
        turned = room.rotate(-turn, Image.Resampling.BICUBIC, expand=True)
        cx, cy = self.spot((x, y))
        spot = (round(cx - turned.width / 2), round(cy - turned.height / 2))
        self.canvas.image.paste(self.ink(colour), spot, turned)


def gradient(size: tuple[int, int], *stops: tuple[float, Colour]) -> Image.Image:
    """A picture whose colour runs from top to bottom through stops (share of the height, colour)."""
    rows = np.linspace(0, 1, size[1])
    column = np.stack([np.interp(rows, [s[0] for s in stops], [s[1][c] for s in stops]) for c in range(3)], axis=1)
    # A little fixed dither keeps broad gradients from showing steps.
    dither = (
        np.random.default_rng(7).uniform(-0.6, 0.6, (size[1], 240, 1)).repeat(-(-size[0] // 240), axis=1)[:, : size[0]]
    )
    return Image.fromarray(np.clip(column[:, None, :] + dither, 0, 255).round().astype(np.uint8), "RGB")


def glow(x: float, y: float, rx: float, ry: float, colour: Colour, strength: float) -> Layer:
    """A soft light about a point, to be laid on with `add_light`."""
    w, h = math.ceil(rx), math.ceil(ry)
    v, u = np.mgrid[-h : h + 1, -w : w + 1].astype(np.float32)
    fall = np.clip(1 - np.sqrt((u / max(rx, 1)) ** 2 + (v / max(ry, 1)) ** 2), 0, 1) ** 2
    alpha = np.clip(fall * 255 * strength, 0, 255).astype(np.uint8)
    image = Image.new("RGBA", (2 * w + 1, 2 * h + 1), (*colour, 0))
    image.putalpha(Image.fromarray(alpha, "L"))
    return Layer(image, round(x) - w, round(y) - h)


def blurred(picture: Image.Image, radius: float) -> Image.Image:
    """Out of focus."""
    return picture.filter(ImageFilter.GaussianBlur(radius))


def vignette(picture: Image.Image, strength: float = 0.45) -> Image.Image:
    """Darker towards the corners."""
    v, u = np.mgrid[-1 : 1 : picture.height * 1j, -1 : 1 : picture.width * 1j]
    fall = 1 - strength * np.clip((u**2 + v**2) / 2, 0, 1) ** 1.3
    return Image.fromarray((np.asarray(picture) * fall[:, :, None]).round().astype(np.uint8), "RGB")
