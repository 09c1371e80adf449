# SPDX-License-Identifier: Apache-2.0
"""Formats, sizes and rates that a camera offers."""

DEFAULT_MODES = ("mjpeg:160x120@30,10", "mjpeg:320x240@15,10", "mjpeg:640x480@10", "yuyv:160x120@30,10", "yuyv:320x240@10")


class Mode:
    """One size of one format with its frame intervals, in units of 100 ns."""

    def __init__(self, text):
        self.format, rest = text.split(":")
        size, rates = rest.split("@")
        self.width, self.height = map(int, size.split("x"))
        self.intervals = sorted(round(1e7 / float(rate)) for rate in rates.split(","))
        if self.format not in ("mjpeg", "yuyv") or self.width % 16:
            raise ValueError(f"mode {text}: the format must be mjpeg or yuyv, and the width a multiple of 16")

    def nearest(self, interval):
        return min(self.intervals, key=lambda own: abs(own - interval)) if interval else self.intervals[0]

    @property
    def size(self):
        """Bytes of the largest picture: dwMaxVideoFrameSize, and so `sizeimage`."""
        return self.width * self.height * 2

    def bytes_a_frame(self):
        """What bandwidth is reserved for."""
        return self.size if self.format == "yuyv" else self.width * self.height // 2
