// SPDX-License-Identifier: Apache-2.0

/// What retention does, or would do.
package struct RetentionReport: Hashable, Sendable, Codable {
    /// A frame that goes.
    package struct Victim: Hashable, Sendable, Codable {
        package var id: FrameID
        package var camera: String
        package var capturedAt: Timestamp
        package var bytes: Int
        package var rule: String

        /// A frame of these parts.
        package init(id: FrameID, camera: String, capturedAt: Timestamp, bytes: Int, rule: String) {
            self.id = id
            self.camera = camera
            self.capturedAt = capturedAt
            self.bytes = bytes
            self.rule = rule
        }
    }

    package var spool: String
    package var isDryRun: Bool
    package var victims: [Victim]
    package var frames: Int
    package var bytes: Int
    package var keptByPin: Int
    package var withheld: String?

    /// The most frames that a report names.
    package static let mostVictims = 1000

    /// A report of these parts.
    package init(
        spool: String,
        isDryRun: Bool,
        victims: [Victim] = [],
        frames: Int = 0,
        bytes: Int = 0,
        keptByPin: Int = 0,
        withheld: String? = nil
    ) {
        self.spool = spool
        self.isDryRun = isDryRun
        self.victims = victims
        self.frames = frames
        self.bytes = bytes
        self.keptByPin = keptByPin
        self.withheld = withheld
    }
}

extension RetentionReport: WireObject {
    package static let summary = "The outcome of the retention rules in one spool."

    package static let fields: [Field] = [
        Field("spool", \.spool, "The name of the spool."),
        Field("isDryRun", \.isDryRun, "Whether nothing was deleted."),
        Field("victims", \.victims, "The frames that are deleted, the oldest first, 1000 at most."),
        Field("frames", \.frames, "The number of frames that are deleted.", .notNegative),
        Field("bytes", \.bytes, "The bytes of their files.", .notNegative),
        Field("keptByPin", \.keptByPin, "The number of frames that only their pin keeps.", .notNegative),
        Field("withheld", \.withheld, "The reason why no frame is deleted by age; missing where age decides."),
    ]
}

extension RetentionReport.Victim: WireObject {
    package static var schemaName: String? { "RetentionVictim" }
    package static let summary = "A frame that is deleted."

    package static let fields: [Field] = [
        Field("id", \.id, "Its id."),
        Field("camera", \.camera, "Its camera."),
        Field("capturedAt", \.capturedAt, "The time of its capture."),
        Field("bytes", \.bytes, "Bytes of its file.", .notNegative),
        Field("rule", \.rule, "The retention rule that deletes it, as configured."),
    ]
}
