// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum SpoolText {
    static func report(_ report: SpoolReport, width: Int? = nil) -> PrintedText {
        var lines = LabelledLines()
        lines.add("folder", report.folder)
        lines.add(report.state.reason)
        lines.add("since", report.state.since)
        lines.add("limit", report.limit.map { "\($0.durability.rawValue): \($0.sentence)" })
        lines.add("verifying", report.verification?.text)
        let heading: PrintedText = "\(report.spool): \(report.state.name.rawValue)\n"
        guard let statistics = report.statistics else { return heading + lines.text() }
        let total = statistics.total
        lines.add("frames", "\(total.frames), \(HumanBytes.rounded(total.bytes)) bytes")
        if let oldest = total.oldest, let newest = total.newest { lines.add("captured", "\(oldest) to \(newest)") }
        for (name, count) in [
            ("pinned", total.pinned), ("lost", total.lost), ("quarantined", statistics.quarantined),
        ] where count > 0 { lines.add(name, count) }
        lines.add("free", "\(HumanBytes.rounded(statistics.freeBytes)) bytes")
        return heading + lines.text() + cameras(statistics.cameras, width: width)
    }

    private static func cameras(_ cameras: [String: FrameTotals], width: Int?) -> PrintedText {
        guard !cameras.isEmpty else { return "" }
        let table = TextTable(
            cameras.sorted { $0.key < $1.key },
            [
                .init("CAMERA", cutTo: 8, \.key), .init("FRAMES") { $0.value.frames },
                .init("BYTES") { HumanBytes.rounded($0.value.bytes) }, .init("OLDEST", cutTo: 8, \.value.oldest),
                .init("NEWEST", cutTo: 8, \.value.newest),
            ]
        )
        return "\n\(table.text(width: width))"
    }

    static func verification(_ report: VerificationReport) -> PrintedText {
        let counts: [(name: String, count: Int, what: String)] = [
            ("taken in", report.takenIn, "whole pictures without a row"),
            ("found again", report.found, "had been lost"),
            ("lost", report.lost, "their files are gone"),
            ("missing", report.missing, "all pictures without a file, those lost before too"),
            ("unread", report.unread, "files or folders that could not be read or moved; see the log"),
            ("quarantined", report.quarantined, "not whole, moved to .quarantine"),
            ("foreign", report.foreign, "not files of the spool, left alone"),
            ("removed", report.removed, "files of deleted frames"),
            ("leftovers", report.leftovers, "of interrupted writes, removed"),
            ("damaged", report.damaged?.count ?? 0, "their bytes differ from those that were stored"),
        ]
        let found = counts.filter { $0.count > 0 }
        guard !found.isEmpty else {
            return "\(report.spool): folder and catalog agree\(report.isDeep ? ", and every picture is whole" : "")\n"
        }
        var lines = LabelledLines()
        for (name, count, what) in found { lines.add(name, "\(count) (\(what))") }
        let damaged = PrintedText((report.damaged ?? []).map { id -> PrintedText in "    \(id)\n" })
        return "\(report.spool):\n\(lines.text())\(damaged)"
    }

    static func retention(_ report: RetentionReport, width: Int? = nil) -> PrintedText {
        let verb = report.isDryRun ? "would be deleted" : "deleted"
        let frames = CountText.text(report.frames, "frame")
        var text: PrintedText = "\(report.spool): \(frames), \(HumanBytes.rounded(report.bytes)) bytes, \(verb)"
        if report.keptByPin > 0 { text += "; kept by a pin: \(report.keptByPin)" }
        text += "\n"
        if let withheld = report.withheld { text += "\(withheld)\n" }
        guard !report.victims.isEmpty else { return text }
        let table = TextTable(
            report.victims,
            [
                .init("ID", 1, \.id), .init("CAMERA", 3, cutTo: 8, \.camera),
                .init("CAPTURED", 4, cutTo: 8, \.capturedAt),
                .init("BYTES", 5) { HumanBytes.rounded($0.bytes) }, .init("RULE", 2, cutTo: 8, \.rule),
            ]
        )
        let more = report.frames - report.victims.count
        return text + table.text(width: width) + (more > 0 ? "and \(more) more\n" : "")
    }
}
