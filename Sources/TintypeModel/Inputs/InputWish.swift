// SPDX-License-Identifier: Apache-2.0

/// What a configuration says of where the picture comes from.
package struct InputWish: Hashable, Sendable {
    /// The input; nil for the one that the device is set to.
    package var input: InputChoice?
    /// The analogue standard by its name, such as `PAL` or `NTSC-M`; nil or `auto` for the one that is received.
    package var standard: String?
    /// The part of the picture; nil for all of it.
    package var crop: CropRectangle?
    /// What is made of interlaced video; nil for ``Deinterlacing/double``.
    package var deinterlace: Deinterlacing?

    /// A wish of these parts.
    package init(
        input: InputChoice? = nil,
        standard: String? = nil,
        crop: CropRectangle? = nil,
        deinterlace: Deinterlacing? = nil
    ) {
        self.input = input
        self.standard = standard
        self.crop = crop
        self.deinterlace = deinterlace
    }

    /// Whether `text` can be a standard's name: letters, digits and `-`, at most 23.
    package static func isStandard(_ text: String) -> Bool { text.wholeMatch(of: /[A-Za-z0-9\/-]{1,23}/) != nil }
}

/// Which of a device's inputs is wanted (`VIDIOC_ENUMINPUT`).
package enum InputChoice: Hashable, Sendable {
    /// The one with this number.
    case index(Int)
    /// The one with this name, in any case.
    case name(String)

    /// Reads a number from 0 to 255, or a name of at most 31 bytes, as V4L2 has them; nil if the text is neither.
    package init?(_ text: String) {
        if let index = Int(text) {
            guard (0...255).contains(index) else { return nil }
            self = .index(index)
        } else {
            guard (1...31).contains(text.utf8.count), !text.utf8.contains(where: { $0 < 0x20 }) else { return nil }
            self = .name(text)
        }
    }
}

extension InputChoice: CustomStringConvertible {
    package var description: String {
        switch self {
        case .index(let index): "\(index)"
        case .name(let name): name
        }
    }
}
