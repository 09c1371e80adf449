// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
package import TintypeImaging
package import TintypeModel
package import TintypeSystem

/// One picture, encoded; immutable, so that all who asked for it share it.
package struct Frame: Sendable {
    /// Which frame it is and when it was taken.
    package let stamp: FrameStamp
    /// The name of the frame that it was made of.
    package let key: FrameKey
    /// The id and the wall-clock time of what was made of it.
    package let name: FrameName
    /// What was made of it.
    package private(set) var picture: RenderedPicture
    /// How long it took to encode, or to copy out of the driver's buffer, and to look at.
    package let encodeTime: Duration
    /// What it looks like where it may be worth nothing.
    package let appearance: [Appearance]

    /// A frame of these parts.
    package init(
        stamp: FrameStamp,
        key: FrameKey,
        name: FrameName,
        picture: RenderedPicture,
        encodeTime: Duration,
        appearance: [Appearance] = []
    ) {
        self.stamp = stamp
        self.key = key
        self.name = name
        self.picture = picture
        self.encodeTime = encodeTime
        self.appearance = appearance
    }
}

/// What is known of a frame's camera, for the EXIF data of its picture.
package struct CameraFacts: Sendable {
    /// Which device it is; nil if that is not known.
    package var identity: CameraIdentity?
    /// What it said of its exposure and focus around the frame's time; nil if it said nothing.
    package var reading: CameraReading?
    /// Where it stands; nil if that is not known.
    package var position: GeoPosition?
    /// The EXIF data of its last picture.
    package let exif: PreparedExif

    /// Facts of these parts.
    package init(
        identity: CameraIdentity?,
        reading: CameraReading?,
        position: GeoPosition?,
        exif: PreparedExif = PreparedExif()
    ) {
        self.identity = identity
        self.reading = reading
        self.position = position
        self.exif = exif
    }
}

extension Frame {
    /// The frame's picture with EXIF data that names it `id`.
    ///
    /// Returns the JPEG file, copied once.
    package func picture(named id: FrameID, _ rendition: Rendition, _ camera: CameraFacts) -> [UInt8] {
        var picture = picture
        picture.describe(as: id, at: name.capturedAt, stamp, rendition, camera)
        return picture.jpeg
    }

    /// The same frame with EXIF data in its picture, for all who share it.
    package func described(_ rendition: Rendition, _ camera: CameraFacts) -> Frame {
        var frame = self
        frame.picture.describe(as: name.id, at: name.capturedAt, stamp, rendition, camera)
        return frame
    }
}

extension RenderedPicture {
    /// Puts EXIF data into the picture, in place of any other.
    mutating func describe(
        as id: FrameID,
        at capturedAt: Timestamp,
        _ stamp: FrameStamp,
        _ rendition: Rendition,
        _ camera: CameraFacts
    ) {
        let facts = ExifFacts(
            id: id,
            capturedAt: capturedAt,
            size: size,
            sequence: stamp.sequence,
            verdict: verdict,
            average: rendition.average,
            camera: camera.identity,
            reading: camera.reading,
            position: camera.position,
            isClockSynchronized: WallClock.isSynchronized,
            own: self.camera,
            hasOwnOrientation: rendition.rendering.keepsOrientation
        )
        jpeg = facts.write(into: exchange(&jpeg, with: []), camera.exif)
        describedAs = id
    }
}

/// The name of a frame among all that a session has seen: which stream, and which buffer of it.
package struct FrameKey: Hashable, Comparable, Sendable {
    /// Counts the streams that the session has started, from 1.
    package var stream: UInt64
    /// ``FrameStamp/ordinal``.
    package var ordinal: UInt64

    /// Whether `left` was taken before `right`.
    package static func < (left: FrameKey, right: FrameKey) -> Bool {
        (left.stream, left.ordinal) < (right.stream, right.ordinal)
    }
}

/// What one picture goes by: the same for all who share it, but for copies in the spool, where each has an id of its
/// own.
///
/// So a client that asks for the newest picture twice is told by the id whether it has it already. Any thread; never
/// blocks.
package final class FrameName: Sendable {
    /// The id of every reply that does not store the picture, and of the first copy that is stored.
    package let id: FrameID
    /// When its exposure began, by the wall clock as it was when the name was given.
    package let capturedAt: Timestamp
    private let isTaken = Atomic(false)

    /// A name for a picture of the frame with this stamp, whose moments are of `clock`.
    package init(of stamp: FrameStamp, by clock: any MonotonicClock) {
        capturedAt = clock.wall(at: stamp.exposureStart)
        id = FrameID(at: capturedAt)
    }

    /// The id of a copy that is about to be stored: ``id`` for the first, a new one for each further.
    package func takeID() -> FrameID {
        isTaken.exchange(true, ordering: .relaxed) ? FrameID(at: capturedAt) : id
    }
}
