# SPDX-License-Identifier: Apache-2.0
"""A lamp before a camera, and how much of it each row of a picture has."""

BLACK, WHITE = 16, 235


class Lamp:
    """`path` is a file with a line for each switch, its moment in nanoseconds of CLOCK_MONOTONIC; the lamp is off before the
    first. As long as there is no line there is no lamp, and the pictures show their number."""

    def __init__(self, path):
        self.path = path

    def switches(self):
        if not self.path:
            return []
        try:
            with open(self.path, encoding="ascii") as file:
                return [int(line) / 1e9 for line in file]
        except FileNotFoundError:
            return []

    def levels(self, began, exposure, readout, rows):
        """The luma of each of so many rows, whose exposures begin one after the other in `readout` seconds and last
        `exposure` seconds; None where there is no lamp."""
        switches = self.switches()
        if not switches:
            return None
        # Where the exposure of a row has seen the lamp for half of its time, half of the light came: gamma 2.2.
        starts = [began + readout * row / rows for row in range(rows)]
        return [BLACK + round((WHITE - BLACK) * share(switches, start, exposure) ** (1 / 2.2)) for start in starts]


def share(switches, start, exposure):
    """Of the time from `start` on, how much the lamp was on, 0 to 1."""
    lit = 0.0
    for on, off in zip(switches[::2], [*switches[1::2], start + exposure]):
        lit += max(0.0, min(start + exposure, off) - max(start, on))
    return min(1.0, lit / exposure)
