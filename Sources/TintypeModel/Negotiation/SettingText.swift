// SPDX-License-Identifier: Apache-2.0

/// Remedies for invalid camera settings, shared by the API, the configuration file and the command line.
package enum SettingText {
    package static let preset = "Give one of \(FormatPreset.words)."
    package static let format =
        "Give one or several, each once, of \(FourCC.supported.map(\.description).joined(separator: ", "))."
    package static let size =
        "Give width and height in pixels, such as 1280x720, with “at least”, “at most” or “exactly” before it if it matters."
    package static let rate =
        "Give frames a second, such as 30 or 29.97, with “at least” or “exactly” before it if it matters."
    package static let input = "Give the number of an input, 0 to 255, or its name, such as HDMI 0."
    package static let standard = "Give the name of an analogue standard, such as PAL or NTSC-M, or auto."
    package static let crop = "Give size, left and top in pixels, such as 640x480+100+50."
    package static let deinterlace = "Give one of \(Deinterlacing.words)."
    package static let warmth = "Give hot, cold, or linger with a duration, such as linger 10s."
}

extension FourCC {
    /// Parses 1 to ``FormatWish/mostPixelFormats`` distinct names of supported formats; nil for anything else.
    package static func list(_ names: [String]) -> [FourCC]? {
        let formats = names.compactMap { FourCC($0) }.filter { FourCC.supported.contains($0) }
        let isWhole = formats.count == names.count && Set(formats).count == names.count
        return isWhole && !formats.isEmpty && formats.count <= FormatWish.mostPixelFormats ? formats : nil
    }
}
