// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Rules for automatic deletion, for a whole spool or one camera.
///
/// Pinned pictures are exempt. Pictures past their age are deleted in order of id, pictures above a limit in order of
/// arrival, oldest first.
package struct RetentionSettings: Hashable, Sendable {
    /// Retention of certain pictures; the longest matching rule applies.
    package var rules: [RetentionRule]
    /// Retention of pictures that match no rule; nil for ever.
    package var maxAge: Duration?
    /// Maximum number of pictures; nil for no limit.
    package var maxFrames: Int?
    /// Maximum bytes of all files; nil for no limit.
    package var maxBytes: Int?
    /// Minimum free bytes on the file system; only for a whole spool.
    package var minFree: UInt64

    /// Without arguments, nothing is deleted.
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

    var isByAge: Bool { !rules.isEmpty || maxAge != nil }

    /// Minimum of all ages: a minute.
    package static let shortestAge = Duration.seconds(60)
}

package struct RetentionRule: Hashable, Sendable {
    /// Time since capture.
    package var keep: Duration
    package var filter: FrameFilter

    package init(keep: Duration, filter: FrameFilter) {
        self.keep = keep
        self.filter = filter
    }
}
