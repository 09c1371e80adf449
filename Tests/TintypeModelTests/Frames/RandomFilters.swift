// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeModel

extension FrameFilter {
    /// Any filter of a few levels.
    static func random(levels: Int = 3, using random: inout SeededGenerator) -> FrameFilter {
        switch levels > 0 ? Int.random(in: 0...5, using: &random) : 5 {
        case 0: .all(list(levels, &random))
        case 1: .any(list(levels, &random))
        case 2: .not(self.random(levels: levels - 1, using: &random))
        default: .is(FrameCondition.random(using: &random))
        }
    }

    private static func list(_ levels: Int, _ random: inout SeededGenerator) -> [FrameFilter] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in self.random(levels: levels - 1, using: &random) }
    }
}

extension FrameCondition {
    fileprivate static func random(using random: inout SeededGenerator) -> FrameCondition {
        let names = ["yard", "front-*", "d?or", "a", "0._-"]
        let time = Timestamp(microseconds: Int64.random(in: 0...2_000_000_000_000_000, using: &random))
        let (least, most) = (Int.random(in: 0...5000, using: &random), Int.random(in: 5000...10_000, using: &random))
        let range =
            [least...most, 0...most, least...Int.max, most...most].randomElement(using: &random) ?? least...most
        switch Int.random(in: 0...11, using: &random) {
        case 0: return .camera(names.randomElement(using: &random) ?? "")
        case 1: return .tag((names + ["Alarm", "*"]).randomElement(using: &random) ?? "")
        case 2: return .verdict(Verdict.allCases.randomElement(using: &random) ?? .intact)
        case 3: return .settled(Bool.random(using: &random))
        case 4: return .pinned(Bool.random(using: &random))
        case 5: return .lost(Bool.random(using: &random))
        case 6: return .id(FrameID(at: time))
        case 7: return .source(FrameSource.allCases.randomElement(using: &random) ?? .request)
        case 8: return .from(time)
        case 9: return .to(time)
        case 10: return .since(.milliseconds(Int.random(in: 1...1_000_000, using: &random)))
        default: return .measure(FrameMeasure.allCases.randomElement(using: &random) ?? .bytes, range)
        }
    }
}
