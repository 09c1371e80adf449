// SPDX-License-Identifier: Apache-2.0
import Logging
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct IntegrityTests {
        private func take(
            _ stage: Stage,
            _ integrity: Integrity,
            within deadline: Duration = .seconds(20)
        ) async throws(Problem) -> Still {
            try await stage.stills.take(StillRequest(deadline: deadline, settle: .never, integrity: integrity))
        }

        @Test func `a raw still is delivered although the device is lost`() async throws {
            try await Stage.run("YUYV:256x64@100,flag=100", endsCleanly: false) { stage in
                _ = try await take(stage, .raw)
                stage.log.takesBuffers = false
                let captured = stage.counters.captured
                let raw = try await take(stage, .raw, within: .seconds(5))
                #expect(raw.record.faults?.contains(.flagged) == true)
                // It counts although its buffer cannot be returned.
                #expect(stage.counters.captured > captured && stage.counters.flagged == stage.counters.captured)
            }
        }

        @Test(arguments: [
            ("MJPG:256x64@50", Integrity.strict, Verdict.intact), ("MJPG:256x64@50", .tolerant, .sound),
            ("MJPG:256x64@50", .raw, .sound), ("MJPG:256x64@50,no-dht,padding=90", .strict, .intact),
            ("YUYV:256x64@50", .strict, .intact), ("YUYV:256x64@50", .tolerant, .intact),
            ("NV12:256x64@50", .raw, .intact), ("BA81:256x64@50", .strict, .intact),
        ])
        func `the verdict reflects the depth of inspection`(
            _ pattern: String,
            _ integrity: Integrity,
            _ verdict: Verdict
        ) async throws {
            try await Stage.run(pattern) { stage in
                let still = try await take(stage, integrity)
                #expect(still.record.verdict == verdict)
                #expect(still.record.faults == nil)
                _ = try still.code()
            }
        }

        /// A camera that damages every picture.
        struct Case: CustomTestStringConvertible, Sendable {
            let pattern: String
            let fault: PictureFault
            /// True if tolerant stills are rejected too.
            var isSeenByAll = true

            var testDescription: String { pattern }
        }

        private static let cases = [
            Case(pattern: "MJPG:256x64@100,flag=100", fault: .flagged),
            Case(pattern: "MJPG:256x64@100,short-every=1", fault: .short),
            Case(pattern: "MJPG:256x64@100,cut-every=1", fault: .truncated),
            Case(pattern: "MJPG:256x64@100,quirk=missingEnd", fault: .truncated),
            Case(pattern: "MJPG:256x64@100,quirk=largerSize", fault: .size),
            Case(pattern: "MJPG:256x64@100,quirk=surplusBytes", fault: .surplusBytes, isSeenByAll: false),
            Case(pattern: "MJPG:256x64@100,quirk=decoderWarning", fault: .entropy, isSeenByAll: false),
            Case(pattern: "YUYV:256x64@100,flag=100", fault: .flagged),
            Case(pattern: "YUYV:256x64@100,short-every=1", fault: .short),
            Case(pattern: "YUYV:256x64@100,overwrite-every=1", fault: .overwritten),
            Case(pattern: "MJPG:256x64@100,overwrite-every=1", fault: .overwritten),
        ]

        @Test(arguments: cases)
        func `a fault is rejected under strict and reported under raw`(_ one: Case) async throws {
            try await Stage.run(one.pattern) { stage in
                for integrity in one.isSeenByAll ? [Integrity.strict, .tolerant] : [.strict] {
                    let problem = await expectProblem(.corruptOnly, one.fault.rawValue) {
                        try await take(stage, integrity, within: .milliseconds(400))
                    }
                    #expect(problem?.remedy.contains("v4l2loopback") == (one.fault == .overwritten))
                }
                #expect(stage.counters.stills == 0)
                let raw = try await take(stage, .raw)
                let isSeen = one.isSeenByAll
                #expect(raw.record.verdict == (isSeen ? .damaged : .sound))
                #expect(raw.record.faults?.contains(one.fault) == (isSeen ? true : nil))
                #expect(raw.picture.starts(with: [0xFF, 0xD8]) && raw.record.bytes == raw.picture.count)
                guard !isSeen else { return }
                let tolerant = try await take(stage, .tolerant)
                #expect(tolerant.record.verdict == .sound)
            }
        }

        @Test func `corrupt-only reports each kind of fault`() async throws {
            try await Stage.run("MJPG:256x64@100,damage=100:3") { stage in
                let problem = await expectProblem(.corruptOnly) {
                    try await take(stage, .strict, within: .milliseconds(1500))
                }
                let detail = problem?.detail ?? ""
                for word in [
                    "corrupt", "flagged", "looked at: ", "entropy", "notJPEG", "truncated", "size", "repeated",
                ] {
                    #expect(detail.contains(word), "\(word): \(detail)")
                }
                let loud = stage.messages.loud.filter { $0.text.contains("a frame is not used") }
                #expect(loud.count == 1 && loud.first?.metadata["bus"] == "built-in", "\(loud)")
            }
        }

        @Test(
            arguments: [
                ("YUYV:256x64@200,damage=60:5", Set([PictureFault.flagged, .short, .repeated])),
                ("MJPG:256x64@200,damage=60:5", Set([.flagged, .short, .repeated, .notJPEG, .size, .truncated])),
            ]
        )
        func `raw delivers every kind of damaged frame, strict none`(_ pattern: String, _ faults: Set<PictureFault>)
            async throws
        {
            try await Stage.run(pattern) { stage in
                let share = try #require(try PatternSpec(pattern).faults.damage)
                let seen = try await withThrowingTaskGroup(of: Set<PictureFault>.self) { group in
                    group.addTask {
                        for _ in 0..<60 {
                            let still = try await take(stage, .strict)
                            #expect(still.record.verdict == .intact)
                            let number = try still.code().number
                            #expect(share.damage(to: UInt64(number), isJPEG: pattern.hasPrefix("M")) == nil)
                        }
                        return []
                    }
                    group.addTask {
                        var seen: Set<PictureFault> = []
                        for _ in 0..<150 { seen.formUnion(try await take(stage, .raw).record.faults ?? []) }
                        return seen
                    }
                    return try await group.reduce(into: Set<PictureFault>()) { $0.formUnion($1) }
                }
                #expect(seen == faults)
                #expect(stage.counters.interrupted == 0)
            }
        }

        @Test func `missing rows of a short frame are black`() async throws {
            try await Stage.run("GREY:256x64@100,short-every=1") { stage in
                let still = try await take(stage, .raw)
                #expect(still.record.faults == [.short])
                var decoder = JPEGDecoder()
                let (size, luma) = try decoder.decodeLuma(still.picture.rawSpan)
                #expect(size == FrameSize(width: 256, height: 64))
                #expect(luma.suffix(256 * 20).allSatisfy { $0 < 8 })
                #expect(luma.prefix(256 * 20).contains { $0 > 200 })
            }
        }

        @Test func `a missing end marker is learned until a reset`() async throws {
            try await Stage.run("MJPG:256x64@50,quirk=missingEnd") { stage in
                // Rejected until all pictures are known to lack the marker.
                let first = try await take(stage, .tolerant)
                #expect(first.record.verdict == .tolerated)
                #expect(first.record.faults == [.truncated])
                #expect((first.record.skipped?[.corrupt] ?? 0) >= KnownFaults.leastFrames)
                #expect(first.picture.suffix(2) == [0xFF, 0xD9])
                _ = try first.code()
                #expect(stage.session.status.tolerance?.map(\.quirk) == [.missingEnd])
                #expect(try await take(stage, .raw).record.verdict == .tolerated)
                let problem = await expectProblem(.corruptOnly, remedy: "tolerant") {
                    try await take(stage, .strict, within: .milliseconds(300))
                }
                #expect(problem?.remedy.contains("missingEnd") == true)
                stage.session.knownFaults.reset()
                #expect(stage.session.status.tolerance == nil)
                await #expect(throws: Problem.self) { _ = try await take(stage, .tolerant, within: .milliseconds(300)) }
            }
        }

        @Test func `a warning of libturbojpeg is learned from strict stills, which refuse it`() async throws {
            try await Stage.run("MJPG:256x64@50,quirk=decoderWarning") { stage in
                let problem = await #expect(throws: Problem.self) {
                    _ = try await take(stage, .strict, within: .seconds(4))
                }
                #expect(problem?.remedy.contains("decoderWarning") == true, "\(problem?.detail ?? "")")
                #expect(stage.session.status.tolerance?.map(\.quirk) == [.decoderWarning])
            }
        }

        @Test func `a strict still learns surplus bytes within its deadline and names them`() async throws {
            try await Stage.run("MJPG:256x64@50,quirk=surplusBytes") { stage in
                let first = try await take(stage, .strict, within: .seconds(5))
                #expect(first.record.verdict == .tolerated && first.record.faults == [.surplusBytes])
                #expect((first.record.skipped?[.corrupt] ?? 0) >= KnownFaults.leastFrames)
                _ = try first.code()
                #expect(stage.session.status.tolerance?.map(\.quirk) == [.surplusBytes])
                let second = try await take(stage, .strict)
                #expect(second.record.verdict == .tolerated && second.record.skipped?[.corrupt] == nil)
                // A rotated one is transformed from the repaired picture.
                let turned = StillRequest(settle: .never, rendering: ImageOptions(turn: .half))
                #expect(try await stage.stills.take(turned).record.verdict == .tolerated)
            }
        }

        @Test(arguments: [Integrity.strict, .tolerant])
        func `a constant larger size is cropped in stills and streams once learned`(
            _ integrity: Integrity
        ) async throws {
            try await Stage.run("MJPG:256x64@50,quirk=largerSize") { stage in
                let still = try await take(stage, integrity)
                #expect(still.record.verdict == .tolerated && still.record.faults == [.size])
                #expect(still.record.width == 256 && still.record.height == 64)
                // Its size is that of the record.
                _ = try still.code()
                #expect(stage.session.status.tolerance?.map(\.quirk) == [.largerSize])
                var request = StreamRequest()
                request.picture.settle = .never
                let stream = try PictureStream(stage.session, request, in: StreamTable(clock: TestClock()))
                let picture = try await stream.next().jpeg
                let size = try JPEGHeader.read(picture.rawSpan).size
                #expect(size == FrameSize(width: 256, height: 64))
                let raw = try await take(stage, .raw)
                #expect(raw.record.verdict == .tolerated && raw.record.height == 72)
            }
        }

        @Test func `learned surplus bytes do not excuse other damage`() async throws {
            try await Stage.run("MJPG:256x64@100,quirk=surplusBytes", "MJPG:256x64@100,damage=100:3") { stage in
                _ = try await take(stage, .strict)
                try await stage.session.stop()
                let problem = await expectProblem(.corruptOnly) {
                    try await take(stage, .strict, within: .milliseconds(500))
                }
                #expect(problem?.remedy.contains("tolerant") == false)
                #expect(stage.session.knownFaults.covers(.surplusBytes))
            }
        }

        @Test func `a learned quirk does not excuse other damage`() async throws {
            try await Stage.run("MJPG:256x64@100,quirk=missingEnd", "MJPG:256x64@100,cut-every=1") { stage in
                _ = try await take(stage, .tolerant)
                #expect(stage.session.knownFaults.covers(.missingEnd))
                try await stage.session.stop()
                await #expect(throws: Problem.self) { _ = try await take(stage, .tolerant, within: .milliseconds(500)) }
                #expect(stage.session.knownFaults.covers(.missingEnd))
            }
        }
    }
}
