// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeImaging
import TintypeModel
import TintypeSpool
import TintypeSystem

@testable import tintyped

/// Codes before the test pattern, with a reader that sees what a test shows, on ``TestClock``.
@Suite(.serialized)
struct CodeWatchTests {
    /// Codes that the reader sees; nil for a reader that fails.
    private final class Shown: Sendable {
        private let codes: Mutex<[PictureCode]?>
        /// Times at which pictures were read, with their luma at the top left.
        let reads = Recorder<(at: MonotonicTime, corner: UInt8)>()

        init(_ texts: [String]? = []) { codes = Mutex(texts.map(Self.codes)) }

        func show(_ texts: String...) { codes.withLock { $0 = Self.codes(texts) } }

        private static func codes(_ texts: [String]) -> [PictureCode] {
            let place = CropRectangle(size: FrameSize(width: 9, height: 9), left: 1, top: 2)
            return texts.map { PictureCode(kind: "QR-Code", text: $0, place: place) }
        }

        func read(_ luma: LumaPicture, within _: Duration) async throws(Problem) -> [PictureCode] {
            reads.add((TestClock().now, luma.bytes[0]))
            if let codes = codes.withLock(\.self) { return codes }
            throw Problem(.internalError, "It ended.", remedy: "Wait.")
        }
    }

    private func run(
        masked: Bool = false,
        _ publish: [PublishSchedule] = [],
        reader: @escaping CodeReading,
        _ body: @escaping @Sendable (PublishingSite) async throws -> Void
    ) async throws {
        var pattern = CameraConfiguration(
            name: "pattern",
            source: .pattern(try PatternSpec("YUYV:320x240@20")),
            session: SessionConfiguration(warmth: .cold),
            publish: publish
        )
        pattern.readsCodes = true
        if masked {
            // The drawn number and time, which always change.
            var look = CameraLook()
            look.size = FrameSize(width: 320, height: 240)
            look.mask = [try #require(MaskShape("100x80+0+0"))]
            pattern.session.look = look
        }
        try await PublishingSite.run(pattern, in: TemporaryFolder(), readCodes: reader, body)
    }

    @Test func `a code is an event once a sight, and the tag of its stills`() async throws {
        let shown = Shown()
        try await run(reader: shown.read) { site in
            let clock = site.cameras.clock
            func still() async throws -> StillRecord {
                try await site.cameras.still(StillRequest(deadline: .patience, tags: ["a"]), of: "pattern").record
            }
            func seen() -> [String] { site.told.all.filter { $0.kind == .codeSeen }.compactMap(\.code?.text) }
            try await site.eventually("pictures are read") { shown.reads.values.count >= 5 }
            #expect(try await still().tags == ["a"])

            shown.show("x")
            try await site.eventually("it is seen") { seen() == ["x"] }
            let event = try #require(site.told.all.last { $0.kind == .codeSeen })
            #expect(event.camera == "pattern" && event.code?.kind == "QR-Code" && event.detail.contains("“x”"))
            #expect(event.code?.place.description == "9x9+1+2")
            let record = try await still()
            #expect(record.tags == ["a", "code"])
            #expect(try await site.spool.frame(record.id, until: soon).still.tags == ["a", "code"])

            shown.show()
            try await clock.sleep(for: .seconds(4))
            shown.show("x", "y")
            try await site.eventually("the other is seen") { seen().count == 2 }
            #expect(seen() == ["x", "y"], "four seconds do not end a sight")
            shown.show()
            try await clock.sleep(for: .seconds(6))
            #expect(try await still().tags == ["a"])
            shown.show("x")
            try await site.eventually("it is seen again") { seen() == ["x", "y", "x"] }
        }
    }

    @Test func `the camera is held open, and at most five pictures a second are read`() async throws {
        let shown = Shown()
        try await run(reader: shown.read) { site in
            try await site.eventually("pictures are read") { shown.reads.values.count >= 60 }
            let times = shown.reads.values.map(\.at)
            #expect(times[59] - times[9] >= .milliseconds(9900) && times[59] - times[9] <= .milliseconds(10_200))
            let status = try await site.status()
            #expect(status.holds.map(\.owner) == ["codes"] && status.counters.opened == 1)
            #expect(status.streams == nil && status.counters.streamed == 0 && status.counters.stills == 0)
            _ = try await site.cameras.stop("pattern")
            let count = shown.reads.values.count
            try await site.cameras.clock.sleep(for: .seconds(10))
            #expect(shown.reads.values.count <= count + 1, "a stopped camera stays closed")
            _ = try await site.cameras.start("pattern")
            try await site.eventually("pictures are read again") { shown.reads.values.count >= count + 5 }
        }
    }

    @Test func `masked areas are black for the reader, and a picture without a change is not read again`() async throws
    {
        let shown = Shown(["x"])
        try await run(masked: true, reader: shown.read) { site in
            try await site.eventually("it is seen") { site.told.all.contains { $0.kind == .codeSeen } }
            // The pattern settles at first.
            try await site.cameras.clock.sleep(for: .seconds(2))
            let count = shown.reads.values.count
            try await site.cameras.clock.sleep(for: .seconds(30))
            #expect(shown.reads.values.count == count)
            #expect(shown.reads.values.allSatisfy { $0.corner < 8 }, "\(shown.reads.values.map(\.corner))")
            #expect(site.told.all.count { $0.kind == .codeSeen } == 1, "it is in sight as long as the picture shows it")
            let record = try await site.cameras.still(StillRequest(deadline: .patience), of: "pattern").record
            #expect(record.tags == ["code"])
        }
    }

    @Test(arguments: [false, true])
    func `a reader that fails or hangs costs no picture, and is started at growing intervals`(hangs: Bool) async throws
    {
        let failing = Shown(nil)
        var every = PublishSchedule(rate: .every(.seconds(1), .start))
        every.settle = .never
        let reader: CodeReading = { (luma, limit) throws(Problem) in
            if hangs { try? await TestClock().sleep(for: limit) }
            return try await failing.read(luma, within: limit)
        }
        try await run([every], reader: reader) { site in
            for _ in 1...4 { try await site.cameras.clock.sleep(for: .seconds(5)) }
            let publishing = try #require(try await site.status().publishing?.first)
            #expect(publishing.published >= 19 && publishing.missed == nil, "\(publishing)")
            // After 1, 2, 4 and 8 seconds.
            #expect((3...5).contains(failing.reads.values.count), "\(failing.reads.values)")
            let warnings = site.lines.lines.filter { $0.hasPrefix("<4>") && $0.contains("codes are not read") }
            #expect(warnings.count == 1 && warnings[0].contains("It ended. Wait."), "\(site.lines.lines.suffix(5))")
            #expect(try await site.status().counters.opened == 1)
            failing.show("x")
            try await site.eventually("it is seen") { site.told.all.contains { $0.kind == .codeSeen } }
            #expect(site.lines.lines.contains { $0.contains("codes are read again") })
        }
    }

    @Test func `pauses grow to a minute`() {
        let pauses = [1, 2, 3, 6, 7, 8, 100, 1_000_000].map(CodeWatch.pause)
        #expect(pauses == [1, 2, 4, 32, 60, 60, 60, 60].map(Duration.seconds))
    }

    @Test func `a scan takes a still and returns its codes within its deadline`() async throws {
        let limits = Recorder<Duration>()
        let shown = Shown(["x"])
        let reader: CodeReading = { (luma, limit) throws(Problem) in
            limits.add(limit)
            return try await shown.read(luma, within: limit)
        }
        let source = Camera.Source.pattern(try PatternSpec("YUYV:320x240@20"))
        let configuration = SessionConfiguration(warmth: .cold)
        let pattern = CameraConfiguration(name: "pattern", source: source, session: configuration)
        try await PublishingSite.run(pattern, in: TemporaryFolder(), readCodes: reader) { site in
            let report = try await site.cameras.scan(ScanRequest(deadline: .seconds(20)), of: "pattern")
            #expect(report.codes.map(\.text) == ["x"] && report.codes.map(\.kind) == ["QR-Code"])
            #expect(report.still.width == 320 && report.still.stored == .no && report.still.tags == nil)
            #expect(try await site.frames().isEmpty)
            #expect(limits.values.allSatisfy { $0 > .zero && $0 < .seconds(20) })
            #expect(!site.told.all.contains { $0.kind == .codeSeen }, "only watched cameras have sights")
            shown.show()
            #expect(try await site.cameras.scan(ScanRequest(), of: "pattern").codes.isEmpty)
            await #expect(throws: Problem.self) { try await site.cameras.scan(ScanRequest(), of: "nobody") }
        }
        let failing = Shown(nil)
        try await PublishingSite.run(pattern, in: TemporaryFolder(), readCodes: failing.read) { site in
            let problem = await #expect(throws: Problem.self) {
                try await site.cameras.scan(ScanRequest(), of: "pattern")
            }
            #expect(problem?.detail == "It ended.")
        }
    }
}
