// SPDX-License-Identifier: Apache-2.0

package struct FrameTotals: Equatable, Codable, WireObject {
    package var frames: Int
    package var bytes: Int
    package var pinned: Int
    package var lost: Int
    /// Nil for none.
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
