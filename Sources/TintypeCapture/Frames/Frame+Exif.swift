// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

extension Frame {
    /// The frame's picture with EXIF data that names it `id`.
    ///
    /// - Parameters:
    ///   - id: the picture's id.
    ///   - rendering: what was made of the frame.
    ///   - snapshot: what the session says of the device.
    ///   - position: where the camera stands.
    /// - Returns: the JPEG file, copied once.
    func picture(
        named id: FrameID,
        _ rendering: StillRendering,
        _ snapshot: SessionSnapshot,
        at position: GeoPosition?
    ) -> [UInt8] {
        ExifFacts(
            id: id,
            capturedAt: name.capturedAt,
            size: picture.size,
            sequence: stamp.sequence,
            verdict: picture.verdict,
            camera: snapshot.identity,
            exposure: snapshot.exposure(around: stamp.exposureStart),
            position: position,
            hasOwnOrientation: rendering.keepsGeometry
        ).write(into: picture.jpeg)
    }

    /// The same frame with EXIF data in its picture, for all who share it.
    func described(_ rendering: StillRendering, _ snapshot: SessionSnapshot, at position: GeoPosition?) -> Frame {
        var picture = picture
        picture.jpeg = self.picture(named: name.id, rendering, snapshot, at: position)
        picture.describedAs = name.id
        return Frame(stamp: stamp, key: key, name: name, picture: picture, encodeTime: encodeTime)
    }
}

extension CaptureSession {
    /// The most bytes that are copied by whoever asks, in 0.2 ms or less; more goes to the encoding threads.
    private static let shortCopy = 1 << 20

    /// The frame's picture with EXIF data that names it `id`: that which all share, or one of its own.
    nonisolated func picture(of frame: Frame, as id: FrameID, _ request: StillRequest) async -> [UInt8] {
        guard frame.picture.describedAs != id else { return frame.picture.jpeg }
        let (snapshot, position) = (hub.snapshot, position)
        guard frame.picture.jpeg.count > Self.shortCopy else {
            return frame.picture(named: id, request.rendering, snapshot, at: position)
        }
        return await encoding.perform { frame.picture(named: id, request.rendering, snapshot, at: position) }
    }
}
