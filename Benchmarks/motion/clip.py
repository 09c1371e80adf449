#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""clip.py FILE: a clip of a room, 1280x720, 10 frames a second, as YUYV frames one behind the other.

What happens in it, and when, is in SCENES. Needs numpy.
"""

import sys

import numpy

WIDTH, HEIGHT, RATE, SECONDS = 1280, 720, 10, 120
NOISE = 4.0  # standard deviation of the sensor's noise, in steps of luma

# Begin and end in seconds, what it is, and whether it is motion.
SCENES = [
    (0, 15, "noise alone", False),
    (15, 21, "a person far away crosses, 24x60 pixels", True),
    (26, 30, "one frame is damaged (27.0)", False),
    (33, 38, "a lamp is switched on (33.0), the camera adjusts its exposure", False),
    (43, 47, "a person close to the camera crosses, 300x600", True),
    (57, 82, "daylight fades to 60 %", False),
    (66, 71, "a person crosses in the fading light, 80x160", True),
    (88, 92, "the lamp is switched off (88.0), the camera adjusts its exposure", False),
    (98, 102, "a cat crosses, 40x24, 30 steps darker than the floor", True),
    (108, 120, "noise alone", False),
]
# Not found with the defaults of either program.
TOO_SMALL = (98, 102)


def room(random):
    """The room without anything in it, as luma."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH].astype(numpy.float32)
    luma = 70 + 50 * x / WIDTH - 20 * y / HEIGHT
    for _ in range(40):
        left, top = random.integers(0, WIDTH), random.integers(0, HEIGHT)
        width, height = random.integers(20, 240), random.integers(20, 200)
        luma[top:top + height, left:left + width] += random.normal(0, 20)
    # The floor.
    luma[560:] = 110 + 8 * numpy.sin(x[560:] / 40)
    return numpy.clip(luma, 25, 170)


def light(second, far):
    """What the light makes of the luma, over the distance from the lamp (0 to 1)."""
    gain = numpy.ones_like(far)
    if 33 <= second < 88:
        gain = gain + 0.9 * (1 - far) + 0.1
        gain = gain * (1 - 0.25 * min(1, (second - 33) / 1.5))
    if 88 <= second < 89.5:
        gain = gain * (1 - 0.25 * (1 - (second - 88) / 1.5))
    if second >= 57:
        gain = gain * (1 - 0.4 * min(1, (second - 57) / 25))
    return gain


def thing(luma, second, begin, end, width, height, bottom, value):
    """Something that crosses from the left to the right; `value` is its luma, or how much darker it is."""
    if not begin <= second < end:
        return
    left = round((WIDTH + width) * (second - begin) / (end - begin)) - width
    part = luma[bottom - height:bottom, max(0, left):max(0, left + width)]
    part[:] = part + value if value < 0 else value


def main():
    random = numpy.random.default_rng(1)
    background = room(random)
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH].astype(numpy.float32)
    far = numpy.clip(numpy.hypot(x - 1100, y - 80) / 1200, 0, 1)
    with open(sys.argv[1], "wb") as file:
        for number in range(SECONDS * RATE):
            second = number / RATE
            luma = background.copy()
            thing(luma, second, 15, 21, 24, 60, 420, 150)
            thing(luma, second, 43, 47, 300, 600, 700, 60)
            thing(luma, second, 66, 71, 80, 160, 640, 40)
            thing(luma, second, 98, 102, 40, 24, 600, -30)
            luma *= light(second, far)
            luma += random.normal(0, NOISE, luma.shape).astype(numpy.float32)
            if second == 27.0:
                luma[360:] = 128
            picture = numpy.full((HEIGHT, WIDTH, 2), 128, numpy.uint8)
            picture[:, :, 0] = numpy.clip(luma, 0, 255) * (219 / 255) + 16
            file.write(picture.tobytes())


if __name__ == "__main__":
    main()
