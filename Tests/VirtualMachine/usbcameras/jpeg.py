# SPDX-License-Identifier: Apache-2.0
"""MJPEG frames as webcams send them: baseline, 4:2:2."""
import random
import struct

from .numbering import draw_number


def regular(order):
    """Symbols of run and size in the order in which the long codes have them: for each run, the sizes given."""
    return [run << 4 | size for run, sizes in order for size in sizes]


# The tables of ITU-T T.81, annex K.3.
DC_LUMA = ([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], list(range(12)))
DC_CHROMA = ([0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], list(range(12)))
AC_LUMA = (
    [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D],
    list(bytes.fromhex("01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282"))
    + regular([(0, (9, 10)), (1, range(6, 11)), (2, range(5, 11)), (3, range(4, 11))]
              + [(run, range(3, 11)) for run in (4, 5, 6, 7, 8)] + [(run, range(2, 11)) for run in range(9, 14)]
              + [(14, range(1, 11)), (15, range(1, 11))]),
)
AC_CHROMA = (
    [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77],
    list(bytes.fromhex("000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f1"))
    + regular([(1, range(7, 11)), (2, range(6, 11)), (3, range(5, 11))]
              + [(run, range(3, 11)) for run in range(4, 8)] + [(run, range(2, 11)) for run in range(8, 16)]),
)


def huffman_codes(table):
    """From symbol to (code, length)."""
    counts, symbols = table
    codes, code, at = {}, 0, 0
    for length, count in enumerate(counts, 1):
        for symbol in symbols[at:at + count]:
            codes[symbol] = (code, length)
            code += 1
        at += count
        code <<= 1
    return codes


class JpegPainter:
    """Each block of 16x8 pixels (MCU) is a restart interval of its own, so a frame is put together from blocks that were
    encoded once: no encoder runs while the camera streams."""

    def __init__(self, width, height, seed=1):
        self.width, self.height = width, height
        self.columns, self.rows = -(-width // 16), -(-height // 8)
        self.codes = [huffman_codes(table) for table in (DC_LUMA, AC_LUMA, DC_CHROMA, AC_CHROMA)]
        self.head = self.make_head()
        chance = random.Random(seed)
        self.cells = [self.block(level, level, 128, 128) for level in (16, 235)]
        self.pool = [self.textured(chance) for _ in range(32)]
        self.background = {}

    def make_head(self):
        parts = [b"\xff\xd8"]
        # Steps of 8 for the mean, so that a mean is exact, and of 16 for the rest.
        for which in (0, 1):
            parts.append(struct.pack(">BBHB", 0xFF, 0xDB, 67, which) + bytes([8] + [16] * 63))
        parts.append(struct.pack(">BBHBHHB", 0xFF, 0xC0, 17, 8, self.height, self.width, 3)
                     + bytes([1, 0x21, 0, 2, 0x11, 1, 3, 0x11, 1]))
        for which, (counts, symbols) in ((0x00, DC_LUMA), (0x10, AC_LUMA), (0x01, DC_CHROMA), (0x11, AC_CHROMA)):
            parts.append(struct.pack(">BBHB", 0xFF, 0xC4, 19 + len(symbols), which) + bytes(counts) + bytes(symbols))
        parts.append(struct.pack(">BBHH", 0xFF, 0xDD, 4, 1))
        return b"".join(parts)

    def block(self, left, right, blue, red, texture=((), ())):
        """One MCU: the mean levels of its parts, and (zigzag position, value) pairs for its two blocks of luma."""
        dc_luma, ac_luma, dc_chroma, ac_chroma = self.codes
        bits, length = 0, 0

        def put(code, value=None):
            nonlocal bits, length
            bits, length = bits << code[1] | code[0], length + code[1]
            if value:
                size = abs(value).bit_length()
                bits, length = bits << size | (value if value > 0 else value + (1 << size) - 1), length + size

        def coefficients(mean, dc, ac, texture):
            put(dc[abs(mean).bit_length()], mean)
            last = 0
            for position, value in texture:
                run, last = position - last - 1, position
                while run > 15:
                    put(ac[0xF0])
                    run -= 16
                put(ac[run << 4 | abs(value).bit_length()], value)
            if last < 63:
                put(ac[0])

        coefficients(left - 128, dc_luma, ac_luma, texture[0])
        coefficients(right - left, dc_luma, ac_luma, texture[1])
        coefficients(blue - 128, dc_chroma, ac_chroma, ())
        coefficients(red - 128, dc_chroma, ac_chroma, ())
        padding = -length % 8
        bits = bits << padding | (1 << padding) - 1
        return bits.to_bytes((length + padding) // 8, "big").replace(b"\xff", b"\xff\x00")

    def textured(self, chance):
        texture = [
            [(position, chance.choice((-3, -2, -1, 1, 2, 3))) for position in sorted(chance.sample(range(1, 25), 4))]
            for _ in range(2)
        ]
        level = chance.randint(60, 180)
        return self.block(level, level + chance.randint(-20, 20), chance.randint(100, 156), chance.randint(100, 156), texture)

    def background_row(self, row, variant):
        """A row of textured blocks, each with its restart marker."""
        phase = row * self.columns % 8
        key = phase, variant
        if key not in self.background:
            chance = random.Random(variant)
            self.background[key] = [
                chance.choice(self.pool) + bytes((0xFF, 0xD0 | (phase + i) % 8)) for i in range(self.columns)
            ]
        return self.background[key]

    def frame(self, number):
        rows = draw_number(self.width, number)
        parts = [self.head, b"\xff\xda\x00\x0c\x03\x01\x00\x02\x11\x03\x11\x00\x3f\x00"]
        for row in range(self.rows):
            blocks = list(self.background_row(row, (row - number) % 24))
            phase = row * self.columns % 8
            for column, bit in (rows[row // 2] if row // 2 < len(rows) else {}).items():
                blocks[column] = self.cells[bit] + bytes((0xFF, 0xD0 | (phase + column) % 8))
            parts += blocks
        parts[-1] = parts[-1][:-2]
        parts.append(b"\xff\xd9")
        return b"".join(parts)
