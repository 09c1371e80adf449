// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeClient
internal import TintypeModel

extension Processes {
    /// Clients that go away before their picture has come.
    @Suite struct LeavingTests {
        /// What the camera is doing while a client waits.
        enum Situation: String, CaseIterable {
            case stalled, opening, starting, hanging

            var pattern: String {
                switch self {
                case .stalled: "GREY:256x64@1,exposure=60s"
                case .opening: "GREY:256x64@30,hang-at=open"
                case .starting: "GREY:256x64@30,hang-at=STREAMON"
                case .hanging: "GREY:256x64@30,hang-after=0"
                }
            }
        }

        /// How the client goes.
        enum Way: String, CaseIterable {
            /// close(2).
            case closed
            /// Its process is killed.
            case killed
            /// With a reply that it has not read, which resets the connection.
            case reset
            /// It first closed its sending side only, and was waited for.
            case halfClosed
            /// It had sent more requests behind the first.
            case pipelined
        }

        @Test(arguments: Situation.allCases)
        func `a client that goes away is waited for no longer than 100 ms more, whatever the camera does`(
            _ situation: Situation
        ) async throws {
            // A driver that hangs for longer than a second is told to all who wait: each try has a camera of its own.
            let tries = 3
            try await Site.with { site in
                _ = try await site.startDaemon(
                    Array(repeating: situation.pattern, count: tries * Way.allCases.count)
                )
                let ways = Way.allCases.flatMap { Array(repeating: $0.rawValue, count: tries) }
                let took = try await site.clients([String: [Double]].self, Self.leave, ways.joined(separator: ","))
                for way in Way.allCases {
                    let times = try #require(took[way.rawValue])
                    #expect(times.count == tries)
                    // The machine may have other work: the best of three.
                    let best = try #require(times.min())
                    #expect(best < 0.1, "\(way): \(times)")
                }
            }
        }

        private static let leave = """
            took = {}
            for index, way in enumerate(arguments[0].split(",")):
                camera = "pattern" if index == 0 else f"pattern-{index + 1}"
                still = f"/v1/cameras/{camera}/still.jpg?deadlineMs=60000"
                if way == "killed":
                    child = os.fork()
                    if child == 0:
                        signal.alarm(60)
                        connection = connect()
                        ask(connection, still)
                        signal.pause()
                else:
                    connection = connect()
                    if way == "reset":
                        ask(connection, "/healthz")
                    ask(connection, still)
                    if way == "pipelined":
                        # At once: the kernel has room for few that are sent one by one.
                        connection.sendall(b"GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n" * 200)
                await_waiting(camera, 1)
                if way == "halfClosed":
                    connection.shutdown(socket.SHUT_WR)
                    # It still waits for its reply.
                    for _ in range(20):
                        assert waiting(camera) == 1
                began = time.monotonic()
                if way == "killed":
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)
                else:
                    connection.close()
                await_waiting(camera, 0)
                took.setdefault(way, []).append(time.monotonic() - began)
            print(json.dumps(took))
            """
    }
}
