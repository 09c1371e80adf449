// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeClient
internal import TintypeDevice
internal import TintypeModel
internal import TintypePattern

extension Processes {
    /// Judged from the clock that is drawn in the picture, never from the record of it.
    @Suite struct FreshnessTests {
        @Test(arguments: [("", 1000), (",end-of-frame", 200), (",undated", 100), (",arrival-stamps,lead=20ms", 200)])
        func `every frame for fresh: request was begun after it was asked for`(fault: String, count: Int) async throws {
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

        @Test func `latest and maxAge give the frame that is held, next and request wait for another`() async throws {
            try await Site.serving("YUYV:320x180@2") { site, _ in
                // A started camera does not close between requests, which would restart the count of frames.
                _ = try await site.client.start("pattern")
                try await site.client.withConnection { connection in
                    func number(_ fresh: Freshness) async throws -> UInt32 {
                        let still = StillRequest(fresh: fresh, deadline: .patience, settle: .never, keep: false)
                        return try drawnCode(in: try await connection.picture(of: "pattern", still).picture).number
                    }
                    let first = try await number(.request)
                    // The frame that is held, or a newer one where this machine has taken so long.
                    let held = try await number(.latest)
                    #expect(held >= first)
                    let recent = try await number(.maxAge(.seconds(3600)))
                    #expect(recent >= held)
                    let next = try await number(.next)
                    #expect(next > recent)
                    let aged = try await number(.maxAge(.zero))
                    #expect(aged > next)
                    #expect(try await number(.request) > aged)
                }
            }
        }

        @Test func `clients at once share each frame and its encode`() async throws {
            try await Site.serving("YUYV:640x360@1") { site, _ in
                _ = try await site.client.start("pattern")
                let still = StillRequest(deadline: .patience, settle: .never, keep: false)
                _ = try await site.client.picture(of: "pattern", still)
                let before = try await site.client.camera("pattern").counters
                let numbers = try await withThrowingTaskGroup(of: UInt32.self) { group in
                    for _ in 0..<32 {
                        group.addTask {
                            let picture = try await site.client.picture(of: "pattern", still)
                            return try drawnCode(in: picture.picture).number
                        }
                    }
                    return try await group.reduce(into: Set()) { $0.insert($1) }
                }
                let after = try await site.client.camera("pattern").counters
                // As many encodes as frames, however many of them have come meanwhile.
                #expect(after.encoded == before.encoded + UInt64(numbers.count), "\(numbers)")
                #expect(after.stills == before.stills + 32)
            }
        }
    }
}
