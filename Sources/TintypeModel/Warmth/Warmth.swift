// SPDX-License-Identifier: Apache-2.0

package enum Warmth: Hashable, Sendable, TextCodable, WireType {
    /// Always streaming: fastest stills, at the cost of power and a lit LED.
    case hot
    /// Stays open for this long after the last use.
    case linger(Duration)
    /// Opened for each use and closed immediately afterwards.
    case cold

    package static let standard = Warmth.linger(.seconds(10))

    /// Parses `hot`, `cold`, `linger` or `linger 10s` (``HumanDuration/parse(_:)``).
    package init?(_ text: String) {
        let words = text.split(separator: " ")
        switch (words.first, words.count) {
        case ("hot", 1): self = .hot
        case ("cold", 1): self = .cold
        case ("linger", 1): self = .standard
        case ("linger", _):
            guard let duration = HumanDuration.parse(words.dropFirst().joined(separator: " ")) else { return nil }
            self = .linger(duration)
        default: return nil
        }
    }

    package var description: String {
        switch self {
        case .hot: "hot"
        case .linger(let duration): "linger \(HumanDuration.text(duration))"
        case .cold: "cold"
        }
    }
}
