# SPDX-License-Identifier: Apache-2.0
"""One camera: its state, its plug, its endpoints."""
import collections
import socket
import struct
import time

from .controls import all_controls
from .descriptors import PACKET_SIZES, STATUS_ENDPOINT, STREAM_ENDPOINT, Descriptors
from .faults import Faults
from .jpeg import JpegPainter
from .modes import DEFAULT_MODES, Mode
from .requests import TARGETS, Requests
from .streaming import Streaming
from .usbip import Link, attach_port, free_port
from .yuyv import YuyvPainter

PAINTERS = {"mjpeg": JpegPainter, "yuyv": YuyvPainter}


class Camera(Requests, Streaming):
    """`place` is its place among all cameras of the machine: the upper byte of its frame numbers.

    `has_room` says whether an alternate setting of so many bytes a packet may be had, and `tell_exposure` takes a line for
    each frame: its number, when its exposure began, when it was due and when it was sent, in seconds of CLOCK_MONOTONIC.
    """

    def __init__(self, loop, options, place, has_room, tell_exposure):
        self.loop, self.options, self.place, self.tell_exposure = loop, options, place, tell_exposure
        self.has_room = lambda size: has_room(self, size)
        self.device_id = 1 << 16 | place + 2
        self.is_bulk = options.transfer == "bulk"
        self.controls = all_controls()
        self.by_name = {control.name: control for control in self.controls}
        self.by_place = {(control.entity, control.selector): control for control in self.controls}
        self.modes = {}
        for mode in map(Mode, options.mode or DEFAULT_MODES):
            self.modes.setdefault(mode.format, []).append(mode)
        self.descriptors = Descriptors(options, self.modes, self.controls)
        self.painters, self.faults = {}, Faults({"probe", "commit", *TARGETS.values(), *self.by_name})
        self.number = place << 24
        self.link, self.port, self.timer = None, options.port, None
        self.reset()

    def reset(self):
        """The state after power-on."""
        for control in self.controls:
            control.value = control.default
        self.configuration, self.alternate, self.error_code = 0, 0, 0
        self.probe = self.committed = self.negotiate(struct.pack("<HBBI", 0, 1, 1, 0))
        self.urbs, self.status_urbs, self.status_queue = collections.deque(), collections.deque(), collections.deque(maxlen=32)
        self.is_streaming, self.frame, self.frame_id, self.is_glued = False, None, 0, False

    def painter(self, mode):
        key = mode.format, mode.width, mode.height
        if key not in self.painters:
            self.painters[key] = PAINTERS[mode.format](mode.width, mode.height, 1 + self.place)
        return self.painters[key]

    @property
    def packet_size(self):
        """Bytes that it has of each microframe of the bus."""
        return PACKET_SIZES[self.alternate - 1] if self.alternate and self.link else 0

    def choose_alternate(self, alternate):
        self.stop()
        self.alternate = alternate

    # The plug.

    def plug(self, port, done):
        """Plugs it into this port of vhci_hcd, or the one before, or a free one, and calls `done` with the port, or with an
        exception. A port that is still shutting down is tried again."""
        give_up = time.monotonic() + 30
        wanted = self.port if port is None else port

        def attempt():
            if self.link:
                done(ValueError("it is plugged in already"))
                return
            ours, theirs = socket.socketpair()
            try:
                chosen = wanted if wanted is not None else free_port()
                attach_port(chosen, theirs.fileno(), self.device_id)
            except (OSError, LookupError) as error:
                ours.close()
                if time.monotonic() > give_up:
                    done(error)
                else:
                    self.loop.after(0.05, attempt)
                return
            finally:
                theirs.close()
            self.reset()
            self.port, self.link = chosen, Link(self.loop, ours, self)
            done(chosen)

        attempt()

    def unplug(self):
        if self.link:
            self.link.close()
            self.link = None
            self.stop()
            self.alternate = 0

    def lost(self, link):
        if link is self.link:
            self.unplug()

    # The endpoints.

    def submitted(self, urb):
        if urb.endpoint == 0:
            self.control_request(urb)
        elif urb.endpoint == STREAM_ENDPOINT and urb.into_host:
            if urb.packets:
                urb.packet_size = struct.unpack_from(">I", urb.data, 4)[0]
                urb.data = None
            self.urbs.append(urb)
            if not self.is_streaming and self.is_bulk and self.configuration:
                self.start()
            self.pump()
        elif urb.endpoint == STATUS_ENDPOINT and urb.into_host:
            self.status_urbs.append(urb)
            self.report_status()

    def unlinked(self, urb):
        if urb.endpoint == STREAM_ENDPOINT and self.is_bulk and all(other.cancelled for other in self.urbs):
            self.stop()

    def report_status(self):
        while self.status_queue and self.status_urbs:
            urb = self.status_urbs.popleft()
            if not urb.cancelled:
                self.link.answer(urb, 0, self.status_queue.popleft())

    # Controls.

    def set_control(self, control, value):
        """The host sets a control. An automatic that is switched on chooses the values that it governs."""
        control.value = value
        for other in self.controls:
            if other.master and other.master[0] == control.name and value not in other.master[1]:
                other.value = other.default

    def change_control(self, name, value):
        """The camera changes a control by itself, and says so by its status endpoint (UVC 1.1, 2.4.2.2)."""
        control = self.by_name[name]
        if not control.allows(value):
            raise ValueError(f"{name} is from {control.low} to {control.high}")
        control.value = value
        if self.link:
            self.status_queue.append(bytes((1, control.entity, 0, control.selector, 0)) + control.pack(value))
            self.report_status()
