// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// A device that is open and streams, and all that there is only meanwhile; on the camera's thread.
///
/// Ends with the last reference to it: the stream is stopped and the device closed. Leases that are out stay readable
/// until they end.
final class OpenCamera {
    /// What it was opened for, and how.
    let plan: OpeningPlan
    let device: any CaptureDevice
    /// What was granted to it.
    let granted: GrantedFormat
    /// Its newest good frame.
    var newest: NewestFrame
    /// How many buffers have come out of the driver, good or not.
    var taken: UInt64 = 0
    /// When the driver's queue began to be emptied the last time: what came before is among those ``taken``.
    var emptiedAt: MonotonicTime
    /// When silence is a failure.
    var stall: StallRule
    /// Whether exposure and white balance have settled.
    var settling = SettleWork()
    /// The newest frame that was looked at for motion.
    var sampled: FrameKey?
    /// What is known of the device's controls.
    var controls = ControlWatch()

    /// The stream of a device that has been started.
    init(
        _ plan: OpeningPlan,
        of device: any CaptureDevice,
        granted: GrantedFormat,
        newest: consuming NewestFrame,
        emptiedAt: MonotonicTime,
        stall: StallRule
    ) {
        self.plan = plan
        self.device = device
        self.granted = granted
        self.newest = newest
        self.emptiedAt = emptiedAt
        self.stall = stall
    }

    deinit {
        // A frame that nobody else has need not outlast the driver's memory, which would be a copy.
        newest.drop()
        device.stop()
    }

    /// Counts the streams that the session has started, from 1.
    var number: UInt64 { plan.number }

    /// The time between two of its frames; zero where the driver has no notion of it.
    var interval: Duration { granted.format.interval?.duration ?? .zero }

    /// The frame that came last.
    var last: FrameKey { FrameKey(stream: number, ordinal: taken) }
}

/// The newest good frame of a stream: in the driver's buffer until a client wants it, then shared with all who do.
struct NewestFrame: ~Copyable {
    /// Which stream it is of.
    private let stream: UInt64
    private let layout: PictureLayout
    private let converter: SharedConverter?
    private let quirks: QuirkMemory
    /// Whether a frame is copied out of its buffer before anybody asks for it: the driver has too few buffers, or
    /// overwrites those that it lent.
    private let copiesAtOnce: Bool
    private let leases = LeaseCount()
    private var held: FrameLease?
    private var shared: CapturedPicture?

    /// No frame yet.
    init(
        stream: UInt64,
        layout: PictureLayout,
        converter: SharedConverter?,
        quirks: QuirkMemory,
        copiesAtOnce: Bool
    ) {
        self.stream = stream
        self.layout = layout
        self.converter = converter
        self.quirks = quirks
        self.copiesAtOnce = copiesAtOnce
    }

    /// Its stamp; nil while there is none.
    var stamp: FrameStamp? {
        if let shared { return shared.stamp }
        switch held {
        case .some(let lease): return lease.stamp
        case .none: return nil
        }
    }

    /// Takes a newer frame in its place.
    mutating func hold(_ lease: consuming FrameLease, of device: any CaptureDevice) {
        shared = nil
        held = consume lease
        if copiesAtOnce { _ = share(device) }
    }

    /// Lets it go.
    mutating func drop() {
        shared = nil
        held = nil
    }

    /// Makes it one that others may have too, if there is one.
    mutating func share(_ device: any CaptureDevice) -> CapturedPicture? {
        if let shared { return shared }
        guard let lease = held.take() else { return nil }
        shared = capture(lease, of: device, copies: copiesAtOnce)
        return shared
    }

    /// The same, unless it would have to be copied for that: older ones keep as many buffers as they may.
    mutating func shareInPlace(_ device: any CaptureDevice) -> CapturedPicture? {
        if let shared { return shared }
        return leases.hasRoom ? share(device) : nil
    }

    /// A picture of what is in a buffer of the same stream.
    func capture(_ lease: consuming FrameLease, of device: any CaptureDevice, copies: Bool) -> CapturedPicture {
        let key = FrameKey(stream: stream, ordinal: lease.stamp.ordinal)
        return CapturedPicture(
            lease,
            key: key,
            layout: layout,
            converter: converter,
            leases: leases,
            copies: copies,
            quirks: quirks,
            isOverwritten: { lease in device.mayHaveOverwritten(lease) }
        )
    }

    /// Puts it into a ring: at once where it is a JPEG picture.
    ///
    /// Returns whether it is to be encoded for it.
    func keep(in ring: FrameRing, _ stamp: FrameStamp, slept: Duration) -> Bool {
        let key = FrameKey(stream: stream, ordinal: stamp.ordinal)
        guard layout.pixelFormat.isJPEG, converter == nil else { return ring.reserve(stamp, key: key, slept: slept) }
        if let shared {
            shared.withBytes { ring.keep($0, stamp, key: key, layout: layout, slept: slept) }
        } else {
            switch held {
            case .some(let lease): lease.withBytes { ring.keep($0, stamp, key: key, layout: layout, slept: slept) }
            case .none: break
            }
        }
        return false
    }
}
