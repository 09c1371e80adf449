// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum ControlReport {
    static func table(_ controls: [ControlDescription], width: Int? = nil) -> PrintedText {
        TextTable(
            ["NAME", "TYPE", "VALUE", "DEFAULT", "RANGE", "FLAGS"],
            first: ["NAME", "VALUE", "RANGE", "FLAGS", "DEFAULT"],
            cut: ["VALUE", "RANGE", "FLAGS", "DEFAULT"],
            least: 12,
            controls.map { control in
                [
                    control.name, control.type.rawValue, control.value.map { text($0, of: control) } ?? "",
                    control.standard.map { text($0, of: control) } ?? "", range(of: control),
                    control.flags.map(\.rawValue).joined(separator: " "),
                ]
            }
        ).text(width: width)
    }

    static func text(_ outcomes: [ControlOutcome]) -> PrintedText {
        guard !outcomes.isEmpty else { return "No control had to be changed.\n" }
        let lines = outcomes.map { outcome -> PrintedText in
            let name = outcome.valueName.map { " (\($0))" } ?? ""
            let value = outcome.value.map { " \($0)\(name)" } ?? ""
            return "\(outcome.name): \(outcome.result.rawValue)\(value)\(outcome.detail.map { ". \($0)" } ?? "")\n"
        }
        return PrintedText(lines)
    }

    static func table(_ profiles: [ControlProfile], width: Int? = nil) -> PrintedText {
        let rows = profiles.map { profile in
            let content = profile.damage.map { "damaged: \($0)" } ?? settings(profile.controls)
            return [profile.name, profile.source.rawValue, content]
        }
        return TextTable(["NAME", "SOURCE", "CONTROLS"], cut: ["NAME", "CONTROLS"], rows).text(width: width)
    }

    static func text(_ profile: ControlProfile) -> PrintedText { "\(profile.name): \(settings(profile.controls))\n" }

    static func table(_ differences: [ControlDifference], width: Int? = nil) -> PrintedText {
        guard !differences.isEmpty else { return "The camera matches the profile.\n" }
        let header = ["NAME", "WANTED", "VALUE", "NOTE"]
        let rows = differences.map { [$0.name, "\($0.wanted)", $0.value?.description ?? "", $0.detail ?? ""] }
        return TextTable(header, cut: header, rows).text(width: width)
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
