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

extension SpoolReport {
    package init(spool: String, folder: String, state: SpoolState) {
        (self.spool, self.folder, self.state) = (spool, folder, state)
    }
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
        (self.freeBytes, self.totalBytes, self.minFreeBytes) = (freeBytes, totalBytes, minFreeBytes)
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
    package init(durability: Durability, sentence: String) { (self.durability, self.sentence) = (durability, sentence) }
    package static let summary = "The promises of the spool's file system, where it cannot keep durability full."
    package static let fields: [Field] = [
        Field("durability", \.durability, "The highest durability that it keeps."),
        Field("sentence", \.sentence, "The reason and the remedy."),
    ]
}

package struct SpoolState: Hashable, Codable, WireObject {
    package enum Name: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case available, full, unavailable
    }

    package private(set) var name: Name
    package private(set) var reason: Problem?
    package private(set) var since: Timestamp?
    package private(set) var nextAttempt: Timestamp?
    package static let available = Self(name: .available)

    /// The last picture did not fit; the next one is tried anyway.
    package static func full(reason: Problem, since: Timestamp) -> Self {
        Self(name: .full, reason: reason, since: since)
    }

    /// Closed after a failure; reopened at `nextAttempt`, or for the first picture after that.
    package static func unavailable(reason: Problem, since: Timestamp, nextAttempt: Timestamp) -> Self {
        Self(name: .unavailable, reason: reason, since: since, nextAttempt: nextAttempt)
    }

    package static let summary = "Whether a spool takes pictures now."
    package static let fields: [Field] = [
        Field("name", \.name, "full: the last picture did not fit. unavailable: closed after a failure, retried."),
        Field("reason", \.reason),
        Field("since", \.since, "When this state began; missing while the spool takes pictures."),
        Field("nextAttempt", \.nextAttempt, "The time of the next attempt to open it, if it is unavailable."),
    ]
}

package struct FrameTotals: Equatable, Codable, WireObject {
    package var frames: Int
    package var bytes: Int
    package var pinned: Int
    package var lost: Int
    package var films: Int?
    package var oldest: Timestamp?
    package var newest: Timestamp?

    package init(
        frames: Int = 0,
        bytes: Int = 0,
        pinned: Int = 0,
        lost: Int = 0,
        films: Int? = nil,
        oldest: Timestamp? = nil,
        newest: Timestamp? = nil
    ) {
        (self.frames, self.bytes, self.pinned, self.lost) = (frames, bytes, pinned, lost)
        self.films = films == 0 ? nil : films
        (self.oldest, self.newest) = (oldest, newest)
    }

    package static let summary = "The number of frames and the bytes that they take."
    package static let fields: [Field] = [
        Field("frames", \.frames, "Stills, including those without a file.", .notNegative),
        Field("bytes", \.bytes, "Bytes of all files.", .notNegative),
        Field("pinned", \.pinned, "Stills that are pinned.", .notNegative),
        Field("lost", \.lost, "Stills whose files are missing.", .notNegative),
        Field("films", \.films, "Films and clips; missing for none.", .notNegative),
        Field("oldest", \.oldest, "When the oldest was captured; missing if there is none."),
        Field("newest", \.newest, "When the newest was captured; missing if there is none."),
    ]
}

package struct SpoolStatistics: Equatable, Codable, WireObject {
    package var spool: String
    package var folder: String
    package var total: FrameTotals
    package var cameras: [String: FrameTotals]
    package var freeBytes: Int
    package var quarantined: Int
    /// Always 0; required by clients of versions that stored thumbnails in the spool.
    package private(set) var thumbnailBytes = 0

    package init(
        spool: String,
        folder: String,
        total: FrameTotals,
        cameras: [String: FrameTotals],
        freeBytes: Int,
        quarantined: Int = 0
    ) {
        (self.spool, self.folder, self.total) = (spool, folder, total)
        (self.cameras, self.freeBytes, self.quarantined) = (cameras, freeBytes, quarantined)
    }

    package static let summary = "The contents and the free space of a spool; missing if it does not answer."
    package static let fields: [Field] = [
        Field("spool", \.spool, "The name of the spool."),
        Field("folder", \.folder, "Its folder, from the root."),
        Field("total", \.total),
        Field("cameras", \.cameras, "The frames of each camera, by its name."),
        Field("freeBytes", \.freeBytes, "Bytes that can still be written to its file system.", .notNegative),
        Field("quarantined", \.quarantined, "Files in .quarantine.", .notNegative),
        Field("thumbnailBytes", \.thumbnailBytes, "Always 0; earlier clients require it.", .notNegative),
    ]
}
