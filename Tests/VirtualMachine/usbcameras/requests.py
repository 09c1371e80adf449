# SPDX-License-Identifier: Apache-2.0
"""Control requests: those of every USB device, and those of the Video Class (UVC 1.1, chapter 4)."""
import errno
import struct

from .controls import CHANGES, DISABLED, GET, OUTPUT, SET, TERMINAL, UNIT
from .descriptors import CLOCK_HZ, PACKET_SIZES, STREAM_ENDPOINT

PROBE = struct.Struct("<HBBIHHHHHIIIBBBB")
HEADER_SIZE = 12
REQUESTS = {0x01: "SET_CUR", 0x81: "GET_CUR", 0x82: "GET_MIN", 0x83: "GET_MAX", 0x84: "GET_RES", 0x85: "GET_LEN",
            0x86: "GET_INFO", 0x87: "GET_DEF"}
STANDARD = {0: "GET_STATUS", 1: "CLEAR_FEATURE", 3: "SET_FEATURE", 5: "SET_ADDRESS", 6: "GET_DESCRIPTOR",
            8: "GET_CONFIGURATION", 9: "SET_CONFIGURATION", 10: "GET_INTERFACE", 11: "SET_INTERFACE"}
TARGETS = {6: "descriptor", 9: "configuration", 11: "alt", 0: "status"}
WRONG_STATE, OUT_OF_RANGE, BAD_UNIT, BAD_CONTROL, BAD_REQUEST = 2, 4, 5, 6, 7


class Stall(Exception):
    """A request is refused: the code that VC_REQUEST_ERROR_CODE_CONTROL gives, and the status that the host gets."""

    def __init__(self, code=0, status=errno.EPIPE):
        self.code, self.status = code, status


class Requests:
    """The part of a camera that answers control requests."""

    def control_request(self, urb):
        kind, request, value, index, length = struct.unpack("<BBHHH", urb.setup)
        is_standard = kind & 0x60 == 0
        if is_standard:
            name, target = STANDARD.get(request, str(request)), TARGETS.get(request, "standard")
            # GET_STATUS of the device, not of an interface or an endpoint; SET_INTERFACE that begins a stream.
            if request == 0 and kind & 31 or request == 11 and value == 0:
                target = "standard"
        else:
            name, target = REQUESTS.get(request, str(request)), self.target(value >> 8, index)
        if self.faults.hit_request("hang", target, name, is_standard):
            return

        def finish():
            self.finish_request(urb, is_standard, name, target)

        delay = self.faults.hit_request("slow", target, name, is_standard)
        if target == "status" and not delay:
            delay = self.faults.hit("wake")
        if delay:
            self.loop.after(delay["seconds"], finish)
        else:
            finish()

    def finish_request(self, urb, is_standard, name, target):
        link = self.link
        if urb.cancelled or link is None:
            return
        kind, request, value, index, length = struct.unpack("<BBHHH", urb.setup)
        begins = None
        try:
            if self.faults.hit_request("stall", target, name, is_standard):
                raise Stall
            if is_standard:
                answer, begins = self.standard_request(kind, request, value, index)
            elif kind & 0x60 == 0x20:
                answer = self.class_request(request, value >> 8, index, urb.data)
                if (value >> 8, index) != (2, 0):
                    self.error_code = 0
            else:
                raise Stall
        except Stall as stall:
            if not is_standard:
                self.error_code = stall.code
            link.answer(urb, -stall.status)
            return
        if kind & 0x80:
            link.answer(urb, 0, answer[:length])
        else:
            link.answer(urb, 0, b"", len(urb.data))
        if begins:
            begins()

    def standard_request(self, kind, request, value, index):
        """The answer's data, and what to do once it is sent."""
        if request == 6:
            found = self.descriptors.find(value >> 8, value & 0xFF)
            if found is None:
                raise Stall
            return found, None
        if request == 8:
            return bytes((self.configuration,)), None
        if request == 9 and value <= 1:
            self.configuration = value
            self.choose_alternate(0)
            return b"", None
        if request == 10:
            return bytes((self.alternate if index == 1 else 0,)), None
        if request == 11:
            return b"", self.set_interface(value, index)
        if request == 0:
            return b"\0\0", None
        if request in (1, 3):
            # CLEAR_FEATURE(ENDPOINT_HALT) is how uvcvideo ends a bulk stream.
            if request == 1 and kind & 31 == 2 and index & 15 == STREAM_ENDPOINT and self.is_bulk:
                self.stop()
            return b"", None
        raise Stall

    def set_interface(self, value, index):
        if index == 0 and value == 0:
            return None
        if index != 1 or value > (0 if self.is_bulk else len(PACKET_SIZES)):
            raise Stall
        if value and not self.has_room(PACKET_SIZES[value - 1]):
            # As a host controller answers that has no bandwidth left for the endpoint.
            raise Stall(0, errno.ENOSPC)
        self.choose_alternate(value)
        return self.start if value else None

    def target(self, selector, index):
        entity, interface = index >> 8, index & 0xFF
        if interface == 1:
            return {1: "probe", 2: "commit"}.get(selector, "stream")
        control = self.by_place.get((entity, selector))
        return control.name if control else "other"

    def class_request(self, request, selector, index, data):
        entity, interface = index >> 8, index & 0xFF
        if interface == 1 and entity == 0:
            return self.stream_request(request, selector, data)
        if interface != 0 or entity not in (0, TERMINAL, UNIT, OUTPUT):
            raise Stall(BAD_UNIT)
        if entity == 0:
            if selector == 2 and request == 0x81:
                return bytes((self.error_code,))
            raise Stall(BAD_CONTROL)
        control = self.by_place.get((entity, selector))
        if control is None:
            raise Stall(BAD_CONTROL)
        is_disabled = bool(control.master) and self.by_name[control.master[0]].value not in control.master[1]
        if request == 0x01:
            if is_disabled:
                raise Stall(WRONG_STATE)
            value = control.unpack(data[:control.size])
            if len(data) != control.size or not control.allows(value):
                raise Stall(OUT_OF_RANGE)
            self.set_control(control, value)
            return b""
        answers = {0x81: control.value, 0x82: control.low, 0x83: control.high, 0x84: control.step, 0x87: control.default}
        if request in answers:
            return control.pack(answers[request])
        if request == 0x86:
            return bytes((GET | SET | CHANGES | (DISABLED if is_disabled else 0),))
        raise Stall(BAD_REQUEST)

    def negotiate(self, wanted):
        """The nearest to a probe that the camera can do, as a dictionary."""
        hint, form, index, interval = struct.unpack_from("<HBBI", wanted)
        form = form if 1 <= form <= len(self.modes) else 1
        modes = list(self.modes.values())[form - 1]
        index = index if 1 <= index <= len(modes) else 1
        mode = modes[index - 1]
        interval = mode.nearest(interval)
        payload = mode.size + HEADER_SIZE if self.is_bulk else min(
            mode.bytes_a_frame() * 10_000_000 // interval // 8000 + HEADER_SIZE, PACKET_SIZES[-1])
        return {"hint": hint, "format": form, "frame": index, "interval": interval, "mode": mode, "payload": payload}

    @staticmethod
    def pack_probe(probe):
        return PROBE.pack(probe["hint"], probe["format"], probe["frame"], probe["interval"], 0, 0, 0, 0, 10,
                          probe["mode"].size, probe["payload"], CLOCK_HZ, 3, 0, 1, 1)

    def stream_request(self, request, selector, data):
        if selector not in (1, 2):
            raise Stall(BAD_CONTROL)
        if request == 0x01:
            if len(data) != PROBE.size:
                raise Stall(OUT_OF_RANGE)
            self.probe = self.negotiate(data)
            if selector == 2:
                self.committed = self.probe
            return b""
        if request == 0x81:
            return self.pack_probe(self.probe if selector == 1 else self.committed)
        if request in (0x82, 0x83, 0x87) and selector == 1:
            interval = self.probe["mode"].intervals[-1 if request == 0x83 else 0]
            return self.pack_probe(self.negotiate(
                struct.pack("<HBBI", 0, self.probe["format"], self.probe["frame"], interval)))
        raise Stall(BAD_REQUEST)
