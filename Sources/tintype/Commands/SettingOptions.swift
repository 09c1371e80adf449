// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

/// Changes to a camera's configuration, as options; `default` resets a setting.
struct SettingOptions: ParsableArguments {
    /// A setting that is given: a value, or its default.
    enum Given<Value: Sendable>: Sendable {
        case value(Value)
        case byDefault

        var value: Value? { if case .value(let value) = self { value } else { nil } }
    }

    @Option(
        help: ArgumentHelp("The purpose: photo, high, medium or low.", valueName: "preset"),
        transform: { try Self.read($0, SettingText.preset) { FormatPreset(rawValue: $0) } }
    )
    var preset: Given<FormatPreset>?

    @Option(
        help: ArgumentHelp("Pixel formats in order of preference, such as MJPG or MJPG,YUYV.", valueName: "formats"),
        transform: {
            try Self.read($0, SettingText.format) { FourCC.list($0.split(separator: ",").map(String.init)) }
        }
    )
    var format: Given<[FourCC]>?

    @Option(
        help: ArgumentHelp("Such as 1280x720, or “at least”, “at most” or “exactly” before it.", valueName: "size"),
        transform: { try Self.read($0, SettingText.size) { SizeWish($0) } }
    )
    var size: Given<SizeWish>?

    @Option(
        help: ArgumentHelp("Frames a second, such as 30, or “at least” or “exactly” before it.", valueName: "rate"),
        transform: { try Self.read($0, SettingText.rate) { RateWish($0) } }
    )
    var rate: Given<RateWish>?

    @Option(
        help: ArgumentHelp("The input by number or name.", valueName: "input"),
        transform: { try Self.read($0, SettingText.input) { InputChoice($0) } }
    )
    var input: Given<InputChoice>?

    @Option(
        help: ArgumentHelp("The standard of an analogue input, such as PAL, or auto.", valueName: "standard"),
        transform: { try Self.read($0, SettingText.standard) { InputWish.isStandard($0) ? $0 : nil } }
    )
    var standard: Given<String>?

    @Option(
        help: ArgumentHelp("The part of the picture, as in 640x480+100+50.", valueName: "rectangle"),
        transform: { try Self.read($0, SettingText.crop) { CropRectangle($0) } }
    )
    var crop: Given<CropRectangle>?

    @Option(
        help: ArgumentHelp(
            "How long the camera stays open after use: hot, cold or, for example, “linger 10s”.",
            valueName: "warmth"
        ),
        transform: { try Self.read($0, SettingText.warmth) { Warmth($0) } }
    )
    var warmth: Given<Warmth>?

    /// Whether anything is to be changed.
    var isGiven: Bool {
        preset != nil || format != nil || size != nil || rate != nil || input != nil || standard != nil || crop != nil
            || warmth != nil
    }

    /// `settings` with what is given.
    func applied(to settings: CameraSettings) -> CameraSettings {
        var settings = settings
        if let preset { settings.format.preset = preset.value }
        if let format { settings.format.pixelFormats = format.value ?? [] }
        if let size { settings.format.size = size.value }
        if let rate { settings.format.rate = rate.value }
        if let input { settings.input.input = input.value }
        if let standard { settings.input.standard = standard.value }
        if let crop { settings.input.crop = crop.value }
        if let warmth { settings.warmth = warmth.value ?? .linger(Warmth.defaultLinger) }
        return settings
    }

    private static func read<Value>(_ text: String, _ remedy: String, _ read: (String) -> Value?) throws -> Given<Value>
    {
        if text == "default" { return .byDefault }
        guard let value = read(text) else { throw ValidationError("“\(text)” is not valid here. \(remedy)") }
        return .value(value)
    }
}
