// SPDX-License-Identifier: Apache-2.0

/// Part of the picture that a device delivers (`V4L2_SEL_TGT_CROP`), in pixels from the top left.
package struct CropRectangle: Hashable, Sendable, TextCodable, WireType {
    package var size: FrameSize
    package var left: Int
    package var top: Int

    package init(size: FrameSize, left: Int, top: Int) {
        self.size = size
        self.left = left
        self.top = top
    }

    /// Parses `640x480+100+50`: size, left and top.
    ///
    /// In a query `+` is a space, which is therefore accepted in its place.
    package init?(_ text: String) {
        let parts = text.split(omittingEmptySubsequences: false) { "+ ".contains($0) }.map(String.init)
        guard parts.count == 3, let size = FrameSize(parts[0]), let left = UInt16(parts[1]), let top = UInt16(parts[2])
        else { return nil }
        self.init(size: size, left: Int(left), top: Int(top))
    }

    package var description: String { "\(size)+\(left)+\(top)" }

    package static let refusal = "is not a rectangle such as 640x480+100+50"
}
