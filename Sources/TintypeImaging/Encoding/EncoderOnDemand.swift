// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// A JPEG encoder that is made when it is first needed, and kept from one picture to the next.
package struct EncoderOnDemand: ~Copyable {
    private var encoder: JPEGEncoder?

    /// Makes nothing yet.
    package init() { encoder = nil }

    /// Makes the JPEG of a picture, as ``JPEGEncoder/encode(_:layout:quality:)`` does.
    package mutating func encode(
        _ picture: RawSpan,
        layout: PictureLayout,
        quality: Int
    ) throws(ImagingError) -> [UInt8] {
        var encoder: JPEGEncoder
        switch self.encoder.take() {
        case .some(let made): encoder = made
        case .none: encoder = try JPEGEncoder()
        }
        let jpeg = try encoder.encode(picture, layout: layout, quality: quality)
        self.encoder = consume encoder
        return jpeg
    }
}
