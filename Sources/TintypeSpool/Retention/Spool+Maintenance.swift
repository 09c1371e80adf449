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
        let never = MonotonicTime.now() + .seconds(366 * 86_400)
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
}
