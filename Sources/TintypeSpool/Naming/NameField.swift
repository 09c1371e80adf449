// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum NameField: Hashable, Sendable {
    /// Literal text of the pattern.
    case text(String)
    /// A field of strftime(3) in the C locale, by its letter; `f`, microseconds, is an extension.
    case time(Character)
    /// `{camera}`
    case camera
    /// `{sequence}`: the driver's frame number, at least nine digits.
    case sequence
    /// `{id}`: the frame's UUID.
    case id

    static let words: [String: NameField] = ["camera": .camera, "sequence": .sequence, "id": .id]

    /// Supported letters of strftime(3), with their longest text, or the expansion of a composite one.
    static let letters: [Character: String] = [
        "Y": "2026", "y": "26", "m": "11", "d": "21", "j": "325", "H": "14", "I": "02", "p": "PM", "M": "30",
        "S": "12", "f": "345678", "s": "001795271412", "z": "+0100", "a": "Sat", "A": "Wednesday", "b": "Nov",
        "B": "September", "u": "6", "G": "2026", "V": "47", "F": "%Y-%m-%d", "T": "%H:%M:%S", "R": "%H:%M",
    ]

    /// Maximum length in bytes.
    var longest: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .camera: 64
        case .sequence: 10
        case .id: 36
        case .time(let letter): Self.letters[letter]?.utf8.count ?? 0
        }
    }

    /// Empty for a number or ID that `reading` lacks.
    func text(for reading: NameReading, _ time: NameTime) -> String {
        switch self {
        case .text(let text): text
        case .camera: reading.camera
        case .sequence: reading.sequence.map { Timestamp.pad(Int($0), 9) } ?? ""
        case .id: reading.id?.description ?? ""
        case .time(let letter): time.text(letter)
        }
    }
}
