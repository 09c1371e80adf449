// SPDX-License-Identifier: Apache-2.0

package struct FrameSize: Hashable, Codable, WireObject, CustomStringConvertible {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Parses `1280x720`; each side is 1 to 65535.
    package init?(_ text: String) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, let width = UInt16(sides[0]), let height = UInt16(sides[1]), width > 0, height > 0
        else { return nil }
        self.init(width: Int(width), height: Int(height))
    }

    package var area: Int { width * height }

    /// Sum of the differences in width and height, in pixels.
    package func distance(to other: FrameSize) -> Int { abs(width - other.width) + abs(height - other.height) }

    package static let summary = "Width and height in pixels."
    package static let fields: [Field] = [
        Field("width", \.width, "Pixels a row.", .positive),
        Field("height", \.height, "Rows.", .positive),
    ]

    package var description: String { "\(width)x\(height)" }
}

/// Part of the picture that a device delivers (`V4L2_SEL_TGT_CROP`), in pixels from the top left.
package struct CropRectangle: Hashable, Sendable, TextCodable, WireType {
    package var size: FrameSize
    package var left: Int
    package var top: Int

    package init(size: FrameSize, left: Int, top: Int) { (self.size, self.left, self.top) = (size, left, top) }

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
}
