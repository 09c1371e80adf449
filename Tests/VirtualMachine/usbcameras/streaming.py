# SPDX-License-Identifier: Apache-2.0
"""The stream of a camera: frames when they are due, in payloads with headers (UVC 1.1, 2.4.3), and what faults do to them."""
import collections
import struct
import time

from .descriptors import CLOCK_HZ
from .requests import HEADER_SIZE

EOF_BIT, PTS_BIT, SCR_BIT, ERR_BIT, EOH_BIT = 2, 4, 8, 0x40, 0x80
BULK_RATE = 40e6


class Frame:
    """A picture on its way."""

    __slots__ = ("data", "end", "at", "pts", "flags", "has_eof", "in_payload", "finish")


class Streaming:
    """The part of a camera that answers requests for stream data."""

    def start(self):
        now = time.monotonic()
        self.is_streaming, self.frame, self.wire, self.is_glued = True, None, now, False
        self.period = self.committed["interval"] * 1e-7
        self.due = now + self.period
        self.pump()

    def stop(self):
        self.is_streaming, self.frame = False, None
        self.urbs = collections.deque(urb for urb in self.urbs if not urb.cancelled)
        if self.timer:
            self.loop.cancel(self.timer)
            self.timer = None

    def wake(self, when):
        if self.timer:
            self.loop.cancel(self.timer)

        def call():
            self.timer = None
            self.pump()

        self.timer = self.loop.at(when, call)

    def pump(self):
        """Answers the requests that wait for stream data, as far as there is any now."""
        while self.is_streaming and self.urbs and self.link:
            urb = self.urbs[0]
            if urb.cancelled:
                self.urbs.popleft()
                continue
            now = time.monotonic()
            if self.faults.hit("freeze"):
                self.wake(now + 0.02)
                return
            if self.frame is None and not self.next_frame(now):
                return
            if self.wire - now > 0.002:
                # The bus is busy with what was sent last.
                self.wake(self.wire)
                return
            self.urbs.popleft()
            if urb.packets:
                self.fill_packets(urb, now)
            else:
                self.fill_bulk(urb, now)

    def next_frame(self, now):
        """Takes the next picture once it is due. One that nobody fetched in time is lost, and its number with it."""
        if now < self.due:
            self.wake(self.due)
            return False
        missed = int((now - self.due) / self.period)
        self.due += missed * self.period
        self.number = self.number + missed + 1 & 0xFFFFFFFF
        taken, self.due = self.due, self.due + self.period
        began = taken - self.options.latency
        self.begin_frame(began)
        self.tell_exposure(f"{self.number} {began:.6f} {taken:.6f} {now:.6f}")
        return True

    def begin_frame(self, began):
        frame = Frame()
        frame.has_eof, frame.in_payload, frame.finish, frame.at, frame.flags = True, 0, False, 0, 0
        frame.pts = int(began * CLOCK_HZ) & 0xFFFFFFFF
        data = self.painter(self.committed["mode"]).frame(self.number)
        data, keeps_id = self.damage(frame, data)
        if not keeps_id:
            self.frame_id ^= 1
        frame.data, frame.end = memoryview(data), len(data)
        frame.flags |= self.frame_id
        self.frame = frame

    def damage(self, frame, data):
        """What the faults do to this frame: its data, and whether the frame ID stays."""
        if not self.faults.present and not self.is_glued:
            return data, False
        hit, size = self.faults.hit, len(data)
        keeps_id = self.is_glued or bool(hit("nofid"))
        self.is_glued = bool(hit("glue"))
        if self.is_glued or hit("noeof"):
            frame.has_eof = False
        if hit("err"):
            frame.flags |= ERR_BIT
        if hit("drop"):
            data = data[:size // 2] + data[size // 2 + size // 5:]
        return data, keeps_id

    @staticmethod
    def header(frame, now, is_last):
        flags = frame.flags | EOH_BIT | PTS_BIT | SCR_BIT | (EOF_BIT if is_last and frame.has_eof else 0)
        # The USB frame number stays 0, as vhci_hcd's own does.
        return struct.pack("<BBIIH", HEADER_SIZE, flags, frame.pts, int(now * CLOCK_HZ) & 0xFFFFFFFF, 0)

    def fill_packets(self, urb, now):
        """Isochronous: each packet is a payload with its header. What a request has over after a frame's end stays empty."""
        frame, size, packets = self.frame, urb.packet_size, urb.packets
        head = self.header(frame, now, False)
        room = size - len(head)
        data, at, end = frame.data, frame.at, frame.end
        needed = max(1, -(-(end - at) // room))
        count, is_over = min(needed, packets), needed <= packets
        parts = []
        for _ in range(count - 1):
            parts += [head, data[at:at + room]]
            at += room
        final = data[at:min(at + room, end)]
        parts += [self.header(frame, now, True) if is_over else head, final]
        at += len(final)
        actual = (count - 1) * size + len(head) + len(final)
        full, none = self.link.plan(packets, size)
        results = (full[:16 * (count - 1)]
                   + struct.pack(">IIII", (count - 1) * size, size, len(head) + len(final), 0) + none[16 * count:])
        frame.at = at
        self.wire = max(self.wire, now) + count * 125e-6
        self.link.answer_packets(urb, parts, actual, results)
        if is_over:
            self.end_frame()

    def fill_bulk(self, urb, now):
        """Bulk: a payload is a whole frame and spans requests; a request that is not full, or is empty, ends it."""
        frame = self.frame
        if frame.finish:
            self.link.answer(urb)
            self.end_frame()
            return
        data = b""
        if frame.in_payload == 0:
            data = self.header(frame, now, True)
        take = min(urb.length - len(data), frame.end - frame.at)
        data += frame.data[frame.at:frame.at + take]
        frame.at += take
        frame.in_payload += len(data)
        is_over = frame.at >= frame.end
        frame.finish = is_over and len(data) == urb.length
        self.wire = max(self.wire, now) + len(data) / BULK_RATE
        self.link.answer(urb, 0, data)
        if is_over and not frame.finish:
            self.end_frame()

    def end_frame(self):
        self.frame = None
