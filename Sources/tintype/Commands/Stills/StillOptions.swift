// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct StillOptions: ParsableArguments {
    enum Fresh: String, ExpressibleByArgument, CaseIterable {
        case request, next, latest
    }

    enum Size: String, ExpressibleByArgument, CaseIterable {
        case max
    }

    @Option(
        help: """
            How fresh: exposed after the request (request, the default), the next frame to arrive (next) or the newest \
            one (latest).
            """
    )
    var fresh: Fresh?

    @Option("A frame at most this old, as in 200ms, 2s, 1.5s or 1m.", "age", in: Freshness.maxAgeMsRange)
    var maxAge: Duration?

    @Option("A frame of the past, from the ring, as in -1.5s.", in: Freshness.atMsRange)
    var at: Duration?

    @Option("How long the still may take in all, 1ms to 10m (default: 5s).", in: StillRequest.deadlineMsRange)
    var deadline: Duration?

    @Option(
        help: """
            Whether to wait for exposure and white balance after the camera starts: at most 3 s (auto), until the \
            deadline, else fail (always), or not at all (never).
            """
    )
    var settle = SettlePolicy.auto

    @Option(help: "Which faults to accept: none (strict), the usual ones of this camera (tolerant) or any (raw).")
    var integrity = Integrity.strict

    @Option(
        help: ArgumentHelp(
            "Skip pictures that are one of these, with a comma between two: \(ImageDefect.words).",
            valueName: "looks"
        ),
        transform: Self.defects
    )
    var reject: Set<ImageDefect> = []

    @OptionGroup var rendering: RenderingOptions

    @Option("Average this many frames in a row, against noise (default: 1).", "1-64", in: StillRequest.averageRange)
    var average: Int?

    @Option(help: "Interrupt the stream for a picture of the largest size that the camera has.")
    var size: Size?

    @Option(help: "The durability of a stored picture when the command returns.")
    var durability = Durability.full

    @OptionGroup var tags: TagOptions

    @Sendable private static func defects(_ text: String) throws -> Set<ImageDefect> {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let remedy = "Give one or several of \(ImageDefect.words)."
        return try Set(
            words.map { try OptionText.value($0, remedy, nearest: ImageDefect.nearest, ImageDefect.init(rawValue:)) }
        )
    }

    func validate() throws {
        if [fresh != nil, maxAge != nil, at != nil].count(where: \.self) > 1 {
            throw ValidationError("Give one of --fresh, --max-age and --at.")
        }
    }

    func request(keep: Bool) -> StillRequest {
        var request = StillRequest(
            settle: settle,
            integrity: integrity,
            reject: reject,
            rendering: rendering.rendering,
            average: average ?? 1,
            isLargest: size == .max,
            keep: keep,
            durability: durability,
            tags: tags.words
        )
        if let fresh, let freshness = Freshness(word: fresh.rawValue) { request.fresh = freshness }
        if let maxAge { request.fresh = .maxAge(maxAge) }
        if let at { request.fresh = .at(at) }
        if let deadline { request.deadline = deadline }
        return request
    }
}

struct TagOptions: ParsableArguments {
    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp("A tag for the stored picture; may be repeated.", valueName: "word"),
        transform: OptionText.tag
    )
    var words: [String] = []

    func validate() throws {
        guard StillRequest.areValid(tags: words) else {
            throw ValidationError("--tag may be given \(StillRequest.mostTags) times, with a different word each time.")
        }
    }
}

struct RenderingOptions: ParsableArguments {
    @Option("No wider than this; never made larger, proportions kept.", "pixels", in: ImageOptions.sideRange)
    var width: Int?

    @Option("No higher than this.", "pixels", in: ImageOptions.sideRange)
    var height: Int?

    @Option(
        help: ArgumentHelp("The part of the camera's picture, as in 640x480+100+50.", valueName: "rectangle"),
        transform: { try OptionText.value($0, SettingText.crop) { CropRectangle($0) } }
    )
    var crop: CropRectangle?

    @Option(
        help: ArgumentHelp("Turn it clockwise: 0, 90, 180 or 270.", valueName: "degrees"),
        completion: .list(Turn.allCases.map { "\($0.rawValue)" }),
        transform: {
            try OptionText.value($0, "Use one of 0, 90, 180 and 270.") { Int($0).flatMap(Turn.init(rawValue:)) }
        }
    )
    var rotate: Turn?

    @Option(help: "Mirror it, before it is turned.")
    var flip: Flip?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Keep a JPEG picture's compressed data through crop, flip and turn, or fail; or compress it again. Without \
            either the data is kept where the result is exact.
            """
    )
    var lossless: Bool?

    @Option(
        "JPEG quality; a camera's JPEG picture is compressed again for it (default: as configured, or as it came).",
        "1-100",
        in: ImageOptions.qualityRange
    )
    var quality: Int?

    @Option(
        help: ArgumentHelp("Write this into the picture, as in “%Y-%m-%d %H:%M:%S” (strftime).", valueName: "text"),
        transform: {
            try OptionText.value($0, "Give one line of 1 to \(ImageOptions.overlayRange.upperBound) characters.") {
                ImageOptions.isValid(overlay: $0) ? $0 : nil
            }
        }
    )
    var overlay: String?

    var rendering: ImageOptions {
        ImageOptions(
            quality: quality,
            width: width,
            height: height,
            crop: crop,
            turn: rotate ?? .none,
            flip: flip,
            isLossless: lossless,
            overlay: overlay
        )
    }
}

struct OutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write a JPEG file, or to stdout (-). The name may have fields of strftime, and %i or %03i for a counter.",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: String?

    @Flag(inversion: .prefixedNo, help: "Whether the daemon stores it (default: --keep without -o, else --no-keep).")
    var keep: Bool?

    @Flag(name: .shortAndLong, help: "Print age and phases on stderr even if it is not a terminal.")
    var verbose = false

    func validate() throws {
        if output == "" { throw ValidationError("--output needs the name of a file, or - for stdout.") }
        if let output, !PictureWriter.isStream(output), let fault = FileEnding.fault(ofPicture: output) {
            throw ValidationError(fault)
        }
        if output == nil, keep == false {
            throw ValidationError("With --no-keep the picture would be lost: give -o FILE too.")
        }
    }

    /// Warns on stderr, terminal or not, of pictures that may show nothing; ignores errors, as ``writeDetails(_:)``.
    func warn(of records: [StillRecord]) {
        if let warning = StillReport.warning(records) { try? StandardStream.error.write(warning) }
    }

    /// Writes additional information to stderr if it is a terminal or with `--verbose`.
    func writeDetails(_ text: PrintedText) {
        if verbose || StandardStream.error.isTerminal { try? StandardStream.error.write(text) }
    }
}

struct OnceOptions: ParsableArguments {
    @Flag(
        name: .customLong("once"),
        help: """
            Take the picture with a temporary tintyped of its own, not with the service; it reads no configuration \
            and leaves nothing behind. Needs -o.
            """
    )
    var isOnce = false

    @Option(
        "With --once: the camera's node, such as /dev/video0, or a link to it (default: the only camera).",
        "path",
        completion: .file()
    )
    var device: String?

    @Option("With --once: the built-in test pattern instead of a camera, such as YUYV:1280x720@30.", "spec")
    var pattern: String?

    var arguments: [String] { (device.map { ["--device", $0] } ?? []) + (pattern.map { ["--pattern", $0] } ?? []) }

    func validate() throws {
        if device == "" { throw ValidationError("--device needs the path of a camera's node, such as /dev/video0.") }
        if device != nil, pattern != nil { throw ValidationError("Give one of --device and --pattern.") }
        guard isOnce || arguments.isEmpty else {
            throw ValidationError("--device and --pattern go with --once; elsewhere name a camera that tintyped has.")
        }
    }
}

extension Durability: ExpressibleByArgument {}
extension Flip: ExpressibleByArgument {}
extension Integrity: ExpressibleByArgument {}
extension SettlePolicy: ExpressibleByArgument {}
