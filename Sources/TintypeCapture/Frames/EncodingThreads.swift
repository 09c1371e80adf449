// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeImaging
internal import TintypeModel
package import TintypeThreads

/// The threads that turn captured frames into JPEG pictures: as many as there are cores, shared by all cameras.
package final class EncodingThreads: Sendable {
    /// Makes the JPEG of a captured picture; runs on one of the threads, with that thread's encoder.
    package typealias Rendering =
        @Sendable (CapturedPicture, Rendition, inout Codecs) throws(ImagingError) -> RenderedPicture

    /// What each thread keeps from one picture to the next.
    package struct Codecs: ~Copyable {
        var encoder = EncoderOnDemand()
        var inspector = JPEGInspector()
        var transformer = JPEGTransformer()
        /// The picture that is drawn.
        var planes = PlanarPicture()
        /// What writes texts into it.
        var pen = OverlayPen()

        /// Encodes with the thread's own encoder, made when it is first needed; converts first where that has to be.
        package mutating func encode(
            _ picture: CapturedPicture,
            _ judged: JudgedPicture,
            quality: Int
        ) throws(ImagingError) -> [UInt8] {
            try withPixels(of: picture, judged) { (bytes, layout, codecs) throws(ImagingError) in
                try codecs.encoder.encode(bytes, layout: layout, quality: quality)
            }
        }

        /// Calls `body` with pixels that the encoder can read, converted and turned the right way up where that has to
        /// be, and with these codecs.
        ///
        /// A JPEG picture is decoded as it was `judged`; a damaged one, which only those get who ask for it, as far as
        /// it goes.
        mutating func withPixels<R: Sendable>(
            of picture: CapturedPicture,
            _ judged: JudgedPicture,
            _ body: (RawSpan, PictureLayout, inout Codecs) throws(ImagingError) -> R
        ) throws(ImagingError) -> R {
            guard let converter = picture.converter else {
                return try judged.withPixels(of: picture) { (bytes) throws(ImagingError) in
                    try body(bytes, picture.layout, &self)
                }
            }
            guard let whole = judged.whole else {
                return try judged.withPixels(of: picture) { (bytes) throws(ImagingError) in
                    try converter.convert(bytes) { (bytes, layout) throws(ImagingError) in
                        try body(bytes, layout, &self)
                    }
                }
            }
            // The decoder is taken out for as long as `body` has the codecs.
            var decoder = DecoderOnDemand()
            swap(&decoder, &inspector.decoder)
            defer { swap(&decoder, &inspector.decoder) }
            return try picture.withFile(whole) { (jpeg) throws(ImagingError) in
                try decoder.use { (decoder) throws(ImagingError) in
                    try decoder.withPixels(of: jpeg, expected: picture.layout.size) { (pixels) throws(ImagingError) in
                        try converter.convert(pixels) { (bytes, layout) throws(ImagingError) in
                            try body(bytes, layout, &self)
                        }
                    }
                }
            }
        }
    }

    private let threads: WorkerThreads<Codecs>
    private let rendering: Rendering
    private let clock: any MonotonicClock

    /// Starts `count` threads.
    ///
    /// - Parameters:
    ///   - count: as many as there are cores.
    ///   - clock: by which their work is timed.
    ///   - rendering: how a picture is made; tests put their own in.
    package init(
        count: Int,
        clock: any MonotonicClock = .system,
        rendering: @escaping Rendering = EncodingThreads.render
    ) {
        self.clock = clock
        threads = WorkerThreads(name: "tt-encode", count: count) { Codecs() }
        self.rendering = rendering
    }

    /// Makes pictures as ``Codecs/render(_:as:)`` does.
    package static let render: Rendering = { (picture, rendition, codecs) throws(ImagingError) in
        try codecs.render(picture, as: rendition)
    }

    /// Does `work` on one of the threads, in its turn, and gives what comes of it.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            threads.submit { _ in continuation.resume(returning: work()) }
        }
    }

    /// Makes the picture and hands it over, on one of the threads.
    ///
    /// Returns at once.
    ///
    /// - Parameters:
    ///   - picture: the frame.
    ///   - rendition: what is made of it.
    ///   - looks: what is remembered of the camera's frames, so that it is told what this one looks like; nil for not at
    ///     all. Integrity `raw` has no look at it either.
    ///   - completion: called with the result, on the thread.
    func render(
        _ picture: CapturedPicture,
        as rendition: Rendition,
        remembering looks: RecentLooks? = nil,
        completion: @escaping @Sendable (Result<Frame, ImagingError>) -> Void
    ) {
        let work: EncodingLine.Work = { [rendering, clock] codecs in
            let start = clock.now
            let name = FrameName(of: picture.stamp)
            completion(
                Result { () throws(ImagingError) in
                    let made = try rendering(picture, rendition, &codecs)
                    var appearance: [Appearance] = []
                    if let looks, rendition.integrity != .raw, !made.jpeg.isEmpty {
                        appearance = codecs.appearance(of: picture, made: made, remembering: looks)
                    }
                    return Frame(
                        stamp: picture.stamp,
                        key: picture.key,
                        name: name,
                        picture: made,
                        encodeTime: clock.now - start,
                        appearance: appearance
                    )
                }
            )
        }
        submit(for: picture, work)
    }

    /// Puts work on a picture in line, where it has to wait for other work on the same stream.
    func submit(for picture: CapturedPicture, _ work: @escaping EncodingLine.Work) {
        if let converter = picture.converter {
            converter.line.submit(work, to: threads)
        } else {
            threads.submit(work)
        }
    }
}

/// Looking at frames: what they show, whatever is made of them.
extension EncodingThreads {
    /// Looks at a picture on one of the threads, remembers what it shows, and calls `completion` there.
    ///
    /// Returns at once.
    func look(
        at picture: CapturedPicture,
        remembering looks: RecentLooks,
        completion: @escaping @Sendable (FrameLook) -> Void
    ) {
        submit(for: picture) { codecs in
            let statistics = try? codecs.statistics(of: picture)
            let digest = picture.withBytes { ByteDigest.of($0) }
            looks.record(RecentLooks.Look(key: picture.key, digest: digest, emptiness: statistics?.emptiness))
            completion(FrameLook(key: picture.key, stamp: picture.stamp, statistics: statistics))
        }
    }
}

extension EncodingThreads.Codecs {
    /// What a captured picture shows, after a conversion where it needs one.
    mutating func statistics(of picture: CapturedPicture) throws(ImagingError) -> FrameStatistics {
        try picture.withBytes { (bytes) throws(ImagingError) in
            if picture.layout.pixelFormat.isJPEG {
                return try inspector.statistics(of: bytes)
            }
            guard let converter = picture.converter else {
                return try FrameStatistics(bytes, layout: picture.layout)
            }
            return try converter.convert(bytes) { (bytes, layout) throws(ImagingError) in
                try FrameStatistics(bytes, layout: layout)
            }
        }
    }

    /// What a frame looks like that may be worth nothing; of one that was looked at already, what is remembered.
    ///
    /// - Parameters:
    ///   - picture: the frame.
    ///   - made: what was made of it; looked at in place of a frame that would have to be converted once more.
    ///   - looks: what is remembered of the camera's frames; takes up this one.
    /// - Returns: each that it is; empty where it is none, or cannot be read.
    mutating func appearance(
        of picture: CapturedPicture,
        made: RenderedPicture,
        remembering looks: RecentLooks
    ) -> [Appearance] {
        let known = looks.look(at: picture.key)
        let digest = known?.digest ?? picture.withBytes { ByteDigest.of($0) }
        let emptiness = known?.emptiness ?? made.emptiness ?? emptiness(of: picture, made: made.jpeg)
        var appearance: [Appearance] = []
        if emptiness?.isBlack ?? false { appearance.append(.black) }
        if emptiness?.isUniform ?? false { appearance.append(.uniform) }
        let look = RecentLooks.Look(key: picture.key, digest: digest, emptiness: emptiness)
        if looks.record(look) ?? false { appearance.append(.frozen) }
        return appearance
    }

    private mutating func emptiness(of picture: CapturedPicture, made jpeg: [UInt8]) -> Emptiness? {
        if picture.layout.pixelFormat.isJPEG {
            return try? picture.withBytes { (bytes) throws(ImagingError) in try inspector.emptiness(of: bytes) }
        }
        guard picture.converter != nil else { return try? statistics(of: picture).emptiness }
        return try? inspector.emptiness(of: jpeg)
    }
}

/// Work that must not be done by two encoding threads at once.
///
/// What waits in line holds no thread: the next piece goes to the threads when the one before it is done. Any thread;
/// never blocks.
final class EncodingLine: Sendable {
    typealias Work = WorkerThreads<EncodingThreads.Codecs>.Work

    private struct State {
        var isBusy = false
        var waiting: [Work] = []
    }

    private let state = Mutex(State())

    /// Puts `work` at the end of the line and returns at once.
    func submit(_ work: @escaping Work, to threads: WorkerThreads<EncodingThreads.Codecs>) {
        let isFirst = state.withLock { state in
            if state.isBusy { state.waiting.append(work) }
            return !exchange(&state.isBusy, with: true)
        }
        if isFirst { run(work, on: threads) }
    }

    private func run(_ work: @escaping Work, on threads: WorkerThreads<EncodingThreads.Codecs>) {
        threads.submit { [self] codecs in
            work(&codecs)
            let next = state.withLock { state -> Work? in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.isBusy = false
                return nil
            }
            if let next { run(next, on: threads) }
        }
    }
}
