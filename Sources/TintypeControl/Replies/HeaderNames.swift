// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes

extension HTTPField.Name {
    // The names of a still's record in the header of a picture. RFC 9110, 5.1: case does not matter.
    static let tintypeID = tintype("Id")
    static let tintypeCamera = tintype("Camera")
    static let tintypeSequence = tintype("Sequence")
    static let tintypeCapturedAt = tintype("Captured-At")
    static let tintypeTimestampSource = tintype("Timestamp-Source")
    static let tintypeAgeMs = tintype("Age-Ms")
    static let tintypeWaitedMs = tintype("Waited-Ms")
    static let tintypeStored = tintype("Stored")
    static let tintypePath = tintype("Path")

    private static func tintype(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name("Tintype-\(name)") else {
            preconditionFailure("Tintype-\(name) is not a token of RFC 9110, 5.6.2")
        }
        return name
    }
}
