# SPDX-License-Identifier: Apache-2.0
"""Frames for the stand-in camera: like photographs in their size and in what they cost to encode."""

import math
import pathlib

from PIL import Image, ImageChops, ImageDraw

from bench import CELL

SIZE = (1280, 720)
COUNT = 64


def picture(index):
    """Smooth shapes with detail and sensor noise; no two alike."""
    width, height = SIZE
    detail = Image.effect_mandelbrot((width // 2, height // 2), (-1.8, -1.2, 0.8, 1.2), 60).resize(SIZE)
    luma = ImageChops.add(Image.radial_gradient("L").resize(SIZE), detail, scale=2)
    luma = ImageChops.offset(luma, round(24 * math.sin(index)), round(24 * math.cos(index)))
    luma = ImageChops.add(luma, Image.effect_noise(SIZE, 7), scale=1.6)
    blue = Image.linear_gradient("L").resize(SIZE)
    return Image.merge("YCbCr", [luma, blue, ImageChops.invert(blue.transpose(Image.Transpose.FLIP_LEFT_RIGHT))])


def draw(image, number):
    """The number as 32 blocks, most significant bit first, and below them the same inverted."""
    pen = ImageDraw.Draw(image)
    for cell in range(64):
        bit = number >> (31 - cell % 32) & 1
        x, y = cell % 32 * CELL, cell // 32 * CELL
        luma = 235 if bit == (cell < 32) else 16
        pen.rectangle([x, y, x + CELL - 1, y + CELL - 1], fill=(luma, 128, 128))


def motion_jpeg(folder):
    """A folder of COUNT pictures in 4:2:2, as webcams send them, numbered from 0."""
    folder = pathlib.Path(folder)
    folder.mkdir()
    for index in range(COUNT):
        image = picture(index)
        draw(image, index)
        image.save(folder / f"{index:05d}.jpg", quality=85, subsampling=1)
    return folder


def raw(path):
    """A file of frames in YUYV; the camera writes the number into each by itself."""
    width, height = SIZE
    with open(path, "wb") as file:
        for index in range(8):
            luma, blue, red = picture(index).split()
            half = (width // 2, height)
            frame = bytearray(width * height * 2)
            frame[0::2] = luma.tobytes()
            frame[1::4] = blue.resize(half).tobytes()
            frame[3::4] = red.resize(half).tobytes()
            file.write(frame)
    return path
