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
        func `a client that goes away no longer counts as waiting, whatever the camera does`(
            _ situation: Situation
        ) async throws {
            // A driver that hangs for longer than a second is told to all who wait: each try has a camera of its own.
            let tries = 7
            try await Site.with { site in
                _ = try await site.startDaemon(Array(repeating: situation.pattern, count: tries * Way.allCases.count))
                let ways = Way.allCases.flatMap { Array(repeating: $0.rawValue, count: tries) }
                let took = try await site.clients([String: [Double]].self, Self.leave, ways.joined(separator: ","))
                for way in Way.allCases {
                    let times = try #require(took[way.rawValue])
                    #expect(times.count == tries)
                }
            }
        }

        private static let leave = """
            took = {}
            for index, way in enumerate(arguments[0].split(",")):
                camera = "pattern" if index == 0 else f"pattern-{index + 1}"
                still = f"/v1/cameras/{camera}/still.jpg?deadlineMs=600000"
                if way == "killed":
                    child = os.fork()
                    if child == 0:
                        signal.alarm(900)
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

        /// What a client asks for and does not wait for to its end.
        enum Wish: String, CaseIterable {
            /// `POST …/stills`.
            case stills
            /// `still.jpg?keep=true`.
            case kept
            /// A mean of frames, of which some have come.
            case average
            /// A burst of frames that follow on each other, of which some have come.
            case burst
            /// A span that begins in an hour.
            case later
            /// A burst with an hour between its stills, after the first.
            case pausing

            var pattern: String {
                switch self {
                case .stills, .kept, .later: "GREY:256x64@1,exposure=60s"
                case .average, .burst: "GREY:256x64@5"
                case .pausing: "GREY:256x64@30"
                }
            }
        }

        @Test(arguments: Wish.allCases)
        func `a client that goes away no longer counts as waiting, whatever it asked for`(_ wish: Wish) async throws {
            let tries = 7
            try await Site.with { site in
                _ = try await site.startDaemon(Array(repeating: wish.pattern, count: tries))
                let took = try await site.clients([Double].self, Self.leaveWish, wish.rawValue, "\(tries)")
                #expect(took.count == tries)
                let stills = try await site.client.cameras().cameras.map(\.counters.stills)
                switch wish {
                case .stills, .kept, .average, .later: #expect(stills.allSatisfy { $0 == 0 }, "\(stills)")
                case .burst: #expect(stills.allSatisfy { $0 > 0 && $0 < 1000 }, "\(stills)")
                case .pausing: #expect(stills.allSatisfy { $0 == 1 }, "\(stills)")
                }
            }
        }

        private static let leaveWish = """
            wish, tries = arguments[0], int(arguments[1])
            bodies = {
                "stills": {"deadlineMs": 600000},
                "burst": {"count": 1000, "deadlineMs": 600000, "durability": "none"},
                "later": {"fromMs": 3590000, "toMs": 3600000},
                "pausing": {"count": 2, "everyMs": 3600000, "durability": "none"},
            }
            queries = {"kept": "keep=true&deadlineMs=600000", "average": "average=64&settle=never&deadlineMs=600000"}

            def counters(camera):
                return get(f"/v1/cameras/{camera}")["counters"]

            def await_counter(camera, name, count):
                end = time.monotonic() + 20
                while counters(camera)[name] < count:
                    assert time.monotonic() < end, counters(camera)
                    time.sleep(0.001)

            took = []
            for index in range(tries):
                camera = "pattern" if index == 0 else f"pattern-{index + 1}"
                connection = connect()
                if wish in bodies:
                    body = json.dumps(bodies[wish]).encode()
                    head = f"POST /v1/cameras/{camera}/stills HTTP/1.1\\r\\nHost: localhost\\r\\n"
                    head += f"Content-Type: application/json\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n"
                    connection.sendall(head.encode() + body)
                else:
                    ask(connection, f"/v1/cameras/{camera}/still.jpg?{queries[wish]}")
                if wish == "average":
                    # It has begun.
                    await_counter(camera, "captured", 3)
                if wish in ("burst", "pausing"):
                    await_counter(camera, "stills", 1)
                if wish == "pausing":
                    # It is stored by now.
                    await_counter(camera, "captured", counters(camera)["captured"] + 10)
                await_waiting(camera, 1)
                began = time.monotonic()
                connection.close()
                await_waiting(camera, 0)
                took.append(time.monotonic() - began)
            print(json.dumps(took))
            """
    }
}
