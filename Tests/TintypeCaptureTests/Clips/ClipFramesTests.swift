// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    /// Frames of clips on the test pattern.
    @Suite struct ClipFramesTests {
        private static let request = StillRequest(deadline: .seconds(10), integrity: .tolerant, keep: false)

        private static func run(
            _ patterns: String...,
            hasRing: Bool = true,
            warmth: Warmth = .hot,
            look: CameraLook? = nil,
            _ body: (Stage) async throws -> Void
        ) async throws {
            let ring = hasRing ? RingConfiguration(quality: StillRequest.defaultQuality) : nil
            var configuration = SessionConfiguration(warmth: warmth, ring: ring, look: look)
            configuration.format.size = look?.size.map { .near($0) }
            try await Stage.run(list: patterns, configuration: configuration) { stage in
                if hasRing, warmth == .hot { try #require(await stage.fillsRing(.milliseconds(800))) }
                try await body(stage)
            }
        }

        /// Frames until one is exposed after `end`, without it.
        private static func take(_ frames: inout ClipFrames, until end: MonotonicTime) async throws -> [EncodedImage] {
            var images: [EncodedImage] = []
            while let image = try await frames.next(until: end + .seconds(5)), image.stamp.exposureStart <= end {
                images.append(image)
            }
            return images
        }

        private static func codes(of images: [EncodedImage]) throws -> [PatternCode] {
            try images.map { try drawnCode(in: $0.jpeg) }
        }

        /// Expects each number once, in order, except frames that a busy machine has lost.
        private static func expectConsecutive(_ codes: [PatternCode], lost: Int, _ stage: Stage) {
            let steps = zip(codes, codes.dropFirst()).map { Int($1.number) - Int($0.number) }
            #expect(steps.allSatisfy { $0 >= 1 }, "\(steps)")
            let gaps = Int(stage.counters.sequenceGaps + stage.counters.superseded)
            #expect(steps.reduce(0, +) - steps.count <= lost + gaps, "\(steps), \(lost) lost, \(gaps) gaps")
        }

        @Test(arguments: ["MJPG:256x64@50", "YUYV:256x64@50"])
        func `frames across the present have no gaps or repeats`(_ pattern: String) async throws {
            try await Self.run(pattern) { stage in
                let asked = TestClock().now
                let (start, end) = (asked - .milliseconds(600), asked + .milliseconds(600))
                var frames = try await ClipFrames(stage.session, Self.request, from: start)
                let images = try await Self.take(&frames, until: end)
                frames.close()
                let codes = try Self.codes(of: images)
                Self.expectConsecutive(codes, lost: frames.lost, stage)
                let (first, last) = (try #require(images.first), try #require(images.last))
                let tolerance = Duration.milliseconds(60 + 20 * Int(stage.counters.sequenceGaps) + 20 * frames.lost)
                #expect(first.stamp.exposureStart - start <= tolerance && end - last.stamp.exposureStart <= tolerance)
                // The stamp that the file gets is that of the drawn picture.
                for (image, code) in zip(images, codes) {
                    let drawn = Int64(image.stamp.exposureStart.nanoseconds / 1000) - Int64(code.microseconds)
                    #expect((-1000...1000).contains(drawn))
                }
                #expect(await TestClock().reaches { !stage.session.dispatcher.need.isInDemand })
            }
        }

        @Test(arguments: ["MJPG:256x64@50", "YUYV:256x64@50"], [true, false])
        func `a closed camera is opened and kept open until the end`(_ pattern: String, hasRing: Bool) async throws {
            try await Self.run(pattern, hasRing: hasRing, warmth: .cold) { stage in
                let asked = TestClock().now
                var frames = try await ClipFrames(stage.session, Self.request, from: asked - .seconds(3))
                let images = try await Self.take(&frames, until: asked + .seconds(20))
                #expect(stage.log.openings == 1 && stage.log.open == 1)
                Self.expectConsecutive(try Self.codes(of: images), lost: frames.lost, stage)
                #expect(images.count > 500 && images.allSatisfy { $0.stamp.exposureStart >= asked })
                frames.close()
                #expect(await stage.session.reaches(.off))
            }
        }

        @Test func `a camera that was closed starts with the first settled frame`() async throws {
            for hasRing in [true, false] {
                // It settles after one and a half seconds.
                try await Self.run("YUYV:640x360@20,ramp=30", hasRing: hasRing, warmth: .cold) { stage in
                    let asked = TestClock().now
                    var frames = try await ClipFrames(stage.session, Self.request, from: asked)
                    let first = try #require(try await frames.next(until: TestClock().now + .seconds(5)))
                    #expect(first.stamp.exposureStart - asked >= .seconds(1))
                    frames.close()
                }
            }
        }

        @Test func `a clip and a stream share one encode, without EXIF data`() async throws {
            try await Self.run("YUYV:256x64@50", hasRing: false) { stage in
                var request = StreamRequest()
                request.picture.settle = .never
                let stream = try PictureStream(stage.session, request, in: nil)
                var frames = try await ClipFrames(stage.session, Self.request, from: TestClock().now)
                for _ in 0..<20 {
                    _ = try await stream.next()
                    let image = try #require(try await frames.next(until: TestClock().now + .seconds(5)))
                    #expect(Exif.removed(from: image.jpeg) == image.jpeg)
                }
                let renders = stage.renders.all
                #expect(Set(renders).count == renders.count)
                frames.close()
            }
        }

        @Test func `a cancelled task counts no frame that it has not read`() async throws {
            try await Self.run("YUYV:256x64@50") { stage in
                let start = TestClock().now - .milliseconds(600)
                let opened = try await ClipFrames(stage.session, Self.request, from: start)
                let task = Task {
                    var frames = opened
                    while !Task.isCancelled { await Task.yield() }
                    let problem = await failure { _ = try await frames.next(until: TestClock().now) }
                    frames.close()
                    return (problem, frames.lost)
                }
                task.cancel()
                let (problem, lost) = await task.value
                #expect(problem?.code == .stopping && lost == 0)
            }
        }

        @Test func `a ring that was cleared keeps no reader`() async throws {
            try await Self.run("MJPG:256x64@50") { stage in
                let ring = try #require(stage.session.ring)
                var frames = try await ClipFrames(stage.session, Self.request, from: TestClock().now)
                _ = try await frames.next(until: TestClock().now + .seconds(5))
                // As after a suspend.
                ring.clear()
                #expect(try await frames.next(until: TestClock().now + .seconds(5)) != nil)
                let readers = ring.state.withLock { $0.readers.count }
                frames.close()
                let left = ring.state.withLock { $0.readers.count }
                #expect(readers == 1 && left == 0)
            }
        }

        @Test func `JPEG pictures of the camera are not compressed again`() async throws {
            for hasRing in [true, false] {
                try await Self.run("MJPG:256x64@50,padding=90", hasRing: hasRing) { stage in
                    var frames = try await ClipFrames(stage.session, Self.request, from: TestClock().now)
                    let image = try #require(try await frames.next(until: TestClock().now + .seconds(5)))
                    #expect(image.jpeg.starts(with: [0xFF, 0xD8]) && !image.isRecompressed)
                    frames.close()
                }
            }
        }

        @Test(arguments: [true, false])
        func `a masked camera gives no damaged frame`(hasRing: Bool) async throws {
            var look = CameraLook()
            look.size = FrameSize(width: 256, height: 128)
            look.mask = [try #require(MaskShape("100x20+0+80"))]
            try await Self.run("MJPG:256x128@50,cut-every=5", hasRing: hasRing, look: look) { stage in
                let asked = TestClock().now
                var frames = try await ClipFrames(stage.session, Self.request, from: asked)
                let images = try await Self.take(&frames, until: asked + .seconds(1))
                frames.close()
                #expect(images.count > 20 && images.allSatisfy { $0.verdict == .intact })
                #expect(frames.lost >= 5)
            }
        }

        @Test(arguments: [true, false])
        func `throws the problem of a camera that is lost, and of one that is stopped`(hasRing: Bool) async throws {
            let faults = FaultFile()
            try await Self.run("YUYV:256x64@50,faults=\(faults.path)", hasRing: hasRing) { stage in
                @Sendable func lasts(_ stops: Int?) async throws {
                    let now = TestClock().now
                    var frames = try await ClipFrames(stage.session, Self.request, from: now, ifStopped: stops)
                    defer { frames.close() }
                    while true { _ = try await frames.next(until: TestClock().now + .seconds(1)) }
                }
                let stops = stage.session.stopCount
                async let stopped = failure { try await lasts(stops) }
                try #require(await stage.captures(10))
                try await stage.session.stop()
                #expect(await stopped?.code == .stopping)
                #expect(await failure { try await lasts(stops) }?.code == .stopping)
                async let lost = failure { try await lasts(nil) }
                try #require(await stage.captures(10))
                try faults.set("lose-after=0,gone")
                #expect(await lost?.code == .deviceLost)
            }
        }
    }
}
