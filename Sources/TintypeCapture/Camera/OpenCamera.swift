// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// A streaming device and its per-stream state, on the camera's thread; deinitialisation stops and closes it, but
/// outstanding leases stay readable until they end.
final class OpenCamera {
    let plan: OpeningPlan
    let device: any CaptureDevice
    let granted: GrantedFormat
    var newest: LatestFrame
    /// Number of buffers dequeued from the driver, good or not.
    var taken: UInt64 = 0
    /// Start of the last drain of the driver's queue: earlier frames are counted in ``taken``.
    var emptiedAt: MonotonicTime
    var stall: StallRule
    var settling = SettleWork()
    var sampled: FrameKey?
    var controls = ControlWatch()

    init(
        _ plan: OpeningPlan,
        of device: any CaptureDevice,
        granted: GrantedFormat,
        newest: consuming LatestFrame,
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
        // Drop a frame without clients before the driver's memory goes: it would be copied otherwise.
        newest.drop()
        device.stop()
    }

    /// Number of the stream, counted from 1 for each session.
    var number: UInt64 { plan.number }

    /// Frame interval; zero if the driver does not report it.
    var interval: Duration { granted.format.interval?.duration ?? .zero }

    /// Key of the last dequeued buffer.
    var last: FrameKey { FrameKey(stream: number, ordinal: taken) }
}

/// The newest good frame of a stream: in the driver's buffer until a client wants it, then shared by all clients.
struct LatestFrame: ~Copyable {
    private let stream: UInt64
    private let layout: PictureLayout
    private let converter: SharedConverter?
    private let quirks: KnownFaults
    /// True if frames are copied out of their buffers at once: the driver has too few buffers, or overwrites lent ones.
    private let copiesAtOnce: Bool
    private let leases = LeaseCount()
    private var held: FrameLease?
    private var shared: Frame?

    init(stream: UInt64, layout: PictureLayout, converter: SharedConverter?, quirks: KnownFaults, copiesAtOnce: Bool) {
        self.stream = stream
        self.layout = layout
        self.converter = converter
        self.quirks = quirks
        self.copiesAtOnce = copiesAtOnce
    }

    var stamp: FrameStamp? {
        if let shared { return shared.stamp }
        switch held {
        case .some(let lease): return lease.stamp
        case .none: return nil
        }
    }

    mutating func hold(_ lease: consuming FrameLease, of device: any CaptureDevice) {
        shared = nil
        held = consume lease
        if copiesAtOnce { _ = share(device) }
    }

    mutating func drop() {
        shared = nil
        held = nil
    }

    /// Makes the held frame shareable; nil without one.
    mutating func share(_ device: any CaptureDevice) -> Frame? {
        if let shared { return shared }
        guard let lease = held.take() else { return nil }
        shared = capture(lease, of: device, copies: copiesAtOnce)
        return shared
    }

    /// Like ``share(_:)``, but nil if the frame would have to be copied because older frames hold all lendable buffers.
    mutating func shareInPlace(_ device: any CaptureDevice) -> Frame? {
        if let shared { return shared }
        return leases.hasRoom ? share(device) : nil
    }

    func capture(_ lease: consuming FrameLease, of device: any CaptureDevice, copies: Bool) -> Frame {
        let key = FrameKey(stream: stream, ordinal: lease.stamp.ordinal)
        return Frame(
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

    /// Puts the frame into the ring, at once if it is a JPEG picture; returns true if it must be encoded first.
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
