// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel
import TintypeSystem

@testable import tintyped

/// Storing of the frames of a trigger by its publisher, in a store of the test.
@Suite(.serialized)
struct TriggerStorageTests {
    /// Camera with a full ring, and its trigger.
    final class Line: Sendable {
        let session: CaptureSession
        let trigger = Trigger(clock: TestClock())
        let publication: Publication
        /// The first picture is stored after this, or not if it is a failure.
        let gate = Reply<Bool>(clock: TestClock())
        /// The pictures given to the store, and those that it has stored.
        private let pictures = Mutex((given: 0, stored: [StillRecord]()))

        init(_ session: CaptureSession) {
            self.session = session
            publication = Publication(
                camera: "pattern",
                schedule: "trigger",
                counters: session.published,
                logger: LineRecorder().logger,
                tell: { _ in }
            )
        }

        var given: Int { pictures.withLock(\.given) }
        /// Oldest first.
        var stored: [StillRecord] { pictures.withLock(\.stored).sorted { $0.capturedAt < $1.capturedAt } }
        var missed: [String: UInt64] { publication.status.missed ?? [:] }
        var lost: Int { session.status.counters.lost(missed: missed) }

        var publisher: StreamPublisher {
            StreamPublisher(
                session: session,
                nth: { 1 },
                request: StillRequest(),
                times: nil,
                occasion: trigger,
                keeper: CameraKeeper(session: session, owner: "trigger", publication: publication),
                publication: publication,
                store: { [self] (still, _) throws(Problem) in
                    let isFirst = pictures.withLock { pictures in
                        defer { pictures.given += 1 }
                        return pictures.given == 0
                    }
                    if isFirst, case .failure(let problem) = await gate.wait(until: .distantFuture) {
                        throw problem
                    }
                    var record = still.record
                    record.tags = trigger.tags(and: record.tags)
                    pictures.withLock { $0.stored.append(record) }
                    return record
                }
            )
        }

        func ask(before: Duration, after: Duration, _ tag: String) throws -> TriggerReport {
            var request = TriggerRequest()
            (request.afterMs, request.tags) = (Milliseconds(after), [tag])
            trigger.announce()
            return try trigger.add(request, from: TestClock().now - before)
        }
    }

    private func run(_ body: @escaping @Sendable (Line) async throws -> Void) async throws {
        let spec = try PatternSpec("MJPG:320x240@20")
        let session = CaptureSession(
            name: "pattern",
            configuration: SessionConfiguration(warmth: .hot, ring: RingConfiguration(seconds: 10, quality: 90)),
            encoding: EncodingThreads(count: 1, clock: TestClock()),
            logger: LineRecorder().logger,
            clock: TestClock()
        ) { (calls) throws(DeviceError) in
            try PatternDevice(spec, name: "pattern", calls: calls, encoder: PatternEncoder().encode)
        }
        let line = Line(session)
        #expect(await reaches { session.status.counters.captured >= 60 })
        try await body(line)
        #expect(await session.end(within: .patience))
    }

    @Test func `a trigger is stored that is over before its publisher looks`() async throws {
        try await run { line in
            line.gate.resolve(.success(true))
            let lost = line.lost
            let report = try line.ask(before: .seconds(2), after: .milliseconds(1), "door")
            let count = line.session.status.counters.captured
            #expect(await reaches { line.session.status.counters.captured >= count + 10 })
            try await running([line.publisher]) {
                #expect(await reaches { !line.trigger.isNeeded })
                try line.stored.expectAll(from: report.from, to: report.until, lost: line.lost - lost)
            }
        }
    }

    @Test func `a short trigger while the pictures of another one are being stored extends it`() async throws {
        try await run { line in
            let lost = line.lost
            try await running([line.publisher]) {
                let first = try line.ask(before: .seconds(2), after: .seconds(1), "door")
                #expect(await reaches { !line.trigger.isOpen })
                #expect(line.trigger.isNeeded && line.given > 10)
                let second = try line.ask(before: .zero, after: .milliseconds(500), "bell")
                #expect(second.tags == ["door", "bell"] && second.until - first.until >= .milliseconds(500))
                let count = line.session.status.counters.captured
                #expect(await reaches { line.session.status.counters.captured >= count + 20 })
                line.gate.resolve(.success(true))
                #expect(await reaches { !line.trigger.isNeeded })
                let stored = line.stored
                try stored.expectAll(from: first.from, to: second.until, lost: line.lost - lost)
                #expect(stored.allSatisfy { $0.tags?.first == "door" } && stored.last?.tags == ["door", "bell"])
            }
        }
    }

    @Test func `a picture of the ring that cannot be stored is missed, and does not end the others`() async throws {
        try await run { line in
            line.gate.resolve(.failure(Problem(.spoolFull, "It is full.", remedy: "Make room.")))
            _ = try line.ask(before: .seconds(2), after: .milliseconds(1), "door")
            try await running([line.publisher]) {
                #expect(await reaches { !line.trigger.isNeeded })
                #expect(line.missed["spool-full"] == 1 && line.given > 30 && line.stored.count == line.given - 1)
            }
        }
    }

    @Test func `the rest of a ring that is emptied is missed`() async throws {
        try await run { line in
            _ = try line.ask(before: .seconds(2), after: .milliseconds(1), "door")
            try await running([line.publisher]) {
                #expect(await reaches { line.given == 1 })
                try await line.session.stop()
                line.gate.resolve(.success(true))
                #expect(await reaches { !line.trigger.isNeeded })
                #expect(line.stored.count == 1 && line.missed == ["stopping": 1])
            }
        }
    }

    @Test func `spans give only what is new`() {
        func span(_ first: Int64, _ last: Int64) -> ClosedRange<MonotonicTime> {
            MonotonicTime(nanoseconds: first)...MonotonicTime(nanoseconds: last)
        }
        var spans: [ClosedRange<MonotonicTime>] = []
        #expect(spans.take(span(30, 40)) == [span(30, 40)])
        #expect(spans.take(span(10, 20)) == [span(10, 20)])
        #expect(spans.take(span(0, 35)) == [span(0, 9), span(21, 29)])
        #expect(spans.take(span(5, 40)).isEmpty)
        #expect(spans.take(span(41, 50)) == [span(41, 50)])
    }
}

extension CameraCounters {
    func lost(missed: [String: UInt64]?) -> Int { Int(sequenceGaps + superseded + (missed ?? [:]).values.reduce(0, +)) }
}

extension [StillRecord] {
    /// Expects each frame of a span once, in order, except those that a busy machine has lost.
    func expectAll(from start: Timestamp, to end: Timestamp, lost: Int) throws {
        let (first, last) = (try #require(self.first), try #require(self.last))
        let span = "\(first.capturedAt) to \(last.capturedAt) of \(start) to \(end), \(lost) lost"
        #expect(Set(map(\.sequence)).count == count, "each frame once")
        #expect(Int(last.sequence - first.sequence) + 1 - count <= lost, "\(span)")
        let tolerance = Duration.milliseconds(100 + 50 * lost)
        #expect(first.capturedAt - start >= .microseconds(-1) && first.capturedAt - start <= tolerance, "\(span)")
        #expect(end - last.capturedAt >= .zero && end - last.capturedAt <= tolerance, "\(span)")
    }
}
