// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeThreads

extension Frame {
    /// The frame's picture with EXIF data that names it `id`.
    ///
    /// - Parameters:
    ///   - id: the picture's id.
    ///   - rendition: what was made of the frame.
    ///   - snapshot: what the session says of the device.
    /// - Returns: the JPEG file, copied once.
    func picture(
        named id: FrameID,
        _ rendition: Rendition,
        _ snapshot: SessionSnapshot
    ) -> [UInt8] {
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
        var picture = picture
        picture.jpeg = self.picture(named: name.id, rendition, snapshot)
        picture.describedAs = name.id
        return Frame(
            stamp: stamp,
            key: key,
            name: name,
            picture: picture,
            encodeTime: encodeTime,
            appearance: appearance
        )
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
