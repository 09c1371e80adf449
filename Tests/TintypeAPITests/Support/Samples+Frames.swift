// SPDX-License-Identifier: Apache-2.0
@testable import TintypeModel

extension Samples {
    /// The frame record of a still, with every field set.
    static func frame(_ record: StillRecord) -> FrameRecord {
        var record = record
        // Fields of the reply only.
        record.capturedMonotonicNs = nil
        record.leadMs = nil
        record.ageMs = nil
        record.waitedMs = nil
        record.skipped = nil
        record.focus = nil
        (record.deinterlaced, record.recompressed, record.color, record.colorAssumed) = (nil, nil, nil, nil)
        record.phasesMs = nil
        return FrameRecord(
            still: record,
            storedAt: until,
            pinned: true,
            lost: false,
            source: .publish,
            spool: "default",
            number: 42
        )
    }

    private static let totals = FrameTotals(
        frames: 3,
        bytes: 150_000,
        pinned: 1,
        lost: 1,
        films: 2,
        oldest: Timestamp(microseconds: 784_111_777_250_000),
        newest: until
    )

    static let spool = SpoolReport(
        spool: "default",
        folder: "/spool",
        state: .full(
            reason: Problem(.spoolFull, "It is full.", remedy: "Make room.", retryAfter: .seconds(10)),
            since: until
        ),
        limit: SpoolLimit(durability: .data, sentence: "exFAT."),
        room: SpoolRoom(freeBytes: 1 << 30, totalBytes: 1 << 40, minFreeBytes: 1 << 20),
        statistics: SpoolStatistics(
            spool: "default",
            folder: "/spool",
            total: totals,
            cameras: ["pattern": totals],
            freeBytes: 1 << 30,
            quarantined: 2
        ),
        verification: VerificationProgress(files: 3, frames: 2, of: 3)
    )

    static let deadSpool = SpoolReport(
        spool: "usb",
        folder: "/media/usb",
        state: .unavailable(
            reason: Problem(.spoolUnavailable, "It is gone.", remedy: "Plug it in."),
            since: until,
            nextAttempt: Timestamp(microseconds: until.microseconds + 1)
        )
    )

    static func retention(isDryRun: Bool) -> RetentionReport {
        RetentionReport(
            spool: "default",
            isDryRun: isDryRun,
            victims: [
                RetentionReport.Victim(id: id, camera: "pattern", capturedAt: until, bytes: 9, rule: "maxFrames 2")
            ],
            frames: 1,
            bytes: 9,
            keptByPin: 1,
            withheld: "The clock is not synchronised."
        )
    }
}
