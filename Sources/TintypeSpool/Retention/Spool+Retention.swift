// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension Spool {
    /// Looks after the spool once: compares folder and catalog if that has not been done since it was opened, as far as
    /// they may have changed since it was closed, then lets go what has become too old, too much, or stands in the way of
    /// free space.
    ///
    /// For the background, as often as wanted: it ends with the work, or when the task is cancelled. Throws what
    /// ``verify(deep:until:)`` and ``retention(dryRun:confirm:isQuick:at:until:)`` throw.
    package func keep() async throws(Problem) {
        // A disk may take as long as it likes; a caller that cancels the task is not held up.
        let never = clock.now + .seconds(366 * 86_400)
        let verb = "be looked after"
        try await inOneOpening(verb, until: never) { opening throws(Problem) in
            let isNew = try await perform(verb, in: opening, until: never) { $0.maintenance.needsReconcile }
            var failure: Problem?
            if isNew {
                do throws(Problem) {
                    _ = try await compare(isWhole: false, until: never)
                } catch  where error.code == .spoolFull {
                    // Retention may make room.
                    failure = error
                }
            }
            // Not in an opening that has not been compared.
            var report: RetentionReport?
            try await retention(&report, dryRun: false, isQuick: true, at: nil, in: opening, until: never)
            condition.room = try await perform(verb, in: opening, until: never) { storage throws(Problem) in
                try storage.room()
            }
            if let failure { throw failure }
        }
    }

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
                at: reading ?? .now(bootID: storage.site.bootID, by: storage.clock)
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
