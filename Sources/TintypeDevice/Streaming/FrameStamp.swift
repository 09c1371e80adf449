// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

package struct FrameStamp: Hashable, Sendable {
    /// `sequence` of `v4l2_buffer`; wraps, and restarts with every stream.
    package var sequence: UInt32
    /// Number of the stream within its session; 0 outside of one.
    package var stream: UInt64 = 0
    /// Number of the buffer since the start of the stream, damaged ones included; 1 for the first.
    package var ordinal: UInt64
    package var exposureStart: MonotonicTime
    /// Maximum error of ``exposureStart``, in either direction.
    package var uncertainty: Duration
    /// Time from ``exposureStart`` to the driver's timestamp; nil if equal, or if the timestamp was rejected.
    package var lead: Duration?
    package var source: TimestampSource
    /// Time of `VIDIOC_DQBUF`.
    package var dequeued: MonotonicTime
    package var faults: DeliveryFaults = []
    /// Dequeued before the driver's queue was first seen empty.
    package var isOfBeginning = false

    /// The driver's timestamp, or the time of `VIDIOC_DQBUF` if that was rejected.
    package var driverTime: MonotonicTime { exposureStart + (lead ?? .zero) }

    /// True if the buffer may have been filled long before the stream began; no use for freshness, timing or settling.
    ///
    /// v4l2loopback hands out two such buffers at once (0.12.7, `get_capture_buffer`).
    package var mayPrecedeStream: Bool { source == .dequeue && (isOfBeginning || ordinal <= 1) }
    package var earliestExposure: MonotonicTime { exposureStart - uncertainty }

    /// True if this frame and all later ones were exposed after `moment`.
    ///
    /// A frame without a timestamp of its own may be dated after the next one.
    package func isPast(_ moment: MonotonicTime) -> Bool {
        exposureStart > moment && (source != .dequeue || earliestExposure > moment)
    }
}

/// Faults of a buffer according to the driver, independent of its content.
package struct DeliveryFaults: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `V4L2_BUF_FLAG_ERROR`.
    package static let flagged = DeliveryFaults(rawValue: 1)
    /// `bytesused` is less than the format needs.
    package static let short = DeliveryFaults(rawValue: 2)
    /// Same `sequence` as the previous buffer, in a stream that otherwise counts.
    package static let repeated = DeliveryFaults(rawValue: 4)
    /// The driver may have overwritten the buffer while it was copied.
    package static let overwritten = DeliveryFaults(rawValue: 8)

    package var pictureFaults: [PictureFault] {
        guard !isEmpty else { return [] }
        let names: [(fault: Self, name: PictureFault)] = [
            (.flagged, .flagged), (.short, .short), (.repeated, .repeated), (.overwritten, .overwritten),
        ]
        return names.filter { contains($0.fault) }.map(\.name)
    }
}
