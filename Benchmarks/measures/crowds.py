# SPDX-License-Identifier: Apache-2.0
"""What cameras and clients add: differences and ratios between two sizes in one run."""

import concurrent.futures
import socket
import statistics
import time

CAMERAS = 8
WATCHING, DEAF = 180, 20
STALLED, REQUESTS = 60, 30
# The allocator keeps some.
KEPT_MB = 16


def cameras(place, report, server, effort):
    """One hot camera that nobody asks, and several."""
    figures = {}
    for count in [1, CAMERAS]:
        server.start("YUYV", cameras=count)
        try:
            while server.ask("GET", f"/v1/cameras/camera{count if count > 1 else ''}")["counters"]["captured"] < 60:
                time.sleep(0.05)
            before, began = server.processor_ms(), time.monotonic()
            time.sleep(3 * effort)
            used = (server.processor_ms() - before) / (time.monotonic() - began)
            figures[count] = used / 30 / count, server.memory_mb()
        finally:
            server.stop()
    for count in [CAMERAS, 1]:
        name = f"{server.name}, {count} hot camera{'s' * (count > 1)}"
        report.note("processor time a frame of one of several hot cameras", "ms", name, figures[count][0])
        report.note("memory of several hot cameras, without buffers", "MB", name, figures[count][1])
    each = (figures[CAMERAS][1] - figures[1][1]) / (CAMERAS - 1)
    report.note("memory that each further hot camera adds", "MB", server.name, each, bound=1)


def connections(server, count, request, times):
    """Clients that have asked and read nothing."""
    clients = []
    for _ in range(count):
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(server.socket))
        client.sendall(f"GET {request} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * times)
        clients.append(client)
    return clients


def latency(place, server, effort):
    rounds = place.stills(server, server.still("next"), max(4, round(30 * effort)))
    return statistics.median((replies[0].last - replies[0].sent) / 1e6 for replies in rounds), rounds[0][0].bytes


def crowd(place, report, server, effort):
    """200 viewers, some of which never read, beside one client that asks for stills."""
    stream = f"{server.stream}?rate=10&width=320"
    server.start("YUYV")
    try:
        alone, size = latency(place, server, effort)
        memory = server.memory_mb()
        clients = connections(server, DEAF, stream, 1)
        seconds = 3 * effort + 4
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            watching = pool.submit(place.watch, server, stream, WATCHING, seconds)
            time.sleep(1.5)
            beside, _ = latency(place, server, effort)
            added = server.memory_mb() - memory
            watching.result()
        for client in clients:
            client.close()
        what = f"still, next, beside {WATCHING} viewers and {DEAF} that never read"
        report.note(what, "ms", f"{server.name}, beside them", beside, bound=2)
        report.note(what, "ms", f"{server.name}, alone", alone)
        report.note("memory that these viewers add", "MB", server.name, added, bound=64)
    finally:
        server.stop()
    server.start("MJPG")
    try:
        alone, size = latency(place, server, effort)
        memory = server.memory_mb()
        clients = connections(server, STALLED, server.still("next"), REQUESTS)
        beside, _ = latency(place, server, effort)
        added = max(0, server.memory_mb() - memory)
        for client in clients:
            client.close()
        what = f"still, next, beside {STALLED} clients that asked {REQUESTS} times and read nothing"
        report.note(what, "ms", f"{server.name}, beside them", beside, bound=2)
        report.note(what, "ms", f"{server.name}, alone", alone)
        replies = added * 1e6 / STALLED / size
        report.note("memory that each of these clients holds", "replies", server.name, replies,
                    bound=round(2 + KEPT_MB * 1e6 / STALLED / size, 1))
    finally:
        server.stop()


def run(place, report, servers, effort, _):
    cameras(place, report, servers[0], effort)
    crowd(place, report, servers[0], effort)
