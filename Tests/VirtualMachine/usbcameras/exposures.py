# SPDX-License-Identifier: Apache-2.0
"""The log of true exposures (`--log`), as it is read back."""
from collections import namedtuple

# Seconds from when a frame is due to the kernel's stamp: some milliseconds, even on an emulated machine.
KERNEL_LATE = 0.02


class Exposure(namedtuple("Exposure", "began due sent")):
    """When the exposure of a frame began, when it was due and when it was sent, in seconds of CLOCK_MONOTONIC."""

    def late(self, stamp):
        """How late the kernel stamped it, beyond KERNEL_LATE. uvcvideo stamps a frame when it gets to it; an emulated machine
        with more to do than it can may send and stamp it some frames late, which no program can know."""
        return max(0, stamp - self.due - KERNEL_LATE)


def stamp_of(headers):
    """The kernel's stamp of the frame of a still, by the headers of the reply, in seconds of CLOCK_MONOTONIC."""
    return int(headers["Tintype-Captured-Monotonic-Ns"]) / 1e9 + float(headers.get("Tintype-Lead-Ms") or 0) / 1e3


class ExposureLog:
    """The frames of a log that cameras write on."""

    def __init__(self, path):
        self.file, self.frames = open(path, "rb"), {}

    def read(self):
        """From each frame's number to its Exposure, with what has come since the last time."""
        while True:
            begin, line = self.file.tell(), self.file.readline()
            if not line.endswith(b"\n"):
                # The rest of it is being written.
                self.file.seek(begin)
                return self.frames
            number, *times = line.split()
            self.frames[int(number)] = Exposure(*map(float, times))
