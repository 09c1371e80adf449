// SPDX-License-Identifier: Apache-2.0

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

    package static let summary = """
        The progress of a running comparison of folder and catalog, after the start or by command: first the files \
        are examined, then the rows. Of several, the one that began last; missing if none is running.
        """
    package static let fields: [Field] = [
        Field("files", \.files, "Files that were examined.", .notNegative),
        Field("frames", \.frames, "Rows that were compared with their files.", .notNegative),
        Field("of", \.of, "The number of all rows; 0 until it is known.", .notNegative),
    ]
}
