// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The record of a still and, with `-o`, the file written.
typealias TakenStill = RecordWithFile<StillRecord>

extension TakenStill {
    /// Path of the written file, else of the picture in the spool; throws if the daemon reports none.
    var path: String {
        get throws(ClientError) {
            if let path = file ?? record.path { return path }
            let detail = "The reply does not say where the still \(record.id) is stored."
            throw ClientError(.unexpected, detail, remedy: "Use a tintype of tintyped's version.")
        }
    }
}

/// Result of a burst: the daemon's list and, with `-o`, the files.
struct TakenBurst: Encodable {
    var stills: [TakenStill] = []
    var missed: [MissedStill]?

    mutating func addMissing(_ problem: Problem) {
        missed = (missed ?? []) + [MissedStill(index: stills.count + (missed?.count ?? 0), problem)]
    }

    /// Problem of the first missing picture, for the whole burst; nil if none is missing.
    var problem: Problem? {
        guard let missed, let first = missed.first else { return nil }
        let share = "\(missed.count) of \(CountText.text(stills.count + missed.count, "picture"))"
        let remedy = "Allow more time for each (--deadline) or between two (--every), and see “tintype status”."
        let verb = missed.count == 1 ? "is" : "are"
        let detail = "\(share) \(verb) missing; of number \(first.index + 1): \(first.detail)"
        return Problem(first.code, detail, remedy: remedy)
    }
}

struct RecordWithFile<Record: Encodable>: Encodable {
    private enum CodingKeys: String, CodingKey {
        case file
    }

    var record: Record
    /// Path of the file, or its name in an export; nil if none was written.
    var file: String?

    func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(file, forKey: .file)
    }
}
