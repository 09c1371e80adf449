# SPDX-License-Identifier: Apache-2.0
"""A daemon with test patterns for clients that are not ours, a port that leads to it, such clients from PyPI, and the file of
results.

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
import traceback

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "VirtualMachine"))
import cameras

# The media types of replies without an end, each with the ends of its parts; a problem document may be a part.
ENDLESS = {
    b"multipart/x-mixed-replace": [b"\xff\xd9", b"}\r\n"],
    b"text/event-stream": [b"\n\n"],
    b"application/jsonl": [b"}\n"],
}
# The requests for those of them that have chunks by HTTP/1.1.
CHUNKED = (b"GET /v1/events ", b"GET /v1/events?", b"POST /v1/work ")
SCHEMATHESIS = ["schemathesis==4.32.5"]
CLIENTS = [
    "httpx==0.28.1", "moonraker==0.11.0", "numpy==2.4.6", "openapi-python-client==0.29.1", "opencv-python-headless==5.0.0.93",
]
# The newest for Debian's Python, and what its camera imports. On its own, because it needs old versions of what others need.
HOME_ASSISTANT = ["homeassistant==2024.3.3", "numpy==1.26.4", "PyTurboJPEG==1.7.1"]
COUNTERPARTS = ["moto[server]==5.2.5", "pyftpdlib==2.2.0"]
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

    A picture, an event, an order or a problem document is whole by then. A request for events or orders is sent as one of
    HTTP/1.0, so that its reply has no chunks that could be cut.
    """
    parts = []
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(1 << 16):
            if data.startswith(CHUNKED):
                data = data.replace(b" HTTP/1.1\r\n", b" HTTP/1.0\r\n", 1)
            if cuts_streams and not parts:
                parts = next((ends for kind, ends in ENDLESS.items() if kind in data), [])
            ends = [data.rindex(end) + len(end) for end in parts if end in data]
            # What was read may end within an event.
            writer.write(data[: max(ends)] if ends else data)
            await writer.drain()
            if ends:
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


def log_of(folder):
    """The end of what the daemon of this folder has said."""
    return pathlib.Path(folder, "tintyped.log").read_text()[-4000:]


def start(binaries, folder, *options, **others):
    """A daemon that has all its files in a folder, once it listens there."""
    socket = pathlib.Path(folder, "sock")
    socket.unlink(missing_ok=True)
    process = cameras.start_daemon(binaries, folder, *options, **others)
    deadline = time.monotonic() + LIMIT
    while not socket.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            raise RuntimeError(f"tintyped does not listen: {log_of(folder)}")
        time.sleep(0.05)
    return process


def stop(process):
    process.terminate()
    process.wait(LIMIT)


@contextlib.contextmanager
def daemon(binaries, folder, pattern):
    """A daemon with a test pattern; gives its socket."""
    process = start(binaries, folder, "--pattern", pattern)
    try:
        yield f"{folder}/sock"
        if process.poll() is not None:
            raise SystemExit(f"tintyped has ended: {log_of(folder)}")
    finally:
        stop(process)


def arguments(usage, most=2):
    """The folder BINARIES and the file RESULTS.tap, which is not there any more, and up to `most` arguments in all."""
    if not 2 < len(sys.argv) < most + 2:
        raise SystemExit(f"usage: {usage.splitlines()[0]}")
    tap = pathlib.Path(sys.argv[2]).absolute()
    tap.unlink(missing_ok=True)
    return os.path.abspath(sys.argv[1]), tap, *sys.argv[3:]


def report(out, number, sentence, faults):
    """A line of the Test Anything Protocol, and what went wrong."""
    print(f"{'not ok' if faults else 'ok'} {number} - {sentence}", file=out)
    for line in faults:
        print(f"# {line}", file=out)
    out.flush()


def streamed(reply):
    """Pictures of an MJPEG stream as they come, each with its header fields by lower-case name."""
    while True:
        fields = {}
        while line := reply.readline():
            name, colon, value = line.decode().partition(":")
            if colon:
                fields[name.lower()] = value.strip()
            elif fields:
                break
        if not fields:
            return
        yield fields, reply.read(int(fields["content-length"]))


def run_tests(tests, subject, tap, after=lambda test: None, tidy=lambda: None):
    """Has each test look at the subject, and `after` look whether it is well. Where one of them fails `tidy` puts things back.
    Returns the exit status."""
    failed = 0
    with tap.open("w") as out:
        print(f"1..{len(tests)}", file=out)
        for number, test in enumerate(tests, 1):
            fault, began = "", time.monotonic()
            try:
                test(subject)
                after(test)
            except Exception:
                fault = traceback.format_exc()
                failed += 1
                tidy()
            report(out, number, " ".join(test.__doc__.split()), fault.splitlines())
            print(f"{time.monotonic() - began:6.1f} s {test.__name__}", file=sys.stderr)
    return 1 if failed else 0


def main(usage, tests):
    """A program BINARIES RESULTS.tap [NAME...]: runs the tests, or those that are named, and exits with their status."""
    binaries, tap, *names = arguments(usage, len(sys.argv) - 1)
    tests = [test for test in tests if not names or test.__name__ in names]
    status = run_tests(tests, binaries, tap)
    failed = sum(line.startswith("not ok ") for line in tap.read_text().splitlines())
    print(f"{len(tests) - failed} passed, {failed} failed")
    raise SystemExit(status)


if __name__ == "__main__":
    for names in [SCHEMATHESIS, CLIENTS, HOME_ASSISTANT, COUNTERPARTS, PAGE]:
        packages(names)
