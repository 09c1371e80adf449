# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks of stills share: the client in C, a daemon in a folder of its own, statistics, verdicts."""

import collections
import contextlib
import http.client
import json
import os
import pathlib
import platform
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
PERIOD_US = 33_333
CELL = 16

# One reply; times in nanoseconds of CLOCK_MONOTONIC.
Reply = collections.namedtuple("Reply", "round connection sent first last status sequence bytes same")


class Site:
    """A temporary folder with a daemon and the client."""

    def __init__(self, folder, binaries):
        self.folder = pathlib.Path(folder)
        self.daemon = None
        self.binaries = pathlib.Path(binaries).resolve(strict=True)
        self.socket = self.folder / "socket"
        self.client = self.folder / "client"
        subprocess.run(
            ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", self.client, HERE / "client.c"], check=True
        )

    def start(self, arguments=(), configuration="{}\n", environment=None):
        """Starts tintyped and waits until it answers."""
        file = self.folder / "tintyped.yaml"
        file.write_text(configuration)
        self.log = open(self.folder / "log", "ab")
        self.daemon = subprocess.Popen(
            [self.binaries / "tintyped", "--config", file, "--socket", self.socket, "--log-level", "warning",
             "--spool", self.folder / "spool", "--state", self.folder / "state", *arguments],
            env={**os.environ, **(environment or {})}, stdout=self.log, stderr=self.log,
        )
        end = time.monotonic() + 30
        while True:
            try:
                return self.ask("GET", "/healthz")
            except OSError:
                if self.daemon.poll() is not None or time.monotonic() > end:
                    sys.exit("tintyped does not serve:\n" + (self.folder / "log").read_text())
                time.sleep(0.02)

    def stop(self):
        if self.daemon is not None:
            self.daemon.send_signal(signal.SIGTERM)
            self.daemon.wait(120)
            self.daemon = None

    def thread_seconds(self, name):
        """The processor's time that the daemon's threads of a name have used, by the kernel (proc(5)): in 10 ms steps."""
        ticks = 0
        for stat in pathlib.Path(f"/proc/{self.daemon.pid}/task").glob("*/stat"):
            head, _, rest = stat.read_text().rpartition(")")
            if head.partition("(")[2].startswith(name):
                fields = rest.split()
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def ask(self, method, path, body=None):
        """One request; the JSON of the reply."""
        connection = http.client.HTTPConnection("localhost", timeout=20)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(20)
        try:
            connection.sock.connect(str(self.socket))
            connection.request(method, path, None if body is None else json.dumps(body))
            reply = connection.getresponse()
            text = reply.read()
            if reply.status >= 300:
                sys.exit(f"{method} {path}: {reply.status} {text.decode()}")
            return json.loads(text)
        finally:
            connection.close()

    def measure(self, targets, rounds, connections=1, warmup=5, options=()):
        """The replies to `targets`, round by round; the first rounds, which warm everything up, are left out."""
        targets = [targets] if isinstance(targets, str) else targets
        command = [self.client, "--connections", str(connections), "--rounds", str(rounds + warmup),
                   "--pause", str(PERIOD_US), *options, self.socket, *targets]
        output = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
        if output.returncode != 0:
            sys.exit("The client failed. The daemon wrote:\n" + (self.folder / "log").read_text())
        table = collections.defaultdict(list)
        for line in output.stdout.splitlines():
            fields = line.split()
            reply = Reply(*map(int, fields[:8]), fields[8])
            if reply.status != 200:
                sys.exit(f"A reply had status {reply.status} and not 200.")
            table[reply.round].append(reply)
        return [table[number] for number in sorted(table) if number >= warmup]


@contextlib.contextmanager
def site(binaries):
    with tempfile.TemporaryDirectory(prefix="tintype-bench-") as folder:
        place = Site(folder, binaries)
        try:
            yield place
        finally:
            place.stop()


def machine():
    """One line on what this was measured on."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*: (.*)", text)
    load = os.getloadavg()[0]
    return (f"{model.group(1) if model else platform.machine()}, {os.cpu_count()} cores, Linux {platform.release()}, "
            f"load {load:.2f}, {time.strftime('%Y-%m-%d', time.gmtime())}")


def quantile(values, share):
    """The nearest-rank quantile."""
    ordered = sorted(values)
    return ordered[max(0, min(len(ordered) - 1, -int(-share * len(ordered) // 1) - 1))]


def spread(values):
    """p50, p99, p99.9 and the worst, as text, in milliseconds."""
    shares = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("worst", 1.0)]
    return ", ".join(f"{name} {quantile(values, share):.2f}" for name, share in shares) + " ms"


def histogram(values, rows=12):
    """Lines of a histogram from the least value to the 99.9th percentile; what is above is in the last row."""
    low, high = min(values), max(quantile(values, 0.999), min(values) + 0.001)
    step = (high - low) / rows
    counts = [0] * rows
    for value in values:
        counts[min(rows - 1, int((value - low) / step))] += 1
    widest = max(counts)
    return "\n".join(
        f"    {low + step * row:8.2f} ms {count:6d} {'#' * round(50 * count / widest)}"
        for row, count in enumerate(counts)
    )


class Verdicts:
    """Prints each target with what was measured, and remembers what was missed."""

    def __init__(self, decides):
        self.decides = decides
        self.missed = []

    def at_most(self, what, value, target, unit="ms"):
        holds = value <= target
        self.note(what, holds, f"{value:.2f} {unit}, target: at most {target:.2f} {unit}")

    def note(self, what, holds, text):
        print(f"  {'met   ' if holds else 'MISSED'} {what}: {text}", flush=True)
        if not holds:
            self.missed.append(what)

    def end(self):
        if self.missed:
            print(f"{len(self.missed)} missed: {'; '.join(self.missed)}")
        sys.exit(1 if self.missed and self.decides else 0)


def cells(picture, rows):
    """The numbers that are drawn in rows of 32 black or white cells of 16 pixels at the top left."""
    from PIL import Image

    image = Image.open(picture)
    image.draft("L", None)
    luma = image.crop((0, 0, 32 * CELL, rows * CELL)).convert("L")
    pixels = luma.load()
    return [
        sum((pixels[column * CELL + CELL // 2, row * CELL + CELL // 2] > 127) << (31 - column) for column in range(32))
        for row in range(rows)
    ]


class CameraLog:
    """What the stand-in camera wrote of each frame: 40 bytes."""

    RECORD = struct.Struct("=IHHIIqqq")

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        whole = len(data) // self.RECORD.size * self.RECORD.size
        # number in the picture, when it was captured, when it was handed out; dropped frames left out
        self.frames = [
            (code, captured, ready)
            for _, _, flags, _, code, captured, ready, _ in self.RECORD.iter_unpack(data[:whole]) if flags & 1
        ]

    def frame(self, code, before):
        """The newest frame with this number that was captured before a moment."""
        for frame in reversed(self.frames):
            if frame[0] == code and frame[1] <= before:
                return frame
        return None


class PatternLog:
    """The same from pictures of the test pattern at 30 frames a second, which is there when the exposure begins that it tells."""

    def __init__(self, pictures):
        frames = set()
        for picture in pictures:
            number, inverse, high, low, *_ = cells(picture, 6)
            if number == ~inverse & 0xFFFFFFFF:
                began = (high << 32 | low) * 1000
                frames.add((number, began, began))
        self.frames = sorted(frames)

    frame = CameraLog.frame
