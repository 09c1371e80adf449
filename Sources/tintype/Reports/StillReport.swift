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
        let looks = ImageDefect.allCases.map { look in
            (look: look, count: records.count { $0.appearance?.contains(look) == true })
        }
        let seen = looks.filter { $0.count > 0 }
        guard let camera = records.first?.camera, !seen.isEmpty else { return nil }
        let words = seen.map { look, count in
            records.count == 1 ? verb(look, isPlural: false) : "\(count) \(verb(look, isPlural: count > 1))"
        }
        let sentence =
            records.count == 1
            ? "The picture from \(camera) \(words.joined(separator: " and "))."
            : "Of \(records.count) pictures from \(camera), \(words.joined(separator: ", "))."
        // The doctor does not check for a uniform tone.
        let doctor = seen.contains { $0.look != .uniform } ? ", and see “tintype doctor \(camera)”" : ""
        let rejected = seen.map(\.look.rawValue).joined(separator: ",")
        return """
            tintype: \(sentence)
            Check the lens and the light\(doctor). --reject \(rejected) refuses such pictures.

            """
    }

    private static func verb(_ look: ImageDefect, isPlural: Bool) -> String {
        switch look {
        case .black: isPlural ? "look black" : "looks black"
        case .uniform: isPlural ? "show one uniform tone" : "shows one uniform tone"
        case .frozen: isPlural ? "equal the one before" : "equals the one before"
        }
    }
}
