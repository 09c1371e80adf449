// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    /// Daemons that the service manager starts for a client, and that end when nothing needs them.
    @Suite struct IdleExitTests {
        @Test func `a daemon that nothing needs ends, and no client that comes just then is lost`() async throws {
            try await Site.with { site in
                let file = try site.write("exitIdle: 1s\n", to: "tintyped.yaml")
                let flags = ["--config", file, "--spool", site.spool, "--state", "\(site.folder)/state"]
                let outcome = try await site.start(
                    Programs.python,
                    ["-c", manage, site.socket, Programs.daemon] + flags + ["--pattern", "YUYV:320x180@30"]
                ).outcome()
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.errors.contains("it ends until the next client comes"), "\(outcome.errors)")
            }
        }

        @Test func `systemd hears READY once a camera that is kept open is known to be absent`() async throws {
            try await Site.with { site in
                let file = try site.write(
                    "ready: cameras\ncameras: {door: {device: /nonexistent/video, warmth: hot}}\n",
                    to: "tintyped.yaml"
                )
                let flags = ["--config", file, "--socket", site.socket, "--spool", site.spool]
                let outcome = try await site.start(
                    Programs.python,
                    ["-c", hear, Programs.daemon] + flags + ["--state", "\(site.folder)/state"]
                ).outcome()
                #expect(outcome.status == 0, "\(outcome.errors)")
                let heard = outcome.text.split(separator: "\n").map(String.init)
                #expect(heard.filter { !$0.hasPrefix("STATUS=") } == ["EXTEND_TIMEOUT_USEC=120000000", "READY=1"])
                #expect(heard.last?.hasPrefix("STATUS=Serving on \(site.socket). door: absent") == true, "\(heard)")
            }
        }
    }
}

/// Listens as systemd does, starts the daemon for each client that finds none, and is that client, mostly about when the daemon
/// ends; every reply must be whole, and the daemon must have ended several times.
private let manage = #"""
    import os, random, select, socket, sys, threading, time
    path, command = sys.argv[1], sys.argv[2:]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(100)
    starts, done = 0, threading.Event()

    def run():
        global starts
        while not done.is_set():
            if not select.select([listener], [], [], 0.05)[0]:
                continue
            starts += 1
            process = os.fork()
            if process == 0:
                os.dup2(listener.fileno(), 3)
                os.set_inheritable(3, True)
                os.execve(command[0], command, {**os.environ, "LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"})
            while os.waitpid(process, os.WNOHANG)[0] == 0:
                if done.is_set():
                    os.kill(process, 15)
                    os.waitpid(process, 0)
                    return
                time.sleep(0.01)

    manager = threading.Thread(target=run)
    manager.start()
    try:
        random.seed(17)
        for turn in range(16):
            client = socket.socket(socket.AF_UNIX)
            client.settimeout(60)
            client.connect(path)
            client.sendall(b"GET /v1/cameras/pattern HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            reply = b""
            while chunk := client.recv(65536):
                reply += chunk
            assert reply.startswith(b"HTTP/1.1 200"), f"turn {turn}: {reply[:500]}"
            client.close()
            time.sleep(random.uniform(0.98, 1.2))
        assert starts > 1, f"it was started {starts} times"
    finally:
        done.set()
        manager.join()
    """#

/// Prints what a service manager hears of a daemon, until it is ready and has shown its cameras.
private let hear = #"""
    import os, socket, subprocess, sys
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind("notify")
    manager.settimeout(30)
    daemon = subprocess.Popen(sys.argv[1:], env={**os.environ, "NOTIFY_SOCKET": os.path.abspath("notify")})
    try:
        heard = []
        # The cameras are shown from time to time, before READY or after it.
        while "READY=1" not in heard or "door: " not in heard[-1]:
            heard += manager.recv(4096).decode().split("\n")
        print("\n".join(heard))
    finally:
        daemon.kill()
    """#
