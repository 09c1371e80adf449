// SPDX-License-Identifier: Apache-2.0

/// A part of the picture that a device is to deliver (`V4L2_SEL_TGT_CROP`), in pixels from the top left.
package struct CropRectangle: Hashable, Sendable {
    /// The size of the part.
    package var size: FrameSize
    /// Pixels to the left of it.
    package var left: Int
    /// Rows above it.
    package var top: Int

    /// The part of `size` at `left` and `top`.
    package init(size: FrameSize, left: Int, top: Int) {
        self.size = size
        self.left = left
        self.top = top
    }

    /// Reads `640x480+100+50`: size, left and top; nil if the text is anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let size = FrameSize(parts[0]), let left = UInt16(parts[1]), let top = UInt16(parts[2])
        else { return nil }
        self.init(size: size, left: Int(left), top: Int(top))
    }
}

extension CropRectangle: TextCodable, WireType {
    package var description: String { "\(size)+\(left)+\(top)" }

    package static let refusal = "is not a rectangle such as 640x480+100+50"
}
