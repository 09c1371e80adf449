// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeImaging
internal import TintypeModel
package import TintypeSystem

/// The threads that turn captured frames into JPEG pictures: as many as there are cores, shared by all cameras.
package final class EncodingThreads: Sendable {
    /// Makes the JPEG of a captured picture; runs on one of the threads, with that thread's encoder.
    package typealias Rendering =
        @Sendable (CapturedPicture, Rendition, inout Codecs) throws(ImagingError) -> RenderedPicture

    /// What each thread keeps from one picture to the next.
    package struct Codecs: ~Copyable {
        /// The clock of the pictures' moments.
        let clock: any MonotonicClock
        var encoder = JPEGEncoder()
        var inspector = JPEGInspector()
        var transformer = JPEGTransformer()
        /// The picture that is drawn.
        var planes = PlanarPicture()
        /// What writes texts into it.
        var pen = OverlayPen()

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
            func convert(_ bytes: RawSpan, by converter: SharedConverter) throws(ImagingError) -> R {
                try converter.convert(bytes) { (bytes, layout) throws(ImagingError) in try body(bytes, layout, &self) }
            }
            if let converter = picture.converter, let whole = judged.whole {
                let (size, pixels) = try picture.withFile(whole) { (jpeg) throws(ImagingError) in
                    try inspector.decoder.decodeRGB(jpeg, strict: false)
                }
                guard size == picture.layout.size else { throw .sizeMismatch(size, expected: picture.layout.size) }
                return try convert(pixels.rawSpan, by: converter)
            }
            return try judged.withPixels(of: picture) { (bytes) throws(ImagingError) in
                try picture.withWhole(bytes) { (bytes, layout) throws(ImagingError) in
                    guard let converter = picture.converter else { return try body(bytes, layout, &self) }
                    return try convert(bytes, by: converter)
                }
            }
        }
    }

    private let threads: WorkerThreads<Codecs>
    /// What callers' own threads use, one at a time.
    private let callers: Mutex<Codecs>
    private let rendering: Rendering
    private let clock: any MonotonicClock

    /// Starts `count` threads, as many as there are cores, whose work is timed by `clock`; tests put their own `rendering` in.
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

    /// The threads as a watchdog asks them.
    package var heartbeat: Heartbeat { threads.heartbeat("the encoding threads") }

    /// Makes pictures as ``Codecs/render(_:as:)`` does.
    package static let render: Rendering = { (picture, rendition, codecs) throws(ImagingError) in
        try codecs.render(picture, as: rendition)
    }

    /// Does `work` on one of the threads, in its turn, and gives what comes of it.
    package func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            threads.submit { _ in continuation.resume(returning: work()) }
        }
    }

    /// A drawn picture with paragraphs of text, as a JPEG file; without the text where the usual font is missing.
    package func page(_ paragraphs: [String]) async -> [UInt8] {
        await withCheckedContinuation { continuation in
            threads.submit { codecs in
                try? codecs.pen.draw(paragraphs, into: &codecs.planes)
                continuation.resume(returning: (try? codecs.encoder.encode(codecs.planes, quality: 80)) ?? [])
            }
        }
    }

    /// Makes the picture and hands it over, on one of the threads.
    ///
    /// Returns at once; where the caller may copy a short picture itself, and no other does just then, in 0.3 ms.
    ///
    /// It is looked at where `looks` has the camera's last ones, unless the integrity is `raw`. A whole picture gets EXIF data
    /// where `facts` tells what is known of the camera, on the thread. Where `mayCopyHere`, the caller's own thread makes what
    /// takes no longer than to wake another. `completion` is called on the thread that made it.
    package func render(
        _ picture: CapturedPicture,
        as rendition: Rendition,
        remembering looks: RecentLooks? = nil,
        describing facts: (@Sendable () -> CameraFacts)? = nil,
        mayCopyHere: Bool = false,
        completion: @escaping @Sendable (Result<Frame, ImagingError>) -> Void
    ) {
        let work: EncodingLine.Work = { [rendering, clock] codecs in
            let start = clock.now
            let name = FrameName(of: picture.stamp, by: clock)
            completion(
                Result { () throws(ImagingError) in
                    var made = try rendering(picture, rendition, &codecs)
                    var appearance: [Appearance] = []
                    if let looks, rendition.isLookedAt, !made.jpeg.isEmpty {
                        appearance = codecs.appearance(of: picture, made: made, remembering: looks)
                    }
                    if let facts, rendition.part == nil, !rendition.isStreamed {
                        made.describe(as: name.id, at: name.capturedAt, picture.stamp, rendition, facts())
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
        if mayCopyHere, rendition.isShortCopy(of: picture), callers.withLockIfAvailable({ work(&$0) }) != nil { return }
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
