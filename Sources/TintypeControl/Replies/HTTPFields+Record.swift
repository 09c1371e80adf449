// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import TintypeModel

extension HTTPFields {
    /// The record of a still as the fields of a header.
    init(record: StillRecord) {
        self.init()
        for (field, name) in Self.names { self[name] = record[header: field] }
    }

    private static let names = StillRecord.HeaderField.allCases.map { field in
        guard let name = HTTPField.Name(field.rawValue) else {
            preconditionFailure("\(field.rawValue) is not a token of RFC 9110, 5.6.2")
        }
        return (field, name)
    }
}
