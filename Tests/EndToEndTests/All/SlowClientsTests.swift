// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Processes {
    /// Clients that read slowly or not at all, seen from outside.
    @Suite struct SlowClientsTests {
        @Test func `slow clients cost at most two replies of memory each`() async throws {
            try await Site.serving("MJPG:1920x1080@30") { site, daemon in
                _ = try await site.client.start("pattern")
                let met = try await site.python("take-slowly", [site.socket, "\(daemon.pid)"])
                let numbers = met.split(separator: " ").compactMap { Int($0) }
                try #require(numbers.count == 4)
                let (size, before) = (numbers[0], numbers[1])
                // 60 clients with two replies each, and memory kept by the allocator.
                let bound = 60 * 2 * size + 16_000_000
                for memory in numbers.dropFirst(2) { #expect(memory - before < bound, "\(met)") }
            }
        }
    }
}
