// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// How a filter is answered: which streams together have every frame that fits, and when these were captured.
///
/// A filter is decided for whole classes as far as it can be: `camera:yard` or `verdict:damaged` names classes, and the
/// rows of all others are never looked at. The remaining conditions, such as a time or a tag, go to the rows of classes
/// that are left; a tag that few frames have is looked up among the tags in place of that.
struct FramePlan {
    /// A stream, and whether frames of it can be ones that do not fit.
    struct Part: Hashable {
        var stream: FrameStream
        var isChecked: Bool
    }

    private(set) var parts: [Part] = []
    let moments: MomentRanges
    let filter: FrameFilter

    /// A plan for `filter`, in which every ``FrameCondition/since(_:)`` is resolved; damaged classes are passed over, or
    /// thrown as ``RowDamage``.
    init(_ filter: FrameFilter, _ database: Database, passingOver: Bool = false) throws {
        self.filter = filter
        moments = filter.possibleMoments
        guard !moments.ranges.isEmpty else { return }
        let classes = try FrameClass.all(database, passingOver: passingOver)
        let rests = classes.map { (frames: $0, rest: filter.given($0)) }.filter { $0.rest != .nothing }
        if rests.count == classes.count, filter.isOfTimes || rests.allSatisfy({ $0.rest == .everything }) {
            parts = [Part(stream: .everything, isChecked: !rests.allSatisfy { $0.rest == .everything })]
            return
        }
        var tagged: [String: [(frames: FrameClass, rest: FrameFilter)]] = [:]  // by camera
        for (frames, rest) in rests {
            if rest.requiredTags.isEmpty {
                parts.append(Part(stream: .ofClass(frames), isChecked: rest != .everything))
            } else {
                tagged[frames.camera, default: []].append((frames, rest))
            }
        }
        let patterns = TagPatterns()
        for (camera, rests) in tagged.sorted(by: { $0.key < $1.key }) {
            let isExact = rests.count == classes.count(where: { $0.camera == camera })
            parts +=
                try TagSearch(camera: camera, patterns: patterns).parts(of: rests, isWholeCamera: isExact, database)
                ?? rests.map { Part(stream: .ofClass($0.frames), isChecked: true) }
        }
    }
}
