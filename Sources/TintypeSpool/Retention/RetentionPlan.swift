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
    /// Retention of films and clips, which no other rule by age or number concerns; nil for ever.
    package var films: Duration?
    /// Minimum free bytes on the file system; only for a whole spool.
    package var minFree: UInt64
    /// Exempts pictures that wait for an upload from deletion by age and by number; only for a whole spool.
    ///
    /// For the other limits, they are deleted after all others.
    package var keepsUntilUploaded: Bool

    /// Without arguments, nothing is deleted.
    package init(
        rules: [RetentionRule] = [],
        maxAge: Duration? = nil,
        maxFrames: Int? = nil,
        maxBytes: Int? = nil,
        films: Duration? = nil,
        minFree: UInt64 = 0,
        keepsUntilUploaded: Bool = false
    ) {
        (self.rules, self.maxAge, self.films, self.minFree) = (rules, maxAge, films, minFree)
        (self.maxFrames, self.maxBytes, self.keepsUntilUploaded) = (maxFrames, maxBytes, keepsUntilUploaded)
    }

    package var isByAge: Bool { !rules.isEmpty || maxAge != nil }

    /// Minimum of all ages: a minute.
    package static let shortestAge = Duration.seconds(60)
}

package struct RetentionRule: Hashable, Sendable {
    /// Time since capture.
    package var keep: Duration
    package var filter: FrameFilter

    package init(keep: Duration, filter: FrameFilter) { (self.keep, self.filter) = (keep, filter) }
}

struct RetentionPlan: Hashable, Sendable {
    /// Pictures to delete once older than `keep`; clauses do not overlap.
    struct AgeClause: Hashable, Sendable {
        /// As in a report: `keep 30d where verdict:intact`, or `front: maxAge 7d`.
        let rule: String
        let keep: Duration
        let filter: FrameFilter
        var kind = FrameKind.still
    }

    struct Cap: Hashable, Sendable {
        /// Nil for all cameras together.
        let camera: String?
        let frames: Int?
        let bytes: Int?

        /// Number and bytes of present pictures subject to this limit, summed over totals by camera.
        func sum(_ all: [String: FrameTotals]...) -> (frames: Int, bytes: Int) {
            var (frames, bytes) = (0, 0)
            for totals in all {
                for (camera, part) in totals where self.camera == nil || self.camera == camera {
                    frames += part.frames - part.lost
                    bytes += part.bytes
                }
            }
            return (frames, bytes)
        }
    }

    let ages: [AgeClause]
    let caps: [Cap]
    let minFree: UInt64
    let keepsWaiting: Bool

    /// Combines the settings of the whole spool with those of cameras by name; a camera with its own age rules is
    /// exempt from the spool's, and limits apply on both levels.
    init(_ whole: RetentionSettings, cameras: [String: RetentionSettings]) {
        let cameras = cameras.sorted { $0.key < $1.key }
        func clauses(_ make: (RetentionSettings, FrameFilter?, String) -> [AgeClause]) -> [AgeClause] {
            let own = cameras.map { ($0.key, make($0.value, .is(.camera($0.key)), "\($0.key): ")) }
                .filter { !$0.1.isEmpty }
            let others = FrameFilter.not(.any(own.map { .is(.camera($0.0)) }))
            return make(whole, own.isEmpty ? nil : others, "") + own.flatMap(\.1)
        }
        ages = clauses(Self.ages) + clauses(Self.films)
        let levels = [(nil, whole)] + cameras.map { (Optional($0.key), $0.value) }
        caps = levels.map { Cap(camera: $0.0, frames: $0.1.maxFrames, bytes: $0.1.maxBytes) }
            .filter { $0.frames != nil || $0.bytes != nil }
        (minFree, keepsWaiting) = (whole.minFree, whole.keepsUntilUploaded)
    }

    private static func films(of settings: RetentionSettings, among scope: FrameFilter?, prefix: String) -> [AgeClause]
    {
        guard let keep = settings.films else { return [] }
        return [FrameKind.film, .clip].map { kind in
            let rule = "\(prefix)films \(HumanDuration.text(keep))"
            return AgeClause(rule: rule, keep: keep, filter: scope ?? .everything, kind: kind)
        }
    }

    private static func ages(of settings: RetentionSettings, among scope: FrameFilter?, prefix: String) -> [AgeClause] {
        var clauses: [AgeClause] = []
        var longer: [FrameFilter] = []
        func add(_ rule: String, _ keep: Duration, _ filter: FrameFilter?) {
            var all = [scope, filter].compactMap { $0 }
            if !longer.isEmpty { all.append(.not(.any(longer))) }
            clauses.append(AgeClause(rule: prefix + rule, keep: keep, filter: all.count == 1 ? all[0] : .all(all)))
        }
        for rule in settings.rules.sorted(by: { $0.keep > $1.keep }) {
            add("keep \(HumanDuration.text(rule.keep)) where \(rule.filter)", rule.keep, rule.filter)
            longer.append(rule.filter)
        }
        if let maxAge = settings.maxAge { add("maxAge \(HumanDuration.text(maxAge))", maxAge, nil) }
        return clauses
    }
}
