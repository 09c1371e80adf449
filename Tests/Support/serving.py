# SPDX-License-Identifier: Apache-2.0
"""A daemon with a test pattern for clients that are not ours, a port that leads to it, and such clients from PyPI.

As a program it installs these: before the tests, since hundreds of megabytes that are written keep stills from the disk.
"""

import asyncio
import contextlib
import hashlib
import os
import pathlib
import socket as sockets
import subprocess
import sys
import threading
import time

# The media types of replies without an end.
ENDLESS = [b"multipart/x-mixed-replace", b"text/event-stream"]
SCHEMATHESIS = ["schemathesis==4.32.5"]
CLIENTS = [
    "aiohttp==3.14.5", "numpy==2.4.6", "opencv-python-headless==5.0.0.93", "prometheus-client==0.26.0", "requests==2.34.2",
    "requests-unixsocket2==1.0.1",
]
PAGE = ["axe-core-python==0.1.0", "selenium==4.51.0"]
# Seconds after which a program that hangs is ended: no measure of how quick it is.
LIMIT = 900


def packages(names):
    """The folder with the programs of these packages, in ~/.cache/tintype; they are installed first where they are missing."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tintype"
    folder = cache / f"python-{hashlib.sha256(' '.join(names).encode()).hexdigest()[:12]}"
    done = folder / "installed"
    if not done.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run(
            [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", *names], check=True
        )
        done.touch()
    return folder / "bin"


def free_port():
    """A port of the loopback interface that nothing listens on."""
    with sockets.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def copy(reader, writer, cuts_streams):
    """Passes on all that comes; of a stream that is cut, which has no end, what comes first.

    A request for events is sent as one of HTTP/1.0, so that its reply has no chunks that could be cut.
    """
    is_stream = False
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(1 << 16):
            if data.startswith((b"GET /v1/events ", b"GET /v1/events?")):
                data = data.replace(b" HTTP/1.1\r\n", b" HTTP/1.0\r\n", 1)
            is_stream = is_stream or cuts_streams and any(kind in data for kind in ENDLESS)
            writer.write(data)
            await writer.drain()
            if is_stream and any(end in data for end in [b"\xff\xd9", b"\n\n"]):
                break
    with contextlib.suppress(OSError):
        writer.write_eof()


def pass_on(socket, cuts_streams=False):
    """Passes connections to a free port on to `socket` until the program ends; returns the port."""
    port = []
    is_ready = threading.Event()
    # The loop holds its tasks weakly: one that waits could be collected, and its connection to the daemon be read for ever.
    tasks = set()

    async def serve_one(reader, writer):
        task = asyncio.current_task()
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        try:
            theirs, ours = await asyncio.open_unix_connection(socket)
        except OSError:
            return writer.close()
        try:
            await asyncio.gather(copy(reader, ours, False), copy(theirs, writer, cuts_streams))
        finally:
            for end in (ours, writer):
                end.close()

    async def serve():
        server = await asyncio.start_server(serve_one, "127.0.0.1", 0)
        port.append(server.sockets[0].getsockname()[1])
        is_ready.set()
        await server.serve_forever()

    threading.Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
    is_ready.wait()
    return port[0]


@contextlib.contextmanager
def daemon(binaries, folder, pattern):
    """A daemon with a test pattern; gives its socket."""
    socket = f"{folder}/socket"
    log = open(f"{folder}/tintyped.log", "wb")
    process = subprocess.Popen(
        [f"{binaries}/tintyped", "--pattern", pattern, "--socket", socket, "--spool", f"{folder}/spool"]
        + ["--state", f"{folder}/state"],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
    )
    try:
        deadline = time.monotonic() + LIMIT
        while not os.path.exists(socket):
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"tintyped does not listen: {pathlib.Path(log.name).read_text()}")
            time.sleep(0.05)
        yield socket
        if process.poll() is not None:
            raise SystemExit(f"tintyped has ended: {pathlib.Path(log.name).read_text()[-4000:]}")
    finally:
        process.terminate()
        process.wait(LIMIT)


if __name__ == "__main__":
    for names in [SCHEMATHESIS, CLIENTS, PAGE]:
        packages(names)
