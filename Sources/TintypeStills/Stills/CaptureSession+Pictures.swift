// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeDevice
internal import TintypeFrames
internal import TintypeModel

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
        let facts = hub.facts(at: frame.stamp.exposureStart)
        guard frame.picture.jpeg.count > Self.shortCopy else { return frame.picture(named: id, rendition, facts) }
        return await encoding.perform { frame.picture(named: id, rendition, facts) }
    }
}
