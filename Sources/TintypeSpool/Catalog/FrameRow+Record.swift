// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension FrameRow {
    /// The row as a still's record, its path absolute.
    func record(in spool: String) -> StillRecord {
        StillRecord(
            id: id,
            camera: camera,
            path: "\(spool)/\(path)",
            stored: stored,
            bytes: bytes,
            width: size.width,
            height: size.height,
            sequence: sequence,
            capturedAt: capturedAt,
            timestampSource: timestampSource,
            uncertaintyMs: uncertainty.map(Milliseconds.init),
            settled: settled,
            verdict: verdict,
            faults: faults,
            appearance: appearance,
            tags: tags,
            average: average,
            gapMs: gap.map(Milliseconds.init),
            sha256: sha256
        )
    }

    /// The row as the record of a stored frame of the spool called `name`, its path absolute.
    func frameRecord(in spool: String, named name: String) -> FrameRecord {
        FrameRecord(
            still: record(in: spool),
            storedAt: storedAt,
            pinned: isPinned,
            lost: isLost,
            source: source,
            spool: name
        )
    }
}
