// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// Makes the images of one camera on the encoding threads; any thread.
final class FrameEncoder: Sendable {
    let threads: EncodingThreads
    let analyses = AnalysisCache()
    let ring: FrameRing?
    private let dispatcher: FrameDispatcher
    private let logger: Logger
    /// Default JPEG quality.
    private let quality: Int

    /// Maximum size in bytes for a copy on the caller's thread, in 0.2 ms or less.
    private static let shortCopy = 1 << 20

    init(_ threads: EncodingThreads, for dispatcher: FrameDispatcher, ring: FrameRing?, quality: Int, logger: Logger) {
        (self.threads, self.dispatcher, self.ring) = (threads, dispatcher, ring)
        (self.quality, self.logger) = (quality, logger)
    }

    func options(for request: StillRequest) -> EncodingOptions {
        EncodingOptions(
            request.rendering,
            integrity: request.integrity,
            reject: request.reject,
            usualQuality: quality,
            average: request.average,
            style: dispatcher.published.snapshot.overlay
        )
    }

    /// Encodes a frame and passes the image to ``FrameDispatcher/finish(_:_:_:)``, for all clients that wait for these
    /// options; returns at once, or after a short copy if `mayCopyHere`.
    func encode(_ frame: Frame, as options: EncodingOptions, mayCopyHere: Bool = false) {
        let moment = frame.stamp.exposureStart
        let facts: @Sendable () -> CameraFacts = { [published = dispatcher.published] in published.facts(at: moment) }
        func client() -> String? { dispatcher.state.withLock { $0.client(awaiting: options, of: frame.key) } }
        threads.render(
            frame,
            as: options,
            for: client(),
            remembering: analyses,
            describing: facts,
            mayCopyHere: mayCopyHere
        ) { [self] made in
            let accepted = made.flatMap { image -> EncodingResult in
                let defect = image.defects.first(where: options.standard.reject.contains)
                return defect.map { .failure(.rejected($0)) } ?? .success(image)
            }
            // Pictures in the ring are not stills yet: each gets its own id when it is taken out.
            if let ring, options == ring.options { ring.complete(frame.key, try? accepted.get()) }
            let isFirstDamage = dispatcher.finish(frame.key, options, accepted)
            guard case .failure(let error) = accepted else { return }
            let level: Logger.Level = isFirstDamage ? .warning : .debug
            logger.log(level: level, "a frame is not used: \(error)", metadata: ["bus": dispatcher.published.bus])
            // A newer frame may be held by now.
            dispatcher.thread.wake()
        }
    }

    /// JPEG file of the image with `id` in its EXIF data: the shared one, or a copy.
    func jpeg(of image: EncodedImage, as id: FrameID, _ options: EncodingOptions) async -> [UInt8] {
        guard image.describedAs != id else { return image.jpeg }
        let facts = dispatcher.published.facts(at: image.stamp.exposureStart)
        @Sendable func copy() -> [UInt8] {
            var copy = image
            copy.describe(options, facts, as: id)
            return copy.jpeg
        }
        return image.jpeg.count > Self.shortCopy ? await threads.perform(copy) : copy()
    }
}
