// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Path for `-o` with fields of strftime(3) and the counter `%i`.
///
/// strftime(3) does not use `%i`; `%03i` has at least three digits. The time is that of the capture, in the local time
/// zone. A path without `%` is used unchanged.
struct FilePattern: Hashable {
    private enum Piece: Hashable {
        case text(String)
        /// `digits` is the minimum width, padded with zeros.
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
            pieces.append(match.1.map { Piece.counter(digits: Int($0) ?? 1) } ?? .text("%%"))
            rest = rest[match.range.upperBound...]
        }
        pieces.append(.text(String(rest)))
        self.pieces = pieces
    }

    var isPlain: Bool { !text.contains("%") }

    private var hasCounter: Bool { pieces.contains { if case .counter = $0 { true } else { false } } }

    func path(at time: Timestamp, number: Int) throws(OutputError) -> String {
        guard !isPlain else { return text }
        let format = pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .counter(let digits): Timestamp.pad(number, digits)
            }
        }.joined()
        guard let path = SystemCalls.formatted(format, time), !path.isEmpty else {
            let detail = "“\(text)” gives no name for a file, or one that is too long."
            throw OutputError(detail, remedy: "Give -o a name such as %Y%m%d-%H%M%S.jpg.")
        }
        return path
    }

    /// True if pictures taken at this interval get different names, as far as predictable.
    func givesDistinctNames(every: Duration) -> Bool {
        if hasCounter { return true }
        // Begins at a full hour, to be independent of the current time.
        let hour = Timestamp(microseconds: 1_735_689_600_000_000)
        guard let first = try? path(at: hour, number: 1), let second = try? path(at: hour + every, number: 2) else {
            return true
        }
        return first != second
    }
}
