// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum FrameReport {
    static func table(_ frames: [FrameRecord]) -> TextTable {
        TextTable(
            ["ID", "CAMERA", "CAPTURED", "SIZE", "BYTES", "VERDICT", "NOTES", "TAGS"],
            first: ["ID", "CAPTURED", "CAMERA", "NOTES", "TAGS", "SIZE", "VERDICT"],
            cut: ["CAMERA", "NOTES", "TAGS"],
            frames.map { frame in
                let still = frame.still
                return [
                    still.id.description, still.camera, time(still.capturedAt), "\(still.width)x\(still.height)",
                    HumanBytes.rounded(still.bytes), still.verdict?.rawValue ?? "",
                    notes(frame).joined(separator: ","), still.tags?.joined(separator: ",") ?? "",
                ]
            }
        )
    }

    static func text(_ frame: FrameRecord) -> PrintedText {
        let still = frame.still
        var lines = LabelledLines()
        lines.add("camera", still.camera)
        let uncertainty = still.uncertaintyMs.map { " ± \($0.spoken)" } ?? ""
        lines.add("captured", "\(still.capturedAt)\(uncertainty) (\(still.timestampSource.rawValue))")
        lines.add("stored", "\(frame.storedAt) (\(still.stored.rawValue))")
        lines.add("file", still.path ?? "none")
        lines.add("spool", frame.spool)
        let content = still.pictures.map { CountText.text($0, "picture") } ?? "frame \(still.sequence)"
        let size = "\(still.width)x\(still.height), \(still.bytes) bytes"
        lines.add(still.kind?.rawValue ?? "picture", "\(size), \(content)")
        lines.add("lasts", still.durationMs?.spoken)
        lines.add("until", still.until?.description)
        lines.add("sha256", still.sha256)
        let faults = still.faults.map { " (\($0.map(\.rawValue).joined(separator: ", ")))" } ?? ""
        lines.add("verdict", still.verdict.map { $0.rawValue + faults })
        lines.add("settled", still.settled.map { $0 ? "yes" : "no" })
        if let looks = still.appearance, !looks.isEmpty {
            lines.add("looks", looks.map(\.rawValue).joined(separator: ", "))
        }
        lines.add("average of", still.average.map { "\($0) frames" })
        lines.add("interrupted", still.gapMs?.spoken)
        if let tags = still.tags, !tags.isEmpty { lines.add("tags", tags.joined(separator: ", ")) }
        lines.add("source", frame.source.rawValue)
        if frame.pinned { lines.add("pinned", "yes: retention leaves it alone") }
        if frame.lost { lines.add("lost", "its file is gone") }
        return "\(still.id)\n\(lines.text())"
    }

    private static func notes(_ frame: FrameRecord) -> [String] {
        var notes = frame.still.kind.map { [$0.rawValue] } ?? []
        if frame.pinned { notes.append("pinned") }
        if frame.lost { notes.append("lost") }
        if frame.still.settled == false { notes.append("unsettled") }
        return notes + (frame.still.appearance ?? []).map(\.rawValue)
    }

    /// Second precision, for example `2026-11-21T14:30:12Z`: ids sort by time, and `show` prints the full value.
    private static func time(_ time: Timestamp) -> String { "\(time.description.prefix(19))Z" }
}
