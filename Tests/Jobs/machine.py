# SPDX-License-Identifier: Apache-2.0
"""What the tests of uploads, films and clips share: a daemon on the test pattern and its worker, which are killed and started
again, their pictures, and a gate before a server."""
import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Support"))
import serving

# Of this machine, where it has a proxy of its own: rclone's S3 does not bear them.
UNWANTED = {"AWS_CA_BUNDLE", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}


def children(pid):
    """The processes that a process has begun, by their number, without those that have ended."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                name, _, rest = pathlib.Path(f"/proc/{entry}/stat").read_text().rpartition(")")
                state, parent = rest.split()[:2]
                if int(parent) == pid and state != "Z":
                    found[int(entry)] = name.partition("(")[2]
    return found


def is_gone(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True


class Site:
    """A daemon with the camera `front` and one spool, and a worker, with all their files in a folder that is gone afterwards."""

    def __init__(self, binaries, uploads=None, remote="", pattern="YUYV:320x180@30", **keys):
        self.binaries, self.folder = binaries, tempfile.mkdtemp()
        self.configuration = {"cameras": {"front": {"pattern": pattern, "warmth": "hot"}}} | keys
        if uploads:
            self.configuration["uploads"] = uploads
        self.spool, self.socket, self.rclone = f"{self.folder}/spool", f"{self.folder}/sock", f"{self.folder}/rclone.conf"
        # The pictures: SHA-256 by path below the spool, in the order of their storing.
        self.pictures, self.bytes = {}, 0
        self.daemon = self.worker = None
        self.configure_remote(remote)

    def __enter__(self):
        self.start_daemon()
        return self

    def __exit__(self, kind, *_):
        for process in (self.worker, self.daemon):
            if process and process.poll() is None:
                serving.stop(process)
        if kind:
            print(self.logs(), file=sys.stderr)
        shutil.rmtree(self.folder, ignore_errors=True)

    def configure_remote(self, section):
        with open(os.open(self.rclone, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(f"[there]{section}" if section else "")

    def logs(self):
        logs = [pathlib.Path(self.folder, name) for name in ("tintyped.log", "worker.log")]
        return "\n".join(f"{log.name}:\n{log.read_text(errors='replace')[-4000:]}" for log in logs if log.exists())

    def start_daemon(self):
        self.daemon = serving.start(self.binaries, self.folder, configuration=json.dumps(self.configuration))

    def start_worker(self, **environment):
        with open(f"{self.folder}/worker.log", "ab") as log:
            self.worker = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", f"{self.binaries}/tintype", "work", "--socket", self.socket,
                 "--config", self.rclone, "--cache", f"{self.folder}/cache"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={name: value for name, value in os.environ.items() if name not in UNWANTED} | environment,
            )

    def kill(self, name):
        """SIGKILL for `daemon` or `worker`; no process that the worker had begun outlives it."""
        process = getattr(self, name)
        begun = children(process.pid) if name == "worker" else {}
        process.send_signal(signal.SIGKILL)
        assert process.wait(serving.LIMIT) == -9, f"the {name} had ended by itself: {process.returncode}"
        setattr(self, name, None)
        self.until(lambda: all(map(is_gone, begun)), f"the end of {begun}")

    def restart(self, name):
        self.kill(name)
        getattr(self, f"start_{name}")()

    def until(self, condition, what):
        """Waits without a limit, but not for a process that has ended by itself."""
        def holds():
            for name in ("daemon", "worker"):
                process = getattr(self, name)
                assert not process or process.poll() is None, f"the {name} has ended: {process.returncode}"
            return condition()
        return serving.cameras.wait_until(holds, what)

    def ask(self, verb, target, body=None, wanted=(200, 201, 202, 204)):
        status, reply = serving.cameras.Daemon(self.socket).request(verb, target, body)
        assert status in wanted, f"{verb} {target}: {status} {reply.decode(errors='replace')}"
        return json.loads(reply) if reply else None

    def store(self, count=1):
        """Stores pictures, one after the other."""
        for _ in range(count):
            wish = {"fresh": "next", "durability": "data", "deadlineMs": serving.cameras.LONGEST}
            record = self.ask("POST", "/v1/cameras/front/stills", wish)["stills"][0]
            data = pathlib.Path(record["path"]).read_bytes()
            digest = hashlib.sha256(data).hexdigest()
            assert digest == record["sha256"], record
            self.pictures[record["path"].removeprefix(f"{self.spool}/")] = digest
            self.bytes += len(data)

    def job(self, name="up"):
        """The job of a rule, or of an id."""
        return next(job for job in self.ask("GET", "/v1/jobs")["jobs"] if name in (job.get("rule"), job["id"]))

    def command(self, verb, name="up"):
        return self.ask("POST", f"/v1/jobs/{self.job(name)['id']}/{verb}")

    def is_delivered(self, name="up"):
        """The job, once it has delivered all pictures."""
        job = self.job(name)
        is_over = job["state"] not in ("running", "failed") and not job["waiting"]
        return job if is_over and job["done"] == len(self.pictures) else None

    def files(self):
        """Paths of the pictures in the spool."""
        files = pathlib.Path(self.spool).glob("front/**/*.jpg")
        return {str(file.relative_to(self.spool)) for file in files if not file.is_symlink()}

    def first_event(self, kind):
        """The first event of a kind since the start of the daemon."""
        connection = serving.cameras.UnixConnection(self.socket, timeout=serving.LIMIT)
        with contextlib.closing(connection):
            connection.request("GET", f"/v1/events?kind={kind}&after=0")
            reply = connection.getresponse()
            while line := reply.readline():
                if line.startswith(b"data: ") and (event := json.loads(line[6:])).get("kind") == kind:
                    return event
        raise AssertionError(f"the stream has ended before an event {kind}")

    def deliveries(self):
        """State by path of each picture of the catalog of a daemon that has ended; None for a picture that no job has to deliver."""
        with tempfile.TemporaryDirectory() as copy:
            for file in pathlib.Path(self.spool).glob("catalog.sqlite*"):
                shutil.copy(file, copy)
            with contextlib.closing(sqlite3.connect(f"{copy}/catalog.sqlite")) as catalog:
                return dict(catalog.execute(
                    "SELECT path, state FROM frame LEFT JOIN delivery ON delivery.frame = frame.id WHERE isLost = 0"
                ))


class Gate:
    """Passes connections on to a port of this machine, as long as it is open."""

    def __init__(self, port):
        # While it returns True, what clients send waits here.
        self.is_shut = lambda: False
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port, self.there = self.listener.getsockname()[1], port
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", self.there))
            for source, sink, is_gated in ((client, server, True), (server, client, False)):
                threading.Thread(target=self.pass_on, args=(source, sink, is_gated), daemon=True).start()

    def pass_on(self, source, sink, is_gated):
        with contextlib.suppress(OSError):
            # In small parts, so that it can be shut within a file.
            while data := source.recv(4096 if is_gated else 65536):
                # Slower than the server writes.
                time.sleep(0.001 * is_gated)
                while is_gated and self.is_shut():
                    time.sleep(0.01)
                sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)
