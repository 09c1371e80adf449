# SPDX-License-Identifier: Apache-2.0
# Prints what Pillow says of pictures: the name of one of the functions, and what it is given.
import sys
from PIL import Image, ImageDraw, ImageFont

def size(path):
    "The size of a picture that can be decoded whole, as in 640x480."
    picture = Image.open(path)
    picture.load()
    return "%dx%d" % picture.size

def ink(plain, path, text):
    "How much of the ink of a text is where Pillow draws it, and how much of the picture's upper half has changed."
    a, b = Image.open(plain).convert("L"), Image.open(path).convert("L")
    w, h = b.size
    size = max(8, int(h * 0.04))
    p = Image.new("L", b.size)
    font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
    f = ImageFont.truetype(font, size, layout_engine=ImageFont.Layout.BASIC)
    edge, margin = max(1, size // 16), size // 4
    best = 0
    for dy in range(-3, 4):
        p.paste(0, (0, 0, w, h))
        line = sum(f.getmetrics()) + 2 * edge
        ImageDraw.Draw(p).text((margin + edge, h - line - margin + edge + dy), text, 255, f)
        want = [v > 127 for v in p.getdata()]
        have = [v > 170 for v in b.getdata()]
        box = p.getbbox()
        inside = [i for i in range(w * h) if box[0] <= i % w < box[2] and box[1] <= i // w < box[3]]
        both = sum(want[i] and have[i] for i in inside)
        either = sum(want[i] or have[i] for i in inside)
        best = max(best, both / either)
    top = max(abs(x - y) for x, y in zip(list(a.getdata())[:w * h // 2], list(b.getdata())[:w * h // 2]))
    return f"{best} {top}"

print(globals()[sys.argv[1]](*sys.argv[2:]))
