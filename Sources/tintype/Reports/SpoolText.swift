// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Spools, and what was done to them, as text.
enum SpoolText {
    /// How a spool is and what is in it.
    static func report(_ report: SpoolReport, width: Int? = nil) -> PrintedText {
        var lines: [(name: String, value: String)] = [("folder", report.folder)]
        if let reason = report.state.reason {
            lines.append(("problem", "\(reason.code.rawValue): \(reason.detail)"))
            lines.append(("remedy", reason.remedy))
        }
        if let since = report.state.since { lines.append(("since", since.description)) }
        if let limit = report.limit { lines.append(("limit", "\(limit.durability.rawValue): \(limit.sentence)")) }
        if let progress = report.verification { lines.append(("verifying", progress.text)) }
        guard let statistics = report.statistics else { return heading(report) + LabelledLines.text(lines) }
        let total = statistics.total
        lines.append(("frames", "\(total.frames), \(HumanBytes.rounded(total.bytes)) bytes"))
        if let oldest = total.oldest, let newest = total.newest { lines.append(("captured", "\(oldest) to \(newest)")) }
        if total.pinned > 0 { lines.append(("pinned", "\(total.pinned)")) }
        if total.lost > 0 { lines.append(("lost", "\(total.lost)")) }
        if statistics.quarantined > 0 { lines.append(("quarantined", "\(statistics.quarantined)")) }
        lines.append(("thumbnails", "\(HumanBytes.rounded(statistics.thumbnailBytes)) bytes"))
        lines.append(("free", "\(HumanBytes.rounded(statistics.freeBytes)) bytes"))
        return heading(report) + LabelledLines.text(lines) + cameras(statistics.cameras, width: width)
    }

    private static func heading(_ report: SpoolReport) -> PrintedText {
        "\(report.spool): \(report.state.name.rawValue)\n"
    }

    private static func cameras(_ cameras: [String: FrameTotals], width: Int?) -> PrintedText {
        guard !cameras.isEmpty else { return "" }
        var table = TextTable(["CAMERA", "FRAMES", "BYTES", "OLDEST", "NEWEST"], cut: ["CAMERA", "OLDEST", "NEWEST"])
        for (name, totals) in cameras.sorted(by: { $0.key < $1.key }) {
            table.add([
                name, "\(totals.frames)", HumanBytes.rounded(totals.bytes), totals.oldest?.description ?? "",
                totals.newest?.description ?? "",
            ])
        }
        return "\n\(table.text(width: width))"
    }

    /// The result of a comparison of folder and catalog.
    static func verification(_ report: VerificationReport) -> PrintedText {
        let counts: [(name: String, count: Int, what: String)] = [
            ("taken in", report.takenIn, "whole pictures without a row"),
            ("found again", report.found, "had been lost"),
            ("lost", report.lost, "their files are gone"),
            ("quarantined", report.quarantined, "not whole, moved to .quarantine"),
            ("foreign", report.foreign, "not files of the spool, left alone"),
            ("removed", report.removed, "files of deleted frames"),
            ("leftovers", report.leftovers, "of interrupted writes, removed"),
            ("damaged", report.damaged?.count ?? 0, "their bytes differ from those that were stored"),
        ]
        let lines = counts.filter { $0.count > 0 }.map { (name: $0.name, value: "\($0.count) (\($0.what))") }
        guard !lines.isEmpty else {
            return "\(report.spool): folder and catalog agree\(report.isDeep ? ", and every picture is whole" : "")\n"
        }
        let damaged = PrintedText((report.damaged ?? []).map { id -> PrintedText in "    \(id)\n" })
        return "\(report.spool):\n\(LabelledLines.text(lines))\(damaged)"
    }

    /// The deletions of retention, made or planned.
    static func retention(_ report: RetentionReport, width: Int? = nil) -> PrintedText {
        let verb = report.isDryRun ? "would be deleted" : "deleted"
        var text: PrintedText =
            "\(report.spool): \(CountText.frames(report.frames)), \(HumanBytes.rounded(report.bytes)) bytes, \(verb)"
        if report.keptByPin > 0 { text += "; kept by a pin: \(report.keptByPin)" }
        text += "\n"
        if let withheld = report.withheld { text += "\(withheld)\n" }
        guard !report.victims.isEmpty else { return text }
        var table = TextTable(
            ["ID", "CAMERA", "CAPTURED", "BYTES", "RULE"],
            first: ["ID", "RULE", "CAMERA"],
            cut: ["CAMERA", "CAPTURED", "RULE"]
        )
        for victim in report.victims {
            table.add([
                victim.id.description, victim.camera, victim.capturedAt.description, HumanBytes.rounded(victim.bytes),
                victim.rule,
            ])
        }
        let more = report.frames - report.victims.count
        return text + table.text(width: width) + (more > 0 ? "and \(more) more\n" : "")
    }
}
