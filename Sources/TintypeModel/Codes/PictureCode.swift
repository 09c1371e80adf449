// SPDX-License-Identifier: Apache-2.0

package struct PictureCode: Hashable, Codable, WireObject {
    /// Name of the symbology in libzbar, as in `QR-Code`, `EAN-13` and `CODE-128`.
    package var kind: String
    package var text: String
    package var place: CropRectangle

    package init(kind: String, text: String, place: CropRectangle) {
        (self.kind, self.text, self.place) = (kind, text, place)
    }

    package static let tag = "code"
    package static let summary = "A QR or bar code in a picture."
    package static let fields: [Field] = [
        Field("kind", \.kind, "Its symbology, as in QR-Code, EAN-13 and CODE-128."),
        Field("text", \.text, "Its text, as the code has it: it may contain control characters."),
        Field("place", \.place, "The smallest upright rectangle around it in the picture, as in 120x118+400+233."),
    ]
}

/// Body of `POST /v1/cameras/{camera}/scan`: takes a still and reads its codes.
package struct ScanRequest: Hashable, WireObject, WireRequest {
    package var deadlineMs = Milliseconds(StillRequest.defaultDeadline)
    package var deadline: Duration { deadlineMs.duration }
    package init() {}
    package init(deadline: Duration) { deadlineMs = Milliseconds(deadline) }
    package static let summary = "The time limit of a scan."
    package static let fields: [Field] = [
        Field("deadlineMs", \.deadlineMs, "Limit for still and codes.", StillRequest.deadlineRules)
    ]
}

package struct ScanReport: Equatable, Codable, WireObject {
    package var codes: [PictureCode]
    package var still: StillRecord
    package init(codes: [PictureCode], still: StillRecord) { (self.codes, self.still) = (codes, still) }
    package static let summary = "The codes in a still of a camera."
    package static let fields: [Field] = [
        Field("codes", \.codes, "The codes, at most 64."),
        Field("still", \.still, "The record of the still, which is not stored."),
    ]
}
