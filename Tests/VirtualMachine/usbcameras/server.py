# SPDX-License-Identifier: Apache-2.0
"""The process of some cameras on one bus, and the socket by which they are told what to do.

A command is a line and begins with @SERIAL or @PLACE of a camera:
    stats                   where it is plugged in, and how often each fault has struck, as JSON
    get NAME                the value that the camera has of a control
    set NAME VALUE          the camera changes a control by itself, and tells the host
    fault NAME [KEY=VALUE]  from now on; see faults.py
    clear                   ends all faults
    unplug; plug [PORT]     without a number, into the port before
"""
import json
import os
import shlex
import signal
import socket
import sys
import time

from .camera import Camera
from .loop import Loop


class Client:
    """A connection to the control socket: a command a line, a reply a line."""

    def __init__(self, server, sock):
        self.server, self.sock, self.data = server, sock, b""
        server.loop.watch(sock, self.ready)

    def ready(self, _):
        try:
            data = self.sock.recv(4096)
        except OSError:
            data = b""
        if not data:
            self.server.loop.forget(self.sock)
            self.sock.close()
            return
        self.data += data
        while b"\n" in self.data:
            line, _, self.data = self.data.partition(b"\n")
            try:
                self.command(shlex.split(line.decode()))
            except (ValueError, KeyError, IndexError) as error:
                self.reply(f"error: {error!r}")

    def reply(self, text):
        try:
            self.sock.sendall(text.encode() + b"\n")
        except OSError:
            pass  # It has gone, and waits for nothing.

    def command(self, words):
        name, verb, *rest = words
        camera = next((each for each in self.server.cameras if name in (f"@{each.options.serial}", f"@{each.place}")), None)
        if camera is None:
            raise ValueError(f"no camera is called {name}")
        if verb == "plug":
            camera.plug(int(rest[0]) if rest else None, self.told)
        else:
            self.reply(f"ok {self.perform(camera, verb, rest)}")

    def told(self, result):
        self.reply(f"error: {result}" if isinstance(result, Exception) else f"ok {result}")

    @staticmethod
    def perform(camera, verb, rest):
        if verb == "stats":
            return json.dumps({"port": camera.port, "hits": camera.faults.hits})
        if verb == "get":
            return camera.by_name[rest[0]].value
        if verb == "set":
            camera.change_control(rest[0], int(rest[1]))
        elif verb == "fault":
            camera.faults.add(rest)
            camera.pump()
        elif verb == "clear":
            camera.faults.clear()
            camera.pump()
        elif verb == "unplug":
            camera.unplug()
        else:
            raise ValueError(f"{verb} is no command")
        return ""


class Server:
    def __init__(self, options, camera_options):
        self.options, self.loop = options, Loop()
        self.exposures = open(options.log, "a", buffering=1, encoding="ascii") if options.log else None
        self.cameras = [
            Camera(self.loop, each, options.first_place + index, self.has_room, self.tell_exposure)
            for index, each in enumerate(camera_options)
        ]

    def has_room(self, asking, size):
        """Whether the bus has so many bytes of each microframe left for this camera."""
        taken = sum(camera.packet_size for camera in self.cameras if camera is not asking)
        return not self.options.bus_bytes or taken + size <= self.options.bus_bytes

    def tell_exposure(self, line):
        if self.exposures:
            self.exposures.write(line + "\n")

    def plug_all(self, cameras):
        """One after another, so that ports are given in order."""
        if not cameras:
            print("ready", flush=True)
            return

        def plugged(result):
            if isinstance(result, Exception):
                sys.exit(f"usbcameras: a camera cannot be plugged in: {result}")
            self.plug_all(cameras[1:])

        cameras[0].plug(None, plugged)

    def run(self):
        # A signal that comes just before select(2) must still end it.
        heard, told = socket.socketpair()
        told.setblocking(False)
        signal.set_wakeup_fd(told.fileno())
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, lambda *_: None)
        self.loop.watch(heard, lambda _: self.loop.end())
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self.options.control)
        listener.listen()
        self.loop.watch(listener, lambda _: Client(self, listener.accept()[0]))
        self.plug_all(self.cameras)
        try:
            self.loop.run()
        finally:
            for camera in self.cameras:
                camera.unplug()
            os.unlink(self.options.control)
            if self.exposures:
                self.exposures.close()


def tell(path, line, limit=900):
    """Sends a command to the cameras at `path`; returns what follows the `ok` of the reply."""
    sock = socket.socket(socket.AF_UNIX)
    sock.settimeout(limit)
    with sock:
        sock.connect(path)
        sock.sendall(line.encode() + b"\n")
        reply = sock.makefile("r").readline().rstrip("\n")
    if not reply.startswith("ok"):
        raise RuntimeError(f"usbcameras: {line}: {reply or 'no reply'} ({time.monotonic():.1f})")
    return reply[3:]
