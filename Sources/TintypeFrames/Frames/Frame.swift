// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
package import TintypeImaging
package import TintypeModel
internal import TintypeThreads

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

    /// A frame of these parts; it is given a name where it has none.
    package init(
        stamp: FrameStamp,
        key: FrameKey,
        name: FrameName? = nil,
        picture: RenderedPicture,
        encodeTime: Duration,
        appearance: [Appearance] = []
    ) {
        self.stamp = stamp
        self.key = key
        self.name = name ?? FrameName(of: stamp)
        self.picture = picture
        self.encodeTime = encodeTime
        self.appearance = appearance
    }
}

/// What is known of a frame's camera, for the EXIF data of its picture.
package struct CameraFacts: Sendable {
    /// Which device it is; nil if that is not known.
    package var identity: CameraIdentity?
    /// What it said of its exposure around the frame's time; nil if it said nothing.
    package var exposure: ExposureReading?
    /// Where it stands; nil if that is not known.
    package var position: GeoPosition?
    /// The EXIF data of its last picture.
    package let exif: PreparedExif

    /// Facts of these parts.
    package init(
        identity: CameraIdentity?,
        exposure: ExposureReading?,
        position: GeoPosition?,
        exif: PreparedExif = PreparedExif()
    ) {
        self.identity = identity
        self.exposure = exposure
        self.position = position
        self.exif = exif
    }
}

extension Frame {
    /// The frame's picture with EXIF data that names it `id`.
    ///
    /// - Parameters:
    ///   - id: the picture's id.
    ///   - rendition: what was made of the frame.
    ///   - camera: what is known of its camera.
    /// - Returns: the JPEG file, copied once.
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
    ///
    /// - Parameters:
    ///   - id: the picture's id.
    ///   - capturedAt: when its exposure began.
    ///   - stamp: which frame it is.
    ///   - rendition: what was made of the frame.
    ///   - camera: what is known of its camera.
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
            exposure: camera.exposure,
            position: camera.position,
            isClockSynchronized: WallClock.isSynchronized,
            own: self.camera,
            hasOwnOrientation: rendition.rendering.keepsOrientation
        )
        jpeg = facts.write(into: exchange(&jpeg, with: []), camera.exif)
        describedAs = id
    }
}
