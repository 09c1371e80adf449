// SPDX-License-Identifier: Apache-2.0

/// Body of `POST /v1/cameras/{camera}/scan`: takes a still and reads its codes.
package struct ScanRequest: Hashable, WireObject, FieldsReadable, Encodable {
    package var deadlineMs: Milliseconds
    package var deadline: Duration { deadlineMs.duration }

    package init(deadline: Duration = StillRequest.defaultDeadline) { deadlineMs = Milliseconds(deadline) }

    package static let summary = "The time limit of a scan."
    package static let fields: [Field] = [
        Field(
            "deadlineMs",
            \.deadlineMs,
            "The time limit for the still and the reading of its codes.",
            .range(StillRequest.deadlineMsRange).defaulting(to: 5000)
        )
    ]

    package enum CodingKeys: String, CodingKey, CaseIterable { case deadlineMs }

    package init(in fields: FieldReader<CodingKeys>) throws(Problem) {
        self.init()
        if let deadline = try fields.optionalMilliseconds(.deadlineMs, in: StillRequest.deadlineMsRange) {
            deadlineMs = Milliseconds(deadline)
        }
    }
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
