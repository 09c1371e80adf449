// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension SpoolStore {
    /// Reconciles folder and catalog if not yet done in this opening, then applies retention; in the background, until
    /// done or until the task is cancelled; throws as ``verify(deep:isWhole:until:)`` and
    /// ``retention(dryRun:confirm:isQuick:at:until:)``.
    package func keep() async throws(Problem) {
        // A disk may take any time; cancelling the task releases the caller.
        let never = clock.now + .seconds(366 * 86_400)
        let verb = "be looked after"
        try await storage.inOneOpening(verb, until: never) { opening throws(Problem) in
            let isDue = try await storage.perform(verb, in: opening, until: never) { $0.comparison.isDue }
            var failure: Problem?
            if isDue {
                do throws(Problem) {
                    _ = try await verify(isWhole: false, until: never)
                } catch  where error.code == .spoolFull {
                    // Retention may free space.
                    failure = error
                }
            }
            // Only in the opening that was compared.
            var report: RetentionReport?
            try await retain(&report, in: opening, until: never) { spool throws(Problem) in
                try spool.retention.begin(isDry: false, confirm: false, isQuick: true, at: nil)
            }
            storage.health.room = try await storage.perform(verb, in: opening, until: never) { spool throws(Problem) in
                SpoolRoom(
                    freeBytes: try spool.retention.availableBytes(),
                    totalBytes: Int(clamping: SystemCalls.totalBytes(at: spool.folder)),
                    minFreeBytes: Int(clamping: spool.configuration.retention.minFree)
                )
            }
            if let failure { throw failure }
        }
    }

    /// Applies the retention settings in small steps, between which stills are stored, or only reports if `dryRun`.
    ///
    /// `confirm`: a user confirms the clock after a step; a dry run only assumes that. `isQuick` checks by age only
    /// pictures that became too old since the last pass, and all once an hour. A nil `reading` reads the clocks. Throws
    /// `spool-unavailable`, `spool-full` if there is no space even for the catalog, `deadline-exceeded` and `stopping`.
    package func retention(
        dryRun: Bool,
        confirm: Bool = false,
        isQuick: Bool = false,
        at reading: ClockReading? = nil,
        until deadline: MonotonicTime
    ) async throws(Problem) -> RetentionReport {
        var report: RetentionReport?
        return try await storage.inOneOpening("apply retention", until: deadline) { opening throws(Problem) in
            try await retain(&report, in: opening, until: deadline) { spool throws(Problem) in
                try spool.retention.begin(isDry: dryRun, confirm: confirm, isQuick: isQuick, at: reading)
            }
        }
    }

    /// Runs the pass of `begin` within one opening of the spool; `report` accumulates deletions across openings.
    @discardableResult
    private func retain(
        _ report: inout RetentionReport?,
        in opening: UInt64,
        until deadline: MonotonicTime,
        _ begin: @escaping @Sendable (OpenSpool) throws(Problem) -> RetentionPass
    ) async throws(Problem) -> RetentionReport {
        let verb = "apply retention"
        var pass = try await storage.perform(verb, in: opening, until: deadline, begin)
        if let report, !pass.isDry {
            (pass.report.frames, pass.report.bytes) = (report.frames, report.bytes)
            pass.report.victims = report.victims
        }
        while !pass.isDone {
            let present = pass
            pass = try await storage.perform(verb, in: opening, until: deadline) { spool throws(Problem) in
                var next = present
                try spool.retention.advance(&next)
                return next
            }
            report = pass.report
        }
        if !pass.isDry {
            let final = pass
            try await storage.perform(verb, in: opening, until: deadline) { spool throws(Problem) in
                try spool.retention.end(final)
            }
        }
        return pass.report
    }
}
