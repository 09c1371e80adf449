# SPDX-License-Identifier: Apache-2.0
"""The log of true exposures (`--log`), as it is read back."""
from collections import namedtuple

# When its exposure began, when it was due and when it was sent, in seconds of CLOCK_MONOTONIC.
Exposure = namedtuple("Exposure", "began due sent")


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
