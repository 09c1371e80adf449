// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// What the `Tintype-*` fields in the header of a picture say of it.
package struct PictureRecord: Hashable, Sendable, Codable {
    /// Its name (`Tintype-Id`).
    package var id: FrameID
    /// The camera that it is from (`Tintype-Camera`).
    package var camera: String
    /// The driver's frame number (`Tintype-Sequence`).
    package var sequence: UInt32
    /// When its exposure began (`Tintype-Captured-At`).
    package var capturedAt: Timestamp
    /// Where that time comes from (`Tintype-Timestamp-Source`).
    package var timestampSource: TimestampSource
    /// Its age when the reply was made (`Tintype-Age-Ms`).
    package var ageMs: Milliseconds?
    /// The time from the request to its frame (`Tintype-Waited-Ms`).
    package var waitedMs: Milliseconds?
    /// Whether it is in the spool (`Tintype-Stored`).
    package var stored: StillRecord.Stored
    /// Its file in the spool (`Tintype-Path`); nil if it is not stored.
    package var path: String?
    /// Bytes of the picture.
    package var bytes: Int
}

extension PictureRecord {
    /// Reads the header of `response`; nil if a field is missing or is none.
    init?(_ response: ControlResponse) {
        guard
            let id = response.header("Tintype-Id").flatMap({ FrameID($0) }),
            let camera = response.header("Tintype-Camera"),
            let sequence = response.header("Tintype-Sequence").flatMap({ UInt32($0) }),
            let capturedAt = response.header("Tintype-Captured-At").flatMap({ Timestamp($0) }),
            let source = response.header("Tintype-Timestamp-Source").flatMap(TimestampSource.init(rawValue:)),
            let stored = response.header("Tintype-Stored").flatMap(StillRecord.Stored.init(rawValue:))
        else { return nil }
        self.init(
            id: id,
            camera: camera,
            sequence: sequence,
            capturedAt: capturedAt,
            timestampSource: source,
            ageMs: response.milliseconds("Tintype-Age-Ms"),
            waitedMs: response.milliseconds("Tintype-Waited-Ms"),
            stored: stored,
            path: response.header("Tintype-Path"),
            bytes: response.body.count
        )
    }
}

extension ControlResponse {
    fileprivate func milliseconds(_ name: String) -> Milliseconds? {
        guard let value = header(name).flatMap({ Double($0) }), value.isFinite, abs(value) < 1e12 else { return nil }
        return Milliseconds(.microseconds(Int64((value * 1000).rounded())))
    }
}
