// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
internal import TintypeImaging
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

/// The name of a frame among all that a session has seen: which stream, and which buffer of it.
package struct FrameKey: Hashable, Comparable, Sendable {
    /// Counts the streams that the session has started, from 1.
    package var stream: UInt64
    /// ``FrameStamp/ordinal``.
    package var ordinal: UInt64

    /// A key of these parts.
    package init(stream: UInt64, ordinal: UInt64) {
        self.stream = stream
        self.ordinal = ordinal
    }

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

    /// A name for a picture of the frame with this stamp.
    package init(of stamp: FrameStamp) {
        capturedAt = Timestamp(stamp.exposureStart)
        id = FrameID(at: capturedAt)
    }

    /// The id of a copy that is about to be stored: ``id`` for the first, a new one for each further.
    package func takeID() -> FrameID {
        isTaken.exchange(true, ordering: .relaxed) ? FrameID(at: capturedAt) : id
    }
}

extension Frame {
    /// The frame's picture with EXIF data that names it `id`.
    ///
    /// - Parameters:
    ///   - id: the picture's id.
    ///   - rendition: what was made of the frame.
    ///   - snapshot: what the session says of the device.
    /// - Returns: the JPEG file, copied once.
    func picture(named id: FrameID, _ rendition: Rendition, _ snapshot: SessionSnapshot) -> [UInt8] {
        ExifFacts(
            id: id,
            capturedAt: name.capturedAt,
            size: picture.size,
            sequence: stamp.sequence,
            verdict: picture.verdict,
            average: rendition.average,
            camera: snapshot.identity,
            exposure: snapshot.exposure(around: stamp.exposureStart),
            position: snapshot.position,
            isClockSynchronized: WallClock.isSynchronized,
            own: picture.camera,
            hasOwnOrientation: rendition.rendering.keepsOrientation
        ).write(into: picture.jpeg)
    }

    /// The same frame with EXIF data in its picture, for all who share it.
    func described(_ rendition: Rendition, _ snapshot: SessionSnapshot) -> Frame {
        var frame = self
        frame.picture.jpeg = picture(named: name.id, rendition, snapshot)
        frame.picture.describedAs = name.id
        return frame
    }
}

extension CaptureSession {
    /// What is made of a frame for `request`.
    nonisolated func rendition(for request: StillRequest) -> Rendition {
        Rendition(
            request.rendering,
            integrity: request.integrity,
            reject: request.reject,
            usualQuality: quality,
            average: request.average,
            style: hub.snapshot.overlay
        )
    }

    /// The most bytes that are copied on the caller's thread, in 0.2 ms or less; more goes to the encoding threads.
    private static let shortCopy = 1 << 20

    /// The frame's picture with EXIF data that names it `id`: that which all share, or one of its own.
    nonisolated func picture(of frame: Frame, as id: FrameID, _ rendition: Rendition) async -> [UInt8] {
        guard frame.picture.describedAs != id else { return frame.picture.jpeg }
        let snapshot = hub.snapshot
        guard frame.picture.jpeg.count > Self.shortCopy else {
            return frame.picture(named: id, rendition, snapshot)
        }
        return await encoding.perform { frame.picture(named: id, rendition, snapshot) }
    }
}

/// What was made of a frame.
package struct RenderedPicture: Sendable {
    /// The JPEG file.
    package var jpeg: [UInt8]
    /// The size of the picture.
    package var size: FrameSize
    /// How whole the frame is that it was made of.
    package var verdict: Verdict
    /// What is wrong with that frame, each once.
    package var faults: [PictureFault]

    /// What the camera said of itself in the picture that it was made of; nil where it said nothing.
    var camera: CameraExif?

    /// Whether the frame that it was made of shows anything; nil where judging it did not tell.
    var emptiness: Emptiness?

    /// The id that its EXIF data has; nil while it has none of ours.
    var describedAs: FrameID?

    /// A picture of these parts.
    package init(jpeg: [UInt8], size: FrameSize, verdict: Verdict, faults: [PictureFault] = []) {
        self.jpeg = jpeg
        self.size = size
        self.verdict = verdict
        self.faults = faults
    }
}

/// What a frame has to be like to be taken.
package struct PictureStandard: Hashable, Sendable {
    /// How whole it has to be.
    package var integrity: Integrity
    /// What it must not look like.
    package var reject: Set<Appearance> = []

    /// The first of these that a frame looks like; nil where none is.
    func rejection(of appearance: [Appearance]) -> Appearance? { appearance.first(where: reject.contains) }
}

/// One way to make a picture of a frame: clients that want the same one of the same frame share it.
package struct Rendition: Hashable, Sendable {
    /// What is made of the frame.
    package var rendering: StillRendering
    /// The JPEG quality where a picture is compressed and `rendering` asks for none.
    package var usualQuality: Int
    /// What the frame has to be like for it.
    package var standard: PictureStandard
    /// How many frames in a row make the picture: 1 for the frame alone.
    package var average: Int
    /// How a text is written into it.
    package var style: OverlayStyle
    /// The picture of several frames that this is a part of; nil where it is the whole picture.
    package private(set) var part: FrameAverage?

    /// A rendition of these parts.
    package init(
        _ rendering: StillRendering,
        integrity: Integrity,
        reject: Set<Appearance> = [],
        usualQuality: Int = StillRequest.defaultQuality,
        average: Int = 1,
        style: OverlayStyle = OverlayStyle()
    ) {
        self.rendering = rendering
        self.usualQuality = usualQuality
        standard = PictureStandard(integrity: integrity, reject: reject)
        self.average = average
        // What differs in nothing that is seen is the same.
        self.style = rendering.overlay == nil ? OverlayStyle() : style
    }

    /// How whole the frame has to be for it.
    package var integrity: Integrity { standard.integrity }

    /// The JPEG quality.
    var quality: Int { rendering.quality ?? usualQuality }

    /// The same as a part of a picture of several frames.
    func part(of average: FrameAverage) -> Rendition {
        var rendition = self
        rendition.part = average
        return rendition
    }
}
