// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension Spool {
    /// Lets go what the spool's settings say, in small steps between which stills get their turn, and tells what went.
    ///
    /// Pictures that were deleted before an error stay deleted.
    ///
    /// - Parameters:
    ///   - dryRun: only tell what would go and why; nothing is changed.
    ///   - confirm: a user says that the clock is right after a step; in a dry run, tell what would go if so.
    ///   - isQuick: of what goes by age, only what has become too old since the last pass: all pictures are looked at once
    ///     an hour.
    ///   - reading: what the clocks say; nil for what they say now.
    ///   - deadline: the moment up to which it may go on.
    /// - Returns: what went, or would go.
    /// - Throws: `spool-unavailable`, `spool-full` where not even the catalog finds room, `deadline-exceeded` and
    ///   `stopping`.
    package func retention(
        dryRun: Bool,
        confirm: Bool = false,
        isQuick: Bool = false,
        at reading: ClockReading? = nil,
        until deadline: MonotonicTime
    ) async throws(Problem) -> RetentionReport {
        var report: RetentionReport?
        return try await inOneOpening(Self.retaining, until: deadline) { opening throws(Problem) in
            try await retention(
                &report,
                dryRun: dryRun,
                confirm: confirm,
                isQuick: isQuick,
                at: reading,
                in: opening,
                until: deadline
            )
        }
    }

    private static let retaining = "apply retention"

    /// The same in one opening of the spool.
    ///
    /// `report` is what went in earlier openings, and what goes now is added to it; nil for none.
    @discardableResult
    func retention(
        _ report: inout RetentionReport?,
        dryRun: Bool,
        confirm: Bool = false,
        isQuick: Bool,
        at reading: ClockReading?,
        in opening: UInt64,
        until deadline: MonotonicTime
    ) async throws(Problem) -> RetentionReport {
        let verb = Self.retaining
        var pass = try await perform(verb, in: opening, until: deadline) { storage throws(Problem) in
            try storage.beginRetention(
                isDry: dryRun,
                confirm: confirm,
                isQuick: isQuick,
                at: reading ?? .now(bootID: storage.site.bootID)
            )
        }
        if let report, !dryRun {
            (pass.report.frames, pass.report.bytes) = (report.frames, report.bytes)
            pass.report.victims = report.victims
        }
        while !pass.isDone {
            let present = pass
            pass = try await perform(verb, in: opening, until: deadline) { storage throws(Problem) in
                var next = present
                try storage.advance(&next)
                return next
            }
            report = pass.report
        }
        if !dryRun {
            let final = pass
            try await perform(verb, in: opening, until: deadline) { storage throws(Problem) in
                try storage.endRetention(final)
            }
        }
        return pass.report
    }
}
