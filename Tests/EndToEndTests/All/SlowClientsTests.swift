// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeClient
internal import TintypeModel

extension Processes {
    /// Clients that take nothing, seen from outside.
    @Suite struct SlowClientsTests {
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
    }
}
