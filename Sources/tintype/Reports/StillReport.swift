// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The time and the properties of a still, in a line or two.
enum StillReport {
    /// With `showsPath` the file in the spool is told, too.
    static func text(_ record: StillRecord, showsPath: Bool = false) -> PrintedText {
        var text: PrintedText = "\(record.camera): \(record.width)x\(record.height), \(record.bytes) bytes, "
        text += "frame \(record.sequence), \(ages(record.ageMs, record.waitedMs)), "
        text += "stored: \(showsPath ? record.path ?? record.stored.rawValue : record.stored.rawValue)\n"
        text += remarks(record)
        if let phases = record.phasesMs {
            let parts = [
                ("open", phases.open), ("settle", phases.settle), ("wait", phases.wait), ("encode", phases.encode),
                ("store", phases.store),
            ].filter { $0.0 != "settle" || $0.1.duration > .zero }
            let spoken = parts.map { "\($0.0) \(SpokenDuration.text($0.1.duration))" }
            text += "\(spoken.joined(separator: ", "))\n"
        }
        if let skipped = record.skipped?.filter({ $0.value > 0 }), !skipped.isEmpty {
            let reasons = skipped.map { "\($0.value) \($0.key.rawValue)" }.sorted()
            text += "skipped: \(reasons.joined(separator: ", "))\n"
        }
        return text
    }

    /// The warnings that a reader needs before trusting the picture; empty where all is well.
    private static func remarks(_ record: StillRecord) -> PrintedText {
        var remarks: [String] = []
        if let verdict = record.verdict, verdict != .intact {
            let faults = record.faults.map { " (\($0.map(\.rawValue).joined(separator: ", ")))" } ?? ""
            remarks.append("verdict: \(verdict.rawValue)\(faults)")
        }
        if record.settled == false { remarks.append("exposure and white balance had not settled") }
        if let average = record.average { remarks.append("average of \(average) frames") }
        if let gap = record.gapMs {
            remarks.append("the stream was interrupted for \(SpokenDuration.text(gap.duration))")
        }
        return remarks.isEmpty ? "" : "\(remarks.joined(separator: "; "))\n"
    }

    private static func ages(_ age: Milliseconds?, _ waited: Milliseconds?) -> String {
        let parts = [
            age.map { "\(SpokenDuration.text($0.duration)) old" },
            waited.map { "waited \(SpokenDuration.text($0.duration))" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
