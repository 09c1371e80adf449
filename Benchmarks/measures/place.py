# SPDX-License-Identifier: Apache-2.0
"""Where it is measured: a temporary folder with the camera, the client and the servers in turn."""

import collections
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
NODE = "/dev/video90"
FORMS = ["YUYV", "MJPG"]

# A reply; times in nanoseconds of CLOCK_MONOTONIC, the number drawn in the picture or -1.
Reply = collections.namedtuple("Reply", "round sent last bytes number")


class Failure(Exception):
    """What cannot be measured, and why."""


class Place:
    """Programs compiled in a folder, and the frames that the camera shows."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.camera = self.folder / "camera.so"
        compiler = ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o"]
        # glibc declares arguments as never null that programs give as null.
        subprocess.run([*compiler, self.camera, "-Wno-nonnull-compare", "-fPIC", "-shared", "-fvisibility=hidden",
                        *(HERE / "camera").glob("*.c"), "-pthread"], check=True)
        for name in ["client", "frames"]:
            subprocess.run([*compiler, self.folder / name, HERE / f"client/{name}.c", "-lturbojpeg"], check=True)
        subprocess.run([self.folder / "frames", self.folder], check=True)
        self.logs = 0

    def camera_environment(self, form, nodes=1):
        """The variables that give a program cameras, and the file in which each frame is noted."""
        self.logs += 1
        log = self.folder / f"frames-{self.logs}.log"
        log.touch()
        first = int(NODE.removeprefix("/dev/video"))
        variables = {
            "LD_PRELOAD": str(self.camera), "FAKECAM": ",".join(f"/dev/video{first + node}" for node in range(nodes)),
            "FAKECAM_FMT": form, "FAKECAM_SIZE": "1280x720", "FAKECAM_FPS": "30",
            "FAKECAM_FRAMES": str(self.folder / form), "FAKECAM_LOG": str(log),
        }
        return os.environ | variables, log

    def run_client(self, *arguments, user=None):
        command = [self.folder / "client", *map(str, arguments)]
        identity = {} if user is None else {"user": user, "group": user, "extra_groups": []}
        outcome = subprocess.run(command, capture_output=True, text=True, check=False, **identity)
        if outcome.returncode:
            raise Failure(outcome.stderr.strip())
        return outcome.stdout

    def stills(self, server, target, rounds, connections=1, seconds=60, gap_us=66_667, again=False, user=None):
        """The replies, round by round."""
        output = self.run_client("stills", server.socket, connections, rounds, seconds, gap_us, target, *["again"] * again,
                                 user=user)
        table = collections.defaultdict(list)
        for line in output.splitlines():
            reply = Reply(*map(int, line.split()))
            table[reply.round].append(reply)
        return list(table.values())

    def stores(self, server, clients, seconds, body, camera="camera"):
        """Stores a second, and the latency of each in milliseconds."""
        output = self.run_client("stores", server.socket, clients, seconds, f"/v1/cameras/{camera}/stills", json.dumps(body))
        *latencies, took = output.split()
        return len(latencies) / float(took), [int(latency) / 1000 for latency in latencies]

    def watch(self, server, target, viewers, seconds):
        """The server's processor time in ms, the seconds, (moment, number) of pictures, how many each viewer had."""
        process = subprocess.Popen(
            [self.folder / "client", "watch", str(server.socket), str(viewers), str(seconds), target],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        if process.stdout.readline() != "begin\n":
            raise Failure(process.communicate()[1].strip())
        before, began = server.processor_ms(), time.monotonic()
        time.sleep(seconds)
        used, took = server.processor_ms() - before, time.monotonic() - began
        output, errors = process.communicate()
        if process.returncode:
            raise Failure(errors.strip())
        pictures, _, counts = output.partition("end\n")
        pictures = [tuple(map(int, line.split())) for line in pictures.splitlines()]
        return used, took, pictures, list(map(int, counts.split()))


class CameraLog:
    """What the camera noted of each frame that it handed out: its number, and when it was captured and ready."""

    RECORD = struct.Struct("=IHHIIqqq")

    def __init__(self, path):
        data = path.read_bytes()
        whole = len(data) // self.RECORD.size * self.RECORD.size
        self.frames = [
            (code, captured, ready)
            for _, _, flags, _, code, captured, ready, _ in self.RECORD.iter_unpack(data[:whole]) if flags & 1
        ]

    def frame(self, number, before):
        """The newest frame with this number that was captured before a moment."""
        return next((frame for frame in reversed(self.frames) if frame[0] == number and frame[1] <= before), None)


class Server:
    """A process that serves pictures on a Unix socket. The camera's own thread is left out of its processor time."""

    process = None

    def launch(self, place, arguments, environment):
        self.output = place.folder / "server.log"
        with open(self.output, "ab") as log:
            self.process = subprocess.Popen(arguments, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            while not self.answers():
                if self.process.poll() is not None:
                    raise Failure(f"{self.name} ends: {self.output.read_text()[-2000:]}")
                time.sleep(0.005)
        except BaseException:
            self.stop(signal.SIGKILL)
            raise

    def answers(self):
        with socket.socket(socket.AF_UNIX) as connection:
            return connection.connect_ex(str(self.socket)) == 0

    def stop(self, with_signal=signal.SIGTERM):
        if self.process:
            self.process.send_signal(with_signal)
            self.process.wait()
            self.process = None

    def processor_ms(self):
        total = 0
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                if (task / "comm").read_text().strip() != "fakecam":
                    total += int((task / "schedstat").read_text().split()[0])
            except (FileNotFoundError, ProcessLookupError):
                pass
        return total / 1e6

    def memory_mb(self):
        """Proportional memory without the camera's buffers."""
        total, is_buffer = 0, False
        for line in pathlib.Path(f"/proc/{self.process.pid}/smaps").read_text().splitlines():
            if "-" in line.split(" ")[0]:
                is_buffer = "/memfd:fakecam" in line
            elif line.startswith("Pss:") and not is_buffer:
                total += int(line.split()[1])
        return total / 1000


class Tintyped(Server):
    """Our daemon, from a folder with tintyped and tintype."""

    def __init__(self, place, name, binaries):
        self.place, self.name, self.binaries = place, name, pathlib.Path(binaries).resolve(strict=True)
        self.folder = self.socket = None
        # An earlier build has the key of the look beside it.
        has_look = b"The key is now one of look." in (self.binaries / "tintyped").read_bytes()
        self.quality = {"look": {"quality": 80}} if has_look else {"quality": 80}

    def start(self, form=None, cameras=1, warmth="hot", folder=None, pattern=None, spool=None, settings=None):
        """With hot cameras of a form, or with the test pattern; FOLDER (a new one) holds spool and state."""
        self.folder = folder or self.place.folder / f"{self.name}-{time.monotonic_ns()}"
        self.folder.mkdir(exist_ok=True)
        # A path to a socket has at most 107 bytes.
        self.socket = self.place.folder / "tintyped.sock"
        first = int(NODE.removeprefix("/dev/video"))
        names = ["camera"] + [f"camera{number}" for number in range(2, cameras + 1)]
        settings = {"spool": spool or {}} | (settings or {})
        if form:
            settings["cameras"] = {
                name: {"device": f"/dev/video{first + index}", "warmth": warmth} | self.quality
                for index, name in enumerate(names)
            }
        file = self.folder / "tintyped.yaml"
        file.write_text(json.dumps(settings) + "\n")
        environment, self.log = self.place.camera_environment(form, cameras) if form else (os.environ, None)
        arguments = [self.binaries / "tintyped", "--config", file, "--socket", self.socket, "--log-level", "warning",
                     "--spool", self.folder / "spool", "--state", self.folder / "state"]
        self.launch(self.place, arguments + (["--pattern", pattern] if pattern else []), environment)

    def ask(self, method, path, body=None):
        """One request; the JSON of the reply."""
        connection = http.client.HTTPConnection("localhost")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(str(self.socket))
        try:
            connection.request(method, path, None if body is None else json.dumps(body))
            reply = connection.getresponse()
            text = reply.read()
        finally:
            connection.close()
        if reply.status >= 300:
            raise Failure(f"{method} {path}: {reply.status} {text.decode()}")
        return json.loads(text)

    stream = "/v1/cameras/camera/stream.mjpg"

    @staticmethod
    def still(fresh):
        return f"/v1/cameras/camera/still.jpg?fresh={fresh}"


class Ustreamer(Server):
    """ustreamer, with the same camera at the same quality."""

    stream = "/stream"

    def __init__(self, place, program):
        version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        self.place, self.program, self.name = place, program, f"ustreamer {version}"
        self.socket = place.folder / "ustreamer.sock"

    def arguments(self, form):
        return [self.program, "--device", NODE, "--resolution", "1280x720", "--desired-fps", "30", "--format",
                "MJPEG" if form == "MJPG" else form, "--encoder", "HW" if form == "MJPG" else "CPU", "--quality", "80",
                "--unix", str(self.socket), "--unix-rm", "--log-level", "0"]

    def start(self, form):
        environment, self.log = self.place.camera_environment(form)
        self.launch(self.place, self.arguments(form), environment)

    @staticmethod
    def still(_):
        return "/snapshot"


def found(program):
    """The path of a program, or None."""
    return shutil.which(program)
