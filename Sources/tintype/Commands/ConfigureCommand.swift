// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct ConfigureCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "configure",
        abstract: "Show or change a camera's configuration.",
        discussion: """
            The change is applied completely or not at all, and lasts until the daemon ends; for a permanent one see \
            tintyped.yaml(5). Settings that you leave out stay as they are; “default” resets a setting. Without \
            any setting, the command shows the configuration.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var settings: SettingOptions
    @OptionGroup var camera: CameraArgument

    func run() async throws {
        let report = try await withCamera(camera.name) { connection, name in
            let report = try await connection.configuration(of: name)
            guard settings.isGiven else { return report }
            let configuration = settings.applied(to: report.configuration)
            return try await connection.configure(configuration, of: name, ifRevision: report.revision)
        }
        try write(report, ConfigurationText.text)
    }
}

/// Configuration changes as options; `default` resets a setting.
struct SettingOptions: ParsableArguments {
    typealias Change = @Sendable (inout CameraSettings) -> Void

    @Option(
        help: "The purpose: photo, high, medium or low.",
        transform: {
            try Self.change($0, SettingText.preset, \.format.preset, nearest: FormatPreset.nearest) {
                FormatPreset(rawValue: $0)
            }
        }
    )
    var preset: Change?

    @Option(
        help: ArgumentHelp("Pixel formats in order of preference, such as MJPG or MJPG,YUYV.", valueName: "formats"),
        transform: {
            try Self.change($0, SettingText.format, \.format.pixelFormats, default: [], nearest: FourCC.nearest) {
                FourCC.list($0.split(separator: ",").map(String.init))
            }
        }
    )
    var format: Change?

    @Option(
        help: "Such as 1280x720, or “at least”, “at most” or “exactly” before it.",
        transform: { try Self.change($0, SettingText.size, \.format.size) { SizeWish($0) } }
    )
    var size: Change?

    @Option(
        help: "Frames a second, such as 30, or “at least” or “exactly” before it.",
        transform: { try Self.change($0, SettingText.rate, \.format.rate) { RateWish($0) } }
    )
    var rate: Change?

    @Option(
        help: "The input by number or name.",
        transform: { try Self.change($0, SettingText.input, \.input.input) { InputChoice($0) } }
    )
    var input: Change?

    @Option(
        help: "The standard of an analogue input, such as PAL, or auto.",
        transform: {
            try Self.change($0, SettingText.standard, \.input.standard) { InputWish.isStandard($0) ? $0 : nil }
        }
    )
    var standard: Change?

    @Option(
        help: ArgumentHelp("The part of the picture, as in 640x480+100+50.", valueName: "rectangle"),
        transform: { try Self.change($0, SettingText.crop, \.input.crop) { CropRectangle($0) } }
    )
    var crop: Change?

    @Option(
        help: ArgumentHelp("How pictures are made of interlaced video: double, blend or weave.", valueName: "way"),
        transform: {
            try Self.change($0, SettingText.deinterlace, \.input.deinterlace, nearest: Deinterlacing.nearest) {
                Deinterlacing(rawValue: $0)
            }
        }
    )
    var deinterlace: Change?

    @Option(
        help: "How long the camera stays open after use: hot, cold or, for example, “linger 10s”.",
        transform: {
            try Self.change($0, SettingText.warmth, \.warmth, default: .standard) { Warmth($0) }
        }
    )
    var warmth: Change?

    private var changes: [Change] {
        [preset, format, size, rate, input, standard, crop, deinterlace, warmth].compactMap(\.self)
    }

    var isGiven: Bool { !changes.isEmpty }

    func applied(to settings: CameraSettings) -> CameraSettings { changes.reduce(into: settings) { $1(&$0) } }

    private static func change<Value: Sendable>(
        _ text: String,
        _ remedy: String,
        _ path: any WritableKeyPath<CameraSettings, Value?> & Sendable,
        nearest: (String) -> String? = { _ in nil },
        _ read: (String) -> Value?
    ) throws -> Change {
        let value = text == "default" ? nil : try OptionText.value(text, remedy, nearest: nearest, read)
        return { $0[keyPath: path] = value }
    }

    private static func change<Value: Sendable>(
        _ text: String,
        _ remedy: String,
        _ path: any WritableKeyPath<CameraSettings, Value> & Sendable,
        default standard: Value,
        nearest: (String) -> String? = { _ in nil },
        _ read: (String) -> Value?
    ) throws -> Change {
        let value = text == "default" ? standard : try OptionText.value(text, remedy, nearest: nearest, read)
        return { $0[keyPath: path] = value }
    }
}
