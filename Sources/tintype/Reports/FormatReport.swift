// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The formats of a camera as a table, a line for each size.
enum FormatReport {
    static func table(_ formats: [FormatDescription], width: Int? = nil) -> PrintedText {
        var table = TextTable(["FORMAT", "SIZE", "RATES", "STILLS", "NAME"], cut: ["RATES", "NAME"])
        for format in formats {
            let stills = format.isSupported ? format.pixelFormat.isConverted ? "converted" : "yes" : "no"
            let name = format.isEmulated ? "\(format.name) (emulated)" : format.name
            if format.sizes.isEmpty { table.add([format.pixelFormat.description, "", "", stills, name]) }
            for size in format.sizes {
                table.add([
                    format.pixelFormat.description,
                    text(size),
                    size.intervals.map(\.description).joined(separator: size.hasIntervalRange ? "-" : " "),
                    stills,
                    name,
                ])
            }
        }
        return table.text(width: width)
    }

    private static func text(_ size: FrameSizeDescription) -> String {
        guard let step = size.step else { return size.maximum.description }
        return "\(size.minimum)-\(size.maximum)/\(step)"
    }
}
