// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Which frame this is and when it was taken.
package struct FrameStamp: Hashable, Sendable {
    /// The driver's number (`sequence` of `v4l2_buffer`); wraps, and starts again with every stream.
    package var sequence: UInt32
    /// Its place among all buffers taken since the stream started, damaged ones included: 1 for the first.
    package var ordinal: UInt64
    /// When its exposure began, as far as can be told.
    package var exposureStart: MonotonicTime
    /// By how much that may be off, either way.
    package var uncertainty: Duration
    /// How long before the driver's stamp that is; nil where it is the stamp itself, or where that is not believed.
    package var lead: Duration?
    /// Where that time comes from.
    package var source: TimestampSource
    /// When it was taken from the driver.
    package var dequeued: MonotonicTime
    /// What the driver's words on the buffer say against it.
    package var faults: DeliveryFaults = []
    /// Taken before the driver's queue was first seen empty.
    package var isOfBeginning = false

    /// The driver's stamp, or the moment of `VIDIOC_DQBUF` where that is not believed.
    package var driverTime: MonotonicTime { exposureStart + (lead ?? .zero) }

    /// Perhaps written long before the stream began: no freshness, time or settling goes by it.
    ///
    /// v4l2loopback hands out two such buffers at once (0.12.7, `get_capture_buffer`).
    package var mayPrecedeStream: Bool { source == .dequeue && (isOfBeginning || ordinal <= 1) }

    /// When its exposure began at the earliest.
    package var earliestExposure: MonotonicTime { exposureStart - uncertainty }
}

/// What is wrong with a buffer by what the driver says of it, whatever its bytes are.
package struct DeliveryFaults: OptionSet, Hashable, Sendable {
    /// A bit for each.
    package let rawValue: UInt8

    /// Those of these bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It is flagged as damaged (`V4L2_BUF_FLAG_ERROR`).
    package static let flagged = DeliveryFaults(rawValue: 1)
    /// It has fewer bytes than its format needs (`bytesused`).
    package static let short = DeliveryFaults(rawValue: 2)
    /// It has the number of the buffer before it (`sequence`), in a stream whose numbers go on otherwise.
    package static let repeated = DeliveryFaults(rawValue: 4)
    /// The driver may have written into it while it was copied.
    package static let overwritten = DeliveryFaults(rawValue: 8)

    /// The same as a still's record names them.
    package var pictureFaults: [PictureFault] {
        guard !isEmpty else { return [] }
        let names: [(fault: Self, name: PictureFault)] = [
            (.flagged, .flagged), (.short, .short), (.repeated, .repeated), (.overwritten, .overwritten),
        ]
        return names.filter { contains($0.fault) }.map(\.name)
    }
}
