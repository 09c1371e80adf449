// SPDX-License-Identifier: Apache-2.0

package struct RetentionReport: Equatable, Codable, WireObject {
    package struct Victim: Equatable, Codable, WireObject {
        package var id: FrameID
        package var camera: String
        package var capturedAt: Timestamp
        package var bytes: Int
        package var rule: String

        package init(id: FrameID, camera: String, capturedAt: Timestamp, bytes: Int, rule: String) {
            (self.id, self.camera, self.capturedAt, self.bytes, self.rule) = (id, camera, capturedAt, bytes, rule)
        }

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

    package var spool: String
    package var isDryRun: Bool
    package var victims: [Victim] = []
    package var frames = 0
    package var bytes = 0
    package var keptByPin = 0
    package var withheld: String?

    package static let mostVictims = 1000

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

extension RetentionReport {
    package init(spool: String, isDryRun: Bool) { (self.spool, self.isDryRun) = (spool, isDryRun) }
}

package struct RetentionList: Equatable, Codable, WireObject {
    package var reports: [RetentionReport]
    package var unavailable: [String]?

    package init(reports: [RetentionReport], unavailable: [String]? = nil) {
        (self.reports, self.unavailable) = (reports, unavailable)
    }

    package static let summary = "The frames of each spool that are deleted, or would be."
    package static let fields: [Field] = [
        Field("reports", \.reports, "A report for each spool that has answered."),
        Field("unavailable", \.unavailable, "Spools that did not answer or did not finish; missing if there are none."),
    ]
}
