// SPDX-License-Identifier: Apache-2.0
package import TintypeImaging
internal import TintypeModel
internal import TintypeThreads

/// The threads that turn captured frames into JPEG pictures: as many as there are cores, shared by all cameras.
package final class EncodingThreads: Sendable {
    /// Makes the JPEG of a captured picture; runs on one of the threads, with that thread's encoder.
    package typealias Rendering =
        @Sendable (CapturedPicture, Rendition, inout Workbench) throws(ImagingError) -> RenderedPicture

    /// What each thread keeps from one picture to the next.
    package struct Workbench: ~Copyable {
        private var encoder = EncoderOnDemand()

        /// Encodes with the thread's own encoder, made when it is first needed; converts first where that has to be.
        package mutating func encode(_ picture: CapturedPicture, quality: Int) throws(ImagingError) -> [UInt8] {
            guard let converter = picture.converter else {
                return try picture.withBytes { (bytes) throws(ImagingError) in
                    try encoder.encode(bytes, layout: picture.layout, quality: quality)
                }
            }
            return try picture.withBytes { (bytes) throws(ImagingError) in
                guard picture.layout.pixelFormat.isJPEG else {
                    return try converter.convert(bytes) { (bytes, layout) throws(ImagingError) in
                        try encoder.encode(bytes, layout: layout, quality: quality)
                    }
                }
                var decoder = try JPEGDecoder()
                return try decoder.withPixels(ofCameraPicture: bytes, expected: picture.layout.size) {
                    (pixels) throws(ImagingError) in
                    try converter.convert(pixels) { (bytes, layout) throws(ImagingError) in
                        try encoder.encode(bytes, layout: layout, quality: quality)
                    }
                }
            }
        }
    }

    private let threads: WorkerThreads<Workbench>
    private let rendering: Rendering

    /// Starts `count` threads.
    ///
    /// - Parameters:
    ///   - count: as many as there are cores.
    ///   - rendering: how a picture is made; tests put their own in.
    package init(count: Int, rendering: @escaping Rendering = EncodingThreads.render) {
        threads = WorkerThreads(name: "tt-encode", count: count) { Workbench() }
        self.rendering = rendering
    }

    /// Passes a camera's JPEG through untouched, unless the camera is upside down, and encodes everything else.
    package static let render: Rendering = { (picture, rendition, workbench) throws(ImagingError) in
        guard picture.layout.pixelFormat.isJPEG, picture.converter == nil else {
            let jpeg = try workbench.encode(picture, quality: rendition.quality)
            return RenderedPicture(jpeg: jpeg, size: picture.layout.size, verdict: .intact)
        }
        let jpeg = try picture.withBytes { (bytes) throws(ImagingError) in
            try JPEGPassthrough.picture(from: bytes, expected: picture.layout.size)
        }
        return RenderedPicture(jpeg: jpeg, size: picture.layout.size, verdict: .sound)
    }

    /// Makes the picture and hands it over, on one of the threads.
    ///
    /// Returns at once.
    func render(
        _ picture: CapturedPicture,
        as rendition: Rendition,
        completion: @escaping @Sendable (Result<Frame, ImagingError>) -> Void
    ) {
        let work: EncodingLine.Work = { [rendering] workbench in
            let start = MonotonicTime.now()
            let name = FrameName(of: picture.stamp)
            do throws(ImagingError) {
                let made = try rendering(picture, rendition, &workbench)
                let took = MonotonicTime.now() - start
                completion(
                    .success(
                        Frame(stamp: picture.stamp, key: picture.key, name: name, picture: made, encodeTime: took)
                    )
                )
            } catch {
                completion(.failure(error))
            }
        }
        if let converter = picture.converter {
            converter.line.submit(work, to: threads)
        } else {
            threads.submit(work)
        }
    }
}
