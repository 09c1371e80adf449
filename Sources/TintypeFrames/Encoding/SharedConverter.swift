// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// The converter of one stream of a camera, for the encoding threads: whatever uses it goes through its ``line``.
package final class SharedConverter: Sendable {
    /// Keeps the work that uses this converter on one thread at a time.
    let line = EncodingLine()
    // Never waited for: the line lets one thread in at a time.
    private let converter: Mutex<PixelConverter>

    /// Takes over a converter.
    package init(_ converter: consuming sending PixelConverter) { self.converter = Mutex(converter) }

    /// Converts the frame and calls `body` with the picture and its layout.
    ///
    /// Blocks for as long as the frame takes; only from the ``line``.
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
                case .damaged(let why): throw .converter(why)
                }
            }
            return try converter.withPicture(body)
        }
    }
}
