// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import TintypeModel

extension HTTPFields {
    /// The record of a still as the fields of a header.
    init(record: StillRecord) {
        self.init()
        for (field, name) in Self.recordFields {
            // Each name once, so that none has to be looked for.
            if let text = field.headerText(record) { append(HTTPField(name: name, value: text)) }
        }
    }

    private static let recordFields = StillRecord.headerFields.map { field in
        guard let name = HTTPField.Name(field.headerName) else {
            preconditionFailure("\(field.headerName) is not a token of RFC 9110, 5.6.2")
        }
        return (field, name)
    }
}
