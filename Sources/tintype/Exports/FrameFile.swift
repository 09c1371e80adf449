// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A frame's record with the file that holds its picture: one object on the wire.
struct FrameFile: Encodable {
    private enum CodingKeys: String, CodingKey {
        case file
    }

    let frame: FrameRecord
    /// The path of the file, or its name in an export.
    let file: String

    func encode(to encoder: any Encoder) throws {
        try frame.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(file, forKey: .file)
    }
}
