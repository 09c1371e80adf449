// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum StillReport {
    /// `showsPath` adds the path in the spool.
    static func text(_ record: StillRecord, showsPath: Bool = false) -> PrintedText {
        var text: PrintedText = "\(record.camera): \(record.width)x\(record.height), \(record.bytes) bytes, "
        let ages = [record.ageMs.map { "\($0.spoken) old" }, record.waitedMs.map { "waited \($0.spoken)" }]
        text += "frame \(record.sequence), \(ages.compactMap(\.self).joined(separator: ", ")), "
        text += "stored: \(showsPath ? record.path ?? record.stored.rawValue : record.stored.rawValue)\n"
        text += remarks(record)
        if let phases = record.phasesMs {
            let parts = [
                ("open", phases.open), ("settle", phases.settle), ("wait", phases.wait), ("encode", phases.encode),
                ("store", phases.store),
            ].filter { $0.0 != "settle" || $0.1.duration > .zero }
            let spoken = parts.map { "\($0.0) \($0.1.spoken)" }
            text += "\(spoken.joined(separator: ", "))\n"
        }
        if let skipped = record.skipped?.filter({ $0.value > 0 }), !skipped.isEmpty {
            let reasons = skipped.map { "\($0.value) \($0.key.rawValue)" }.sorted()
            text += "skipped: \(reasons.joined(separator: ", "))\n"
        }
        return text
    }

    /// Warnings to read before trusting the picture; empty if none.
    private static func remarks(_ record: StillRecord) -> PrintedText {
        var remarks: [String] = []
        if let verdict = record.verdict, verdict != .intact {
            let faults = record.faults.map { " (\($0.map(\.rawValue).joined(separator: ", ")))" } ?? ""
            remarks.append("verdict: \(verdict.rawValue)\(faults)")
        }
        if record.settled == false { remarks.append("exposure and white balance had not settled") }
        if let average = record.average { remarks.append("average of \(average) frames") }
        if let gap = record.gapMs { remarks.append("the stream was interrupted for \(gap.spoken)") }
        return remarks.isEmpty ? "" : "\(remarks.joined(separator: "; "))\n"
    }

    /// Two lines for stderr if pictures may show nothing, else nil.
    static func warning(_ records: [StillRecord]) -> PrintedText? {
        let looks: [(look: ImageDefect, one: String, many: String)] = [
            (.black, "looks black", "look black"), (.uniform, "shows one uniform tone", "show one uniform tone"),
            (.frozen, "equals the one before", "equal the one before"),
        ]
        let counted = looks.map { look in
            (look.look, look.one, look.many, count: records.count { $0.appearance?.contains(look.look) == true })
        }
        let seen = counted.filter { $0.count > 0 }
        guard let camera = records.first?.camera, !seen.isEmpty else { return nil }
        let isOne = records.count == 1
        let words = seen.map { _, one, many, count in isOne ? one : "\(count) \(count > 1 ? many : one)" }
        let sentence =
            isOne
            ? "The picture from \(camera) \(words.joined(separator: " and "))."
            : "Of \(records.count) pictures from \(camera), \(words.joined(separator: ", "))."
        // The doctor does not check for a uniform tone.
        let doctor = seen.contains { $0.0 != .uniform } ? ", and see “tintype doctor \(camera)”" : ""
        let rejected = seen.map(\.0.rawValue).joined(separator: ",")
        return """
            tintype: \(sentence)
            Check the lens and the light\(doctor). --reject \(rejected) refuses such pictures.

            """
    }
}
