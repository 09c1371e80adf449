// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct AppearanceTests {
        @Test(
            arguments: ["YUYV", "NV12", "GREY", "MJPG", "BA81"],
            [("", nil), (",dark", [ImageDefect.black, .uniform]), (",uniform", [.uniform])]
                as [(String, [ImageDefect]?)]
        )
        func `reports black and uniform pictures`(_ format: String, _ look: (fault: String, appearance: [ImageDefect]?))
            async throws
        {
            try await Stage.run("\(format):640x360@50\(look.fault)", warmth: .linger(.seconds(30))) { stage in
                let first = try await stage.take(settle: .never)
                #expect(first.record.appearance == look.appearance)
                let second = try await stage.take()
                #expect(second.record.appearance?.filter { $0 != .frozen } ?? [] == look.appearance ?? [])
                // Nothing moves, so the picture is frozen as well.
                #expect(second.record.appearance?.contains(.frozen) ?? false == (look.appearance != nil))
            }
        }

        @Test(arguments: ["YUYV", "MJPG", "BA81"])
        func `reports a frozen picture from the second still on`(_ format: String) async throws {
            try await Stage.run("\(format):640x360@50,frozen", warmth: .linger(.seconds(30))) { stage in
                #expect(try await stage.take(settle: .never).record.appearance == nil)
                for quality in [50, 80] {
                    let request = StillRequest(settle: .never, rendering: ImageOptions(quality: quality))
                    #expect(try await stage.stills.take(request).record.appearance == [.frozen])
                }
                // The same frame again is neither a second picture nor analysed.
                let again = try await stage.stills.take(StillRequest(fresh: .latest, settle: .never))
                #expect(again.record.appearance == [.frozen])
            }
        }

        @Test func `the most frequent rejected appearance is the cause`() async throws {
            try await Stage.run("YUYV:64x48@50") { stage in
                let request = StillRequest(reject: [.black, .frozen])
                for (black, frozen, cause) in [(1, 3, SignalFault.frozen), (3, 1, .black)] {
                    let skipped = [SkipReason.black: black, .frozen: frozen, .stale: 9]
                    #expect(stage.stills.rejected(request, skipped, "")?.cause == cause)
                }
                #expect(stage.stills.rejected(request, [.stale: 9], "") == nil)
            }
        }

        @Test(
            arguments: [
                ("YUYV", "dark", Set([ImageDefect.black]), SignalFault.black),
                ("MJPG", "dark", [.black, .uniform, .frozen], .black), ("BA81", "uniform", [.uniform], .uniform),
                ("YUYV", "frozen", [.frozen], .frozen),
            ] as [(String, String, Set<ImageDefect>, SignalFault)]
        )
        func `rejected appearances are reported as no signal`(
            _ format: String,
            _ fault: String,
            _ reject: Set<ImageDefect>,
            _ cause: SignalFault
        ) async throws {
            let pattern = "\(format):640x360@50,\(fault)"
            try await Stage.run(pattern, warmth: .linger(.seconds(30))) { stage in
                _ = try await stage.take(settle: .never)
                let request = StillRequest(deadline: .milliseconds(500), settle: .never, reject: reject)
                let problem = await expectProblem(.noSignal, "\(cause.rawValue)") {
                    try await stage.stills.take(request)
                }
                #expect(problem?.cause == cause)
                #expect(stage.counters.corrupt == 0 && stage.messages.loud.isEmpty)
                // Other clients get the same frames.
                #expect(try await stage.take(settle: .never).record.appearance?.isEmpty == false)
            }
        }

        @Test func `skips rejected pictures until a good one`() async throws {
            var encoder = JPEGEncoder()
            let size = FrameSize(width: 640, height: 360)
            let zeros = [UInt8](repeating: 0, count: 640 * 360)
            let black = try unsafe encoder.encode(zeros.span.bytes, layout: .grey(size), quality: 80)
            // Converted pictures are analysed after encoding.
            let rendering: EncodingThreads.Rendering = { (picture, options, codecs) throws(ImagingError) in
                var made = try EncodingThreads.render(picture, options, &codecs)
                if picture.key.ordinal < 12 { made.jpeg = black }
                return made
            }
            try await Stage.run("BA81:640x360@50", warmth: .cold, rendering: rendering) { stage in
                let request = StillRequest(deadline: .seconds(20), settle: .never, reject: [.black])
                let still = try await stage.stills.take(request)
                #expect(still.record.appearance == nil)
                #expect((still.record.skipped?[.black] ?? 0) > 0, "\(still.record.skipped ?? [:])")
            }
        }

        @Test func `one frame in two options is not frozen`() async throws {
            try await Stage.run("YUYV:640x360@1", warmth: .linger(.seconds(30))) { stage in
                _ = try await stage.take(settle: .never)
                let stills = try await atOnce(2) { index in
                    let rendering = ImageOptions(quality: 40 + 20 * index)
                    return try await stage.stills.take(StillRequest(fresh: .next, settle: .never, rendering: rendering))
                }
                #expect(stills.allSatisfy { $0.record.appearance == nil })
            }
        }

        @Test func `raw stills are not analysed`() async throws {
            try await Stage.run("MJPG:640x360@50,dark", warmth: .linger(.seconds(30))) { stage in
                let request = StillRequest(settle: .never, integrity: .raw)
                for _ in 0..<2 {
                    let still = try await stage.stills.take(request)
                    #expect(still.record.appearance == nil)
                }
                #expect(stage.session.context.encoder.analyses.count == 0)
            }
        }
    }
}
