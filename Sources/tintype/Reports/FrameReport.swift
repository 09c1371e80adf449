// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Stored frames as text.
enum FrameReport {
    /// A table of them.
    static func table(_ frames: [FrameRecord]) -> TextTable {
        var table = TextTable(
            ["ID", "CAMERA", "CAPTURED", "SIZE", "BYTES", "VERDICT", "NOTES", "TAGS"],
            first: ["ID", "CAPTURED", "CAMERA", "NOTES", "TAGS", "SIZE", "VERDICT"],
            cut: ["CAMERA", "NOTES", "TAGS"]
        )
        for frame in frames {
            let still = frame.still
            table.add([
                still.id.description,
                still.camera,
                time(still.capturedAt),
                "\(still.width)x\(still.height)",
                HumanBytes.rounded(still.bytes),
                still.verdict?.rawValue ?? "",
                notes(frame).joined(separator: ","),
                still.tags?.joined(separator: ",") ?? "",
            ])
        }
        return table
    }

    /// All of one frame, a line for each field that it has.
    static func text(_ frame: FrameRecord) -> PrintedText {
        let still = frame.still
        var lines: [(name: String, value: String)] = [
            ("camera", still.camera), ("captured", captured(still)),
            ("stored", "\(frame.storedAt) (\(still.stored.rawValue))"), ("file", still.path ?? "none"),
            ("spool", frame.spool),
            ("picture", "\(still.width)x\(still.height), \(still.bytes) bytes, frame \(still.sequence)"),
        ]
        if let sha256 = still.sha256 { lines.append(("sha256", sha256)) }
        if let verdict = still.verdict {
            let faults = still.faults.map { " (\($0.map(\.rawValue).joined(separator: ", ")))" } ?? ""
            lines.append(("verdict", verdict.rawValue + faults))
        }
        if let settled = still.settled { lines.append(("settled", settled ? "yes" : "no")) }
        if let looks = still.appearance, !looks.isEmpty {
            lines.append(("looks", looks.map(\.rawValue).joined(separator: ", ")))
        }
        if let average = still.average { lines.append(("average of", "\(average) frames")) }
        if let gap = still.gapMs { lines.append(("interrupted", SpokenDuration.text(gap.duration))) }
        if let tags = still.tags, !tags.isEmpty { lines.append(("tags", tags.joined(separator: ", "))) }
        lines.append(("source", frame.source.rawValue))
        if frame.pinned { lines.append(("pinned", "yes: retention leaves it alone")) }
        if frame.lost { lines.append(("lost", "its file is gone")) }
        return "\(still.id)\n\(LabelledLines.text(lines))"
    }

    /// The remarkable properties, in a word each.
    private static func notes(_ frame: FrameRecord) -> [String] {
        var notes: [String] = []
        if frame.pinned { notes.append("pinned") }
        if frame.lost { notes.append("lost") }
        if frame.still.settled == false { notes.append("unsettled") }
        return notes + (frame.still.appearance ?? []).map(\.rawValue)
    }

    /// To the second, as in `2026-11-21T14:30:12Z`: ids are in the order of time, and `show` has all of it.
    private static func time(_ time: Timestamp) -> String { "\(time.description.prefix(19))Z" }

    private static func captured(_ still: StillRecord) -> String {
        let uncertainty = still.uncertaintyMs.map { " ± \(SpokenDuration.text($0.duration))" } ?? ""
        return "\(still.capturedAt)\(uncertainty) (\(still.timestampSource.rawValue))"
    }
}
