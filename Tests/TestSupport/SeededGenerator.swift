// SPDX-License-Identifier: Apache-2.0

/// Reproducible random numbers from a seed: SplitMix64 (Steele, Lea and Flood 2014).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Grey picture of `width` times `height` bytes with `luma` in even columns and rows, off by up to `noise`, and 0
    /// elsewhere.
    ///
    /// It is here because this target is optimised.
    package mutating func greyPicture(
        width: Int,
        height: Int,
        noise: Int,
        luma: (_ x: Int, _ y: Int) -> Double
    ) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: width * height)
        for y in stride(from: 0, to: height, by: 2) {
            for x in stride(from: 0, to: width, by: 2) {
                bytes[y * width + x] = UInt8(clamping: Int(luma(x, y)) + Int.random(in: -noise...noise, using: &self))
            }
        }
        return bytes
    }

    /// Random element of `choices`, which must not be empty.
    package mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: choices.indices, using: &self)]
    }
}
