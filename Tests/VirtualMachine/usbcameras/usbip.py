# SPDX-License-Identifier: Apache-2.0
"""USB/IP: a camera's connection to vhci_hcd of this machine. Source: "USB/IP protocol" of the kernel's documentation."""
import collections
import errno
import glob
import itertools
import os
import selectors
import socket
import struct

from .descriptors import STREAM_ENDPOINT

HEADER = struct.Struct(">10I8s")
REPLY = struct.Struct(">5IiIIII8x")
UNLINKED = struct.Struct(">5Ii24x")
VHCI = "/sys/devices/platform/vhci_hcd.0"


def attach_port(port, descriptor, device_id):
    """Plugs a high-speed device in whose connection is `descriptor`."""
    sysfs = os.open(f"{VHCI}/attach", os.O_WRONLY)
    try:
        os.write(sysfs, f"{port} {descriptor} {device_id} 3".encode())
    finally:
        os.close(sysfs)
    # The bus is hardware as well: its threads run as soon as this process does.
    for path in glob.glob("/proc/[0-9]*/comm"):
        try:
            with open(path, encoding="ascii", errors="replace") as file:
                if file.read().startswith("vhci_"):
                    os.setpriority(os.PRIO_PROCESS, int(path.split("/")[2]), os.getpriority(os.PRIO_PROCESS, 0))
        except OSError:
            # It has ended.
            pass


def free_port():
    """The first free high-speed port, over all controllers."""
    for path in sorted(glob.glob(f"{VHCI}/status*")):
        with open(path, encoding="ascii") as file:
            for line in file:
                words = line.split()
                if words[0] == "hs" and int(words[2]) == 4:
                    return int(words[1])
    raise LookupError("no port of vhci_hcd is free; is the module loaded?")


class Urb:
    """A request of the host that waits for its answer."""

    __slots__ = ("sequence", "endpoint", "into_host", "length", "setup", "data", "packets", "packet_size", "cancelled")


class Link:
    def __init__(self, loop, sock, camera):
        self.loop, self.sock, self.camera = loop, sock, camera
        self.input, self.output, self.pending, self.is_open = bytearray(), collections.deque(), {}, True
        self.plans, self.is_blocked = {}, False
        # The newest request, and those that were given up before they came.
        self.newest, self.given_up = 0, set()
        sock.setblocking(False)
        # SO_SNDBUFFORCE, for root: a frame must fit.
        sock.setsockopt(socket.SOL_SOCKET, 32, 4 << 20)
        loop.watch(sock, self.ready)

    def close(self):
        if self.is_open:
            self.is_open = False
            self.loop.forget(self.sock)
            self.sock.close()
            for urb in self.pending.values():
                urb.cancelled = True
            self.pending.clear()

    def ready(self, events):
        if events & selectors.EVENT_WRITE:
            self.flush()
        if not (events & selectors.EVENT_READ and self.is_open):
            return
        try:
            data = self.sock.recv(1 << 18)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.camera.lost(self)
            return
        self.input += data
        self.parse()

    def parse(self):
        data, at, total = self.input, 0, len(self.input)
        while total - at >= HEADER.size and self.is_open:
            command, sequence, _, direction, endpoint, _, length, _, packets, _, setup = HEADER.unpack_from(data, at)
            if command == 2:
                # USBIP_CMD_UNLINK: the field after the header's five is the request that is given up.
                self.unlink(sequence, HEADER.unpack_from(data, at)[5])
                at += HEADER.size
                continue
            if command != 1:
                self.camera.lost(self)
                return
            if endpoint != STREAM_ENDPOINT or packets == 0xFFFFFFFF:
                packets = 0
            extra = (0 if direction else length) + 16 * packets
            if total - at < HEADER.size + extra:
                break
            at += HEADER.size
            urb = Urb()
            urb.sequence, urb.endpoint, urb.into_host, urb.length = sequence, endpoint, bool(direction), length
            urb.setup, urb.packets, urb.cancelled = setup, packets, False
            urb.data = bytes(data[at:at + extra])
            at += extra
            self.newest = sequence
            if sequence in self.given_up:
                self.given_up.remove(sequence)
                continue
            self.pending[sequence] = urb
            self.camera.submitted(urb)
        del data[:at]

    def unlink(self, sequence, target):
        urb = self.pending.pop(target, None)
        if urb:
            urb.cancelled = True
        elif target > self.newest:
            # vhci_hcd may give up a request before it sends it; an answer to that would end the connection.
            self.given_up.add(target)
        self.send(UNLINKED.pack(4, sequence, 0, 0, 0, -errno.ECONNRESET if urb else 0))
        if urb:
            self.camera.unlinked(urb)

    def answer(self, urb, status=0, data=b"", count=None):
        """Completes a control, bulk or interrupt request."""
        if self.pending.pop(urb.sequence, None):
            actual = len(data) if count is None else count
            self.send(REPLY.pack(3, urb.sequence, 0, 0, 0, status, actual, 0, 0, 0), data)

    def answer_packets(self, urb, parts, actual, results):
        """Completes an isochronous request. The data of short packets follow one another without gaps."""
        if self.pending.pop(urb.sequence, None):
            self.send(REPLY.pack(3, urb.sequence, 0, 0, 0, 0, actual, 0, urb.packets, 0), *parts, results)

    def plan(self, packets, size):
        """The packet descriptors of a request whose packets are all full, and all empty."""
        key = packets, size
        if key not in self.plans:
            self.plans[key] = tuple(
                b"".join(struct.pack(">IIII", i * size, size, actual, 0) for i in range(packets)) for actual in (size, 0))
        return self.plans[key]

    def send(self, *parts):
        self.output.extend(part for part in parts if len(part))
        if not self.is_blocked:
            self.flush()

    def flush(self):
        output, is_blocked = self.output, False
        while output and self.is_open:
            try:
                sent = self.sock.sendmsg(list(itertools.islice(output, 200)))
            except BlockingIOError:
                is_blocked = True
                break
            except OSError:
                self.camera.lost(self)
                return
            while sent:
                first = output.popleft()
                if sent < len(first):
                    output.appendleft(memoryview(first)[sent:])
                    break
                sent -= len(first)
        if self.is_open and is_blocked != self.is_blocked:
            self.is_blocked = is_blocked
            self.loop.change(self.sock, selectors.EVENT_READ | (selectors.EVENT_WRITE if is_blocked else 0))
