// SPDX-License-Identifier: Apache-2.0

/// Measurements of a camera over a few frames, without a verdict; `problem` says why it cannot be opened.
package struct Examination: Equatable, Codable, WireObject {
    package var camera: String
    package var shutterClosed: Bool?
    package var frames = FrameTally()
    package var pictures = PictureTally()
    package var problem: Problem?
    package init(camera: String) { self.camera = camera }
    package static let summary = "The report of an examination."
    package static let fields: [Field] = [
        Field("camera", \.camera, "Its name."),
        Field("shutterClosed", \.shutterClosed, "Whether its privacy shutter is closed; missing if none can be read."),
        Field("frames", \.frames, "The frames that the driver delivered."),
        Field("pictures", \.pictures, "The contents of the pictures."),
        Field("problem", \.problem, "The problem that ended the examination or kept frames away; missing for none."),
    ]
}

package struct FrameTally: Equatable, Codable, WireObject {
    package var captured: UInt64 = 0
    package var flagged: UInt64 = 0
    package var short: UInt64 = 0
    package static var schemaName: String? { nil }
    package static let summary = "The frames that the driver delivered."
    package static let fields: [Field] = [
        Field("captured", \.captured, "Buffers taken, good or not."),
        Field("flagged", \.flagged, "Of these, the number that the driver flagged as damaged."),
        Field("short", \.short, "Of these, the number with fewer bytes than the format needs."),
    ]
}

package struct PictureTally: Equatable, Codable, WireObject {
    package var examined = 0
    package var corrupt = 0
    package var black = 0
    package var frozen = 0
    package init() {}
    package static var schemaName: String? { nil }
    package static let summary = "The contents of the pictures."
    package static let fields: [Field] = [
        Field("examined", \.examined, "Whole pictures.", .notNegative),
        Field("corrupt", \.corrupt, "Pictures with a fault in their data.", .notNegative),
        Field("black", \.black, "Of the whole pictures, the number that are black.", .notNegative),
        Field("frozen", \.frozen, "Of the whole pictures, the number that equal the one before.", .notNegative),
    ]
}

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
    package static let summary = "The length of an examination; every field may be left out."
    package static let fields: [Field] = [
        Field("frames", \.frames, "Frames to watch, damaged ones included.", .range(framesRange).defaulting(to: 30)),
        Field("deadlineMs", \.deadlineMs, "The time limit.", StillRequest.deadlineRules),
    ]
}
