// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Luma of a picture: one byte per pixel, rows without padding.
package struct LumaPicture: Sendable {
    package let size: FrameSize
    package let bytes: [UInt8]
    package let blocks: LumaBlocks

    package init(size: FrameSize, bytes: [UInt8]) {
        (self.size, self.bytes) = (size, bytes)
        blocks = LumaBlocks(bytes, size)
    }
}

/// Means of the 8x8 blocks of a picture, to tell whether another one shows anything else.
package struct LumaBlocks: Sendable {
    /// Greatest difference of a block that is no change: the mean of 64 pixels has an eighth of their noise.
    static let tolerance = 8
    private static let side = 8

    private let size: FrameSize
    private let means: [UInt8]

    init(_ bytes: [UInt8], _ size: FrameSize) {
        self.size = size
        let (width, height) = (size.width, size.height)
        let columns = (width + Self.side - 1) / Self.side
        var means: [UInt8] = []
        means.reserveCapacity(columns * ((height + Self.side - 1) / Self.side))
        var sums = [Int](repeating: 0, count: columns)
        for top in stride(from: 0, to: height, by: Self.side) {
            let rows = min(Self.side, height - top)
            for column in 0..<columns { sums[column] = 0 }
            for row in top..<top + rows {
                for column in 0..<width { sums[column / Self.side] += Int(bytes[row * width + column]) }
            }
            for column in 0..<columns {
                means.append(UInt8(sums[column] / (rows * min(Self.side, width - column * Self.side))))
            }
        }
        self.means = means
    }

    package func differ(from other: LumaBlocks) -> Bool {
        size != other.size || zip(means, other.means).contains { abs(Int($0) - Int($1)) > Self.tolerance }
    }
}
