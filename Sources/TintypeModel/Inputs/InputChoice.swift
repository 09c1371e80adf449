// SPDX-License-Identifier: Apache-2.0

/// Which of a device's inputs is wanted (`VIDIOC_ENUMINPUT`).
package enum InputChoice: Hashable, Sendable {
    /// The one with this number.
    case index(Int)
    /// The one with this name, in whatever case.
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
    /// The text that ``init(_:)`` reads.
    package var description: String {
        switch self {
        case .index(let index): "\(index)"
        case .name(let name): name
        }
    }
}
