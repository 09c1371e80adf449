// SPDX-License-Identifier: Apache-2.0

package struct SpoolReport: Equatable, Codable, WireObject {
    package var spool: String
    package var folder: String
    package var state: SpoolState
    package var limit: SpoolLimit?
    /// Nil until the file system has been measured.
    package var room: SpoolRoom?
    package var statistics: SpoolStatistics?
    package var verification: VerificationProgress?

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

package struct SpoolList: Equatable, Codable, WireObject {
    package var spools: [SpoolReport]

    package init(spools: [SpoolReport]) { self.spools = spools }

    package static let summary = "Every spool, the one called default first."
    package static let fields: [Field] = [Field("spools", \.spools, "The spools.")]
}

package struct SpoolRoom: Equatable, Codable, WireObject {
    package var freeBytes: Int
    package var totalBytes: Int
    package var minFreeBytes: Int

    package init(freeBytes: Int, totalBytes: Int, minFreeBytes: Int = 0) {
        self.freeBytes = freeBytes
        self.totalBytes = totalBytes
        self.minFreeBytes = minFreeBytes
    }

    /// True below half of retention's `minFree` or, without one, the smaller of 256 MiB and 5 % of the file system.
    package var isLow: Bool { freeBytes < (minFreeBytes > 0 ? minFreeBytes / 2 : min(256 << 20, totalBytes / 20)) }

    package static let summary = "The free space of the file system when it was last measured, at most a minute ago."
    package static let fields: [Field] = [
        Field("freeBytes", \.freeBytes, "Bytes that could be written.", .notNegative),
        Field("totalBytes", \.totalBytes, "Bytes of the whole file system.", .notNegative),
        Field("minFreeBytes", \.minFreeBytes, "Bytes that retention keeps free; 0 for none.", .notNegative),
    ]
}

/// Durability that a spool's file system supports, if less than ``Durability/full``.
package struct SpoolLimit: Equatable, Codable, WireObject {
    package var durability: Durability
    package var sentence: String

    package init(durability: Durability, sentence: String) {
        self.durability = durability
        self.sentence = sentence
    }

    package static let summary = "The promises of the spool's file system, where it cannot keep durability full."
    package static let fields: [Field] = [
        Field("durability", \.durability, "The highest durability that it keeps."),
        Field("sentence", \.sentence, "The reason and the remedy."),
    ]
}
