// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeDevice
package import TintypeImaging
internal import TintypeModel
package import TintypeSystem

/// Makes the images of one camera on the encoding threads; any thread.
struct FrameEncoder: Sendable {
    let threads: EncodingThreads
    let dispatcher: FrameDispatcher
    let ring: FrameRing?
    let look: CameraLook?
    let alarms: AlarmWatch?
    let logger: Logger
    let analyses = AnalysisCache()

    /// Maximum size in bytes for a copy on the caller's thread, in 0.2 ms or less.
    private static let shortCopy = 1 << 20

    func options(for request: StillRequest, isStreamed: Bool = false) -> EncodingOptions {
        let configuration = dispatcher.published.snapshot.configuration
        return EncodingOptions(
            request.rendering,
            integrity: request.integrity,
            reject: request.reject,
            usualQuality: configuration.quality,
            average: request.average,
            style: configuration.overlay,
            look: look,
            isStreamed: isStreamed
        )
    }

    /// Passes the image to ``FrameDispatcher/finish(_:_:_:)``; returns at once, or after a short copy if `mayCopyHere`.
    func encode(_ frame: Frame, as options: EncodingOptions, mayCopyHere: Bool = false) {
        judge(frame.key, after: AlarmWatch.interval) { frame }
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
        ) { made in
            let accepted = made.flatMap { image -> EncodingResult in
                let defect = image.defects.first(where: options.reject.contains)
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

    /// Has a frame judged for alarms if the last judgement began `interval` ago; `frame` returns it, if it still can.
    func judge(_ key: FrameKey, after interval: Duration, _ frame: () -> Frame?) {
        guard let alarms, alarms.isDue(key, after: interval) else { return }
        let isSteady = dispatcher.isSteady(key)
        guard isSteady || alarms.isDamaged, let frame = frame(), frame.stamp.faults.isEmpty, alarms.begin(key) else {
            return
        }
        threads.submit(for: frame) { alarms.finish($0.alarmSample(of: frame), of: frame, isSteady: isSteady) }
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
        return image.jpeg.count > Self.shortCopy ? await threads.perform { _ in copy() } : copy()
    }
}

/// Threads that encode captured frames as JPEG, one for each core, shared by all cameras.
package final class EncodingThreads: Sendable {
    /// Encodes a captured picture, on an encoding thread with the codecs of that thread.
    package typealias Rendering =
        @Sendable (Frame, EncodingOptions, inout Codecs) throws(ImagingError) -> EncodedImage

    package struct Codecs: ~Copyable {
        let clock: any MonotonicClock
        var encoder = JPEGEncoder()
        var inspector = JPEGInspector()
        var transformer = JPEGTransformer()
        var planes = PlanarPicture()
        var pen = OverlayPen()

        /// Calls `body` with the pixels, converted and rotated as required; a damaged JPEG picture, for raw clients
        /// only, is decoded as far as possible.
        mutating func withPixels<R: Sendable>(
            of picture: Frame,
            _ judged: JudgedPicture,
            _ body: (RawSpan, PictureLayout, inout Codecs) throws(ImagingError) -> R
        ) throws(ImagingError) -> R {
            func convert(_ bytes: RawSpan, by converter: SerialConverter) throws(ImagingError) -> R {
                try converter.convert(bytes) { (bytes, layout) throws(ImagingError) in try body(bytes, layout, &self) }
            }
            if let converter = picture.converter, let whole = judged.whole {
                let (size, pixels) = try picture.withFile(whole) { (jpeg) throws(ImagingError) in
                    try inspector.decoder.decodeRGB(jpeg)
                }
                guard size == picture.layout.size else { throw .sizeMismatch(size, expected: picture.layout.size) }
                return try convert(pixels.rawSpan, by: converter)
            }
            // Missing bytes read as zeros.
            let count = judged.faults.contains(.short) ? picture.layout.byteCount ?? 0 : 0
            return try picture.withBytes(atLeast: count) { (bytes) throws(ImagingError) in
                try picture.withWhole(bytes) { (bytes, layout) throws(ImagingError) in
                    guard let converter = picture.converter else { return try body(bytes, layout, &self) }
                    return try convert(bytes, by: converter)
                }
            }
        }
    }

    private let threads: WorkerThreads<Codecs>
    /// Codecs for work on callers' own threads, one at a time.
    private let callers: Mutex<Codecs>
    private let rendering: Rendering
    private let clock: any MonotonicClock

    /// Starts `count` threads, one for each core, timed by `clock`; tests replace `rendering`.
    package init(
        count: Int,
        clock: any MonotonicClock = .system,
        rendering: @escaping Rendering = EncodingThreads.render
    ) {
        self.clock = clock
        callers = Mutex(Codecs(clock: clock))
        threads = WorkerThreads(name: "tt-encode", count: count) { Codecs(clock: clock) }
        self.rendering = rendering
    }

    package var heartbeat: Heartbeat { threads.heartbeat("the encoding threads") }

    package static let render: Rendering = { (picture, options, codecs) throws(ImagingError) in
        try codecs.render(picture, as: options)
    }

    /// Runs `work` on one of the threads, in order of submission, and returns its result.
    func perform<Value: Sendable>(_ work: @escaping @Sendable (inout Codecs) -> Value) async -> Value {
        await withCheckedContinuation { continuation in threads.submit { continuation.resume(returning: work(&$0)) } }
    }

    /// Draws paragraphs of text as a JPEG file; without the text if the usual font is missing.
    func page(_ paragraphs: [String]) async -> [UInt8] {
        await perform { codecs in
            try? codecs.pen.draw(paragraphs, into: &codecs.planes)
            return (try? codecs.encoder.encode(codecs.planes, quality: 80)) ?? []
        }
    }

    /// Decodes the luma of a JPEG file as far as possible.
    package func luma(of jpeg: [UInt8]) async -> Result<LumaPicture, ImagingError> {
        await perform { codecs in
            Result { () throws(ImagingError) in
                let decoded = try codecs.inspector.decoder.decodeLuma(jpeg.rawSpan)
                return LumaPicture(size: decoded.size, bytes: decoded.luma)
            }
        }
    }

    /// Renders a picture on one of the threads; returns at once.
    ///
    /// If `mayCopyHere`, a short copy is made on the calling thread, in 0.3 ms: no longer than it takes to wake
    /// another. `client` waits for the picture; nil for the daemon itself. `cache` serves the detection of useless
    /// pictures, `facts` the EXIF data; called on the rendering thread, as is `completion`.
    func render(
        _ picture: Frame,
        as options: EncodingOptions,
        for client: @autoclosure () -> String? = nil,
        remembering cache: AnalysisCache? = nil,
        describing facts: (@Sendable () -> CameraFacts)? = nil,
        mayCopyHere: Bool = false,
        completion: @escaping @Sendable (EncodingResult) -> Void
    ) {
        let work: SerialEncodingQueue.Work = { [rendering, clock] codecs in
            let start = clock.now
            completion(
                Result { () throws(ImagingError) in
                    var image = try rendering(picture, options, &codecs)
                    if let cache, options.isAnalysed, !image.jpeg.isEmpty {
                        image.defects = codecs.defects(of: picture, made: image, remembering: cache)
                    }
                    if let facts, options.part == nil, !options.isStreamed { image.describe(options, facts()) }
                    image.encodeTime = clock.now - start
                    return image
                }
            )
        }
        if mayCopyHere, options.isShortCopy(of: picture), callers.withLockIfAvailable({ work(&$0) }) != nil { return }
        submit(for: picture, client(), work)
    }

    /// Submits work on a picture; work that needs the stream's converter is serialised.
    func submit(for picture: Frame, _ client: String? = nil, _ work: @escaping SerialEncodingQueue.Work) {
        if let converter = picture.converter {
            converter.queue.submit(work, for: client, to: threads)
        } else {
            threads.submit(for: client, work)
        }
    }
}

/// Pixel converter of one stream, for the encoding threads; use it only on its ``queue``.
final class SerialConverter: Sendable {
    let queue = SerialEncodingQueue()
    // Never contended: the queue runs one piece of work at a time.
    private let converter: Mutex<PixelConverter>

    init(_ converter: consuming sending PixelConverter) { self.converter = Mutex(converter) }

    /// Converts the frame and calls `body` with the picture and its layout; blocks; call it only on the ``queue``.
    func convert<R: Sendable>(
        _ frame: RawSpan,
        _ body: (RawSpan, PictureLayout) throws(ImagingError) -> R
    ) throws(ImagingError) -> R {
        try converter.withLock { (converter) throws(ImagingError) in
            do throws(ConversionError) {
                try converter.convert(frame)
            } catch {
                switch error {
                case .short(let have, let need): throw .short(have: have, need: need)
                case .failed: throw .converter
                }
            }
            return try converter.withPicture(body)
        }
    }
}

/// Serial queue on the encoding threads, for the clients in turn, whose waiting work occupies no thread; any thread.
final class SerialEncodingQueue: Sendable {
    typealias Work = WorkerThreads<EncodingThreads.Codecs>.Work

    private struct State {
        var isBusy = false
        var waiting = FairQueue<(work: Work, client: String?)>()
    }

    private let state = Mutex(State())

    func submit(_ work: @escaping Work, for client: String? = nil, to threads: WorkerThreads<EncodingThreads.Codecs>) {
        let isFirst = state.withLock { state in
            if state.isBusy { state.waiting.append((work, client), of: client) }
            return !exchange(&state.isBusy, with: true)
        }
        if isFirst { run(work, for: client, on: threads) }
    }

    private func run(_ work: @escaping Work, for client: String?, on threads: WorkerThreads<EncodingThreads.Codecs>) {
        threads.submit(for: client) { [self] codecs in
            work(&codecs)
            let next = state.withLock { state in
                let next = state.waiting.popFirst()
                state.isBusy = next != nil
                return next
            }
            if let next { run(next.work, for: next.client, on: threads) }
        }
    }
}
