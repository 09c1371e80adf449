// SPDX-License-Identifier: Apache-2.0

/// One spool: how it is, and what is in it.
package struct SpoolReport: Hashable, Sendable, Codable {
    package var spool: String
    package var folder: String
    /// Whether pictures can be stored.
    package var state: SpoolState
    /// What its file system cannot promise; nil where it keeps every promise.
    package var limit: SpoolLimit?
    /// What room its file system has; nil until that was looked at.
    package var room: SpoolRoom?
    /// What is in it; nil where it does not answer.
    package var statistics: SpoolStatistics?
    /// How far the comparison of folder and catalog is that goes on; nil where none does.
    package var verification: VerificationProgress?

    /// A report of these parts.
    package init(
        spool: String,
        folder: String,
        state: SpoolState,
        limit: SpoolLimit? = nil,
        room: SpoolRoom? = nil,
        statistics: SpoolStatistics? = nil,
        verification: VerificationProgress? = nil
    ) {
        self.spool = spool
        self.folder = folder
        self.state = state
        self.limit = limit
        self.room = room
        self.statistics = statistics
        self.verification = verification
    }
}

/// The reply to `GET /v1/spool`.
package struct SpoolList: Hashable, Sendable, Codable {
    package var spools: [SpoolReport]

    /// A list of `spools`.
    package init(spools: [SpoolReport]) { self.spools = spools }
}

/// The reply to `POST /v1/spool/verify`.
package struct VerificationList: Hashable, Sendable, Codable {
    package var reports: [VerificationReport]
    package var unavailable: [String]?

    /// A list of `reports`.
    package init(reports: [VerificationReport], unavailable: [String]? = nil) {
        self.reports = reports
        self.unavailable = unavailable
    }
}

/// The reply to `POST /v1/spool/retention`.
package struct RetentionList: Hashable, Sendable, Codable {
    package var reports: [RetentionReport]
    package var unavailable: [String]?

    /// A list of `reports`.
    package init(reports: [RetentionReport], unavailable: [String]? = nil) {
        self.reports = reports
        self.unavailable = unavailable
    }
}

extension SpoolList: WireObject {
    package static let summary = "Every spool, the one called default first."

    package static let fields: [Field] = [
        Field("spools", \.spools, "The spools.")
    ]
}

extension SpoolReport: WireObject {
    package static let summary = "One spool."

    package static let fields: [Field] = [
        Field("spool", \.spool, "Its name."),
        Field("folder", \.folder, "Its folder, from the root."),
        Field("state", \.state),
        Field("limit", \.limit),
        Field("room", \.room),
        Field("statistics", \.statistics),
        Field("verification", \.verification),
    ]
}

extension VerificationList: WireObject {
    package static let summary = "The report of each spool."

    package static let fields: [Field] = [
        Field("reports", \.reports, "A report for each spool that has answered."),
        Field(
            "unavailable",
            \.unavailable,
            "The names of spools that did not answer or did not finish; missing if there are none."
        ),
    ]
}

extension RetentionList: WireObject {
    package static let summary = "The frames of each spool that are deleted, or would be."

    package static let fields: [Field] = [
        Field("reports", \.reports, "A report for each spool that has answered."),
        Field(
            "unavailable",
            \.unavailable,
            "The names of spools that did not answer or did not finish; missing if there are none."
        ),
    ]
}
