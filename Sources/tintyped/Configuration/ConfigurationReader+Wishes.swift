// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import Yams

extension ConfigurationReader {
    /// The format in a camera's keys.
    static func formatWish(_ keys: MappingReader<ConfigurationKey.Camera>) -> FormatWish {
        FormatWish(
            preset: keys.scalar(.preset, "a preset", remedy: SettingText.preset) { FormatPreset(rawValue: $0.string) },
            pixelFormats: pixelFormats(keys),
            size: keys.scalar(.size, "a size", remedy: SettingText.size) { SizeWish($0.string) },
            rate: keys.scalar(.rate, "a rate", remedy: SettingText.rate) { RateWish($0.string) }
        )
    }

    /// The input in a camera's keys.
    static func inputWish(_ keys: MappingReader<ConfigurationKey.Camera>) -> InputWish {
        InputWish(
            input: keys.scalar(.input, "an input", remedy: SettingText.input) { InputChoice($0.string) },
            standard: keys.scalar(.standard, "a standard", remedy: SettingText.standard) {
                InputWish.isStandard($0.string) ? $0.string : nil
            },
            crop: keys.scalar(.crop, "a rectangle", remedy: SettingText.crop) { CropRectangle($0.string) }
        )
    }

    /// One pixel format, or a list of them.
    private static func pixelFormats(_ keys: MappingReader<ConfigurationKey.Camera>) -> [FourCC] {
        guard case .sequence(let sequence) = keys.node(.format) else {
            let what = "a pixel format that pictures can be made from"
            return keys.scalar(.format, what, remedy: SettingText.format) { FourCC.list([$0.string]) } ?? []
        }
        let names = sequence.map { $0.scalar?.string ?? $0.kind }
        if let formats = FourCC.list(names) { return formats }
        keys.fault(
            .format,
            "\"\(names.joined(separator: ", "))\" is not a list of pixel formats that pictures can be made from.",
            remedy: SettingText.format
        )
        return []
    }
}
