# SPDX-License-Identifier: Apache-2.0
"""Stills of one user while another user, without privileges, uses the daemon as badly as its role and limits permit."""

import multiprocessing
import os
import pathlib
import resource
import select
import socket
import statistics
import time

from .place import Failure

# Without accounts.
USER, OTHER = 60001, 60002
ROUNDS, SECONDS = 34, 2
PATIENCE_S = 20
BOUND, BOUND_MB = 3, 300
# tintyped takes half of its descriptors for connections: 2048, of which one user gets 1536.
DESCRIPTORS = 4096
CAMERA = "/v1/cameras/camera"
# The request, the status of one reply at least, and whether it is sent again without end.
KINDS = {
    "examinations": (f"POST {CAMERA}/examine", '{"frames": 10}', 200, True),
    # Each with a section of its own, so that none shares its picture with another; never read.
    "pictures": (f"GET {CAMERA}/still.jpg?fresh=next&quality=100&crop=1264x704%2B{{}}%2B{{}}", "", None, True),
    "events": ("GET /v1/events", "", 200, False),
    # One event for each frame of the camera.
    "stores": (f"POST {CAMERA}/stills", '{"fresh": "next", "durability": "none"}', 201, True),
    # Its role does not permit them.
    "reloads": ("POST /v1/reload", "", 403, True),
}
# Connections of each kind.
LOADS = {
    "256 clients that examine": {"examinations": 256},
    "256 clients that do not read their pictures": {"pictures": 256},
    "1,535 event clients": {"events": 1535, "stores": 1},
    "32 clients that request reloads": {"reloads": 32},
    "all of these, 1,536 clients": {"examinations": 256, "pictures": 256, "reloads": 32, "stores": 1, "events": 991},
}


class Client:
    """A connection that sends as much as the socket takes, and reads unless its kind does not."""

    def __init__(self, path, kind, number):
        line, body, self.status, self.is_endless = KINDS[kind]
        line = line.format(number % 16, number // 16)
        length = f"Content-Length: {len(body)}\r\n" if line.startswith("POST") else ""
        request = f"{line} HTTP/1.1\r\nHost: localhost\r\n{length}\r\n{body}".encode()
        self.kind, self.number, self.requests = kind, number, memoryview(request * (64 if self.is_endless else 1))
        self.rest = self.requests
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.setblocking(False)

    def events(self):
        return (select.EPOLLOUT if self.rest else 0) | (select.EPOLLIN if self.status else 0)

    def send(self):
        self.rest = self.rest[self.socket.send(self.rest):]
        if not self.rest and self.is_endless:
            self.rest = self.requests

    def receive(self):
        """The number of expected replies that begin in the received bytes."""
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionResetError
        return data.count(b"HTTP/1.1 %d" % self.status)


def misuse(path, load, answered):
    """Runs as OTHER until it is killed; counts the expected replies of each kind."""
    # The daemon is measured, not the scheduler.
    os.nice(19)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.setgroups([])
    os.setgid(OTHER)
    os.setuid(OTHER)
    poll, clients, due = select.epoll(), {}, 0
    missing = [(kind, number) for kind, count in load.items() for number in range(count)]
    while True:
        if time.monotonic() >= due:
            for kind, number in missing:
                client = Client(path, kind, number)
                clients[client.socket.fileno()] = client
                poll.register(client.socket, client.events())
            # Refused and disconnected clients come again.
            missing, due = [], time.monotonic() + 0.1
        for descriptor, events in poll.poll(0.1):
            client = clients[descriptor]
            try:
                if events & select.EPOLLIN:
                    answered[list(KINDS).index(client.kind)] += client.receive()
                if events & select.EPOLLOUT:
                    client.send()
                    poll.modify(descriptor, client.events())
                elif events & (select.EPOLLHUP | select.EPOLLERR):
                    raise ConnectionResetError
            except BlockingIOError:
                pass
            except ConnectionError:
                client.socket.close()
                del clients[descriptor]
                missing.append((client.kind, client.number))


class Misuse:
    """A process of OTHER; in effect once every event client and one client of each other kind has the expected reply."""

    def __init__(self, server, load):
        context = multiprocessing.get_context("fork")
        answered = context.Array("q", len(KINDS), lock=False)
        self.process = context.Process(target=misuse, args=(str(server.socket), load, answered), daemon=True)
        self.process.start()
        wanted = {kind: load[kind] if kind == "events" else 1 for kind in load if KINDS[kind][2]}
        end = time.monotonic() + PATIENCE_S
        while any(answered[list(KINDS).index(kind)] < count for kind, count in wanted.items()):
            if time.monotonic() > end or not self.process.is_alive():
                self.end()
                raise Failure(f"the other user got {dict(zip(KINDS, answered))} replies and waits for {wanted}")
            time.sleep(0.02)
        # Some pictures that are not read.
        time.sleep(0.3)

    def end(self):
        self.process.kill()
        self.process.join()


def stills(place, server, rounds):
    replies = place.stills(server, server.still("next"), rounds, seconds=SECONDS, gap_us=33_334, user=USER)
    return sorted((reply.last - reply.sent) / 1e6 for [reply] in replies)


def latency(place, server, effort):
    """The median and the 95 % quantile in milliseconds."""
    sorted_ms = stills(place, server, max(4, round(ROUNDS * effort)))
    return {"median": statistics.median(sorted_ms), "95 % quantile": sorted_ms[int(0.95 * len(sorted_ms))]}


def peak_mb(server):
    """The greatest resident memory so far, with the camera's buffers."""
    lines = pathlib.Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1000


def measure(place, report, server, effort, prefix):
    rules = [{"user": str(user), "role": "control"} for user in [USER, OTHER]]
    server.start("YUYV", settings={"socket": {"mode": "0666"}, "access": rules})
    try:
        stills(place, server, 4)
        alone = latency(place, server, effort)
        for what, load in LOADS.items():
            what = f"beside another user: {what}"
            try:
                beside, memory = measure_beside(place, server, effort, load)
            except Failure as failure:
                report.leave_out(f"{server.name}, {what}: {failure}")
                continue
            for name in alone:
                title = f"{prefix}still, next, {what}, {name}"
                report.note(title, "ms", f"{server.name}, beside it", beside[name], bound=BOUND)
                report.note(title, "ms", f"{server.name}, alone", alone[name])
            report.note(f"{prefix}memory without camera buffers, {what}", "MB", server.name, memory, bound=BOUND_MB)
        report.note(f"{prefix}greatest resident memory beside another user", "MB", server.name, peak_mb(server),
                    bound=BOUND_MB)
    finally:
        server.stop()


def measure_beside(place, server, effort, load):
    other = Misuse(server, load)
    try:
        beside, memory = latency(place, server, effort), server.memory_mb()
    finally:
        other.end()
    # Replied to once the daemon has handled what the other user left.
    stills(place, server, 4)
    return beside, memory


def run(place, report, servers, effort, repeat):
    """A build of before is measured once, to save time."""
    if os.geteuid() != 0:
        report.leave_out("users: only root can be two users")
        return
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < DESCRIPTORS:
        report.leave_out(f"users: fewer than {DESCRIPTORS} open files are permitted (ulimit -Hn)")
        return
    # Its users reach the socket and the client.
    place.folder.chmod(0o711)
    for server in servers if repeat == 0 else servers[:1]:
        measure(place, report, server, effort, "" if server is servers[0] else f"{server.name}: ")
