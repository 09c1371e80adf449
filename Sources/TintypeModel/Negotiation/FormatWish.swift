// SPDX-License-Identifier: Apache-2.0

/// Requested format of a configuration; unspecified parts are chosen from the formats of the device.
package struct FormatWish: Hashable, Sendable {
    /// Nil for a format suited to stills: about 1280x720 at any rate.
    package var preset: FormatPreset?
    /// In order of preference; empty for automatic choice: raw if the bus bandwidth allows, otherwise MJPEG.
    package var pixelFormats: [FourCC]
    /// Nil for the size of the preset.
    package var size: SizeWish?
    /// Nil for the rate of the preset.
    package var rate: RateWish?

    package init(
        preset: FormatPreset? = nil,
        pixelFormats: [FourCC] = [],
        size: SizeWish? = nil,
        rate: RateWish? = nil
    ) {
        (self.preset, self.pixelFormats, self.size, self.rate) = (preset, pixelFormats, size, rate)
    }

    package static let mostPixelFormats = 16

    /// Unmet parts as phrases, such as `the size: exactly 1280x720 was asked for, and 640x480 granted`.
    package func unmet(by granted: CaptureFormat) -> [String] {
        var list: [String] = []
        if !pixelFormats.isEmpty, !pixelFormats.contains(granted.pixelFormat) {
            let names = pixelFormats.map(\.description).joined(separator: " or ")
            list.append("the format: \(names) was asked for, and \(granted.pixelFormat) granted")
        }
        if let size, !size.isMet(by: granted.size) || size == .near(size.size) && size.size != granted.size {
            list.append("the size: \(size) was asked for, and \(granted.size) granted")
        }
        if let rate, let phrase = unmet(rate, by: granted.interval) { list.append(phrase) }
        return list
    }

    /// First unmet requirement with `exactly`; nil if all are met.
    package func broken(by granted: CaptureFormat) -> String? {
        if case .exactly(let exact) = size, exact != granted.size {
            return "the size: exactly \(exact) was asked for, and \(granted.size) granted"
        }
        if case .exactly = rate, let rate { return unmet(rate, by: granted.interval) }
        return nil
    }

    private func unmet(_ rate: RateWish, by interval: FrameInterval?) -> String? {
        guard let interval else { return "the rate: \(rate) was asked for, and the driver has no notion of one" }
        let isMet = rate.isMet(by: interval) && RateWish.exactly(rate.interval).isMet(by: interval)
        if case .atLeast = rate, rate.isMet(by: interval) { return nil }
        return isMet ? nil : "the rate: \(rate) was asked for, and \(interval) granted"
    }
}

package enum SizeWish: Hashable, Sendable, CustomStringConvertible {
    case near(FrameSize)
    /// Smallest size with at least this width and height; the nearest if none.
    case atLeast(FrameSize)
    /// Largest size with at most this width and height; the nearest if none.
    case atMost(FrameSize)
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

package enum RateWish: Hashable, Sendable, CustomStringConvertible {
    case near(FrameInterval)
    /// Lowest rate that is not below this; the nearest if none.
    case atLeast(FrameInterval)
    case exactly(FrameInterval)

    package var interval: FrameInterval {
        switch self {
        case .near(let interval), .atLeast(let interval), .exactly(let interval): interval
        }
    }

    /// Rates within 0.05 % are equal, because UVC counts in units of 100 ns; 29.97 is not 30.
    package func isMet(by interval: FrameInterval) -> Bool {
        let slack = self.interval.rate * 0.0005
        return switch self {
        case .near: true
        case .atLeast: interval.rate >= self.interval.rate - slack
        case .exactly: abs(interval.rate - self.interval.rate) <= slack
        }
    }

    /// Parses `30`, `at least 15` or `exactly 29.97`; the rate as in ``FrameInterval/init(rate:)``.
    package init?(_ text: String) {
        let words: [(String, (FrameInterval) -> RateWish)] = [
            ("at least ", RateWish.atLeast), ("exactly ", RateWish.exactly),
        ]
        let (word, make) = words.first { text.hasPrefix($0.0) } ?? ("", RateWish.near)
        guard let interval = FrameInterval(rate: String(text.dropFirst(word.count))) else { return nil }
        self = make(interval)
    }

    package var description: String {
        switch self {
        case .near: rate
        case .atLeast: "at least \(rate)"
        case .exactly: "exactly \(rate)"
        }
    }

    private var rate: String {
        let decimals = "\(interval)"
        if FrameInterval(rate: decimals)?.rate == interval.rate { return decimals }
        return "\(interval.denominator)/\(interval.numerator)"
    }
}
