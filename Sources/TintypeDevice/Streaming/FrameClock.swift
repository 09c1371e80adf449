// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
package import TintypeModel

/// Turns the stamps of one stream into times that can be believed.
///
/// A stamp is believed only if it is monotonic, later than the one before and near the present; anything else
/// (v4l2loopback's, copied, wrapped) is replaced by the moment of `VIDIOC_DQBUF`. Source: "Buffers", section
/// "Buffer Flags" (`V4L2_BUF_FLAG_TIMESTAMP_*`, `V4L2_BUF_FLAG_TSTAMP_SRC_*`) of the V4L2 documentation.
package struct FrameClock: Sendable {
    private let interval: Duration?
    private var last: MonotonicTime?
    private var count: UInt64 = 0
    private var lastSequence: UInt32?
    /// Whether the driver numbers its buffers: some leave all of them at one number.
    private(set) var hasNumbers = false

    /// A clock for a stream with this granted interval; nil where the driver has no notion of it.
    package init(interval: Duration?) { self.interval = interval }

    /// The stamp of the next buffer.
    ///
    /// - Parameters:
    ///   - sequence: `sequence` of `v4l2_buffer`.
    ///   - time: its `timestamp`.
    ///   - flags: its `flags`.
    ///   - now: the moment of the dequeue.
    /// - Returns: what can be believed of it.
    package mutating func stamp(
        sequence: UInt32,
        time: MonotonicTime,
        flags: UInt32,
        now: MonotonicTime
    ) -> FrameStamp {
        count += 1
        let endOfFrame = flags & UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_MASK) != UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE)
        var stamp = FrameStamp(
            sequence: sequence,
            ordinal: count,
            exposureStart: now,
            uncertainty: interval ?? .seconds(1),
            source: .dequeue,
            dequeued: now,
            faults: faults(sequence, flags)
        )
        guard isBelievable(time, flags: flags, now: now) else { return stamp }
        last = time
        // An exposure that has ended cannot begin later than now: such a stamp says no more than the end of a frame does.
        if !endOfFrame, time <= now {
            stamp.exposureStart = time
            stamp.uncertainty = .milliseconds(1)
            stamp.source = .startOfExposure
        } else if let interval {
            stamp.exposureStart = min(time, now) - interval
            stamp.source = .endOfFrame
        }
        return stamp
    }

    private mutating func faults(_ sequence: UInt32, _ flags: UInt32) -> DeliveryFaults {
        var faults: DeliveryFaults = flags & UInt32(V4L2_BUF_FLAG_ERROR) == 0 ? [] : .flagged
        if let lastSequence {
            if sequence != lastSequence { hasNumbers = true } else if hasNumbers { faults.insert(.repeated) }
        }
        lastSequence = sequence
        return faults
    }

    private func isBelievable(_ time: MonotonicTime, flags: UInt32, now: MonotonicTime) -> Bool {
        guard flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) else {
            return false
        }
        if let last, time <= last { return false }
        let slack = interval ?? .zero
        return time >= now - .seconds(10) - slack && time <= now + slack
    }
}
