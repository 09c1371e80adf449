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
    package var faults: DeliveryFaults

    /// A stamp of these parts.
    package init(
        sequence: UInt32,
        ordinal: UInt64,
        exposureStart: MonotonicTime,
        uncertainty: Duration,
        lead: Duration? = nil,
        source: TimestampSource,
        dequeued: MonotonicTime,
        faults: DeliveryFaults = []
    ) {
        self.sequence = sequence
        self.ordinal = ordinal
        self.exposureStart = exposureStart
        self.uncertainty = uncertainty
        self.lead = lead
        self.source = source
        self.dequeued = dequeued
        self.faults = faults
    }

    /// The driver's stamp, or the moment of `VIDIOC_DQBUF` where that is not believed.
    package var driverTime: MonotonicTime { exposureStart + (lead ?? .zero) }

    /// When its exposure began at the earliest.
    package var earliestExposure: MonotonicTime { exposureStart - uncertainty }
}
