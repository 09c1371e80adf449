// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeDevice
internal import TintypeModel

@testable internal import tintype

extension Processes {
    /// Freshness by the clock drawn in the picture, not by its record.
    @Suite struct FreshnessTests {
        @Test(arguments: [("", 1000), (",end-of-frame", 200), (",undated", 100), (",arrival-stamps,lead=20ms", 200)])
        func `a frame for fresh: request begins after the request`(fault: String, count: Int) async throws {
            try await Site.serving("YUYV:320x180@120\(fault)") { site, _ in
                let clients = 8
                let stale = try await withThrowingTaskGroup(of: [String].self) { group in
                    for _ in 0..<clients {
                        group.addTask {
                            try await site.client.withConnection { connection in
                                var stale: [String] = []
                                for index in 0..<(count + clients - 1) / clients {
                                    // At every phase of the frame interval, not only right after a frame.
                                    if index % 3 == 0 { await Task.yield() }
                                    let asked = MonotonicTime.now()
                                    let picture = try await connection.picture(
                                        of: "pattern",
                                        StillRequest(fresh: .request, deadline: .patience, keep: false)
                                    )
                                    let begun = MonotonicTime(
                                        nanoseconds: Int64(try drawnCode(in: picture.picture).microseconds) * 1000 + 999
                                    )
                                    if begun < asked { stale.append("begun \(asked - begun) before the request") }
                                }
                                return stale
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                #expect(stale.isEmpty, "\(stale.count) of \(count): \(stale.prefix(5))")
            }
        }
    }
}
