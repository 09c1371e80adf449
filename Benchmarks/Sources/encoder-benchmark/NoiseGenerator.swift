// SPDX-License-Identifier: Apache-2.0

/// Numbers that look random and are the same in every run (SplitMix64).
struct NoiseGenerator {
    private var state: UInt64 = 20_261_121

    /// From 0 to 1.
    mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / 9_007_199_254_740_992
    }

    /// Close to a normal distribution of variance 1: the sum of twelve uniform numbers, less 6.
    mutating func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + uniform() } }

    /// A grid of numbers from -1 to 1.
    mutating func grid(_ columns: Int, _ rows: Int) -> NoiseGrid {
        NoiseGrid(columns: columns, values: (0..<columns * rows).map { _ in 2 * uniform() - 1 })
    }
}

/// Values at the corners of cells, smooth in between.
struct NoiseGrid {
    let columns: Int
    let values: [Double]

    /// The value at a pixel.
    func value(_ x: Int, _ y: Int, cell: Int) -> Double {
        let place = y / cell * columns + x / cell
        let (right, down) = (Double(x % cell) / Double(cell), Double(y % cell) / Double(cell))
        let upper = values[place] * (1 - right) + values[place + 1] * right
        let lower = values[place + columns] * (1 - right) + values[place + columns + 1] * right
        return upper * (1 - down) + lower * down
    }
}
