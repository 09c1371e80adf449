// SPDX-License-Identifier: Apache-2.0

/// Limits of an examination: a number of frames and a deadline, whichever comes first.
package struct ExaminationRequest: Hashable, WireObject, FieldsReadable, Encodable {
    package var frames: Int
    package var deadlineMs: Milliseconds
    package var deadline: Duration { deadlineMs.duration }

    package init(frames: Int = 30, deadline: Duration = .seconds(5)) {
        self.frames = frames
        deadlineMs = Milliseconds(deadline)
    }

    package static let framesRange = 1...1000
    package static let deadlineMsRange = StillRequest.deadlineMsRange

    package static let summary = "The length of an examination; every field may be left out."
    package static let fields: [Field] = [
        Field("frames", \.frames, "Frames to watch, damaged ones included.", .range(framesRange).defaulting(to: 30)),
        Field(
            "deadlineMs",
            \.deadlineMs,
            "The time limit; the reply then reports what was seen so far.",
            .range(deadlineMsRange).defaulting(to: 5000)
        ),
    ]

    package enum CodingKeys: String, CodingKey, CaseIterable { case frames, deadlineMs }

    package init(in fields: FieldReader<CodingKeys>) throws(Problem) {
        self.init()
        frames = try fields.integer(.frames, in: Self.framesRange) ?? frames
        if let deadline = try fields.optionalMilliseconds(.deadlineMs, in: Self.deadlineMsRange) {
            deadlineMs = Milliseconds(deadline)
        }
    }
}
