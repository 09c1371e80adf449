// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    /// Log lines that nothing reads.
    @Suite struct LogTests {
        @Test
        func `a log that nothing reads does not stop the daemon, and says later how much was lost`() async throws {
            try await Self.expectLoss(kind: "pipe")
        }

        /// The daemon writes to the journal's socket first; the one of the test is where the lines go without.
        @Test(
            .enabled(
                if: !FileManager.default.fileExists(atPath: journal),
                "the journal of this machine would get the lines (\(journal))"
            )
        )
        func `nor does a journal that reads nothing`() async throws { try await Self.expectLoss(kind: "journal") }

        private static let journal = "/run/systemd/journal/socket"

        private static func expectLoss(kind: String) async throws {
            try await Site.with { site in
                let program = try site.write(Self.program, to: "log.py")
                let arguments = [program, kind, Programs.daemon, site.socket, site.spool, "\(site.folder)/state"]
                let outcome = try await site.start(Programs.python, arguments).outcome()
                #expect(outcome.status == 0, "\(outcome.errors)")
                let sentence = /([0-9]+) log lines were lost because nothing read them/
                let match = try #require(outcome.text.firstMatch(of: sentence), "\(outcome.text.suffix(2000))")
                #expect(Int(match.1) ?? 0 > 0)
                #expect(outcome.text.contains("stopped"), "the last line of a clean stop is written")
            }
        }

        /// Starts and stops a camera, which logs lines, until far more were written than a pipe and the daemon keep.
        private static let program = """
            import fcntl, http.client, os, signal, socket, subprocess, sys, threading, time

            kind, daemon, path, spool, state = sys.argv[1:]
            environment = dict(os.environ)
            if kind == "pipe":
                reader, writer = os.pipe()
                fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
            else:
                ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
                ends[1].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
                reader, writer = ends[0].detach(), ends[1].detach()
                status = os.fstat(writer)
                environment["JOURNAL_STREAM"] = f"{status.st_dev}:{status.st_ino}"
            child = subprocess.Popen(
                [daemon, "--socket", path, "--spool", spool, "--state", state, "--log-level", "trace",
                 "--pattern", "GREY:64x32@30"], stdin=subprocess.DEVNULL, stderr=writer, env=environment)
            os.close(writer)
            try:
                end = time.monotonic() + 60
                while True:
                    connection = socket.socket(socket.AF_UNIX)
                    connection.settimeout(10)
                    try:
                        connection.connect(path)
                        break
                    except OSError:
                        assert time.monotonic() < end and child.poll() is None, "tintyped does not serve"
                        time.sleep(0.01)
                for _ in range(900):
                    for verb in ["start", "stop"]:
                        connection.sendall(
                            f"POST /v1/cameras/pattern/{verb} HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 0\\r\\n\\r\\n"
                            .encode())
                        response = http.client.HTTPResponse(connection)
                        response.begin()
                        body = response.read()
                        assert response.status == 200, body
                log = bytearray()
                said = threading.Event()

                def read():
                    while chunk := os.read(reader, 65536):
                        log.extend(chunk)
                        if b"were lost" in log:
                            said.set()

                thread = threading.Thread(target=read)
                thread.start()
                said.wait(30)
                child.send_signal(signal.SIGTERM)
                assert child.wait(30) == 0
                thread.join(30)
                sys.stdout.write(log.decode())
            finally:
                child.kill()
            """
    }
}
