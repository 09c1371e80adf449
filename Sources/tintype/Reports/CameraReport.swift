// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum CameraReport {
    static func table(_ cameras: [CameraStatus], width: Int? = nil) -> PrintedText {
        TextTable(
            cameras,
            [
                .init("NAME", 1, \.name), .init("STATE", 2, \.state.name.rawValue), .init("FORMAT", 5, \.format),
                .init("ACCESS", 6, \.authorization.status.rawValue), .init("PATH", 3, cutTo: 8, \.identity?.path),
                .init("CARD", 4, cutTo: 8, \.identity?.card),
            ]
        ).text(width: width)
    }

    /// Configuration lines to paste, one for each device that has one; may be empty.
    static func configuration(_ list: CameraList) -> PrintedText {
        var (known, others): (PrintedText, PrintedText) = ("", "")
        for camera in list.cameras {
            if let match = camera.match { known += "  \(camera.name): {match: \(match)}\n" }
        }
        for camera in list.unconfigured ?? [] {
            guard let match = camera.match else { continue }
            others += "  NAME: {match: \(match)}  # \(camera.identity.path) \(camera.identity.card)\n"
        }
        if !known.string.isEmpty { known = "\nFor /etc/tintype/tintyped.yaml:\n\ncameras:\n\(known)" }
        guard !others.string.isEmpty else { return known }
        let advice = "No camera of the configuration is one of these; to use one, add its line with a name:"
        return "\(known)\n\(advice)\n\n\(others)"
    }
}

enum FormatReport {
    static func table(_ formats: [FormatDescription], width: Int? = nil) -> PrintedText {
        let rows = formats.flatMap { format in
            (format.sizes.isEmpty ? [nil] : format.sizes.map(Optional.some)).map { (format, size: $0) }
        }
        let columns: [TextTable.Column<(FormatDescription, size: FrameSizeDescription?)>] = [
            .init("FORMAT") { $0.0.pixelFormat },
            .init("SIZE") {
                $0.size.map { size in size.step.map { "\(size.minimum)-\(size.maximum)/\($0)" } ?? "\(size.maximum)" }
            },
            .init("RATES", cutTo: 8) {
                $0.size.map { $0.intervals.map(\.description).joined(separator: $0.hasIntervalRange ? "-" : " ") }
            },
            .init("STILLS") { $0.0.isSupported ? $0.0.pixelFormat.isConverted ? "converted" : "yes" : "no" },
            .init("NAME", cutTo: 8) { $0.0.isEmulated ? "\($0.0.name) (emulated)" : $0.0.name },
        ]
        return TextTable(rows, columns).text(width: width)
    }
}

enum ConfigurationText {
    static func text(_ report: ConfigurationReport) -> PrintedText {
        let settings = report.configuration
        let formats = settings.format.pixelFormats.map(\.description).joined(separator: ", ")
        var lines = LabelledLines()
        for (name, value) in [
            ("preset", settings.format.preset?.rawValue), ("format", formats.isEmpty ? nil : formats),
            ("size", settings.format.size?.description), ("rate", settings.format.rate?.description),
            ("input", settings.input.input?.description), ("standard", settings.input.standard),
            ("crop", settings.input.crop?.description), ("deinterlace", settings.input.deinterlace?.rawValue),
            ("warmth", settings.warmth.description),
        ] { lines.add(name, value ?? "default") }
        lines.add("asked", report.asked)
        let crop = report.crop.map { ", the part \($0)" } ?? ""
        lines.add("granted", report.granted.map { "\($0)\(crop)" })
        lines.add("received by", report.input?.text)
        for wish in report.unmet { lines.add("not granted", wish) }
        return "\(report.camera): revision \(report.revision)\n\(lines.text())"
    }
}

extension InputStatus {
    /// For example `0 (Camera 1), PAL`: number, name, and standard or timings.
    var text: String { "\(index) (\(name))" + ((standard ?? timings).map { ", \($0)" } ?? "") }
}

enum ControlReport {
    static func table(_ controls: [ControlDescription], width: Int? = nil) -> PrintedText {
        TextTable(
            controls,
            [
                .init("NAME", 1, \.name), .init("TYPE", 6, \.type.rawValue),
                .init("VALUE", 2, cutTo: 12) { control in control.value.map { text($0, of: control) } },
                .init("DEFAULT", 5, cutTo: 12) { control in control.standard.map { text($0, of: control) } },
                .init("RANGE", 3, cutTo: 12, range),
                .init("FLAGS", 4, cutTo: 12) { $0.flags.map(\.rawValue).joined(separator: " ") },
            ]
        ).text(width: width)
    }

    static func text(_ outcomes: [ControlOutcome]) -> PrintedText {
        guard !outcomes.isEmpty else { return "No control had to be changed.\n" }
        return PrintedText(
            outcomes.map { outcome -> PrintedText in
                let name = outcome.valueName.map { " (\($0))" } ?? ""
                let value = outcome.value.map { " \($0)\(name)" } ?? ""
                return "\(outcome.name): \(outcome.result.rawValue)\(value)\(outcome.detail.map { ". \($0)" } ?? "")\n"
            }
        )
    }

    static func table(_ profiles: [ControlProfile], width: Int? = nil) -> PrintedText {
        TextTable(
            profiles,
            [
                .init("NAME", cutTo: 8, \.name), .init("SOURCE") { $0.source.rawValue },
                .init("CONTROLS", cutTo: 8) { $0.damage.map { "damaged: \($0)" } ?? settings($0.controls) },
            ]
        ).text(width: width)
    }

    static func text(_ profile: ControlProfile) -> PrintedText { "\(profile.name): \(settings(profile.controls))\n" }

    static func table(_ differences: [ControlDifference], width: Int? = nil) -> PrintedText {
        guard !differences.isEmpty else { return "The camera matches the profile.\n" }
        return TextTable(
            differences,
            [
                .init("NAME", cutTo: 8, \.name), .init("WANTED", cutTo: 8, \.wanted), .init("VALUE", cutTo: 8, \.value),
                .init("NOTE", cutTo: 8, \.detail),
            ]
        ).text(width: width)
    }

    private static func settings(_ settings: ControlSettings) -> String {
        settings.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    private static func text(_ value: ControlValue, of control: ControlDescription) -> String {
        if case .integer(let number) = value {
            if let name = control.menuName(of: value) { return "\(number) (\(name))" }
            if control.type == .bitmask { return "0x\(String(number, radix: 16))" }
        }
        return value.description
    }

    private static func range(of control: ControlDescription) -> String {
        switch control.type {
        case .integer, .integer64:
            let step = control.step == 1 ? "" : "/\(control.step)"
            return "\(control.minimum)..\(control.maximum)\(step)\(control.unit.map { " × \($0)" } ?? "")"
        case .boolean: return "off, on"
        case .menu, .integerMenu: return control.menu.map { "\($0.index) (\($0.name))" }.joined(separator: ", ")
        case .bitmask: return "bits 0x\(String(UInt32(truncatingIfNeeded: control.maximum), radix: 16))"
        case .string: return "\(control.minimum)..\(control.maximum) bytes"
        case .compound: return control.elements.map { parts($0, of: control) } ?? ""
        case .button: return ""
        }
    }

    /// For example `8x16 u16, 0..255`, or `area, 8 bytes` for a structure, whose members have ranges of their own.
    private static func parts(_ elements: ControlElements, of control: ControlDescription) -> String {
        guard !elements.dimensions.isEmpty else { return "\(elements.type), \(elements.bytes) bytes" }
        let sizes = elements.dimensions.map(String.init).joined(separator: "x")
        return "\(sizes) \(elements.type), \(control.minimum)..\(control.maximum)"
    }
}
