// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

/// What tells a picture from the beginning of one.
enum WholePicture {
    /// The size of the picture in a file; nil if the file does not hold a whole JPEG picture from SOI to EOI.
    static func size(of file: [UInt8]) -> FrameSize? {
        let bytes = unsafe file.span.bytes
        guard JPEGHeader.isWhole(bytes) else { return nil }
        return try? JPEGHeader.read(bytes).size
    }
}
