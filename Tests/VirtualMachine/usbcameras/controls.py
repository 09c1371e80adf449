# SPDX-License-Identifier: Apache-2.0
"""The controls of a camera: of its camera terminal and its processing unit (UVC 1.1, 4.2.2)."""

TERMINAL, UNIT, OUTPUT = 1, 2, 3
# Bits of GET_INFO; the last says that the camera changes it by itself and tells of it.
GET, SET, DISABLED, CHANGES = 1, 2, 4, 8


class Control:
    """One control. `bit` is its place in bmControls; `master` is the automatic that it depends on, with the values of that
    for which it is free."""

    def __init__(self, name, entity, selector, bit, size, low, high, step, default, signed=False, master=None):
        self.name, self.entity, self.selector, self.bit, self.size = name, entity, selector, bit, size
        self.low, self.high, self.step, self.default, self.signed = low, high, step, default, signed
        self.master, self.value = master, default

    def pack(self, value):
        return value.to_bytes(self.size, "little", signed=self.signed)

    def unpack(self, data):
        return int.from_bytes(data, "little", signed=self.signed)

    def allows(self, value):
        if self.name == "auto_exposure":
            # Its step is the bitmap of the modes that it knows.
            return value in (1, 2, 4, 8) and bool(value & self.step)
        return self.low <= value <= self.high


def all_controls():
    """By the names that v4l2-ctl has for them."""
    return [
        Control("auto_exposure", TERMINAL, 0x02, 1, 1, 1, 8, 1 | 8, 8),
        Control("exposure_dynamic_framerate", TERMINAL, 0x03, 2, 1, 0, 1, 1, 0),
        Control("exposure_time_absolute", TERMINAL, 0x04, 3, 4, 3, 2047, 1, 100, master=("auto_exposure", (1, 4))),
        Control("focus_absolute", TERMINAL, 0x06, 5, 2, 0, 250, 5, 0, master=("focus_automatic_continuous", (0,))),
        Control("zoom_absolute", TERMINAL, 0x0B, 9, 2, 100, 500, 1, 100),
        Control("focus_automatic_continuous", TERMINAL, 0x08, 17, 1, 0, 1, 1, 1),
        Control("brightness", UNIT, 0x02, 0, 2, -64, 64, 1, 0, signed=True),
        Control("contrast", UNIT, 0x03, 1, 2, 0, 100, 1, 32),
        Control("saturation", UNIT, 0x07, 3, 2, 0, 128, 1, 64),
        Control("sharpness", UNIT, 0x08, 4, 2, 0, 7, 1, 3),
        Control("white_balance_temperature", UNIT, 0x0A, 6, 2, 2800, 6500, 10, 4600, master=("white_balance_automatic", (0,))),
        Control("gain", UNIT, 0x04, 9, 2, 0, 255, 1, 0),
        Control("power_line_frequency", UNIT, 0x05, 10, 1, 0, 2, 1, 1),
        Control("white_balance_automatic", UNIT, 0x0B, 12, 1, 0, 1, 1, 1),
    ]
