# SPDX-License-Identifier: Apache-2.0
"""What programs that watch the daemon share: its start, a client of its socket, its answers, and waiting."""
import contextlib
import fcntl
import http.client
import io
import json
import os
import socket
import struct
import subprocess
import sys
import threading
import time

from PIL import Image, ImageStat


# The longest that a request may ask for.
LONGEST = 600_000
STILL = "fresh=request&settle=never"
VIVID = "/sys/bus/platform/drivers/vivid"
VIDIOC_G_CTRL = 0xC008561B  # _IOWR('V', 27, struct v4l2_control)
VIDIOC_S_CTRL = 0xC008561C  # _IOWR('V', 28, struct v4l2_control)
V4L2_CID_BRIGHTNESS = 0x00980900


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout=900):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)

    def exchange(self, verb, target, body=None):
        """The status, the headers and the body of the reply; `body` is sent as JSON."""
        if body is None:
            self.request(verb, target)
        else:
            self.request(verb, target, json.dumps(body), {"Content-Type": "application/json"})
        reply = self.getresponse()
        return reply.status, reply.headers, reply.read()

    def still(self, camera, deadline_ms=LONGEST, wish=STILL):
        asked = time.monotonic()
        return Answer(asked, *self.exchange("GET", f"/v1/cameras/{camera}/still.jpg?{wish}&deadlineMs={deadline_ms}"))


class Answer:
    """What came of one request for a still: a picture that decodes to its end, or a problem with its code."""

    def __init__(self, asked, status, headers, body):
        self.asked, self.answered, self.status, self.headers = asked, time.monotonic(), status, headers
        self.code, self.detail, self.cause, self.size = None, "", None, None
        if status != 200:
            problem = json.loads(body)
            self.code, self.detail, self.cause = problem["code"], problem["detail"], problem.get("cause")
            return
        self.body = body
        try:
            self.picture = Image.open(io.BytesIO(body))
            self.picture.load()
            self.size = self.picture.size
        except OSError as error:
            self.code, self.detail = "not-a-picture", str(error)

    @property
    def is_good(self):
        return self.code is None

    @property
    def extrema(self):
        """The darkest and the brightest value of the picture."""
        return self.picture.convert("L").getextrema()

    @property
    def mean(self):
        """The luma as it is coded: what RGB cannot show of it would bring the dark levels together."""
        image = Image.open(io.BytesIO(self.body))
        image.draft("L", (image.width // 4, image.height // 4))
        return ImageStat.Stat(image.convert("L")).mean[0]

    def __repr__(self):
        what = self.code or f"{self.size[0]}x{self.size[1]}"
        return f"{what} after {self.answered - self.asked:.1f} s{': ' + self.detail if self.detail else ''}"


class Daemon:
    def __init__(self, path):
        self.path = path

    def get(self, target):
        return self.request("GET", target)

    def request(self, verb, target, body=None):
        """The status and the body of the reply; `body` is sent as JSON."""
        with contextlib.closing(UnixConnection(self.path)) as connection:
            status, _, text = connection.exchange(verb, target, body)
            return status, text

    def still(self, camera, deadline_ms=LONGEST, wish=STILL):
        with contextlib.closing(UnixConnection(self.path)) as connection:
            return connection.still(camera, deadline_ms, wish)

    def status(self, camera):
        return json.loads(self.get(f"/v1/cameras/{camera}")[1])


class Asking(threading.Thread):
    """Asks for one still of a camera after the other until it is told to end, and only while nobody else has `turn`."""

    def __init__(self, daemon, camera, pause, deadline_ms=LONGEST):
        super().__init__(daemon=True)
        self.service, self.camera, self.pause, self.deadline = daemon, camera, pause, deadline_ms
        self.turn = threading.Lock()
        self.answers, self.ending = [], threading.Event()
        self.start()

    def run(self):
        while not self.ending.is_set():
            with self.turn:
                self.answers.append(self.service.still(self.camera, self.deadline))
            self.ending.wait(self.pause)

    def since(self, moment):
        return [answer for answer in list(self.answers) if answer.answered > moment]

    def end(self):
        self.ending.set()
        self.join()


class Brightness:
    """The brightness of the vivid at `node`: it tells from a picture whether that was taken since it was changed."""

    LEVELS = [48, 96, 144, 192]

    def __init__(self, node):
        self.node, self.looks, self.level = node, {}, None

    def call(self, request, value):
        """Sets or gets the control; None while the device is away."""
        try:
            node = os.open(self.node, os.O_RDWR)
        except OSError:
            return None
        try:
            return struct.unpack("Ii", fcntl.ioctl(node, request, struct.pack("Ii", V4L2_CID_BRIGHTNESS, value)))[1]
        except OSError:
            return None
        finally:
            os.close(node)

    def learn(self, still):
        """What each level looks like once it has surely settled, in the last of four pictures that `still` takes."""
        for level in self.LEVELS:
            self.call(VIDIOC_S_CTRL, level)
            self.looks[level] = [still().mean for _ in range(4)][-1]
        print("levels of brightness", self.looks)
        ordered = list(self.looks.values())
        if any(after - before < 10 for before, after in zip(ordered, ordered[1:])):
            sys.exit(f"The levels of brightness of {self.node} cannot be told apart in its pictures.")

    def change(self, chance):
        """Sets another level, by chance; whether that was done."""
        self.level = chance.choice([level for level in self.LEVELS if level != self.level])
        return self.call(VIDIOC_S_CTRL, self.level) == self.level

    def objection(self, answer):
        """A sentence if the picture does not have the level that was set."""
        seen = min(self.LEVELS, key=lambda level: abs(self.looks[level] - answer.mean))
        return None if seen == self.level else f"brightness {self.level} was set, and the picture shows {seen}"


def node_of(serial):
    """The capture node of the USB camera with this serial number; None where the kernel has not found it."""
    for node in os.listdir("/sys/class/video4linux"):
        try:
            with open(f"/sys/class/video4linux/{node}/device/../serial") as own:
                with open(f"/sys/class/video4linux/{node}/index") as index:
                    if own.read() == f"{serial}\n" and index.read() == "0\n" and os.path.exists(f"/dev/{node}"):
                        return f"/dev/{node}"
        except OSError:  # It is another camera's, or goes just now.
            pass
    return None


def code_rows(picture, cell, count):
    """The first rows of the code that the test pattern draws (PatternPainter.swift), of 32 square cells each, a bit a cell."""
    luma = picture.convert("L").load()
    middles = [int((place + 0.5) * cell) for place in range(32)]
    return [sum((luma[x, y] > 127) << (31 - bit) for bit, x in enumerate(middles)) for y in middles[:count]]


def pattern_code(picture):
    """The number that the test pattern draws, and the time of its exposure in microseconds of CLOCK_MONOTONIC; None if they
    cannot be read."""
    cell = next(c for c in (16, 8, 4, 2, 1) if c * 32 <= picture.width and c * 6 <= picture.height)
    number, inverse, high, low, *others = code_rows(picture, cell, 6)
    if [inverse, *others] != [word ^ 0xFFFFFFFF for word in (number, high, low)]:
        return None
    return number, high << 32 | low


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def start_daemon(binaries, folder, *options, configuration="{}\n", spool=None, rights=(), environment=None):
    """A daemon that has its socket (sock), its log (tintyped.log) and all else in a folder, and ends with this program.

    `spool` is another folder for its pictures, and `rights` are options of setpriv(1)."""
    write(f"{folder}/tintyped.yaml", configuration)
    with open(f"{folder}/tintyped.log", "w") as log:
        return subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *rights, f"{binaries}/tintyped", "--config", f"{folder}/tintyped.yaml",
             "--socket", f"{folder}/sock", "--spool", spool or f"{folder}/spool", "--state", f"{folder}/state", *options],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=os.environ | (environment or {}),
        )


def wait_until(condition, *what):
    """Polls until the condition holds, without a limit, and returns what it returned. Prints every 30 s what it waits for: words,
    and functions that return some."""
    said = time.monotonic()
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() >= said + 30:
            said = time.monotonic()
            print("still waiting for:", *(word() if callable(word) else word for word in what), flush=True)
        time.sleep(0.1)


def is_alive():
    """Tells `boot` that a long check makes progress: something has come to its end. Outside of a guest it does nothing."""
    if path := os.environ.get("TINTYPE_VM_ALIVE"):
        with open(path, "a") as file:
            file.write(f"{time.monotonic():.0f}\n")
