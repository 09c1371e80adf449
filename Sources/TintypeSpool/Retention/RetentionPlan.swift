// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

struct RetentionPlan: Hashable, Sendable {
    /// Pictures to delete once older than `keep`; clauses do not overlap.
    struct AgeClause: Hashable, Sendable {
        /// As in a report: `keep 30d where verdict:intact`, or `front: maxAge 7d`.
        let rule: String
        let keep: Duration
        let filter: FrameFilter
    }

    struct Cap: Hashable, Sendable {
        /// Nil for all cameras together.
        let camera: String?
        let frames: Int?
        let bytes: Int?

        init(_ camera: String?, _ settings: RetentionSettings) {
            self.camera = camera
            frames = settings.maxFrames
            bytes = settings.maxBytes
        }

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

    /// Combines the settings of the whole spool with those of cameras by name; a camera with its own age rules is
    /// exempt from the spool's, and limits apply on both levels.
    init(_ whole: RetentionSettings, cameras: [String: RetentionSettings]) {
        let own = cameras.filter { $0.value.isByAge }.sorted { $0.key < $1.key }
        let others = FrameFilter.not(.any(own.map { .is(.camera($0.key)) }))
        var ages = Self.ages(of: whole, among: own.isEmpty ? nil : others, prefix: "")
        for (camera, settings) in own {
            ages += Self.ages(of: settings, among: .is(.camera(camera)), prefix: "\(camera): ")
        }
        self.ages = ages
        let all = [Cap(nil, whole)] + cameras.sorted { $0.key < $1.key }.map { Cap($0.key, $0.value) }
        caps = all.filter { $0.frames != nil || $0.bytes != nil }
        minFree = whole.minFree
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
