# SPDX-License-Identifier: Apache-2.0
"""Reads what the kernel's dm-log-writes has recorded of a disk, and makes the disk anew as it was at any flush.

The kernel logs a write once it has reached the disk for certain: at the end of the flush that follows it, or, with FUA, at
its own end. What is logged up to a flush is therefore all that a power cut right after it must leave, and leaves no more if
the disk's cache wrote nothing back by itself: the worst that a disk may do (Documentation/admin-guide/device-mapper/log-writes.rst).
"""
import dataclasses
import os
import struct

MAGIC = 0x6A736677736872
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
CHUNK = 1 << 20


@dataclasses.dataclass
class Entry:
    """One write, flush, discard or mark. `offset` and `size` are bytes of the disk; `place` is where the log has the data."""

    flags: int
    offset: int
    size: int
    mark: str
    place: int

    @property
    def is_cut(self):
        """Whether the disk is in a state that is promised to last once this is done."""
        return bool(self.flags & (FLUSH | FUA))


class WriteLog:
    """The log on the device or in the file `path`."""

    def __init__(self, path):
        self.file = os.open(path, os.O_RDONLY)
        magic, version, self.count, self.sector = struct.unpack("<QQQI", os.pread(self.file, 28, 0))
        if (magic, version) != (MAGIC, 1):
            raise ValueError(f"{path}: no log of dm-log-writes, version 1")

    def close(self):
        os.close(self.file)

    def entries(self):
        place = self.sector
        for _ in range(self.count):
            head = os.pread(self.file, self.sector, place)
            sector, sectors, flags, length = struct.unpack_from("<QQQQ", head)
            place += self.sector
            mark = head[32 : 32 + length].decode() if flags & MARK else None
            yield Entry(flags, sector * self.sector, sectors * self.sector, mark, place)
            if not flags & DISCARD:
                place += sectors * self.sector

    def data(self, entry):
        """The bytes of a write, in pieces; zeros for a discard."""
        for done in range(0, entry.size, CHUNK):
            length = min(CHUNK, entry.size - done)
            piece = bytes(length) if entry.flags & DISCARD else os.pread(self.file, length, entry.place + done)
            if len(piece) != length:
                raise ValueError(f"the log ends within a write, at byte {entry.place + done}")
            yield entry.offset + done, piece


class Image:
    """A disk in a file, sparse."""

    def __init__(self, path, size):
        self.path, self.size = path, size
        self.file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.ftruncate(self.file, size)

    def close(self):
        os.close(self.file)

    def apply(self, log, entry):
        for offset, piece in log.data(entry):
            os.pwrite(self.file, piece, offset)

    def become(self, other):
        """Takes the content of another image of the same size."""
        os.ftruncate(self.file, 0)
        os.ftruncate(self.file, other.size)
        for start, end in other.extents():
            for offset in range(start, end, CHUNK):
                piece = os.pread(other.file, min(CHUNK, end - offset), offset)
                if piece.count(0) != len(piece):
                    os.pwrite(self.file, piece, offset)

    def extents(self):
        """Where something was written: lseek(2), SEEK_DATA."""
        end = 0
        while end < self.size:
            try:
                start = os.lseek(self.file, end, os.SEEK_DATA)
            except OSError:
                return  # Nothing more.
            end = os.lseek(self.file, start, os.SEEK_HOLE)
            yield start, end


def states(log):
    """What was logged, cut at every flush: for each state that the disk was promised to keep the marks that were set while
    it was in that one, and the writes that make the next.

    What was marked while the disk was in a state, and all before it, has to hold if the power goes then, whichever of
    the writes to come the disk had done by itself.
    """
    pending, marks = [], []
    for entry in log.entries():
        if entry.flags & MARK:
            marks.append(entry.mark)
            continue
        if entry.size:
            pending.append(entry)
        if entry.is_cut and pending:
            yield marks, pending
            pending, marks = [], []
    yield marks, pending
