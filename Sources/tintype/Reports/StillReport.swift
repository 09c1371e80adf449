// SPDX-License-Identifier: Apache-2.0
internal import TintypeClient
internal import TintypeModel

/// What a still took, in a line or two.
enum StillReport {
    static func text(_ record: StillRecord) -> String {
        var text = "\(record.camera): \(record.width)x\(record.height), \(record.bytes) bytes, "
        text += "frame \(record.sequence), \(ages(record.ageMs, record.waitedMs)), stored: \(record.stored.rawValue)\n"
        if let phases = record.phasesMs {
            let parts = [
                ("open", phases.open), ("settle", phases.settle), ("wait", phases.wait), ("encode", phases.encode),
                ("store", phases.store),
            ]
            text += parts.map { "\($0.0) \(SpokenDuration.text($0.1.duration))" }.joined(separator: ", ") + "\n"
        }
        if let skipped = record.skipped?.filter({ $0.value > 0 }), !skipped.isEmpty {
            let reasons = skipped.map { "\($0.value) \($0.key.rawValue)" }.sorted()
            text += "skipped: \(reasons.joined(separator: ", "))\n"
        }
        return text
    }

    static func text(_ record: PictureRecord) -> String {
        "\(record.camera): \(record.bytes) bytes, frame \(record.sequence), "
            + "\(ages(record.ageMs, record.waitedMs)), stored: \(record.path ?? record.stored.rawValue)\n"
    }

    private static func ages(_ age: Milliseconds?, _ waited: Milliseconds?) -> String {
        let parts = [
            age.map { "\(SpokenDuration.text($0.duration)) old" },
            waited.map { "waited \(SpokenDuration.text($0.duration))" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
