// SPDX-License-Identifier: Apache-2.0

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
