// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
package import TintypeModel

/// Turns the stamps of one stream into times that can be believed.
///
/// A stamp is believed only if it is monotonic, later than the one before and near the present; anything else
/// (v4l2loopback's, copied, wrapped) is replaced by the moment of `VIDIOC_DQBUF`. Source: "Buffers", section
/// "Buffer Flags" (`V4L2_BUF_FLAG_TIMESTAMP_*`, `V4L2_BUF_FLAG_TSTAMP_SRC_*`) of the V4L2 documentation.
///
/// Some drivers flag their stamps as the start of exposure and stamp the arrival of a frame's first bytes instead
/// (``StampOrigin/arrival``). The exposure has begun by then: as long ago as it lasts, and up to two
/// intervals more, where the camera has a rolling shutter and a buffer for a frame of its own.
package struct FrameClock: Sendable {
    /// Where the driver's stamps come from.
    let origin: StampOrigin
    /// How long before the stamp the exposure began.
    package var lead = StampLead.auto
    /// How long the device exposes each frame, as it said last; nil where it cannot tell, or is not asked any more.
    package var exposure: Duration?
    /// For how long a frame can have been in the driver's queue before anybody looked: as long as a call has kept the
    /// camera's thread from it.
    package var unwatched = Duration.zero
    private var interval: Duration?
    private var last: MonotonicTime?
    private var count: UInt64 = 0
    /// True until the driver's queue is first seen empty.
    private var isBeginning = true
    private var lastSequence: UInt32?
    /// Whether the driver numbers its buffers: some leave all of them at one number.
    package private(set) var hasNumbers = false

    /// A clock for the streams of a device.
    package init(origin: StampOrigin = .flagged) { self.origin = origin }

    /// A stream begins, with this granted interval; nil where the driver has no notion of it.
    package mutating func begin(interval: Duration?) {
        let (lead, exposure) = (lead, exposure)
        self = FrameClock(origin: origin)
        (self.lead, self.exposure, self.interval) = (lead, exposure, interval)
    }

    /// Notes that the driver's queue is empty: later buffers were filled after the stream began.
    package mutating func sawEmptyQueue() { if count > 0 { isBeginning = false } }

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
        let buffers = lastSequence.map { max(1, sequence &- $0) } ?? 1
        var stamp = FrameStamp(
            sequence: sequence,
            ordinal: count,
            exposureStart: now,
            uncertainty: max(interval ?? .seconds(1), unwatched),
            source: .dequeue,
            dequeued: now,
            faults: faults(sequence, flags)
        )
        stamp.isOfBeginning = isBeginning
        guard isBelievable(time, flags: flags, now: now) else { return stamp }
        let spacing = last.map { (time - $0) / Int(buffers) }
        last = time
        let isEndOfFrame = flags & UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_MASK) != UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE)
        let source: TimestampSource =
            // An exposure that has ended cannot begin later than now: such a stamp says no more than the end of a frame does.
            isArrival(time, now: now) ? .arrival : isEndOfFrame || time > now ? .endOfFrame : .startOfExposure
        guard let (lead, uncertainty) = lead(of: source, spacing) else { return stamp }
        stamp.exposureStart = min(time, now) - lead
        stamp.uncertainty = uncertainty
        stamp.lead = source == .startOfExposure && lead == .zero ? nil : lead
        stamp.source = source
        return stamp
    }

    /// Whether a stamp is the arrival of its frame, whatever its flags say.
    private func isArrival(_ time: MonotonicTime, now: MonotonicTime) -> Bool {
        switch origin {
        case .flagged: false
        case .arrival: true
        // No frame can be taken before its exposure has ended: a clock that says so does not agree with ours.
        case .device: count <= StampOrigin.deviceSamples || now - time < exposure ?? .zero
        }
    }

    /// How long before a stamp from `source` the exposure began, and by how much that may be off; nil if nothing is
    /// known of it.
    ///
    /// `spacing` is the time from the frame before, or what a frame had of it where the driver has left some out.
    private func lead(of source: TimestampSource, _ spacing: Duration?) -> (Duration, uncertainty: Duration)? {
        // Measured; what is left is how evenly the frames come.
        if case .fixed(let lead) = lead { return (lead, max(.milliseconds(1), (interval ?? .zero) / 4)) }
        if source == .startOfExposure { return (.zero, .milliseconds(1)) }
        guard let interval else { return nil }
        // No exposure takes longer than from one frame to the next, though a stale control may say so. One that is not known
        // may take as long.
        var exposed = exposure.map { min($0, max(interval, spacing ?? $0)) } ?? interval
        var uncertainty = interval
        // In low light a camera may expose for longer than the granted interval: its frames are further apart then.
        if exposure == nil, let spacing, spacing > interval * 3 / 2 { (exposed, uncertainty) = (spacing, spacing) }
        guard source == .arrival else { return (max(exposed, interval), uncertainty) }
        // The middle of what there can be: many cameras expose for less time than their control says.
        let half = (exposed + interval * 2) / 2
        return (half, half)
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

/// Where a driver's stamps come from, as far as that is known besides their flags.
package enum StampOrigin: Hashable, Sendable {
    /// As the flags of each buffer say.
    case flagged
    /// The arrival of a frame's first bytes, whatever the flags say (uvcvideo, `uvc_video_decode_start`).
    case arrival
    /// The camera's own clock at the start of a frame, once the driver has compared it with its own
    /// (uvcvideo with `hwtimestamps=1`, `uvc_video_clock_update`); before that it is ``arrival``.
    case device

    /// The comparisons that uvcvideo makes after each start of a stream before it uses the camera's clock
    /// (`uvc_clock.size`); each frame of a camera that tells its clock gives one at least.
    static let deviceSamples: UInt64 = 32
}
