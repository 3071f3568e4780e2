#!/usr/bin/env python3
"""Makes fallback.glyphs, the letters that the game's own stroke font lacks.

    make_fallback.py FOLDER_OF_U8G2_FONTS NOTO_EMOJI.ttf

The folder is src/fonts of the crate u8g2-fonts 0.8.0, the emoji are fonts/NotoEmoji-Regular.ttf of the crate
epaint_default_fonts 0.37.0. Needs Pillow and fontTools. README.md describes the result.
"""

import sys
from pathlib import Path

from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

# A font, and the ranges of letters that are taken from it, unless an earlier font has them.
FONTS = [
    ("6x13_t_hebrew", [(0x590, 0x5FF)]),
    ("6x13_t_cyrillic", [(0x400, 0x52F)]),
    ("10x20_t_arabic", [(0x600, 0x6FF)]),
    ("10x20_t_greek", [(0x370, 0x3FF)]),
    ("boutique_bitmap_9x9_t_all", [(0x100, 0xFFFF)]),
]
EMOJI_PIXELS, EMOJI_CAPITAL = 16, 11


class Bits:
    """Bits of bytes, the lowest first."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        value = 0
        for bit in range(count):
            value |= (self.data[(self.at + bit) >> 3] >> ((self.at + bit) & 7) & 1) << bit
        self.at += count
        return value

    def take_signed(self, count):
        return self.take(count) - (1 << (count - 1))


def u8g2(path):
    """The glyphs above U+00FF: (advance, left, bottom, rows), each row as a list of bits, and the height of a capital."""
    data = path.read_bytes()
    zeros, ones, width_bits, height_bits, x_bits, y_bits, advance_bits = data[2:9]
    glyphs, at = {}, 23 + int.from_bytes(data[21:23], "big")
    at += int.from_bytes(data[at : at + 2], "big")
    while code := int.from_bytes(data[at : at + 2], "big"):
        bits = Bits(data[at + 3 : at + data[at + 2] + 8])
        width, height = bits.take(width_bits), bits.take(height_bits)
        left, bottom, advance = bits.take_signed(x_bits), bits.take_signed(y_bits), bits.take_signed(advance_bits)
        pixels = []
        while len(pixels) < width * height:
            dark, light = bits.take(zeros), bits.take(ones)
            pixels += [0] * dark + [1] * light
            while bits.take(1):
                pixels += [0] * dark + [1] * light
        glyphs[code] = (advance, left, bottom, [pixels[row * width : (row + 1) * width] for row in range(height)])
        at += data[at + 2]
    return glyphs, data[13]


def emoji(path):
    """The glyphs of a font of outlines, as pixels."""
    font, glyphs = ImageFont.truetype(str(path), EMOJI_PIXELS), {}
    for code in TTFont(path).getBestCmap():
        if code < 0x2190:
            continue
        image = Image.new("L", (3 * EMOJI_PIXELS, 3 * EMOJI_PIXELS))
        ImageDraw.Draw(image).text((EMOJI_PIXELS, 2 * EMOJI_PIXELS), chr(code), 255, font, "ls")
        image = image.point(lambda level: 255 if level > 110 else 0)
        box = image.getbbox()
        if box is None:
            continue
        left, top, right, bottom = box
        rows = [[image.getpixel((x, y)) // 255 for x in range(left, right)] for y in range(top, bottom)]
        glyphs[code] = (right - left + 1, 0, 2 * EMOJI_PIXELS - bottom, rows)
    return glyphs


def record(glyph, capital):
    advance, left, bottom, rows = glyph
    # Without empty columns and rows around it.
    while rows and not any(rows[0]):
        rows = rows[1:]
    while rows and not any(rows[-1]):
        rows, bottom = rows[:-1], bottom + 1
    if not rows:
        return None
    first = min(row.index(1) for row in rows if any(row))
    last = max(len(row) - row[::-1].index(1) for row in rows if any(row))
    pixels = [bit for row in rows for bit in row[first:last]]
    packed = bytearray((len(pixels) + 7) // 8)
    for index, bit in enumerate(pixels):
        packed[index >> 3] |= bit << (index & 7)
    return bytes([capital, last - first, len(rows), bottom & 0xFF]) + bytes(packed)


def main():
    folder, noto = map(Path, sys.argv[1:])
    records = {}
    for name, ranges in FONTS:
        glyphs, capital = u8g2(folder / f"u8g2_font_{name}.u8g2font")
        for code, glyph in glyphs.items():
            made = record(glyph, capital) if any(low <= code <= high for low, high in ranges) else None
            if made and not 0xE000 <= code < 0xF900:
                records.setdefault(code, made)
    for code, glyph in emoji(noto).items():
        made = record(glyph, EMOJI_CAPITAL)
        if made and not 0xE000 <= code < 0xF900 and code < 0xE0000:
            records.setdefault(code, made)
    index, data = bytearray(), bytearray()
    for code in sorted(records):
        index += code.to_bytes(3, "little") + len(data).to_bytes(3, "little")
        data += records[code]
    Path(__file__).with_name("fallback.glyphs").write_bytes(len(records).to_bytes(3, "little") + index + data)
    print(len(records), "glyphs,", 3 + len(index) + len(data), "bytes")


main()
