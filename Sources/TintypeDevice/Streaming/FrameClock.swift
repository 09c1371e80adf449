// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
package import TintypeModel

/// Converts the driver's timestamps of one stream into reliable times.
///
/// A timestamp is accepted only if it is monotonic, later than the previous one and close to now. Others
/// (v4l2loopback's, copied, wrapped) are replaced by the time of `VIDIOC_DQBUF`. Source: "Buffers", section "Buffer
/// Flags" (`V4L2_BUF_FLAG_TIMESTAMP_*`, `V4L2_BUF_FLAG_TSTAMP_SRC_*`).
///
/// Some drivers flag timestamps as start of exposure but take them on arrival (``StampOrigin/arrival``). The exposure
/// then began earlier: by the exposure time, and by up to two more intervals for a rolling shutter and a frame buffer.
package struct FrameClock: Sendable {
    let origin: StampOrigin
    /// See ``FrameStamp/stream``.
    package var stream: UInt64 = 0
    /// Time from start of exposure to timestamp, as configured.
    package var lead = StampLead.auto
    /// Nil if unknown or no longer queried.
    package var exposure: Duration?
    /// Maximum time a frame may have waited unnoticed, because a call kept the camera's thread from polling.
    package var unwatched = Duration.zero
    private var interval: Duration?
    private var last: MonotonicTime?
    private var count: UInt64 = 0
    /// True until the driver's queue is first seen empty.
    private var isBeginning = true
    private var lastSequence: UInt32?
    /// True if the driver numbers its buffers; some leave `sequence` constant.
    package private(set) var hasNumbers = false

    package init(origin: StampOrigin = .flagged) { self.origin = origin }

    /// Resets the clock for a new stream with the granted interval, if any.
    package mutating func reset(interval: Duration?) {
        let (stream, lead, exposure) = (stream, lead, exposure)
        self = FrameClock(origin: origin)
        (self.stream, self.lead, self.exposure, self.interval) = (stream, lead, exposure, interval)
    }

    /// Records that the driver's queue is empty: later buffers were filled after the start of the stream.
    package mutating func sawEmptyQueue() { if count > 0 { isBeginning = false } }

    /// Evaluates members of the next `v4l2_buffer`; `now` is the time of the dequeue.
    mutating func stamp(sequence: UInt32, time: MonotonicTime, flags: UInt32, now: MonotonicTime) -> FrameStamp {
        count += 1
        let buffers = lastSequence.map { max(1, sequence &- $0) } ?? 1
        var stamp = FrameStamp(
            sequence: sequence,
            stream: stream,
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
            // A completed exposure cannot begin in the future: such a time is as good as the end of the frame.
            isArrival(time, now: now) ? .arrival : isEndOfFrame || time > now ? .endOfFrame : .startOfExposure
        guard let (lead, uncertainty) = lead(of: source, spacing) else { return stamp }
        stamp.exposureStart = min(time, now) - lead
        stamp.uncertainty = uncertainty
        stamp.lead = source == .startOfExposure && lead == .zero ? nil : lead
        stamp.source = source
        return stamp
    }

    /// True if the timestamp is the arrival of the frame, regardless of its flags.
    private func isArrival(_ time: MonotonicTime, now: MonotonicTime) -> Bool {
        switch origin {
        case .flagged: false
        case .arrival: true
        // No frame can be dequeued before its exposure has ended; a clock that says so is not synchronised with ours.
        // An unknown exposure does not prove that the camera has a clock at all.
        case .device: count <= StampOrigin.deviceSamples || exposure.map { now - time < $0 } ?? true
        }
    }

    /// Time from start of exposure to a timestamp from `source`, and its uncertainty; nil if unknown.
    ///
    /// `spacing` is the time since the previous frame, divided by the number of frames if some were dropped.
    private func lead(of source: TimestampSource, _ spacing: Duration?) -> (Duration, uncertainty: Duration)? {
        // Measured by the user; the remaining error is the jitter of the frames.
        if case .fixed(let lead) = lead { return (lead, max(.milliseconds(1), (interval ?? .zero) / 4)) }
        if source == .startOfExposure { return (.zero, .milliseconds(1)) }
        guard let interval else { return nil }
        // An exposure is not longer than the time between frames, even if a stale control says so. In low light it may
        // be longer than the granted interval; the frames are further apart then. An unknown one may be the longest.
        let longest = max(interval, spacing ?? exposure ?? interval)
        let exposed = min(exposure ?? longest, longest)
        guard source == .arrival else { return (max(exposed, interval), exposure == nil ? longest : interval) }
        // Middle of the possible range: many cameras expose for less time than their control says.
        let half = (exposed + interval * 2) / 2
        return (half, half)
    }

    private mutating func faults(_ sequence: UInt32, _ flags: UInt32) -> [PictureFault] {
        var faults: [PictureFault] = flags & UInt32(V4L2_BUF_FLAG_ERROR) == 0 ? [] : [.flagged]
        if let lastSequence {
            if sequence != lastSequence { hasNumbers = true } else if hasNumbers { faults.append(.repeated) }
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

/// Origin of a driver's timestamps, as far as known apart from their flags.
package enum StampOrigin: Hashable, Sendable {
    /// According to the flags of each buffer.
    case flagged
    /// Arrival of a frame's first bytes, regardless of the flags (uvcvideo, `uvc_video_decode_start`).
    case arrival
    /// The camera's clock at the start of a frame, once the driver has synchronised it with its own (uvcvideo with
    /// `hwtimestamps=1`, `uvc_video_clock_update`); ``arrival`` before that.
    case device

    /// Clock samples that uvcvideo collects after each start before it uses the camera's clock (`uvc_clock.size`).
    ///
    /// Each frame of a camera that sends its clock gives at least one.
    static let deviceSamples: UInt64 = 32
}
