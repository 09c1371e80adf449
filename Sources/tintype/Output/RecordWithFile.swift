// SPDX-License-Identifier: Apache-2.0

/// The record of a picture and its file, encoded as one object.
struct RecordWithFile<Record: Encodable>: Encodable {
    private enum CodingKeys: String, CodingKey {
        case file
    }

    var record: Record
    /// Path of the file, or its name in an export; nil if none was written.
    var file: String?

    /// Encodes the record with the additional key `file`.
    func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(file, forKey: .file)
    }
}
