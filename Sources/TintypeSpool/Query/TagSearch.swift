// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Finds frames of a camera by tags that they must have, where that takes less than to look at all frames of a class.
struct TagSearch {
    let camera: String
    /// The tags of the patterns that the plan has looked up so far.
    let patterns: TagPatterns

    /// Reading a row through its tag takes some ten times as long as in the index of classes.
    private static let cost = 10

    /// The streams of the tags that frames of these classes need, of each of which `rest` is left to be asked; nil where
    /// it takes less to look at all of them.
    ///
    /// `isWholeCamera` says that these are all frames of the camera.
    func parts(
        of rests: [(frames: FrameClass, rest: FrameFilter)],
        isWholeCamera: Bool,
        _ database: Database
    ) throws -> [FramePlan.Part]? {
        if isWholeCamera, case .is(.tag(let tag)) = rests[0].rest, !tag.isPattern,
            rests.allSatisfy({ $0.rest == rests[0].rest })
        {
            return [FramePlan.Part(stream: .tagged(tag, camera: camera), isChecked: false)]
        }
        // Classes may need different tags: one list of each of them together covers all of them.
        let lists = rests.map(\.rest.requiredTags)
        let alternatives = (0..<(lists.map(\.count).max() ?? 0)).map { index in
            Set(lists.flatMap { $0[min(index, $0.count - 1)] })
        }
        var most = rests.reduce(0) { $0 + $1.frames.frames } / Self.cost - 1
        var best: [FrameStream]?
        for alternative in alternatives where most >= 0 {
            guard let found = try streams(alternative, atMost: most, database) else { continue }
            (best, most) = (found.streams, found.count - 1)
        }
        return best?.map { FramePlan.Part(stream: $0, isChecked: true) }
    }

    /// The streams of tags and patterns of such, and how many frames they have; nil if that is more than `most`.
    private func streams(
        _ tags: Set<String>,
        atMost most: Int,
        _ database: Database
    ) throws -> (streams: [FrameStream], count: Int)? {
        var (streams, count): ([FrameStream], Int) = ([], 0)
        for tag in tags.sorted() {
            if let words = try patterns.words(as: tag, database) {
                for word in words {
                    count += try self.count(of: word, atMost: most - count, database)
                    guard count <= most else { return nil }
                    streams.append(.tagged(word, camera: camera))
                }
            } else {
                guard let found = try patterns.counts(as: tag, database) else { return nil }
                // Those of other cameras are passed over in the index.
                count += found[camera, default: 0] + found.values.reduce(0, +) / Self.cost
                guard count <= most else { return nil }
                streams.append(.taggedAs(tag, camera: camera))
            }
        }
        return (streams, count)
    }

    /// How many frames have a tag; one more than `most` if it is more.
    private func count(of tag: String, atMost most: Int, _ database: Database) throws -> Int {
        let statement = try database.cachedStatement(
            sql: "SELECT count(*) FROM (SELECT 1 FROM frameTag WHERE tag = ? AND camera = ? LIMIT ?)"
        )
        return try Int.fetchOne(statement, arguments: [tag, camera, most + 1]) ?? 0
    }
}

extension String {
    /// The text before the first wildcard of a pattern.
    var beginning: String { String(prefix { $0 != "*" && $0 != "?" }) }
}
