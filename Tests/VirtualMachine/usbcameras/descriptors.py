# SPDX-License-Identifier: Apache-2.0
"""What GET_DESCRIPTOR answers: USB 2.0, chapter 9; USB Video Class 1.1, chapter 3."""
import struct

from .controls import OUTPUT, TERMINAL, UNIT

STREAM_ENDPOINT, STATUS_ENDPOINT = 1, 3
CLOCK_HZ = 48_000_000
# Bytes a packet of the alternate settings 1, 2, ...
PACKET_SIZES = (128, 256, 512, 1024, 2048, 3072)
YUYV_GUID = bytes.fromhex("5955593200001000800000aa00389b71")


def bit_field(controls, entity, size):
    return sum(1 << control.bit for control in controls if control.entity == entity).to_bytes(size, "little")


class Descriptors:
    def __init__(self, options, modes, controls):
        self.is_bulk = options.transfer == "bulk"
        self.strings = ["tintype", "Virtual USB Camera", options.serial]
        self.device = struct.pack(
            "<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0xEF, 2, 1, 64, 0x1D6B, options.pid, 0x0100, 1, 2, 3 if options.serial else 0, 1)
        self.qualifier = struct.pack("<BBHBBBBBB", 10, 6, 0x0200, 0xEF, 2, 1, 64, 1, 0)
        association = bytes((8, 0x0B, 0, 2, 0x0E, 3, 0, 2))
        body = association + self.control_interface(controls) + self.streaming_interface(modes)
        self.configuration = struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), 2, 1, 0, 0xA0, 250) + body

    def control_interface(self, controls):
        camera = (struct.pack("<BBBBHBBHHHB", 18, 0x24, 2, TERMINAL, 0x0201, 0, 0, 0, 0, 0, 3)
                  + bit_field(controls, TERMINAL, 3))
        unit = struct.pack("<BBBBBHB", 12, 0x24, 5, UNIT, TERMINAL, 0, 2) + bit_field(controls, UNIT, 2) + b"\0\0"
        output = struct.pack("<BBBBHBBB", 9, 0x24, 3, OUTPUT, 0x0101, 0, UNIT, 0)
        head = struct.pack("<BBBHHIBB", 13, 0x24, 1, 0x0110, 13 + len(camera + unit + output), CLOCK_HZ, 1, 1)
        endpoint = (struct.pack("<BBBBHB", 7, 5, 0x80 | STATUS_ENDPOINT, 3, 16, 8)
                    + struct.pack("<BBBH", 5, 0x25, 3, 16))
        return bytes((9, 4, 0, 0, 1, 0x0E, 1, 0, 2)) + head + camera + unit + output + endpoint

    def streaming_interface(self, modes):
        formats = b"".join(self.format(index, modes[name]) for index, name in enumerate(modes, 1))
        length = 13 + len(modes)
        head = struct.pack("<BBBBHBBBBBBB", length, 0x24, 1, len(modes), length + len(formats), 0x80 | STREAM_ENDPOINT, 0,
                           OUTPUT, 0, 1, 1, 1) + bytes(len(modes))
        parts = [bytes((9, 4, 1, 0, int(self.is_bulk), 0x0E, 2, 0, 0)), head, formats]
        if self.is_bulk:
            parts.append(struct.pack("<BBBBHB", 7, 5, 0x80 | STREAM_ENDPOINT, 2, 512, 0))
        else:
            for alternate, size in enumerate(PACKET_SIZES, 1):
                times = -(-size // 1024)
                parts.append(bytes((9, 4, 1, alternate, 1, 0x0E, 2, 0, 0)))
                parts.append(struct.pack(
                    "<BBBBHB", 7, 5, 0x80 | STREAM_ENDPOINT, 5, times - 1 << 11 | size // times, 1))
        return b"".join(parts)

    @staticmethod
    def format(index, modes):
        is_motion = modes[0].format == "mjpeg"
        if is_motion:
            parts = [struct.pack("<BBBBBBBBBBB", 11, 0x24, 6, index, len(modes), 0, 1, 0, 0, 0, 0)]
        else:
            parts = [struct.pack("<BBBBB", 27, 0x24, 4, index, len(modes)) + YUYV_GUID + bytes((16, 1, 0, 0, 0, 0))]
        for number, mode in enumerate(modes, 1):
            slowest, fastest = mode.intervals[-1], mode.intervals[0]
            parts.append(struct.pack(
                "<BBBBBHHIIIIB", 26 + 4 * len(mode.intervals), 0x24, 7 if is_motion else 5, number, 0, mode.width, mode.height,
                mode.size * 8 * 10_000_000 // slowest, mode.size * 8 * 10_000_000 // fastest, mode.size, fastest,
                len(mode.intervals)))
            parts.append(struct.pack(f"<{len(mode.intervals)}I", *mode.intervals))
        parts.append(bytes((6, 0x24, 0x0D, 1, 1, 4)))
        return b"".join(parts)

    def find(self, kind, index):
        """The descriptor of this kind; None if there is none."""
        if kind == 1:
            return self.device
        if kind == 2 and index == 0:
            return self.configuration
        if kind == 3 and index == 0:
            return b"\x04\x03\x09\x04"
        if kind == 3 and index <= len(self.strings) and self.strings[index - 1]:
            encoded = self.strings[index - 1].encode("utf-16-le")[:252]
            return bytes((2 + len(encoded), 3)) + encoded
        return self.qualifier if kind == 6 else None
