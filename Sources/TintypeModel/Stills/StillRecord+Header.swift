// SPDX-License-Identifier: Apache-2.0

extension StillRecord {
    /// The fields that the header of a picture carries: all but ``bytes``, which is `Content-Length`.
    ///
    /// What is nil in the record has no field.
    package static let headerFields = fields.filter { $0.name != "bytes" }

    /// Reads the header of a picture of `bytes` bytes, whose `value` of a name is nil where it has no such field; nil if
    /// a field that every record has is missing, or one that is there cannot be read.
    package init?(bytes: Int, header value: (_ name: String) -> String?) {
        // Each of these values is replaced by that of a field that must be there.
        self.init(
            id: FrameID(high: 0, low: 0),
            camera: "",
            bytes: bytes,
            width: 0,
            height: 0,
            sequence: 0,
            capturedAt: Timestamp(microseconds: 0),
            timestampSource: .dequeue
        )
        for field in Self.headerFields {
            if let text = value(field.headerName) {
                guard field.read(text, &self) else { return nil }
            } else if field.isRequired {
                return nil
            }
        }
    }
}
