# SPDX-License-Identifier: Apache-2.0
"""web.py FOLDER PORT

An HTTP server that writes each PUT and POST into a file below FOLDER, by its path. A rule decides the fate of each request by its
number: an answer, a connection that is cut or that stalls.
"""
import contextlib
import hashlib
import http.server
import os
import pathlib
import select
import socket
import sys
import threading
import urllib.parse

# Fates of a request, besides a status. HOLD: half of it is read, and the rest once the server lets it go.
TAKE, CUT, STALL, HOLD = "take", "cut", "stall", "hold"


class Web:
    def __init__(self, folder, port=0):
        self.folder, self.lock = pathlib.Path(folder), threading.Condition()
        # Takes the number of a request, from 1, and its path below the folder.
        self.rule = lambda number, path: TAKE
        # Paths of all requests as they began, and of those that were taken; requests under way, and the most of them at once.
        self.began, self.taken, self.active, self.most = [], [], [], 0
        # Requests under way that are held, and paths that are let go.
        self.held, self.freed = [], set()
        # Held or stalled requests whose client went away.
        self.broken = []
        self.headers = []
        self.port = port
        self.open()

    def open(self):
        web = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def do_GET(self):
                self.answer(200)

            def do_PUT(self):
                with contextlib.suppress(ConnectionError):
                    web.handle(self)

            do_POST = do_PUT

            def answer(self, status):
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, request, address):
                pass

        self.server = Server(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        """Refuses connections from now on, on the same port."""
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def handle(self, request):
        path = urllib.parse.unquote(request.path.split("?")[0]).strip("/")
        length = int(request.headers["Content-Length"])
        with self.lock:
            self.began.append(path)
            self.headers.append(dict(request.headers))
            self.active.append(path)
            self.most = max(self.most, len(self.active))
            fate = self.rule(len(self.began), path)
        try:
            body = request.rfile.read(length // 2)
            if fate == CUT:
                request.close_connection = True
                request.connection.shutdown(socket.SHUT_RDWR)
                return
            if fate in (HOLD, STALL) and not self.wait(request.connection, path, fate):
                request.close_connection = True
                return
            body += request.rfile.read(length - len(body))
            if len(body) == length and fate in (TAKE, HOLD):
                self.write(path, body)
        finally:
            with self.lock:
                self.active.remove(path)
        request.answer(201 if fate in (TAKE, HOLD) else fate)

    def wait(self, connection, path, fate):
        """Returns True once the request is let go, and False once the client has closed its connection."""
        poll = select.poll()
        poll.register(connection, select.POLLRDHUP | select.POLLHUP | select.POLLERR)
        with self.lock:
            self.held.append(path)
        try:
            while not poll.poll(20):
                with self.lock:
                    if path in self.freed:
                        self.freed.remove(path)
                        return True
            with self.lock:
                self.broken.append(path)
            return False
        finally:
            with self.lock:
                self.held.remove(path)

    def let_go(self, path):
        with self.lock:
            self.freed.add(path)

    def write(self, path, body):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        part = self.folder.with_name(f".{self.folder.name}-{threading.get_ident()}")
        part.write_bytes(body)
        part.rename(file)
        with self.lock:
            self.taken.append(path)

    def files(self):
        """SHA-256 of each file, by its path."""
        return sums(self.folder)


def sums(folder):
    """SHA-256 of each file below a folder, by its path; a file that goes away meanwhile is left out."""
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            file = pathlib.Path(parent, name)
            with contextlib.suppress(FileNotFoundError):
                found[str(file.relative_to(folder))] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


if __name__ == "__main__":
    Web(sys.argv[1], int(sys.argv[2]))
    threading.Event().wait()
