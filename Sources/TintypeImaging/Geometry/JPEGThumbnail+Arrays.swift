// SPDX-License-Identifier: Apache-2.0

extension JPEGThumbnail {
    /// The picture that is at hand as an array, no wider than so many pixels, as
    /// ``make(of:width:height:quality:strict:)`` makes it; damage that libjpeg goes on after is no error.
    package static func make(of jpeg: [UInt8], width: Int) throws(ImagingError) -> [UInt8] {
        try unsafe make(of: jpeg.span.bytes, width: width).jpeg
    }
}
