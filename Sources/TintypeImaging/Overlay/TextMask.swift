// SPDX-License-Identifier: Apache-2.0
internal import CFreeType
internal import TintypeModel

/// Coverage masks of a line of text: letters and their outline, 0 to 255 per pixel.
struct TextMask {
    private(set) var width: Int
    let height: Int
    private let edge: Int
    private(set) var letters: [UInt8]
    private var edges: [UInt8] = []
    let stride: Int

    init(width: Int, height: Int, edge: Int) {
        (self.width, self.height, self.edge) = (width, height, edge)
        stride = width
        letters = [UInt8](repeating: 0, count: width * height)
    }

    /// Clipped to the mask.
    mutating func add(_ bitmap: FT_Bitmap, left: Int, top: Int) {
        guard unsafe bitmap.pixel_mode == UInt8(FT_PIXEL_MODE_GRAY.rawValue), let start = unsafe bitmap.buffer else {
            return
        }
        let (columns, rows) = unsafe (Int(bitmap.width), Int(bitmap.rows))
        for row in max(0, -top)..<max(0, -top, min(rows, height - top)) {
            for column in max(0, -left)..<max(0, -left, min(columns, stride - left)) {
                let value = unsafe start[row * Int(bitmap.pitch) + column]
                let place = (top + row) * stride + left + column
                // Glyphs may overlap.
                letters[place] = max(letters[place], value)
            }
        }
    }

    /// Cuts the mask to `width` and computes the outline by dilating the letters.
    mutating func finish(width: Int) {
        self.width = min(width, stride)
        var wide = letters
        for row in 0..<height {
            for column in 0..<self.width {
                var most: UInt8 = 0
                for near in max(0, column - edge)...min(self.width - 1, column + edge) {
                    most = max(most, letters[row * stride + near])
                }
                wide[row * stride + column] = most
            }
        }
        edges = wide
        for row in 0..<height {
            for near in max(0, row - edge)...min(height - 1, row + edge) where near != row {
                for column in 0..<self.width {
                    edges[row * stride + column] = max(edges[row * stride + column], wide[near * stride + column])
                }
            }
        }
    }

    /// White on the black outline, clipped to the picture.
    func blend(into picture: inout PlanarPicture, left: Int, top: Int) {
        let rows = 0..<max(0, min(height, picture.size.height - top))
        let columns = 0..<max(0, min(width, picture.size.width - left))
        let luma = unsafe picture.plane(0)
        for row in rows {
            let target = unsafe luma.row(top + row)
            for column in columns {
                let place = row * stride + column
                let under = unsafe Int(target[left + column]) * (255 - Int(edges[place])) / 255
                let letter = Int(letters[place])
                unsafe target[left + column] = UInt8((under * (255 - letter) + 255 * letter) / 255)
            }
        }
        guard picture.planeCount == 3, !rows.isEmpty, !columns.isEmpty else { return }
        let (across, down) = (picture.sampling.columns, picture.sampling.rows)
        for index in 1...2 {
            let plane = unsafe picture.plane(index)
            for row in top / down...(top + rows.upperBound - 1) / down {
                let target = unsafe plane.row(row)
                for column in left / across...(left + columns.upperBound - 1) / across {
                    let covered = coverage(column * across - left, row * down - top, across, down)
                    let value = unsafe Int(target[column])
                    unsafe target[column] = UInt8((value * (255 - covered) + 128 * covered) / 255)
                }
            }
        }
    }

    /// Mean outline coverage of a block of pixels, 0 to 255.
    private func coverage(_ left: Int, _ top: Int, _ across: Int, _ down: Int) -> Int {
        var sum = 0
        for row in max(0, top)..<max(0, top, min(height, top + down)) {
            for column in max(0, left)..<max(0, left, min(width, left + across)) {
                sum += Int(edges[row * stride + column])
            }
        }
        return sum / (across * down)
    }
}
