// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A part of a pattern for names that is another for each picture.
enum NameField: Hashable, Sendable {
    /// A field of strftime(3), in the C locale, with its letter; `f`, the microseconds, is ours.
    case time(Character)
    /// `{camera}`
    case camera
    /// `{sequence}`: the driver's frame number, nine digits or more.
    case sequence
    /// `{id}`: the frame's UUID.
    case id

    /// The fields in braces, by their words.
    static let words: [String: NameField] = ["camera": .camera, "sequence": .sequence, "id": .id]

    /// The letters of strftime(3) that names can have, with the letters that some of them stand for.
    static let letters: [Character: String] = [
        "Y": "", "y": "", "m": "", "d": "", "j": "", "H": "", "I": "", "p": "", "M": "", "S": "", "f": "", "s": "",
        "z": "", "a": "", "A": "", "b": "", "B": "", "u": "", "G": "", "V": "", "F": "Y-m-d", "T": "H:M:S", "R": "H:M",
    ]

    /// The most bytes that it can become.
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
}

/// The facts about a picture that its name can have in it.
struct NamedPicture {
    var camera: String
    var capturedAt: Timestamp
    var sequence: UInt32
    var id: FrameID
    /// How far the clock on the wall is ahead of UTC then, in seconds.
    var offset = 0
}

extension NameField {
    func text(for picture: NamedPicture) -> String {
        switch self {
        case .camera: picture.camera
        case .sequence: Timestamp.pad(Int(picture.sequence), 9)
        case .id: picture.id.description
        case .time(let letter): WallTime(picture.capturedAt, offset: picture.offset).text(letter)
        }
    }
}
