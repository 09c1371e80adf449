// SPDX-License-Identifier: Apache-2.0

/// A JPEG decoder that is made when it is first needed, and kept from one picture to the next.
package struct DecoderOnDemand: ~Copyable {
    private var decoder: JPEGDecoder?

    /// Makes nothing yet.
    package init() { decoder = nil }

    /// Whether a picture has needed it.
    package var isMade: Bool {
        switch decoder {
        case .some: true
        case .none: false
        }
    }

    /// Calls `body` with the decoder.
    ///
    /// One that could not go on is not kept: the next picture has a new one.
    package mutating func use<R>(
        _ body: (inout JPEGDecoder) throws(ImagingError) -> R
    ) throws(ImagingError) -> R {
        var decoder: JPEGDecoder
        switch self.decoder.take() {
        case .some(let made): decoder = made
        case .none: decoder = try JPEGDecoder()
        }
        let result = try body(&decoder)
        self.decoder = consume decoder
        return result
    }
}
