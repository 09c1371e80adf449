// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum CameraReport {
    static func table(_ cameras: [CameraStatus], width: Int? = nil) -> PrintedText {
        TextTable(
            ["NAME", "STATE", "FORMAT", "ACCESS", "PATH", "CARD"],
            first: ["NAME", "STATE", "PATH", "CARD", "FORMAT"],
            cut: ["CARD", "PATH"],
            cameras.map { camera in
                [
                    camera.name, camera.state.name.rawValue, camera.format?.description ?? "",
                    camera.authorization.status.rawValue, camera.identity?.path ?? "", camera.identity?.card ?? "",
                ]
            }
        ).text(width: width)
    }

    /// Configuration lines to paste, one for each device that has one; may be empty.
    static func configuration(_ list: CameraList) -> PrintedText {
        let lines = list.cameras.compactMap { camera in
            camera.match.map { match -> PrintedText in "  \(camera.name): {match: \(match)}\n" }
        }
        let others = (list.unconfigured ?? []).compactMap { camera in
            camera.match.map { match -> PrintedText in
                "  NAME: {match: \(match)}  # \(camera.identity.path) \(camera.identity.card)\n"
            }
        }
        let known: PrintedText =
            lines.isEmpty ? "" : "\nFor /etc/tintype/tintyped.yaml:\n\ncameras:\n" + PrintedText(lines)
        guard !others.isEmpty else { return known }
        let advice: PrintedText =
            "\nNo camera of the configuration is one of these; to use one, add its line with a name:\n\n"
        return known + advice + PrintedText(others)
    }
}

enum FormatReport {
    static func table(_ formats: [FormatDescription], width: Int? = nil) -> PrintedText {
        let rows = formats.flatMap { format in
            let stills = format.isSupported ? format.pixelFormat.isConverted ? "converted" : "yes" : "no"
            let name = format.isEmulated ? "\(format.name) (emulated)" : format.name
            let sizes = format.sizes.map { size in
                (text(size), size.intervals.map(\.description).joined(separator: size.hasIntervalRange ? "-" : " "))
            }
            return (sizes.isEmpty ? [("", "")] : sizes).map { size, rates in
                [format.pixelFormat.description, size, rates, stills, name]
            }
        }
        return TextTable(["FORMAT", "SIZE", "RATES", "STILLS", "NAME"], cut: ["RATES", "NAME"], rows).text(width: width)
    }

    private static func text(_ size: FrameSizeDescription) -> String {
        guard let step = size.step else { return size.maximum.description }
        return "\(size.minimum)-\(size.maximum)/\(step)"
    }
}

enum ConfigurationText {
    static func text(_ report: ConfigurationReport) -> PrintedText {
        let settings = report.configuration
        let formats = settings.format.pixelFormats.map(\.description).joined(separator: ", ")
        var lines = LabelledLines()
        lines.add("preset", settings.format.preset?.rawValue ?? "default")
        lines.add("format", formats.isEmpty ? "default" : formats)
        lines.add("size", settings.format.size?.description ?? "default")
        lines.add("rate", settings.format.rate?.description ?? "default")
        lines.add("input", settings.input.input?.description ?? "default")
        lines.add("standard", settings.input.standard ?? "default")
        lines.add("crop", settings.input.crop?.description ?? "default")
        lines.add("deinterlace", settings.input.deinterlace?.rawValue ?? "default")
        lines.add("warmth", settings.warmth)
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
