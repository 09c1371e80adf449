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
            try Self.change($0, SettingText.preset, nearest: FormatPreset.nearest, FormatPreset.init(rawValue:)) {
                $0.format.preset = $1
            }
        }
    )
    var preset: Change?

    @Option(
        help: ArgumentHelp("Pixel formats in order of preference, such as MJPG or MJPG,YUYV.", valueName: "formats"),
        transform: {
            let read = { (text: String) in FourCC.list(text.split(separator: ",").map(String.init)) }
            return try Self.change($0, SettingText.format, nearest: FourCC.nearest, read) {
                $0.format.pixelFormats = $1 ?? []
            }
        }
    )
    var format: Change?

    @Option(
        help: "Such as 1280x720, or “at least”, “at most” or “exactly” before it.",
        transform: { try Self.change($0, SettingText.size, SizeWish.init) { $0.format.size = $1 } }
    )
    var size: Change?

    @Option(
        help: "Frames a second, such as 30, or “at least” or “exactly” before it.",
        transform: { try Self.change($0, SettingText.rate, RateWish.init) { $0.format.rate = $1 } }
    )
    var rate: Change?

    @Option(
        help: "The input by number or name.",
        transform: { try Self.change($0, SettingText.input, InputChoice.init) { $0.input.input = $1 } }
    )
    var input: Change?

    @Option(
        help: "The standard of an analogue input, such as PAL, or auto.",
        transform: {
            let read = { (text: String) in InputWish.isStandard(text) ? text : nil }
            return try Self.change($0, SettingText.standard, read) { $0.input.standard = $1 }
        }
    )
    var standard: Change?

    @Option(
        help: ArgumentHelp("The part of the picture, as in 640x480+100+50.", valueName: "rectangle"),
        transform: { try Self.change($0, SettingText.crop, CropRectangle.init) { $0.input.crop = $1 } }
    )
    var crop: Change?

    @Option(
        help: ArgumentHelp("How pictures are made of interlaced video: double, blend or weave.", valueName: "way"),
        transform: {
            let read = Deinterlacing.init(rawValue:)
            return try Self.change($0, SettingText.deinterlace, nearest: Deinterlacing.nearest, read) {
                $0.input.deinterlace = $1
            }
        }
    )
    var deinterlace: Change?

    @Option(
        help: "How long the camera stays open after use: hot, cold or, for example, “linger 10s”.",
        transform: { try Self.change($0, SettingText.warmth, Warmth.init) { $0.warmth = $1 ?? .standard } }
    )
    var warmth: Change?

    private var changes: [Change] {
        [preset, format, size, rate, input, standard, crop, deinterlace, warmth].compactMap(\.self)
    }

    var isGiven: Bool { !changes.isEmpty }
    func applied(to settings: CameraSettings) -> CameraSettings { changes.reduce(into: settings) { $1(&$0) } }

    /// `read` gets any text but `default`, for which `set` gets nil.
    private static func change<Value: Sendable>(
        _ text: String,
        _ remedy: String,
        nearest: (String) -> String? = { _ in nil },
        _ read: (String) -> Value?,
        set: @escaping @Sendable (inout CameraSettings, Value?) -> Void
    ) throws -> Change {
        let value = text == "default" ? nil : try OptionText.value(text, remedy, nearest: nearest, read)
        return { set(&$0, value) }
    }
}
