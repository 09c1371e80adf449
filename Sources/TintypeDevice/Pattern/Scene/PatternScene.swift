// SPDX-License-Identifier: Apache-2.0

/// Scene that replaces bars, code and clock of the test pattern (`scene=yard`).
///
/// Determined by the number of the frame and the rate, except for the clock on the wall of the workshop. Somebody
/// crosses the picture at regular intervals; day and night alternate within five minutes.
package enum PatternScene: String, CaseIterable, Sendable {
    case yard, workshop

    /// Draws everything that only the light changes.
    func drawBackground(_ brush: SceneBrush) {
        switch self {
        case .yard: drawYard(brush)
        case .workshop: drawWorkshop(brush)
        }
    }

    /// Draws everything that moves, at `time` since the start, with `clock` seconds of the local day.
    func drawFigures(_ brush: SceneBrush, _ time: Double, clock: Int) {
        switch self {
        case .yard: drawYardFigures(brush, time)
        case .workshop: drawWorkshopFigures(brush, time, clock)
        }
    }

    /// Times of the first crossing and from each to the next, and the duration of one, in seconds.
    var crossings: (first: Double, interval: Double, duration: Double) {
        switch self {
        case .yard: (3.5, 24, 7)
        case .workshop: (4.5, 30, 6)
        }
    }

    /// Somebody who crosses the picture, from 0 to 1; from the other side every second time.
    func crossing(at time: Double) -> (part: Float, number: Int)? {
        let (first, interval, duration) = crossings
        guard time >= first else { return nil }
        let number = Int((time - first) / interval)
        let part = (time - first - Double(number) * interval) / duration
        return part < 1 ? (Float(number % 2 == 0 ? part : 1 - part), number) : nil
    }
}

/// Light of the scene at a time of the day.
struct SceneLight {
    /// Factors of red, green and blue.
    var tint: SIMD3<Float>
    /// Brightness of lamps and windows, and amount of noise: 0 by day, 1 at night.
    var lamps: Float
    /// Colours of the sky, from the top to the horizon.
    var sky: [UInt32]

    static let day = Self(tint: [1, 1, 1], lamps: 0, sky: [0x4A8CD0, 0x8FBFE6, 0xE0EEF4])
    static let dusk = Self(tint: [0.66, 0.50, 0.50], lamps: 0.75, sky: [0x38406F, 0x9A6285, 0xF4A862])
    static let night = Self(tint: [0.15, 0.18, 0.29], lamps: 1, sky: [0x060A18, 0x0D1530, 0x1C2B4E])
    static let dawn = Self(tint: [0.74, 0.66, 0.68], lamps: 0.5, sky: [0x5C7DB8, 0xB9AFC6, 0xF7CFAE])

    static let all = [day, dusk, night, dawn]
    /// Seconds of a day.
    static let cycle = 300.0
    /// Indices of ``all`` by the second of the day; the light changes evenly in between.
    private static let turns: [(second: Double, light: Int)] = [
        (0, 0), (90, 0), (125, 1), (160, 2), (225, 2), (260, 3), (295, 0), (cycle, 0),
    ]

    /// Two of ``all``, and the part of the second one.
    static func mixture(at time: Double) -> (from: Int, to: Int, part: Float) {
        let second = time.truncatingRemainder(dividingBy: cycle)
        let next = turns.firstIndex { second < $0.second } ?? turns.count - 1
        let (from, to) = (turns[next - 1], turns[next])
        return (from.light, to.light, Float((second - from.second) / (to.second - from.second)))
    }
}

extension SceneLight {
    /// Light for figures, without a sky.
    init(at time: Double) {
        let (from, to, part) = Self.mixture(at: time)
        let (one, other) = (Self.all[from], Self.all[to])
        self.init(
            tint: one.tint + (other.tint - one.tint) * part,
            lamps: one.lamps + (other.lamps - one.lamps) * part,
            sky: []
        )
    }
}
