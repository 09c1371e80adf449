// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Testing
import TintypeModel

@testable import TintypeDevice

struct FrameClockTests {
    private static let monotonic = UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
    private static let startOfExposure = monotonic | UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE)
    private static let endOfFrame = monotonic | UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_EOF)
    private static let interval = Duration.milliseconds(40)
    private let now = MonotonicTime(nanoseconds: 100_000_000_000)

    /// Returns a clock whose stream has begun.
    private func begun(_ origin: StampOrigin = .flagged) -> FrameClock {
        var clock = FrameClock(origin: origin)
        clock.reset(interval: Self.interval)
        return clock
    }

    /// A driver timestamp and the expected result.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        var flags = FrameClockTests.startOfExposure
        /// Driver timestamp in milliseconds from the dequeue.
        let time: Int64
        let source: TimestampSource
        /// Start of exposure in milliseconds from the dequeue.
        let exposure: Int64
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "start of exposure", time: -45, source: .startOfExposure, exposure: -45),
        Case(name: "end of frame", flags: endOfFrame, time: -5, source: .endOfFrame, exposure: -45),
        Case(name: "unknown type", flags: 0, time: -5, source: .dequeue, exposure: 0),
        Case(name: "copied", flags: UInt32(V4L2_BUF_FLAG_TIMESTAMP_COPY), time: -5, source: .dequeue, exposure: 0),
        Case(name: "a start that has not come yet", time: 30, source: .endOfFrame, exposure: -40),
        Case(name: "an end that has not come yet", flags: endOfFrame, time: 30, source: .endOfFrame, exposure: -40),
        Case(name: "just the interval ahead", flags: endOfFrame, time: 40, source: .endOfFrame, exposure: -40),
        Case(name: "further ahead", time: 41, source: .dequeue, exposure: 0),
        Case(name: "ten seconds and an interval old", time: -10_040, source: .startOfExposure, exposure: -10_040),
        Case(name: "older than that", time: -10_041, source: .dequeue, exposure: 0),
        Case(name: "wrapped to near zero", time: -99_990, source: .dequeue, exposure: 0),
        Case(name: "zero", time: -100_000, source: .dequeue, exposure: 0),
        Case(name: "wrapped far ahead", time: 4_294_967_000, source: .dequeue, exposure: 0),
    ])
    func `replaces an implausible driver timestamp`(_ item: Case) {
        var clock = begun()
        let stamp = clock.stamp(sequence: 7, time: now + .milliseconds(item.time), flags: item.flags, now: now)
        #expect(stamp.source == item.source)
        #expect(stamp.exposureStart == now + .milliseconds(item.exposure))
        #expect(stamp.exposureStart <= stamp.dequeued)
        #expect(stamp.sequence == 7)
        #expect(stamp.uncertainty == (item.source == .startOfExposure ? .milliseconds(1) : Self.interval))
    }

    @Test func `an undated frame is uncertain by the unwatched time`() {
        var clock = begun()
        let uncertainties = [(5, 0), (50, 0), (3000, 0), (3000, Self.endOfFrame)].map { unwatched, flags in
            clock.unwatched = .milliseconds(unwatched)
            return clock.stamp(sequence: 0, time: now - .milliseconds(5), flags: flags, now: now).uncertainty
        }
        #expect(uncertainties == [40, 50, 3000, 40].map { .milliseconds($0) })
    }

    @Test(arguments: [0, endOfFrame])
    func `an undated buffer may precede the stream until the queue was empty`(_ flags: UInt32) {
        var clock = begun()
        clock.sawEmptyQueue()
        let stamps = (0..<5).map { number in
            if number == 3 { clock.sawEmptyQueue() }
            let time = now + .milliseconds(number)
            return clock.stamp(sequence: 0, time: time - .milliseconds(5), flags: flags, now: time)
        }
        #expect(stamps.map(\.mayPrecedeStream) == (0..<5).map { $0 < 3 && flags == 0 })
        #expect(stamps.map(\.ordinal) == [1, 2, 3, 4, 5])
    }

    /// Settings of a clock for a device with a frame every 40 ms, and the expected lead.
    struct Lead: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Source of the device's timestamps.
        let source: TimestampSource
        let lead: StampLead
        let exposed: Int64?
        /// Milliseconds since the previous timestamp.
        let spacing: Int64
        /// Increment of the sequence number.
        let numbers: UInt32
        /// Lead in milliseconds.
        let expected: Int64?
        /// Uncertainty of the lead in milliseconds.
        let error: Int64
        /// Origin of the driver's timestamps; only uvcvideo stamps the arrival.
        var origin: StampOrigin { source == .arrival ? .arrival : .flagged }
        var flags: UInt32 { source == .endOfFrame ? FrameClockTests.endOfFrame : FrameClockTests.startOfExposure }

        init(
            _ description: String,
            _ source: TimestampSource = .arrival,
            measured: Int64? = nil,
            exposed: Int64? = nil,
            spacing: Int64 = 40,
            numbers: UInt32 = 1,
            gives expected: Int64?,
            error: Int64
        ) {
            lead = measured.map { .fixed(.milliseconds($0)) } ?? .auto
            (testDescription, self.source, self.exposed) = (description, source, exposed)
            (self.spacing, self.numbers, self.expected, self.error) = (spacing, numbers, expected, error)
        }
    }

    @Test(arguments: [
        Lead("arrival, exposure unknown", gives: 60, error: 60),
        Lead("arrival, exposure unknown, frames a little late", spacing: 50, gives: 65, error: 65),
        Lead("arrival, exposure unknown, in low light", spacing: 120, gives: 100, error: 100),
        Lead("arrival, exposure unknown, two frames left out", spacing: 120, numbers: 3, gives: 60, error: 60),
        Lead("end of frame, exposure unknown, in low light", .endOfFrame, spacing: 120, gives: 120, error: 120),
        Lead("end of frame, exposure unknown", .endOfFrame, gives: 40, error: 40),
        Lead("end of frame, exposure unknown, frames a little late", .endOfFrame, spacing: 50, gives: 50, error: 50),
        Lead("arrival after a short exposure", exposed: 10, gives: 45, error: 45),
        Lead("arrival, in low light", exposed: 100, spacing: 120, gives: 90, error: 90),
        Lead("arrival, an exposure longer than there is time for", exposed: 100, gives: 60, error: 60),
        Lead("arrival, measured", measured: 55, exposed: 10, gives: 55, error: 10),
        Lead("a start of exposure that is one", .startOfExposure, exposed: 10, gives: nil, error: 1),
        Lead("a start of exposure that is none, measured", .startOfExposure, measured: 55, gives: 55, error: 10),
        Lead("end of frame after a short exposure", .endOfFrame, exposed: 10, gives: 40, error: 40),
        Lead("end of frame, in low light", .endOfFrame, exposed: 100, spacing: 120, gives: 100, error: 40),
    ])
    func `computes the start of exposure from the lead of the stamp`(_ item: Lead) {
        var clock = FrameClock(origin: item.origin)
        clock.lead = item.lead
        clock.reset(interval: Self.interval)
        clock.exposure = item.exposed.map { .milliseconds($0) }
        _ = clock.stamp(sequence: 0, time: now - .milliseconds(item.spacing), flags: item.flags, now: now)
        let stamp = clock.stamp(sequence: item.numbers, time: now, flags: item.flags, now: now)
        #expect(stamp.source == item.source)
        #expect(stamp.lead == item.expected.map { .milliseconds($0) })
        #expect(stamp.exposureStart == now - .milliseconds(item.expected ?? 0))
        #expect(stamp.uncertainty == .milliseconds(item.error))
    }

    @Test func `trusts plausible hardware timestamps after the first 32 frames`() {
        var clock = begun(.device)
        clock.exposure = .milliseconds(20)
        let sources = (0..<40).map { index -> TimestampSource in
            let now = now + .milliseconds(40) * index
            // The 36th frame claims an exposure longer than the time available.
            let time = now - .milliseconds(index == 35 ? 15 : 30)
            return clock.stamp(sequence: UInt32(index), time: time, flags: Self.startOfExposure, now: now).source
        }
        #expect(sources[..<32].allSatisfy { $0 == .arrival })
        for (index, source) in sources.enumerated().dropFirst(32) {
            #expect(source == (index == 35 ? .arrival : .startOfExposure), "frame \(index)")
        }
    }

    @Test func `does not trust hardware timestamps if the exposure is unknown`() {
        var clock = begun(.device)
        let sources = (0..<40).map { index -> TimestampSource in
            let now = now + .milliseconds(40) * index
            // A camera without a clock is stamped at the arrival of a frame, whose transfer takes 15 ms.
            let time = now - .milliseconds(15)
            return clock.stamp(sequence: UInt32(index), time: time, flags: Self.startOfExposure, now: now).source
        }
        #expect(sources.allSatisfy { $0 == .arrival })
    }

    @Test func `rejects a timestamp that is not later than the previous one`() {
        var clock = begun()
        let stamps = [-50, -50, -51, -10].map { time in
            clock.stamp(sequence: 0, time: now + .milliseconds(time), flags: Self.startOfExposure, now: now)
        }
        #expect(stamps.map(\.source) == [.startOfExposure, .dequeue, .dequeue, .startOfExposure])
        #expect(stamps.map(\.ordinal) == [1, 2, 3, 4])
    }

    @Test func `ignores an end-of-frame stamp without a frame interval`() {
        var clock = FrameClock()
        let end = clock.stamp(sequence: 0, time: now - .milliseconds(20), flags: Self.endOfFrame, now: now)
        #expect(end.source == .dequeue)
        #expect(end.uncertainty == .seconds(1))
        let begin = clock.stamp(sequence: 1, time: now - .milliseconds(10), flags: Self.startOfExposure, now: now)
        #expect(begin.source == .startOfExposure)
        let ahead = clock.stamp(sequence: 2, time: now + .milliseconds(1), flags: Self.startOfExposure, now: now)
        #expect(ahead.source == .dequeue)
    }

    @Test func `a repeated sequence number is a fault unless it is zero`() {
        var clock = begun()
        func faults(_ sequence: UInt32, _ flags: UInt32 = 0) -> [PictureFault] {
            clock.stamp(sequence: sequence, time: now, flags: Self.startOfExposure | flags, now: now).faults
        }
        let error = UInt32(V4L2_BUF_FLAG_ERROR)
        #expect([0, 0, 0].map { faults($0) } == [[], [], []])
        #expect(faults(1) == [] && faults(1) == [.repeated] && faults(2) == [])
        #expect(faults(3, error) == [.flagged] && faults(3, error) == [.flagged, .repeated])
        #expect(faults(0) == [])
    }
}
