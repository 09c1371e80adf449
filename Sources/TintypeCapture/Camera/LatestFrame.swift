// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// The newest good frame of a stream: in the driver's buffer until a client wants it, then shared by all clients.
struct LatestFrame: ~Copyable {
    private let stream: UInt64
    private let layout: PictureLayout
    private let converter: SharedConverter?
    private let faults: KnownFaults
    /// True if frames are copied out of their buffers at once: the driver has too few buffers, or overwrites lent ones.
    private let copiesAtOnce: Bool
    private let leases = LeaseCount()
    private var held: FrameLease?
    private var shared: Frame?

    init(stream: UInt64, layout: PictureLayout, converter: SharedConverter?, faults: KnownFaults, copiesAtOnce: Bool) {
        (self.stream, self.layout, self.converter) = (stream, layout, converter)
        (self.faults, self.copiesAtOnce) = (faults, copiesAtOnce)
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
            faults: faults,
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
