# SPDX-License-Identifier: Apache-2.0
"""The number in a picture: drawn into each frame by the painters, read back from any picture that was made of it.

32 cells of 16x16 pixels, black or white, from the top left, the most significant bit first; then the same 32 inverted. The
cells fill rows of at most 32, so a picture must be at least 160x112.
"""
CELL = 16


def cells_per_row(width):
    return max(1, min(32, width // CELL))


def draw_number(width, number):
    """The rows of cells from the top down, each a dictionary from column to 0 (black) or 1 (white)."""
    per_row = cells_per_row(width)
    rows = [{} for _ in range(-(-64 // per_row))]
    for cell in range(64):
        bit = number >> (31 - cell % 32) & 1
        rows[cell // per_row][cell % per_row] = bit if cell < 32 else 1 - bit
    return rows


def number_of(image):
    """The number in a Pillow image; None if its two copies disagree (torn, scaled, cut off)."""
    luma, per_row = image.convert("L"), cells_per_row(image.width)
    means = []
    for cell in range(64):
        x, y = cell % per_row * CELL, cell // per_row * CELL
        if y + CELL > image.height:
            return None
        inner = luma.crop((x + 5, y + 5, x + 11, y + 11)).tobytes()
        means.append(sum(inner) / len(inner))
    # Half of the cells are white whatever the number is.
    middle = sum(means) / 64
    bits = [mean > middle for mean in means]
    if any(bits[i] == bits[i + 32] for i in range(32)):
        return None
    return sum(bits[i] << (31 - i) for i in range(32))
