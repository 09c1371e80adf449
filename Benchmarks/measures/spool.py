# SPDX-License-Identifier: Apache-2.0
"""Stills that are stored, on the disk of a folder: how many a second, and beside other work of the spool."""

import concurrent.futures
import hashlib
import os
import pathlib
import signal
import sqlite3
import statistics
import tempfile
import threading
import time

CLIENTS = [1, 8]
DURABILITIES = ["none", "data"]
PATTERN = "MJPG:320x180@30"
ROWS = 100_000


def plain_files(folder, jobs, size, seconds):
    """Files of a size that are written a second, each with fdatasync(2)."""
    target, data, end = tempfile.mkdtemp(dir=folder), os.urandom(size), time.monotonic() + seconds

    def write(job):
        count = 0
        while time.monotonic() < end:
            file = os.open(f"{target}/{job}-{count}", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            os.write(file, data)
            os.fdatasync(file)
            os.close(file)
            count += 1
        return count

    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        count = sum(pool.map(write, range(jobs)))
    return count / (time.monotonic() - began)


def stores(place, report, servers, effort, folder):
    """Nothing is deleted before the end: for minutes ext4 looks for room beside what was deleted."""
    seconds = 0.5 * effort
    for server in servers:
        server.start("MJPG", folder=pathlib.Path(tempfile.mkdtemp(dir=folder)))
        try:
            size = server.ask("POST", "/v1/cameras/camera/stills", {"durability": "none"})["stills"][0]["bytes"]
            for clients in CLIENTS:
                for durability in DURABILITIES:
                    os.sync()
                    body = {"fresh": "latest", "durability": durability}
                    place.stores(server, clients, 0.1, body)
                    rate, _ = place.stores(server, clients, seconds, body)
                    what = f"stores a second, {durability}, {clients} client{'s' * (clients > 1)}"
                    report.note(what, "/s", server.name, rate)
                    if durability == "data" and server is servers[0]:
                        os.sync()
                        rate = plain_files(folder, clients, size, seconds / 2)
                        report.note(what, "/s", "plain files, fdatasync each", rate)
        finally:
            server.stop()


def copy_frame(spool, count, is_lost, has_files):
    """Rows of the catalog like the first, of yesterday or with files; a spool that no daemon has open."""
    catalog = sqlite3.connect(spool / "catalog.sqlite")
    with catalog:
        names = [row[1] for row in catalog.execute("PRAGMA table_info(frame)")]
        frame = dict(zip(names, catalog.execute("SELECT * FROM frame WHERE isLost = 0").fetchone()))
        picture = (spool / frame["path"]).read_bytes()
        frame |= {"bytes": len(picture), "sha256": hashlib.sha256(picture).digest(), "isLost": int(is_lost)}
        rows = []
        for number in range(count):
            path = f"{pathlib.PurePath(frame['path']).parts[0]}/2025/{number // 1000:04d}/{number:07d}.jpg"
            if has_files:
                (spool / path).parent.mkdir(parents=True, exist_ok=True)
                (spool / path).write_bytes(picture)
            # A UUID of version 7 with the time of the first.
            identity = frame["id"][:6] + bytes([0x70]) + os.urandom(1) + bytes([0x80]) + os.urandom(7)
            rows.append({**frame, "id": identity, "path": path})
        places = ", ".join(":" + name for name in names)
        catalog.executemany(f"INSERT INTO frame ({', '.join(names)}) VALUES ({places})", rows)
    catalog.close()
    os.sync()


def filled(server, folder, count, is_lost, has_files):
    """A new spool with many frames; the daemon has ended."""
    home = pathlib.Path(tempfile.mkdtemp(dir=folder))
    server.start(folder=home, pattern=PATTERN)
    server.ask("POST", "/v1/cameras/pattern/stills", {"durability": "full"})
    server.stop()
    copy_frame(home / "spool", count, is_lost, has_files)
    return home


def listing(place, report, server, effort, folder):
    """Stores while another client lists, page after page, by a filter that no frame fits."""
    home = filled(server, folder, round(ROWS * effort), is_lost=True, has_files=False)
    server.start(folder=home, pattern=PATTERN)
    ended = threading.Event()

    def list_all():
        while not ended.is_set():
            after = ""
            while after is not None and not ended.is_set():
                page = "/v1/frames?where=tag:nothing*" + (f"&cursor={after}" if after else "")
                after = server.ask("GET", page).get("next")

    try:
        body = {"fresh": "latest", "durability": "data"}
        place.stores(server, 1, 0.3, body, "pattern")
        _, alone = place.stores(server, 1, effort, body, "pattern")
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            lister = pool.submit(list_all)
            try:
                _, beside = place.stores(server, 1, effort, body, "pattern")
            finally:
                ended.set()
            lister.result()
    finally:
        server.stop()
    what = f"a store, while another client lists {ROWS * effort:.0f} frames in vain"
    report.note(what, "ms", f"{server.name}, beside it", statistics.median(beside))
    report.note(what, "ms", f"{server.name}, alone", statistics.median(alone))


def present(home):
    """The rows of the catalog whose files are there."""
    catalog = sqlite3.connect(f"file:{home}/spool/catalog.sqlite?mode=ro", uri=True, timeout=10)
    try:
        return catalog.execute("SELECT count(*) FROM frame WHERE isLost = 0").fetchone()[0]
    finally:
        catalog.close()


def store_ms(server, until):
    """How long the storing of each took at durability full, a still of each frame, until it is enough."""
    times = []
    while not until(len(times)):
        still = server.ask("POST", "/v1/cameras/pattern/stills", {"fresh": "next", "durability": "full"})["stills"][0]
        times.append(still["phasesMs"]["store"])
    return times


def retention(report, server, effort, folder):
    """The slower stores while pictures are let go, beside those with nothing else to do."""
    count = round(2000 * effort)
    home = filled(server, folder, count, is_lost=False, has_files=True)
    server.start(folder=home, pattern=PATTERN)
    try:
        store_ms(server, lambda stored: stored == 10)
        alone = store_ms(server, lambda stored: stored >= 60 * effort)
    finally:
        server.stop()
    most = present(home) - count
    server.start(folder=home, pattern=PATTERN, spool={"retention": {"maxFrames": most}})
    try:
        going = store_ms(server, lambda stored: stored >= 10 and present(home) <= most)
    finally:
        server.stop()
    what = f"what nine of ten stores do not take longer than, while {count} pictures are let go"
    report.note(what, "ms", f"{server.name}, beside it", statistics.quantiles(going, n=10)[-1])
    report.note(what, "ms", f"{server.name}, alone", statistics.quantiles(alone, n=10)[-1])


def start(report, server, effort, folder):
    """The comparison of folder and catalog: after a kill through everything, after an end in good order through little."""
    count = round(3000 * effort)
    home = filled(server, folder, count, is_lost=False, has_files=True)
    latest = home / "spool/pattern/latest.jpg"

    def begin():
        # The comparison repairs this last.
        latest.unlink(missing_ok=True)
        began = time.monotonic()
        server.start(folder=home, pattern=PATTERN)
        while not latest.is_symlink():
            time.sleep(0.001)
        return time.monotonic() - began

    try:
        begin()
        server.stop(signal.SIGKILL)
        killed = begin()
        # The times of the folders have to be older than that comparison by some seconds.
        time.sleep(5)
        server.stop()
        ended = begin()
    finally:
        server.stop()
    what = f"start with {count} frames"
    report.note(what, "s", f"{server.name}, after an end in good order", ended)
    report.note(what, "s", f"{server.name}, after a kill", killed)


def run(place, report, servers, effort, repeat, folder):
    turned = servers[repeat % len(servers):] + servers[:repeat % len(servers)]
    stores(place, report, turned, effort, folder)


def run_bounds(place, report, servers, effort, _, folder):
    listing(place, report, servers[0], effort, folder)
    retention(report, servers[0], effort, folder)
    start(report, servers[0], effort, folder)
