// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A still that a command has taken: its record and, with `-o`, the file that was written.
typealias TakenStill = RecordWithFile<StillRecord>

extension TakenStill {
    /// Where the picture is to be found: the file or, without one, that in the spool.
    ///
    /// Throws where the daemon does not tell.
    var path: String {
        get throws(ClientError) {
            if let path = file ?? record.path { return path }
            throw ClientError(
                .unexpected,
                "The reply does not say where the still \(record.id) is stored.",
                remedy: "Use a tintype of tintyped's version."
            )
        }
    }
}

/// The result of a burst: the list of the daemon's reply, and with `-o` the files.
struct TakenBurst: Encodable {
    var stills: [TakenStill] = []
    var missed: [MissedStill]?

    /// Notes that the next one is missing.
    mutating func miss(_ problem: Problem) {
        missed = (missed ?? []) + [MissedStill(index: stills.count + (missed?.count ?? 0), problem)]
    }

    /// The first that is missing, as the failure of the whole; nil where all are there.
    var problem: Problem? {
        guard let missed, let first = missed.first else { return nil }
        let all = stills.count + missed.count
        return Problem(
            first.code,
            "\(missed.count) of \(all) pictures are missing; of number \(first.index + 1): \(first.detail)",
            remedy: "Allow more time for each (--deadline) or between two (--every), and see “tintype status”."
        )
    }
}
