// SPDX-License-Identifier: Apache-2.0

/// What a configuration says of where the picture comes from.
package struct InputWish: Hashable, Sendable {
    /// The input; nil for the one that the device is set to.
    package var input: InputChoice?
    /// The analogue standard by its name, such as `PAL` or `NTSC-M`; nil or `auto` for the one that is received.
    package var standard: String?
    /// The part of the picture; nil for all of it.
    package var crop: CropRectangle?

    /// A wish of these parts.
    package init(input: InputChoice? = nil, standard: String? = nil, crop: CropRectangle? = nil) {
        self.input = input
        self.standard = standard
        self.crop = crop
    }

    /// Whether `text` can be a standard's name: letters, digits and `-`, at most 23.
    package static func isStandard(_ text: String) -> Bool { text.wholeMatch(of: /[A-Za-z0-9\/-]{1,23}/) != nil }
}
