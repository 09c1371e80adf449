// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// Makes room before a picture is stored, within the limits of retention; on the storage thread.
final class Admission {
    /// Number of files to free: for a picture, its folders and its link.
    private static let filesOfPicture = 8

    /// Time of the last deletions for inodes or a quota by camera, until the next stored picture of the camera.
    private var madeRoomForFiles: [String: MonotonicTime] = [:]
    /// Totals of the pictures admitted in this group, which may not have a row yet, and the totals before them.
    private var admitted: (totals: [String: FrameTotals], before: [String: FrameTotals])?
    /// Totals of the catalog in this group, nil until read: only deletions change them, as rows are inserted at its end.
    private var present: [String: FrameTotals]?
    private unowned let spool: OpenSpool
    private var retention: Retention { spool.retention }
    private var plan: RetentionPlan { retention.plan }

    init(_ spool: OpenSpool) { self.spool = spool }

    /// Deletes the oldest pictures, if `minFree` is configured; returns true if the picture may be written: the writer
    /// then checks the actual space.
    ///
    /// If far too little is free, as after `minFree` was raised, only the size of the picture is freed and the rest is
    /// left to the background, so that no still waits for thousands of deletions.
    func makeRoom(for bytes: UInt64) throws(Problem) -> Bool {
        let least = spool.configuration.retention.minFree
        let own = bytes + WriteQueue.reserve
        let short = try retention.bytesLacking(of: own + least)
        guard short > 0 else { return true }
        guard least > 0 else { return false }
        let hasRoom = try retention.bytesLacking(of: own) == 0
        // Space of recent deletions may still appear, and during a rebuild the oldest pictures are unknown.
        if short <= retention.room.pending(at: spool.clock.now) || spool.comparison.isRebuilding { return hasRoom }
        guard try retention.canFree(short) else {
            if hasRoom { throw minimumMissed }
            return false
        }
        // A margin, so that not every new picture waits for deletions.
        let slack = Int(clamping: min(least / 100, 16 << 20))
        let onDisk = RetentionExcess.onDisk(Int(clamping: bytes))
        let isBehind = short > onDisk + slack
        var free = isBehind ? max(onDisk, try retention.bytesLacking(of: own)) : short + slack
        var rest = try deleteOldest(RetentionExcess(plan, totals: [:], free: free))
        while rest.isCovered, rest.unreachable == 0 {
            // The catalog uses a part of the freed space to record the deletions.
            let lacking = try retention.bytesLacking(of: own)
            guard lacking > 0, lacking < free, retention.room.pending(at: spool.clock.now) == 0 else { return true }
            free = lacking
            rest = try deleteOldest(RetentionExcess(plan, totals: [:], free: free))
        }
        if try retention.bytesLacking(of: own + least) == 0 { return true }
        if retention.room.isIneffective { throw retention.ineffectiveDeletion }
        if rest.unreachable > 0 { return try retention.bytesLacking(of: own) == 0 }
        if let error = retention.unremovable.example { throw limitReached("minFree", error) }
        return false
    }

    /// Frees inodes, or a part of a quota, after the disk has refused a file in spite of its free bytes.
    ///
    /// The oldest pictures are deleted if `minFree` is configured, and no more until a picture of `camera` was stored,
    /// or for a day: it may not help, as with a quota of its folder alone. Returns true if the file may be tried again.
    func makeRoomForFiles(of camera: String) throws(Problem) -> Bool {
        guard spool.configuration.retention.minFree > 0, !spool.comparison.isRebuilding else { return false }
        if let last = madeRoomForFiles[camera], spool.clock.now - last < RoomWatch.rest { return true }
        madeRoomForFiles[camera] = spool.clock.now
        _ = try deleteOldest(RetentionExcess(plan, totals: [:], files: Self.filesOfPicture))
        return true
    }

    /// Runs `work`, and again after ``makeRoomForFiles(of:)`` if the disk is full.
    func withRoom<Value>(for camera: String, _ work: () throws(FileError) -> Value) throws(FileError) -> Value {
        do throws(FileError) {
            return try work()
        } catch {
            guard error.isFull, (try? makeRoomForFiles(of: camera)) ?? false else { throw error }
            return try work()
        }
    }

    func beginGroup() { (admitted, present) = (nil, nil) }

    /// Admits a picture of the group within the limits on number and bytes, deleting the oldest pictures if needed.
    ///
    /// If the limits are already exceeded, as after they were lowered, only as much is deleted as is added; the rest is
    /// left to the background. Throws `spool-full` if the remaining pictures are pinned.
    func admit(_ bytes: UInt64, of camera: String, isStill: Bool) throws(Problem) {
        // During a rebuild, the oldest known picture may be the newest of all; the background applies the limits later.
        guard !plan.caps.isEmpty, !spool.comparison.isRebuilding else { return }
        let picture = Self.totals(bytes, isStill)
        let remedy = "Raise the limit in the configuration, or request a smaller picture."
        try checkSize([camera: picture], "The picture alone is", .spoolFull, remedy)
        var coming = admitted?.totals ?? [:]
        coming[camera] = coming[camera, default: FrameTotals()] + picture
        let present = try presentTotals()
        let before = admitted?.before ?? present
        let excess = RetentionExcess(plan, totals: present, adding: coming, before: before, slack: true)
        if !excess.isCovered {
            _ = try deleteOldest(excess)
            // Pictures that arrive at the same moment cannot replace each other yet.
            let rest = try presentTotals()
            let left = RetentionExcess(plan, totals: rest, adding: [camera: picture], before: before)
            guard left.isCovered else { throw limitReached(left.limits, retention.unremovable.example) }
        }
        admitted = (coming, before)
    }

    private func presentTotals() throws(Problem) -> [String: FrameTotals] {
        if let present { return present }
        let totals = try spool.catalog.totals()
        present = totals
        return totals
    }

    /// Throws a problem if what comes is alone more than the limits allow.
    private func checkSize(
        _ coming: [String: FrameTotals],
        _ subject: String,
        _ code: ProblemCode,
        _ remedy: String
    ) throws(Problem) {
        let alone = RetentionExcess(plan, totals: [:], adding: coming)
        guard !alone.isCovered else { return }
        let detail = "\(subject) more than the spool \(spool.folder) may hold (\(alone.limits))."
        throw Problem(code, detail, remedy: remedy)
    }

    private static func totals(_ bytes: UInt64, _ isStill: Bool) -> FrameTotals {
        FrameTotals(frames: isStill ? 1 : 0, bytes: Int(clamping: bytes), films: isStill ? nil : 1)
    }

    func noteStored(_ bytes: Int, of camera: String) {
        madeRoomForFiles[camera] = nil
        retention.room.noteStored(RetentionExcess.onDisk(bytes))
    }

    /// Deletes the next of the oldest pictures to make room for a film or clip, so that its admission holds up no still;
    /// returns the pass to continue, nil once there is room or only pinned ones are left.
    ///
    /// Throws `configuration-conflict` if it alone is more than the limits allow.
    func makeRoom(for film: StillRecord, _ begun: RetentionPass?) throws(Problem) -> RetentionPass? {
        guard !plan.caps.isEmpty, !spool.comparison.isRebuilding else { return nil }
        let coming = [film.camera: Self.totals(UInt64(film.bytes), false)]
        let subject = "The \(film.kind?.rawValue ?? "film") has \(HumanBytes.rounded(film.bytes)),"
        let remedy = "Raise the limit in the configuration, or make a shorter one."
        try checkSize(coming, subject, .configurationConflict, remedy)
        let present = begun == nil ? try spool.catalog.totals() : [:]
        var pass =
            begun ?? pass(RetentionExcess(plan, totals: present, adding: coming, before: present, slack: true))
        try retention.advance(&pass)
        return pass.isDone ? nil : pass
    }

    private func pass(_ excess: RetentionExcess) -> RetentionPass {
        RetentionPass(
            plan: plan,
            now: spool.clock.wall,
            phase: .limits(after: nil),
            excess: excess,
            report: RetentionReport(spool: spool.configuration.name, isDryRun: false),
            countsPins: false,
            batch: 64
        )
    }

    /// Deletes the oldest pictures until the excess is covered or only pinned ones are left; returns the rest of it.
    private func deleteOldest(_ excess: RetentionExcess) throws(Problem) -> RetentionExcess {
        defer { present = nil }
        var pass = pass(excess)
        while !pass.isDone { try retention.advance(&pass) }
        if pass.report.frames > 0 {
            spool.logger.debug(
                "Pictures were deleted to make room for a new one",
                metadata: ["count": "\(pass.report.frames)", "rule": "\(pass.report.victims.first?.rule ?? "")"]
            )
        }
        return pass.excess ?? excess
    }

    /// Less than `minFree` is free, and deleting all pictures of this spool would not change that.
    private var minimumMissed: Problem {
        let free = (try? retention.availableBytes()).map { HumanBytes.rounded($0) } ?? "less"
        let least = HumanBytes.text(Int(clamping: spool.configuration.retention.minFree))
        return Problem(
            .spoolFull,
            "\(free) are free on the disk of the spool \(spool.folder), and its pictures are too few to make that "
                + "\(least) (minFree).",
            remedy: "Free space on the disk, or lower minFree of the spool in the configuration.",
            retryAfter: .seconds(10)
        )
    }

    /// Problem if the pictures that could make room are pinned or, as in `error`, cannot be removed.
    private func limitReached(_ limits: String, _ error: FileError?) -> Problem {
        let reason = error.map { "pinned or cannot be removed. \($0)" } ?? "pinned."
        let remedy = "Unpin or delete pictures (tintype frames unpin, rm), or raise the limit in the configuration."
        return Problem(
            .spoolFull,
            "The spool \(spool.folder) has reached its limit (\(limits)), and the pictures that could make room are "
                + reason,
            remedy: error == nil ? remedy : "\(remedy) Let the daemon's user remove that file.",
            retryAfter: .seconds(10)
        )
    }
}
