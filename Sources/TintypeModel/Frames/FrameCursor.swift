// SPDX-License-Identifier: Apache-2.0

/// Position behind the last frame of a page; stays valid while frames are added or deleted: every remaining frame is
/// listed exactly once.
package struct FrameCursor: Hashable, Sendable, TextCodable, WireType {
    package let order: FrameOrder
    /// Last listed frame; may have been deleted since.
    package let last: FrameID

    package init(_ order: FrameOrder, after last: FrameID) { (self.order, self.last) = (order, last) }

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
    /// Parses 32 lowercase hexadecimal digits without dashes.
    fileprivate init?(undashed digits: Substring) {
        guard digits.utf8.count == 32, digits.allSatisfy({ "0123456789abcdef".contains($0) }),
            let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.dropFirst(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}

/// Order of a list of frames by ID, which begins with the start of exposure in milliseconds.
package enum FrameOrder: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    case newest, oldest
}
