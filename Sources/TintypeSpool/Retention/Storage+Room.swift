// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeSystem

extension Storage {
    /// Frees space on the file system for a picture, within the limits of retention.
    ///
    /// The oldest pictures are deleted if `minFree` is configured. If far too little is free, as after `minFree` was
    /// raised, only the size of the picture is freed and the rest is left to the background, so that no still waits for
    /// thousands of deletions. Returns true if the picture may be written; the writer then checks the actual space.
    func makeRoom(for bytes: UInt64) throws(Problem) -> Bool {
        let least = configuration.retention.minFree
        let short = try bytesLacking(of: bytes + StillWriter.reserve + least)
        guard short > 0 else { return true }
        guard least > 0 else { return false }
        let hasRoom = try bytesLacking(of: bytes + StillWriter.reserve) == 0
        // Space of recent deletions may still appear, and during a rebuild the oldest pictures are unknown.
        if short <= maintenance.room.pending(at: clock.now) || maintenance.isRebuilding { return hasRoom }
        guard try canMake(short) else {
            if hasRoom { throw minimumMissed }
            return false
        }
        // A margin, so that not every new picture waits for deletions.
        let slack = Int(clamping: min(least / 100, 16 << 20))
        let own = RetentionExcess.onDisk(Int(clamping: bytes))
        let isBehind = short > own + slack
        var free = isBehind ? max(own, try bytesLacking(of: bytes + StillWriter.reserve)) : short + slack
        let plan = retentionPlan
        var rest = try letOldestGo(RetentionExcess(plan, totals: [:], free: free), plan)
        while rest.isCovered, rest.unreachable == 0 {
            // The catalog uses a part of the freed space to record the deletions.
            let lacking = try bytesLacking(of: bytes + StillWriter.reserve)
            guard lacking > 0, lacking < free, maintenance.room.pending(at: clock.now) == 0 else { return true }
            free = lacking
            rest = try letOldestGo(RetentionExcess(plan, totals: [:], free: free), plan)
        }
        if try bytesLacking(of: bytes + StillWriter.reserve + least) == 0 { return true }
        if maintenance.room.isIneffective { throw ineffectiveDeletion }
        if rest.unreachable > 0 { return try bytesLacking(of: bytes + StillWriter.reserve) == 0 }
        if let error = maintenance.unremovable.example { throw full("minFree", error) }
        return false
    }

    /// Number of files to free: for a picture, its folders and its link.
    private static let filesOfPicture = 8

    /// Frees inodes, or a part of a quota, after the disk has refused a file in spite of its free bytes.
    ///
    /// The oldest pictures are deleted if `minFree` is configured, and no more until a picture of `camera` was stored:
    /// it may not help, as with a quota of its folder alone. Returns true if the file may be tried again.
    func makeRoomForFiles(of camera: String) throws(Problem) -> Bool {
        guard configuration.retention.minFree > 0, !maintenance.isRebuilding else { return false }
        if let last = maintenance.madeRoomForFiles[camera], clock.now - last < RoomWatch.rest { return true }
        maintenance.madeRoomForFiles[camera] = clock.now
        let plan = retentionPlan
        _ = try letOldestGo(RetentionExcess(plan, totals: [:], files: Self.filesOfPicture), plan)
        return true
    }

    /// Runs `work`, and again after ``makeRoomForFiles(of:)`` if the disk is full.
    func makingRoom<Value>(of camera: String, _ work: () throws(FileError) -> Value) throws(FileError) -> Value {
        do throws(FileError) {
            return try work()
        } catch {
            guard error.isFull, (try? makeRoomForFiles(of: camera)) ?? false else { throw error }
            return try work()
        }
    }

    /// Less than `minFree` is free, and deleting all pictures of this spool would not change that.
    private var minimumMissed: Problem {
        let free = (try? availableBytes()).map { HumanBytes.rounded(Int(clamping: $0)) } ?? "less"
        let least = HumanBytes.text(Int(clamping: configuration.retention.minFree))
        return Problem(
            .spoolFull,
            "\(free) are free on the disk of the spool \(folder), and its pictures are too few to make that \(least) (minFree).",
            remedy: "Free space on the disk, or lower minFree of the spool in the configuration.",
            retryAfter: .seconds(10)
        )
    }

    /// Admits a picture within the limits on number and bytes, deleting the oldest pictures if needed.
    ///
    /// If the limits are already exceeded, as after they were lowered, only as much is deleted as is added; the rest is
    /// left to the background. Throws `spool-full` if the remaining pictures are pinned.
    func admit(_ bytes: UInt64, of camera: String) throws(Problem) {
        let plan = retentionPlan
        // During a rebuild, the oldest known picture may be the newest of all; the background applies the limits later.
        guard !plan.caps.isEmpty, !maintenance.isRebuilding else { return }
        let picture = FrameTotals(frames: 1, bytes: Int(clamping: bytes))
        // An admitted picture that failed expires.
        if let admitted = maintenance.admitted, clock.now - admitted.since > .seconds(1) { maintenance.admitted = nil }
        var coming = maintenance.admitted?.totals ?? [:]
        coming[camera, default: FrameTotals()].frames += 1
        coming[camera]?.bytes += picture.bytes
        let totals = if let known = maintenance.totals { known } else { try catalog.totals() }
        maintenance.totals = totals
        if !RetentionExcess(plan, totals: totals, adding: coming).isCovered {
            try makePlace(for: coming, [camera: picture], plan)
        }
        let earlier = maintenance.admitted
        maintenance.admitted = (coming, earlier?.since ?? clock.now, earlier?.before ?? totals)
    }

    func noteStored(_ bytes: UInt64, of camera: String) {
        maintenance.admitted = nil
        maintenance.madeRoomForFiles[camera] = nil
        maintenance.room.noteStored(RetentionExcess.onDisk(Int(clamping: bytes)))
        maintenance.totals?[camera, default: FrameTotals()].frames += 1
        maintenance.totals?[camera]?.bytes += Int(clamping: bytes)
    }

    private func makePlace(
        for coming: [String: FrameTotals],
        _ picture: [String: FrameTotals],
        _ plan: RetentionPlan
    ) throws(Problem) {
        let hopeless = RetentionExcess(plan, totals: [:], adding: picture)
        guard hopeless.isCovered else {
            throw Problem(
                .spoolFull,
                "The picture alone is more than the spool \(folder) may hold (\(hopeless.limits)).",
                remedy: "Raise the limit in the configuration, or request a smaller picture."
            )
        }
        let totals = try catalog.totals()
        maintenance.totals = totals
        let before = maintenance.admitted?.before ?? totals
        let excess = RetentionExcess(plan, totals: totals, adding: coming, before: before, slack: true)
        guard !excess.isCovered else { return }
        _ = try letOldestGo(excess, plan)
        let rest = try catalog.totals()
        maintenance.totals = rest
        // Pictures that arrive at the same moment cannot replace each other yet.
        let left = RetentionExcess(plan, totals: rest, adding: picture, before: before)
        guard !left.isCovered else { return }
        throw full(left.limits, maintenance.unremovable.example)
    }

    /// Problem if the pictures that could make room are pinned or, as in `error`, cannot be removed.
    private func full(_ limits: String, _ error: FileError?) -> Problem {
        let reason = error.map { "pinned or cannot be removed. \($0)" } ?? "pinned."
        let remedy = "Unpin or delete pictures (tintype frames unpin, rm), or raise the limit in the configuration."
        return Problem(
            .spoolFull,
            "The spool \(folder) has reached its limit (\(limits)), and the pictures that could make room are \(reason)",
            remedy: error == nil ? remedy : "\(remedy) Let the daemon's user remove that file.",
            retryAfter: .seconds(10)
        )
    }

    /// Deletes the oldest pictures until the excess is covered or only pinned ones are left; returns the rest of it.
    private func letOldestGo(_ excess: RetentionExcess, _ plan: RetentionPlan) throws(Problem) -> RetentionExcess {
        var pass = RetentionPass(
            plan: plan,
            now: clock.wall,
            phase: .limits(after: nil),
            excess: excess,
            report: RetentionReport(spool: configuration.name, isDryRun: false),
            countsPins: false,
            batch: 64
        )
        while !pass.isDone { try advance(&pass) }
        if pass.report.frames > 0 {
            logger.debug(
                "Pictures were deleted to make room for a new one",
                metadata: ["count": "\(pass.report.frames)", "rule": "\(pass.report.victims.first?.rule ?? "")"]
            )
        }
        return pass.excess ?? excess
    }
}
