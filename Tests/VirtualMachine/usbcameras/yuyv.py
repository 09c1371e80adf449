# SPDX-License-Identifier: Apache-2.0
"""Raw frames: YUYV."""
from .numbering import CELL, draw_number


class YuyvPainter:
    """Coloured bars that move sideways under the number."""

    def __init__(self, width, height, seed=1):
        self.width, self.height = width, height
        self.cells = [bytes((level, 128)) * CELL for level in (16, 235)]
        line = bytearray()
        for pair in range(width // 2):
            bar = pair * 16 // width
            luma = 40 + (bar + seed) % 8 * 20
            line += bytes((luma, 64 + bar * 16, luma, 192 - bar * 16))
        self.line = bytes(line) * 2

    def frame(self, number):
        shift = number * 8 % (self.width // 2 * 2) * 2
        line = self.line[shift:shift + self.width * 2]
        parts, height = [], 0
        for row in draw_number(self.width, number):
            if height + CELL > self.height:
                break
            pieces, at = [], 0
            for column, bit in sorted(row.items()):
                pieces += [line[at * 2:column * CELL * 2], self.cells[bit]]
                at = (column + 1) * CELL
            parts.append(b"".join([*pieces, line[at * 2:]]) * CELL)
            height += CELL
        return b"".join([*parts, line * (self.height - height)])
