// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The path of a file as `-o` takes it: with the fields of strftime(3), and with `%i`, which counts.
///
/// `%i` has no meaning in strftime(3); `%03i` is at least three digits long. Time is that of the capture in the local
/// time zone. A path without `%` is taken as it is.
struct FilePattern: Hashable {
    private enum Piece: Hashable {
        case text(String)
        /// The number, with zeros before it up to so many digits.
        case counter(digits: Int)
    }

    let text: String
    private let pieces: [Piece]

    init(_ text: String) {
        self.text = text
        var pieces: [Piece] = []
        var rest = Substring(text)
        // “%%i” is a percent sign and an i.
        while let match = rest.firstMatch(of: /%(?:%|([0-9]{0,2})i)/) {
            pieces.append(.text(String(rest[..<match.range.lowerBound])))
            if let digits = match.1 {
                pieces.append(.counter(digits: Int(digits) ?? 1))
            } else {
                pieces.append(.text("%%"))
            }
            rest = rest[match.range.upperBound...]
        }
        pieces.append(.text(String(rest)))
        self.pieces = pieces
    }

    var isPlain: Bool { !text.contains("%") }

    private var hasCounter: Bool { pieces.contains { if case .counter = $0 { true } else { false } } }

    /// The path of the picture `number` of its command, which was captured at `time`.
    func path(at time: Timestamp, number: Int) throws(OutputError) -> String {
        guard !isPlain else { return text }
        let format = pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .counter(let digits): Timestamp.pad(number, digits)
            }
        }.joined()
        guard let path = SystemCalls.formatted(format, time), !path.isEmpty else {
            throw OutputError(
                "“\(text)” gives no name for a file, or one that is too long.",
                remedy: "Give -o a name such as %Y%m%d-%H%M%S.jpg."
            )
        }
        return path
    }

    /// Whether pictures that are taken `every` so often get different names, as far as can be told before.
    func tellsApart(every: Duration) -> Bool {
        if hasCounter { return true }
        // From a full hour on, so that the answer does not depend on when it is asked for.
        let hour = Timestamp(microseconds: 1_735_689_600_000_000)
        guard let first = try? path(at: hour, number: 1), let second = try? path(at: hour + every, number: 2) else {
            return true
        }
        return first != second
    }
}
