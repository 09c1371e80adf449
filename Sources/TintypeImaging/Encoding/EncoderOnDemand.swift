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
        var encoder = try take()
        let jpeg = try encoder.encode(picture, layout: layout, quality: quality)
        self.encoder = consume encoder
        return jpeg
    }

    /// Makes the JPEG of planes, as ``JPEGEncoder/encode(_:quality:)`` does.
    package mutating func encode(_ picture: borrowing PlanarPicture, quality: Int) throws(ImagingError) -> [UInt8] {
        var encoder = try take()
        let jpeg = try encoder.encode(picture, quality: quality)
        self.encoder = consume encoder
        return jpeg
    }

    /// Draws a camera's raw picture, as ``JPEGEncoder/draw(_:layout:plan:into:)`` does.
    package mutating func draw(
        _ picture: RawSpan,
        layout: PictureLayout,
        plan: GeometryPlan,
        into target: inout PlanarPicture
    ) throws(ImagingError) {
        var encoder = try take()
        try encoder.draw(picture, layout: layout, plan: plan, into: &target)
        self.encoder = consume encoder
    }

    /// The encoder, which is not kept where it fails.
    private mutating func take() throws(ImagingError) -> JPEGEncoder {
        switch encoder.take() {
        case .some(let made): made
        case .none: try JPEGEncoder()
        }
    }
}
