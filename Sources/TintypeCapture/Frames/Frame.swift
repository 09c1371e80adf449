// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
internal import TintypeImaging
package import TintypeModel

/// Key of a frame, unique within a session: stream number and buffer ordinal.
package struct FrameKey: Hashable, Comparable, Sendable {
    package var stream: UInt64
    package var ordinal: UInt64

    package static func < (left: FrameKey, right: FrameKey) -> Bool {
        (left.stream, left.ordinal) < (right.stream, right.ordinal)
    }
}

extension FrameStamp {
    package var key: FrameKey { FrameKey(stream: stream, ordinal: ordinal) }
}

/// A captured frame for a client, in the driver's buffer, which the last reference returns, or copied out of it.
package final class Frame: Sendable {
    package let stamp: FrameStamp
    package let layout: PictureLayout
    /// Pixel conversion required before encoding; nil if the encoder reads the format itself.
    let converter: SerialConverter?
    let faults: KnownFaults?
    private let lease: FrameLease?
    private let copy: [UInt8]
    private let inspections = Mutex<[JPEGInspection.Depth: JPEGInspection]>([:])
    private let leases: LeaseCount

    /// Keeps the driver's buffer unless an older picture holds one, by `leases`; otherwise, or if it `copies`, copies
    /// it out and asks `isOverwritten`.
    init(
        _ lease: consuming FrameLease,
        layout: PictureLayout,
        converter: SerialConverter?,
        leases: LeaseCount,
        copies: Bool,
        faults: KnownFaults? = nil,
        isOverwritten: (borrowing FrameLease) -> Bool = { _ in false }
    ) {
        (self.layout, self.converter, self.leases, self.faults) = (layout, converter, leases, faults)
        var stamp = lease.stamp
        if copies || !leases.take() {
            copy = lease.copiedBytes()
            if isOverwritten(lease) { stamp.faults.append(.overwritten) }
            self.lease = nil
        } else {
            copy = []
            self.lease = consume lease
        }
        self.stamp = stamp
    }

    package init(_ picture: RingPicture, faults: KnownFaults) {
        (stamp, layout, copy) = (picture.stamp, picture.layout, picture.bytes)
        (self.faults, converter, leases) = (faults, nil, LeaseCount())
        lease = nil
    }

    package var key: FrameKey { stamp.key }

    deinit { if lease != nil { leases.giveBack() } }

    /// Inspection of the frame at a depth, made by the first caller; blocks while another thread inspects the frame.
    func inspection(at depth: JPEGInspection.Depth, making make: () -> JPEGInspection) -> JPEGInspection {
        inspections.withLock { inspections in
            if let known = inspections[depth] { return known }
            let made = make()
            inspections[depth] = made
            return made
        }
    }

    package func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        switch lease {
        case .some(let lease): return try lease.withBytes(body)
        case .none:
            let copy = copy
            return try body(copy.rawSpan)
        }
    }

    /// Calls `body` with the deinterlaced frame, or with `bytes` themselves if the frame is progressive or woven.
    func withWhole<R>(
        _ bytes: RawSpan,
        _ body: (RawSpan, PictureLayout) throws(ImagingError) -> R
    ) throws(ImagingError) -> R {
        guard let way = layout.deinterlaced, way != .weave else { return try body(bytes, layout.whole) }
        let made = try Deinterlacer.picture(bytes, layout: layout)
        return try body(made.rawSpan, layout.whole)
    }

    /// Calls `body` with the bytes, zero-padded to `count`.
    func withBytes<R, E: Error>(atLeast count: Int, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try withBytes { (bytes) throws(E) in
            guard bytes.byteCount < count else { return try body(bytes) }
            // The rest of the buffer holds bytes of an older frame.
            var padded: [UInt8] = []
            padded.append(bytes)
            padded += [UInt8](repeating: 0, count: count - padded.count)
            return try body(padded.rawSpan)
        }
    }
}

package struct RingPicture: Sendable {
    package let stamp: FrameStamp
    package let layout: PictureLayout
    /// JPEG bytes: as delivered by the driver, or encoded for the ring.
    package let bytes: [UInt8]
}

/// Number of driver buffers lent to the encoder, not counting the newest frame held by the session.
package final class LeaseCount: Sendable {
    private let count = Atomic<Int>(0)
    /// One frame may still be encoded while the session holds a newer one.
    private static let limit = 1

    package init() {}

    /// True if another buffer may be lent; valid because only one thread takes buffers and the others return them.
    package var hasRoom: Bool { count.load(ordering: .relaxed) < Self.limit }

    func take() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue > Self.limit else { return true }
        count.subtract(1, ordering: .relaxed)
        return false
    }

    func giveBack() { count.subtract(1, ordering: .relaxed) }
}

/// The newest good frame of a stream: in the driver's buffer until a client wants it, then shared by all clients.
struct LatestFrame: ~Copyable {
    private let layout: PictureLayout
    private let converter: SerialConverter?
    private let faults: KnownFaults
    /// True if frames are copied out of their buffers at once: the driver has too few buffers, or overwrites lent ones.
    private let copiesAtOnce: Bool
    private let leases = LeaseCount()
    private var held: FrameLease?
    private var shared: Frame?

    init(layout: PictureLayout, converter: SerialConverter?, faults: KnownFaults, copiesAtOnce: Bool) {
        (self.layout, self.converter, self.faults, self.copiesAtOnce) = (layout, converter, faults, copiesAtOnce)
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
        Frame(
            lease,
            layout: layout,
            converter: converter,
            leases: leases,
            copies: copies,
            faults: faults,
            isOverwritten: { device.mayHaveOverwritten($0) }
        )
    }

    /// Puts the frame into the ring, at once if it is a JPEG picture; returns true if it must be encoded first.
    func keep(in ring: FrameRing, _ stamp: FrameStamp, slept: Duration) -> Bool {
        guard layout.pixelFormat.isJPEG, converter == nil else { return ring.reserve(stamp, slept: slept) }
        if let shared {
            shared.withBytes { ring.keep($0, stamp, layout: layout, slept: slept) }
        } else {
            switch held {
            case .some(let lease): lease.withBytes { ring.keep($0, stamp, layout: layout, slept: slept) }
            case .none: break
            }
        }
        return false
    }
}
