// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum NameField: Hashable, Sendable {
    /// A field of strftime(3) in the C locale, by its letter; `f`, microseconds, is an extension.
    case time(Character)
    /// `{camera}`
    case camera
    /// `{sequence}`: the driver's frame number, at least nine digits.
    case sequence
    /// `{id}`: the frame's UUID.
    case id

    static let words: [String: NameField] = ["camera": .camera, "sequence": .sequence, "id": .id]

    /// Supported letters of strftime(3), with the expansion of composite ones.
    static let letters: [Character: String] = [
        "Y": "", "y": "", "m": "", "d": "", "j": "", "H": "", "I": "", "p": "", "M": "", "S": "", "f": "", "s": "",
        "z": "", "a": "", "A": "", "b": "", "B": "", "u": "", "G": "", "V": "", "F": "Y-m-d", "T": "H:M:S", "R": "H:M",
    ]

    /// Maximum length in bytes.
    var longest: Int {
        switch self {
        case .camera: 64
        case .sequence: 10
        case .id: 36
        case .time("A"), .time("B"): 9
        case .time("s"): 12
        case .time("f"): 6
        case .time("z"): 5
        case .time: 4
        }
    }

    func text(for picture: NamedPicture) -> String {
        switch self {
        case .camera: picture.camera
        case .sequence: Timestamp.pad(Int(picture.sequence), 9)
        case .id: picture.id.description
        case .time(let letter): WallTime(picture.capturedAt, offset: picture.offset).text(letter)
        }
    }
}

struct NamedPicture {
    var camera: String
    var capturedAt: Timestamp
    var sequence: UInt32
    var id: FrameID
    /// UTC offset in seconds.
    var offset = 0
}
