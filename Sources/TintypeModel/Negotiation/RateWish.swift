// SPDX-License-Identifier: Apache-2.0

/// What is wanted of the rate of frames.
package enum RateWish: Hashable, Sendable {
    /// This rate, or the nearest that the camera has.
    case near(FrameInterval)
    /// The lowest rate that is no lower than this; the nearest where there is none.
    case atLeast(FrameInterval)
    /// This rate and no other: anything else is an error.
    case exactly(FrameInterval)

    /// The rate in it.
    package var interval: FrameInterval {
        switch self {
        case .near(let interval), .atLeast(let interval), .exactly(let interval): interval
        }
    }

    /// Whether frames every `interval` are as wished; always so for ``near(_:)``.
    ///
    /// Rates within 0.05 % are the same: UVC counts in units of 100 ns. 29.97 is not 30.
    package func isMet(by interval: FrameInterval) -> Bool {
        let slack = self.interval.rate * 0.0005
        return switch self {
        case .near: true
        case .atLeast: interval.rate >= self.interval.rate - slack
        case .exactly: abs(interval.rate - self.interval.rate) <= slack
        }
    }
}

extension RateWish: CustomStringConvertible {
    /// Reads `30`, `at least 15` or `exactly 29.97`, the rate as ``FrameInterval/init(rate:)`` reads it; nil if the
    /// text is none.
    package init?(_ text: String) {
        let words: [(String, (FrameInterval) -> RateWish)] = [
            ("at least ", { .atLeast($0) }), ("exactly ", { .exactly($0) }),
        ]
        for (word, make) in words where text.hasPrefix(word) {
            guard let interval = FrameInterval(rate: String(text.dropFirst(word.count))) else { return nil }
            self = make(interval)
            return
        }
        guard let interval = FrameInterval(rate: text) else { return nil }
        self = .near(interval)
    }

    package var description: String {
        switch self {
        case .near: rate
        case .atLeast: "at least \(rate)"
        case .exactly: "exactly \(rate)"
        }
    }

    /// The rate as a fraction where decimals would not give the same interval back.
    private var rate: String {
        let decimals = "\(interval)"
        if FrameInterval(rate: decimals)?.rate == interval.rate { return decimals }
        return "\(interval.denominator)/\(interval.numerator)"
    }
}
