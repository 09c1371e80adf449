// SPDX-License-Identifier: Apache-2.0

/// What was found and done when folder and catalog of a spool were compared.
package struct VerificationReport: Hashable, Sendable, Codable {
    package var spool: String
    package var isDeep: Bool
    package var takenIn: Int
    package var quarantined: Int
    package var lost: Int
    package var found: Int
    package var foreign: Int
    package var removed: Int
    package var leftovers: Int
    package var damaged: [FrameID]?

    /// A report of these parts.
    package init(
        spool: String,
        isDeep: Bool = false,
        takenIn: Int = 0,
        quarantined: Int = 0,
        lost: Int = 0,
        found: Int = 0,
        foreign: Int = 0,
        removed: Int = 0,
        leftovers: Int = 0,
        damaged: [FrameID]? = nil
    ) {
        self.spool = spool
        self.isDeep = isDeep
        self.takenIn = takenIn
        self.quarantined = quarantined
        self.lost = lost
        self.found = found
        self.foreign = foreign
        self.removed = removed
        self.leftovers = leftovers
        self.damaged = damaged
    }
}

extension VerificationReport: WireObject {
    package static let summary = "The differences between folder and catalog of a spool that were found and repaired."

    package static let fields: [Field] = [
        Field("spool", \.spool, "The name of the spool."),
        Field("isDeep", \.isDeep, "Whether the bytes of every picture were read."),
        Field("takenIn", \.takenIn, "Whole pictures without a row that were taken in.", .notNegative),
        Field(
            "quarantined",
            \.quarantined,
            "Files that were not whole, or differed from their row, and were moved to .quarantine.",
            .notNegative
        ),
        Field("lost", \.lost, "Rows whose file is missing; they are now marked as lost.", .notNegative),
        Field("found", \.found, "Rows that were lost and whose file is there again.", .notNegative),
        Field("foreign", \.foreign, "Files that are not files of the spool, left alone.", .notNegative),
        Field("removed", \.removed, "Files of deleted frames that were removed.", .notNegative),
        Field("leftovers", \.leftovers, "Leftovers of interrupted writes that were removed.", .notNegative),
        Field("damaged", \.damaged, "Pictures whose bytes differ from those that were stored; only if isDeep."),
    ]
}
