// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel
internal import TintypeSystem

extension SpoolStore {
    /// Reconciles folder and catalog, and returns a report.
    ///
    /// Complete pictures without a row are taken in, incomplete files are quarantined, rows without a file are marked
    /// as lost, and files of deleted frames that have reappeared are removed; `deep` also verifies every picture
    /// against its checksum and quarantines those that differ. Without `isWhole`, skips folders unchanged since a clean
    /// shutdown. Can be interrupted at any point and repeated. Throws `spool-unavailable`, `spool-full`,
    /// `deadline-exceeded` and `stopping`.
    package func verify(
        deep: Bool = false,
        isWhole: Bool = true,
        until deadline: MonotonicTime
    ) async throws(Problem) -> VerificationReport {
        let number = progress.withLock { all in
            all.begun += 1
            all.running[all.begun] = VerificationProgress()
            return all.begun
        }
        defer { progress.withLock { $0.running[number] = nil } }
        return try await storage.inOneOpening(Reconciliation.verb, until: deadline) { opening throws(Problem) in
            let isAbandoned = OnceFlag()
            defer { isAbandoned.raise() }
            let reconciliation = Reconciliation(
                storage,
                in: opening,
                isDeep: deep,
                isWhole: isWhole,
                isAbandoned: isAbandoned
            ) { [self] part in progress.withLock { $0.running[number]? = part } }
            let scanner = WorkerThreads(name: "tt-scan", count: 1) {}
            let late = Problem.late(Reconciliation.verb, folder)
            return try await scanner.perform(until: deadline, by: clock, otherwise: late) { _ throws(Problem) in
                try reconciliation.run()
            }
        }
    }
}
