// SPDX-License-Identifier: Apache-2.0

package enum RateWish: Hashable, Sendable, CustomStringConvertible {
    /// This rate, or the nearest available.
    case near(FrameInterval)
    /// Lowest rate that is not below this; the nearest if none.
    case atLeast(FrameInterval)
    /// Exactly this rate; any other is an error.
    case exactly(FrameInterval)

    package var interval: FrameInterval {
        switch self {
        case .near(let interval), .atLeast(let interval), .exactly(let interval): interval
        }
    }

    /// Rates within 0.05 % are equal, because UVC counts in units of 100 ns; 29.97 is not 30.
    package func isMet(by interval: FrameInterval) -> Bool {
        let slack = self.interval.rate * 0.0005
        return switch self {
        case .near: true
        case .atLeast: interval.rate >= self.interval.rate - slack
        case .exactly: abs(interval.rate - self.interval.rate) <= slack
        }
    }

    /// Parses `30`, `at least 15` or `exactly 29.97`; the rate as in ``FrameInterval/init(rate:)``.
    package init?(_ text: String) {
        let words: [(String, (FrameInterval) -> RateWish)] = [
            ("at least ", RateWish.atLeast), ("exactly ", RateWish.exactly),
        ]
        let (word, make) = words.first { text.hasPrefix($0.0) } ?? ("", RateWish.near)
        guard let interval = FrameInterval(rate: String(text.dropFirst(word.count))) else { return nil }
        self = make(interval)
    }

    package var description: String {
        switch self {
        case .near: rate
        case .atLeast: "at least \(rate)"
        case .exactly: "exactly \(rate)"
        }
    }

    /// Rate as a fraction if decimals do not round-trip.
    private var rate: String {
        let decimals = "\(interval)"
        if FrameInterval(rate: decimals)?.rate == interval.rate { return decimals }
        return "\(interval.denominator)/\(interval.numerator)"
    }
}
