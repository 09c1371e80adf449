// SPDX-License-Identifier: Apache-2.0

/// How long a camera stays open without use.
package enum Warmth: Hashable, Sendable {
    /// It always streams: the quickest stills, at the price of its power and its LED.
    case hot
    /// It stays open for this long after the last use.
    case linger(Duration)
    /// It is opened for each use and closed at once afterwards.
    case cold

    /// How long `linger` lasts where nothing else is said: 10 s.
    package static let defaultLinger = Duration.seconds(10)

    /// Reads `hot`, `cold`, `linger` or `linger 10s`; nil if the text is anything else.
    ///
    /// The duration is as ``HumanDuration/parse(_:)`` reads it.
    package init?(_ text: String) {
        let words = text.split(separator: " ")
        switch (words.first, words.count) {
        case ("hot", 1): self = .hot
        case ("cold", 1): self = .cold
        case ("linger", 1): self = .linger(Self.defaultLinger)
        case ("linger", _):
            guard let duration = HumanDuration.parse(words.dropFirst().joined(separator: " ")) else { return nil }
            self = .linger(duration)
        default: return nil
        }
    }
}

extension Warmth: TextCodable, WireType {
    package var description: String {
        switch self {
        case .hot: "hot"
        case .linger(let duration): "linger \(HumanDuration.text(duration))"
        case .cold: "cold"
        }
    }

    package static let refusal = "is none of hot, cold and linger with a duration"
}
