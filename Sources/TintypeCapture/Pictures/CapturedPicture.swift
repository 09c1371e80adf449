// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
internal import TintypeImaging
package import TintypeModel

/// A captured frame that a client wants: still in the driver's buffer, or copied out of it.
///
/// Shared by the session and the encoding threads; the buffer goes back when the last of them lets go.
package final class CapturedPicture: Sendable {
    /// Which frame it is.
    package let key: FrameKey
    /// When it was taken.
    package let stamp: FrameStamp
    /// How its bytes are to be read.
    package let layout: PictureLayout
    /// What it has to go through before it is encoded; nil where the encoder can read it as it is.
    let converter: SharedConverter?
    /// What is known of this camera's pictures.
    let quirks: QuirkMemory?
    private let lease: FrameLease?
    private let copy: [UInt8]
    private let leases: LeaseCount

    /// Keeps the driver's buffer where at most one older picture does, else copies it out and gives it back.
    ///
    /// `leases` counts the pictures that keep one. Where it `copies`, the buffer is copied in any case: the driver has too
    /// few, or overwrites those that it lent. Once it is copied, `isOverwritten` is asked whether that has happened.
    package init(
        _ lease: consuming FrameLease,
        key: FrameKey,
        layout: PictureLayout,
        converter: SharedConverter?,
        leases: LeaseCount,
        copies: Bool,
        quirks: QuirkMemory? = nil,
        isOverwritten: (borrowing FrameLease) -> Bool = { _ in false }
    ) {
        self.key = key
        self.layout = layout
        self.converter = converter
        self.leases = leases
        self.quirks = quirks
        var stamp = lease.stamp
        if copies || !leases.take() {
            copy = lease.copiedBytes()
            if isOverwritten(lease) { stamp.faults.insert(.overwritten) }
            self.lease = nil
        } else {
            copy = []
            self.lease = consume lease
        }
        self.stamp = stamp
    }

    /// A picture that is in memory already.
    package init(_ picture: RingPicture, quirks: QuirkMemory) {
        self.quirks = quirks
        (key, stamp, layout, copy) = (picture.key, picture.stamp, picture.layout, picture.bytes)
        converter = nil
        lease = nil
        leases = LeaseCount()
    }

    deinit { if lease != nil { leases.giveBack() } }

    /// Calls `body` with the bytes as the driver delivered them.
    package func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        switch lease {
        case .some(let lease): return try lease.withBytes(body)
        case .none:
            let copy = copy
            return try body(copy.rawSpan)
        }
    }

    /// Calls `body` with what is made of `bytes`, its frame, where that is interlaced; with them where it is not, or where
    /// nothing can be made of it.
    func withWhole<R>(
        _ bytes: RawSpan,
        _ body: (RawSpan, PictureLayout) throws(ImagingError) -> R
    ) throws(ImagingError) -> R {
        guard let way = layout.deinterlaced, way != .weave else { return try body(bytes, layout.whole) }
        let made = try Deinterlacer.picture(bytes, layout: layout)
        return try body(made.rawSpan, layout.whole)
    }

    /// Calls `body` with the bytes, and with zeros behind them where they are fewer than `count`.
    func withBytes<R, E: Error>(atLeast count: Int, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try withBytes { (bytes) throws(E) in
            guard bytes.byteCount < count else { return try body(bytes) }
            // Not what the buffer holds there, which is of an older frame.
            var padded: [UInt8] = []
            padded.append(bytes)
            padded += [UInt8](repeating: 0, count: count - padded.count)
            return try body(padded.rawSpan)
        }
    }
}

/// A picture out of a ring.
package struct RingPicture: Sendable {
    /// When it was taken.
    package let stamp: FrameStamp
    /// Which frame it is.
    package let key: FrameKey
    /// How its bytes are to be read.
    package let layout: PictureLayout
    /// The picture as the driver delivered it.
    package let bytes: [UInt8]
}

/// How many buffers of the driver are with the encoder; the newest, which the session holds, is one more.
package final class LeaseCount: Sendable {
    private let count = Atomic<Int>(0)
    /// One that may still be encoded when the session holds a newer one (DESIGN, section 4).
    private static let limit = 1

    /// None yet.
    package init() {}

    /// Whether there is a place; one thread takes them, the others only give them back.
    package var hasRoom: Bool { count.load(ordering: .relaxed) < Self.limit }

    /// Takes a place; false if there is none.
    func take() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue > Self.limit else { return true }
        count.subtract(1, ordering: .relaxed)
        return false
    }

    func giveBack() { count.subtract(1, ordering: .relaxed) }
}
