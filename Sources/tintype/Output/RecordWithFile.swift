// SPDX-License-Identifier: Apache-2.0

/// The record of a picture and the file that holds it: one object on the wire.
struct RecordWithFile<Record: Encodable>: Encodable {
    private enum CodingKeys: String, CodingKey {
        case file
    }

    var record: Record
    /// The path of the file, or its name in an export; nil where none was written.
    var file: String?

    /// Writes the record with `file` as one more key.
    func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(file, forKey: .file)
    }
}
