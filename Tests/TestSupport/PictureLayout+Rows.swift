// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension PictureLayout {
    /// Creates a layout with `padding` bytes after each row.
    package init(_ format: FourCC, _ size: FrameSize, padding: Int = 0, _ color: ColorEncoding = .jfif) {
        self.init(pixelFormat: format, size: size, bytesPerRow: 0, color: color)
        bytesPerRow = minimumBytesPerRow.map { $0 > 0 ? $0 + padding : 0 } ?? 0
    }
}
