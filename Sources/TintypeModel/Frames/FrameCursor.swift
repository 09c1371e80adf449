// SPDX-License-Identifier: Apache-2.0

/// Where a list of frames goes on: behind the last frame of a page, in the order of that list.
///
/// It holds while frames come and go: those that stay are listed once, even if others were added or deleted between two pages.
package struct FrameCursor: Hashable, Sendable {
    /// The order of the list.
    package let order: FrameOrder
    /// The last frame that was listed; it may be gone by now.
    package let last: FrameID

    /// The place behind `last` in a list of that order.
    package init(_ order: FrameOrder, after last: FrameID) {
        self.order = order
        self.last = last
    }
}

extension FrameCursor: TextCodable, WireType {
    package static let refusal = "is not the cursor of a page of frames"

    /// A text that means nothing to anyone else.
    package var description: String { "\(order.rawValue.prefix(1))\(last.description.filter { $0 != "-" })" }

    package init?(_ text: String) {
        guard
            let order = FrameOrder.allCases.first(where: { $0.rawValue.first == text.first }),
            let last = FrameID(undashed: text.dropFirst())
        else { return nil }
        self.init(order, after: last)
    }
}

extension FrameID {
    /// Reads 32 digits in lower case without dashes.
    fileprivate init?(undashed digits: Substring) {
        guard digits.utf8.count == 32, digits.allSatisfy({ "0123456789abcdef".contains($0) }) else { return nil }
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        self.init(text)
    }
}

/// In which order frames are listed: by their ids, which is by the time of their exposure to the millisecond.
package enum FrameOrder: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// The newest first.
    case newest
    /// The oldest first.
    case oldest
}
