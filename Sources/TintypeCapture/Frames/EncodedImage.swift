// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
package import TintypeImaging
package import TintypeModel
package import TintypeSystem

package struct EncodedImage: Sendable {
    package let stamp: FrameStamp
    package let key: FrameKey
    package let name: FrameName
    package private(set) var picture: RenderedPicture
    /// Time to encode the picture, or copy it from the driver's buffer, and to analyse it.
    package let encodeTime: Duration
    /// Defects that may make the picture useless, such as black or frozen.
    package private(set) var appearance: [ImageDefect] = []
}

/// Camera data for the EXIF data of a picture.
package struct CameraFacts: Sendable {
    /// Nil if the device is not known.
    package var identity: CameraIdentity?
    /// Exposure and focus around the frame's time; nil if the device did not report them.
    package var reading: CameraReading?
    /// Configured position of the camera, if any.
    package var position: GeoPosition?
    /// EXIF data reused from the last picture.
    package private(set) var exif = PreparedExif()
}

extension EncodedImage {
    /// JPEG file of the frame, copied once, with EXIF data that contains `id`.
    package func picture(named id: FrameID, _ options: EncodingOptions, _ camera: CameraFacts) -> [UInt8] {
        var picture = picture
        picture.describe(as: id, at: name.capturedAt, stamp, options, camera)
        return picture.jpeg
    }

    /// The same frame with EXIF data in its picture, for all clients that share it.
    package func described(_ options: EncodingOptions, _ camera: CameraFacts) -> EncodedImage {
        var frame = self
        frame.picture.describe(as: name.id, at: name.capturedAt, stamp, options, camera)
        return frame
    }
}

extension RenderedPicture {
    /// Writes EXIF data into the picture, replacing the existing.
    mutating func describe(
        as id: FrameID,
        at capturedAt: Timestamp,
        _ stamp: FrameStamp,
        _ options: EncodingOptions,
        _ camera: CameraFacts
    ) {
        let facts = ExifFacts(
            id: id,
            capturedAt: capturedAt,
            size: size,
            sequence: stamp.sequence,
            verdict: verdict,
            average: options.average,
            camera: camera.identity,
            reading: camera.reading,
            position: camera.position,
            isClockSynchronized: WallClock.isSynchronized,
            own: self.camera,
            hasOwnOrientation: options.rendering.keepsOrientation
        )
        jpeg = facts.write(into: exchange(&jpeg, with: []), camera.exif)
        describedAs = id
    }
}

/// Key of a frame, unique within a session: stream number and buffer ordinal.
package struct FrameKey: Hashable, Comparable, Sendable {
    /// Number of the stream, counted from 1 for each session.
    package var stream: UInt64
    /// ``FrameStamp/ordinal``.
    package var ordinal: UInt64

    package static func < (left: FrameKey, right: FrameKey) -> Bool {
        (left.stream, left.ordinal) < (right.stream, right.ordinal)
    }
}

/// Identity of a picture, by which a client detects a repeat; copies in the spool get an id each; any thread, never
/// blocks.
package final class FrameName: Sendable {
    /// Id for replies that do not store the picture, and for the first stored copy.
    package let id: FrameID
    /// Start of exposure in wall-clock time, converted when the name was created.
    package let capturedAt: Timestamp
    private let isTaken = Atomic(false)

    /// Creates the name of a picture of the frame with this stamp, whose times are of `clock`.
    package init(of stamp: FrameStamp, by clock: any MonotonicClock) {
        capturedAt = clock.wall(at: stamp.exposureStart)
        id = FrameID(at: capturedAt)
    }

    /// Id for a copy to be stored: ``id`` for the first, a new one for each further copy.
    package func takeID() -> FrameID { isTaken.exchange(true, ordering: .relaxed) ? FrameID(at: capturedAt) : id }
}
