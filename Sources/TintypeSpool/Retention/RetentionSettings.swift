// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// The rules by which pictures are deleted automatically: for a whole spool, or for one camera of it.
///
/// Pinned pictures never do. Whatever goes, goes oldest first, by id.
package struct RetentionSettings: Hashable, Sendable {
    /// For how long certain pictures are kept; the longest rule that a picture fits counts for it.
    package var rules: [RetentionRule]
    /// For how long pictures are kept that fit no rule; nil for ever.
    package var maxAge: Duration?
    /// The most pictures that there may be; nil for any number.
    package var maxFrames: Int?
    /// The most bytes that their files may have together; nil for any number.
    package var maxBytes: Int?
    /// The least bytes that must stay free on the file system; only of a whole spool.
    package var minFree: UInt64

    /// Settings of these parts; without any, nothing goes.
    package init(
        rules: [RetentionRule] = [],
        maxAge: Duration? = nil,
        maxFrames: Int? = nil,
        maxBytes: Int? = nil,
        minFree: UInt64 = 0
    ) {
        self.rules = rules
        self.maxAge = maxAge
        self.maxFrames = maxFrames
        self.maxBytes = maxBytes
        self.minFree = minFree
    }

    /// Whether anything goes by its age.
    var isByAge: Bool { !rules.isEmpty || maxAge != nil }

    /// The shortest time that pictures can be kept by their age: a minute.
    package static let shortestAge = Duration.seconds(60)
}

/// For how long certain pictures are kept.
package struct RetentionRule: Hashable, Sendable {
    /// The time from their capture on.
    package var keep: Duration
    /// Which pictures.
    package var filter: FrameFilter

    /// A rule that keeps the pictures that `filter` fits for `keep`.
    package init(keep: Duration, filter: FrameFilter) {
        self.keep = keep
        self.filter = filter
    }
}
