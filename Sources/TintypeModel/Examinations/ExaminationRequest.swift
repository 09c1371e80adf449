// SPDX-License-Identifier: Apache-2.0

/// Limits of an examination: a number of frames and a deadline, whichever comes first.
package struct ExaminationRequest: Hashable, WireObject, WireRequest {
    package var frames = 30
    package var deadlineMs = Milliseconds(.seconds(5))
    package var deadline: Duration { deadlineMs.duration }

    package init() {}

    package init(frames: Int, deadline: Duration = .seconds(5)) {
        self.frames = frames
        deadlineMs = Milliseconds(deadline)
    }

    package static let framesRange = 1...1000
    package static let deadlineMsRange = StillRequest.deadlineMsRange

    package static let summary = "The length of an examination; every field may be left out."
    package static let fields: [Field] = [
        Field("frames", \.frames, "Frames to watch, damaged ones included.", .range(framesRange).defaulting(to: 30)),
        Field("deadlineMs", \.deadlineMs, "The time limit.", StillRequest.deadlineRules),
    ]
}
