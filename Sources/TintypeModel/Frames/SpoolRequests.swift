// SPDX-License-Identifier: Apache-2.0

/// Options of a comparison of folder and catalog: body of `POST /v1/spool/verify`.
package struct VerificationRequest: Hashable, WireObject, WireRequest {
    package var deep = false
    package var spool: String?
    package init() {}
    package init(deep: Bool = false, spool: String? = nil) { (self.deep, self.spool) = (deep, spool) }
    package static let summary = "A request to compare folder and catalog."
    package static let fields: [Field] = [
        Field("deep", \.deep, "Whether every picture is read and compared with its checksum.", ["default": false]),
        Field("spool", \.spool, "The name of the spool; missing for all."),
    ]
}

/// Options of a retention run: body of `POST /v1/spool/retention`.
package struct RetentionRequest: Hashable, WireObject, WireRequest {
    package var dryRun = false
    package var confirm = false
    package var spool: String?
    package init() {}

    package init(dryRun: Bool = false, confirm: Bool = false, spool: String? = nil) {
        (self.dryRun, self.confirm, self.spool) = (dryRun, confirm, spool)
    }

    package static let summary = "A request to apply the retention rules."
    package static let fields: [Field] = [
        Field("dryRun", \.dryRun, "Only list the frames that would be deleted, and why.", ["default": false]),
        Field("confirm", \.confirm, "Confirms the clock after a large step; age decides again.", ["default": false]),
        Field("spool", \.spool, "The name of the spool; missing for all."),
    ]
}

package struct VerificationReport: Equatable, Codable, WireObject {
    package var spool: String
    package var isDeep = false
    package var takenIn = 0
    package var quarantined = 0
    package var lost = 0
    package var missing = 0
    package var found = 0
    package var foreign = 0
    package var removed = 0
    package var leftovers = 0
    package var unread = 0
    package var damaged: [FrameID]?
    package static let summary = "The differences between folder and catalog of a spool that were found and repaired."
    package static let fields: [Field] = [
        Field("spool", \.spool, "The name of the spool."),
        Field("isDeep", \.isDeep, "Whether the bytes of every picture were read."),
        Field("takenIn", \.takenIn, "Whole pictures without a row that were taken in.", .notNegative),
        Field("quarantined", \.quarantined, "Files moved to .quarantine: not whole, or unlike the row.", .notNegative),
        Field("lost", \.lost, "Rows whose file is missing; they are now marked as lost.", .notNegative),
        Field("missing", \.missing, "All pictures of the catalog whose file is missing, old losses too.", .notNegative),
        Field("found", \.found, "Rows that were lost and whose file is there again.", .notNegative),
        Field("foreign", \.foreign, "Files that are not files of the spool, left alone.", .notNegative),
        Field("removed", \.removed, "Files of deleted frames that were removed.", .notNegative),
        Field("leftovers", \.leftovers, "Leftovers of interrupted writes that were removed.", .notNegative),
        Field("unread", \.unread, "Failed reads, moves and removals: what is there may be damaged.", .notNegative),
        Field("damaged", \.damaged, "Pictures whose bytes differ from those that were stored; only if isDeep."),
    ]
}

extension VerificationReport {
    package init(spool: String, isDeep: Bool, damaged: [FrameID]?) {
        (self.spool, self.isDeep, self.damaged) = (spool, isDeep, damaged)
    }
}

package struct VerificationList: Equatable, Codable, WireObject {
    package var reports: [VerificationReport]
    package var unavailable: [String]?

    package init(reports: [VerificationReport], unavailable: [String]? = nil) {
        (self.reports, self.unavailable) = (reports, unavailable)
    }

    package static let summary = "The report of each spool."
    package static let fields: [Field] = [
        Field("reports", \.reports, "A report for each spool that has answered."),
        Field("unavailable", \.unavailable, "Spools that did not answer or did not finish; missing if there are none."),
    ]
}

package struct VerificationProgress: Equatable, Codable, WireObject {
    package var files: Int
    package var frames: Int
    package var of: Int

    package init(files: Int = 0, frames: Int = 0, of: Int = 0) {
        (self.files, self.frames, self.of) = (files, frames, of)
    }

    package static let summary = "The progress of a comparison: first the files, then the rows; missing if none runs."
    package static let fields: [Field] = [
        Field("files", \.files, "Files that were examined.", .notNegative),
        Field("frames", \.frames, "Rows that were compared with their files.", .notNegative),
        Field("of", \.of, "The number of all rows; 0 until it is known.", .notNegative),
    ]
}

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
