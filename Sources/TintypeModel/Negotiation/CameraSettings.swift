// SPDX-License-Identifier: Apache-2.0

/// Body of `PUT /v1/cameras/{camera}/configuration`, always complete: an omitted field has its default.
package struct CameraSettings: Hashable, WireObject, FieldReadable {
    package var format: FormatWish
    package var input: InputWish
    package var warmth: Warmth

    package init(format: FormatWish = FormatWish(), input: InputWish = InputWish(), warmth: Warmth = .standard) {
        (self.format, self.input, self.warmth) = (format, input, warmth)
    }

    package static let summary = "The whole configuration of a camera: a missing field has its default."
    package static let fields: [Field] = [
        Field("preset", of: FormatPreset.schema, "The purpose of the format; missing for stills at about 1280x720."),
        Field(
            "format",
            of: ["type": ["array", "string"], "items": ["type": "string"], "minItems": 1, "maxItems": 16],
            "One or a list of pixel formats in order of preference, as in MJPG; missing for automatic choice."
        ),
        Field("size", of: String.schema, "1280x720 or the nearest; “at least …”, “at most …”, “exactly …”."),
        Field("rate", of: ["type": ["string", "integer"]], "Frames a second or nearest; “at least 30”, “exactly 30”."),
        Field("input", of: ["type": ["string", "integer"]], "The input by number or name; missing for the current."),
        Field("standard", of: String.schema, "The analogue standard, as in PAL; missing or auto for the received one."),
        Field("crop", of: String.schema, "The part (size, left, top), as in 640x480+100+50; missing for all of it."),
        Field("deinterlace", of: Deinterlacing.schema, "How interlaced fields become pictures; default double."),
        Field("warmth", \.warmth, "How long it stays open unused: hot, cold, linger 10s.", ["default": "linger 10s"]),
    ]

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case preset, format, size, rate, input, standard, crop, deinterlace, warmth
    }

    package init?(field value: FieldValue, at path: String) throws(Problem) {
        guard let fields = try FieldReader<CodingKeys>(value, at: path) else { return nil }
        try self.init(in: fields)
    }

    /// Reads the flat wire form, alone or among other fields as in the configuration file.
    package init(in object: FieldReader<some CodingKey & CaseIterable>) throws(Problem) {
        let fields = object.fields(by: CodingKeys.self)
        format = FormatWish(
            preset: try fields.text(
                .preset,
                "is not a preset.",
                remedy: SettingText.preset,
                nearest: FormatPreset.nearest,
                FormatPreset.init
            ),
            pixelFormats: try Self.pixelFormats(fields) ?? [],
            size: try fields.text(.size, "is not a size.", remedy: SettingText.size) { SizeWish($0) },
            rate: try fields.text(.rate, orNumber: true, "is not a rate.", remedy: SettingText.rate) { RateWish($0) }
        )
        input = InputWish(
            input: try fields.text(.input, orNumber: true, "is not an input.", remedy: SettingText.input) {
                InputChoice($0)
            },
            standard: try fields.text(.standard, "is not a standard.", remedy: SettingText.standard) {
                InputWish.isStandard($0) ? $0 : nil
            },
            crop: try fields.text(.crop, "is not a rectangle.", remedy: SettingText.crop) { CropRectangle($0) },
            deinterlace: try fields.text(
                .deinterlace,
                "is no way to deinterlace.",
                remedy: SettingText.deinterlace,
                nearest: Deinterlacing.nearest
            ) { Deinterlacing(rawValue: $0) }
        )
        warmth = try fields.text(.warmth, "is not a warmth.", remedy: SettingText.warmth) { Warmth($0) } ?? .standard
    }

    private static func pixelFormats(_ fields: FieldReader<CodingKeys>) throws(Problem) -> [FourCC]? {
        let isList = if case .list = fields[.format] { true } else { false }
        return try fields.texts(
            .format,
            "is not a \(isList ? "list of pixel formats" : "pixel format") that pictures can be made from.",
            remedy: SettingText.format,
            nearest: FourCC.nearest,
            FourCC.list
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(format.preset, forKey: .preset)
        if !format.pixelFormats.isEmpty { try container.encode(format.pixelFormats, forKey: .format) }
        try container.encodeIfPresent(format.size?.description, forKey: .size)
        try container.encodeIfPresent(format.rate?.description, forKey: .rate)
        try container.encodeIfPresent(input.input?.description, forKey: .input)
        try container.encodeIfPresent(input.standard, forKey: .standard)
        try container.encodeIfPresent(input.crop, forKey: .crop)
        try container.encodeIfPresent(input.deinterlace, forKey: .deinterlace)
        try container.encode(warmth.description, forKey: .warmth)
    }
}

/// Format selected by purpose; explicit values of a ``FormatWish`` override it.
package enum FormatPreset: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Largest size, at any rate.
    case photo
    /// Largest size up to 1920x1080, at about 30 frames per second.
    case high
    /// About 1280x720 at about 30 frames per second.
    case medium
    /// About 640x480 at about 15 frames per second.
    case low

    package var size: SizeWish {
        switch self {
        case .photo: .atMost(FrameSize(width: 65_535, height: 65_535))
        case .high: .atMost(FrameSize(width: 1920, height: 1080))
        case .medium: .near(FrameSize(width: 1280, height: 720))
        case .low: .near(FrameSize(width: 640, height: 480))
        }
    }

    /// Nil for any rate.
    package var rate: RateWish? {
        switch self {
        case .photo: nil
        case .high, .medium: .near(FrameInterval(framesPerSecond: 30))
        case .low: .near(FrameInterval(framesPerSecond: 15))
        }
    }
}

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

    /// Supported format that a name other than its code probably means; none for what is spelled like a code, which
    /// another format has (NV24, RGBA).
    package static func nearest(to name: String) -> String? {
        if let format = otherNames[name.uppercased()] { return format.description }
        let isCode = FourCC(name) != nil && name == name.uppercased()
        return isCode ? nil : Spelling.nearest(to: name, among: supported.map(\.description))
    }

    /// Names of GStreamer, of Windows and of linux/videodev2.h that are spelled like a code, or the code of another
    /// format.
    private static let otherNames: [String: FourCC] = [
        "I420": .yu12, "YUY2": .yuyv, "GRAY": .grey, "RGB24": .rgb24, "BGR24": .bgr24, "RGB32": .rgb32, "BGR32": .bgr32,
    ]
}

package struct ConfigurationReport: Equatable, Codable, WireObject {
    package var camera: String
    package var revision: Int
    package var configuration: CameraSettings
    package var asked: CaptureFormat?
    package var granted: CaptureFormat?
    package var input: InputStatus?
    package var crop: CropRectangle?
    package var unmet: [String] = []
    package static let summary = "The configuration of a camera, and the part that was granted."
    package static let fields: [Field] = [
        Field("camera", \.camera, "The camera."),
        Field("revision", \.revision, "The number of changes; also the ETag, for If-Match.", .positive),
        Field("configuration", \.configuration),
        Field("asked", \.asked, "The format that was last requested from the driver; missing before."),
        Field("granted", \.granted, "The format that the driver last granted; missing before."),
        Field("input", \.input, "The input that was set; missing before, and where the device has none."),
        Field("crop", \.crop, "The delivered part of the picture, as in 640x480+100+50; missing for all of it."),
        Field("unmet", \.unmet, "The parts of the configuration that were not granted, a phrase each."),
    ]
}

extension ConfigurationReport {
    package init(camera: String, revision: Int, configuration: CameraSettings) {
        (self.camera, self.revision, self.configuration) = (camera, revision, configuration)
    }
}

/// Effect of a configuration reload on the cameras: reply to `POST /v1/reload`.
package struct ReloadReport: Equatable, Codable, WireObject {
    package var kept: [String] = []
    package var changed: [String] = []
    package var added: [String] = []
    package var removed: [String] = []
    package init() {}
    package static let summary = "The cameras after the configuration was read again."
    package static let fields: [Field] = [
        Field("kept", \.kept, "Cameras with an unchanged configuration; they keep streaming."),
        Field("changed", \.changed, "Cameras with a changed configuration; they were closed, and reopen with it."),
        Field("added", \.added, "Cameras that are new in the configuration."),
        Field("removed", \.removed, "Cameras removed from the configuration; they were closed."),
    ]
}

package struct InputWish: Hashable, Sendable {
    /// Nil keeps the device's current input.
    package var input: InputChoice?
    /// Analogue standard such as `PAL` or `NTSC-M`; nil or `auto` for the detected one.
    package var standard: String?
    /// Nil for the whole picture.
    package var crop: CropRectangle?
    /// Nil for ``Deinterlacing/double``.
    package var deinterlace: Deinterlacing?

    package init(
        input: InputChoice? = nil,
        standard: String? = nil,
        crop: CropRectangle? = nil,
        deinterlace: Deinterlacing? = nil
    ) {
        (self.input, self.standard, self.crop, self.deinterlace) = (input, standard, crop, deinterlace)
    }

    /// True if `text` can be the name of a standard: letters, digits, `/` and `-`, at most 23 characters.
    package static func isStandard(_ text: String) -> Bool { text.wholeMatch(of: /[A-Za-z0-9\/-]{1,23}/) != nil }
}

/// Selection of a device input (`VIDIOC_ENUMINPUT`).
package enum InputChoice: Hashable, Sendable, CustomStringConvertible {
    case index(Int)
    /// Case-insensitive.
    case name(String)

    /// Parses a number from 0 to 255, or a name of at most 31 bytes, the limits of V4L2.
    package init?(_ text: String) {
        if let index = Int(text) {
            guard (0...255).contains(index) else { return nil }
            self = .index(index)
        } else {
            guard (1...31).contains(text.utf8.count), !text.utf8.contains(where: { $0 < 0x20 }) else { return nil }
            self = .name(text)
        }
    }

    package var description: String {
        switch self {
        case .index(let index): "\(index)"
        case .name(let name): name
        }
    }
}

package struct InputStatus: Hashable, Codable, WireObject {
    package var index: Int
    package var name: String
    package var standard: String?
    package var timings: String?
    /// True if an external signal determines the frame size.
    package var hasSignal: Bool { standard != nil || timings != nil }
    package static let summary = "The input that a device receives from."
    package static let fields: [Field] = [
        Field("index", \.index, "Its number.", .notNegative),
        Field("name", \.name, "Its name, as in HDMI 0."),
        Field("standard", \.standard, "The analogue standard that is set; missing elsewhere."),
        Field("timings", \.timings, "The timings that are received, as in 1920x1080p60; missing elsewhere."),
    ]
}

extension InputStatus {
    package init(index: Int, name: String) { (self.index, self.name) = (index, name) }
}
