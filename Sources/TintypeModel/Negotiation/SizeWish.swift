// SPDX-License-Identifier: Apache-2.0

/// What is wanted of the size of frames.
package enum SizeWish: Hashable, Sendable {
    /// This size, or the nearest that the camera has.
    case near(FrameSize)
    /// The smallest size with at least this width and this height; the nearest where there is none.
    case atLeast(FrameSize)
    /// The largest size with at most this width and this height; the nearest where there is none.
    case atMost(FrameSize)
    /// This size and no other: anything else is an error.
    case exactly(FrameSize)

    /// The size in it.
    package var size: FrameSize {
        switch self {
        case .near(let size), .atLeast(let size), .atMost(let size), .exactly(let size): size
        }
    }

    /// Whether frames of `size` are as wished; always so for ``near(_:)``, which any size serves.
    package func isMet(by size: FrameSize) -> Bool {
        switch self {
        case .near: true
        case .atLeast(let least): size.width >= least.width && size.height >= least.height
        case .atMost(let most): size.width <= most.width && size.height <= most.height
        case .exactly(let exact): size == exact
        }
    }
}

extension SizeWish: CustomStringConvertible {
    /// Reads `1280x720`, `at least 1280x720`, `at most 1280x720` or `exactly 1280x720`; nil if the text is none.
    package init?(_ text: String) {
        let words: [(String, (FrameSize) -> SizeWish)] = [
            ("at least ", { .atLeast($0) }), ("at most ", { .atMost($0) }), ("exactly ", { .exactly($0) }),
        ]
        for (word, make) in words where text.hasPrefix(word) {
            guard let size = FrameSize(String(text.dropFirst(word.count))) else { return nil }
            self = make(size)
            return
        }
        guard let size = FrameSize(text) else { return nil }
        self = .near(size)
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
