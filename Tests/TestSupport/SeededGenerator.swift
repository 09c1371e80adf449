// SPDX-License-Identifier: Apache-2.0

/// The same numbers in every run with the same seed, so that a failure can be seen again: SplitMix64 (Steele, Lea and
/// Flood 2014).
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

    /// The next `count` numbers of a range, as many calls of `Int.random(in:using:)` give them: optimised, as this target is.
    package mutating func numbers(in range: ClosedRange<Int>, count: Int) -> [Int] {
        var numbers: [Int] = []
        numbers.reserveCapacity(count)
        for _ in 0..<count { numbers.append(Int.random(in: range, using: &self)) }
        return numbers
    }

    /// One of `choices`, which are some.
    package mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: choices.indices, using: &self)]
    }
}
