// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The configuration of a camera in readable lines.
enum ConfigurationText {
    static func text(_ report: ConfigurationReport) -> PrintedText {
        let settings = report.configuration
        let formats = settings.format.pixelFormats.map(\.description).joined(separator: ", ")
        var lines: [(name: String, value: String)] = [
            ("preset", settings.format.preset?.rawValue ?? "default"),
            ("format", formats.isEmpty ? "default" : formats),
            ("size", settings.format.size?.description ?? "default"),
            ("rate", settings.format.rate?.description ?? "default"),
            ("input", settings.input.input?.description ?? "default"),
            ("standard", settings.input.standard ?? "default"),
            ("crop", settings.input.crop?.description ?? "default"), ("warmth", settings.warmth.description),
        ]
        if let asked = report.asked { lines.append(("asked", asked.description)) }
        if let granted = report.granted {
            let crop = report.crop.map { ", the part \($0)" } ?? ""
            lines.append(("granted", granted.description + crop))
        }
        if let input = report.input { lines.append(("received by", input.text)) }
        lines += report.unmet.map { (name: "not granted", value: $0) }
        return "\(report.camera): revision \(report.revision)\n\(LabelledLines.text(lines))"
    }
}

extension InputStatus {
    /// Number and name, with the standard or the timings.
    var text: String { "\(index) (\(name))" + ((standard ?? timings).map { ", \($0)" } ?? "") }
}
