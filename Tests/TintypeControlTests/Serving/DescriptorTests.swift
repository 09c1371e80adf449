// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DescriptorTests {
    @Test func `the server outlives a lack of descriptors`() async {
        // In a process of its own: the limit is the process's.
        await #expect(processExitsWith: .success) {
            try await withServer { path, _ in
                // So that every lazy descriptor of the runtime is there.
                let first = try await RawClient(path)
                try await first.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                try #require(await first.reply()?.status == 200)
                let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
                var limit = rlimit(rlim_cur: rlim_t(used + 8), rlim_max: rlim_t(used + 8))
                try #require(unsafe setrlimit(__rlimit_resource_t(7), &limit) == 0)
                // Each connection takes two: one here, one in the server.
                var clients: [RawClient] = []
                while let client = try? await RawClient(path) { clients.append(client) }
                try #require(!clients.isEmpty)
                for client in clients { try await client.close() }
                let last = try await RawClient(path)
                try await last.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                try #require(await last.reply()?.status == 200)
            }
        }
    }
}
