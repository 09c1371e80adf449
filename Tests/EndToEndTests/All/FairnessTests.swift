// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeClient
internal import TintypeModel

extension Processes {
    /// Many clients at once, seen from outside.
    @Suite struct FairnessTests {
        /// What 32 clients got.
        private struct Crowd: Decodable {
            var files: [String]
            var sequences: [String]
            var ids: [String]
            var stored: [String]
        }

        // A frame each 10 s, so that all can ask between two of them.
        @Test(arguments: ["YUYV:512x288@0.1", "MJPG:512x288@0.1"])
        func `32 clients get one frame, encoded once for each rendering, and a file each only where they ask for one`(
            _ pattern: String
        ) async throws {
            try await Site.serving(pattern) { site, _ in
                _ = try await site.client.start("pattern")
                let before = try await site.client.camera("pattern").counters.encoded
                let crowd = try await site.clients(Crowd.self, Self.crowd)
                let pictures = try crowd.files.map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
                #expect(pictures.count == 32)
                #expect(Set(try pictures.map { try drawnCode(in: $0) }).count == 1)
                #expect(Set(crowd.sequences).count == 1)
                // One for each rendering; the one of each that is stored has it too.
                #expect(Set(crowd.ids).count == 4)
                let after = try await site.client.camera("pattern").counters
                // And one of each for the still that says when a frame has come.
                #expect(after.encoded - before == 5 && after.stills == 33)
                // Every eighth asked to keep it.
                #expect(crowd.stored.count { $0 == "durable" } == 4)
                let kept = try FileManager.default.subpathsOfDirectory(atPath: site.spool)
                    .filter { $0.hasSuffix(".jpg") && !$0.hasSuffix("latest.jpg") }
                #expect(kept.count == 4, "\(kept)")
                for file in kept {
                    let stored = [UInt8](try Data(contentsOf: URL(filePath: "\(site.spool)/\(file)")))
                    #expect(pictures.contains(stored))
                }
            }
        }

        private static let crowd = """
            connections = [connect() for _ in range(32)]
            # Once a frame has come, all can ask before the next.
            first = connect()
            ask(first, "/v1/cameras/pattern/still.jpg?fresh=next&settle=never&deadlineMs=600000&quality=40")
            reply(first)
            for index, connection in enumerate(connections):
                keep = "&keep=true" if index % 8 == 0 else ""
                quality = [50, 70, 80, 95][index // 8]
                ask(connection, f"/v1/cameras/pattern/still.jpg?fresh=next&settle=never&deadlineMs=600000&quality={quality}{keep}")
            await_waiting("pattern", 32)
            result = {"files": [], "sequences": [], "ids": [], "stored": []}
            for index, connection in enumerate(connections):
                status, headers, body = reply(connection)
                assert status == 200, body
                name = os.path.abspath(f"got-{index}.jpg")
                open(name, "wb").write(body)
                result["files"].append(name)
                result["sequences"].append(headers["tintype-sequence"])
                result["ids"].append(headers["tintype-id"])
                result["stored"].append(headers["tintype-stored"])
            print(json.dumps(result))
            """

        /// What clients met beside others that take nothing.
        private struct Beside: Decodable {
            /// Resident memory in bytes: before, with the slow clients, and once they have asked on.
            var memory: [Int]
            /// The bytes of one reply.
            var size: Int
        }

        @Test
        func `clients that take nothing, or byte by byte, keep no reply from others and cost a reply or two each`()
            async throws
        {
            try await Site.serving("MJPG:1920x1080@30") { site, daemon in
                _ = try await site.client.start("pattern")
                let met = try await site.clients(Beside.self, Self.slow, "\(daemon.pid)")
                // 60 clients; two replies each, and what the allocator keeps.
                let bound = 60 * 2 * met.size + 16_000_000
                #expect(met.memory[1] - met.memory[0] < bound, "\(met)")
                #expect(met.memory[2] - met.memory[0] < bound, "\(met)")
            }
        }

        private static let slow = """
            pid = int(arguments[0])
            still = "/v1/cameras/pattern/still.jpg?fresh=latest"

            def memory():
                return int(open(f"/proc/{pid}/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

            def take(connection):
                ask(connection, still)
                status, _, body = reply(connection)
                assert status == 200, body
                return len(body)

            def takes(connection):
                return [take(connection) for _ in range(40)]

            fast = connect()
            takes(fast)
            alone = takes(fast)
            before = memory()
            slow = []
            for index in range(60):
                connection = connect()
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                # Many requests at once: none but the first few may be answered.
                for _ in range(30):
                    ask(connection, still)
                slow.append(connection)
            peak = 0
            for _ in range(200):
                for connection in slow[:30]:
                    connection.recv(1)
                take(fast)
                peak = max(peak, memory())
            for connection in slow:
                connection.setblocking(False)
                for _ in range(100):
                    try:
                        ask(connection, still)
                    except BlockingIOError:
                        break
                connection.setblocking(True)
            takes(fast)
            memory_after = memory()
            for connection in slow:
                connection.close()
            takes(fast)
            print(json.dumps({"memory": [before, peak, memory_after], "size": alone[0]}))
            """

        @Test func `a process that may have few files refuses clients, and keeps some for its cameras`() async throws {
            try await Site.with { site in
                let flags = ["--socket", site.socket, "--spool", site.spool, "--state", "\(site.folder)/state"]
                let few = ["-c", "ulimit -n 120; exec \"$0\" \"$@\"", Programs.daemon, "--pattern", "YUYV:320x180@30"]
                let daemon = try site.start("/bin/sh", few + flags)
                try await eventually("it serves") { (try? await site.client.health()) != nil }
                let statuses = try await site.clients([Int].self, Self.many)
                // Three quarters of half of 120, of which the client above may have one still.
                let served = statuses.prefix { $0 == 200 }.count
                #expect((44...45).contains(served) && statuses.last == 201, "\(statuses)")
                #expect(statuses[served..<100].allSatisfy { $0 == 429 })
                #expect(!daemon.errors.contains("accept(2)"))
            }
        }

        private static let many = """
            connections, statuses = [], []
            for _ in range(100):
                connections.append(connect())
                ask(connections[-1], "/healthz")
                statuses.append(reply(connections[-1])[0])
            connections[0].sendall(b"POST /v1/cameras/pattern/stills HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 2\\r\\n\\r\\n{}")
            print(json.dumps(statuses + [reply(connections[0])[0]]))
            """

        /// What became of clients past a bound.
        private struct Bounded: Decodable {
            var waiting: [Int]
            var refused: Int
            var codes: [String]
            var retry: [String]
            var details: [String]
            var again: Int
        }

        @Test func `past 256 waiting at a camera and 1024 in all a client is told so, and places go to who asks first`()
            async throws
        {
            let stalled = Array(repeating: "GREY:256x64@1,exposure=60s", count: 5)
            try await Site.with { site in
                _ = try await site.startDaemon(stalled + ["GREY:256x64@30"])
                let bounded = try await site.clients(Bounded.self, Self.bounds)
                #expect(bounded.waiting == [256, 256, 256, 256, 80])
                #expect(bounded.refused == 50)
                #expect(Set(bounded.codes) == ["too-many-requests"])
                #expect(Set(bounded.retry) == ["1"])
                #expect(bounded.details.contains { $0.contains("256") && $0.contains("pattern ") })
                #expect(bounded.details.contains { $0.contains("1024") })
                #expect(bounded.again == 256)
                // A camera that gives frames is asked as ever.
                #expect(try await site.tintype("still", "pattern-6", "-o", "a.jpg").status == 0)
            }
        }

        private static let bounds = """
            cameras = ["pattern"] + [f"pattern-{number}" for number in range(2, 6)]
            still = "/v1/cameras/%s/still.jpg?deadlineMs=600000"
            everyone, refusals = {}, []

            def refused(camera, count):
                for _ in range(count):
                    connection = connect()
                    ask(connection, still % camera)
                    status, headers, body = reply(connection)
                    assert status == 429, (status, body)
                    problem = json.loads(body)
                    assert problem["retryAfterMs"] == 1000, problem
                    refusals.append((problem["code"], headers["retry-after"], problem["detail"]))

            for camera in cameras:
                everyone[camera] = [connect() for _ in range(80 if camera == "pattern-5" else 256)]
                for connection in everyone[camera]:
                    ask(connection, still % camera)
                await_waiting(camera, len(everyone[camera]))
                refused(camera, 10)
            counts = [waiting(camera) for camera in cameras]
            for connection in everyone["pattern"][:20]:
                connection.close()
            await_waiting("pattern", 236)
            more = [connect() for _ in range(20)]
            for connection in more:
                ask(connection, still % "pattern")
            await_waiting("pattern", 256)
            print(json.dumps({
                "waiting": counts, "refused": len(refusals), "codes": [r[0] for r in refusals],
                "retry": [r[1] for r in refusals], "details": [r[2] for r in refusals], "again": waiting("pattern"),
            }))
            """
    }
}
