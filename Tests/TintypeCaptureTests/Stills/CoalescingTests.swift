// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct CoalescingTests {
        @Test(arguments: ["YUYV:512x96@1", "MJPG:512x96@1"])
        func `concurrent stills share one frame, encoded once per options`(_ pattern: String) async throws {
            try await Stage.run(pattern) { stage in
                _ = try await stage.take()
                let before = stage.renders.all.count
                let qualities = [40, 60, 80, 95]
                let stills = try await withThrowingTaskGroup(of: (Int, Still).self) { group -> [(Int, Still)] in
                    for index in 0..<32 {
                        group.addTask {
                            var request = StillRequest(fresh: .next, deadline: .seconds(20), keep: false)
                            request.rendering.quality = qualities[index % 4]
                            return (index % 4, try await stage.stills.take(request))
                        }
                    }
                    // All clients wait for the next frame.
                    #expect(await TestClock().reaches { stage.session.status.waiting == 32 })
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(stills.count == 32)
                let codes = try stills.map { try $0.1.code() }
                #expect(Set(codes).count == 1, "\(codes)")
                #expect(Set(stills.map(\.1.record.sequence)).count == 1)
                #expect(Set(stills.map(\.1.record.id)).count == 4)
                for quality in 0..<4 {
                    #expect(Set(stills.filter { $0.0 == quality }.map(\.1.picture)).count == 1)
                }
                let bytes = (0..<4).map { quality in stills.first { $0.0 == quality }?.1.picture.count ?? 0 }
                #expect(bytes[0] < bytes[3], "\(bytes)")
                let renders = stage.renders.all.dropFirst(before)
                #expect(renders.count == 4 && Set(renders).count == 1)
                #expect(await TestClock().reaches { stage.session.status.waiting == 0 })
            }
        }

        @Test func `rejects a still beyond the limit of waiting clients`() async throws {
            try await Stage.run("GREY:512x96@1,slow=2") { stage in
                let room = stage.session.dispatcher.limiter
                var places: [RequestLimiter.Place] = []
                while places.count < RequestLimiter.placesOfCamera { places.append(try room.enter()) }
                // Frames are 2 s apart.
                await expectProblem(.tooManyRequests, within: .seconds(1)) { try await stage.take(.next) }
                places.removeLast(8)
                #expect(try await atOnce(8) { _ in try await stage.take(.next) }.count == 8)
                withExtendedLifetime(places) {}
                places = []
                #expect(await TestClock().reaches { room.taken == 0 })
                _ = try await stage.take(.next)
            }
        }
    }
}
