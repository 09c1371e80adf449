// SPDX-License-Identifier: Apache-2.0

package enum SizeWish: Hashable, Sendable, CustomStringConvertible {
    /// This size, or the nearest available.
    case near(FrameSize)
    /// Smallest size with at least this width and height; the nearest if none.
    case atLeast(FrameSize)
    /// Largest size with at most this width and height; the nearest if none.
    case atMost(FrameSize)
    /// Exactly this size; any other is an error.
    case exactly(FrameSize)

    package var size: FrameSize {
        switch self {
        case .near(let size), .atLeast(let size), .atMost(let size), .exactly(let size): size
        }
    }

    package func isMet(by size: FrameSize) -> Bool {
        switch self {
        case .near: true
        case .atLeast(let least): size.width >= least.width && size.height >= least.height
        case .atMost(let most): size.width <= most.width && size.height <= most.height
        case .exactly(let exact): size == exact
        }
    }

    /// Parses `1280x720`, `at least 1280x720`, `at most 1280x720` or `exactly 1280x720`.
    package init?(_ text: String) {
        let words: [(String, (FrameSize) -> SizeWish)] = [
            ("at least ", SizeWish.atLeast), ("at most ", SizeWish.atMost), ("exactly ", SizeWish.exactly),
        ]
        let (word, make) = words.first { text.hasPrefix($0.0) } ?? ("", SizeWish.near)
        guard let size = FrameSize(String(text.dropFirst(word.count))) else { return nil }
        self = make(size)
    }

    package var description: String {
        switch self {
        case .near(let size): "\(size)"
        case .atLeast(let size): "at least \(size)"
        case .atMost(let size): "at most \(size)"
        case .exactly(let size): "exactly \(size)"
        }
    }
}
