// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
package import TintypeModel
internal import TintypeSystem

extension Spool {
    /// Number of files or rows per step on the storage thread.
    private static let step = 200

    /// Reconciles folder and catalog, and returns a report.
    ///
    /// Complete pictures without a row are taken in, incomplete files are quarantined, rows without a file are marked
    /// as lost, and interrupted deletions are completed; `deep` also verifies every picture against its checksum and
    /// quarantines those that differ. Walks folders and reads files on the thread `tt-scan`. Changes are made in short
    /// steps, between which stills are stored. Can be interrupted at any point and repeated. Throws
    /// `spool-unavailable`, `spool-full`, `deadline-exceeded` and `stopping`.
    package func verify(deep: Bool = false, until deadline: MonotonicTime) async throws(Problem) -> VerificationReport {
        try await compare(deep: deep, isWhole: true, until: deadline)
    }

    /// As ``verify(deep:until:)``; without `isWhole`, skips folders unchanged since a clean shutdown.
    func compare(
        deep: Bool = false,
        isWhole: Bool,
        until deadline: MonotonicTime
    ) async throws(Problem) -> VerificationReport {
        try await inOneOpening(Self.verb, until: deadline) { opening throws(Problem) in
            let scan = try await perform(Self.verb, in: opening, until: deadline) { storage in
                FolderScan(storage, isDeep: deep, isWhole: isWhole)
            }
            return try await verify(scan, until: deadline)
        }
    }

    private static let verb = "be verified"

    private func verify(_ scan: FolderScan, until deadline: MonotonicTime) async throws(Problem) -> VerificationReport {
        let number = progress.withLock { all in
            let number = (all.keys.max() ?? 0) + 1
            all[number] = VerificationProgress()
            return number
        }
        defer { progress.withLock { $0[number] = nil } }
        try await salvage(in: scan.opening, until: deadline)
        let deep = scan.isDeep
        let scanner = WorkerThreads<FolderScan>(name: "tt-scan", count: 1) { scan }
        var report = VerificationReport(spool: scan.spool, isDeep: deep, damaged: deep ? [] : nil)
        report.leftovers = scan.leftovers
        try await takeIn(&report, scanner, number, in: scan.opening, until: deadline)
        try await findLost(&report, scanner, number, in: scan.opening, until: deadline)
        let ended = try await scanned(scanner, until: deadline) { scan throws(Problem) in scan }
        try await amend(&report, in: scan.opening, until: deadline) { storage, report throws(Problem) in
            report.missing = try storage.catalog.totals().values.reduce(0) { $0 + $1.lost }
            report.unread += ended.unread
            try storage.finishReconciling(report, ended)
        }
        return report
    }

    private func salvage(in opening: UInt64, until deadline: MonotonicTime) async throws(Problem) {
        let names = try await perform(Self.verb, in: opening, until: deadline) { storage throws(Problem) in
            try asProblem(try storage.catalogsToSalvage())
        }
        guard let names else { return }
        let late = Self.late(Self.verb, folder)
        var left = names
        if names.isEmpty { try await noteSalvage(of: left, in: opening, until: deadline) }
        for name in names {
            let path = "\(folder)/\(name)"
            let oldest = Tombstone.oldest(at: clock.wall)
            let reader = WorkerThreads<CatalogSalvage>(name: "tt-scan", count: 1) {
                CatalogSalvage(path: path, oldestTombstone: oldest)
            }
            var count = 0
            while true {
                let part = try await reader.perform(until: deadline, by: clock, otherwise: late) {
                    salvage throws(Problem) in
                    salvage.next(Self.step)
                }
                guard let part else { break }
                count += try await perform(Self.verb, in: opening, until: deadline) { storage throws(Problem) in
                    try storage.catalog.takeOver(part)
                }
            }
            let obstacle = try await reader.perform(until: deadline, by: clock, otherwise: late) {
                salvage throws(Problem) in
                salvage.close()
                return salvage.obstacle
            }
            if let obstacle {
                logger.error(
                    "The damaged catalog \(path) cannot be read now; the next comparison takes over what can be read",
                    metadata: ["reason": "\(obstacle)"]
                )
            } else {
                // Recorded one by one: reading a catalog again would undo later changes.
                left.removeAll { $0 == name }
                try await noteSalvage(of: left, in: opening, until: deadline)
                logger.notice("Took over what could be read of the damaged catalog", metadata: ["frames": "\(count)"])
            }
        }
    }

    private func noteSalvage(of names: [String], in opening: UInt64, until deadline: MonotonicTime)
        async throws(Problem)
    {
        try await perform(Self.verb, in: opening, until: deadline) { storage throws(Problem) in
            try asProblem(try storage.noteSalvage(of: names))
        }
    }

    private func takeIn(
        _ report: inout VerificationReport,
        _ scanner: WorkerThreads<FolderScan>,
        _ number: Int,
        in opening: UInt64,
        until deadline: MonotonicTime
    ) async throws(Problem) {
        while true {
            let found = try await scanned(scanner, until: deadline) { scan throws(Problem) in try scan.next(Self.step) }
            guard !found.isEmpty else { return }
            progress.withLock { $0[number]?.files += found.count }
            let unknown = try await amend(&report, in: opening, until: deadline) { storage, report throws(Problem) in
                try storage.unknownFiles(found, &report)
            }
            var rest = unknown[...]
            while !rest.isEmpty {
                let batch = rest
                let examined = try await scanned(scanner, until: deadline) { scan throws(Problem) in
                    scan.examine(batch)
                }
                rest = rest.dropFirst(examined.count)
                try await amend(&report, in: opening, until: deadline) { storage, report throws(Problem) in
                    try storage.settle(examined, &report)
                }
            }
        }
    }

    private func findLost(
        _ report: inout VerificationReport,
        _ scanner: WorkerThreads<FolderScan>,
        _ number: Int,
        in opening: UInt64,
        until deadline: MonotonicTime
    ) async throws(Problem) {
        var place: RowPlace? = try await scanned(scanner, until: deadline) { scan throws(Problem) in
            scan.mark == nil ? .behind(nil) : .behindPath("", passing: scan.passed)
        }
        let all = try await perform(Self.verb, in: opening, until: deadline) { storage throws(Problem) in
            try storage.catalog.totals()
        }
        let count = all.values.reduce(0) { $0 + $1.frames }
        progress.withLock { $0[number]?.of = count }
        while let present = place {
            let (rows, next) = try await perform(Self.verb, in: opening, until: deadline) { storage throws(Problem) in
                try storage.catalog.rowsToCompare(from: present, limit: Self.step)
            }
            place = next
            let (missing, damaged) = try await scanned(scanner, until: deadline) { scan throws(Problem) in
                scan.compare(rows)
            }
            progress.withLock { $0[number]?.frames += rows.count }
            guard !missing.isEmpty || !damaged.isEmpty else { continue }
            try await amend(&report, in: opening, until: deadline) { storage, report throws(Problem) in
                try storage.markLost(missing, &report)
                try storage.setAside(damaged, &report)
            }
        }
    }

    private func amend<Value: Sendable>(
        _ report: inout VerificationReport,
        in opening: UInt64,
        until deadline: MonotonicTime,
        _ work: @escaping @Sendable (Storage, inout VerificationReport) throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let present = report
        let (value, amended) = try await perform(Self.verb, in: opening, until: deadline) { storage throws(Problem) in
            var report = present
            let stayed = storage.maintenance.stayed
            let value = try work(storage, &report)
            report.unread += storage.maintenance.stayed - stayed
            return (value, report)
        }
        report = amended
        return value
    }

    private func scanned<Value: Sendable>(
        _ scanner: WorkerThreads<FolderScan>,
        until deadline: MonotonicTime,
        _ work: @escaping @Sendable (inout FolderScan) throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        try await scanner.perform(until: deadline, by: clock, otherwise: Self.late(Self.verb, folder), work)
    }
}
